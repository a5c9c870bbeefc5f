"""Step-up: an agent demands sign-in, payment, consent or patience, and goes on once it was met.

A policy travels as the last part of an answer: `CarriedPolicy(policy=...)`. A payment or a consent is issued, and comes
back as a receipt: `accept` verifies it and consumes nothing, `resume` consumes it once, and then the agent acts.

Example:
    >>> from mentionable import policy
    >>> policy.TooManyRequests(message="Slow down, please.", retry_after_seconds=30).kind
    'too_many_requests'

Spec: PolicyPart.
"""

from .._bound_url import bind_url, unbound_urls
from .._model.issuance import Candidate, Issuance, Offer
from .._model.policy import (
    AcceptedPayment,
    AuthChallenge,
    ConsentConfirmation,
    ConsentRequired,
    Forbidden,
    PaymentConfirmation,
    PaymentRequired,
    PolicyPart,
    PolicyTranslation,
    ServiceUnavailable,
    TooManyRequests,
    Unauthorized,
    UnavailableForLegalReasons,
    UnknownPolicy,
)
from .._policy_words import EXTENSION, html_of, markdown_of, text_of
from ._accept import Accepted, accept, next_turn, with_resolution
from ._asks import CheckConsent, CheckPayment, CountFailure, FindIssuance, Granted, Paid, PolicyAsk
from ._binding import key_of, scope_hash
from ._card import declare, is_declared
from ._check import check_response, demand_of
from ._issue import Issued, issue, new_state
from ._read import Found, read_policy, read_resolution
from ._receipt import receipt, x402_receipt
from ._rest import from_http, http_response
from ._resume import Resumed, resume
from ._translate import localized
from ._x402 import x402_demand, x402_demand_in_body, x402_metadata, x402_receipts
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
    "CountFailure",
    "FindIssuance",
    "Forbidden",
    "Found",
    "Granted",
    "Issuance",
    "Issued",
    "Offer",
    "Paid",
    "PaymentConfirmation",
    "PaymentRequired",
    "PolicyAsk",
    "PolicyPart",
    "PolicyTranslation",
    "Resumed",
    "ServiceUnavailable",
    "TooManyRequests",
    "Unauthorized",
    "UnavailableForLegalReasons",
    "UnknownPolicy",
    "accept",
    "bind_url",
    "check_response",
    "declare",
    "demand_of",
    "from_http",
    "html_of",
    "http_response",
    "is_declared",
    "issue",
    "key_of",
    "localized",
    "markdown_of",
    "new_state",
    "next_turn",
    "read_policy",
    "read_resolution",
    "receipt",
    "resume",
    "scope_hash",
    "text_of",
    "unbound_urls",
    "with_resolution",
    "x402_demand",
    "x402_demand_in_body",
    "x402_metadata",
    "x402_payment",
    "x402_payment_from",
    "x402_receipt",
    "x402_receipts",
]
