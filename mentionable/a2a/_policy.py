"""Policies in A2A: the policy in the metadata of an answer, payments by x402, and the receipts that come back.

Loaded only for messages that have one: see `has_policy`.

Spec: PolicyPart §Wire Mappings, §Resumption Patterns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .. import policy as policies
from .._errors.exceptions import UsageError, WireError
from .._model.base import replace
from .._model.codec import encode
from .._model.issuance import Candidate
from .._model.parts import CarriedPolicy, Part, TextPart
from .._model.policy import PaymentRequired, PolicyPart
from .._text.policy_text import says
from .._wire.strict_json import plain
from ._protocol import Json
from ._read.artifact import text_of
from ._read.metadata import PAYMENT_STATUS, hints_of
from ._read.parse_context import ParseContext


def write_policy(policy: PolicyPart) -> tuple[Json, Json]:
    """The members of `metadata.mentionable` for a policy, and the members of `metadata` for clients of x402."""
    sidecar = policies.x402_metadata(policy) if isinstance(policy, PaymentRequired) else {}
    return {"policy": encode(policy)}, sidecar


def take_policy(
    metadata: Any,
    parts: Sequence[Part],
    context: ParseContext,
    *,
    authority: str | None,
    task_id: str | None,
    produced: Iterable[Any] = (),
) -> tuple[list[Part], tuple[CarriedPolicy, ...]]:
    """The parts of an answer without the text that only renders its policy, and the policy in its metadata, if any.

    The policy of this library counts before one that x402 describes. One that is malformed counts for nothing, and
    the text that renders it stays.

    Args:
        metadata: The metadata of the message.
        parts: The parts of the message.
        context: Takes diagnostics, with pointers relative to the message.
        authority: The host of the agent that answers; None when it is not known.
        task_id: The task, by which x402 knows its payments.
        produced: The parts of artifacts as they came, where carts of AP2 request payments by x402.
    """
    stated = hints_of(metadata).get("policy")
    policy: PolicyPart | None = None
    rendered: PolicyPart | None = None
    if stated is not None:
        parsed = policies.read_policy(stated, authority=authority)
        policy = rendered = parsed.policy
        for note in parsed.diagnostics:
            context.note(note.code, f"/metadata/mentionable/policy{note.at}", note.detail)
        # The text renders the URL that came, also where it leads to another host and was left out of the policy.
        if policy is not None and any(note.at == "/url" and note.code == "url-refused" for note in parsed.diagnostics):
            label = stated.get("action_label")
            rendered = replace(policy, url=stated["url"], action_label=label if label.__class__ is str else None)
    if policy is None and PAYMENT_STATUS in metadata:
        parsed = policies.x402_demand(metadata, message=text_of(parts), state=task_id, parts=produced)
        policy = rendered = parsed.policy
        for note in parsed.diagnostics:
            context.note(note.code, f"/metadata{note.at}", note.detail)
    remaining = list(parts)
    if policy is None or rendered is None:
        return remaining, ()
    if remaining and isinstance(last := remaining[-1], TextPart) and says(last.content, rendered, alone=True):
        del remaining[-1]
    return remaining, (CarriedPolicy(policy=policy),)


def parts_in(artifacts: Iterable[Any]) -> Iterator[Any]:
    """The parts of artifacts as they came, well formed or not."""
    for artifact in artifacts:
        parts = artifact.get("parts") if artifact.__class__ is dict else None
        yield from parts if parts.__class__ is list else ()


def candidate_in(metadata: Any, parts: list[Any], task_id: str, context: ParseContext) -> Candidate | None:
    """The receipt in the metadata of a request, or None. One that is malformed counts for nothing.

    Args:
        metadata: That of the message.
        parts: Its parts as they came, where mandates of AP2 hold payments by x402.
        task_id: The task that it belongs to.
        context: Takes what was odd, relative to the message.
    """
    hints, at = hints_of(metadata), "/metadata"
    try:
        if hints.get("policy_resolution") is not None:
            at = "/metadata/mentionable/policy_resolution"
            return policies.read_resolution(hints["policy_resolution"])
        payment = policies.x402_payment(metadata, parts=parts)
        if payment is None:
            return None
        return Candidate(
            kind="payment_required",
            task_id=task_id,
            scheme=payment.scheme,
            payer=payment.payer,
            receipt=payment.payload,
        )
    except WireError as error:
        for problem in error.problems:
            context.note(error.code, at + problem.at, problem.rule)
        return None


def check_receipt(receipt: object) -> Json:
    """The receipt that goes out with a call, as fresh JSON.

    Raises:
        UsageError: It is not what `policy.receipt` or `policy.x402_submission` gives.
    """
    members: Json = plain(receipt) if isinstance(receipt, Mapping) else {}
    hints: Any = members.get("mentionable")
    try:
        if PAYMENT_STATUS in members:
            payment = policies.x402_payment(members)
            is_fine = payment is not None and members == policies.x402_submission(payment.payload)
        else:
            is_fine = len(members) == 1 and hints.__class__ is dict and hints.keys() == {"policy_resolution"}
            policies.read_resolution(hints["policy_resolution"] if is_fine else {})
    except (UsageError, WireError) as error:
        raise UsageError(f"receipt: not what policy.receipt() or policy.x402_submission() gives: {error}") from None
    if not is_fine:
        raise UsageError("receipt: not what policy.x402_submission() gives")
    return members
