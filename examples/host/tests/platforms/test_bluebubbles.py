import json

import pytest
from mentionable import Failed, FilePart, HttpRequest, HttpResponse, NormalizedMessage, decode_trusted, policy
from sqlalchemy import select

from mentionable_host.config import ConfigError
from mentionable_host.store.tables import messages, reactions
from mentionable_host.transports.bluebubbles import BlueBubbles

SECRET, PHONE = "a-secret-of-your-own-server", "+15550100"
TABLE = {
    "url": "https://mac.example:1234/",
    "password": "canary password",
    "webhook_token": SECRET,
}
TEXT = "POST /api/v1/message/text"


def webhook(kind="new-message", secret=SECRET, **changes):
    message = {
        "guid": "00000000-0000-4000-8000-000000000001",
        "text": "Will it rain?",
        "handle": {"address": PHONE, "service": "iMessage"},
        "chats": [{"guid": f"iMessage;-;{PHONE}", "style": 45}],
        "attachments": [],
        "isFromMe": False,
        **changes,
    }
    url = f"https://agents.example/bluebubbles/events?secret={secret}"
    return HttpRequest(method="POST", url=url, body=json.dumps({"type": kind, "data": message}).encode())


@pytest.fixture
def api(world, platform_api):
    posted = {"status": 200, "data": {"guid": "00000000-0000-4000-8000-000000000009"}}
    world.responses = platform_api({TEXT: posted}, "https://mac.example:1234")
    return world.responses


@pytest.fixture
def place(make_host, desk, api):
    def make(agent=None, **more):
        return desk(make_host(BlueBubbles, agent=agent, bluebubbles={**TABLE, **more}))

    return make


def test_a_text_is_answered_in_its_chat(place, world, api):
    one = place()
    [response] = one.post(webhook())
    one.work()

    assert response.status_code == 200
    assert api.names() == [TEXT]
    assert api.calls[-1][1]["chatGuid"] == f"iMessage;-;{PHONE}"
    assert api.calls[-1][1]["message"] == "You wrote: Will it rain?"
    assert one.native_id(own=True) == "bluebubbles:00000000-0000-4000-8000-000000000009"


def test_a_webhook_that_comes_twice_is_answered_once(place, world, api):
    one = place()
    one.post(webhook(), webhook())
    one.work()

    assert api.names() == [TEXT]


def test_a_webhook_without_the_secret_is_refused(place, world):
    [response] = place().post(webhook(secret="another-secret-of-22-chars"))

    assert response.status_code == 401


def test_the_password_is_added_when_a_call_is_sent_and_nowhere_else(place, world, api):
    api.answers[TEXT] = [Failed("https://mac.example/?password=canary%20password"), HttpResponse(status=401)]
    one = place()
    one.post(webhook())
    one.work()

    assert all(request.url.endswith("?password=canary%20password") for request in world.sent)
    assert b"canary" not in one.everything()
    assert one.dead() == ["the BlueBubbles server does not take the password: put its own into bluebubbles.password"]


def test_a_person_has_the_same_pseudonym_after_a_restart(place, world, api):
    first = place()
    first.post(webhook())
    first.work()
    second = place()
    second.post(webhook(guid="00000000-0000-4000-8000-000000000002"))
    second.work()

    rows = second.read(lambda db: db.execute(messages.select()).mappings().fetchall())
    people = {row["person"] for row in rows}
    assert len(rows) == 4
    assert len(people) == 1
    assert "5550100" not in str([dict(row) for row in rows])


def test_a_call_that_is_made_again_has_the_same_id(place, world, api):
    api.answers[TEXT] = [Failed("away"), api.answers[TEXT]]
    one = place()
    one.post(webhook())
    one.work()

    ids = [json.loads(request.body)["tempGuid"] for request in world.sent]
    assert len(ids) == 2
    assert len(set(ids)) == 1


def test_in_a_group_a_demand_goes_to_the_chat_with_the_asker(place, world, api, slack_events):
    def answer(message, context):
        consent = policy.ConsentRequired(
            message="May I read your calendar?",
            url="https://agents.example/consent?state=" + "s" * 43,
            action_label="Allow",
            state="s" * 43,
            return_to="https://agents.example/done",
        )
        return context.reply_to("One moment.", consent)

    one = place(slack_events.agent(answer), groups=True)
    one.post(webhook(chats=[{"guid": "iMessage;+;chat1", "style": 43}]))
    one.work()

    assert [params["chatGuid"] for _, params in api.calls] == ["iMessage;+;chat1", f"iMessage;-;{PHONE}"]


def test_with_the_private_api_the_agent_is_seen_typing(place, world, api):
    one = place(private_api=True)
    one.post(webhook())
    one.work()
    [value] = one.read(lambda db: db.execute(select(messages.c.value).where(messages.c.role == "user")).scalars().all())
    message, chat = decode_trusted(NormalizedMessage, value), f"iMessage;-;{PHONE}"
    calls = one.host.transports["bluebubbles"].typing(message, target={"chat": chat})

    assert api.calls[-1][1]["method"] == "private-api"
    assert [call.path.rpartition("/")[2] for call in calls] == ["read", "typing"]


def test_a_file_of_an_answer_is_a_form(place, world, api, slack_events):
    def answer(message, context):
        return context.reply_to("Here:", FilePart.of(b"hello", mime="text/plain", name="a.txt"))

    api.answers["POST /api/v1/message/attachment"] = {"status": 200, "data": {}}
    one = place(slack_events.agent(answer))
    one.post(webhook())
    one.work()

    body = world.sent[-1].body
    assert api.names() == [TEXT, "POST /api/v1/message/attachment"]
    assert b'name="attachment"; filename="a.txt"' in body
    assert b'name="chatGuid"' in body


def test_an_attachment_is_fetched(place, world, api, slack_events):
    seen = {}

    def answer(message, context):
        seen.update(context.files)
        return "Thanks."

    api.answers["GET /api/v1/attachment/at_0_A1/download"] = HttpResponse(status=200, body=b"hello")
    one = place(slack_events.agent(answer))
    file = {"guid": "at_0_A1", "transferName": "a.txt", "mimeType": "text/plain", "totalBytes": 5}
    one.post(webhook(attachments=[file]))
    one.work()

    assert list(seen.values()) == [b"hello"]


def test_a_reaction_is_stored(place, world, api):
    one = place()
    one.post(webhook())
    one.work()
    tapback = {"associatedMessageGuid": "p:0/00000000-0000-4000-8000-000000000009", "associatedMessageType": "love"}
    one.post(webhook(guid="00000000-0000-4000-8000-000000000003", text="Loved “…”", **tapback))
    one.work()

    assert one.count(reactions) == 1


def test_a_name_that_is_none_is_said_at_the_start(make_host):
    with pytest.raises(ConfigError, match="bluebubbles"):
        make_host(BlueBubbles, bluebubbles={**TABLE, "account": "+1 555"})


def test_a_server_that_may_not_be_asked_is_a_dead_letter(place, world, api):
    api.answers[TEXT] = Failed("https://mac.example/?password=canary may not be asked", temporary=False)
    one = place()
    one.post(webhook())
    one.work()

    assert one.dead() == ["POST: the place of bluebubbles may not be asked, or its answer cannot be read"]
