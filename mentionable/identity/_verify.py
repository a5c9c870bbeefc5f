"""The door: evidence that somebody brought along becomes a verified identity, or is rejected at one step.

Cheap before costly, structure before trust, trust before any look-up, the signature before the replay guard.
"""

from __future__ import annotations

from binascii import a2b_base64
from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, TypeAlias

from .._errors.exceptions import UsageError
from .._flow.ask import Failed, Flow
from .._flow.asks import Fetch, UseOnce
from .._flow.outcome import Rejected
from .._flow.settings import DEFAULTS, Settings, check_inputs
from .._model.base import FrozenDict, trusted
from .._model.identity import VerifiedIdentity
from .._model.trust import TrustPolicy
from .._wire.address import agent_address
from .._wire.strict_json import dump_line, plain
from ._card import signing_key
from ._read import Statement, read_statement
from ._sign import signing_input_read
from ._step import Refused
from ._trust import Believed, believe

IdentityAsk: TypeAlias = Fetch | UseOnce
"""Every ask that this room makes."""

NOBODY: Final = TrustPolicy()
"""Trusts nobody."""

_REPLAY: Final = b"mentionable-replay-v1\0"
_TO_STANDARD: Final = bytes.maketrans(b"-_", b"+/")
_DEPTH: Final = 96

_use_once: Final = trusted(UseOnce, "key", "binding", "until")
_identity: Final[Callable[..., VerifiedIdentity]] = trusted(
    VerifiedIdentity,
    "issuer",
    "subject",
    "method",
    "assurance",
    "audience",
    "issued_at",
    "not_before",
    "expires_at",
    "principals",
    "key_id",
    "entry",
    "digest",
    "replay_key",
    "id",
    "claims",
    "source",
)


def verify(
    evidence: bytes | Mapping[str, Any],
    *,
    recipient: str,
    caller: str | None,
    message_digest: bytes,
    now: datetime,
    settings: Settings = DEFAULTS,
) -> Flow[IdentityAsk, VerifiedIdentity | Rejected]:
    """Verify received evidence for this recipient and this message, at this time.

    The issuer's signature does not cover the message, so anyone who reads evidence could attach it to another one.
    Therefore it is valid for one message only: `message_digest` binds it, and `UseOnce` is asked last. Only the issuer
    may send it, unless its trust entry has `forwarding`: then it is valid for the first caller that sends it, and the
    binding includes that caller.

    Args:
        evidence: The JSON as it was received, as bytes or as a strict parser returned it. Never a decoded
            `IdentityEvidence`, which lacks unknown members that the signature covers.
        recipient: The agent that must be the audience.
        caller: The caller as you authenticated it: an address, or a host. None: not authenticated.
        message_digest: What identifies the message, the same for a retry: its content, or a digest.
        now: The time, aware.
        settings: `Settings.trust` lists the issuers that you trust. None: no issuer, and all evidence is rejected.

    Returns:
        A flow of the identity, or of `Rejected` with the code and the `step`: `size`, `json`, `shape`, `proof`,
        `syntax`, `trust`, `delegation`, `audience`, `time`, `caller`, `card`, `key`, `signature`, `replay`. Tell the
        peer none of it.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind. Nothing in the evidence makes it raise.

    Spec: IdentityEvidence v0.1; Building a Connector (Identity Attestations, Security Checklist).

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive
        >>> flow = verify(b"{}", recipient="@helper@agents.example", caller=None, message_digest=b"Hi",
        ...               now=datetime(2026, 11, 21, tzinfo=UTC))
        >>> drive(flow, Answers()).code
        'shape-invalid'
    """
    check_inputs(now, settings)
    agent = agent_address(recipient)
    check_facts(message_digest, caller)
    if not isinstance(evidence, (bytes, Mapping)):
        raise UsageError("evidence is JSON as it was received: bytes, or a mapping")
    return _verified(evidence, agent, caller, message_digest, now, settings)


