"""Identity evidence that a caller forwards with a message: what counts of it goes to the sender.

Spec: IdentityEvidence v0.1 (carrier `metadata.mentionable.identity_evidence`); decisions B13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import identity
from .._address import canonical
from .._value import evolve
from ._metadata import CARRIER
from ._reading import hints_of

if TYPE_CHECKING:
    from datetime import datetime

    from .._asks import Flow
    from .._caller import Caller
    from .._delivery import Draft
    from .._model.identity import VerifiedIdentity
    from .._outcome import Verdict
    from .._settings import Settings
    from ._reading import Reading


def authenticated(verdict: Verdict, caller: Caller | None) -> str | None:
    """Who calls, as somebody has authenticated them: whom the token shows, else whom the host names."""
    if verdict.verified:
        return verdict.address
    return None if caller is None else canonical(caller.subject) or caller.subject


def with_evidence(
    draft: Draft,
    metadata: Any,
    *,
    recipient: str,
    caller: str | None,
    at: str,
    now: datetime,
    settings: Settings,
    reading: Reading,
) -> Flow[identity.IdentityAsk, tuple[Draft, tuple[VerifiedIdentity, ...]]]:
    """The draft with the evidence that counts, and whom it shows. Refused evidence leaves a note."""
    noted = len(reading.notes)
    found = yield from identity.verify_all(
        hints_of(metadata).get(CARRIER),
        recipient=recipient,
        caller=caller,
        said=identity.said_by(draft.parts),
        now=now,
        settings=settings,
    )
    reading.notes += found.diagnostics
    sender = found.shown(draft.sender, reading.notes)
    reading.move_notes(noted, f"{at}/metadata/mentionable/{CARRIER}")
    history = draft.history
    if reading.forwarded:
        noted = len(reading.notes)
        history = yield from identity.verify_turns(
            reading.forwarded,
            recipient=recipient,
            caller=caller,
            now=now,
            notes=reading.notes,
            settings=settings,
        )
        reading.move_notes(noted, f"{at}/metadata/mentionable/history")
    return evolve(draft, sender=sender, history=history), found.identities
