"""What a caller forwards in `metadata.mentionable`: the capabilities of its platform and the place in a chain.

All of it is the caller's word, unverified and advisory. What is malformed counts as absent and never rejects.

Spec: Normalized Message §3.3.4, §3.3.5; decisions B1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._json import whole_number
from .._model.capabilities import (
    AddressingRelay,
    AgentChain,
    InlineRelay,
    NoRelay,
    RecipientCapabilities,
    RecipientFieldRelay,
)
from .._value import trusted
from ._reading import hints_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._model.capabilities import MentionRelayCapability

PAYMENT_STATUS: Final = "x402.payment.status"
_POLICY: Final = frozenset({"policy", "policy_resolution"})

NO_RELAY: Final = NoRelay()
INLINE_RELAY: Final = InlineRelay()
DEFAULT: Final = RecipientCapabilities(mention_relay=NO_RELAY)
"""What holds for a caller that forwards nothing."""

_ENVELOPE: Final = ("to", "cc")
_FIELDS: Final = ("to", "cc", "bcc")

_capabilities: Final[Callable[..., RecipientCapabilities]] = trusted(
    RecipientCapabilities, "mention_relay", "agent_chain"
)
_chain: Final[Callable[..., AgentChain]] = trusted(AgentChain, "hop", "max_hops", "is_final")


def recipient_capabilities(metadata: Any) -> RecipientCapabilities:
    """The capabilities that a message forwards, or the default."""
    hints = hints_of(metadata)
    if not hints:
        return DEFAULT
    forwarded = hints.get("recipient_capabilities")
    if forwarded.__class__ is not dict:
        chain = _agent_chain(hints.get("agent_chain"))
        return DEFAULT if chain is None else _capabilities(NO_RELAY, chain)
    chain = _agent_chain(forwarded.get("agent_chain"))
    if chain is None:  # an older guide puts it one level up
        chain = _agent_chain(hints.get("agent_chain"))
    return _capabilities(_mention_relay(forwarded.get("mention_relay")), chain)


def _mention_relay(relay: Any) -> MentionRelayCapability:
    """A fresh value with the known members only."""
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
    return NO_RELAY


def _names(names: Any, allowed: tuple[str, ...]) -> tuple[Any, ...]:
    """The names without repeats; empty when one of them is not allowed."""
    if names.__class__ is not list or not all(name.__class__ is str and name in allowed for name in names):
        return ()
    return tuple(dict.fromkeys(names))


def _agent_chain(chain: Any) -> AgentChain | None:
    if chain.__class__ is not dict:
        return None
    # A number may come as a float, which is how every protobuf peer writes it.
    hop, max_hops = whole_number(chain.get("hop"), least=1), whole_number(chain.get("max_hops"), least=1)
    is_final = chain.get("is_final")
    if is_final.__class__ is not bool or hop is None or max_hops is None or hop > max_hops:
        return None
    return _chain(hop, max_hops, is_final)


def tells_of_policy(metadata: Any) -> bool:
    """Whether metadata has a demand or a receipt in it, well formed or not; most have neither."""
    return metadata.__class__ is dict and (
        PAYMENT_STATUS in metadata or not hints_of(metadata).keys().isdisjoint(_POLICY)
    )


def is_demanded(metadata: Any) -> bool:
    """Whether metadata says that something is demanded, well formed or not: then nothing more comes until it is met."""
    is_payment = metadata.__class__ is dict and metadata.get(PAYMENT_STATUS) == "payment-required"
    return is_payment or hints_of(metadata).get("policy") is not None
