"""Edits, deletions and reactions in Slack: events with what is stored of the message, and no message."""

from __future__ import annotations

import pytest

from mentionable import Received, Rejected, StoredMessage, TextPart, replace
from mentionable._model.content_digest import digest_of
from mentionable.connectors import ReceivedEvent
from tests.connectors.slack_workspace import (
    AGENT,
    SETTINGS,
    TS,
    code,
    event_unit,
    mention,
    notes,
    outcome,
    receive,
    said,
    user,
    without,
)

NATIVE = f"slack:T1/C1/{TS}"
ROW = {"id": "m1", "thread_id": NATIVE, "sender": "@U1@t1.slack.invalid"}
KNOWN = {f"MESSAGE {NATIVE}": ROW}
EDITED = {"user": "U1", "ts": "1795294501.000000"}


def changed(text="hello you", before="hello", edited=EDITED, **more):
    """A message in a channel that was edited."""
    return {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "channel": "C1",
        "channel_type": "channel",
        "ts": "1795294501.000100",
        "message": without({**mention(text), "type": "message", "edited": edited, **more}, "channel"),
        "previous_message": without({**mention(before), "type": "message"}, "channel"),
    }


def deleted(**more):
    event = {"type": "message", "subtype": "message_deleted", "hidden": True, "channel": "C1", "deleted_ts": TS}
    return {**event, "previous_message": mention(), **more}


def reacted(**more):
    item = {"type": "message", "channel": "C1", "ts": TS}
    return {"type": "reaction_added", "user": "U1", "reaction": "thumbsup", "item": item, **more}


def event(unit, world=KNOWN, **facts):
    found = outcome(event_unit(unit), world=world, **facts)
    assert isinstance(found, ReceivedEvent)
    return found


def test_an_edit_has_the_new_words_and_the_old_ones():
    got = event(changed())
    assert (got.type, got.object_id, got.recipients) == ("edited", NATIVE, (AGENT,))
    assert [part.content for part in got.parts] == ["hello you"]
    assert [part.content for part in got.previous] == ["hello"]
    assert got.stored == {NATIVE: StoredMessage(**ROW)}
    assert (got.actor.display_name, got.identities[0].subject, got.redelivered) == ("Alice", "slack:T1/U1", False)


def test_an_edit_is_stored_with_the_digest_of_its_words():
    got = event(changed())
    assert got.to_store == {(NATIVE, AGENT): StoredMessage(**ROW, digest=digest_of(got.parts))}
    assert got.to_store[(NATIVE, AGENT)].replaces(got.stored[NATIVE])
    assert event(deleted()).to_store == {}


def test_an_edit_that_says_the_same_is_told():
    row = {**ROW, "digest": digest_of((TextPart(content="hello you"),))}
    assert notes(event(changed(), world={f"MESSAGE {NATIVE}": row})) == ["edit-unchanged"]


def test_an_edit_of_what_another_account_wrote_is_rejected():
    row = {**ROW, "sender": "@U2@t1.slack.invalid"}
    assert code(changed(), world={f"MESSAGE {NATIVE}": row}) == "owner-mismatch"
    assert code(changed(edited={**EDITED, "user": "U2"})) == "owner-mismatch"


def test_an_author_of_whom_slack_names_no_workspace_is_the_same():
    row = {**ROW, "sender": "@U1@unknown.slack.invalid"}
    assert event(changed(), world={f"MESSAGE {NATIVE}": row}).stored
    row = {**ROW, "sender": "@U1@elsewhere.example"}
    assert code(changed(), world={f"MESSAGE {NATIVE}": row}) == "owner-mismatch"


@pytest.mark.parametrize("edited", [None, {}])
def test_a_link_that_slack_shows_is_no_edit(edited):
    assert code(changed(edited=edited)) == "unsupported-event"


def test_a_link_that_slack_shows_in_an_edited_message_is_no_edit():
    unit = changed()
    unit["previous_message"]["edited"] = EDITED
    assert code(unit) == "unsupported-event"


def test_an_edit_of_a_message_that_is_not_stored_looks_nobody_up():
    found, asked = receive(event_unit(changed()))
    assert isinstance(found, ReceivedEvent)
    assert (found.stored, found.identities, notes(found)) == ({}, (), ["evidence-withheld"])
    assert not any(ask.startswith("CALL") for ask in asked)
    strict = replace(SETTINGS, require_verified=True)
    assert code(changed(), settings=strict) == "verification-required"


def test_an_edit_does_not_ask_for_the_thread():
    _, asked = receive(event_unit(changed(thread_ts="1795294400.000001")), world=KNOWN)
    assert [ask for ask in asked if ask.startswith("CALL")] == ["CALL users.info U1"]


def test_an_edit_may_be_required_to_be_by_a_member():
    strict = replace(SETTINGS, require_verified=True)
    assert event(changed(), settings=strict).identities
    guest = {**KNOWN, **user(is_restricted=True)}
    assert code(changed(), world=guest, settings=strict) == "verification-required"
    away = {**KNOWN, "CALL users.info U1": {"failed": "away", "temporary": True}}
    assert code(changed(), world=away, settings=strict) == "lookup-failed"


