import asyncio
import json
import re

import httpx
import pytest
from mentionable import Failed, FilePart, HttpResponse, NormalizedResponse, policy
from mentionable.connectors import ApiRequest, Choice

from mentionable_host.store.tables import reply_targets
from mentionable_host.transports.platforms.choices import offer

CHANNEL = "C123"
CONSENT = re.compile(r"https://agents\.example/consent/[\w-]{43}")


def test_a_demand_reaches_the_asker_alone(place, alice, world, slack_api, slack_events):
    def answer(message, context):
        consent = policy.ConsentRequired(
            message="May I read your calendar?",
            url="https://agents.example/consent?state=" + "s" * 43,
            action_label="Allow",
            state="s" * 43,
            return_to="https://agents.example/done",
        )
        return context.reply_to("One moment.", consent)

    one = place(slack_events.agent(answer))
    one.post(alice.write("when am I free?", now=world.now()))
    one.work()

    assert slack_api.names() == ["chat.postMessage", "chat.postEphemeral"]
    assert "calendar" not in json.dumps(slack_api.calls[-2][1])
    assert slack_api.calls[-1][1]["user"] == "U456"


def test_a_command_is_answered_at_its_response_url(place, alice, world, slack_api):
    one, asked = place(), alice.command("/ask", "will it rain?", now=world.now())
    one.post(asked)
    [url] = [one.host.transports["slack"].target(asked)[0]["response_url"]]
    slack_api.answers[f"POST {url}"] = {"ok": True}
    one.work()

    assert [request.url for request in world.sent if request.url == url] == [url]
    assert all(request.header("authorization") is None for request in world.sent if request.url == url)
    assert one.count(reply_targets) == 0


def test_a_command_whose_response_url_has_expired_is_answered_in_the_channel(place, alice, world, slack_api):
    one = place()
    one.post(alice.command("/ask", "will it rain?", now=world.now()))
    world.advance(hours=1)
    one.work()

    assert slack_api.names() == ["chat.postMessage"]


def test_a_response_url_that_expires_while_slack_is_away_gives_way_to_the_channel(place, alice, world, slack_api):
    one, asked = place(), alice.command("/ask", "will it rain?", now=world.now())
    one.post(asked)
    url = one.host.transports["slack"].target(asked)[0]["response_url"]
    slack_api.answers[f"POST {url}"] = Failed("away")
    one.work()

    assert slack_api.names() == ["chat.postMessage"]
    assert one.dead() == []


def test_a_click_is_a_message_of_who_clicked(place, alice, world, slack_api, slack_events):
    def answer(message, context):
        choice = message.parts[0].extra.get("choice")
        if choice is not None:
            return f"You chose {choice}."
        return offer(NormalizedResponse.to(message, "Shall I?"), Choice(label="Yes", value="book"))

    one = place(slack_events.agent(answer))
    one.post(alice.write("book it", now=world.now()))
    one.work()
    call = ApiRequest(method="chat.postMessage", params=slack_api.calls[-1][1])
    one.post(alice.click("book", call, native_id=one.native_id(own=True), now=world.now()))
    one.work()

    assert slack_api.calls[-1][1]["text"] == "You chose book."


def test_an_answer_with_a_file_is_uploaded_without_the_token(place, alice, world, slack_api, slack_events):
    def answer(message, context):
        return context.reply_to("Here:", FilePart.of(b"hello", mime="text/plain", name="a.txt"))

    url = "https://files.slack.com/upload/v1/canary"
    slack_api.answers["files.getUploadURLExternal"] = {"ok": True, "upload_url": url, "file_id": "F1"}
    slack_api.answers[f"POST {url}"] = HttpResponse(status=200, body=b"OK - 5")
    slack_api.answers["files.completeUploadExternal"] = {"ok": True, "files": [{"id": "F1"}]}
    one = place(slack_events.agent(answer))
    one.post(alice.write("send it", now=world.now()))
    one.work()

    assert slack_api.names() == ["chat.postMessage", "files.getUploadURLExternal", "files.completeUploadExternal"]
    [upload] = [request for request in world.sent if request.url == url]
    assert (upload.body, upload.header("authorization")) == (b"hello", None)
    assert json.loads(slack_api.calls[-1][1]["files"]) == [{"id": "F1", "title": "a.txt"}]
    assert b"canary" not in one.everything()
    assert one.dead() == []


def test_people_see_that_the_agent_is_at_work(place, alice, world, slack_api):
    one = place()
    one.post(alice.write("hi", now=world.now()))
    one.work(only=("slack.complete", "slack.typing"))

    assert [name for name, _ in slack_api.calls if name.startswith("assistant.")] == ["assistant.threads.setStatus"]
    one.work()
    assert slack_api.names() == ["chat.postMessage"]


async def say_yes(host, url):
    """Presses the button of the page of consent."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=host.app())) as client:
        assert (await client.post(url)).status_code == 200


@pytest.mark.parametrize("command", [False, True])
def test_who_consents_on_the_page_gets_the_answer_where_they_asked(
    place, alice, world, slack_api, slack_events, command
):
    async def answer(message, context):
        await context.ask_consent("May I read your calendar?", scope="calendar")
        await context.ask_consent("And your address book?", scope="address book")
        return "You are free."

    one = place(slack_events.agent(answer))
    asked = (
        alice.command("/ask", "am I free?", now=world.now()) if command else alice.write("am I free?", now=world.now())
    )
    if command:
        [url] = [one.host.transports["slack"].target(asked)[0]["response_url"]]
        slack_api.answers[f"POST {url}"] = {"ok": True}
    one.post(asked)
    one.work()
    for _ in range(2):
        asyncio.run(say_yes(one.host, CONSENT.findall(json.dumps([call for _, call in slack_api.calls]))[-1]))
        one.work()

    assert one.dead() == []
    assert "You are free." in slack_api.calls[-1][1]["text"]
