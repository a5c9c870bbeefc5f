"""Edits, unsent messages and reactions in iMessage: events with what is stored of the message, and no message."""

from __future__ import annotations

import pytest

from mentionable import StoredMessage
from mentionable.connectors import ReceivedEvent, bluebubbles
from tests.connectors.bluebubbles_events import CHAT, GUID, OTHER, SETTINGS, codes, posted, received, settings, told

NATIVE = f"bluebubbles:{GUID}"
PERSON = received(told()).message.sender.address
ROW = StoredMessage(id="m1", thread_id="t", sender=PERSON)
UPDATED = "updated-message"


def event(unit, **facts):
    got = received(unit, **{"find_message": lambda ask: ROW if ask.native_id == NATIVE else None, **facts})
    assert isinstance(got, ReceivedEvent)
    return got


def tapback(kind="love", **changes):
    return told(
        guid=OTHER, text="Loved “Hi”", associatedMessageType=kind, associatedMessageGuid=f"p:0/{GUID}", **changes
    )


def test_an_edit_has_the_new_words():
    got = event(told(UPDATED, text="Hi there", dateEdited=1_795_294_570_000))
    assert (got.type, got.object_id, got.stored) == ("edited", NATIVE, {NATIVE: ROW})
    assert [part.content for part in got.parts] == ["Hi there"]
    assert (got.actor.address, got.id) == (PERSON, f"{NATIVE}/edited/1795294570000")
    assert codes(got) == []


def test_a_message_that_was_unsent_is_a_deletion_by_its_author():
    got = event(told(UPDATED, text=None, dateRetracted=1_795_294_570_000))
    assert (got.type, got.object_id, got.actor.address, got.parts) == ("deleted", NATIVE, PERSON, ())
    assert got.raw["kind"] == "deleted"
    assert got.identities


def test_news_that_a_message_was_read_is_no_edit():
    assert received(told(UPDATED)).code == "unsupported-event"
    assert received(told(UPDATED, dateEdited="x")).code == "wrong-type"


def test_an_edit_by_another_account_is_rejected():
    unit = told(UPDATED, dateEdited=1, handle={"address": "+15550199", "service": "iMessage"})
    assert received(unit, find_message=lambda ask: ROW).code == "owner-mismatch"


def test_what_the_account_itself_changes_is_its_own():
    assert received(told(UPDATED, dateEdited=1, isFromMe=True)).code == "own-message"
    assert received(tapback(isFromMe=None)).code == "own-message"


@pytest.mark.parametrize(
    ("kind", "type", "content"),
    [
        ("love", "reaction-added", "❤️"),
        ("-like", "reaction-removed", "👍"),
        (2002, "reaction-added", "👎"),
        ("3005", "reaction-removed", "❓"),
    ],
)
def test_a_reaction_is_an_emoji_on_a_message(kind, type, content):
    got = event(tapback(kind))
    assert (got.type, got.content, got.object_id, got.parts) == (type, content, NATIVE, ())
    assert (got.actor.address, got.id) == (PERSON, f"bluebubbles:{OTHER}")


def test_a_reaction_may_be_any_emoji():
    assert event(tapback("emoji", associatedMessageEmoji="🎉")).content == "🎉"
    assert event(tapback("-emoji")).content is None


@pytest.mark.parametrize("target", [f"bp:{GUID}", GUID])
def test_a_reaction_names_its_message_in_several_forms(target):
    assert event(told(guid=OTHER, associatedMessageType="love", associatedMessageGuid=target)).object_id == NATIVE


@pytest.mark.parametrize("kind", [1000, "1001", "sticker", True, None, {}])
def test_what_is_no_reaction_is_no_event(kind):
    assert received(tapback(kind)).code == "unsupported-event"


@pytest.mark.parametrize("target", ["p:0/x", 5, "p:0/" + "x" * 36])
def test_a_reaction_that_names_no_message_is_rejected(target):
    assert (
        received(told(guid=OTHER, associatedMessageType="love", associatedMessageGuid=target)).code
        == "unsupported-event"
    )


def test_events_of_group_chats_are_for_the_agent_where_their_messages_are():
    group = [{"guid": "iMessage;+;chat1", "style": 43}]
    assert received(tapback(chats=group)).code == "unsupported-event"
    assert event(tapback(chats=group), own=settings(groups=True)).type == "reaction-added"


def test_events_count_by_what_names_them():
    asked = []
    event(told(UPDATED, dateEdited=7), use_once=lambda ask: asked.append(ask.key) or "same")
    event(tapback(), use_once=lambda ask: asked.append(ask.key) or "first")
    assert asked == [f"bluebubbles:event:{GUID}/edited/7 home", f"bluebubbles:event:{OTHER} home"]


def test_the_chat_of_an_event_is_known():
    found = bluebubbles.chats(posted(told(UPDATED, dateEdited=7)), settings=SETTINGS)
    assert list(found.values()) == [CHAT]