def check_facts(message_digest: object, caller: object) -> None:
    """Raise `UsageError` when an argument alongside the evidence is of the wrong kind."""
    if not isinstance(message_digest, bytes):
        raise UsageError("message_digest is bytes: what identifies the message")
    if caller is not None and not isinstance(caller, str):
        raise UsageError("caller is an address, a host or None")


def _bytes_of(evidence: Mapping[str, Any]) -> bytes:
    """What a parser made of JSON, as bytes again.

    Raises:
        Refused: Step `json`: a parser that is not strict made something of it that is no JSON.
    """
    try:
        return dump_line(plain(evidence, max_depth=_DEPTH)).encode()
    except UsageError as error:
        raise Refused("json-malformed", "json", str(error)) from None


def _verified(
    evidence: bytes | Mapping[str, Any],
    recipient: str,
    caller: str | None,
    message_digest: bytes,
    now: datetime,
    settings: Settings,
) -> Flow[IdentityAsk, VerifiedIdentity | Rejected]:
    """The flow behind the door."""
    policy = settings.trust or NOBODY
    try:
        statement = read_statement(evidence if isinstance(evidence, bytes) else _bytes_of(evidence))
        believed = believe(statement, recipient=recipient, caller=caller, policy=policy, now=now)
        key_id = statement.proof["kid"]
        key = yield from signing_key(believed.entry, key_id, issued_at=believed.issued_at, now=now)
        signed = signing_input_read(
            statement.members,
            has_plain_numbers=statement.has_plain_numbers,
            proof_removed=bool(believed.entry.proof_removed),
        )
        signature = statement.proof["value"].encode("ascii").translate(_TO_STANDARD)
        if not key.fits(a2b_base64(signature + b"=="), signed):
            raise Refused("signature-invalid", "signature")
        digest = sha256(signed).digest()
        by = caller if believed.entry.forwarding else None
        replay_key = yield from _used_once(statement, believed, recipient, digest, message_digest, by)
    except Refused as refused:
        return refused.outcome()
    return _made(statement, believed, recipient, digest.hex(), replay_key)


def _used_once(
    statement: Statement, believed: Believed, recipient: str, digest: bytes, message_digest: bytes, by: str | None
) -> Flow[UseOnce, str]:
    """The key under which the evidence counts for this message alone.

    A platform's event may be for several agents, each with evidence of its own, and these may share a store. What any
    caller may forward counts for the first of them alone: words as short as "yes" are said in many places.

    Raises:
        Refused: Step `replay`.
    """
    named = statement.members.get("id")
    if named is None and believed.entry.require_id:
        raise Refused("replay-id-missing", "replay")
    what = b"\x01" + digest if named is None else named.encode()
    key = sha256(_REPLAY + believed.entry.issuer.encode() + b"\0" + what).hexdigest()
    binding = f"{digest.hex()} {sha256(message_digest).hexdigest()}"
    if by is not None:
        binding += f" {sha256(by.encode(errors='surrogatepass')).hexdigest()}"
    answer = yield from _use_once(f"identity:{key} {recipient}", binding, believed.until)
    if isinstance(answer, Failed):
        raise Refused("replay-store-unavailable", "replay", answer.reason)
    if answer is not True:
        raise Refused("replayed", "replay", "it came with another message before")
    return key


def _made(statement: Statement, believed: Believed, recipient: str, digest: str, replay_key: str) -> VerifiedIdentity:
    """The identity. What it says is what was signed: the strictly parsed members themselves."""
    members = statement.members
    return _identity(
        members["issuer"],
        members["subject"],
        members["method"],
        members["assurance"],
        recipient,
        members["issued_at"],
        members.get("not_before"),
        members["expires_at"],
        believed.principals,
        statement.proof["kid"],
        believed.number,
        digest,
        replay_key,
        members.get("id"),
        FrozenDict(members.get("claims", {})),
        FrozenDict(members.get("source", {})),
    )
