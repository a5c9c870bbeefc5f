"""`policy.issue`: a demand as the part that goes out, and the record to store of it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, Settings, check_entropy, check_inputs, check_kind
from .._model.base import frozen, replace
from .._model.issuance import MAX_LIFETIME, Issuance, Offer
from .._model.message import NormalizedMessage
from .._model.policy import ConsentRequired, PaymentRequired
from .._transport.url_binding import unbound_urls, url_violation
from .._wire.address import agent_address
from .._wire.ids import derive, task_id_for
from .._wire.time import format_time
from ._binding import key_of, payload_hash, platform_evidence, scope_hash, state_text, task_state
from ._x402 import is_offer
from ._x402_terms import is_x402

_IN_BAND: Final = frozenset({"a2a", "rest"})
"""The transports on which payments by x402 come with the message itself."""

_LIFETIMES: Final = {"payment_required": timedelta(minutes=10), "consent_required": timedelta(minutes=15)}


@frozen
class ConsentTerms:
    """What a consent is about. Payments have none.

    Attributes:
        scope: What consent is requested for, as any JSON. It is compared as it is.
        callbacks: URLs outside your own host that people may be sent back to, exactly: those of the connector's card.
    """

    scope: Any
    callbacks: Collection[str] = ()


@frozen
class Issued:
    """A policy requirement that was issued.

    Attributes:
        part: What to answer with, its state in it: `CarriedPolicy(policy=issued.part)`.
        record: What to store under each of its `keys`, before the answer goes out.
    """

    part: PaymentRequired | ConsentRequired
    record: Issuance


def new_state(*, to: NormalizedMessage, entropy: bytes) -> str:
    """The state that `issue` gives with the same arguments, 256 bits.

    For what must know it first: the `url` of a consent page, the session of a payment provider.

    Args:
        to: The message that is answered by a demand.
        entropy: At least 32 random bytes, other ones for each demand.
    """
    check_entropy(entropy)
    check_kind(to, NormalizedMessage, "to")
    return state_text(derive("policy.state", entropy, to.id, to.recipient))


def issue(
    part: PaymentRequired | ConsentRequired,
    *,
    to: NormalizedMessage,
    consent: ConsentTerms | None = None,
    subject: str | None = None,
    lifetime: timedelta | None = None,
    now: datetime,
    entropy: bytes,
    settings: Settings = DEFAULTS,
) -> Issued:
    """Issue a demand for a payment or a consent, bound to the message that it answers.

    Store the record before the answer goes out. A receipt counts for this agent, sender and thread only, for what is
    offered here, until the record expires, and once.

    Args:
        part: The demand. Its state is None, or what `new_state` gave; a consent always has the latter.
        to: The message that it answers.
        consent: What the consent is about. Required with a `ConsentRequired`, and for it alone.
        subject: Who it is in your own terms, such as an account. `accept` and `resume` then need the same value. None:
            who it is by the evidence of a platform, where the message has some: `slack:T123/U456`. Then a message that
            completes the requirement needs evidence of the same subject.
        lifetime: How long it can be completed: up to an hour. Without it 10 minutes for payments, 15 for consents.
        now: The time, aware.
        entropy: At least 32 random bytes, other ones for each demand; the same give the same state.
        settings: `policy_hosts` are other hosts that may stand in URLs.

    Raises:
        UsageError: The demand may not go out so; it says why.

    Spec: PolicyPart §Base Fields, §Kind-Specific Fields, §PolicyResolution.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import NoRelay, NormalizedMessage, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@alice@a.example"), recipient="@helper@agents.example",
        ...     parts=(), recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()), received_via="email",
        ...     received_at="2026-11-21T00:00:00Z", raw=None,
        ... )
        >>> from mentionable.policy import AcceptedPayment, PaymentRequired
        >>> offer = AcceptedPayment(scheme="ln.bolt11", payload={"invoice": "lnbc1"}, label="Pay 10 sat")
        >>> demand = PaymentRequired(message="This costs 10 sat.", accepted_payments=(offer,))
        >>> issued = issue(demand, to=question, now=datetime(2026, 11, 21, tzinfo=UTC), entropy=bytes(32))
        >>> len(issued.part.state), issued.record.expires_at
        (43, '2026-11-21T00:10:00Z')
    """
    # 1. check the demand, and derive its state     3. record what a receipt must be for
    # 2. every URL must be on a host of the agent   4. put the state into the demand

    # 1.
    check_inputs(now, settings)
    state = new_state(to=to, entropy=entropy)
    if not isinstance(part, (PaymentRequired, ConsentRequired)):
        raise UsageError("only a PaymentRequired or a ConsentRequired is issued; other policies are just answered")
    if part.state not in (None, state):
        raise UsageError("state: leave it out, or take it from new_state() with the same message and entropy")

    # 2. Or a demand could lead people to the page of an attacker.
    host = agent_address(to.recipient).domain
    for problem in unbound_urls(part, host, also=settings.policy_hosts):
        raise UsageError(f"{problem.at}: {problem.rule}")

    # 3.
    threads = _threads(to)
    evidence = platform_evidence(to) if subject is None else None
    issuance = Issuance(
        key=key_of(state),
        kind=part.kind,
        agent=to.recipient,
        threads=threads,
        principal=to.sender.address,
        principal_verified=to.sender.verified,
        message_id=to.id,
        issued_at=format_time(now),
        expires_at=format_time(now + _checked(lifetime, part.kind)),
        subject=subject if evidence is None else evidence.subject,
        subject_method=None if evidence is None else evidence.method,
        **(
            _payment_terms(part, to, threads, consent)
            if isinstance(part, PaymentRequired)
            else _consent_terms(part, host, consent, settings)
        ),
    )

    # 4.
    return Issued(part=replace(part, state=state), record=issuance)


def _threads(to: NormalizedMessage) -> tuple[str, ...]:
    """The threads in which a receipt may come. An A2A question without a task is answered by one, which names them."""
    own = task_id_for(to.id) if to.received_via == "a2a" else to.thread_id
    return tuple(dict.fromkeys((to.thread_id, own)))


def _checked(lifetime: timedelta | None, kind: str) -> timedelta:
    if lifetime is None:
        return _LIFETIMES[kind]
    if not timedelta(0) < lifetime <= MAX_LIFETIME:
        raise UsageError("lifetime is more than nothing and at most an hour")
    return lifetime


def _payment_terms(
    part: PaymentRequired, to: NormalizedMessage, threads: tuple[str, ...], consent: object
) -> dict[str, Any]:
    """The record's members for the offers. x402 payments name no state; the task or session identifies their demand."""
    if consent is not None:
        raise UsageError("consent: a payment has no terms of a consent")
    offers = []
    for number, offer in enumerate(part.accepted_payments):
        if is_x402(offer.scheme) and not is_offer(offer):
            raise UsageError(
                f"accepted_payments[{number}].payload: {offer.scheme} wants {{x402Version, resource, requirement}}, the"
                " requirement with everything that its version of x402 has, amounts as text"
            )
        offers.append(Offer(scheme=offer.scheme, payload_hash=payload_hash(offer.payload), payload=offer.payload))
    by_task = to.received_via in _IN_BAND and any(is_x402(offer.scheme) for offer in offers)
    states = [task_state(to.recipient, to.sender.address, thread) for thread in threads] if by_task else []
    aliases = tuple(map(key_of, states))
    return {"offers": tuple(offers), "aliases": aliases}


def _consent_terms(part: ConsentRequired, host: str, consent: object, settings: Settings) -> dict[str, Any]:
    """The record's members for a consent."""
    if not isinstance(consent, ConsentTerms) or consent.scope is None:
        raise UsageError("consent: name what consent is requested for, policy.ConsentTerms(scope=...)")
    if isinstance(consent.callbacks, str):  # `in` would accept any substring of it
        raise UsageError("callbacks is a collection of URLs, not one text")
    violation = url_violation(part.return_to, host, also=settings.policy_hosts)
    if violation is not None and part.return_to not in consent.callbacks:
        raise UsageError(f"return_to: not one of callbacks, and not on your host: {violation}")
    return {"scope_hash": scope_hash(consent.scope)}
