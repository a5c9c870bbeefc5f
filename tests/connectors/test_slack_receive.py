"""The door of the Slack connector: what becomes a message, for whom, and once."""

from __future__ import annotations

import pytest

from mentionable import AgentChain, Answers, HttpRequest, Rejected, UsageError, adrive, drive
from mentionable.connectors import slack
from tests.connectors.slack_workspace import (
    AGENT,
    ISSUER,
    NOW,
    SECRET,
    SETTINGS,
    TS,
    code,
    command_unit,
    event_unit,
    mention,
    message,
    notes,
    outcome,
    receive,
    said,
    without,
)
from tests.used import remembering

OTHER = "<@UBOT> again"
EVERYTHING = slack.Settings(signing_secret=SECRET, issuer=ISSUER, listen_to="everything")


def test_a_mention_becomes_a_message_for_the_agent_of_the_app():
    found, asked = receive(event_unit(mention("<@UBOT> will it *rain*?")))
    got = found.message
    assert (got.recipient, got.received_via, got.thread_id) == (AGENT, "connector", f"slack:T1/C1/{TS}")
    assert (got.parts[0].content, got.parts[0].mime) == ("<@UBOT> will it **rain**?", "text/markdown")
    assert got.parts[0].extra == {
        "native_text": "<@UBOT> will it *rain*?",
        "native_form": "mrkdwn",
        "mentions": {"<@UBOT>": "helper"},
    }
    assert found.native_id == f"slack:T1/C1/{TS}"
    assert (found.verdict.code, found.verdict.verified) == ("platform-only", False)
    assert got.recipient_capabilities.mention_relay.kind == "inline"
    assert asked == [
        "AGENT slack:T1/UBOT",
        "AGENT slack:T1/A1",
        f"ONCE slack:message:T1/C1/{TS} A1",
        "CALL users.info U1",
        f"MESSAGE slack:T1/C1/{TS}",
        f"HISTORY slack:T1/C1/{TS}",
    ]


def test_the_sender_has_an_address_to_which_nobody_can_write():
    sender = message(mention()).sender
    assert (sender.address, sender.auth_method, sender.verified) == ("@U1@t1.slack.invalid", "none", False)
    assert sender.display_name == "Alice"


def test_raw_holds_ids_and_nothing_that_anybody_wrote():
    assert message(mention()).raw == {
        "platform": "slack",
        "type": "app_mention",
        "event_id": "Ev1",
        "team": "T1",
        "channel": "C1",
        "channel_type": None,
        "ts": TS,
        "thread_ts": None,
        "user": "U1",
        "bot": None,
    }


def test_a_message_to_the_app_alone_needs_no_mention():
    got = message(said("hi"))
    assert (got.parts[0].content, got.parts[0].mime, got.thread_id) == ("hi", "text/plain", f"slack:T1/D1/{TS}")


@pytest.mark.parametrize("kind", ["channel", "group", "mpim", "app_home", None, 7])
def test_in_channels_the_agent_hears_what_mentions_it(kind):
    event = said("hello", channel="C1", channel_type=kind)
    assert code(event) == "unsupported-event"
    assert message({**event, "text": "hey <@UBOT>"}).parts[0].content == "hey <@UBOT>"
    assert message({**event, "text": "hey <@UBOT|helper>"}).parts
    assert message(event, settings=EVERYTHING).parts[0].content == "hello"


@pytest.mark.parametrize("subtype", ["file_share", "me_message", "thread_broadcast"])
def test_ways_to_say_something_are_messages(subtype):
    assert message(said(subtype=subtype)).parts[0].content == "hello"


