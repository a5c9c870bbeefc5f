"""All the evidence of one request: alongside the message, and at the prior turns that the caller forwards.

Spec: IdentityEvidence v0.1 (carriers); Normalized Message §5 (sender.identities); Building a Connector (Sender Profile
Facts); decisions B13.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from .._errors.exceptions import UsageError
from .._flow.flow import Flow, bounded, gather
from .._flow.outcome import Rejected
from .._flow.settings import DEFAULTS, Settings, check_inputs
from .._model.base import frozen, replace
from .._model.codec import decode_trusted, dumps
from .._model.diagnostic import Diagnostic, prefixed
from .._model.identity import IdentityEvidence, VerifiedIdentity
from .._model.message import HistoricalMessage
from .._model.parts import Part
from .._model.sender import Sender, SenderProfile
from .._text.display_names import display_name
from .._transport.delivery import IncomingMessage
from .._transport.forwarded import ForwardedTurn, has_evidence
from .._wire.address import agent_address
from .._wire.strict_json import MAX_DEPTH, dump_line, within_depth
from ._profile import profile_of
from ._verify import IdentityAsk, check_facts, verify

MAX_ITEMS: Final = 4
"""How many pieces of evidence one message may carry."""

MAX_TOTAL: Final = 65_536
"""How many bytes they may have together."""

MAX_TURNS: Final = MAX_ITEMS
"""At how many prior turns evidence is verified, the newest first: older evidence has expired in any case."""

_MAX_ASKS: Final = 10
"""How many look-ups the evidence of one request may take: two for each issuer, and few requests name several."""

_ASKS_PER_ITEM: Final = 2

_RESERVED_ASKS: Final = 2
"""How many look-ups of the request are reserved for the credential of its caller."""


@frozen
class VerifiedEvidence:
    """The result of verifying the evidence of one message.

    Attributes:
        sender: The sender with the verified evidence, and with the profile of the first that has one, unless they have
            one of their own. Address and verification stay: evidence is about an account on another platform.
        identities: The verified identities, to authorize on.
        diagnostics: What was rejected or is odd, and why; each `at` is relative to the carrier.
    """

    sender: Sender
    identities: tuple[VerifiedIdentity, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


class EvidenceResult(NamedTuple):
    """The result of verifying the evidence of one request.

    Attributes:
        incoming: The message; its sender, and the senders of its history, have the verified evidence.
        identities: The identities that the evidence of the message itself verifies.
        diagnostics: What was rejected or is odd, each with its place in the request.
    """

    incoming: IncomingMessage
    identities: tuple[VerifiedIdentity, ...]
    diagnostics: tuple[Diagnostic, ...]


def message_digest(parts: tuple[Part, ...]) -> bytes:
    """What identifies a message to the replay guard: its parts, the same now and as a prior turn."""
    return dumps(parts)


def verify_all(
    carrier: Any,
    *,
    sender: Sender,
    recipient: str,
    caller: str | None,
    message_digest: bytes,
    now: datetime,
    settings: Settings = DEFAULTS,
) -> Flow[IdentityAsk, VerifiedEvidence]:
    """Verify all the evidence of a message. Rejected evidence is left out with a diagnostic; the message is delivered.

    Args:
        carrier: The JSON of the wire: an array of evidence, or a single one.
        sender: The sender of the message, as far as is known without evidence.
        recipient: The agent that receives the message.
        caller: The caller as you authenticated it: an address, or a host. None: not authenticated.
        message_digest: What identifies the message, as for `verify`.
        now: The time, aware.
        settings: `Settings.trust` lists the issuers that you trust.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind.

    Spec: IdentityEvidence v0.1 (carriers); decisions B13.
    """
    check_inputs(now, settings)
    check_facts(message_digest, caller)
    if not isinstance(sender, Sender):
        raise UsageError("sender is the Sender of the message")
    agent = agent_address(recipient)

    def flow() -> Flow[IdentityAsk, VerifiedEvidence]:
        if carrier is None or carrier == []:
            return VerifiedEvidence(sender=sender)
        items, diagnostics = _items(carrier)
        flows = [
            verify(data, recipient=agent, caller=caller, message_digest=message_digest, now=now, settings=settings)
            for _, data in items
        ]
        asks = min(_ASKS_PER_ITEM * MAX_ITEMS, settings.limits.asks)
        outcomes: tuple[VerifiedIdentity | Rejected, ...] = yield from bounded(gather(*flows), remote=asks)
        identities: dict[str | None, VerifiedIdentity] = {}
        evidence: list[IdentityEvidence] = []
        profile: tuple[SenderProfile, str] | None = None
        for (at, data), outcome in zip(items, outcomes, strict=True):
            if isinstance(outcome, Rejected):
                detail = f"{outcome.step}: {outcome}"
                diagnostics.append(
                    Diagnostic(code="evidence-refused", at=at, detail=detail, temporary=outcome.temporary)
                )
            elif outcome.digest not in identities:  # else it is the same statement with its members in another order
                identities[outcome.digest] = outcome
                evidence.append(decode_trusted(IdentityEvidence, data))
                claimed = profile_of(outcome) if profile is None else None
                profile = profile if claimed is None else (claimed, at)
        if not evidence:
            return VerifiedEvidence(sender=sender, diagnostics=tuple(diagnostics))
        proven, odd = _with_evidence(sender, evidence, profile)
        diagnostics += odd
        return VerifiedEvidence(sender=proven, identities=tuple(identities.values()), diagnostics=tuple(diagnostics))

    return flow()


def _with_evidence(
    sender: Sender, evidence: list[IdentityEvidence], profile: tuple[SenderProfile, str] | None
) -> tuple[Sender, list[Diagnostic]]:
    """The sender with the evidence, and with the profile unless they have one of their own."""
    diagnostics: list[Diagnostic] = []
    changes: dict[str, Any] = {"identities": (*(sender.identities or ()), *evidence)}
    if profile is not None and sender.profile is None:
        claimed, at = profile
        name = claimed.display_name
        if name is not None and sender.display_name is None:
            address = agent_address(sender.address)
            name, odd = display_name(name, address, at=f"{at}/claims/profile/display_name")
            diagnostics += odd
            changes["display_name"] = name
        changes["profile"] = replace(claimed, display_name=name)
    return replace(sender, **changes), diagnostics


def _items(carrier: Any) -> tuple[list[tuple[str, bytes]], list[Diagnostic]]:
    """The distinct items of a carrier, as many as a message may carry, each with its pointer."""
    is_array = carrier.__class__ is list
    listed: list[Any] = carrier if is_array else [carrier]
    items: dict[bytes, str] = {}
    diagnostics: list[Diagnostic] = []
    total = 0
    for index, item in enumerate(listed[: MAX_ITEMS + 1]):
        try:
            data = dump_line(item).encode()
            if not within_depth(data, MAX_DEPTH):
                raise ValueError
        except (ValueError, TypeError, RecursionError):  # of a carrier that no strict parser made
            diagnostics.append(Diagnostic(code="evidence-refused", at=f"/{index}", detail="json: not JSON"))
            continue
        total += len(data)
        if index == MAX_ITEMS or total > MAX_TOTAL:
            omitted = f"{len(listed) - index} of {len(listed)}"
            diagnostics.append(Diagnostic(code="evidence-omitted", at=f"/{index}", detail=omitted))
            break
        items.setdefault(data, f"/{index}" if is_array else "")
    return [(at, data) for data, at in items.items()], diagnostics


def with_evidence(
    incoming: IncomingMessage,
    carrier: Any,
    turns: Sequence[ForwardedTurn],
    *,
    at: str,
    history_at: str,
    recipient: str,
    caller: str | None,
    now: datetime,
    settings: Settings = DEFAULTS,
) -> Flow[IdentityAsk, EvidenceResult]:
    """Add the verified evidence to an incoming message. Rejected evidence leaves a diagnostic.

    Args:
        incoming: The message.
        carrier: The evidence alongside the message, as the wire has it.
        turns: The history of the message with the evidence of its senders; empty when the caller forwards none.
        at: The pointer of the carrier.
        history_at: The pointer of the turns.
        recipient: The agent that receives the request.
        caller: The caller, as for `verify`.
        now: The time, aware.
        settings: `Settings.trust` lists the issuers that you trust.
    """

    def flow() -> Flow[IdentityAsk, EvidenceResult]:
        verified = yield from verify_all(
            carrier,
            sender=incoming.sender,
            recipient=recipient,
            caller=caller,
            message_digest=message_digest(incoming.parts),
            now=now,
            settings=settings,
        )
        diagnostics = prefixed(verified.diagnostics, at)
        result = replace(incoming, sender=verified.sender)
        if turns:
            history, reported = yield from verify_turns(
                turns, recipient=recipient, caller=caller, now=now, settings=settings
            )
            result = replace(result, history=history)
            diagnostics += prefixed(reported, history_at)
        return EvidenceResult(result, verified.identities, tuple(diagnostics))

    if not has_evidence(carrier, turns):
        return EvidenceResult(incoming, (), ())
    remote = max(0, settings.limits.asks - _RESERVED_ASKS)
    return (yield from bounded(flow(), remote=min(_MAX_ASKS, remote)))


def verify_turns(
    turns: Sequence[ForwardedTurn],
    *,
    recipient: str,
    caller: str | None,
    now: datetime,
    settings: Settings = DEFAULTS,
) -> Flow[IdentityAsk, tuple[tuple[HistoricalMessage, ...], tuple[Diagnostic, ...]]]:
    """The same turns with verified evidence, and diagnostics whose places are relative to the array of turns.

    Evidence at a prior turn identifies its author and authorizes nothing: `sender.verified` does not change.

    Args:
        turns: The turns that a caller forwards, the oldest first, with the evidence of their senders.
        recipient: The agent that receives them.
        caller: The caller, as for `verify`.
        now: The time, aware.
        settings: `Settings.trust` lists the issuers that you trust.
    """
    history = [forwarded.turn for forwarded in turns]
    carrying = [index for index, forwarded in enumerate(turns) if forwarded.evidence]
    diagnostics: list[Diagnostic] = []
    for index in carrying[-MAX_TURNS:]:
        turn = history[index]
        verified = yield from verify_all(
            turns[index].evidence,
            sender=turn.sender,
            recipient=recipient,
            caller=caller,
            message_digest=message_digest(turn.parts),
            now=now,
            settings=settings,
        )
        diagnostics += prefixed(verified.diagnostics, f"/{turns[index].place}/sender/identities")
        history[index] = replace(turn, sender=verified.sender)
    if len(carrying) > MAX_TURNS:
        diagnostics.append(Diagnostic(code="evidence-omitted", detail=f"at {len(carrying) - MAX_TURNS} turns"))
    return tuple(history), tuple(diagnostics)
