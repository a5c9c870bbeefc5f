"""How turns of the agent end in which it tells a person of events, whether a message or an event began them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from mentionable import Rejected, anp

from mentionable_host.notifications.rules import RULES
from mentionable_host.store.notifications import Events

__all__ = ["end", "events_of", "fail"]

MAX_OUTPUT: Final = 65_536
"""So many characters of what the agent says are stored with an event."""


def end(
    store: Events, turn: anp.Turn, *, output: str | None, acknowledged_ids: Collection[str], now: datetime
) -> anp.LaneStep | Rejected:
    """The step that ends a turn; it is to be stored.

    Args:
        store: The events, in a transaction.
        turn: The turn, as it began.
        output: What the agent says to the person; None: nothing, so that the system presents the events.
        acknowledged_ids: The events that it tells of.
        now: The time.
    """
    lane = store.lane(turn.lane_id)
    return anp.commit_turn(
        lane,
        turn,
        events=events_of(store, lane, turn),
        output=None if output is None else _text(output),
        acknowledged_ids=() if output is None else tuple(acknowledged_ids),
        narration_id=str(uuid5(NAMESPACE_URL, f"narration {turn.id}")),
        now=now,
        rules=RULES,
    )


def _text(output: str) -> str:
    """What is stored of it: so many characters, and no lone surrogates."""
    return output[:MAX_OUTPUT].encode("utf-8", "replace").decode()


def fail(
    store: Events, lane_id: str, turn_id: str, *, turn: anp.Turn | None = None, now: datetime
) -> anp.LaneStep | Rejected:
    """The step that ends a turn that broke off; it is to be stored.

    Args:
        store: The events, in a transaction.
        lane_id: The lane that it has.
        turn_id: Its id.
        turn: The turn as it began, where that is known.
        now: The time.
    """
    lane = store.lane(lane_id)
    return anp.fail_turn(lane, turn_id, events=events_of(store, lane, turn), now=now, rules=RULES)


def events_of(store: Events, lane: anp.Lane, turn: anp.Turn | None = None) -> Mapping[str, anp.Notification]:
    """The events of a turn, and those that wait in its lane, as they are now."""
    ids = {*lane.waiting}
    if turn is not None:
        ids |= {one.id for one in (*turn.grants, *turn.facts)}
    if lane.turn is not None and lane.turn.trigger is not None:
        ids.add(lane.turn.trigger)
    return {event.id: event for id in ids if (event := store.get(id)) is not None}
