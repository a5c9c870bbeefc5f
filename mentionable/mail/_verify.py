"""The second door: who a mail is from, and how that is shown.

Each signature is judged alone, step after step; the first that fails is the reason it does not count. What is shown in
the end is a domain, never which of its users wrote.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from .._crypto.verification import VerificationFailed, minted, replay_of
from .._errors.exceptions import WireError
from .._flow.asks import LookupTxt, UseOnce
from .._flow.flow import Flow, ask_each, bounded
from .._flow.outcome import UNSIGNED, Verdict
from .._flow.settings import DEFAULTS, Settings, check_inputs
from .._model.base import trusted
from .._model.diagnostic import Diagnostic
from .._model.sender import AuthMethod
from .._wire.address import canonical
from ._auth.dkim import (
    MAX_SIGNATURES,
    SKEW,
    Body,
    Signature,
    check_coverage,
    check_digest,
    check_signature,
    check_time,
    doubtful_bytes,
    field_tags,
    published_key,
    read_signature,
    signed_fields,
    signer,
    split_fields,
)
from ._auth.dmarc import Dmarc, evaluate, record_name, walk_domains
from ._auth.public_suffix import share_an_owner
from ._envelope import Envelope, check_unit, spf_domain
from ._read.header_section import POLICY, Head, read_head
from ._read.message import Author, read_author, read_thread
from ._settings import trusts_spf

_KEEP: Final = 30 * 24 * 3_600
"""Seconds for which a signature that never expires is remembered as used."""

_PARSED: Final = ("head", "parse")
_COVERED: Final = (*_PARSED, "coverage")
_IN_TIME: Final = (*_COVERED, "time")
_UNCHANGED: Final = (*_IN_TIME, "digest")
"""The steps that a signature passes without its key, one after the other."""

_AMBIGUOUS: Final = frozenset(("head-malformed", "line-ends-mixed", "field-repeated", "address-ambiguous"))
# The old way to write a name: after the address, in a comment that no reader can take for anything else.
_NAME_IN_COMMENT: Final = re.compile(
    r"[^\s()<>@,;:\\\"\[\]]++@[A-Za-z0-9.-]++[ \t]*+\([^()<>@,;:\\\"\[\]]*+\)"
).fullmatch
_SHAPING: Final = ("content-type", "content-transfer-encoding", "message-id", "in-reply-to", "references", POLICY)
"""The fields that say how a body is read, which thread it is in, and what is demanded."""

_lookup = trusted(LookupTxt, "name")


class Judgement(NamedTuple):
    """What came of one signature.

    Attributes:
        domain: Who it says signed; None when that cannot be read.
        selector: Which of their keys.
        steps: The steps that were passed, in order.
        signature: What it says, when all of it can be read.
        fault: Why it does not count; None when it fits.
    """

    domain: str | None
    selector: str | None
    steps: tuple[str, ...] = ()
    signature: Signature | None = None
    fault: VerificationFailed | None = None


class Authentication(NamedTuple):
    """What was found out about who a mail is from.

    Attributes:
        verdict: The verdict.
        judgements: What came of each signature, for `raw`.
        dmarc: What came of DMARC, for `raw`.
        shown_by: The signature that showed the sender, if one did.
    """

    verdict: Verdict
    judgements: tuple[Judgement, ...] = ()
    dmarc: Dmarc | None = None
    shown_by: Signature | None = None


class Claim(NamedTuple):
    """Who a mail says it is from, and all that may show it.

    Attributes:
        head: Its header section.
        address: The address in From.
        doubt: Why the mail can be read in two ways, or "".
        native_id: What a signature is used for.
        audience: Which host it was sent to.
        envelope: What the SMTP conversation said.
    """

    head: Head
    address: str
    doubt: str
    native_id: str
    audience: str
    envelope: Envelope | None

    @property
    def domain(self) -> str:
        """The From domain, as A-labels in lower case."""
        return self.address.rpartition("@")[2]


def verify(
    raw: bytes, *, envelope: Envelope | None = None, now: datetime, settings: Settings = DEFAULTS
) -> Flow[LookupTxt, Verdict]:
    r"""Who a raw mail is from and how that is shown, without making a message of it.

    Args:
        raw: The mail as it came, byte for byte.
        envelope: What the SMTP conversation said, with the result of SPF.
        now: The time, aware.
        settings: Limits, and what DMARC by SPF alone is worth.

    Returns:
        A flow of the verdict. A mail that `receive` rejects for its head or its sender has the code of that.

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
    check_unit(raw, envelope)
    return _verified(bytes(raw), envelope, now, settings)


def _verified(raw: bytes, envelope: Envelope | None, now: datetime, settings: Settings) -> Flow[LookupTxt, Verdict]:
    """The flow behind the door."""
    notes: list[Diagnostic] = []
    try:
        head = read_head(raw, limits=settings.limits, notes=notes)
        author = read_author(head, limits=settings.limits)
        doubt = doubt_of(head, author, notes)
        native_id = read_thread(head, limits=settings.limits, notes=notes).native_id
    except WireError as error:
        return VerificationFailed(error.code, str(error)).verdict()
    claim = Claim(head, author.sender.address, doubt, native_id, _audience(envelope), envelope)
    return (yield from authenticate(claim, now=now, settings=settings)).verdict


