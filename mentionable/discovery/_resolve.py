"""From an address to an agent that can be called: its domain names the card, and the card names the address.

Spec: WebFinger for Mentionable agents §1; AgentCard v0.1.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final

from .._crypto.verification import VerificationFailed
from .._errors.exceptions import Code, Problem, WireError, wire_error
from .._flow.asks import Fetch, Fetched
from .._flow.flow import Failed, Flow, bounded
from .._flow.outcome import Rejected, rejected
from .._flow.settings import DEFAULTS, check_settings, own_settings
from .._flow.settings import Settings as BaseSettings
from .._model.base import frozen, maker_for_readers, replace
from .._model.diagnostic import Diagnostic
from .._transport.webfinger import described
from .._wire.address import Address, agent_address
from .._wire.http import is_busy, is_fetchable_url
from ._a2a_card import A2AInterface, Dialect, Endpoint, endpoints_of, first_spoken
from ._a2a_read import decode_a2a_card, is_a2a_card
from ._agent_card import AgentCard, card_document, decode_agent_card
from ._settings import Settings
from ._signature import VerifiedCard, verify_card

_ACCEPT: Final = "application/json"
_JSON: Final = re.compile(r"[ \t]*+application/(?:[a-z0-9.-]{1,64}\+)?json[ \t]*+(?:;.*+)?", re.IGNORECASE).fullmatch
_MAX_BYTES: Final = 65_536
"""How large a WebFinger document, or a card that it names, may be."""

_ASKS: Final = 2
_BINDINGS: Final = {"https+jsonrpc": "JSONRPC", "https+json": "HTTP+JSON", "https+sse": "HTTP+JSON"}
"""How the A2A section of a card calls a binding → how A2A does."""

_new_interface: Final = maker_for_readers(A2AInterface)


@frozen
class ResolvedAgent:
    """An agent that can be reached, and how.

    Attributes:
        address: Its address as its domain writes it: an audience, an addressee.
        card: What it says about itself; None where a signed card was required, since most of it is not covered.
        card_url: Where the card came from.
        endpoints: How it is called by A2A, the way that it likes best first: only what `a2a.call` speaks, and only by
            https on public names.
        rest: Where it is called by plain HTTP: the `url` of `rest.call`.
        actor: The id of its ActivityPub actor: `activitypub.find_actor` says whether it is.
        mailbox: Its mailbox `local@domain`.
        profile_page: A page for people.
        signed: What a key of its domain signed, where that was required: then all endpoints are from there, and actor,
            mailbox and page are what the domain itself says.
        diagnostics: What does not fit and was left out, each with its place on the card; what the domain says about the
            address has its places under `/webfinger`.
    """

    address: Address
    card: AgentCard | None
    card_url: str
    endpoints: tuple[Endpoint, ...] = ()
    rest: str | None = None
    actor: str | None = None
    mailbox: str | None = None
    profile_page: str | None = None
    signed: VerifiedCard | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    def endpoint(self, *, dialects: Collection[Dialect] | None = None) -> Endpoint | None:
        """The way to call it: the first that the agent likes and that you speak; None when there is none.

        Args:
            dialects: What you speak, in no order; None: all that `a2a.call` does.

        Raises:
            UsageError: `dialects` is one text.
        """
        return first_spoken(self.endpoints, dialects)


def resolve_agent(address: str, *, settings: BaseSettings = DEFAULTS) -> Flow[Fetch, ResolvedAgent | Rejected]:
    """Where and how an agent can be reached, as its domain and its card say.

    The domain names the card, and the card must name the address, so that no attacker can put another's address before
    their own endpoints. At most two documents are fetched, and none for an address whose domain is not public. The
    card is where WebFinger says; no URL is guessed. You follow at most one redirect, by https alone; the final URL is
    checked here.

    For domains with `Settings.card_keys`, and for all with `require_signed_cards`, the card must be signed, and only
    what is signed is returned.

    Args:
        address: `@agent@domain`. In the local part it may differ by case from what the domain says.
        settings: Limits, and keys of cards.

    Returns:
        A flow of the agent, or of `Rejected`: `agent-unresolvable` when trying again later may help; `agent-unknown`
        when the domain knows no such agent, or contradicts itself; `agent-card-mismatch`;
        a code of `verify_card`; or why the card cannot be read.

    Raises:
        UsageError: `address` is none, or an answer to an ask is of the wrong kind.

    Spec: WebFinger for Mentionable agents §1; AgentCard v0.1.

    Example:
        >>> from mentionable import Answers, drive
        >>> drive(resolve_agent("@helper@agents.example"), Answers()).code
        'agent-unresolvable'
    """
    asked = agent_address(address)
    check_settings(settings)
    own = own_settings(Settings, settings)
    limits = replace(own.limits, fetched_bytes=min(own.limits.fetched_bytes, _MAX_BYTES))
    flow = _resolved(asked, replace(own, limits=limits))
    return flow if limits.asks >= _ASKS else bounded(flow, remote=limits.asks)


def _resolved(address: Address, settings: Settings) -> Flow[Fetch, ResolvedAgent | Rejected]:
    # 1. ask the domain about the address      4. the card must name the address
    # 2. fetch the card that the domain names  5. where a signature is required, take only what it covers
    # 3. read the card                         6. else take the endpoints that the card lists
    of_domain: tuple[Diagnostic, ...] = ()
    try:
        # 1.
        descriptor, odd = yield from described(address, limits=settings.limits)
        of_domain = tuple([replace(note, at=f"/webfinger{note.at}") for note in odd])
        address = descriptor.subject or address

        # 2.
        url = descriptor.agent_card
        if url is None:
            raise VerificationFailed("address-unconfirmed", f"{address.domain} names no card that may be asked for")
        fetch = Fetch(url=url, accept=_ACCEPT, purpose="agent-card", max_bytes=settings.limits.fetched_bytes)
        answer = _checked((yield from fetch))

        # 3.
        document = card_document(answer.body, settings)
        card, of_card = decode_agent_card(document, lenient=True)

        # 4. Or an attacker could name the address of another before their own endpoints.
        if card.address != address:
            raise wire_error("agent-card-mismatch", "/address", f"it is not {address}")
        agent = ResolvedAgent(
            address=address,
            card=None,
            card_url=answer.url,
            actor=descriptor.actor,
            mailbox=descriptor.mailbox,
            profile_page=descriptor.profile_page,
            diagnostics=of_domain,
        )

        # 5.
        if address.domain in settings.card_keys or settings.require_signed_cards:
            signed = verify_card(document, domain=address.domain, settings=settings)
            if isinstance(signed, Rejected):
                return signed
            return replace(agent, signed=signed, endpoints=signed.card.endpoints)

        # 6. A member of both cards in one document is reported once.
        interfaces, of_a2a = _interfaces(card, document)
        return replace(
            agent,
            card=card,
            endpoints=endpoints_of(interfaces),
            diagnostics=tuple(dict.fromkeys(of_domain + of_card + of_a2a)),
            **_others(agent, card),
        )
    except VerificationFailed as fault:
        code: Code = "agent-unresolvable" if fault.temporary else "agent-unknown"
        left_out = [Problem(note.at, note.detail) for note in of_domain]
        return Rejected(code=code, problems=(Problem("", fault.detail), *left_out))
    except WireError as error:
        return rejected(error)


def _checked(answer: Fetched | Failed) -> Fetched:
    """The answer with the card.

    Raises:
        VerificationFailed: There is none, or none just now.
    """
    if isinstance(answer, Failed):
        raise VerificationFailed("address-unresolvable", f"the card: {answer.reason}", temporary=answer.temporary)
    if answer.status != 200:
        raise VerificationFailed(
            "address-unconfirmed", f"the card: status {answer.status}", temporary=is_busy(answer.status)
        )
    if not _JSON(answer.content_type) or not is_fetchable_url(answer.url):
        raise VerificationFailed("address-unconfirmed", "the card: not JSON by its content type, or not from the web")
    return answer


def _interfaces(card: AgentCard, document: dict[str, Any]) -> tuple[tuple[A2AInterface, ...], tuple[Diagnostic, ...]]:
    """The interfaces of the A2A card in the same document, then the endpoint of the card's own section."""
    listed: tuple[A2AInterface, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    if is_a2a_card(document):
        a2a, diagnostics = decode_a2a_card(document, lenient=True)
        listed = a2a.interfaces
    section = card.a2a
    own = _new_interface(
        url=section.endpoint,
        protocol_binding=_BINDINGS.get(section.transport, section.transport),
        protocol_version=section.protocol_version or "0.3",
    )
    is_listed = any(one.url == own.url and one.dialect == own.dialect for one in listed)
    return (listed if is_listed else (*listed, own)), diagnostics


def _others(agent: ResolvedAgent, card: AgentCard) -> dict[str, Any]:
    """The other ways to reach an agent; where its domain names an actor or a page, the domain counts."""
    mine, fediverse = card.mentionable, card.activitypub
    return {
        "rest": None if mine.rest is None else _public(mine.rest.endpoint),
        "actor": agent.actor or (None if fediverse is None else _public(fediverse.actor)),
        "profile_page": agent.profile_page or mine.homepage,
    }


def _public(url: str) -> str | None:
    """A URL, if it is one that may be asked for."""
    return url if is_fetchable_url(url) else None
