"""What an agent asks for before it goes on: a payment, or a consent.

`Context.ask_payment` and `Context.ask_consent` raise a `Demand`, which ends the turn; the host answers with it. When
the receipt has come, the agent's function runs again for the same message, and the same call returns the receipt.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from attrs import frozen
from mentionable import CarriedPolicy, NormalizedMessage, NormalizedResponse, Part, Settings, policy

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Ask", "Demand", "consent_url", "issued", "purpose_of_consent", "purpose_of_payment", "stranger"]


@frozen(kw_only=True)
class Ask:
    """What is asked for.

    Attributes:
        text: The question, for people.
        purpose: What tells this question from others that the agent asks for the same message.
        payments: The ways to pay; empty: it is a consent.
        scope: What consent is asked for, any JSON.
        url: A page of the program; None: the host's own page for a consent, none for a payment.
        label: The text of the button that leads there.
        subject: Who must consent, in the program's own terms; only with a page of its own.
        lifetime: How long it can be met.
    """

    text: str
    purpose: str
    payments: tuple[policy.AcceptedPayment, ...] = ()
    scope: Any = None
    url: str | None = None
    label: str | None = None
    subject: str | None = None
    lifetime: timedelta | None = None


class Demand(BaseException):  # it is no error, and `except Exception` of a program must not hold it up
    """Ends a turn: the answer asks for something, and the agent goes on when it has come."""

    def __init__(self, ask: Ask) -> None:
        """Made by the context."""
        super().__init__(ask.text)
        self.ask = ask


def purpose_of_payment(text: str, payments: tuple[policy.AcceptedPayment, ...]) -> str:
    """What tells a question for money from others: its words, and the terms of each way to pay.

    What changes from one run to the next counts only where it names money: an invoice or a session is another one each
    time.
    """
    terms = [text]
    for one in payments:
        requirement = one.payload.get("requirement")
        terms += [one.scheme, policy.scope_hash(requirement) if isinstance(requirement, Mapping) else ""]
    return "payment " + sha256("\0".join(terms).encode()).hexdigest()


def purpose_of_consent(scope: Any) -> str:
    """What tells a question for consent from others: its scope."""
    return f"consent {policy.scope_hash(scope)}"


def issued(
    host: Host, ask: Ask, *, to: NormalizedMessage, before: tuple[Part, ...]
) -> tuple[NormalizedResponse, policy.Issuance]:
    """The answer that asks, and the record to store with it.

    Args:
        host: The host.
        ask: What is asked for.
        to: The message that is answered.
        before: What the agent answered before it asked.

    Raises:
        UsageError: The demand may not go out so: a fault of the program.
    """
    now, entropy = host.world.now(), host.world.entropy()
    state = policy.new_state(to=to, entropy=entropy)
    part: policy.PaymentRequired | policy.ConsentRequired
    terms = None
    if ask.payments:
        part = policy.PaymentRequired(
            message=ask.text, url=ask.url, action_label=ask.label, accepted_payments=ask.payments
        )
    else:
        page, terms = consent_url(host, state), policy.ConsentTerms(scope=ask.scope)
        part = policy.ConsentRequired(
            message=ask.text,
            url=page if ask.url is None else _with_state(ask.url, state),
            action_label=ask.label or "Answer",
            state=state,
            return_to=page,
        )
    made = policy.issue(
        part,
        to=to,
        consent=terms,
        subject=ask.subject,
        lifetime=ask.lifetime,
        now=now,
        entropy=entropy,
        settings=_settings(host),
    )
    return NormalizedResponse.to(to, *before, CarriedPolicy(policy=made.part)), made.record


def consent_url(host: Host, state: str) -> str:
    """The page of the host on which a person consents. Links of demands are https, also where a trial has no TLS."""
    return f"https://{_authority(host)}/consent/{state}"


def _authority(host: Host) -> str:
    """The host and port of the agent's own pages."""
    scheme, _, authority = host.config.origin.partition("://")
    return authority if scheme == "https" else host.config.agent.domain


def _settings(host: Host) -> Settings:
    own = _authority(host)
    return Settings(policy_hosts=() if own == host.config.agent.domain else (own,))


def stranger(message: NormalizedMessage) -> NormalizedResponse:
    """The answer to who is not verified, where a question would go to whoever they claim to be."""
    text = "I can do this only for people whose address is verified."
    return NormalizedResponse.to(message, policy.Unauthorized(message=text, auth_challenges=()))


def _with_state(url: str, state: str) -> str:
    """A page of the program, with the demand that it is for in its URL."""
    return f"{url}{'&' if '?' in url else '?'}state={state}"
