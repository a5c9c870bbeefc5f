"""Policies: an agent requires sign-in, payment or consent, and goes on once a receipt is verified.

A policy travels as the last part of an answer: `CarriedPolicy(policy=...)`. A payment or a consent is issued, and comes
back as a receipt: `accept` verifies it and consumes nothing, `resume` consumes it once, and then the agent acts.

Example:
    >>> from mentionable import policy
    >>> policy.TooManyRequests(message="Slow down, please.", retry_after_seconds=30).kind
    'too_many_requests'

Spec: PolicyPart.
"""

from .._flow.asks import CheckConsent, CheckPayment, ConsentStatus, CountFailure, FindIssuance, PaymentStatus, PolicyAsk
from .._model.issuance import Candidate, Issuance, Offer
from .._model.payment import Payment, Transfer
from .._model.policy import (
    EXTENSION,
    AcceptedPayment,
    AuthChallenge,
    ConsentConfirmation,
    ConsentRequired,
    Forbidden,
    PaymentConfirmation,
    PaymentRequired,
    PolicyPart,
    PolicyPartBase,
    PolicyTranslation,
    ServiceUnavailable,
    TooManyRequests,
    Unauthorized,
    UnavailableForLegalReasons,
    UnknownPolicy,
)
from .._text.policy_text import render_html, render_markdown, render_text
from .._transport.policy_part import ParsedPolicy, read_policy
from .._transport.url_binding import bind_url, unbound_urls
from ._accept import Accepted, accept, next_turn, with_resolution
from ._binding import key_of, scope_hash
from ._card import declare, is_declared
from ._check import check_response, demand_of
from ._issue import ConsentTerms, Issued, issue, new_state
from ._read import read_resolution
from ._receipt import check_receipt as check_receipt  # for the transports
from ._receipt import receipt, x402_submission
from ._rest import from_http, to_http
from ._rest import from_http_members as from_http_members  # for the transports
from ._rest import to_http_members as to_http_members  # for the transports
from ._resume import Resumed, resume
from ._translate import localize
from ._x402 import check_settlement as check_settlement  # for the transports
from ._x402 import x402_demand, x402_demand_in_body, x402_metadata, x402_settlement
from ._x402_payment import payment_candidate as payment_candidate  # for the transports
from ._x402_payment import x402_payment, x402_payment_from

__all__ = [
    "EXTENSION",
    "Accepted",
    "AcceptedPayment",
    "AuthChallenge",
    "Candidate",
    "CheckConsent",
    "CheckPayment",
    "ConsentConfirmation",
    "ConsentRequired",
    "ConsentStatus",
    "ConsentTerms",
    "CountFailure",
    "FindIssuance",
    "Forbidden",
    "Issuance",
    "Issued",
    "Offer",
    "ParsedPolicy",
    "Payment",
    "PaymentConfirmation",
    "PaymentRequired",
    "PaymentStatus",
    "PolicyAsk",
    "PolicyPart",
    "PolicyPartBase",
    "PolicyTranslation",
    "Resumed",
    "ServiceUnavailable",
    "TooManyRequests",
    "Transfer",
    "Unauthorized",
    "UnavailableForLegalReasons",
    "UnknownPolicy",
    "accept",
    "bind_url",
    "check_response",
    "declare",
    "demand_of",
    "from_http",
    "is_declared",
    "issue",
    "key_of",
    "localize",
    "new_state",
    "next_turn",
    "read_policy",
    "read_resolution",
    "receipt",
    "render_html",
    "render_markdown",
    "render_text",
    "resume",
    "scope_hash",
    "to_http",
    "unbound_urls",
    "with_resolution",
    "x402_demand",
    "x402_demand_in_body",
    "x402_metadata",
    "x402_payment",
    "x402_payment_from",
    "x402_settlement",
    "x402_submission",
]