def _audience(envelope: Envelope | None) -> str:
    """Which host a mail was sent to, as far as the envelope says so: it may be for several agents there."""
    for mailbox in envelope.rcpt_to if envelope else ():
        address = canonical(f"@{mailbox}")
        if address:
            return address.domain
    return "undisclosed-recipients"


def doubt_of(head: Head, author: Author, notes: Sequence[Diagnostic]) -> str:
    """Why a mail can be read in two ways, in words, or "": then it does not count what one of them shows.

    Args:
        head: The header section.
        author: Its author.
        notes: What was odd in the header section.
    """
    for note in (*notes, *author.notes):
        if note.code in _AMBIGUOUS and not (note.detail == "a comment" and _NAME_IN_COMMENT(head.first["from"])):
            return f"{note.at}: {note.detail or note.code}"
    return ""


def authenticate(claim: Claim, *, now: datetime, settings: Settings) -> Flow[LookupTxt, Authentication]:
    """The verdict on who a mail is from. Nothing is asked for a mail that nothing could show.

    Spec: Normalized Message §5.3.2.
    """
    envelope_domain = spf_domain(claim.envelope)
    if "dkim-signature" not in claim.head.first and envelope_domain is None:
        return Authentication(UNSIGNED)
    doubt = claim.doubt or doubtful_bytes(claim.head.raw, claim.head.body)
    if doubt:
        fault = VerificationFailed("signature-ambiguous", doubt)
        signatures = [field for field in claim.head.fields if field["key"] == "dkim-signature"]
        return Authentication(fault.verdict(), (Judgement(None, None, fault=fault),) * len(signatures))
    return (yield from bounded(_authenticated(claim, envelope_domain, now, settings), remote=settings.limits.asks))


def _authenticated(
    claim: Claim, envelope_domain: str | None, now: datetime, settings: Settings
) -> Flow[LookupTxt, Authentication]:
    """`authenticate` for a mail that has something to show and can be read in one way only."""
    judgements = yield from _judge(claim.head, int(now.timestamp()))
    author = claim.domain
    fitting = [judgement for judgement in judgements if judgement.fault is None]
    for judgement in fitting:
        if judgement.domain == author:
            return Authentication(_shown("email-dkim", claim, judgement, now), judgements, None, judgement.signature)
    signers = [j.domain for j in fitting if j.domain and share_an_owner(j.domain, author)]
    if envelope_domain is not None and envelope_domain != author and not share_an_owner(envelope_domain, author):
        envelope_domain = None
    dmarc: Dmarc | None = None
    if signers or envelope_domain:
        answers = yield from _dmarc_records([author, *signers, *filter(None, (envelope_domain,))])
        dmarc = evaluate(author, signers=signers, envelope_domain=envelope_domain, answers=answers)
        if dmarc.signer is not None:
            judgement = next(judgement for judgement in fitting if judgement.domain == dmarc.signer)
            verdict = _shown("email-dmarc", claim, judgement, now)
            return Authentication(verdict, judgements, dmarc, judgement.signature)
        if dmarc.spf and trusts_spf(settings):
            return Authentication(_shown("email-dmarc", claim, None, now), judgements, dmarc)
    return Authentication(_not_shown(claim, judgements, dmarc), judgements, dmarc)


def unsigned_fields(head: Head, signature: Signature | None, *, is_subject_text: bool) -> list[Diagnostic]:
    """A note for each field that shapes the message and that anybody on the way may have written.

    Args:
        head: The header section.
        signature: What showed the sender; None when nothing did, so that all of it is anybody's word.
        is_subject_text: Whether the subject is all that the message says.
    """
    if signature is None:
        return []
    shaping = (*_SHAPING, "subject") if is_subject_text else _SHAPING
    return [
        Diagnostic(code="field-unsigned", at=f"/headers/{name}", detail="not covered by the signature")
        for name in shaping
        if name in head.first and name.encode() not in signature.names
    ]


def _judge(head: Head, now: int) -> Flow[LookupTxt, tuple[Judgement, ...]]:
    """What comes of each signature. The keys of all are asked for at once, and of those alone that may fit yet."""
    fields = split_fields(head.raw[: head.body])
    body = Body(head.raw[head.body :])
    own = fields.get(b"dkim-signature", [])
    judgements = [_judge_alone(field, body, now) for field in own[:MAX_SIGNATURES]]
    asks = [_lookup(name) for name in _open_names(judgements)]
    answers = dict(zip([ask.name for ask in asks], (yield from ask_each(asks)), strict=True))
    skipped = Judgement(None, None, fault=VerificationFailed("signature-skipped"))
    return (
        *[_judge_with_key(judgement, answers, fields) for judgement in judgements],
        *[skipped] * (len(own) - len(judgements)),
    )


