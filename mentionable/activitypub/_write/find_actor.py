"""From an address to an actor who can be written to: the domain names the actor, and the actor names the address."""

from __future__ import annotations

from typing import Final

from ..._crypto.verification import VerificationFailed
from ..._errors.exceptions import Code, Problem
from ..._flow.asks import Fetch
from ..._flow.flow import Flow, bounded
from ..._flow.outcome import Rejected
from ..._flow.settings import DEFAULTS, Limits, Settings, check_settings
from ..._transport.webfinger import Link, confirmed
from ..._wire.address import Address, agent_address
from .._read.documents import Unreadable, fetch, is_activitystreams, read_actor
from .._read.json_ld import host_of
from .._verify import confirm_address
from .recipients import Actor, actor_at

_MAX_ASKS: Final = 5
"""Two domains, the actor, and two domains again where the actor's own host is another than that of the address."""


def find_actor(address: str, *, settings: Settings = DEFAULTS) -> Flow[Fetch, Actor | Rejected]:
    """The actor behind an address, so that they can be brought into an answer.

    WebFinger names the actor; their document must lead back to the same address, so that an attacker cannot put
    another's name before their own inbox. Servers in secure mode want signed GETs: sign the requests of `Fetch` asks.

    Args:
        address: `@user@domain`.
        settings: Limits.

    Returns:
        A flow of the actor, or of `Rejected`: `actor-unresolvable` when trying again later may help, `actor-unknown`
        when the domain knows no such actor, or its documents contradict each other.

    Raises:
        UsageError: `address` is none, or an answer to an ask is of the wrong kind.

    Spec: RFC 7033; Normalized Message §3.3.1.

    Example:
        >>> from mentionable import Answers, drive
        >>> drive(find_actor("@bob@other.example"), Answers()).code
        'actor-unresolvable'
    """
    own = agent_address(address)
    check_settings(settings)
    limits = settings.limits
    flow = _find_actor(own, limits)
    return flow if limits.asks >= _MAX_ASKS else bounded(flow, remote=limits.asks)


def _find_actor(address: Address, limits: Limits) -> Flow[Fetch, Actor | Rejected]:
    #   1. WebFinger at the domain of the address names the actor
    #   2. the actor document is theirs
    #   3. the address that they have by their own host leads to the same one, as it does in `receive`
    #   4. their inbox is on the host of the actor
    def points(link: Link) -> bool:
        fits = link.rel == "self" and is_activitystreams(link.type) and len(link.href) <= limits.id_chars
        return fits and host_of(link.href) is not None

    try:
        address, link = yield from confirmed(address, points=points, limits=limits)

        actor_id = link.href
        actor = read_actor((yield from fetch(actor_id, "actor", limits=limits)), actor_id, limits=limits)
        if isinstance(actor, Unreadable):
            detail = f"the actor document: {actor.reason}"
            raise VerificationFailed("key-unresolvable", detail, temporary=actor.temporary)

        if actor.sender.address != address:
            other = yield from confirm_address(actor, limits)
            if other != address:
                raise VerificationFailed("address-unconfirmed", f"the actor is {other}, not {address}")

        reachable = actor_at(actor, address=address)
        if reachable is None:
            raise VerificationFailed("address-unconfirmed", "the actor document names no inbox of its own host")
    except VerificationFailed as fault:
        code: Code = "actor-unresolvable" if fault.temporary else "actor-unknown"
        return Rejected(code=code, problems=(Problem("", fault.detail),))
    return reachable
