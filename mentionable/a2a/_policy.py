"""Demands in A2A: the policy in the metadata of an answer, payments by x402, and the receipts that come back.

Loaded for units that have them alone: `tells_of_policy` sees that.

Spec: PolicyPart §Wire Mappings, §Resumption Patterns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .. import policy as room
from .._errors.exceptions import UsageError, WireError
from .._model.base import replace
from .._model.codec import encode
from .._model.issuance import Candidate
from .._model.parts import CarriedPolicy, Part, TextPart
from .._model.policy import PaymentRequired, PolicyPart
from .._text.policy_text import says
from .._wire.strict_json import plain
from ._protocol import Json
from ._read.artifact import text_of as said_text
from ._read.metadata import PAYMENT_STATUS, hints_of
from ._read.parse_context import Reading


def write_policy(policy: PolicyPart) -> tuple[Json, Json]:
    """What stands in `metadata.mentionable` for a policy, and what stands beside it for clients of x402."""
    beside = room.x402_metadata(policy) if isinstance(policy, PaymentRequired) else {}
    return {"policy": encode(policy)}, beside


def take_policy(
    metadata: Any,
    said: list[Part],
    reading: Reading,
    *,
    authority: str | None,
    task_id: str | None,
    produced: Iterable[Any] = (),
) -> tuple[CarriedPolicy, ...]:
    """The demand in the metadata of an answer, if there is one; `said` loses the text that says the same.

    The policy of this library counts before one that x402 describes. One that is malformed counts for nothing, and
    the text that says it stays.

    Args:
        metadata: That of the message.
        said: The parts of the message.
        reading: Takes what was odd, relative to the message.
        authority: The host of the agent that answers; None when nobody knows it.
        task_id: The task, by which x402 knows its payments.
        produced: The parts of artifacts as they came, where carts of AP2 demand payments by x402.
    """
    stated = hints_of(metadata).get("policy")
    policy: PolicyPart | None = None
    words: PolicyPart | None = None
    if stated is not None:
        found = room.read_policy(stated, authority=authority)
        policy = found.policy
        for note in found.diagnostics:
            reading.note(note.code, f"/metadata/mentionable/policy{note.at}", note.detail)
        words = policy
        if policy is not None and any(note.at == "/url" and note.code == "url-refused" for note in found.diagnostics):
            label = stated.get("action_label")
            words = replace(policy, url=stated["url"], action_label=label if label.__class__ is str else None)
    if policy is None and PAYMENT_STATUS in metadata:
        demanded = room.x402_demand(metadata, message=said_text(said), state=task_id, parts=produced)
        policy = demanded.policy
        for note in demanded.diagnostics:
            reading.note(note.code, f"/metadata{note.at}", note.detail)
    if policy is None:
        return ()
    if said and isinstance(last := said[-1], TextPart) and says(last.content, words or policy, alone=True):
        del said[-1]
    return (CarriedPolicy(policy=policy),)


def parts_in(artifacts: Iterable[Any]) -> Iterator[Any]:
    """The parts of artifacts as they came, well formed or not."""
    for artifact in artifacts:
        parts = artifact.get("parts") if artifact.__class__ is dict else None
        yield from parts if parts.__class__ is list else ()


def candidate_in(metadata: Any, parts: list[Any], task_id: str, reading: Reading) -> Candidate | None:
    """The receipt in the metadata of a request, or None. One that is malformed counts for nothing.

    Args:
        metadata: That of the message.
        parts: Its parts as they came, where mandates of AP2 hold payments by x402.
        task_id: The task that it belongs to.
        reading: Takes what was odd, relative to the message.
    """
    hints, at = hints_of(metadata), "/metadata"
    try:
        if hints.get("policy_resolution") is not None:
            at = "/metadata/mentionable/policy_resolution"
            return room.read_resolution(hints["policy_resolution"])
        payment = room.x402_payment(metadata, parts=parts)
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
            reading.note(error.code, at + problem.at, problem.rule)
        return None


def check_receipt(found: object) -> Json:
    """What a payer sends along, as fresh JSON.

    Raises:
        UsageError: It is not what `policy.receipt` or `policy.x402_submission` gives.
    """
    members = _given(found)
    hints: Any = members.get("mentionable")
    try:
        if PAYMENT_STATUS in members:
            payment = room.x402_payment(members)
            is_fine = payment is not None and members == room.x402_submission(payment.payload)
        else:
            is_fine = len(members) == 1 and hints.__class__ is dict and hints.keys() == {"policy_resolution"}
            room.read_resolution(hints["policy_resolution"] if is_fine else {})
    except (UsageError, WireError) as error:
        raise UsageError(f"receipt: not what policy.receipt() or policy.x402_submission() gives: {error}") from None
    if not is_fine:
        raise UsageError("receipt: not what policy.x402_submission() gives")
    return members


def _given(found: object) -> Json:
    return plain(found) if isinstance(found, Mapping) else {}