def _judge_alone(field: bytes, body: Body, now: int) -> Judgement:
    """What can be said of a signature without its key."""
    judgement = Judgement(None, None)
    try:
        tags = field_tags(field)
        domain, selector = signer(tags)
        judgement = Judgement(domain, selector)
        signature = read_signature(field, tags, domain=domain, selector=selector)
        judgement = Judgement(domain, selector, _PARSED, signature)
        check_coverage(signature)
        judgement = judgement._replace(steps=_COVERED)
        check_time(signature, now)
        judgement = judgement._replace(steps=_IN_TIME)
        check_digest(signature, body)
        return judgement._replace(steps=_UNCHANGED)
    except VerificationFailed as fault:
        return judgement._replace(fault=_kept(fault))


def _kept(fault: VerificationFailed) -> VerificationFailed:
    """The same fault without its traceback, which would keep the whole mail in memory as long as the message."""
    return fault.__class__(fault.code, fault.detail, temporary=fault.temporary)


def _open_names(judgements: Sequence[Judgement]) -> list[str]:
    """The names of the keys of the signatures that may fit yet."""
    return [j.signature.key_name for j in judgements if j.signature is not None and j.fault is None]


def _judge_with_key(
    judgement: Judgement, answers: Mapping[str, Any], fields: Mapping[bytes, Sequence[bytes]]
) -> Judgement:
    """What the key says of a signature that may fit yet."""
    signature = judgement.signature
    if signature is None or judgement.fault is not None:
        return judgement
    try:
        key = published_key(answers[signature.key_name], signature)
        judgement = judgement._replace(steps=(*judgement.steps, "key"))
        signed = signed_fields(fields, signature.names, signature.unsigned, relaxed=signature.relaxed_head)
        check_signature(signature, key, signed)
        return judgement._replace(steps=(*judgement.steps, "signature"))
    except VerificationFailed as fault:
        return judgement._replace(fault=_kept(fault))


def _dmarc_records(domains: Sequence[str]) -> Flow[LookupTxt, Mapping[str, Any]]:
    """The answers for every name on the ways up from some domains, in one batch."""
    names = dict.fromkeys([record_name(name) for domain in domains for name in walk_domains(domain)])
    return dict(zip(names, (yield from ask_each([_lookup(name) for name in names])), strict=True))


def _shown(method: AuthMethod, claim: Claim, judgement: Judgement | None, now: datetime) -> Verdict:
    """The verdict on a mail whose sender's domain is shown, by a signature or, for who wants that, by SPF."""
    signature = judgement.signature if judgement else None
    passed = judgement.steps if judgement else ("head", "spf")
    key_id = signature.key_name if signature else None
    issuer = signature.domain if signature else claim.domain
    return Verdict(
        method=method,
        verified=True,
        address=claim.address,
        key_id=key_id,
        evidence=minted(method, claim.address, issuer=issuer, audience=claim.audience, key_id=key_id, now=now),
        steps=(*passed, "alignment"),
        replay=_replay(signature, claim.native_id, now) if signature else None,
    )


def _replay(signature: Signature, native_id: str, now: datetime) -> UseOnce:
    """What to ask so that a signature counts for one mail."""
    until = int(now.timestamp()) + _KEEP
    if signature.expires is not None:
        until = min(until, signature.expires + SKEW)
    return replay_of("mail", signature.value, binding=native_id, until=until)


def _not_shown(claim: Claim, judgements: Sequence[Judgement], dmarc: Dmarc | None) -> Verdict:
    """The verdict on a mail whose sender is not shown, with the best reason.

    What another try may change comes first; then how far a signature of the sender's own domain came.
    """
    fault, steps = _best_fault(claim.domain, judgements, dmarc)
    if dmarc is None or not dmarc.spf:
        return fault.verdict(steps)
    if not fault.temporary:
        fault, steps = VerificationFailed("spf-only", "DMARC passes by SPF alone"), ("head", "spf", "alignment")
    return Verdict(
        method="email-dmarc",
        verified=False,
        address=claim.address,
        steps=steps,
        code=fault.code,
        detail=fault.detail,
        temporary=fault.temporary,
    )


def _best_fault(
    author: str, judgements: Sequence[Judgement], dmarc: Dmarc | None
) -> tuple[VerificationFailed, tuple[str, ...]]:
    """The reason why nothing shows the sender, and the steps that were passed before."""
    failed = [(j.fault, j.steps, j.domain) for j in judgements if j.fault is not None]
    unknown = [
        (fault, steps)
        for fault, steps, domain in failed
        if fault.code == "key-unresolvable" and domain and (domain == author or share_an_owner(domain, author))
    ]
    furthest = max([j.steps for j in judgements], key=len, default=())
    if dmarc is not None and dmarc.fault and dmarc.fault.code == "address-unresolvable":
        unknown.append((dmarc.fault, furthest))
    if unknown:
        return next((found for found in unknown if found[0].temporary), unknown[0])
    own = [(fault, steps) for fault, steps, domain in failed if domain in (None, author)]
    if own:
        return max(own, key=lambda found: len(found[1]))
    if not judgements:
        return VerificationFailed("unsigned"), ()
    detail = dmarc.fault.detail if dmarc is not None and dmarc.fault else "only other domains signed"
    return VerificationFailed("not-aligned", detail), furthest
