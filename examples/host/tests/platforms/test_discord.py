import json

import pytest
from mentionable import Failed, FilePart, HttpRequest, HttpResponse
from mentionable.connectors import ApiRequest, Choice
from mentionable.testing import DiscordPeer
from sqlalchemy import insert

from mentionable_host.config import ConfigError
from mentionable_host.store.tables import blocks, messages, native_ids, reactions, reply_targets
from mentionable_host.transports.discord import Discord
from mentionable_host.transports.platforms.choices import offer

ALICE = DiscordPeer()
ORIGINAL = "PATCH /webhooks/700/TOKEN/messages/@original"
POST, HISTORY = "POST /channels/500/messages", "GET /channels/500/messages"
TABLE = {
    "discord": {"public_key": ALICE.key.public_raw.hex(), "application_id": "700", "bot_token": "canary-bot-token"}
}


@pytest.fixture
def api(world, platform_api):
    posts = iter(range(1310000000000000100, 1310000000000000200))

    def posted(request):
        return {"id": str(next(posts)), "channel_id": "500"}

    done = HttpResponse(status=204)
    answers = {POST: posted, HISTORY: [[]], ORIGINAL: posted, "POST /channels/500/typing": done}
    world.responses = platform_api(answers, "https://discord.com/api/v10")
    return world.responses


@pytest.fixture
def place(make_host, desk, api):
    def make(agent=None, **more):
        return desk(make_host(Discord, agent=agent, discord={**TABLE["discord"], **more}))

    return make


def test_a_command_is_deferred_at_once_and_filled_in_later(place, world, api):
    one = place()
    [response] = one.post(ALICE.command("Will it rain?", now=world.now()))
    before = len(world.sent)
    one.work()

    assert (response.status_code, response.body, before) == (200, b'{"type":5}', 0)
    assert api.names() == [ORIGINAL]
    assert api.calls[-1][1]["content"] == "You wrote: Will it rain?"
    assert [request.header("authorization") for request in world.sent if "/webhooks/" in request.url] == [None]
    assert one.count(reply_targets) == 0


def test_a_command_that_comes_twice_is_answered_once(place, world, api):
    one, asked = place(), ALICE.command("Will it rain?", now=world.now())
    one.post(asked, asked)
    one.work()

    assert api.names() == [ORIGINAL]


def test_a_ping_and_a_forged_request_are_answered(place, world):
    one = place()
    ping = ALICE.signed(b'{"id": "1", "application_id": "700", "type": 1, "token": "t"}', now=world.now())
    forged = HttpRequest(method="POST", url=ping.url, headers=ping.headers, body=b"{}")

    assert [response.status_code for response in one.post(ping, forged)] == [200, 401]


def test_no_credential_is_in_a_job(place, world, api):
    api.answers[ORIGINAL] = HttpResponse(status=400, body=b'{"code": 50006, "message": "Cannot send an empty message"}')
    one = place()
    one.post(ALICE.command("Will it rain?", now=world.now()))
    stored = one.everything()
    one.work()

    assert b"canary" not in stored + one.everything()
    assert b"token-of-the-interaction" not in stored + one.everything()
    assert one.dead() == ["PATCH: discord answers 400, 50006: 'Cannot send an empty message'"]


@pytest.mark.parametrize("late", [True, False])
def test_an_interaction_that_has_expired_is_answered_in_the_channel(place, world, api, late):
    api.answers[ORIGINAL] = HttpResponse(status=404, body=b'{"code": 10015, "message": "Unknown Webhook"}')
    one = place()
    one.post(ALICE.command("Will it rain?", now=world.now()))
    world.advance(minutes=20 if late else 1)
    one.work()

    assert api.names() == [POST]
    assert one.dead() == []


def test_who_is_blocked_sees_no_endless_thinking(place, world, api):
    delete = ORIGINAL.replace("PATCH", "DELETE")
    api.answers[delete] = HttpResponse(status=204)
    one = place()
    row = {"target": "@42@300.discord.invalid", "kind": "address", "by": "operator", "since": 0.0}
    one.write(lambda db: db.execute(insert(blocks).values(**row)))
    one.post(ALICE.command("Will it rain?", now=world.now()))
    one.work()

    assert [name for name in api.requested if name == delete] == [delete]
    assert api.names() == []


def test_where_the_agent_says_nothing_discord_does_not_wait(place, world, api, slack_events):
    delete = ORIGINAL.replace("PATCH", "DELETE")
    api.answers[delete] = HttpResponse(status=204)
    one = place(slack_events.agent(lambda message, context: None))
    one.post(ALICE.command("Will it rain?", now=world.now()))
    one.work()

    assert api.requested[-1] == delete
    assert one.count(reply_targets) == 0


def test_a_message_of_the_gateway_is_answered_in_its_channel(place, world, api):
    one = place()
    asked = ALICE.write("will it rain?", now=world.now())
    one.take(asked)
    one.take(asked)
    one.work()

    assert api.names() == [POST]
    params = api.calls[-1][1]
    assert params["message_reference"]["message_id"] == asked["d"]["id"]
    assert params["enforce_nonce"] is True
    assert one.native_id(own=True) == "discord:500/1310000000000000100"


def test_a_call_that_is_made_again_has_the_same_nonce(place, world, api):
    api.answers[POST] = [Failed("away"), api.answers[POST]]
    one = place()
    one.take(ALICE.write("will it rain?", now=world.now()))
    one.work()

    nonces = [json.loads(request.body)["nonce"] for request in world.sent if request.url.endswith("500/messages")]
    assert len(nonces) == 2
    assert len(set(nonces)) == 1


