"""Stage one of two: what is claimed, what a queue holds of it, and that stage two makes the same message."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from mentionable import (
    Answers,
    Failed,
    Handshake,
    LinkPart,
    Received,
    Rejected,
    SigningKey,
    UsageError,
    UseOnce,
    decode_trusted,
    drive,
    dumps,
    replace,
)
from mentionable.connectors import (
    Account,
    Claimed,
    EventClaim,
    PlatformChange,
    PlatformEvent,
    ReceiveContext,
    Retry,
    account_address,
    bluebubbles,
    claim_event,
    deliver_change,
    deliver_event,
    discord,
    slack,
)
from mentionable.testing import LookupTable
from tests.connectors import bluebubbles_events as bb
from tests.connectors import discord_events as dc
from tests.connectors import slack_workspace as sl
from tests.used import remembering

NOW, AGENT = sl.NOW, sl.AGENT
CALLS = {"find_agent": lambda ask: AGENT, "find_message": lambda ask: None}
CONNECTORS = {
    "slack": (slack, sl.event_unit(sl.mention()), sl.SETTINGS),
    "slack-command": (slack, sl.command_unit(), sl.SETTINGS),
    "discord": (discord, dc.signed(dc.interaction()), dc.SETTINGS),
    "discord-gateway": (discord, {"t": "MESSAGE_CREATE", "d": dc.message()}, dc.SETTINGS),
    "bluebubbles": (bluebubbles, bb.posted(bb.told()), bb.SETTINGS),
}


def answers(**more):
    return Answers(
        **{**CALLS, "use_once": remembering({}), "call_api": lambda ask: {"ok": True, "user": sl.ALICE}, **more}
    )


def claimed(module, unit, settings, *, once=None, **facts):
    flow = module.claim(unit, now=NOW, settings=settings, **facts)
    return drive(flow, Answers(use_once=remembering({} if once is None else once)))


@pytest.mark.parametrize("name", CONNECTORS)
def test_a_claim_is_one_ask(name):
    module, unit, settings = CONNECTORS[name]
    flow = module.claim(unit, now=NOW, settings=settings)
    batch = next(flow)
    assert [type(ask) for ask in batch] == [UseOnce]
    with pytest.raises(StopIteration) as stop:
        flow.send(("first",))
    assert (stop.value.value.key, stop.value.value.is_new) == (batch[0].key, True)


@pytest.mark.parametrize("name", CONNECTORS)
def test_both_stages_make_what_one_makes(name):
    module, unit, settings = CONNECTORS[name]
    facts = {"now": NOW, "entropy": bytes(32), "settings": settings}
    once = drive(module.receive(unit, **facts), answers())
    row = dumps(claimed(module, unit, settings))
    later = drive(module.complete(decode_trusted(Claimed, row), **facts), answers(use_once=None))
    assert isinstance(later, Received)
    assert later == once


@pytest.mark.parametrize("name", CONNECTORS)
def test_an_event_that_was_claimed_here_is_completed_as_it_was_read(name):
    module, unit, settings = CONNECTORS[name]
    got, facts = claimed(module, unit, settings), {"now": NOW, "entropy": bytes(32)}
    at_once = drive(module.complete(got, settings=settings, **facts), answers())
    assert at_once == drive(module.complete(got, settings=replace(settings), **facts), answers())
    assert at_once == drive(module.complete(got, settings=settings, **facts), answers())


@pytest.mark.parametrize("name", CONNECTORS)
def test_a_claimed_event_is_read_back_as_it_was(name):
    got = claimed(*CONNECTORS[name])
    assert decode_trusted(Claimed, dumps(got)) == got
    assert hash(got) == hash(decode_trusted(Claimed, dumps(got)))


@pytest.mark.parametrize("name", CONNECTORS)
def test_a_second_delivery_is_not_new(name):
    once: dict[str, str] = {}
    first, second = claimed(*CONNECTORS[name], once=once), claimed(*CONNECTORS[name], once=once)
    assert (first.is_new, second.is_new, first.key == second.key) == (True, False, True)
    module, _, settings = CONNECTORS[name]
    again = drive(module.complete(second, now=NOW, entropy=bytes(32), settings=settings), answers())
    assert again.redelivered == (again.message,)


@pytest.mark.parametrize("name", CONNECTORS)
def test_a_store_that_cannot_be_asked_claims_nothing(name):
    module, unit, settings = CONNECTORS[name]
    got = drive(module.claim(unit, now=NOW, settings=settings), Answers(use_once=lambda ask: Failed("away")))
    assert (got.code, got.http_status) == ("lookup-failed", 503)


@pytest.mark.parametrize("name", CONNECTORS)
def test_the_agent_that_claim_was_given_counts_later(name):
    module, unit, settings = CONNECTORS[name]
    got = claimed(module, unit, settings, recipient="@other@agents.example")
    assert got.key.endswith(" @other@agents.example")
    flow = module.complete(got, now=NOW, entropy=bytes(32), settings=settings)
    assert drive(flow, answers(find_agent=lambda ask: pytest.fail("asked"))).message.recipient == got.recipient


@pytest.mark.parametrize("name", CONNECTORS)
def test_what_cannot_be_looked_up_now_is_completed_later(name):
    module, unit, settings = CONNECTORS[name]
    got, facts = claimed(module, unit, settings), {"now": NOW, "entropy": bytes(32), "settings": settings}
    away = drive(module.complete(got, **facts), answers(find_agent=lambda ask: Failed("away")))
    assert (away.code, away.temporary) == ("lookup-failed", True)
    assert not drive(module.complete(got, **facts), answers()).redelivered


@pytest.mark.parametrize("name", CONNECTORS)
def test_an_event_of_another_connector_is_a_mistake_of_the_program(name):
    module, unit, settings = CONNECTORS[name]
    got = replace(claimed(module, unit, settings), platform="tavern")
    for wrong in (got, None):
        with pytest.raises(UsageError, match="claimed must be"):
            module.complete(wrong, now=NOW, entropy=bytes(32), settings=settings)


@pytest.mark.parametrize("name", CONNECTORS)
def test_a_row_that_was_changed_ends_in_a_rejection(name):
    module, unit, settings = CONNECTORS[name]
    for document in ({}, {"event": 1}, {"command": 1}, {"interaction": 1}, {"event": {"type": "url_verification"}}):
        got = replace(claimed(module, unit, settings), document=document)
        outcome = drive(module.complete(got, now=NOW, entropy=bytes(32), settings=settings), answers())
        assert isinstance(outcome, Rejected)


def test_a_handshake_in_a_row_is_no_event():
    got = replace(claimed(*CONNECTORS["slack"]), document={"command": {"ssl_check": "1"}})
    outcome = drive(slack.complete(got, now=NOW, entropy=bytes(32), settings=sl.SETTINGS), answers())
    assert outcome.code == "unsupported-event"


@pytest.mark.parametrize(
    ("module", "unit", "settings"),
    [
        (slack, sl.request(b"{}", signature="v0=" + "0" * 64), sl.SETTINGS),
        (discord, dc.signed(dc.interaction(), key=SigningKey.from_seed(bytes(32), key_id="x")), dc.SETTINGS),
        (bluebubbles, bb.posted(bb.told(), query="?secret=another-secret-of-that-server"), bb.SETTINGS),
    ],
)
def test_nothing_of_an_unverified_request_is_claimed(module, unit, settings):
    got = drive(module.claim(unit, now=NOW, settings=settings), Answers(use_once=lambda ask: pytest.fail("asked")))
    assert got.code == "request-unverified"


@pytest.mark.parametrize(
    ("module", "unit", "settings"),
    [
        (slack, sl.request(json.dumps({"type": "url_verification", "challenge": "abc"})), sl.SETTINGS),
        (discord, dc.signed({"type": 1}), dc.SETTINGS),
    ],
)
def test_a_handshake_is_answered_and_not_claimed(module, unit, settings):
    assert isinstance(claimed(module, unit, settings), Handshake)


@pytest.mark.parametrize(
    ("module", "unit", "settings"),
    [
        (slack, sl.event_unit(sl.said(user="UBOT")), sl.SETTINGS),
        (discord, {"t": "MESSAGE_CREATE", "d": dc.message(author={"id": dc.APP})}, dc.SETTINGS),
        (bluebubbles, bb.posted(bb.told(isFromMe=True)), bb.SETTINGS),
    ],
)
def test_what_the_agent_said_itself_is_not_claimed(module, unit, settings):
    assert claimed(module, unit, settings).code == "own-message"


def test_a_claimed_event_holds_no_credential():
    files = [{"id": "F1", "url_private": "https://files.example/canary", "permalink_public": "https://canary.example/"}]
    units = (
        (slack, sl.event_unit(sl.mention(files=files), token="canary"), sl.SETTINGS),
        (slack, sl.event_unit(sl.mention(), bot_access_token="xwfp-canary"), sl.SETTINGS),
        (slack, sl.command_unit(token="canary", response_url="https://hooks.slack.example/canary"), sl.SETTINGS),
        (discord, dc.signed(dc.interaction(token="canary")), dc.SETTINGS),
        (
            discord,
            {
                "t": "MESSAGE_CREATE",
                "d": dc.message(attachments=[{"id": "8", "filename": "a.png", "url": "https://canary.example/"}]),
            },
            dc.SETTINGS,
        ),
    )
    for unit in units:
        assert b"canary" not in dumps(claimed(*unit))


def test_a_claimed_event_opens_no_picture_of_discord():
    picture = {"url": "https://cdn.discordapp.com/canary", "proxy_url": "https://media.discordapp.net/canary"}
    icons = {"name": "a", "icon_url": "https://canary.example/", "proxy_icon_url": "https://canary.example/"}
    embed = {"type": "rich", "title": "rain", "author": icons, "footer": icons, "image": picture, "thumbnail": picture}
    shown = [{"type": 12, "items": [{"media": picture}]}, {"type": 13, "file": {"url": picture["url"]}}]
    event = {"t": "MESSAGE_CREATE", "d": dc.message(embeds=[embed], components=shown)}
    row = dumps(claimed(discord, event, dc.SETTINGS))
    assert b"canary" not in row
    assert b"rain" in row


def test_a_claimed_embed_keeps_its_link_where_its_type_is_missing():
    embeds = [{"url": "https://news.example/"}, {"url": "https://news.example/2", "title": "Rain"}]
    event = {"t": "MESSAGE_CREATE", "d": dc.message(embeds=embeds)}
    facts = {"now": NOW, "entropy": bytes(32), "settings": dc.SETTINGS}
    kept = decode_trusted(Claimed, dumps(claimed(discord, event, dc.SETTINGS)))
    later = drive(discord.complete(kept, **facts), answers()).message
    assert later == drive(discord.receive(event, **facts), answers()).message
    assert sum(isinstance(part, LinkPart) for part in later.parts) == 2


def test_two_apps_that_share_a_store_take_nothing_from_each_other():
    once: dict[str, str] = {}
    first = claimed(slack, sl.event_unit(sl.mention()), sl.SETTINGS, once=once)
    second = claimed(slack, sl.event_unit(sl.mention(), api_app_id="A2", event_id="Ev2"), sl.SETTINGS, once=once)
    assert (first.is_new, second.is_new) == (True, True)


def test_an_app_without_an_id_is_known_by_its_user_or_not_at_all():
    user = claimed(slack, sl.event_unit(sl.mention(), api_app_id=None), sl.SETTINGS)
    none = claimed(slack, sl.event_unit(sl.said(), api_app_id=None, authorizations=[]), sl.SETTINGS)
    assert user.key == f"slack:message:T1/C1/{sl.TS} UBOT"
    assert none.key == f"slack:message:T1/D1/{sl.TS}"


def test_a_mention_that_comes_as_two_events_is_claimed_once():
    once: dict[str, str] = {}
    first = claimed(slack, sl.event_unit(sl.mention()), sl.SETTINGS, once=once)
    second = sl.event_unit(sl.said("<@UBOT> hello", channel="C1", channel_type="channel"), event_id="Ev2")
    assert first.is_new
    assert claimed(slack, second, sl.SETTINGS, once=once).code == "unsupported-event"


def test_slack_wants_an_empty_answer():
    response = claimed(*CONNECTORS["slack"]).response
    assert (response.status, response.body) == (200, b"")


def test_discord_is_told_that_the_answer_comes_later():
    response = claimed(*CONNECTORS["discord"]).response
    assert (response.status, response.body, response.header("content-type")) == (200, b'{"type":5}', "application/json")
    assert response == discord.defer()


def test_the_gateway_wants_no_answer():
    assert claimed(*CONNECTORS["discord-gateway"]).answer is None


@pytest.mark.parametrize(
    ("number", "reason", "retry"),
    [
        ("1", "http_timeout", Retry(number=1, reason="http_timeout")),
        ("3", "Some words!", Retry(number=3)),
        ("3", None, Retry(number=3)),
        ("x", "http_timeout", None),
        (None, None, None),
    ],
)
def test_what_slack_says_of_a_retry_is_told(number, reason, retry):
    headers = {"retry_num": number, "retry_reason": reason}
    body = json.dumps(sl.envelope(sl.mention()))
    got = claimed(slack, sl.request(body, **headers), sl.SETTINGS)
    assert got.retry == retry
    assert got.is_new  # whatever the header says: it is not signed


@pytest.mark.parametrize("name", CONNECTORS)
def test_wrong_arguments_of_claim_are_mistakes_of_the_program(name):
    module, unit, settings = CONNECTORS[name]
    facts = {"now": NOW, "settings": settings}
    for wrong in ({"now": NOW.replace(tzinfo=None)}, {"settings": None}, {"recipient": "helper"}):
        with pytest.raises(UsageError):
            module.claim(unit, **{**facts, **wrong})
    with pytest.raises(UsageError):
        module.claim(b"", **facts)


# -- for a connector of one's own

CLAIM = EventClaim(type="message", event_id="tavern:9", native_id="tavern:5/17/9", app="tavern:5")
EVENT = PlatformEvent(
    event_id="tavern:9",
    native_id="tavern:5/17/9",
    thread_id="tavern:5/17",
    account=Account(
        platform="tavern",
        address=account_address("42", "house5", "tavern"),
        subject="tavern:5/42",
        method="urn:mentionable:auth:tavern-guest:v0.1",
    ),
    parts=(),
    raw=dict,
)


def context(**facts):
    from mentionable import Settings

    return ReceiveContext(now=NOW, entropy=bytes(32), settings=Settings(), recipient=AGENT, **facts)


def test_an_event_of_ones_own_connector_is_claimed_and_delivered():
    from mentionable import TextPart

    once: dict[str, str] = {}
    flow = claim_event(CLAIM, document={"text": "Hi"}, now=NOW, recipient=AGENT)
    got = drive(flow, Answers(use_once=remembering(once)))
    assert once == {f"tavern:message:5/17/9 tavern:5 {AGENT}": "tavern:9"}
    assert (got.platform, got.document) == ("tavern", {"text": "Hi"})
    event = replace(EVENT, parts=(TextPart(content=got.document["text"]),))
    delivered = drive(deliver_event(event, context(), claimed=got), Answers())
    assert (delivered.message.parts[0].content, delivered.redelivered) == ("Hi", ())


def test_a_claim_of_ones_own_connector_may_fail():
    flow = claim_event(CLAIM, document={}, now=NOW)
    assert drive(flow, Answers(use_once=lambda ask: "other")).code == "unsupported-event"
    event = replace(CLAIM, type="edited")
    flow = claim_event(event, document={}, now=NOW)
    assert drive(flow, Answers(use_once=lambda ask: "other")).code == "replayed"


def test_a_claim_of_the_wrong_kind_is_a_mistake_of_the_program():
    with pytest.raises(UsageError):
        claim_event(None, document={}, now=NOW)
    with pytest.raises(UsageError):
        claim_event(CLAIM, document={}, now=NOW.replace(tzinfo=None))
    with pytest.raises(UsageError):
        claim_event(CLAIM, document={"a": object()}, now=NOW)
    with pytest.raises(UsageError):
        claim_event(CLAIM, document={}, now=NOW, recipient="helper")


CHANGE = PlatformChange(type="deleted", event_id="tavern:10", object_ids=("tavern:5/17/9",), raw=dict)


def test_an_event_that_names_no_message_is_rejected():
    for claimed in (None, drive(claim_event(CLAIM, document={}, now=NOW), Answers(use_once=lambda ask: "first"))):
        flow = deliver_change(replace(CHANGE, object_ids=()), context(), claimed=claimed)
        assert drive(flow, Answers()).code == "unsupported-event"


def test_what_happened_to_a_message_of_ones_own_connector_counts_once():
    once: dict[str, str] = {}
    table = Answers(use_once=remembering(once), find_agent=lambda ask: AGENT)
    bare = replace(context(), recipient=None)
    first = drive(deliver_change(CHANGE, bare, candidates=("tavern:5",)), table)
    again = drive(deliver_change(CHANGE, bare, candidates=("tavern:5",)), table)
    assert (first.redelivered, again.redelivered) == (False, True)
    assert once == {"tavern:event:10 tavern:5": "tavern:5/17/9"}
    assert drive(deliver_change(CHANGE, context()), table).recipients == (AGENT,)


@pytest.mark.parametrize(("deliver", "event"), [(deliver_event, EVENT), (deliver_change, CHANGE)])
def test_ones_own_connector_says_how_long_an_event_is_remembered(deliver, event):
    until = []
    answers = Answers(use_once=lambda ask: until.append(ask.until) or "first")
    drive(deliver(event, context()), answers)
    drive(deliver(event, context(), remember_for=timedelta(days=7)), answers)
    assert [time - NOW for time in until] == [timedelta(days=1), timedelta(days=7)]


@pytest.mark.parametrize(("named", "counts"), [(None, AGENT), ("@other@agents.example", "@other@agents.example")])
def test_the_agent_that_claim_event_was_given_counts_later(named, counts):
    from mentionable import TextPart

    flow = claim_event(CLAIM, document={}, now=NOW, recipient=AGENT)
    got, later = drive(flow, Answers(use_once=lambda ask: "first")), replace(context(), recipient=named)
    event = replace(EVENT, parts=(TextPart(content="Hi"),))
    assert drive(deliver_event(event, later, claimed=got), Answers()).message.recipient == counts
    assert drive(deliver_change(CHANGE, later, claimed=got), Answers()).recipient == counts


def test_what_was_claimed_before_is_not_claimed_again():
    got = drive(
        claim_event(replace(CLAIM, type="deleted", event_id="tavern:10"), document={}, now=NOW),
        Answers(use_once=lambda ask: "same"),
    )
    delivered = drive(deliver_change(CHANGE, context(), claimed=got), Answers())
    assert delivered.redelivered


def test_an_event_is_rejected_where_the_store_cannot_be_asked():
    table = LookupTable({"MESSAGE *": {"failed": "away"}})
    assert drive(deliver_change(CHANGE, context()), table).code == "lookup-failed"
