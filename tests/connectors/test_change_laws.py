"""Laws of events of platforms: whatever an event holds, it ends in a value, and both stages agree on which."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mentionable import Answers, Handshake, Received, Rejected, decode_trusted, drive, dumps
from mentionable.connectors import Claimed, ReceivedEvent, bluebubbles, discord, slack
from tests.connectors import bluebubbles_events as bb
from tests.connectors import discord_events as dc
from tests.connectors import slack_workspace as sl
from tests.connectors.test_slack_change import changed, deleted, reacted
from tests.used import remembering

LEAVES = (
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=6) | st.sampled_from(["U1", "U2", "T1", "C1"])
)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)


def members(*names: str) -> st.SearchStrategy[dict[str, Any]]:
    """Some members of an object with values that do not belong there."""
    return st.dictionaries(st.sampled_from(names), JSON, max_size=3)


def answers() -> Answers:
    return Answers(
        find_agent=lambda ask: sl.AGENT,
        find_message=lambda ask: None,
        use_once=remembering({}),
        call_api=lambda ask: {"ok": True, "user": sl.ALICE},
    )


def agree(module: Any, unit: Any, settings: Any) -> None:
    """Both stages, with a queue between them, and one stage come to the same."""
    facts = {"now": sl.NOW, "entropy": bytes(32), "settings": settings}
    once = drive(module.receive(unit, **facts), answers())
    assert isinstance(once, (Received, ReceivedEvent, Rejected, Handshake))
    claimed = drive(module.claim(unit, now=sl.NOW, settings=settings), answers())
    if not isinstance(claimed, Claimed):
        assert claimed == once
        return
    row = decode_trusted(Claimed, dumps(claimed))
    assert drive(module.complete(row, **facts), answers()) == once
    assert drive(module.complete(claimed, **facts), answers()) == once


@given(
    st.sampled_from([changed(), changed("<@UBOT> hi"), deleted(), reacted()]),
    members("message", "previous_message", "deleted_ts", "item", "user", "reaction", "channel", "subtype"),
    members("text", "ts", "user", "edited", "subtype", "bot_id", "files", "team"),
)
def test_any_event_of_slack_comes_to_the_same_in_one_stage_and_in_two(event, more, inner):
    event = {**event, **more}
    if isinstance(event.get("message"), dict):
        event["message"] = {**event["message"], **inner}
    agree(slack, sl.request(json.dumps(sl.envelope(event))), sl.SETTINGS)


@given(
    st.sampled_from(["MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK", "MESSAGE_REACTION_ADD"]),
    members("id", "ids", "channel_id", "guild_id", "message_id", "user_id", "member", "emoji", "author", "content"),
)
def test_any_event_of_discord_comes_to_the_same_in_one_stage_and_in_two(name, more):
    told = {"message_id": dc.EVENT, "user_id": dc.USER, "emoji": {"name": "👍"}, "edited_timestamp": "2026-11-21"}
    agree(discord, {"t": name, "d": {**dc.message(), **told, **more}}, dc.SETTINGS)


@given(
    st.sampled_from(["new-message", "updated-message"]),
    members("dateEdited", "dateRetracted", "associatedMessageType", "associatedMessageGuid", "handle", "chats", "text"),
)
def test_any_event_of_bluebubbles_comes_to_the_same_in_one_stage_and_in_two(kind, more):
    known = {"associatedMessageType": "love", "associatedMessageGuid": f"p:0/{bb.OTHER}", "dateEdited": 7}
    agree(bluebubbles, bb.posted(bb.told(kind, **{**known, **more})), bb.SETTINGS)
