"""What binds a receipt to a demand: its state, who and where, and what exactly was offered or asked for.

Spec: PolicyPart §PolicyResolution, §Security Rules.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from .._errors.exceptions import Code, UsageError, WireError, wire_error
from .._flow.asks import CountFailure, FindIssuance
from .._flow.flow import Failed, Flow
from .._model.identity import IdentityEvidence
from .._model.issuance import Issuance, record_fault
from .._model.message import NormalizedMessage
from .._model.rules import is_state
from .._wire.base64 import base64url_encode
from .._wire.canonical_json import canonical_json
from .._wire.ids import derive
from .._wire.strict_json import plain
from .._wire.time import parse_time


def state_text(secret: bytes) -> str:
    """32 bytes as a state."""
    return base64url_encode(secret)


def key_of(state: str) -> str:
    """The key under which a demand is stored: a hash, so that whoever reads the store cannot complete it.

    Looking up by a hash also leaves nothing to be learned from how long it takes.
    """
    return sha256(b"mentionable-state-v1\0" + state.encode()).hexdigest()


def task_state(agent: str, principal: str, task_id: str) -> str:
    """The state of a task, where a payment names nothing else. It is no secret: the payment must be verified.

    It is bound to one sender, so that no other sender in the task can use it up.
    """
    return state_text(derive("policy.task", b"", agent, principal, task_id))


def payload_hash(payload: Any) -> str:
    """SHA-256 of the canonical JSON of an offer, which tells 1 from true, as comparing dicts does not.

    Raises:
        WireError: `not-canonical`: an integer beyond 2^53-1, NaN, or what is no JSON.
    """
    return sha256(canonical_json(payload)).hexdigest()


def scope_hash(scope: Any) -> str:
    """The hash by which a consent names what was consented to: SHA-256 of the scope's canonical JSON.

    The scope counts as it stands. Nothing is sorted, split or converted: other words, another order of them, and a list
    in place of a text are other scopes. Write a scope in one form, and compare what you were granted in that form.

    Args:
        scope: Any JSON: text, an array, of objects too, or an object. The order of an object's members says nothing.

    Raises:
        UsageError: It is no JSON, or has no canonical form: an integer beyond 2^53-1, NaN, a lone surrogate.

    Spec: PolicyPart §PolicyResolution (`scope_hash`); RFC 8785.

    Example:
        >>> scope_hash({"b": 1, "a": [2, 1]}) == scope_hash({"a": [2, 1], "b": 1})
        True
        >>> scope_hash("calendar.read calendar.write") == scope_hash("calendar.write calendar.read")
        False
    """
    try:
        return payload_hash(plain(scope))
    except WireError as error:
        raise UsageError(f"the scope has no canonical form: {error}") from None


class ReceiptContext(NamedTuple):
    """The message and the subject that a receipt came with.

    Attributes:
        message: The message that it came with; None when it came to an endpoint of yours.
        subject: The sender in your own terms, such as an account.
    """

    message: NormalizedMessage | None
    subject: str | None


def binding_fault(record: Issuance, kind: str, context: ReceiptContext) -> Code | None:
    """Why a receipt is not for this demand, or None: another kind, agent, thread or subject, in this order."""
    message = context.message
    if kind != record.kind:
        return "kind-mismatch"
    if message is not None:
        if message.recipient != record.agent:
            return "agent-mismatch"
        if message.thread_id not in record.threads:
            return "thread-mismatch"
        sender = message.sender
        if sender.address != record.principal or (record.principal_verified and not sender.verified):
            return "subject-mismatch"
    return None if _is_of_subject(record, context) else "subject-mismatch"


def platform_evidence(message: NormalizedMessage) -> IdentityEvidence | None:
    """The first evidence of its sender that a platform gave; None without any.

    Many people may write from one address: those whose messages a connector forwards.
    """
    return next((one for one in message.sender.identities or () if one.assurance == "platform"), None)


def _is_of_subject(record: Issuance, context: ReceiptContext) -> bool:
    """Whether a receipt comes from the subject of a record.

    A callback comes with no message. Where the subject is one of evidence, its state says which record it is for, and
    the turn with which the agent resumes must be of the subject.
    """
    if context.subject is not None or record.subject_method is None:
        return record.subject is None or context.subject == record.subject
    return context.message is None or any(
        (one.subject, one.method) == (record.subject, record.subject_method)
        for one in context.message.sender.identities or ()
    )


def payment_fault(record: Issuance, scheme: str, payload: Any) -> Code | None:
    """Why a payload is not one that was offered under this scheme, or None."""
    offered = [offer.payload_hash for offer in record.offers if offer.scheme == scheme]
    if not offered:
        return "scheme-not-offered"
    try:
        return None if payload_hash(payload) in offered else "payload-mismatch"
    except WireError:
        return "payload-mismatch"


def issuance_of(state: str, now: datetime) -> Flow[FindIssuance, Issuance]:
    """The demand of a state that can still be completed.

    Raises:
        WireError: `state-malformed`, `state-unknown`, `state-void`, `already-consumed`, `state-expired`,
            `lookup-failed`.
    """
    if not is_state(state):
        raise wire_error("state-malformed", "/in_reply_to_state", "expected 22 to 128 characters of base64url")
    key = key_of(state)
    record: Issuance | None = answered((yield from FindIssuance(key=key)), "the demands that were issued")
    if record is None or key not in record.keys:
        raise wire_error("state-unknown")
    fault = record_fault(record, now)
    if fault is not None:
        raise wire_error(fault)
    return record


def answered(answer: Any, what: str) -> Any:
    """The answer to an ask.

    Raises:
        WireError: `lookup-failed`: it could not be had.
    """
    if isinstance(answer, Failed):
        raise wire_error("lookup-failed", "", f"{what}: {answer.reason}")
    return answer


def check_binding(record: Issuance, kind: str, context: ReceiptContext, fault: Code | None) -> Flow[CountFailure, None]:
    """Raises unless a receipt is for this demand; one that is not is counted.

    Args:
        record: The demand.
        kind: For which kind of demand the receipt is.
        context: The message and the subject that it came with.
        fault: Why it is not for what was offered or asked for. Reported last: a stranger learns nothing of it.

    Raises:
        WireError: With the fault.

    Spec: PolicyPart §Security Rules.
    """
    fault = binding_fault(record, kind, context) or fault
    if fault is not None:
        yield from CountFailure(key=record.key)
        raise wire_error(fault)


def check_consent_time(expires_at: str | None, now: datetime) -> None:
    """Raises when a consent no longer counts; one without a time does not expire.

    Raises:
        WireError: `consent-expired`.
    """
    if expires_at is not None and now >= parse_time(expires_at):
        raise wire_error("consent-expired")