@pytest.mark.parametrize(
    "event",
    [
        said(subtype="message_changed"),
        said(subtype="message_deleted"),
        said(subtype="channel_join"),
        said(subtype="channel_topic"),
        said(subtype={}),
        said(hidden=True),
        without(said(), "user"),
        said(user="u1"),
        said(type="reaction_added"),
        said(type="app_home_opened"),
        said(""),
        said(" \n"),
        without(said(), "text"),
    ],
)
def test_what_says_nothing_is_no_message(event):
    assert code(event) == "unsupported-event"


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (without(said(), "channel"), "missing-member"),
        (said(channel="xoxb-1"), "malformed"),
        (said(channel=7), "malformed"),
        (without(said(), "ts"), "missing-member"),
        (said(ts="1.5"), "malformed"),
        (said(ts="999999999999.000000"), "malformed"),
        (said(thread_ts="now"), "malformed"),
        (said(text=7), "wrong-type"),
        (said(text="\ud800"), "lone-surrogate"),
        ([], "wrong-type"),
        (None, "wrong-type"),
    ],
)
def test_an_event_that_is_broken_is_rejected(event, expected):
    assert code(event) == expected


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"type": "app_rate_limited"}, "unsupported-event"),
        ({"type": None}, "unsupported-event"),
        ({"team_id": None}, "missing-member"),
        ({"team_id": "xoxb"}, "malformed"),
        ({"event_id": None}, "missing-member"),
        ({"event_id": "Ev 1"}, "malformed"),
    ],
)
def test_an_envelope_that_is_broken_is_rejected(more, expected):
    assert code(said(), more=more) == expected


@pytest.mark.parametrize(
    "own",
    [
        {"user": "UBOT"},
        {"bot_id": "B1", "app_id": "A1"},
        {"bot_id": "B1", "bot_profile": {"app_id": "A1"}, "subtype": "bot_message"},
    ],
)
def test_what_the_app_said_itself_never_comes_back(own):
    found, asked = receive(event_unit(said("<@UBOT> me", **own)))
    assert (found.code, found.http_status, asked) == ("own-message", 202, [])


def test_another_program_is_heard_when_it_mentions_the_agent():
    other = {"bot_id": "B2", "app_id": "A2"}
    assert code(said("hi", **other)) == "unsupported-event"
    assert code(said("hi", channel="C1", **other), settings=EVERYTHING) == "unsupported-event"
    found = outcome(event_unit(without(mention("<@UBOT> hi", subtype="bot_message", **other), "user", "team")))
    assert found.message.sender.address == "@B2@t1.slack.invalid"
    assert found.message.sender.identities is None
    assert notes(found) == ["loop-risk", "evidence-withheld"]


def test_the_account_of_a_program_gets_no_evidence():
    found = outcome(event_unit(mention(bot_id="B2")))
    assert (found.message.sender.address, found.identities) == ("@U1@t1.slack.invalid", ())


def test_a_reply_in_a_thread_names_what_it_answers():
    root = "1795294400.000001"
    world = {"CALL conversations.replies C1": {"ok": True, "messages": []}}
    got = message(mention(thread_ts=root), world=world)
    assert (got.thread_id, got.in_reply_to) == (f"slack:T1/C1/{root}", f"slack:T1/C1/{root}")
    known = {"id": "m0", "thread_id": "slack:T1/C1/0", "sender": "@U1@t1.slack.invalid"}
    got = message(mention(thread_ts=root), world={**world, f"MESSAGE slack:T1/C1/{root}": known})
    assert (got.thread_id, got.in_reply_to) == ("slack:T1/C1/0", "m0")


def test_the_first_message_of_a_thread_answers_nothing():
    got = message(mention(thread_ts=TS))
    assert (got.thread_id, got.in_reply_to, got.history) == (f"slack:T1/C1/{TS}", None, None)


def test_a_retry_of_slack_is_a_redelivery():
    known = {f"MESSAGE slack:T1/C1/{TS}": {"id": "m1", "thread_id": "t1", "sender": "@U1@t1.slack.invalid"}}
    found = outcome(event_unit(mention()), world=known)
    assert (found.message.id, notes(found)) == ("m1", ["redelivered"])


