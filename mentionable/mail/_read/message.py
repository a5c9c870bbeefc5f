"""What a mail says: who it is from, which thread it is in, and the parts of its body."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import Code, WireError, wire_error
from ..._flow.settings import Limits
from ..._model.base import replace, unchecked
from ..._model.diagnostic import Diagnostic, unread
from ..._model.parts import FilePart, Part, TextPart
from ..._model.sender import Sender, SenderProfile
from ..._text.display_names import display_name
from ..._text.media import store_blob
from ..._text.plain_text import clean
from ..._transport.delivery import CarriedTrace
from ..._wire.address import Address, canonical
from ...trace import read_leniently
from .charset import decode_text
from .header_section import Addresses, HeaderSection, read_addresses, read_ids
from .mime import PartHeader, Tree, place
from .transfer import decode_transfer

# --- the sender

_FROM: Final = "/headers/from"
_REMEMBERED_CHARS: Final = 200
_new_profile = unchecked(SenderProfile)
_new_sender = unchecked(Sender)


class Author(NamedTuple):
    """The sender of a mail, the From field that names them, and what is odd about it."""

    sender: Sender
    field: Addresses
    diagnostics: tuple[Diagnostic, ...]


def read_author(headers: HeaderSection, *, limits: Limits) -> Author:
    """The sender that From names, not verified.

    Sender, Resent-From and Reply-To are never looked at.

    Raises:
        WireError: `sender-unaddressable`: From is missing or there twice, or does not have exactly one address of the
            form `user@domain`.

    Spec: Normalized Message §3.1 (sender.address), §5 (table).
    """
    value = headers.first.get("from")
    if value is None or "from" in headers.repeated:
        raise _unaddressable("there is exactly one From field")
    return (_remembered_author if len(value) < _REMEMBERED_CHARS else _read_author)(value, limits.recipients)


def _read_author(value: str, limit: int) -> Author:
    """The sender that the value of From names. Depends on its arguments alone."""
    field = read_addresses(value, name="from", limit=limit)
    named = [(address, mailbox.name) for mailbox in field.mailboxes if (address := canonical_mailbox(mailbox.address))]
    if len(named) != 1:
        raise _unaddressable("From has exactly one address of the form user@domain")
    address, name = named[0]
    diagnostics: tuple[Diagnostic, ...] = ()
    fault = field.fault
    if not fault and len(field.mailboxes) > 1:
        fault = "more than one mailbox"
    elif not fault and field.groups:  # RFC 6854: a group with one address is read; only the first fault is named
        fault = "a group"
    if fault:
        diagnostics = (Diagnostic(code="address-ambiguous", at=_FROM, detail=fault),)
    name, odd = display_name(name or "", address, at=_FROM)
    profile = _new_profile(display_name=name, provider="email", provider_subject=f"email:{address.mailbox}")
    return Author(_new_sender(address=address, display_name=name, profile=profile), field, diagnostics + odd)


_remembered_author = lru_cache(maxsize=1024)(_read_author)


def canonical_mailbox(mailbox: str) -> Address | None:
    """The canonical address that `local@domain` of an address field names, or None."""
    return canonical(f"@{mailbox}") if mailbox else None


def _unaddressable(rule: str) -> Exception:
    return wire_error("sender-unaddressable", _FROM, rule)


# --- the thread


class Thread(NamedTuple):
    """The ids of a mail, each with its `<>`.

    Attributes:
        native_id: Its own Message-ID; made from its bytes when it has none.
        thread_id: The root of the conversation.
        parent: The mail that it answers, where it names one.
        joins: The id of the parent where there are no References, else empty: if the caller has stored that mail, its
            thread is taken.
    """

    native_id: str
    thread_id: str
    parent: str | None
    joins: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def read_thread(headers: HeaderSection, *, limits: Limits) -> Thread:
    """The first valid id of References, else that of In-Reply-To, else the mail's own.

    With In-Reply-To alone, its first id is the thread for now; `joins` asks the caller for the thread of that mail.

    Entries that are no ids are skipped. A mail without a Message-ID gets one that depends on its bytes alone, so that
    the same mail gives it again.

    Spec: Normalized Message §5.3.1.
    """
    diagnostics: tuple[Diagnostic, ...] = ()
    valid: dict[str, str] = {}
    for name in ("message-id", "in-reply-to", "references"):
        value = headers.first.get(name)
        if value is None:
            continue
        ids = read_ids(value, max_chars=limits.id_chars)
        if ids:
            valid[name] = ids[0]
        else:
            diagnostics += (Diagnostic(code="message-id-malformed", at=f"/headers/{name}"),)
    own, parent, root = valid.get("message-id"), valid.get("in-reply-to"), valid.get("references")
    if own is None:
        if "message-id" not in headers.first:
            diagnostics += (Diagnostic(code="message-id-missing", at="/headers/message-id"),)
        own = f"<{hashlib.sha256(headers.raw).hexdigest()[:32]}@mentionable.invalid>"
    joins = () if root is not None or parent is None else (parent,)
    return Thread(own, root or parent or own, parent, joins, diagnostics)


# --- the body

_RANKS: Final = {"text/plain": 0, "text/markdown": 1, "text/html": 2}
_RECODED: Final = frozenset(("base64", "quoted-printable"))  # their own line ends are not those of the text
TRACE_PROFILE: Final = "https://mentionable.dev/ns/normalized-message/v0.1"
"""What tells the trace of a response from other JSON (RFC 6906)."""

_new_text_part = unchecked(TextPart)
_new_file_part = unchecked(FilePart)


class Content(NamedTuple):
    """The content of a mail.

    Attributes:
        parts: The parts of the message.
        blobs: SHA-256 in hex → bytes of files that are too large for it.
        texts: All decoded body texts by media type, alternatives that were not taken included.
        attachments: Every other body part as `raw` shows it.
        trace: The trace, where one could be read.
        diagnostics: What is odd.
    """

    parts: tuple[Part, ...]
    blobs: dict[str, bytes]
    texts: dict[str, str]
    attachments: list[dict[str, Any]]
    trace: CarriedTrace | None
    diagnostics: list[Diagnostic]


def read_content(raw: bytes, tree: Tree, *, limits: Limits) -> Content:
    """Decode every body part of a mail.

    Raises:
        LimitError: The content is larger than `limits.mail_decoded_bytes`.

    Spec: Normalized Message §3.2, §5.3.
    """
    diagnostics: list[Diagnostic] = []
    texts: dict[int, tuple[Any, str]] = {}  # the media type is one of `_RANKS`
    files: dict[int, FilePart] = {}
    by_mime: dict[str, str] = {}
    blobs: dict[str, bytes] = {}
    attachments: list[dict[str, Any]] = []
    trace: CarriedTrace | None = None
    has_trace, size, max_bytes = False, 0, limits.mail_decoded_bytes
    for number, body_part in enumerate(tree.body_parts):
        header = body_part.header
        length = body_part.end - body_part.start
        # The decoded size is bounded before anything is decoded.
        size += length * 3 // 4 if header.encoding == "base64" else length
        if size > max_bytes:
            raise wire_error("too-large", "", f"the content of a mail has at most {max_bytes} bytes")
        data, fault = decode_transfer(raw[body_part.start : body_part.end], header.encoding)
        if fault:
            diagnostics.append(_diagnostic(fault, "content-transfer-encoding", number))
        if is_body_text(header):
            text, faults = _body_text(header, data)
            if faults:
                diagnostics += [_diagnostic(code, field, number) for code, field in faults]
            texts[number] = (header.mime, text)
            by_mime[header.mime] = text
            continue
        digest = hashlib.sha256(data).hexdigest()
        attachments.append({
            "filename": header.name,
            "mimeType": header.mime,
            "disposition": header.disposition or None,
            "related": body_part.related,
            "contentId": header.content_id,
            "digest": digest,
            "size": len(data),
        })  # fmt: skip
        if header.mime == "application/json" and header.profile == TRACE_PROFILE and not has_trace:
            has_trace = True  # the trace of a response is no file (§10.3)
            trace, odd = _read_trace(data, place("", number))
            diagnostics += odd
        else:
            reference = store_blob(data, limits=limits, blobs=blobs, digest=digest)
            files[number] = _new_file_part(
                mime=header.mime, bytes_ref=reference, name=header.name, size_bytes=len(data)
            )
    if len(by_mime) < len(texts):
        by_mime = {mime: "\n".join([text for kind, text in texts.values() if kind == mime]) for mime in by_mime}
    chosen = _choose(tree, texts)
    parts: list[Part] = []
    for number in sorted([*chosen, *files]) if files else chosen:
        file = files.get(number)
        if file is None:
            mime, text = texts[number]
            parts.append(_new_text_part(content=text, mime=mime))
        else:
            parts.append(file)
    return Content(tuple(parts), blobs, by_mime, attachments, trace, diagnostics)


def is_body_text(header: PartHeader) -> bool:
    """Whether a body part is text to read, not a file: text without a file name that is not to be an attachment."""
    return header.mime in _RANKS and header.name is None and header.disposition in ("", "inline")


def _diagnostic(code: Code, field: str, number: int) -> Diagnostic:
    return Diagnostic(code=code, at=place(field, number), detail=f"leaf {number}")


def _body_text(header: PartHeader, data: bytes) -> tuple[str, tuple[tuple[Code, str], ...]]:
    """The text of a body part, and what is odd in it: a code, and the field that it is about, or ""."""
    faults: tuple[tuple[Code, str], ...] = ()
    text, fault = decode_text(data, header.charset)
    if fault:
        faults += ((fault, "content-type"),)
    rest = text
    if "\r\n" in text:
        lines = text.split("\r\n")  # to split and join is a third faster than to replace
        rest, text = "".join(lines), "\n".join(lines)
    if "\n" in rest and header.encoding not in _RECODED:
        faults += (("line-ends-mixed", ""),)
    if "\r" in text or "\0" in text:  # few mails have either
        text = clean(text)
    if header.flowed and header.mime == "text/plain":
        text = unflow(text, delete_space=header.delete_space)
    return text, faults


def _read_trace(data: bytes, pointer: str) -> tuple[CarriedTrace | None, list[Diagnostic]]:
    """The trace of a response. The mail is none the worse for one that cannot be read (§10.6)."""
    trace: CarriedTrace | None = None
    try:
        response, odd = read_leniently(data)
        trace = CarriedTrace(response, pointer)
    except WireError as error:
        odd = (unread(error),)
    return trace, [replace(one, at=pointer + one.at) for one in odd]


def _choose(tree: Tree, texts: dict[int, tuple[str, str]]) -> list[int]:
    """The numbers of the body parts whose text goes into the message, in order.

    Groups of alternatives are resolved from the innermost out: the texts of the best branch move up to the branch that
    holds the group. Blank text counts as absent.
    """
    written = [number for number, (_, text) in texts.items() if text and not text.isspace()]
    if len(tree.groups) == 1:  # no multipart/alternative
        return written
    branches: list[dict[int, list[int]]] = [{} for _ in tree.groups]
    for number in written:
        body_part = tree.body_parts[number]
        branches[body_part.group].setdefault(body_part.branch, []).append(number)
    for group in range(len(tree.groups) - 1, 0, -1):
        if branches[group]:
            outer, branch = tree.groups[group]
            best = min(
                branches[group].values(), key=lambda numbers: min([_RANKS[texts[number][0]] for number in numbers])
            )
            branches[outer].setdefault(branch, []).extend(best)
    return sorted([number for numbers in branches[0].values() for number in numbers])


_SIGNATURE: Final = "-- "


def unflow(text: str, *, delete_space: bool) -> str:
    """`text` with its soft line breaks taken out.

    A line that ends in a blank goes on in the next one of the same quote depth. Quoted lines come out as `> text`, one
    `>` for each level. The signature separator is never joined.

    Args:
        text: Lines that end in LF.
        delete_space: Whether the blank of a soft break goes with it (`DelSp=yes`, for scripts without blanks).

    Spec: RFC 3676 §4.
    """
    out: list[str] = []
    paragraph: list[str] = []
    depth = 0
    lines = text.split("\n")
    tail = lines.pop()
    for line in [*lines, tail] if tail else lines:
        content = line.lstrip(">")
        level = len(line) - len(content)
        if content[:1] == " ":
            content = content[1:]
        if paragraph and (level != depth or content == _SIGNATURE):
            out.append(_quoted("".join(paragraph), depth))
            paragraph.clear()
        depth = level
        if content[-1:] == " " and content != _SIGNATURE:
            paragraph.append(content[:-1] if delete_space else content)
            continue
        paragraph.append(content)
        out.append(_quoted("".join(paragraph), depth))
        paragraph.clear()
    if paragraph:
        out.append(_quoted("".join(paragraph), depth))
    return "\n".join(out) + ("" if tail or not out else "\n")


def _quoted(text: str, depth: int) -> str:
    """A line at a quote depth."""
    if not depth:
        return text
    return f"{'>' * depth} {text}" if text else ">" * depth
