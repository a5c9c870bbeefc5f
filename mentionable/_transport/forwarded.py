"""What a caller forwards with a message: the capabilities of its platform, the place in a chain, prior turns.

All of it is the caller's word, unverified and advisory. What is malformed counts as absent and never rejects.

Spec: Normalized Message §3.3.4, §3.3.5, §5.4; decisions B1, B7.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import attrs

from .._errors.exceptions import UsageError, WireError, wire_error
from .._flow.settings import Limits
from .._model.base import replace, unchecked
from .._model.capabilities import (
    AddressingRelay,
    AgentChain,
    InlineRelay,
    MentionRelayCapability,
    NoRelay,
    RecipientCapabilities,
    RecipientFieldRelay,
)
from .._model.codec import decode_parsed_leniently
from .._model.diagnostic import Diagnostic, prefixed
from .._model.identity import AttestationProof, IdentityEvidence
from .._model.message import HistoricalMessage, NormalizedMessage
from .._model.parts import ArtifactPart, CarriedPolicy, FilePart, Part, TextPart
from .._model.sender import Sender
from .._text.media import artifact_name, file_name
from .._text.plain_text import clean, part_text
from .._text.redaction import redacted
from .._wire.strict_json import MAX_SAFE_INTEGER, plain, whole_number

NO_RELAY: Final = NoRelay()
INLINE_RELAY: Final = InlineRelay()
DEFAULT: Final = RecipientCapabilities(mention_relay=NO_RELAY)
"""What holds for a caller that forwards nothing."""

_CHAIN_WORDS: Final = "expected hop and max_hops from 1, hop not beyond max_hops, and is_final"
_RELAY_WORDS: Final = "expected one of the four ways to relay, with its members"
_ENVELOPE: Final = ("to", "cc")
_FIELDS: Final = ("to", "cc", "bcc")
_OPEN: Final = frozenset({"extra", "extensions"})
"""Members of our values that hold whatever JSON the sender likes, and are not what a part says."""

_capabilities: Final = unchecked(RecipientCapabilities)
_chain: Final = unchecked(AgentChain)


# -- capabilities


def read_capabilities(
    forwarded: Any, *, at: str, outer_chain: Any = None
) -> tuple[RecipientCapabilities, tuple[Diagnostic, ...]]:
    """The capabilities that a caller forwards, or the default; and what had to be left out.

    Args:
        forwarded: The JSON.
        at: Its JSON Pointer.
        outer_chain: The `agent_chain` where an older guide puts it: alongside the capabilities, not in them.
    """
    dropped: list[Diagnostic] = []
    chain, relay = None, None
    if outer_chain is not None:
        chain = _agent_chain(outer_chain)
        if chain is None:
            dropped.append(_dropped(at.rpartition("/")[0] + "/agent_chain", _CHAIN_WORDS))
    if forwarded.__class__ is dict:
        inner, stated = forwarded.get("agent_chain"), forwarded.get("mention_relay")
        if inner is not None:
            own = _agent_chain(inner)
            if own is None:
                dropped.append(_dropped(f"{at}/agent_chain", _CHAIN_WORDS))
            else:
                chain = own
        if stated is not None:
            relay = _mention_relay(stated)
            if relay is None:
                dropped.append(_dropped(f"{at}/mention_relay", _RELAY_WORDS))
    elif forwarded is not None:
        dropped.append(_dropped(at, "expected an object"))
    if chain is None and relay is None:
        return DEFAULT, tuple(dropped)
    return _capabilities(mention_relay=relay or NO_RELAY, agent_chain=chain), tuple(dropped)


def _dropped(at: str, rule: str) -> Diagnostic:
    return Diagnostic(code="member-dropped", at=at, detail=rule)


def _mention_relay(relay: Any) -> MentionRelayCapability | None:
    """A fresh value with the known members only; None for what is none."""
    kind = relay.get("kind") if relay.__class__ is dict else None
    if kind == "inline":
        return INLINE_RELAY
    if kind == "recipient-field":
        fields = _names(relay.get("fields"), _FIELDS)
        if fields:
            return RecipientFieldRelay(fields=fields)
    elif kind == "addressing":
        fields = _names(relay.get("envelope_fields"), _ENVELOPE)
        if fields and relay.get("also_inline") is True:
            return AddressingRelay(envelope_fields=fields)
    return NO_RELAY if kind == "none" else None


def _names(names: Any, allowed: tuple[str, ...]) -> tuple[Any, ...]:
    """The names without repeats; empty when one of them is not allowed."""
    if names.__class__ is not list or not all(name.__class__ is str and name in allowed for name in names):
        return ()
    return tuple(dict.fromkeys(names))


def _agent_chain(chain: Any) -> AgentChain | None:
    if chain.__class__ is not dict:
        return None
    hop, max_hops, is_final = chain.get("hop"), chain.get("max_hops"), chain.get("is_final")
    # A number may come as a float, which is how every protobuf peer writes it.
    if hop.__class__ is not int:
        hop = whole_number(hop)
    if max_hops.__class__ is not int:
        max_hops = whole_number(max_hops)
    if is_final.__class__ is not bool or hop is None or max_hops is None:
        return None
    if not 1 <= hop <= max_hops <= MAX_SAFE_INTEGER:
        return None
    return _chain(hop=hop, max_hops=max_hops, is_final=is_final)


def forward_capabilities(message: NormalizedMessage) -> RecipientCapabilities:
    """The capabilities that go along when another agent is asked, with the place of that agent in the chain.

    A connector hands a message to the agent that it is for: the place in it is that agent's. Whoever received a message
    in any other way is that agent, and asks the next one. So a chain cannot go on by accident.

    Raises:
        UsageError: The chain ends here.

    Spec: Normalized Message §3.3.5.
    """
    capabilities = message.recipient_capabilities
    chain = capabilities.agent_chain
    if chain is None or message.received_via == "connector":
        return capabilities
    following = chain.next()
    if following is None:
        raise UsageError(
            f"the chain of agents ends here, at hop {chain.hop} of {chain.max_hops}: conclude, and ask no other agent"
        )
    return replace(capabilities, agent_chain=following)


# -- prior turns


class ForwardedTurn(NamedTuple):
    """A turn that a caller forwards.

    Attributes:
        turn: The turn; its sender is not verified.
        place: Its index among all that came.
        evidence: What its sender brings as identity evidence: the JSON as it came, for a verifier; None without any.
    """

    turn: HistoricalMessage
    place: int
    evidence: Any


def read_history(
    entries: list[Any], *, agent: str, at: str, limits: Limits
) -> tuple[tuple[ForwardedTurn, ...], list[Diagnostic]]:
    """The turns that a caller forwards, no sender in them verified; and what is odd about them.

    What is not a turn, or has more parts than a message may have, is left out with a diagnostic. Of more turns than a
    message may have parts, the newest count.
    The content of the turns is for the agent, so it stays; their unknown members are redacted as in `raw`. A turn that
    claims to be the agent's own, by its role or by its address, gets a diagnostic: nothing proves that.

    Args:
        entries: The turns as JSON.
        agent: The agent that they are for.
        at: Their JSON Pointer.
        limits: Bounds their number, and that of the parts of each.
    """
    turns: list[ForwardedTurn] = []
    diagnostics: list[Diagnostic] = []
    older = max(0, len(entries) - limits.parts)
    if older:
        detail = f"{older} of {len(entries)} forwarded turns"
        diagnostics.append(Diagnostic(code="history-trimmed", at=at, detail=detail))
    for index, entry in enumerate(entries[older:], older):
        try:
            _check_size(entry, limits)
            turn, odd = decode_parsed_leniently(HistoricalMessage, entry)
        except WireError as error:
            problem = next(iter(error.problems), None)
            detail = str(error if problem is None else problem)
            diagnostics.append(Diagnostic(code="history-turn-dropped", at=f"{at}/{index}", detail=detail))
            continue
        diagnostics += prefixed(odd, f"{at}/{index}")
        parts = tuple([canonical_part(part) for part in turn.parts])
        read = without_secrets(replace(turn, parts=parts))
        turns.append(ForwardedTurn(read, index, entry["sender"].get("identities")))
    own = sum(_is_own(forwarded.turn, agent) for forwarded in turns)
    if own:
        detail = f"{own} of {len(turns)} turns say that the agent wrote them: the caller's word alone"
        diagnostics.append(Diagnostic(code="history-role", at=at, detail=detail))
    return tuple(turns), diagnostics


def _check_size(entry: Any, limits: Limits) -> None:
    """Raises when a turn has more parts than a message may have, whether they can be read or not."""
    parts = entry.get("parts") if entry.__class__ is dict else None
    if parts.__class__ is list and len(parts) > limits.parts:
        raise wire_error("too-many-parts", "/parts", f"more than {limits.parts} parts")


def _is_own(turn: HistoricalMessage, agent: str) -> bool:
    """Whether a turn says that the agent wrote it."""
    return turn.role == "assistant" or turn.sender.address == agent


def has_evidence(carrier: Any, turns: Iterable[ForwardedTurn]) -> bool:
    """Whether identity evidence came along, with the message itself or with a prior turn; most messages have none."""
    return carrier is not None or any(forwarded.evidence for forwarded in turns)


def forward_turn(turn: HistoricalMessage, evidence: Iterable[IdentityEvidence]) -> HistoricalMessage:
    """A prior turn as another agent may see it: its sender, and the sender's profile for display.

    Evidence goes along only where it is signed, and for the same agent as the `evidence` of the message itself. A
    policy becomes text: its state is secret.
    """
    audiences = {one.audience for one in evidence}
    sender = turn.sender
    identities = [
        one for one in sender.identities or () if isinstance(one.proof, AttestationProof) and one.audience in audiences
    ]
    forwarded_sender = Sender(
        address=sender.address,
        display_name=sender.display_name,
        profile=sender.profile,
        identities=tuple(identities) or None,
    )
    parts = [TextPart(content=part_text(part)) if isinstance(part, CarriedPolicy) else part for part in turn.parts]
    return replace(turn, sender=forwarded_sender, parts=tuple(parts), extra={})


def canonical_part(part: Part) -> Part:
    """A part that a caller wrote as JSON, in the form that a transport would have read from its own wire."""
    if isinstance(part, TextPart):
        part = replace(part, content=clean(part.content))
    elif isinstance(part, FilePart) and part.name is not None:
        part = replace(part, name=file_name(part.name))
    elif isinstance(part, ArtifactPart) and part.name is not None:
        part = replace(part, name=artifact_name(part.name))
    return part


def demands_in(parts: list[Any]) -> list[int]:
    """The indexes of policies among parts as JSON, whether they can be read or not."""
    return [
        index for index, part in enumerate(parts) if part.__class__ is dict and part.get("kind") == CarriedPolicy.kind
    ]


def without_secrets(value: Any) -> Any:
    """A value of ours whose unknown members, and those of the values in it, are redacted."""
    if value.__class__ is tuple:
        return tuple([without_secrets(item) for item in value])
    if not attrs.has(value.__class__):
        return value
    changed: dict[str, Any] = {}
    for a in attrs.fields(value.__class__):
        member = getattr(value, a.name)
        is_open = a.name in _OPEN and member
        redacted_member = redacted(plain(member)) if is_open else without_secrets(member)
        if redacted_member is not member:
            changed[a.name] = redacted_member
    return replace(value, **changed) if changed else value
