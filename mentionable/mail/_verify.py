"""`mail.verify`: authenticate the sender of a mail by DKIM (RFC 6376) or DMARC (RFC 9989).

Each signature is verified on its own, step after step; the first step that fails is the reason it does not count. What
is verified in the end is a domain, never which of its users wrote.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple

from .._crypto.verification import NO_AUDIENCE, VerificationFailed, replay_ask, transport_evidence
from .._errors.exceptions import WireError
from .._flow.asks import LookupTxt, UseOnce
from .._flow.flow import Flow, ask_each, bounded, gather
from .._flow.outcome import UNSIGNED, Verdict
from .._flow.settings import DEFAULTS, Settings, check_inputs, own_settings
from .._model.base import Lazy, unchecked
from .._model.diagnostic import Diagnostic
from .._model.sender import AuthMethod
from .._wire.address import canonical_domain, canonical_mailbox
from .._wire.http import UNNAMED_HOST
from .._wire.public_suffix import share_an_owner
from ._auth.arc import Chain, verify_chain
from ._auth.dkim import (
    MAX_SIGNATURES,
    SKEW,
    Body,
    Signature,
    SignatureResult,
    ambiguous_bytes,
    check_digest,
    check_signature,
    check_time,
    field_tags,
    published_key,
    read_signature,
    signed_fields,
    signer,
    split_fields,
)
from ._auth.dmarc import Dmarc, evaluate, record_name, walk_domains
from ._envelope import Envelope
from ._read.header_section import POLICY, HeaderSection, check_mail, read_header_section
from ._read.message import Author, read_author, read_thread
from ._settings import Settings as MailSettings

_STEPS: Final = ("header-section", "parse", "coverage", "time", "digest", "key", "signature")
"""What a verdict calls the steps of `verify_signature`; each of them passes the first so many."""

_AMBIGUOUS: Final = frozenset(("head-malformed", "line-ends-mixed", "field-repeated", "address-ambiguous"))
# The old way to write a name: after the address, in a comment that no reader can take for anything else.
_NAME_IN_COMMENT: Final = re.compile(
    r"[^\s()<>@,;:\\\"\[\]]++@[A-Za-z0-9.-]++[ \t]*+\([^()<>@,;:\\\"\[\]]*+\)"
).fullmatch
_SHAPING: Final = (
    *("content-type", "content-transfer-encoding", "content-disposition"),
    *("message-id", "in-reply-to", "references", POLICY),
)
"""The fields that say how the body is read, which thread it is in, and which policy requirement it carries."""

_PLAIN_LOCAL: Final = re.compile(r"[!#-'*+\-./0-9=?A-Z^-z{|}~]++").fullmatch
_new_lookup = unchecked(LookupTxt)


class Authentication(NamedTuple):
    """The result of authenticating a mail.

    Attributes:
        verdict: Whether the sender is verified, and how.
        results: The result of each DKIM signature, for `raw`.
        dmarc: The result of DMARC, for `raw`; None where it was not evaluated.
        verified_by: The signature that verified the sender, if one did.
        chain: The result of ARC, for `raw`; None where it was not looked at.
        forwarder: The sealer by whose word alone the sender is verified, if so.
    """

    verdict: Verdict
    results: tuple[SignatureResult, ...] = ()
    dmarc: Dmarc | None = None
    verified_by: Signature | None = None
    chain: Chain | None = None
    forwarder: str | None = None


_UNSIGNED: Final = Authentication(UNSIGNED)


class SenderClaim(NamedTuple):
    """The sender that a mail claims, and everything that may verify the claim.

    Attributes:
        headers: The header section.
        author: The sender that From names.
        native_id: The Message-ID, to which the use of a signature is bound.
        host: The host that the mail was sent to, for which the evidence is; None where the envelope names none.
        envelope: The SMTP envelope, with the result of SPF.
    """

    headers: HeaderSection
    author: Author
    native_id: str
    host: str | None
    envelope: Envelope | None


def verify(
    raw: bytes, *, envelope: Envelope | None = None, now: datetime, settings: Settings = DEFAULTS
) -> Flow[LookupTxt, Verdict]:
    r"""Authenticate the sender of a raw mail, without making a message of it.

    Args:
        raw: The mail as it came, byte for byte.
        envelope: The SMTP envelope, with the result of SPF.
        now: The time, aware.
        settings: Limits, and whether DMARC by SPF alone verifies a sender.

    Returns:
        A flow of the verdict. Where `receive` rejects the mail for its header section or its sender, it has that code.

    Raises:
        UsageError: An argument, or an answer to an ask, is of the wrong kind: fix your program.

    Spec: Normalized Message §5.3.2; RFC 6376; RFC 8463; RFC 9989.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, drive
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> drive(verify(b"From: alice@a.example\n\nHello\n", now=now), Answers()).code
        'unsigned'
    """
    check_inputs(now, settings)
    check_mail(raw, envelope)
    return _verified(bytes(raw), envelope, now, settings)


def _verified(raw: bytes, envelope: Envelope | None, now: datetime, settings: Settings) -> Flow[LookupTxt, Verdict]:
    """The flow of `verify`."""
    try:
        headers = read_header_section(raw, limits=settings.limits)
        author = read_author(headers, limits=settings.limits)
        native_id = read_thread(headers, limits=settings.limits).native_id
    except WireError as error:
        return VerificationFailed(error.code, str(error)).verdict()
    claim = SenderClaim(
        headers=headers,
        author=author,
        native_id=native_id,
        host=_host_of(envelope),
        envelope=envelope,
    )
    return (yield from authenticate(claim, now=now, settings=settings)).verdict


def _host_of(envelope: Envelope | None) -> str | None:
    """The host that the envelope names, if it names one: a mail may be for several agents there."""
    for mailbox in envelope.rcpt_to if envelope else ():
        address = canonical_mailbox(mailbox)
        if address:
            return address.domain
    return None


def _ambiguity_of(headers: HeaderSection, author: Author) -> str:
    """Why readers may understand the header section differently, in words, or "".

    A signature verifies bytes. Where two readers see two senders in the same bytes, an attacker who replays a signed
    mail with one more From field would be verified as either of them: no sender is verified for such a mail.
    """
    for odd in (*headers.diagnostics, *author.diagnostics):
        is_harmless = odd.detail == "a comment" and _NAME_IN_COMMENT(headers.first["from"])
        if odd.code in _AMBIGUOUS and not is_harmless:
            return f"{odd.at}: {odd.detail or odd.code}"
    return ""


def authenticate(claim: SenderClaim, *, now: datetime, settings: Settings) -> Flow[LookupTxt, Authentication]:
    """Authenticate the claimed sender, with at most `limits.asks` look-ups in DNS.

    Spec: Normalized Message §5.3.2.
    """
    # Cheapest first, so that nothing is asked for a mail without evidence:
    #   1. is there a signature, or SPF?   4. DKIM: a valid signature of the From domain itself
    #   2. refuse what is ambiguous        5. DMARC: a valid signature, or SPF, of the same organisation
    #   3. verify each signature           6. ARC: the word of a forwarder that the settings trust
    #                                      7. not verified: give the best reason
    headers = claim.headers
    envelope_domain = None if claim.envelope is None else _spf_domain(claim.envelope)

    # 1.
    if (
        "dkim-signature" not in headers.first
        and envelope_domain is None
        and ("arc-seal" not in headers.first or not _trusted_sealers(settings))
    ):
        return _UNSIGNED

    # 2.
    ambiguity = _ambiguity_of(headers, claim.author) or ambiguous_bytes(headers.raw, headers.body)
    if ambiguity:
        refused = VerificationFailed("signature-ambiguous", ambiguity)
        signatures = sum([key == "dkim-signature" for key, _, _ in headers.fields])
        return Authentication(refused.verdict(), (SignatureResult(fault=refused),) * signatures)

    verifying = _verify_domain(claim, envelope_domain, now, settings)
    return (yield from bounded(verifying, remote=settings.limits.asks))


def _trusted_sealers(settings: Settings) -> tuple[str, ...]:
    return own_settings(MailSettings, settings).trusted_arc_sealers


def _spf_domain(envelope: Envelope) -> str | None:
    """The domain that SPF verified, as A-labels in lower case; None where it verified none.

    A reverse path that is not plainly `local@domain` verifies nothing: servers and senders may read it differently.
    """
    if envelope.spf != "pass" or not envelope.mail_from:
        return None
    local, at, domain = envelope.mail_from.partition("@")
    return canonical_domain(domain) if at and _PLAIN_LOCAL(local) else None


def _verify_domain(
    claim: SenderClaim, envelope_domain: str | None, now: datetime, settings: Settings
) -> Flow[LookupTxt, Authentication]:
    """Steps 3 to 7 of `authenticate`."""
    # 3. All keys are asked for in one batch.
    headers, seconds = claim.headers, int(now.timestamp())
    fields, body = split_fields(headers.raw[: headers.body]), Body(headers.raw[headers.body :])
    own = fields.get(b"dkim-signature", [])
    # An attacker may add hundreds of signatures: those behind the first few cost neither a look-up nor a hash.
    verifying = [verify_signature(field, fields, body, now=seconds) for field in own[:MAX_SIGNATURES]]
    skipped = [SignatureResult(fault=VerificationFailed("signature-skipped")) for _ in own[MAX_SIGNATURES:]]
    chain: Chain | None = None
    if b"arc-seal" in fields and (trusted := _trusted_sealers(settings)):
        validating = verify_chain(fields, body, trusted=trusted, now=seconds)
        checked, chain = yield from gather(gather(*verifying), validating)
    else:
        checked = yield from gather(*verifying)
    results = (*checked, *skipped)

    # 4.
    from_domain = claim.author.sender.address.rpartition("@")[2]
    valid = [result for result in results if result.fault is None]
    for result in valid:
        if result.domain == from_domain:
            verdict = _verified_verdict("email-dkim", claim, result, now, used=_own_signatures(valid, from_domain))
            return Authentication(verdict, results, verified_by=result.signature, chain=chain)

    # 5. A public suffix is no organisation, whatever is published there, so its records are not asked for.
    signers = [result.domain for result in valid if result.domain and share_an_owner(result.domain, from_domain)]
    if (
        envelope_domain is not None
        and envelope_domain != from_domain
        and not share_an_owner(envelope_domain, from_domain)
    ):
        envelope_domain = None
    dmarc: Dmarc | None = None
    if signers or envelope_domain:
        domains = (from_domain, *signers, *filter(None, (envelope_domain,)))
        names = dict.fromkeys([record_name(name) for domain in domains for name in walk_domains(domain)])
        answers = dict(zip(names, (yield from ask_each([_new_lookup(name=name) for name in names])), strict=True))
        dmarc = evaluate(from_domain, signers=signers, envelope_domain=envelope_domain, answers=answers)
        if dmarc.signer is not None:
            result = next(result for result in valid if result.domain == dmarc.signer)
            verdict = _verified_verdict("email-dmarc", claim, result, now, used=_own_signatures(valid, from_domain))
            return Authentication(verdict, results, dmarc, verified_by=result.signature, chain=chain)
        if dmarc.spf and own_settings(MailSettings, settings).spf_only_dmarc == "verified":
            return Authentication(_verified_verdict("email-dmarc", claim, None, now), results, dmarc, chain=chain)

    # 6.
    if chain is not None and chain.signature is not None and from_domain in chain.signers:
        return _by_forwarder(claim, chain, chain.signature, now)._replace(results=results, dmarc=dmarc)

    # 7.
    verdict = _unverified_verdict(claim.author.sender.address, results, dmarc, chain)
    return Authentication(verdict, results, dmarc, chain=chain)


def _own_signatures(valid: Sequence[SignatureResult], from_domain: str) -> list[Signature]:
    """The valid signatures of the sender's organisation: each of them could verify the sender, if the others were gone.

    So a mail is used up by all of them, or whoever takes one off could deliver it again as another message.
    """
    return [
        result.signature
        for result in valid
        if result.signature is not None
        and (result.signature.domain == from_domain or share_an_owner(result.signature.domain, from_domain))
    ]


def _by_forwarder(claim: SenderClaim, chain: Chain, sealed: Signature, now: datetime) -> Authentication:
    """The result for a sender whose DKIM signature a trusted forwarder verified before the mail was changed.

    The forwarder does not say which fields that signature covered. From is always one.

    Spec: RFC 8617 §7.2.1; RFC 9989 §5.3 (local policy).
    """
    result = SignatureResult(sealed.domain, sealed.selector, (*_STEPS, "chain"), sealed)
    return Authentication(
        _verified_verdict("email-dmarc", claim, result, now, used=(sealed,), is_sealed=True),
        verified_by=sealed._replace(names=[b"from"]),
        chain=chain,
        forwarder=sealed.domain,
    )


def unsigned_fields(headers: HeaderSection, signature: Signature, *, is_subject_text: bool) -> list[Diagnostic]:
    """A diagnostic for each field that shapes the message and that an attacker on the way may have written.

    Args:
        headers: The header section.
        signature: The signature that verified the sender. Where none did, no field is trusted anyway.
        is_subject_text: Whether the subject is the text of the message.
    """
    shaping = (*_SHAPING, "subject") if is_subject_text else _SHAPING
    return [
        Diagnostic(code="field-unsigned", at=f"/headers/{name}", detail="not covered by the signature")
        for name in shaping
        if name in headers.first and name.encode() not in signature.names
    ]


def verify_signature(
    field: bytes, fields: Mapping[bytes, Sequence[bytes]], body: Body, *, now: int
) -> Flow[LookupTxt, SignatureResult]:
    """Verify one DKIM-Signature field of a mail.

    Args:
        field: The field as it is in the header section.
        fields: All fields of the header section, by their names in lower case.
        body: The body of the mail.
        now: The time, in seconds since 1970.

    Spec: RFC 6376 §6.1; RFC 8301; RFC 8463.
    """
    # Cheapest first, so that no key is asked for a signature that cannot be valid:
    #   1. parse the tags            4. compare the body hash
    #   2. From must be covered      5. fetch the key (the only ask)
    #   3. check t= and x=           6. verify the signature over the canonical header fields
    domain = selector = signature = None
    passed = 0
    try:
        # 1. The domain first: a signature that is malformed otherwise is still reported with its domain.
        tags = field_tags(field)
        domain, selector = signer(tags)
        signature = read_signature(field, tags, domain=domain, selector=selector)
        passed = 2  # "header-section" too: the header section is not ambiguous
        # 2.
        if b"from" not in signature.names:
            raise VerificationFailed("coverage-missing", "From is not signed")
        passed = 3
        # 3.
        check_time(signature, now)
        passed = 4
        # 4.
        check_digest(signature, body)
        passed = 5
        # 5.
        key = published_key((yield from _new_lookup(name=signature.key_name)), signature)
        passed = 6
        # 6.
        signed = signed_fields(fields, signature.names, signature.without_value, relaxed=signature.relaxed_header)
        check_signature(signature, key, signed)
        passed = 7
    except VerificationFailed as error:
        # A copy without the traceback, which would keep the whole mail in memory as long as the message.
        fault = error.__class__(error.code, error.detail, temporary=error.temporary)
        return SignatureResult(domain, selector, _STEPS[:passed], signature, fault)
    return SignatureResult(domain, selector, _STEPS, signature)


def _verified_verdict(
    method: AuthMethod,
    claim: SenderClaim,
    result: SignatureResult | None,
    now: datetime,
    *,
    used: Sequence[Signature] = (),
    is_sealed: bool = False,
) -> Verdict:
    """The verdict on a sender whose domain is verified by a signature; `used` are all that count for one message only.

    Where the settings trust it, SPF alone verifies it, or the word of a forwarder, of which no evidence is made: a
    forwarder proves nothing about the senders of others.
    """
    address = claim.author.sender.address
    issuer, key_id = address.rpartition("@")[2], None
    steps: tuple[str, ...] = ("header-section", "spf")
    if result is not None and (signature := result.signature) is not None:
        issuer, key_id, steps = signature.domain, signature.key_name, result.steps
    lazy_replays: Any = ()
    if used:
        lazy_replays = Lazy(partial(_replay_asks, used, claim.native_id, claim.host or UNNAMED_HOST))
    evidence = None
    if not is_sealed:
        audience = claim.host or NO_AUDIENCE
        evidence = transport_evidence(method, address, issuer=issuer, audience=audience, key_id=key_id, now=now)
    return Verdict(
        method=method,
        verified=True,
        address=address,
        key_id=key_id,
        evidence=evidence,
        steps=(*steps, "alignment"),
        replays=lazy_replays,
    )


def _replay_asks(signatures: Sequence[Signature], native_id: str, host: str) -> tuple[UseOnce, ...]:
    """The asks that let each of these signatures count for one message only."""
    # The last second of one is `expires_at + SKEW`. Without `x=` it has none, so its use is never forgotten.
    ends = {one.value: None if one.expires_at is None else one.expires_at + SKEW + 1 for one in signatures}
    return tuple(
        [replay_ask("mail", value, binding=native_id, recipient=host, until=end) for value, end in ends.items()]
    )


def _unverified_verdict(
    address: str, results: Sequence[SignatureResult], dmarc: Dmarc | None, chain: Chain | None
) -> Verdict:
    """The verdict on a sender who is not verified, with the best reason.

    A reason that another try may change comes first, then the signature of the From domain that passed most steps.
    """
    fault, steps = _best_fault(address.rpartition("@")[2], results, dmarc)
    if chain is not None and chain.fault is not None and chain.fault.temporary and not fault.temporary:
        fault = chain.fault
    if dmarc is None or not dmarc.spf:
        return fault.verdict(steps)
    if not fault.temporary:
        fault, steps = (
            VerificationFailed("spf-only", "DMARC passes by SPF alone"),
            ("header-section", "spf", "alignment"),
        )
    return Verdict(
        method="email-dmarc",
        verified=False,
        address=address,
        steps=steps,
        code=fault.code,
        detail=fault.detail,
        temporary=fault.temporary,
    )


def _best_fault(
    from_domain: str, results: Sequence[SignatureResult], dmarc: Dmarc | None
) -> tuple[VerificationFailed, tuple[str, ...]]:
    """The reason why the sender is not verified, and the steps that were passed before."""
    failed = [(result.fault, result.steps, result.domain) for result in results if result.fault is not None]
    unknown = [
        (fault, steps)
        for fault, steps, domain in failed
        if fault.code == "key-unresolvable"
        and domain
        and (domain == from_domain or share_an_owner(domain, from_domain))
    ]
    furthest = max([result.steps for result in results], key=len, default=())
    if dmarc is not None and dmarc.fault and dmarc.fault.code == "address-unresolvable":
        unknown.append((dmarc.fault, furthest))
    if unknown:
        return next((reason for reason in unknown if reason[0].temporary), unknown[0])
    own = [(fault, steps) for fault, steps, domain in failed if domain in (None, from_domain)]
    if own:
        return max(own, key=lambda reason: len(reason[1]))
    if not results:
        return VerificationFailed("unsigned"), ()
    detail = dmarc.fault.detail if dmarc is not None and dmarc.fault else "only other domains signed"
    return VerificationFailed("not-aligned", detail), furthest
