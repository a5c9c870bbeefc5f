"""Whether a mail is a report of a program about a mail, and what it says (RFC 3464, 6533, 8098, 5965)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from ..._errors.exceptions import WireError
from ..._flow.settings import Limits
from ..._html.convert import html_to_text
from ..._model.base import replace
from ..._model.diagnostic import Diagnostic
from .._report import DeliveryStatus, Disposition, Feedback, Report, ReportKind
from .automatic import FAILED, REPORT
from .charset import decode_text
from .header_section import HeaderSection, read_addresses, read_date, read_header_section, read_ids
from .mime import BodyPart, Tree, place, walk
from .parameters import read_structured
from .report_fields import Group, Groups, read_groups, text_of, typed
from .report_members import in_words, read_disposition, read_feedback, read_status
from .report_text import NOT_EXPLAINED, Missed, is_qsbmf, read_text
from .transfer import decode_transfer

_KINDS: Final[Mapping[str, ReportKind]] = {
    "delivery-status": "delivery",
    "global-delivery-status": "delivery",
    "disposition-notification": "disposition",
    "global-disposition-notification": "disposition",
    "feedback-report": "abuse",
}
_STATUS_PARTS: Final = frozenset([f"message/{name}" for name in _KINDS])
_MAILS: Final = ("message/rfc822", "message/global")
_RETURNED: Final = frozenset((
    *_MAILS, "text/rfc822-headers", "message/rfc822-headers", "message/global-headers",
))  # fmt: skip
_NOTHING: Final = Groups({}, (), "")
_WITHOUT_ITS_PART: Final = "without the part that its report-type names"


class _Words(NamedTuple):
    """What a mail says for people: which mailboxes it did not reach, and the mail that came back below that."""

    missed: Mapping[str, Missed]
    returned: str = ""
    fault: str = ""


_NO_WORDS: Final = _Words({})


class _Parsed(NamedTuple):
    """What a mail reports on, the fields that say it, and where they are."""

    kind: ReportKind
    groups: Groups
    at: str = ""


class _Outcome(NamedTuple):
    """What became of a mail that is reported on, and what is odd about it, or ""."""

    statuses: tuple[DeliveryStatus, ...] = ()
    disposition: Disposition | None = None
    feedback: Feedback | None = None
    fault: str = ""


def read_report(
    headers: HeaderSection, tree: Tree, texts: Mapping[str, str], *, is_mailer: bool, limits: Limits
) -> tuple[Report | None, tuple[Diagnostic, ...]]:
    """The report that a mail is, and what is odd about it; None for every other mail.

    The mail itself must be one: a `multipart/report`, or with the field X-Failed-Recipients, or from a mail server.
    What a person forwards or attaches is no report.

    Args:
        headers: Its header section.
        tree: Its body parts.
        texts: Its texts by media type.
        is_mailer: Whether it says that a mail server wrote it: by its sender, or with the reverse path of one.
        limits: How many recipients are read, and how long a field may be.

    Spec: RFC 3464 §2; RFC 6533; RFC 8098 §3; RFC 5965 §2.
    """
    # 1. find the part for programs    3. read what became of the mail
    # 2. else read the words for people

    # 1.
    content_type = read_structured(
        headers.first.get("content-type", ""), name="content-type", max_parameters=limits.mime_parameters
    )
    report_type = content_type.parameters.get("report-type", "").lower()
    is_report = content_type.value == REPORT
    parsed = _find(headers, tree, limits=limits) if is_report or is_mailer else None
    if parsed is None and report_type in _KINDS:
        if is_report:
            parsed = _Parsed(_KINDS[report_type], _NOTHING._replace(fault=_WITHOUT_ITS_PART))
        elif is_mailer and (wrapped := _unwrapped(headers, tree, limits=limits)) is not None:
            inner, inner_tree, at = wrapped
            report, odd = read_report(inner, inner_tree, {}, is_mailer=True, limits=limits)
            return report, tuple([replace(one, at=f"{at}{one.at}") for one in odd])

    # 2.
    words = _NO_WORDS
    has_field = FAILED in headers.first
    if parsed is None or (parsed.kind == "delivery" and not parsed.groups.recipients):
        if is_mailer or has_field or (is_report and (parsed is not None or not report_type)):
            words = _read_words(headers, texts, is_mailer=is_mailer, limits=limits)
        if parsed is None and not words.missed and not has_field:
            return None, ()

    # 3.
    kind, groups, at = parsed or _Parsed("delivery", _NOTHING)
    fields = {**groups.report, **groups.recipients[0]} if groups.recipients else groups.report
    outcome = _outcome(kind, groups, fields, words)
    report = Report(
        kind=kind,
        original_id=_original_id(headers, tree, fields, words.returned, limits=limits),
        reporter=_reporter(fields),
        envelope_id=text_of(fields, "original-envelope-id"),
        arrival_date=read_date(text_of(fields, "arrival-date") or text_of(fields, "received-date") or ""),
        recipients=outcome.statuses,
        disposition=outcome.disposition,
        feedback=outcome.feedback,
    )
    fault = groups.fault or outcome.fault
    return report, (Diagnostic(code="report-malformed", at=at, detail=fault),) if fault else ()


def _outcome(kind: ReportKind, groups: Groups, fields: Group, words: _Words) -> _Outcome:
    """What became of a mail, by the part for programs, or by the words for people."""
    if kind == "disposition":
        disposition = read_disposition(fields)
        return _Outcome(disposition=disposition, fault="" if disposition else "it has no disposition")
    if kind == "abuse":
        feedback = read_feedback(fields)
        return _Outcome(feedback=feedback, fault="" if feedback else "it has no type of feedback")
    if groups.recipients:
        # Some mail servers report what became of it once for all recipients.
        shared: Group = {name: groups.report[name] for name in ("action", "status") if name in groups.report}
        read = [read_status({**shared, **group}) for group in groups.recipients]
        return _Outcome(tuple(dict.fromkeys(filter(None, read))), fault=_oddity(read))
    statuses = tuple([in_words(one, missed) for one, missed in words.missed.items()])
    return _Outcome(statuses, fault=words.fault or ("" if statuses else "it names no recipient"))


def _find(headers: HeaderSection, tree: Tree, *, limits: Limits) -> _Parsed | None:
    """What the part for programs reports on, where there is one."""
    parsed: _Parsed | None = None
    for number, part in enumerate(tree.body_parts):
        if part.header.mime in _STATUS_PARTS:
            kind = _KINDS[part.header.mime.partition("/")[2]]
            data, _ = decode_transfer(headers.raw, part.header.encoding, part.start, part.end)
            groups = read_groups(decode_text(data, part.header.charset)[0], limits=limits)
            parsed = parsed or _Parsed(kind, groups, place("", number))
            # Some mail servers label the part for people so too: that has no recipients.
            if kind != "delivery" or groups.recipients:
                return _Parsed(kind, groups, place("", number))
    return parsed


def _unwrapped(headers: HeaderSection, tree: Tree, *, limits: Limits) -> tuple[HeaderSection, Tree, str] | None:
    """The report that a filter on the way put whole into another mail of the mail server, and where it is in it."""
    number = _first_of(tree, _MAILS)
    if number is None:
        return None
    part = tree.body_parts[number]
    raw = decode_transfer(headers.raw, part.header.encoding, part.start, part.end)[0]
    try:
        inner = read_header_section(raw, limits=limits)
        is_report = inner.first.get("content-type", "")[: len(REPORT)].lower() == REPORT
        tree = walk(inner.raw, inner.body, inner.first, limits=limits)
    except WireError:
        return None
    return (inner, tree, place("", number)) if is_report else None


def _read_words(headers: HeaderSection, texts: Mapping[str, str], *, is_mailer: bool, limits: Limits) -> _Words:
    """What the text of a bounce says. Of mailboxes that X-Failed-Recipients names, it gives the reasons."""
    text = _text_of(texts)
    failed, odd = _failed(headers, limits=limits)
    is_list = bool(failed) or (is_mailer and is_qsbmf(text))
    explained = read_text(text, is_list=is_list, limits=limits)
    missed = explained.mailboxes
    if failed:
        missed = {one: missed.get(one, NOT_EXPLAINED) for one in failed}
    return _Words(missed, explained.returned, odd or explained.fault)


def _text_of(texts: Mapping[str, str]) -> str:
    """The text of a mail for people, as lines."""
    text = texts.get("text/plain", "")
    return html_to_text(texts["text/html"]) if not text.strip() and "text/html" in texts else text


def _first_of(tree: Tree, types: Iterable[str]) -> int | None:
    """The number of the first body part of one of these media types."""
    return next((number for number, part in enumerate(tree.body_parts) if part.header.mime in types), None)


def _oddity(statuses: Iterable[DeliveryStatus | None]) -> str:
    """What is odd about what is reported of the recipients, or ""."""
    for one in statuses:
        if one is None:
            return "a recipient without a mailbox"
        if one.action is None:
            return "a recipient without an action"
    return ""


def _failed(headers: HeaderSection, *, limits: Limits) -> tuple[tuple[str, ...], str]:
    """The mailboxes that X-Failed-Recipients names, each once; and what is odd, or ""."""
    mailboxes: dict[str, None] = {}
    for value in headers.values(FAILED):
        try:
            named = read_addresses(value, name=FAILED, limit=limits.recipients - len(mailboxes))
        except WireError:
            return tuple(mailboxes), f"more than {limits.recipients} recipients"
        mailboxes |= dict.fromkeys([one.address for one in named.mailboxes if one.address])
    return tuple(mailboxes), ""


def _original_id(headers: HeaderSection, tree: Tree, fields: Group, returned: str, *, limits: Limits) -> str | None:
    """The Message-ID of the mail that a report is about.

    It is in the report, or in the mail that came back; some mail servers name it in In-Reply-To or References alone.
    """
    number = _first_of(tree, _RETURNED)
    if number is not None:
        part = tree.body_parts[number]
        own = _message_id(_beginning(headers.raw, part, limits=limits), limits=limits)
    else:
        own = _message_id(returned.encode(), limits=limits) if returned else None
    first = headers.first
    for value, last in (
        (text_of(fields, "original-message-id"), 0),
        (own, 0),
        (first.get("in-reply-to"), 0),
        (first.get("references"), -1),
    ):
        ids = read_ids(value, max_chars=limits.id_chars) if value else []
        if ids:
            return ids[last]
    return None


def _beginning(raw: bytes, part: BodyPart, *, limits: Limits) -> bytes:
    """The beginning of a mail that came back, as far as a header section may reach."""
    if part.header.encoding in ("base64", "quoted-printable"):
        return decode_transfer(raw, part.header.encoding, part.start, part.end)[0]
    return raw[part.start : min(part.end, part.start + limits.mail_head_bytes)]


def _message_id(raw: bytes, *, limits: Limits) -> str | None:
    """The Message-ID field of a mail that came back, which may be cut short or broken."""
    try:
        return read_header_section(raw.lstrip(b"\r\n"), limits=limits).first.get("message-id")
    except WireError:
        return None


def _reporter(fields: Group) -> str | None:
    """The mail server or program that reports."""
    return typed(text_of(fields, "reporting-mta")) or text_of(fields, "reporting-ua") or text_of(fields, "user-agent")