def test_an_edit_that_mentions_the_agent_for_the_first_time_is_a_message():
    got = outcome(event_unit(changed("<@UBOT> hello")))
    assert isinstance(got, Received)
    assert (got.native_id, got.message.parts[0].content) == (NATIVE, "<@UBOT> hello")


def test_an_edit_that_mentions_the_agent_as_before_is_an_edit():
    assert event(changed("<@UBOT> hello", "<@UBOT> hi")).type == "edited"


def test_an_edit_that_mentions_the_agent_in_a_message_that_it_has_is_an_edit():
    once = {f"ONCE slack:message:T1/C1/{TS} A1": "other"}
    assert event(changed("<@UBOT> hello"), world={**KNOWN, **once}).type == "edited"
    assert event(changed("<@UBOT> hello")).type == "edited"  # the claim was forgotten, the row was not


def test_an_edit_whose_former_words_are_not_told_is_an_edit():
    got = event(without(changed("<@UBOT> hello"), "previous_message"))
    assert (got.type, got.previous) == ("edited", ())


def test_an_edit_of_the_agents_own_message_is_its_own():
    assert code(changed(user="UBOT", edited={**EDITED, "user": "UBOT"})) == "own-message"


def test_an_edit_by_a_program_has_no_evidence():
    bot = {"user": None, "bot_id": "B2", "app_id": "A2", "edited": {"user": "U9", "ts": EDITED["ts"]}}
    row = {**ROW, "sender": "@B2@t1.slack.invalid"}
    got = event(changed(**bot), world={f"MESSAGE {NATIVE}": row})
    assert (got.identities, notes(got)) == ((), ["loop-risk", "evidence-withheld"])


def test_a_deletion_names_nobody_who_did_it():
    got = event(deleted())
    assert (got.type, got.object_id, got.actor, got.parts) == ("deleted", NATIVE, None, ())
    assert got.stored[NATIVE].id == "m1"
    assert event(deleted(), settings=replace(SETTINGS, require_verified=True)).type == "deleted"


def test_a_deleted_message_with_answers_is_a_deletion():
    got = event(changed("This message was deleted.", subtype="tombstone", edited=None))
    assert (got.type, got.object_id) == ("deleted", NATIVE)


@pytest.mark.parametrize(
    ("type", "expected"), [("reaction_added", "reaction-added"), ("reaction_removed", "reaction-removed")]
)
def test_a_reaction_is_an_emoji_on_a_message(type, expected):
    got = event(reacted(type=type))
    assert (got.type, got.content, got.object_id) == (expected, ":thumbsup:", NATIVE)
    assert (got.actor.display_name, got.identities[0].id, got.parts) == ("Alice", "slack:Ev1", ())
    assert got.raw == {
        "platform": "slack",
        "type": expected,
        "event_id": "Ev1",
        "team": "T1",
        "channel": "C1",
        "ts": TS,
        "user": "U1",
    }


def test_whoever_may_react_to_what_another_wrote():
    row = {**ROW, "sender": AGENT, "auth_method": "own"}
    assert event(reacted(), world={f"MESSAGE {NATIVE}": row}).stored


def test_a_reaction_of_the_agent_is_its_own():
    assert code(reacted(user="UBOT")) == "own-message"


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (reacted(item={"type": "file", "file": "F1"}), "unsupported-event"),
        (reacted(item=None), "unsupported-event"),
        (reacted(item={"type": "message", "channel": "C1"}), "missing-member"),
        (reacted(item={"type": "message", "channel": "C1", "ts": "x"}), "malformed"),
        (reacted(user=None), "missing-member"),
        (reacted(reaction=""), "malformed"),
        (reacted(reaction="x" * 129), "malformed"),
        (deleted(deleted_ts="x"), "malformed"),
        (without(deleted(), "deleted_ts"), "unsupported-event"),
        (without(changed(), "message"), "unsupported-event"),
        ({**changed(), "message": {}}, "missing-member"),
        (said(subtype="message_replied"), "unsupported-event"),
        ({"type": "app_home_opened", "user": "U1"}, "unsupported-event"),
    ],
)
def test_an_event_that_is_broken_is_rejected(unit, expected):
    assert code(unit, world=KNOWN) == expected


def test_an_event_counts_by_its_own_id():
    _, asked = receive(event_unit(reacted()), world=KNOWN)
    assert "ONCE slack:event:Ev1 A1" in asked
    assert event(reacted(), world={**KNOWN, "ONCE slack:event:Ev1 A1": "same"}).redelivered
    assert code(reacted(), world={"ONCE slack:event:Ev1 A1": "other"}) == "replayed"


def test_an_event_waits_where_the_store_cannot_be_asked():
    found = outcome(event_unit(deleted()), world={"MESSAGE *": {"failed": "away"}})
    assert isinstance(found, Rejected)
    assert (found.code, found.temporary) == ("lookup-failed", True)
