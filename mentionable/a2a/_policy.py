"""Policies in A2A: the policy in the metadata of an answer, payments by x402, and the receipts that come back.

Loaded only for messages that have one: see `has_policy`.

Spec: PolicyPart §Wire Mappings, §Resumption Patterns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from .. import policy as policies
from .._errors.exceptions import WireError
from .._model.base import replace
from .._model.codec import encode
from .._model.diagnostic import Diagnostic, prefixed
from .._model.issuance import Candidate
from .._model.parts import CarriedPolicy, Part, TextPart
from .._model.policy import PaymentRequired, PolicyPart
from .._text.policy_text import says
from ._protocol import Json
from ._read.artifact import text_of
from ._read.metadata import PAYMENT_STATUS, hints_of


def write_policy_metadata(policy: PolicyPart) -> tuple[Json, Json]:
    """The members of `metadata.mentionable` for a policy, and the members of `metadata` for clients of x402."""
    for_x402 = policies.x402_metadata(policy) if isinstance(policy, PaymentRequired) else {}
    return {"policy": encode(policy)}, for_x402


class TakenPolicy(NamedTuple):
    """The policy of an answer, and its other parts.

    Attributes:
        parts: The parts without the text that only renders the policy.
        policy: The policy, if there is one.
        diagnostics: What of the policy is malformed.
    """

    parts: list[Part]
    policy: tuple[CarriedPolicy, ...]
    diagnostics: list[Diagnostic]


def take_policy(
    metadata: Any,
    parts: Sequence[Part],
    *,
    authority: str | None,
    task_id: str | None,
    produced: Iterable[Any] = (),
) -> TakenPolicy:
    """The policy in the metadata of an answer, and the parts without the text that only renders it.

    The policy of this library counts before one of x402, which says the same in another form. A malformed one is
    ignored, and the text that renders it stays.

    Args:
        metadata: The metadata of the message.
        parts: The parts of the message.
        authority: The host of the agent that answers; None when it is not known.
        task_id: The task, by which x402 identifies its payments.
        produced: The parts of artifacts as they came, where carts of AP2 request payments by x402.
    """
    diagnostics: list[Diagnostic] = []
    stated = hints_of(metadata).get("policy")
    policy: PolicyPart | None = None
    rendered: PolicyPart | None = None
    if stated is not None:
        parsed = policies.read_policy(stated, authority=authority)
        policy = rendered = parsed.policy
        diagnostics += prefixed(parsed.diagnostics, "/metadata/mentionable/policy")
        # The text renders the URL that came, also one of another host, which the policy does not have.
        if policy is not None and any(one.at == "/url" and one.code == "url-refused" for one in parsed.diagnostics):
            label = stated.get("action_label")
            rendered = replace(policy, url=stated["url"], action_label=label if label.__class__ is str else None)
    if policy is None and PAYMENT_STATUS in metadata:
        parsed = policies.x402_demand(metadata, message=text_of(parts), state=task_id, parts=produced)
        policy = rendered = parsed.policy
        diagnostics += prefixed(parsed.diagnostics, "/metadata")
    remaining = list(parts)
    if policy is None or rendered is None:
        return TakenPolicy(remaining, (), diagnostics)
    if remaining and isinstance(last := remaining[-1], TextPart) and says(last.content, rendered, alone=True):
        del remaining[-1]
    return TakenPolicy(remaining, (CarriedPolicy(policy=policy),), diagnostics)


def parts_in(artifacts: Iterable[Any]) -> Iterator[Any]:
    """The parts of artifacts as they came, whether they can be read or not."""
    for artifact in artifacts:
        parts = artifact.get("parts") if artifact.__class__ is dict else None
        yield from parts if parts.__class__ is list else ()


def candidate_in(metadata: Any, parts: list[Any], task_id: str) -> tuple[Candidate | None, Sequence[Diagnostic]]:
    """The receipt in the metadata of a request, or None. A malformed one is ignored, with a diagnostic.

    Args:
        metadata: The metadata of the message.
        parts: The parts as they came, where mandates of AP2 hold payments by x402.
        task_id: The task of the message.
    """
    hints, at = hints_of(metadata), "/metadata"
    try:
        if hints.get("policy_resolution") is not None:
            at = "/metadata/mentionable/policy_resolution"
            return policies.read_resolution(hints["policy_resolution"]), ()
        payment = policies.x402_payment(metadata, parts=parts)
    except WireError as error:
        return None, [Diagnostic(code=error.code, at=at + pointer, detail=rule) for pointer, rule in error.problems]
    if payment is None:
        return None, ()
    return policies.payment_candidate(payment, task_id), ()
