"""All the evidence of one request: beside the message and at the prior turns that its caller forwards.

Evidence at a prior turn shows who wrote it, and authorizes nothing.

Spec: Building a Connector (Sender Profile Facts); decisions B13 (evidence at prior turns).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from .._flow.ask import Flow
from .._flow.drive import bounded
from .._flow.settings import DEFAULTS, Settings
from .._model.base import replace
from .._model.codec import dumps
from .._model.diagnostic import Diagnostic
from .._model.identity import VerifiedIdentity
from .._model.message import HistoricalMessage
from .._model.parts import Part
from .._transport.delivery import Draft
from .._transport.forwarded import ForwardedTurn
from ._forwarded import MAX_ITEMS, verify_all
from ._verify import IdentityAsk

MAX_TURNS: Final = MAX_ITEMS
"""At how many turns evidence is looked at, the newest first: older evidence has ended anyhow."""

_MOST_ASKS: Final = 10
"""How many look-ups the evidence of one request may take: two for each issuer, and few requests name several."""

_ASKS_BEFORE: Final = 2
"""How many look-ups of the request are kept for the credential of its caller."""


class Shown(NamedTuple):
    """What a request says, and whom evidence shows.

    Attributes:
        draft: The unit; its sender, and the senders of its history, have the evidence that counts.
        identities: Whom the evidence of the message itself shows.
        diagnostics: What was refused or is odd, each where it stands in the request.
    """

    draft: Draft
    identities: tuple[VerifiedIdentity, ...]
    diagnostics: tuple[Diagnostic, ...]


def message_digest(parts: tuple[Part, ...]) -> bytes:
    """What identifies a message to the replay guard: what it says, the same now and as a prior turn."""
    return dumps(parts)


def with_evidence(
    draft: Draft,
    carrier: Any,
    turns: Sequence[ForwardedTurn],
    *,
    at: str,
    history_at: str,
    recipient: str,
    caller: str | None,
    now: datetime,
    settings: Settings = DEFAULTS,
) -> Flow[IdentityAsk, Shown]:
    """The draft with the evidence that counts. Refused evidence leaves a diagnostic.

    Args:
        draft: What the request says.
        carrier: What stands as evidence beside the message.
        turns: The history of the draft with what stands as evidence at its senders; empty when nobody forwards any.
        at: Where the carrier stands.
        history_at: Where the turns stand.
        recipient: The agent for whom the request is.
        caller: Who brought it, as for `verify`.
        now: The time, aware.
        settings: `Settings.trust` says whom you trust.
    """

    def flow() -> Flow[IdentityAsk, Shown]:
        found = yield from verify_all(
            carrier,
            sender=draft.sender,
            recipient=recipient,
            caller=caller,
            message_digest=message_digest(draft.parts),
            now=now,
            settings=settings,
        )
        notes = _moved(found.diagnostics, at)
        shown = replace(draft, sender=found.sender)
        if turns:
            history, told = yield from verify_turns(
                turns, recipient=recipient, caller=caller, now=now, settings=settings
            )
            shown = replace(shown, history=history)
            notes += _moved(told, history_at)
        return Shown(shown, found.identities, notes)

    remote = max(0, settings.limits.asks - _ASKS_BEFORE)
    return bounded(flow(), remote=min(_MOST_ASKS, remote))


def verify_turns(
    turns: Sequence[ForwardedTurn],
    *,
    recipient: str,
    caller: str | None,
    now: datetime,
    settings: Settings = DEFAULTS,
) -> Flow[IdentityAsk, tuple[tuple[HistoricalMessage, ...], tuple[Diagnostic, ...]]]:
    """The same turns, and what was refused at them; each place is relative to the array of turns.

    The senders of those turns whose evidence counts have it, and are no more verified than before.

    Args:
        turns: The turns that a caller forwards, the oldest first, with what stands as evidence at their senders.
        recipient: The agent for whom they are.
        caller: Who brought them, as for `verify`.
        now: The time, aware.
        settings: `Settings.trust` says whom you trust.
    """
    shown = [forwarded.turn for forwarded in turns]
    carrying = [index for index, forwarded in enumerate(turns) if forwarded.evidence]
    notes: tuple[Diagnostic, ...] = ()
    for index in carrying[-MAX_TURNS:]:
        turn = shown[index]
        found = yield from verify_all(
            turns[index].evidence,
            sender=turn.sender,
            recipient=recipient,
            caller=caller,
            message_digest=message_digest(turn.parts),
            now=now,
            settings=settings,
        )
        notes += _moved(found.diagnostics, f"/{turns[index].place}/sender/identities")
        shown[index] = replace(turn, sender=found.sender)
    if len(carrying) > MAX_TURNS:
        notes += (Diagnostic(code="evidence-omitted", detail=f"at {len(carrying) - MAX_TURNS} turns"),)
    return tuple(shown), notes


def _moved(notes: tuple[Diagnostic, ...], under: str) -> tuple[Diagnostic, ...]:
    return tuple([replace(note, at=under + note.at) for note in notes])
