"""All the evidence that came along with one message: what counts of it, and what was refused.

Spec: IdentityEvidence v0.1 (carriers); Normalized Message §5 (sender.identities); decisions B13.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from .._errors.exceptions import UsageError
from .._flow.ask import Flow
from .._flow.drive import bounded, gather
from .._flow.outcome import Rejected
from .._flow.settings import DEFAULTS, Settings, check_inputs
from .._model.base import frozen, replace
from .._model.codec import decode_trusted
from .._model.diagnostic import Diagnostic
from .._model.identity import IdentityEvidence, VerifiedIdentity
from .._model.sender import Sender, SenderProfile
from .._text.display_names import display_name
from .._wire.address import agent_address
from .._wire.strict_json import MAX_DEPTH, dump_line, within_depth
from ._profile import profile_of
from ._verify import IdentityAsk, check_facts, verify

MAX_ITEMS: Final = 4
"""How many evidences one message may bring along."""

MAX_TOTAL: Final = 65_536
"""How large they may be together."""

_ASKS_EACH: Final = 2


@frozen
class Forwarded:
    """What counts of the evidence that came along.

    Attributes:
        sender: The sender as the evidence shows them: with it as it came, and with the profile of the first that has
            one, unless they have one of their own. Address and verification stay: evidence speaks of somebody on
            another platform.
        identities: Who was shown, to authorize on.
        diagnostics: What was refused or is odd, and why; each `at` is relative to the carrier.
    """

    sender: Sender
    identities: tuple[VerifiedIdentity, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def verify_all(
    carrier: Any,
    *,
    sender: Sender,
    recipient: str,
    caller: str | None,
    message_digest: bytes,
    now: datetime,
    settings: Settings = DEFAULTS,
) -> Flow[IdentityAsk, Forwarded]:
    """What counts of the evidence that a message brought along. Refused evidence costs itself, never the message.

    Args:
        carrier: The JSON of the wire: an array of evidence, or a single one.
        sender: Who sent the message, as far as is known without it.
        recipient: The agent for whom the message is.
        caller: Who brought it, authenticated: an address, or a host. None: nobody knows.
        message_digest: What identifies the message, as for `verify`.
        now: The time, aware.
        settings: `Settings.trust` says whom you trust.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind.

    Spec: IdentityEvidence v0.1 (carriers); decisions B13.
    """
    check_inputs(now, settings)
    check_facts(message_digest, caller)
    _check_sender(sender)
    agent = agent_address(recipient)
    return _verified(carrier, sender, agent, caller, message_digest, now, settings)


def _check_sender(sender: object) -> None:
    if not isinstance(sender, Sender):
        raise UsageError("sender is the Sender of the message")


def _verified(
    carrier: Any,
    sender: Sender,
    recipient: str,
    caller: str | None,
    message_digest: bytes,
    now: datetime,
    settings: Settings,
) -> Flow[IdentityAsk, Forwarded]:
    """The flow behind it."""
    if carrier is None or carrier == []:
        return Forwarded(sender=sender)
    is_array = carrier.__class__ is list
    notes: list[Diagnostic] = []
    items = list(_items(carrier if is_array else [carrier], notes))
    flows = [
        verify(data, recipient=recipient, caller=caller, message_digest=message_digest, now=now, settings=settings)
        for _, data in items
    ]
    asks = min(_ASKS_EACH * MAX_ITEMS, settings.limits.asks)
    outcomes: tuple[VerifiedIdentity | Rejected, ...] = yield from bounded(gather(*flows), remote=asks)
    identities: dict[str | None, VerifiedIdentity] = {}
    evidence: list[IdentityEvidence] = []
    profile: tuple[SenderProfile, str] | None = None
    for (index, data), outcome in zip(items, outcomes, strict=True):
        at = f"/{index}" if is_array else ""
        if isinstance(outcome, Rejected):
            notes.append(_refused(outcome, at))
        elif outcome.digest not in identities:  # else it is the same, its members in another order
            identities[outcome.digest] = outcome
            evidence.append(decode_trusted(IdentityEvidence, data))
            found = profile_of(outcome) if profile is None else None
            profile = profile if found is None else (found, at)
    shown = _shown(sender, evidence, profile, notes)
    return Forwarded(sender=shown, identities=tuple(identities.values()), diagnostics=tuple(notes))


def _refused(outcome: Rejected, at: str) -> Diagnostic:
    detail = f"{outcome.step}: {outcome}"
    return Diagnostic(code="evidence-refused", at=at, detail=detail, temporary=outcome.temporary)


def _shown(
    sender: Sender,
    evidence: list[IdentityEvidence],
    profile: tuple[SenderProfile, str] | None,
    notes: list[Diagnostic],
) -> Sender:
    """The sender with the evidence, and with the profile unless they have one of their own."""
    if not evidence:
        return sender
    changes: dict[str, Any] = {"identities": (*(sender.identities or ()), *evidence)}
    if profile is not None and sender.profile is None:
        found, at = profile
        name = found.display_name
        if name is not None and sender.display_name is None:
            address = agent_address(sender.address)
            name = display_name(name, address, at=f"{at}/claims/profile/display_name", notes=notes)
            changes["display_name"] = name
        changes["profile"] = replace(found, display_name=name)
    return replace(sender, **changes)


def _items(carrier: list[Any], notes: list[Diagnostic]) -> Iterator[tuple[int, bytes]]:
    """The evidences that are looked at, each once, as bytes."""
    seen: set[bytes] = set()
    total = 0
    for index, item in enumerate(carrier[: MAX_ITEMS + 1]):
        try:
            data = dump_line(item).encode()
            if not within_depth(data, MAX_DEPTH):
                raise ValueError
        except (ValueError, TypeError, RecursionError):  # of a carrier that no strict parser made
            notes.append(Diagnostic(code="evidence-refused", at=f"/{index}", detail="json: not JSON"))
            continue
        total += len(data)
        if index == MAX_ITEMS or total > MAX_TOTAL:
            left = len(carrier) - index
            notes.append(Diagnostic(code="evidence-omitted", at=f"/{index}", detail=f"{left} of {len(carrier)}"))
            return
        if data not in seen:
            seen.add(data)
            yield index, data