def test_a_message_counts_once_whichever_event_brings_it():
    once: dict[str, str] = {}
    world = Answers(
        find_agent=lambda ask: AGENT,
        find_message=lambda ask: None,
        call_api=lambda ask: {"ok": False},
        use_once=remembering(once),
    )

    def run(event, **more):
        flow = slack.receive(event_unit(event, **more), now=NOW, entropy=bytes(32), settings=SETTINGS)
        found = drive(flow, world)
        return found.code if isinstance(found, Rejected) else "again" if found.redelivered else "received"

    assert run(mention()) == "received"
    assert run(mention()) == "again"
    assert run(said("<@UBOT> hello", channel="C1"), event_id="Ev2") == "unsupported-event"
    assert run(mention(ts="1795294500.000200"), event_id="Ev3") == "received"


def test_without_the_store_nothing_is_minted():
    found = outcome(event_unit(mention()), world={f"ONCE slack:message:T1/C1/{TS} A1": {"failed": "no store"}})
    assert (found.code, found.temporary) == ("lookup-failed", True)


def test_the_store_is_asked_to_remember_for_more_than_a_day():
    flow = slack.receive(event_unit(mention()), now=NOW, entropy=bytes(32), settings=SETTINGS, recipient=AGENT)
    (ask,) = next(flow)
    assert (ask.key, ask.binding, (ask.until - NOW).total_seconds()) == (
        f"slack:message:T1/C1/{TS} A1 {AGENT}",
        "slack:Ev1",
        25 * 3600,
    )


def test_nobody_is_asked_for_whom_it_is_when_the_caller_knows():
    found, asked = receive(event_unit(mention()), recipient="@other@agents.example")
    assert found.message.recipient == "@other@agents.example"
    assert not [row for row in asked if row.startswith("AGENT")]
    assert found.message.parts[0].extra["mentions"] == {"<@UBOT>": "other"}


def test_an_app_without_an_agent_is_not_served():
    nobody = {"AGENT slack:T1/UBOT": None, "AGENT slack:T1/A1": None}
    assert outcome(event_unit(mention()), world=nobody).code == "no-served-recipient"


def test_the_app_names_the_agent_where_its_user_does_not():
    found, asked = receive(event_unit(mention(), authorizations=[{"user_id": "U1", "is_bot": False}, 7]))
    assert (found.message.recipient, asked[0]) == (AGENT, "AGENT slack:T1/A1")
    more = {"authorizations": None, "api_app_id": "?"}
    found, asked = receive(event_unit(mention(), **more), world={"AGENT slack:T1": AGENT})
    assert (found.message.recipient, asked[0]) == (AGENT, "AGENT slack:T1")
    assert found.message.parts[0].content == "<@UBOT> hello"


def test_a_chain_of_agents_passes_through():
    chain = AgentChain(hop=2, max_hops=3, is_final=False)
    assert message(mention(), agent_chain=chain).recipient_capabilities.agent_chain == chain


def test_people_who_are_mentioned_have_names():
    bob = {"CALL users.info U2": {"ok": True, "user": {"id": "U2", "team_id": "T1", "profile": {"real_name": "Bob"}}}}
    text = "<@U2> and <@U3|carol> and <@U2>"
    found, asked = receive(event_unit(said(text)), world=bob)
    part = found.message.parts[0]
    assert part.content == "<@U2> and <@U3> and <@U2>"
    assert part.extra["mentions"] == {"<@U2>": "Bob", "<@U3>": "carol"}
    assert [row for row in asked if row.startswith("CALL")] == [f"CALL users.info U{n}" for n in (1, 2, 3)]
    assert notes(found) == ["lookup-unanswered"]


def test_only_so_many_are_looked_up():
    text = " ".join(f"<@U{number}>" for number in range(2, 40))
    assert sum(row.startswith("CALL") for row in receive(event_unit(said(text)))[1]) == 11


