"""Step-up: the values in which an agent demands sign-in, payment, consent or patience.

A policy travels as the last part of a message or response: `CarriedPolicy(policy=...)`. A kind that this version does
not know is an `UnknownPolicy`: kept whole, and never a success.

Example:
    >>> from mentionable import policy
    >>> policy.TooManyRequests(message="Slow down, please.", retry_after_seconds=30).kind
    'too_many_requests'

Spec: PolicyPart.
"""

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

__all__ = [
    "AcceptedPayment",
    "AuthChallenge",
    "ConsentConfirmation",
    "ConsentRequired",
    "Forbidden",
    "PaymentConfirmation",
    "PaymentRequired",
    "PolicyPart",
    "PolicyTranslation",
    "ServiceUnavailable",
    "TooManyRequests",
    "Unauthorized",
    "UnavailableForLegalReasons",
    "UnknownPolicy",
]
