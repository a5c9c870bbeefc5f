"""Edits, deletions and reactions in Discord: events with what is stored of the message, and no message."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mentionable import Answers, Received, StoredMessage, decode_trusted, drive, dumps, replace
from mentionable.connectors import Claimed, ReceivedEvent, discord
from tests.connectors.discord_events import (
    AGENT,
    ALICE,
    APP,
    CHANNEL,
    EVENT,
    GUILD,
    MEMBER,
    NOW,
    OTHER,
    SETTINGS,
    USER,
    codes,
    direct,
    message,
    received,
    signed,
    world,
)

NATIVE = f"discord:{CHANNEL}/{EVENT}"
ROW = StoredMessage(id="m1", thread_id="t", sender=f"@{USER}@{GUILD}.discord.invalid")
EDITED = "2026-11-21T20:55:00.000000+00:00"
PLACE = {"channel_id": CHANNEL, "guild_id": GUILD}


def dispatch(name, data, **more):
    return {"op": 0, "t": name, "d": data, "s": 7, **more}


def updated(content="Hi", **changes):
    return dispatch("MESSAGE_UPDATE", message(content, edited_timestamp=EDITED, mentions=[], **changes))


def reaction(name="ADD", **changes):
    data = {**PLACE, "message_id": EVENT, "user_id": USER, "emoji": {"id": None, "name": "👍"}, **changes}
    return dispatch(f"MESSAGE_REACTION_{name}", {name: one for name, one in data.items() if one is not None})


def known(ask):
    return ROW if ask.native_id == NATIVE else None


def event(unit, **facts):
    got = received(unit, **{"find_message": known, **facts})
    assert isinstance(got, ReceivedEvent)
    return got


def test_an_edit_has_the_new_words():
    got = event(updated("Hi there"))
    assert (got.type, got.object_ids, got.recipient) == ("edited", (NATIVE,), AGENT)
    assert ([part.content for part in got.parts], got.previous) == (["Hi there"], ())
    assert (got.actor.display_name, got.identities[0].subject) == ("Al", f"discord:{GUILD}/{USER}")
    assert (got.stored, got.id) == ({NATIVE: ROW}, f"discord:{CHANNEL}/{EVENT}/edited/{EDITED}")


def test_an_edit_by_another_account_is_rejected():
    got = received(updated(author={"id": "43"}), find_message=known)
    assert got.code == "owner-mismatch"


@pytest.mark.parametrize(
    "changes", [{"edited_timestamp": None}, {"edited_timestamp": "x\n"}, {"content": None}, {"author": None}]
)
def test_what_no_person_edited_is_no_edit(changes):
    data = {name: one for name, one in {**updated()["d"], **changes}.items() if one is not None}
    assert received(dispatch("MESSAGE_UPDATE", data)).code == "unsupported-event"


def test_an_edit_by_the_agents_own_bot_is_its_own():
    assert received(updated(author={"id": APP, "bot": True})).code == "own-message"


def test_an_edit_by_a_program_has_no_evidence():
    row = replace(ROW, sender=f"@43@{GUILD}.discord.invalid")
    got = event(updated(author={"id": "43", "bot": True}), find_message=lambda ask: row)
    assert (got.identities, codes(got)) == ((), ["loop-risk", "evidence-withheld"])


FRESH = str(int((NOW - datetime(2015, 1, 1, tzinfo=UTC)).total_seconds() - 60) * 1000 << 22)
FRESH_ROW = {f"discord:{CHANNEL}/{FRESH}": ROW}


def mentioning(**changes):
    return dispatch("MESSAGE_UPDATE", message("Hi <@700>", **{"id": FRESH, "edited_timestamp": EDITED, **changes}))


def test_an_edit_that_mentions_the_agent_for_the_first_time_is_a_message():
    got = received(mentioning(), find_message=lambda ask: None)
    assert isinstance(got, Received)
    assert got.native_id == f"discord:{CHANNEL}/{FRESH}"


def test_an_edit_that_mentions_the_agent_in_a_message_that_it_has_is_an_edit():
    rows = {"find_message": lambda ask: FRESH_ROW.get(ask.native_id)}
    assert event(mentioning(), use_once=lambda ask: "other", **rows).type == "edited"
    assert event(mentioning(), **rows).type == "edited"  # the claim was forgotten, the row was not


def test_an_edit_of_an_old_message_is_never_a_message():
    assert event(mentioning(id=EVENT), find_message=lambda ask: None).type == "edited"


def test_an_edit_of_a_direct_message_that_came_is_an_edit():
    unit = dispatch("MESSAGE_UPDATE", direct("Hi", id=FRESH, edited_timestamp=EDITED))
    assert event(unit, use_once=lambda ask: "other", find_message=lambda ask: None).type == "edited"


def test_an_edit_of_what_the_agent_hears_anyway_is_an_edit():
    everything = replace(SETTINGS, listen_to="everything")
    assert event(updated(id=FRESH), own=everything, use_once=lambda ask: "other").type == "edited"


def test_a_deletion_names_nobody_who_did_it():
    got = event(dispatch("MESSAGE_DELETE", {**PLACE, "id": EVENT}))
    assert (got.type, got.object_id, got.actor, got.stored) == ("deleted", NATIVE, None, {NATIVE: ROW})


def test_many_messages_may_be_deleted_at_once():
    got = event(dispatch("MESSAGE_DELETE_BULK", {**PLACE, "ids": [OTHER, EVENT, "x"]}))
    assert got.object_ids == (f"discord:{CHANNEL}/{OTHER}", NATIVE)
    assert got.stored == {NATIVE: ROW}
    assert got.raw == {
        "platform": "discord",
        "kind": "deleted",
        "ids": [OTHER, EVENT],
        "channel_id": CHANNEL,
        "guild_id": GUILD,
    }


def test_more_deletions_than_discord_makes_at_once_are_not_asked_for():
    ids = [str(number) for number in range(1, 1000)]
    assert len(event(dispatch("MESSAGE_DELETE_BULK", {**PLACE, "ids": ids})).object_ids) == 100


def test_a_reaction_of_a_member_has_evidence():
    got = event(reaction(member=MEMBER))
    assert (got.type, got.content, got.object_id) == ("reaction-added", "👍", NATIVE)
    assert (got.actor.display_name, got.identities[0].subject) == ("Al", f"discord:{GUILD}/{USER}")


def test_a_reaction_that_names_no_member_has_no_evidence():
    got = event(reaction("REMOVE"))
    assert (got.type, got.actor.address) == ("reaction-removed", f"@{USER}@{GUILD}.discord.invalid")
    assert (got.identities, codes(got)) == ((), ["evidence-withheld"])
    odd = event(reaction(member={"user": {"id": "43"}}))
    assert odd.actor.address == f"@{USER}@{GUILD}.discord.invalid"


def test_a_reaction_of_a_program_has_no_evidence():
    assert event(reaction(member={"user": {**ALICE, "bot": True}})).identities == ()


@pytest.mark.parametrize(
    ("emoji", "content"),
    [
        ({"id": "9", "name": "party"}, "<:party:9>"),
        ({"id": "9", "name": "party", "animated": True}, "<a:party:9>"),
        ({"id": "9", "name": None}, "<:_:9>"),
    ],
)
def test_an_emoji_of_a_guild_is_written_as_in_messages(emoji, content):
    assert event(reaction(emoji=emoji)).content == content


def test_all_reactions_may_be_removed():
    got = event(reaction("REMOVE_ALL", user_id=None, emoji=None))
    assert (got.type, got.actor, got.content) == ("reaction-removed", None, None)
    got = event(reaction("REMOVE_EMOJI", user_id=None))
    assert (got.actor, got.content) == (None, "👍")


def test_a_reaction_has_no_id_so_that_nothing_is_claimed_for_it():
    assert not event(reaction(), use_once=lambda ask: pytest.fail("asked")).redelivered


def test_a_reaction_of_the_agent_is_its_own():
    assert received(reaction(user_id=APP)).code == "own-message"


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (reaction(message_id=None), "missing-member"),
        (reaction(channel_id="x"), "missing-member"),
        (reaction(emoji={}), "missing-member"),
        (reaction(emoji=None), "missing-member"),
        (reaction(user_id="x"), "missing-member"),
        (dispatch("MESSAGE_DELETE", PLACE), "missing-member"),
        (dispatch("MESSAGE_DELETE_BULK", {**PLACE, "ids": []}), "missing-member"),
        (dispatch("MESSAGE_DELETE", []), "unsupported-event"),
        (dispatch("TYPING_START", PLACE), "unsupported-event"),
        (dispatch(["MESSAGE_DELETE"], PLACE), "unsupported-event"),
    ],
)
def test_an_event_that_is_broken_is_rejected(unit, expected):
    assert received(unit, find_message=known).code == expected


def test_an_event_in_a_signed_request_is_read_the_same():
    assert event(signed(dispatch("MESSAGE_DELETE", {**PLACE, "id": EVENT}))).type == "deleted"


def test_an_event_counts_by_what_names_it():
    asked = []
    event(updated(), use_once=lambda ask: asked.append(ask.key) or "same")
    assert asked == [f"discord:event:{CHANNEL}/{EVENT}/edited/{EDITED} {APP}"]


def test_a_reaction_is_stored_and_completed_like_any_other_event():
    claimed = drive(discord.claim(reaction(), now=NOW, settings=SETTINGS), Answers())
    assert (claimed.key, claimed.is_new) == (None, True)
    row = decode_trusted(Claimed, dumps(claimed))
    got = drive(discord.complete(row, now=NOW, entropy=bytes(32), settings=SETTINGS), world(find_message=known))
    assert got == event(reaction())
