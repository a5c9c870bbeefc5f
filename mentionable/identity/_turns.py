"""Evidence that stands at prior turns: it shows who wrote them, and authorizes nothing.

Spec: Building a Connector (Sender Profile Facts); rulings on forwarded history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .._outcome import Diagnostic
from .._settings import DEFAULTS
from .._value import evolve
from ._forwarded import MAX_ITEMS, verify_all

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from .._asks import Flow
    from .._forwarded import ForwardedTurn
    from .._model.message import HistoricalMessage
    from .._model.parts import Part
    from .._settings import Settings
    from ._verify import IdentityAsk

MAX_TURNS: Final = MAX_ITEMS
"""At how many turns evidence is looked at, the newest first: older evidence has ended anyhow."""


def said_by(parts: tuple[Part, ...]) -> bytes:
    """What identifies a message to the replay guard: what it says, the same now and as a prior turn."""
    from .._codec import dumps  # loads cattrs, which most messages never need

    return dumps(parts)


def verify_turns(
    turns: Sequence[ForwardedTurn],
    *,
    recipient: str,
    caller: str | None,
    now: datetime,
    notes: list[Diagnostic],
    settings: Settings = DEFAULTS,
) -> Flow[IdentityAsk, tuple[HistoricalMessage, ...]]:
    """The same turns; the senders of those whose evidence counts have it, and are no more verified than before.

    Args:
        turns: The turns that a caller forwards, the oldest first, with what stands as evidence at their senders.
        recipient: The agent for whom they are.
        caller: Who brought them, as for `verify`.
        now: The time, aware.
        notes: Takes what was refused.
        settings: `Settings.trust` says whom you trust.
    """
    shown = [forwarded.turn for forwarded in turns]
    carrying = [index for index, forwarded in enumerate(turns) if forwarded.evidence]
    for index in carrying[-MAX_TURNS:]:
        turn = shown[index]
        found = yield from verify_all(
            turns[index].evidence,
            recipient=recipient,
            caller=caller,
            said=said_by(turn.parts),
            now=now,
            settings=settings,
        )
        notes += [evolve(note, at=f"/{index}/sender/identities{note.at}") for note in found.diagnostics]
        shown[index] = evolve(turn, sender=found.shown(turn.sender, notes))
    if len(carrying) > MAX_TURNS:
        notes.append(Diagnostic(code="evidence-omitted", detail=f"at {len(carrying) - MAX_TURNS} turns"))
    return tuple(shown)