def test_a_command_is_what_was_typed():
    found, asked = receive(command_unit())
    got = found.message
    assert got.parts[0].content == "/rain in **Seoul** & Busan"
    trigger = "13345224609.738474920.8088930838d88f008e0"
    assert (got.thread_id, found.native_id) == (f"slack:T1/C1/{trigger}",) * 2
    assert got.sender.identities[0].id == f"slack:{trigger}"
    assert asked[:2] == ["AGENT slack:T1/A1", f"ONCE slack:message:T1/C1/{trigger} A1"]
    assert (got.raw["type"], got.raw["ts"]) == ("command", None)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"trigger_id": "x"}, "malformed"),
        ({"team_id": ""}, "malformed"),
        ({"user_id": "alice"}, "malformed"),
        ({"channel_id": "general"}, "malformed"),
        ({"command": "rain"}, "unsupported-event"),
    ],
)
def test_a_command_that_is_broken_is_rejected(fields, expected):
    assert outcome(command_unit(**fields)).code == expected


def test_evidence_can_be_required():
    settings = slack.Settings(signing_secret=SECRET, issuer=ISSUER, require_verified=True)
    assert message(mention(), settings=settings).sender.identities
    found = outcome(
        event_unit(
            mention(),
        ),
        settings=settings,
        world={"CALL users.info U1": {"failed": "slow"}},
    )
    assert (found.code, found.temporary) == ("lookup-failed", True)
    found = outcome(event_unit(mention(team="T9")), settings=settings)
    assert (found.code, found.verdict.detail) == (
        "verification-required",
        "U1: Slack names another workspace than the event, or none",
    )


def test_the_same_inputs_give_the_same_message():
    assert message(mention()) == message(mention())


async def answered(ask):
    from mentionable.testing import LookupTable
    from tests.connectors.slack_workspace import WORLD

    return LookupTable(WORLD)(ask)


def test_the_door_runs_in_any_framework():
    flow = adrive(slack.receive(event_unit(mention()), now=NOW, entropy=bytes(32), settings=SETTINGS), answered)
    with pytest.raises(StopIteration) as stop:
        flow.send(None)
    assert stop.value.value.message.parts[0].content == "<@UBOT> hello"


@pytest.mark.parametrize(
    "facts",
    [
        {"now": NOW.replace(tzinfo=None)},
        {"entropy": b"short"},
        {"settings": None},
        {"agent_chain": 2},
        {"recipient": "helper"},
        {"unit": b"{}"},
    ],
    ids=lambda facts: next(iter(facts)),
)
def test_wrong_arguments_are_the_callers_fault(facts):
    known = {"unit": event_unit(mention()), "now": NOW, "entropy": bytes(32), "settings": SETTINGS}
    given = {**known, **facts}
    unit = given.pop("unit")
    with pytest.raises(UsageError):
        slack.receive(unit, **given)


def test_the_settings_of_other_rooms_are_none_of_slack():
    from mentionable import Settings

    with pytest.raises(UsageError, match=r"slack\.Settings"):
        slack.receive(
            HttpRequest(method="POST", url="https://a.example/"), now=NOW, entropy=bytes(32), settings=Settings()
        )


def test_an_odd_text_costs_no_block():
    blocks = [{"type": "section", "text": {"type": "plain_text", "text": "Will it rain?"}}]
    found = outcome(event_unit(mention(7, blocks=blocks)))
    assert [part.content for part in found.message.parts] == ["Will it rain?"]
    assert ("wrong-type", "/event/text") in [(one.code, one.at) for one in found.diagnostics]


def test_a_program_that_edits_by_its_account_and_is_named_by_its_id_is_heard():
    edited = {"user": "U7", "ts": "1795294501.000000"}
    now = {**mention(), "type": "message", "user": None, "bot_id": "B7", "edited": edited}
    event = {"type": "message", "subtype": "message_changed", "channel": "C1", "message": now}
    found = outcome(event_unit(event))
    assert (found.type, found.identities) == ("edited", ())
