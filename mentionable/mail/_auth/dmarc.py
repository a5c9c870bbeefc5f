"""DMARC (RFC 9989): is a domain that DKIM or SPF verified of the same organisation as the From domain?

The organisational domain is the result of a walk up the DNS tree. A public suffix is never one, whatever is published
there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ..._crypto.verification import VerificationFailed
from ..._flow.flow import Failed
from .dkim import read_tags

_MAX_LABELS: Final = 8
_JUMP_TO: Final = 7
_MAX_DOMAIN: Final = 253 - len("_dmarc.")
_MAX_BYTES: Final = 8_192
_POLICIES: Final = ("none", "quarantine", "reject")

DmarcStatus: TypeAlias = Literal["pass", "fail", "none", "temperror"]


class Policy(NamedTuple):
    """A DMARC record.

    Attributes:
        policy: `none`, `quarantine` or `reject`; None for a record that asks for no handling at all.
        strict_dkim: `adkim=s`: DKIM must verify the From domain itself.
        strict_spf: `aspf=s`: SPF must.
        psd: Whether the name is a public suffix: `y`, `n`, or `u` where the record does not say.
    """

    policy: str | None
    strict_dkim: bool
    strict_spf: bool
    psd: str


class Walk(NamedTuple):
    """The records on the way up from a domain, and why it ended early, or None."""

    domain: str
    records: list[tuple[str, Policy]]
    failed: Failed | None


class Dmarc(NamedTuple):
    """The result of DMARC for a mail.

    Attributes:
        status: `temperror` when it cannot be known just now.
        policy: What the domain asks for when it fails.
        signer: The domain that is aligned by DKIM.
        spf: Whether the domain of the envelope is aligned by SPF.
        fault: Why it does not pass, or why it is unknown whether it passes by DKIM too.
    """

    status: DmarcStatus
    policy: str | None = None
    signer: str | None = None
    spf: bool = False
    fault: VerificationFailed | None = None


def walk_domains(domain: str) -> Iterator[str]:
    """A domain and those above it whose records are asked for, at most eight. A name too long for DNS has none.

    Spec: RFC 9989 §4.10.
    """
    if len(domain) <= _MAX_DOMAIN:
        yield domain
    labels = domain.split(".")
    labels = labels[-_JUMP_TO:] if len(labels) >= _MAX_LABELS else labels[1:]
    while labels:
        yield ".".join(labels)
        labels = labels[1:]


def record_name(domain: str) -> str:
    """The DNS name of a domain's record."""
    return f"_dmarc.{domain}"


def read_policy(records: Sequence[bytes]) -> Policy | None:
    """The DMARC record among the TXT records of a name; None when there is none, or more than one.

    Spec: RFC 9989 §4.7.
    """
    parsed = [tags for record in records if (tags := _tags(record)) is not None]
    if len(parsed) != 1:
        return None
    tags = parsed[0]
    policy = tags.get("p", "").lower()
    if policy not in _POLICIES:
        policy = "none" if "mailto:" in tags.get("rua", "").lower() else ""
    return Policy(
        policy or None,
        tags.get("adkim", "r").lower() == "s",
        tags.get("aspf", "r").lower() == "s",
        tags.get("psd", "u").lower(),
    )


def _tags(record: bytes) -> dict[str, str] | None:
    """The tags of a record that begins with `v=DMARC1`; what is wrong in the rest of it does not count."""
    if len(record) > _MAX_BYTES:
        return None
    first, *rest = record.decode("latin-1").split(";")
    if [word.strip(" \t") for word in first.split("=")] != ["v", "DMARC1"]:
        return None
    tags: dict[str, str] = {}
    for piece in rest:
        try:
            read = read_tags(piece)
        except VerificationFailed:
            continue
        for name, value in read.items():
            tags.setdefault(name.lower(), value)
    return tags


def walk(domain: str, answers: Mapping[str, Any]) -> Walk:
    """The records on the way up from a domain, out of the answers by name.

    Spec: RFC 9989 §4.10.
    """
    records: list[tuple[str, Policy]] = []
    for name in walk_domains(domain):
        answer = answers[record_name(name)]
        if isinstance(answer, Failed):
            return Walk(domain, records, answer)
        policy = read_policy(answer)
        if policy is not None:
            records.append((name, policy))
            if policy.psd in ("y", "n"):
                break
    return Walk(domain, records, None)


def organisation(walked: Walk) -> str:
    """The domain of the organisation that a domain belongs to.

    Spec: RFC 9989 §4.10.2.
    """
    if not walked.records:
        return walked.domain
    name, policy = walked.records[-1]  # the walk stops where the record says what it is, else it goes to the top
    if policy.psd == "y":  # one label below the suffix, or the domain itself when it is one
        return ".".join(walked.domain.split(".")[-name.count(".") - 2 :])
    return name


def policy_of(walked: Walk) -> Policy | None:
    """The record that counts for a domain: its own, else that of its organisation, else that of the suffix above.

    Spec: RFC 9989 §4.10.1.
    """
    records = dict(walked.records)
    own = records.get(walked.domain) or records.get(organisation(walked))
    return own or (walked.records[-1][1] if walked.records else None)


def evaluate(author: str, *, signers: Sequence[str], envelope_domain: str | None, answers: Mapping[str, Any]) -> Dmarc:
    """Evaluate DMARC for a mail from the domain `author`.

    Args:
        author: The From domain.
        signers: Other domains whose signatures are valid, none of which shares just a public suffix with it.
        envelope_domain: The domain that SPF verified; the same holds of it, or it is the From domain.
        answers: The answer for each name of each walk.
    """
    own = walk(author, answers)
    record = dict(own.records).get(author) if own.failed else policy_of(own)
    if own.failed and record is None:
        return _unknown(own.failed)
    if record is None or record.policy is None:
        return Dmarc("none", fault=VerificationFailed("not-aligned", "the domain of the sender has no DMARC record"))
    failed: Failed | None = None
    for signer in signers if not record.strict_dkim else ():
        other = walk(signer, answers)
        if _of_one_organisation(own, other):
            return Dmarc("pass", record.policy, signer=signer)
        failed = failed or own.failed or other.failed
    if envelope_domain is not None and (envelope_domain == author or not record.strict_spf):
        other = walk(envelope_domain, answers)
        if envelope_domain == author or _of_one_organisation(own, other):
            return Dmarc("pass", record.policy, spf=True, fault=_unknown(failed).fault if failed else None)
        failed = failed or own.failed or other.failed
    if failed:
        return _unknown(failed)
    fault = VerificationFailed("not-aligned", "no verified domain is aligned with that of the sender")
    return Dmarc("fail", record.policy, fault=fault)


def _of_one_organisation(own: Walk, other: Walk) -> bool:
    """Whether two domains are known to belong together."""
    return not own.failed and not other.failed and organisation(own) == organisation(other)


def _unknown(failed: Failed) -> Dmarc:
    fault = VerificationFailed("address-unresolvable", failed.reason, temporary=failed.temporary)
    return Dmarc("temperror", fault=fault)