def test_a_busy_discord_is_called_again_after_it_says(place, world, api):
    slow = HttpResponse(status=429, body=b'{"message": "You are being rate limited.", "retry_after": 64.5}')
    api.answers[POST], began = [slow, api.answers[POST]], world.now()
    one = place()
    one.take(ALICE.write("will it rain?", now=world.now()))
    one.work()

    assert (world.now() - began).total_seconds() >= 64.5
    assert api.names() == [POST]


def test_an_answer_grows_in_the_place_of_the_deferred_response(place, world, api, slack_events):
    one = place(slack_events.growing(world))
    one.post(ALICE.command("Will it rain?", now=world.now()))
    one.work()

    shown = [params["content"] for name, params in api.calls if name == ORIGINAL]
    assert shown == ["It", "It will", "It will rain.", "It will rain."]
    assert set(api.names()) == {ORIGINAL}


def test_an_answer_grows_in_the_channel(place, world, api, slack_events):
    update = "PATCH /channels/500/messages/1310000000000000100"
    api.answers[update] = {"id": "1310000000000000100", "channel_id": "500"}
    one = place(slack_events.growing(world))
    one.take(ALICE.write("will it rain?", now=world.now()))
    one.work()

    assert api.names() == [POST, update, update, update]
    assert api.calls[-1][1]["content"] == "It will rain."
    assert one.native_id(own=True) == "discord:500/1310000000000000100"


def test_after_a_crash_the_message_that_grew_is_written_anew(place, world, api, slack_events):
    update = "PATCH /channels/500/messages/1310000000000000100"
    api.answers[update] = {"id": "1310000000000000100", "channel_id": "500"}
    one = place(slack_events.growing(world, fail_at=1))
    one.take(ALICE.write("will it rain?", now=world.now()))
    one.work_until_killed(slack_events)
    one.host.transports["discord"].growing.clear()
    one.host.agent = slack_events.growing(world)
    one.restart()
    one.work()

    assert api.names() == [POST, update]
    assert api.calls[-1][1]["content"] == "It will rain."


def test_a_deletion_withdraws_the_answer(place, world, api):
    delete = "DELETE /channels/500/messages/1310000000000000100"
    api.answers[delete] = HttpResponse(status=204)
    one, asked = place(withdraw=True), ALICE.write("will it rain?", now=world.now())
    one.take(asked)
    one.work()
    one.take(ALICE.delete(asked))
    one.work()

    assert delete in api.requested
    assert (one.count(messages), one.count(native_ids)) == (0, 0)


def test_an_edit_changes_the_stored_message(place, world):
    one, asked = place(), ALICE.write("will it rain?", now=world.now())
    one.take(asked)
    one.work()
    one.take(ALICE.edit(asked, "will it snow?", now=world.now()))
    one.work()

    assert one.texts() == ["<@700> will it snow?"]


def test_a_reaction_waits_for_the_message_that_it_is_about(place, world):
    one, asked = place(), ALICE.write("will it rain?", now=world.now())
    one.take(asked)
    one.take(ALICE.react("👍", f"discord:500/{asked['d']['id']}"))
    one.work()

    assert one.count(reactions) == 1


def test_a_file_is_fetched_without_a_token(place, world, api, slack_events):
    seen = {}

    def answer(message, context):
        seen.update(context.files)
        return "Thanks."

    url = "https://cdn.discordapp.com/attachments/5/8/a.txt?hm=canary"
    api.answers["GET https://cdn.discordapp.com/attachments/5/8/a.txt"] = HttpResponse(status=200, body=b"hello")
    one = place(slack_events.agent(answer))
    file = {"id": "8", "filename": "a.txt", "content_type": "text/plain", "size": 5, "url": url}
    asked = ALICE.write("read this", now=world.now())
    one.take({**asked, "d": {**asked["d"], "attachments": [file]}})
    stored = one.everything()
    one.work()

    assert list(seen.values()) == [b"hello"]
    assert [request.header("authorization") for request in world.sent if request.url == url] == [None]
    assert b"hm=canary" not in stored


def test_a_file_of_an_answer_is_a_form(place, world, api, slack_events):
    def answer(message, context):
        return context.reply_to("Here:", FilePart.of(b"hello", mime="text/plain", name="a.txt"))

    one = place(slack_events.agent(answer))
    one.take(ALICE.write("will it rain?", now=world.now()))
    one.work()

    [request] = [request for request in world.sent if request.url.endswith("/channels/500/messages")]
    assert (request.header("content-type") or "").startswith("multipart/form-data; boundary=")
    assert b'name="payload_json"' in request.body
    assert b'name="files[0]"; filename="a.txt"' in request.body
    assert b"hello" in request.body


def test_a_click_is_a_message_of_who_clicked(place, world, api, slack_events):
    def answer(message, context):
        choice = message.parts[0].extra.get("choice")
        if choice is not None:
            return f"You chose {choice}."
        return offer(context.reply_to("Shall I?"), Choice(label="Yes", value="book"))

    one = place(slack_events.agent(answer))
    one.take(ALICE.write("will it rain?", now=world.now()))
    one.work()
    call = ApiRequest(method="POST", params=api.calls[-1][1])
    one.post(ALICE.click("book", call, native_id=one.native_id(own=True), now=world.now()))
    one.work()

    assert api.calls[-1] == (ORIGINAL, {**api.calls[-1][1], "content": "You chose book."})


def test_a_bad_key_is_said_at_the_start(make_host):
    with pytest.raises(ConfigError, match="discord"):
        make_host(Discord, discord={**TABLE["discord"], "public_key": "no key"})
