"""The entry point: received evidence becomes a verified identity, or is rejected at one step."""

from __future__ import annotations

from binascii import a2b_base64
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, TypeAlias

from .._errors.exceptions import UsageError
from .._flow.asks import Fetch, UseOnce
from .._flow.flow import Failed, Flow
from .._flow.outcome import Rejected
from .._flow.settings import DEFAULTS, Settings, check_inputs
from .._model.base import FrozenDict, unchecked
from .._model.identity import VerifiedIdentity
from .._model.trust import TrustPolicy
from .._wire.address import agent_address
from .._wire.strict_json import NotWritable, dump_line, plain
from ._card import signing_key
from ._read import EvidenceRejected, ParsedEvidence, code_of, parse_evidence
from ._sign import signing_input_read
from ._trust import TrustedStatement, check_trust

IdentityAsk: TypeAlias = Fetch | UseOnce
"""Every ask of this package."""

_NO_TRUST: Final = TrustPolicy()
_REPLAY: Final = b"mentionable-replay-v1\0"
_BASE64URL_TO_BASE64: Final = bytes.maketrans(b"-_", b"+/")
_MAX_DEPTH: Final = 96

_new_identity: Final = unchecked(VerifiedIdentity)
_use_once: Final = unchecked(UseOnce)


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
    binding includes that caller. All callers that are not authenticated count as one: each of them may send the
    evidence with the same message again.

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
    return _verified(
        evidence, recipient=agent, caller=caller, message_digest=message_digest, now=now, settings=settings
    )


def check_facts(message_digest: object, caller: object) -> None:
    """Raise `UsageError` when an argument alongside the evidence is of the wrong kind."""
    if not isinstance(message_digest, bytes):
        raise UsageError("message_digest is bytes: what identifies the message")
    if caller is not None and not isinstance(caller, str):
        raise UsageError("caller is an address, a host or None")


def _verified(
    evidence: bytes | Mapping[str, Any],
    *,
    recipient: str,
    caller: str | None,
    message_digest: bytes,
    now: datetime,
    settings: Settings,
) -> Flow[IdentityAsk, VerifiedIdentity | Rejected]:
    # Cheapest first. No look-up for an issuer that is not trusted, and no replay key used up by a forged signature:
    #   1. parse the evidence strictly                          4. verify the signature over all members
    #   2. find the trust entry; check audience, times, caller  5. use up the replay key (ask: UseOnce)
    #   3. look up the issuer's key (ask: Fetch, at most two)   6. build the identity of what was signed
    try:
        # 1.
        parsed = parse_evidence(evidence if isinstance(evidence, bytes) else bytes_of(evidence))
        members, proof = parsed.members, parsed.proof

        # 2.
        policy = settings.trust or _NO_TRUST
        trusted = check_trust(parsed, recipient=recipient, caller=caller, policy=policy, now=now)
        entry = trusted.entry

        # 3.
        key = yield from signing_key(entry, proof["kid"], issued_at=trusted.issued_at, now=now)

        # 4.
        signed = signing_input_read(
            members,
            has_plain_numbers=parsed.has_plain_numbers,
            proof_removed=bool(entry.proof_removed),
        )
        signature = proof["value"].encode("ascii").translate(_BASE64URL_TO_BASE64)
        if not key.fits(a2b_base64(signature + b"=="), signed):
            raise EvidenceRejected("signature-invalid", "signature")

        # 5. The key names the recipient: agents that share a store may each get evidence of the same event.
        digest = sha256(signed).digest()
        evidence_key = replay_key(parsed, trusted, digest)
        binding = f"{digest.hex()} {sha256(message_digest).hexdigest()}"
        if caller is not None and entry.forwarding:
            # Any caller may forward this evidence. A message as short as "yes" occurs in many places, so without the
            # caller in the binding a second caller could attach the evidence to a message of their own.
            binding += f" {sha256(caller.encode(errors='surrogatepass')).hexdigest()}"
        use_once = _use_once(key=f"identity:{evidence_key} {recipient}", binding=binding, until=trusted.expires_at)
        answer = yield from use_once
        if isinstance(answer, Failed):
            raise EvidenceRejected("replay-store-unavailable", "replay", answer.reason)
        if answer == "other":
            raise EvidenceRejected("replayed", "replay", "it came with another message before")
    except EvidenceRejected as rejected:
        return rejected.outcome()

    # 6.
    return _new_identity(
        issuer=members["issuer"],
        subject=members["subject"],
        method=members["method"],
        assurance=members["assurance"],
        audience=recipient,
        issued_at=members["issued_at"],
        not_before=members.get("not_before"),
        expires_at=members["expires_at"],
        principals=trusted.principals,
        key_id=proof["kid"],
        entry=trusted.number,
        digest=digest.hex(),
        replay_key=evidence_key,
        id=members.get("id"),
        claims=FrozenDict(members.get("claims", {})),
        source=FrozenDict(members.get("source", {})),
    )


def bytes_of(evidence: Mapping[str, Any]) -> bytes:
    """Serialize a parsed object again.

    Raises:
        EvidenceRejected: Step `json`: a parser that is not strict made a value of it that JSON does not have.
    """
    try:
        return dump_line(plain(evidence, max_depth=_MAX_DEPTH)).encode()
    except NotWritable as error:
        raise EvidenceRejected(code_of(error.fault), "json", str(error)) from None
    except UsageError as error:
        raise EvidenceRejected("json-malformed", "json", str(error)) from None


def replay_key(parsed: ParsedEvidence, trusted: TrustedStatement, digest: bytes) -> str:
    """The key of the evidence in the replay store: its issuer with its `id`, or with its digest where it has none.

    Raises:
        EvidenceRejected: Step `replay`.
    """
    event_id = parsed.members.get("id")
    if event_id is None and trusted.entry.require_id:
        raise EvidenceRejected("replay-id-missing", "replay")
    identifier = b"\x01" + digest if event_id is None else event_id.encode()
    return sha256(_REPLAY + trusted.entry.issuer.encode() + b"\0" + identifier).hexdigest()
