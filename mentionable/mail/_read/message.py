"""What a mail says: who it is from, which thread it is in, and the parts of its body."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ..._errors.exceptions import Code, WireError, wire_error
from ..._flow.settings import Limits
from ..._model.answerable import Answerable
from ..._model.base import EMPTY_DICT, FrozenDict, replace, tuple_maker, unchecked
from ..._model.diagnostic import Diagnostic, unread
from ..._model.parts import FilePart, Part, TextPart
from ..._model.rules import JsonObject
from ..._model.sender import Sender, SenderProfile
from ..._text.display_names import display_name
from ..._text.media import store_blob
from ..._text.plain_text import clean
from ..._transport.delivery import CarriedTrace
from ..._wire.address import canonical_mailbox
from ..._wire.strict_json import without_null
from ...trace import read_leniently
from .automatic import MAILERS, named_as_program
from .charset import decode_lines
from .flowed import unflow
from .header_section import Addresses, HeaderSection, read_addresses, read_ids
from .identification import CORRESPONDENTS, conversation_id, made_id, without_addresses
from .mime import BodyPart, PartHeader, Tree, place
from .transfer import decode_transfer

# --- the sender

_FROM: Final = "/headers/from"
_REMEMBERED_CHARS: Final = 200
_new_profile = unchecked(SenderProfile)
_new_sender = unchecked(Sender)


class Author(NamedTuple):
    """The sender of a mail.

    Attributes:
        sender: The sender.
        field: The From field that names them.
        diagnostics: What is odd about it.
        by_name: Whether their address says that a program sends from there.
        is_mailer: Whether it says that a mail server does.
    """

    sender: Sender
    field: Addresses
    diagnostics: tuple[Diagnostic, ...]
    by_name: Answerable
    is_mailer: bool


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
    elif not fault and "%40" in address:  # readers that drop its quotes see an address of another domain
        fault = "an at sign in quotes"
    if fault:
        diagnostics = (Diagnostic(code="address-ambiguous", at=_FROM, detail=fault),)
    name, odd = display_name(name or "", address, at=_FROM)
    profile = _new_profile(display_name=name, provider="email", provider_subject=f"email:{address.mailbox}")
    sender = _new_sender(address=address, display_name=name, profile=profile)
    is_mailer = address.lower().startswith(MAILERS)
    return Author(sender, field, diagnostics + odd, named_as_program(address), is_mailer)


_remembered_author = lru_cache(maxsize=1024)(_read_author)


def _unaddressable(rule: str) -> Exception:
    return wire_error("sender-unaddressable", _FROM, rule)


# --- the thread

_ID_FIELDS: Final = ("message-id", "in-reply-to", "references")
_NO_IDS: Final[list[str]] = []
_MAX_NAMED: Final = 32
"""How many of the ids that a mail names are looked up."""


class Thread(NamedTuple):
    """The ids of a mail, each with its `<>`.

    Attributes:
        native_id: Its own Message-ID; made from what its author wrote when it has none.
        thread_id: The root of the conversation, as the mail names it.
        parents: The mails that it answers, where it names some.
        joins: The ids that it names, the best first: if the caller has stored one of these mails, its thread is taken.
        conversation: The id that all mails of its conversation in Outlook share.
    """

    native_id: str
    thread_id: str
    parents: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    conversation: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


_new_thread: Final = tuple_maker(Thread)


def read_thread(headers: HeaderSection, *, limits: Limits) -> Thread:
    """The ids that a mail has and names.

    The thread is for now the first id of References, else that of In-Reply-To, else the mail's own. `joins` asks the
    caller for the threads of the ids of In-Reply-To, then of References from the last to the first; of very many, the
    first one of References is asked for in any case.

    Entries that are no ids are skipped. A mail without a Message-ID gets one that depends on what its author wrote, so
    that the same mail gives it again.

    Spec: Normalized Message §5.3.1.
    """
    diagnostics: tuple[Diagnostic, ...] = ()
    first = headers.first
    each: list[list[str]] = []
    for name in _ID_FIELDS:
        ids = read_ids(first[name], max_chars=limits.id_chars) if name in first else _NO_IDS
        if not ids and name in first:
            diagnostics += (Diagnostic(code="message-id-malformed", at=f"/headers/{name}"),)
        each.append(ids)
    own_ids, named, chain = each
    if own_ids:
        own = own_ids[0]
    else:
        if "message-id" not in first:
            diagnostics += (Diagnostic(code="message-id-missing", at="/headers/message-id"),)
        own = made_id(headers.fields, headers.raw[headers.body :])
    parents: tuple[str, ...] = ()
    joins, root = parents, own
    if named or chain:
        if own in named or own in chain:
            named, chain = [[one for one in several if one != own] for several in (named, chain)]
        if named:
            mailboxes = "\n".join([first.get(name, "") for name in CORRESPONDENTS])
            named = without_addresses(named[:_MAX_NAMED], mailboxes)
            if not named:
                diagnostics += (Diagnostic(code="message-id-malformed", at="/headers/in-reply-to"),)
        parents = tuple(named) if len(named) < 2 else tuple(dict.fromkeys(named[:_MAX_NAMED]))
        joins = tuple(dict.fromkeys((*parents, *chain[::-1])))
        if joins:
            root = chain[0] if chain else parents[0]
        if len(joins) > _MAX_NAMED:
            joins = (*joins[: _MAX_NAMED - 1], root)
    conversation = conversation_id(first["thread-index"]) if "thread-index" in first else None
    return _new_thread(own, root, parents, joins, conversation, diagnostics)


# --- the body

_RANKS: Final = {"text/plain": 0, "text/markdown": 1, "text/html": 2}
_INLINE: Final = ("", "inline")
_RECODED: Final = frozenset(("base64", "quoted-printable"))  # their own line ends are not those of the text
Enclosing: TypeAlias = Literal["mail", "calendar", "tnef", "smime", "pgp"]
"""What a file is of which more is read than its bytes."""

_ENCLOSING: Final[Mapping[str, Enclosing]] = {
    "message/rfc822": "mail",
    "message/global": "mail",
    "text/calendar": "calendar",
    "application/ics": "calendar",
    ".ics": "calendar",
    "application/ms-tnef": "tnef",
    "application/vnd.ms-tnef": "tnef",
    "winmail.dat": "tnef",
    "application/pkcs7-mime": "smime",
    "application/x-pkcs7-mime": "smime",
    ".p7m": "smime",
    "application/pgp-encrypted": "pgp",
}
"""The media type, else the name or its end → what a file is."""

_PGP_MESSAGE: Final = "-----BEGIN PGP MESSAGE-----"  # RFC 9580 §6.2

CONTENT_ID: Final = "content_id"
"""The member of `FilePart.extra` that holds the Content-ID of a file, without `<>`. Spec: RFC 2392."""

DISPOSITION: Final = "disposition"
"""The member of `FilePart.extra` that is `inline` where the text shows the file. Spec: RFC 2183 §2.1, RFC 2387."""

TRACE_PROFILE: Final = "https://mentionable.dev/ns/normalized-message/v0.1"
"""What tells the trace of a response from other JSON (RFC 6906)."""

_new_text_part = unchecked(TextPart)
_new_file_part = unchecked(FilePart)


class Enclosed(NamedTuple):
    """A file whose bytes say more than their name: an invitation, a forwarded mail, what is encrypted.

    Attributes:
        place: Which of the parts it is.
        number: Which of the body parts it is.
        kind: What it is, by its media type, else by its name.
        header: Its header.
        data: Its bytes.
    """

    place: int
    number: int
    kind: Enclosing
    header: PartHeader
    data: bytes


class Content(NamedTuple):
    """The content of a mail.

    Attributes:
        parts: The parts of the message.
        blobs: SHA-256 in hex → bytes of files that are too large for it.
        texts: All decoded body texts by media type, alternatives that were not taken included.
        attachments: Every other body part as `raw` shows it.
        trace: The trace, where one could be read.
        diagnostics: What is odd.
        enclosed: The files of which more is read, by `read_enclosed`.
        methods: The methods of its calendars, once they are read.
    """

    parts: tuple[Part, ...]
    blobs: dict[str, bytes]
    texts: dict[str, str]
    attachments: list[dict[str, Any]]
    trace: CarriedTrace | None
    diagnostics: list[Diagnostic]
    enclosed: Sequence[Enclosed] = ()
    methods: frozenset[str] = frozenset()


_new_content: Final = tuple_maker(Content)


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
    enclosed: dict[int, tuple[Enclosing, PartHeader, bytes]] = {}
    trace: CarriedTrace | None = None
    has_trace, size, max_bytes = False, 0, limits.mail_decoded_bytes
    for number, body_part in enumerate(tree.body_parts):
        header = body_part.header
        length = body_part.end - body_part.start
        # The decoded size is bounded before anything is decoded.
        size += length * 3 // 4 if header.encoding == "base64" else length
        if size > max_bytes:
            raise wire_error("too-large", "", f"the content of a mail has at most {max_bytes} bytes")
        data, fault = decode_transfer(raw, header.encoding, body_part.start, body_part.end)
        if fault:
            diagnostics.append(_diagnostic(fault, "content-transfer-encoding", number))
        if is_body_text(body_part):
            text, faults = _body_text(header, data)
            if faults:
                diagnostics += [_diagnostic(code, field, number) for code, field in faults]
            if _PGP_MESSAGE in text:
                diagnostics.append(_diagnostic("content-encrypted", "", number))
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
                mime=header.mime,
                bytes_ref=reference,
                name=header.name,
                size_bytes=len(data),
                extra=_placed(header, related=body_part.related),
            )
            named = (header.name or "").lower()
            kind = _ENCLOSING.get(header.mime) or _ENCLOSING.get(named[-4:]) or _ENCLOSING.get(named)
            if kind is not None:
                enclosed[number] = kind, header, data
    if len(by_mime) < len(texts):
        by_mime = {mime: "\n".join([text for kind, text in texts.values() if kind == mime]) for mime in by_mime}
    chosen = _choose(tree, texts)
    parts: list[Part] = []
    further: list[Enclosed] = []
    for number in sorted([*chosen, *files]) if files else chosen:
        file = files.get(number)
        if file is None:
            mime, text = texts[number]
            name = tree.body_parts[number].header.name
            extra = FrozenDict(name=name) if name else EMPTY_DICT
            parts.append(_new_text_part(content=text, mime=mime, extra=extra))
        else:
            if number in enclosed:
                further.append(Enclosed(len(parts), number, *enclosed[number]))
            parts.append(file)
    return _new_content(tuple(parts), blobs, by_mime, attachments, trace, diagnostics, further)


def _placed(header: PartHeader, *, related: bool) -> JsonObject:
    """What `FilePart.extra` has of the place of a file: its Content-ID, and whether the text shows it."""
    inline = header.disposition == "inline" or (related and not header.disposition)
    if not inline and not header.content_id:
        return EMPTY_DICT
    content_id = header.content_id and header.content_id.removeprefix("<").removesuffix(">")
    return FrozenDict(without_null({CONTENT_ID: content_id or None, DISPOSITION: "inline" if inline else None}))


def is_body_text(part: BodyPart) -> bool:
    """Whether a body part is text to read, not a file.

    A text with a file name is text where it is the whole body, the first part of its multipart, or an alternative, as
    some mailers name what somebody typed. A disposition that is not known is that of an attachment.

    Spec: RFC 8621 §4.1.4; RFC 2183 §2.8.
    """
    header = part.header
    return header.mime in _RANKS and (header.name is None or part.leads) and header.disposition in _INLINE


def _diagnostic(code: Code, field: str, number: int) -> Diagnostic:
    return Diagnostic(code=code, at=place(field, number), detail=f"body part {number}")


def _body_text(header: PartHeader, data: bytes) -> tuple[str, tuple[tuple[Code, str], ...]]:
    """The text of a body part, and what is odd in it: a code, and the field that it is about, or ""."""
    faults: tuple[tuple[Code, str], ...] = ()
    text, fault, is_mixed = decode_lines(data, header.charset)
    if fault:
        faults += ((fault, "content-type"),)
    if is_mixed and header.encoding not in _RECODED:
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
