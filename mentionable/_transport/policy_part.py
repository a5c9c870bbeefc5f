"""Policies as parts of outgoing and incoming messages: what every transport does alike."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import islice
from typing import Any, Final

from .._errors.exceptions import NO_PRIVATE_WAY, Problem, UnanswerableError, WireError, wire_error
from .._flow.settings import Limits
from .._model.base import frozen, replace
from .._model.codec import decode_parsed_leniently
from .._model.diagnostic import Diagnostic, prefixed
from .._model.message import NormalizedResponse
from .._model.parts import CarriedPolicy, Part
from .._model.policy import ConsentRequired, PaymentRequired, PolicyPart, Unauthorized, UnknownPolicy
from .._wire.strict_json import loads, sent_indexes
from .url_binding import bound

_CHALLENGES: Final = "/auth_challenges"

MAX_BYTES: Final = 65_536
"""Bytes of JSON of a policy alongside a text: a larger one could make peers reject the whole message."""


# -- out


def is_private_demand(policy: PolicyPart) -> bool:
    """Whether the asker alone may read a policy: it has a state, a link to pay or sign in, or a question of consent.

    Whoever follows a link to sign in that was made for another person may become that person for the agent. Of a kind
    that this version does not know, a link may be any of these. A state counts in every kind.

    Spec: docs/decisions.md R59.

    Example:
        >>> from mentionable.policy import AcceptedPayment, Forbidden, PaymentRequired
        >>> offer = AcceptedPayment(scheme="ln.bolt11", payload={"invoice": "lnbc1"})
        >>> bill = PaymentRequired(message="Pay.", accepted_payments=(offer,), url="https://agents.example/pay")
        >>> is_private_demand(bill), is_private_demand(Forbidden(message="No."))
        (True, False)
    """
    match policy:
        case ConsentRequired():
            return True
        case PaymentRequired(state=state) if state is not None:
            return True
        case PaymentRequired(url=url) | Unauthorized(url=url) | UnknownPolicy(url=url) if url is not None:
            return True
        case _:
            return policy.extra.get("state") is not None


def has_private_policy(response: NormalizedResponse) -> bool:
    """Whether a response has a policy that the person asked alone may read."""
    return any(isinstance(part, CarriedPolicy) and is_private_demand(part.policy) for part in response.parts)


def no_private_way(detail: str) -> UnanswerableError:
    """The error where a policy would be read by others than the person asked.

    Args:
        detail: Who would read it, in words.
    """
    return UnanswerableError(NO_PRIVATE_WAY, detail)


def policy_at_end(response: NormalizedResponse) -> tuple[PolicyPart | None, tuple[Diagnostic, ...]]:
    """The policy that a response ends with, and what of its part no wire can carry."""
    last = response.parts[-1] if response.parts else None
    if not isinstance(last, CarriedPolicy):
        return None, ()
    if not last.extra:
        return last.policy, ()
    at = f"/parts/{len(response.parts) - 1}/extra"
    detail = "there is no place for members of other versions; they were left out"
    return last.policy, (Diagnostic(code="part-changed", at=at, detail=detail),)


def check_readable(data: bytes, *, max_depth: int) -> None:
    """Raises when readers would not take a policy of this JSON.

    Raises:
        WireError: Too large, or nested too deeply.
    """
    loads(data, max_bytes=MAX_BYTES, max_depth=max_depth)


def left_as_text(response: NormalizedResponse, error: WireError) -> Diagnostic:
    """The diagnostic that the policy at the end of a response is sent as text alone."""
    at = f"/parts/{len(response.parts) - 1}"
    return Diagnostic(code="part-changed", at=at, detail=f"its text alone is sent, not the policy itself: {error}")


# -- in


@frozen
class ParsedPolicy:
    """A policy as it was read.

    Attributes:
        policy: The policy, or None when it counts for nothing.
        diagnostics: Why, or what of it was left out; each `at` is relative to the policy.
    """

    policy: PolicyPart | None
    diagnostics: tuple[Diagnostic, ...] = ()


def read_policy(value: Any, *, authority: str | None) -> ParsedPolicy:
    """A policy out of any JSON. A policy never means that the request succeeded.

    A URL that is not on the host of the agent that demands is left out: no reader shall be led elsewhere. An optional
    member that does not fit is left out too; a faulty amount, payee or state rejects the policy.

    Args:
        value: The JSON, as a strict loader returned it.
        authority: The host of the agent; None when it is not known whose policy it is, and then no URL counts.

    Spec: PolicyPart §Base Fields, §3.6; decisions B11.
    """
    try:
        if value.__class__ is not dict:
            raise wire_error("malformed", "", "a policy is an object")
        policy, diagnostics = decode_parsed_leniently(PolicyPart, value)
    except WireError as error:
        problem = next(iter(error.problems), None)
        at, rule = ("", str(error)) if problem is None else problem
        return ParsedPolicy(policy=None, diagnostics=(Diagnostic(code="policy-malformed", at=at, detail=rule),))
    parsed = bind_policy(policy, authority, left_out={one.at for one in diagnostics})
    return replace(parsed, diagnostics=(*diagnostics, *parsed.diagnostics)) if diagnostics else parsed


def bind_policy(
    policy: PolicyPart, authority: str | None, *, at: str = "", left_out: Set[str] = frozenset()
) -> ParsedPolicy:
    """A policy without the URLs that are not on the host of the agent that demands.

    Args:
        policy: The policy.
        authority: As for `read_policy`.
        at: Where its JSON stands; each `at` of the diagnostics begins with it.
        left_out: The places of what was left out when it was read, among others.
    """
    own, problems = bound(policy, authority or "")
    if isinstance(policy, Unauthorized) and left_out:
        places = list(islice(sent_indexes(f"{at}{_CHALLENGES}", left_out), len(policy.auth_challenges)))
        problems = tuple([Problem(_as_sent(problem.at, places), problem.rule) for problem in problems])
    diagnostics = [Diagnostic(code="url-refused", at=at + place, detail=rule) for place, rule in problems]
    return ParsedPolicy(policy=own, diagnostics=tuple(diagnostics))


def _as_sent(at: str, places: Sequence[int]) -> str:
    """A place in a policy as a place in its JSON, where its challenges stand at `places`."""
    if not at.startswith(_CHALLENGES):
        return at
    _, name, index, inside = at.split("/", 3)
    return f"/{name}/{places[int(index)]}/{inside}"


def append_parsed_policy(
    parts: tuple[Part, ...], parsed: ParsedPolicy, *, at: str, limits: Limits
) -> tuple[tuple[Part, ...], list[Diagnostic]]:
    """The parts of a message with its policy as the last one, if it has a valid one; and what is odd about it.

    Args:
        parts: The other parts.
        parsed: The policy.
        at: The JSON Pointer of the policy in the message.
        limits: How many parts there may be.

    Raises:
        LimitError: There are too many parts.
    """
    diagnostics = prefixed(parsed.diagnostics, at)
    if parsed.policy is None:
        return parts, diagnostics
    return append_within_limits(parts, (CarriedPolicy(policy=parsed.policy),), at=at, limits=limits), diagnostics


def append_within_limits(
    parts: Sequence[Part], policy: tuple[CarriedPolicy, ...], *, at: str, limits: Limits
) -> tuple[Part, ...]:
    """The parts of a message, and after them its policy, if it has one.

    Args:
        parts: The other parts.
        policy: The policy, or nothing.
        at: The JSON Pointer in the message at which there are too many.
        limits: How many parts there may be.

    Raises:
        LimitError: There are too many parts.
    """
    if len(parts) + len(policy) > limits.parts:
        raise wire_error("too-many-parts", at, f"more than {limits.parts} parts")
    return (*parts, *policy)
