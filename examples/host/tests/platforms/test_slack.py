import json

import pytest
from mentionable import Failed, HttpResponse
from sqlalchemy import select

from mentionable_host.config import ConfigError
from mentionable_host.store.database import StoreUnavailable
from mentionable_host.store.tables import messages
from mentionable_host.transports.slack import Slack
from mentionable_host.world.world import NoAddress

CHANNEL = "C123"


def test_a_mention_is_answered_in_its_thread(place, alice, world, slack_api):
    one = place()
    [response] = one.post(alice.write("will it rain?", now=world.now()))
    one.work()

    assert response.status_code == 200
    assert slack_api.names() == ["chat.postMessage"]
    [params] = [params for name, params in slack_api.calls if name == "chat.postMessage"]
    assert params["channel"] == CHANNEL
    assert "will it rain?" in params["text"]
    assert one.dead() == []


def test_slack_is_answered_before_anything_is_looked_up(place, alice, world):
    one = place()
    [response] = one.post(alice.write("hi", now=world.now()))

    assert (response.status_code, world.sent) == (200, [])


def test_an_event_that_comes_twice_is_answered_once(place, alice, world, slack_api):
    one, asked = place(), alice.write("hi", now=world.now())
    one.post(asked, asked)
    one.work()
    one.post(asked)
    one.work()

    assert slack_api.names() == ["chat.postMessage"]


def test_a_forged_event_is_refused(place, alice, world):
    one, asked = place(), alice.write("hi", now=world.now())
    forged = asked.__class__(method="POST", url=asked.url, headers=asked.headers, body=asked.body + b" ")
    [response] = one.post(forged)

    assert (response.status_code, one.jobs()) == (401, [])


def test_the_challenge_of_slack_is_answered(place, alice, world):
    [response] = place().post(alice.signed(b'{"type":"url_verification","challenge":"abc"}', now=world.now()))

    assert (response.status_code, response.body) == (200, b"abc")


def test_an_event_of_another_app_is_a_dead_letter(make_host, desk, slack_api, slack_table, alice, world):
    slack_table["slack"]["app_id"] = "A999"
    one = desk(make_host(Slack, **slack_table))
    one.post(alice.write("hi", now=world.now()))
    one.work()

    assert one.dead() == ["no-served-recipient: check the ids of slack in the configuration"]


def test_while_the_store_is_away_slack_shall_send_it_again(place, alice, world, monkeypatch):
    one = place()

    async def away(work):
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(one.host.database, "write", away)
    [response] = one.post(alice.write("hi", now=world.now()))

    assert response.status_code == 503


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", range(4))
def test_no_call_is_lost_or_made_again_after_its_answer_was_stored(
    place, alice, world, slack_api, step, after, slack_events
):
    def answer(message, context):
        return "\n\n".join(f"{number} " + "x" * 11_000 for number in range(3))

    one = place(slack_events.agent(answer))
    one.post(alice.write("tell me all", now=world.now()))
    slack_api.kill_at, slack_api.kill_after = step, after
    with pytest.raises(BaseException, match="killed"):
        one.work()
    was_in_flight = after and slack_api.requested[-1] == "chat.postMessage"
    one.restart()
    one.work()

    texts = [params["text"][:2] for name, params in slack_api.calls if name == "chat.postMessage"]
    assert list(dict.fromkeys(texts)) == ["0 ", "1 ", "2 "]
    assert len(texts) == 3 + was_in_flight


def test_a_busy_slack_is_called_again_after_it_says(place, alice, world, slack_api):
    slow = HttpResponse(status=429, headers={"retry-after": "90"}, body=b'{"ok":false,"error":"ratelimited"}')
    slack_api.answers["chat.postMessage"] = [slow, slack_api.answers["chat.postMessage"]]
    began = world.now()
    one = place()
    one.post(alice.write("hi", now=began))
    one.work()

    assert slack_api.names() == ["chat.postMessage"]
    assert (world.now() - began).total_seconds() >= 90


def test_a_slack_that_dns_does_not_find_is_called_again(place, alice, world, slack_api):
    gone = NoAddress("'slack.com' has no address", temporary=False)
    slack_api.answers["chat.postMessage"] = [gone, slack_api.answers["chat.postMessage"]]
    one = place()
    one.post(alice.write("hi", now=world.now()))
    one.work()

    assert slack_api.names() == ["chat.postMessage"]
    assert one.dead() == []


def test_a_token_that_slack_does_not_take_is_said_to_the_operator(place, alice, world, slack_api):
    slack_api.answers["chat.postMessage"] = {"ok": False, "error": "invalid_auth"}
    one = place()
    one.post(alice.write("hi", now=world.now()))
    one.work()

    [reason] = one.dead()
    assert "put its bot token into slack.bot_token" in reason


def test_a_missing_scope_is_named(place, alice, world, slack_api):
    slack_api.answers["chat.postMessage"] = {"ok": False, "error": "missing_scope", "needed": "chat:write"}
    one = place()
    one.post(alice.write("hi", now=world.now()))
    one.work()

    assert one.dead() == ["chat.postMessage: 'missing_scope': give the app the scope 'chat:write', and install it anew"]


def test_no_token_is_stored(place, alice, world, slack_api):
    one = place()
    one.post(alice.write("hi", now=world.now()), alice.command("/ask", "hi", now=world.now()))
    stored = one.everything()
    slack_api.answers["chat.postMessage"] = Failed("https://hooks.slack.example is away")
    one.work()

    assert b"canary" not in stored + one.everything()
    assert b"hooks.slack" not in stored + one.everything()
    assert all("canary" not in request.url for request in world.sent)


def test_who_cannot_be_looked_up_just_now_is_looked_up_again(place, alice, world, slack_api):
    known = slack_api.answers["users.info"]
    slack_api.answers["users.info"] = [Failed("away"), known]
    one = place()
    one.post(alice.write("hi", now=world.now()))
    one.work()

    [value] = one.read(lambda db: db.execute(select(messages.c.value).where(messages.c.role == "user")).scalars().all())
    assert json.loads(value)["sender"]["display_name"] == "Alice"


def test_a_question_is_made_although_slack_never_says_who_asks(place, alice, world, slack_api):
    slack_api.answers["users.info"] = Failed("away")
    one = place()
    one.post(alice.write("hi", now=world.now()))
    one.work()

    assert slack_api.names() == ["chat.postMessage"]


def test_without_its_table_in_the_configuration_it_says_what_is_missing(make_host):
    with pytest.raises(ConfigError, match=r"no \[slack\]"):
        make_host(Slack)
