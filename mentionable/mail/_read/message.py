"""What a mail says: who it is from, which thread it is in, and the parts of its body."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import Code, WireError, wire_error
from ..._flow.settings import Limits
from ..._model.base import replace, trusted
from ..._model.diagnostic import Diagnostic, unread
from ..._model.parts import FilePart, Part, TextPart
from ..._model.sender import Sender, SenderProfile
from ..._text.display_names import display_name
from ..._text.media import keep
from ..._text.plain_text import clean
from ..._transport.delivery import CarriedTrace
from ..._wire.address import Address, canonical
from ...trace import read
from .header_section import Addresses, Head, read_addresses, read_ids
from .mime import Leaf, PartHead, Tree, decode_text, decode_transfer, place

# --- the sender

_FROM: Final = "/headers/from"
_REMEMBERED_CHARS: Final = 200
_profile = trusted(SenderProfile, "display_name", "provider", "provider_subject")
_sender = trusted(Sender, "address", "display_name", "profile")


class Author(NamedTuple):
    """The sender of a mail, the From field that names them, and what is odd about it."""

    sender: Sender
    field: Addresses
    notes: tuple[Diagnostic, ...]


def read_author(head: Head, *, limits: Limits) -> Author:
    """The sender that From names, not verified.

    Sender, Resent-From and Reply-To are never looked at.

    Raises:
        WireError: `sender-unaddressable`: From is missing or there twice, or does not have exactly one address of the
            form `user@domain`.

    Spec: Normalized Message §3.1 (sender.address), §5 (table).
    """
    value = head.first.get("from")
    if value is None or "from" in head.repeated:
        raise _unaddressable("there is exactly one From field")
    return (_remembered_author if len(value) < _REMEMBERED_CHARS else _read_author)(value, limits.recipients)


def _read_author(value: str, limit: int) -> Author:
    """The sender that the value of From names. Depends on its arguments alone."""
    field = read_addresses(value, name="from", limit=limit)
    named = [(address, mailbox.name) for mailbox in field.mailboxes if (address := canonical_mailbox(mailbox.address))]
    if len(named) != 1:
        raise _unaddressable("From has exactly one address of the form user@domain")
    address, name = named[0]
    notes: list[Diagnostic] = []
    fault = field.fault
    if not fault and len(field.mailboxes) > 1:
        fault = "more than one mailbox"
    elif not fault and field.groups:
        fault = "a group"
    if fault:
        notes.append(Diagnostic(code="address-ambiguous", at=_FROM, detail=fault))
    name = display_name(name or "", address, at=_FROM, notes=notes)
    return Author(_sender(address, name, _profile(name, "email", f"email:{address.mailbox}")), field, tuple(notes))


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
        joins: Ids of mails whose thread it joins when the caller knows them: without a root, that of the parent.
    """

    native_id: str
    thread_id: str
    parent: str | None
    joins: tuple[str, ...] = ()


def read_thread(head: Head, *, limits: Limits, notes: list[Diagnostic]) -> Thread:
    """The first valid id of References, else that of In-Reply-To, else the mail's own.

    An In-Reply-To alone does not say where the conversation began; the caller who knows that mail does.

    Entries that are no ids are skipped. A mail without a Message-ID gets one that depends on its bytes alone, so that
    the same mail gives it again.

    Spec: Normalized Message §5.3.1.
    """
    own = _first(head, "message-id", limits, notes)
    parent = _first(head, "in-reply-to", limits, notes)
    root = _first(head, "references", limits, notes)
    if own is None:
        if "message-id" not in head.first:
            notes.append(Diagnostic(code="message-id-missing", at="/headers/message-id"))
        own = f"<{hashlib.sha256(head.raw).hexdigest()[:32]}@mentionable.invalid>"
    joins = () if root is not None or parent is None else (parent,)
    return Thread(own, root or parent or own, parent, joins)


def _first(head: Head, name: str, limits: Limits, notes: list[Diagnostic]) -> str | None:
    """The first valid id of a field."""
    value = head.first.get(name)
    if value is None:
        return None
    ids = read_ids(value, max_chars=limits.id_chars)
    if ids:
        return ids[0]
    notes.append(Diagnostic(code="message-id-malformed", at=f"/headers/{name}"))
    return None


# --- the body

_RANKS: Final = {"text/plain": 0, "text/markdown": 1, "text/html": 2}
_RECODED: Final = frozenset(("base64", "quoted-printable"))  # their own line ends are not those of the text
TRACE_PROFILE: Final = "https://mentionable.dev/ns/normalized-message/v0.1"
"""What tells the trace of a response from other JSON (RFC 6906)."""

_text_part = trusted(TextPart, "content", "mime")
_file_part = trusted(FilePart, "mime", "bytes_ref", "name", "size_bytes")


class Content(NamedTuple):
    """Everything that a mail says.

    Attributes:
        parts: What goes into the message.
        blobs: SHA-256 in hex → bytes of files that are too large for it.
        texts: All decoded body texts by media type, alternatives that were not taken included.
        attachments: Every other leaf as `raw` shows it.
        trace: The trace, where one could be read.
    """

    parts: tuple[Part, ...]
    blobs: dict[str, bytes]
    texts: dict[str, str]
    attachments: list[dict[str, Any]]
    trace: CarriedTrace | None


def read_content(raw: bytes, tree: Tree, *, limits: Limits, notes: list[Diagnostic]) -> Content:
    """Decodes every leaf of a mail.

    Raises:
        LimitError: The content is larger than `limits.mail_decoded_bytes`.

    Spec: Normalized Message §3.2, §5.3.
    """
    reader = _ContentReader(raw, limits, notes)
    texts: dict[int, tuple[str, str]] = {}
    files: dict[int, FilePart] = {}
    by_mime: dict[str, str] = {}
    for number, leaf in enumerate(tree.leaves):
        head = leaf.head
        data = reader.content(number, leaf)
        if is_body_text(head):
            mime, text = head.mime, reader.text(number, head, data)
            texts[number] = (mime, text)
            by_mime[mime] = text
        else:
            file = reader.file(number, leaf, data)
            if file is not None:
                files[number] = file
    if len(by_mime) < len(texts):
        by_mime = {mime: "\n".join([text for kind, text in texts.values() if kind == mime]) for mime in by_mime}
    chosen = _choose(tree, texts)
    parts: list[Part] = []
    for number in sorted([*chosen, *files]) if files else chosen:
        file = files.get(number)
        if file is None:
            mime, text = texts[number]
            parts.append(_text_part(text, mime))
        else:
            parts.append(file)
    return Content(tuple(parts), reader.blobs, by_mime, reader.attachments, reader.trace)


def is_body_text(head: PartHead) -> bool:
    """Whether a leaf is text to read, not a file: text that has no file name and is not to be an attachment."""
    return head.mime in _RANKS and head.name is None and head.disposition in ("", "inline")


def subject_part(subject: str) -> TextPart:
    """The one part of a mail that has nothing but a subject."""
    part: TextPart = _text_part(subject, "text/plain")
    return part


class _ContentReader:
    """Decodes leaves, and keeps what they add up to."""

    def __init__(self, raw: bytes, limits: Limits, notes: list[Diagnostic]) -> None:
        self._raw = raw
        self._limits = limits
        self._notes = notes
        self._size = 0
        self._trace_seen = False
        self.blobs: dict[str, bytes] = {}
        self.attachments: list[dict[str, Any]] = []
        self.trace: CarriedTrace | None = None

    def content(self, number: int, leaf: Leaf) -> bytes:
        """The bytes that a leaf stands for. Their size is judged before they are made."""
        encoding = leaf.head.encoding
        length = leaf.end - leaf.start
        self._size += length * 3 // 4 if encoding == "base64" else length
        if self._size > self._limits.mail_decoded_bytes:
            limit = self._limits.mail_decoded_bytes
            raise wire_error("too-large", "", f"the content of a mail has at most {limit} bytes")
        data, fault = decode_transfer(self._raw[leaf.start : leaf.end], encoding)
        if fault:
            self._note(fault, "content-transfer-encoding", number)
        return data

    def text(self, number: int, head: PartHead, data: bytes) -> str:
        """The text of a body."""
        text, fault = decode_text(data, head.charset)
        if fault:
            self._note(fault, "content-type", number)
        rest = text
        if "\r\n" in text:
            lines = text.split("\r\n")  # to split and join is a third faster than to replace
            rest, text = "".join(lines), "\n".join(lines)
        if "\n" in rest and head.encoding not in _RECODED:
            self._note("line-ends-mixed", "", number)
        text = clean(text)
        return unflow(text, delete_space=head.delete_space) if head.flowed and head.mime == "text/plain" else text

    def file(self, number: int, leaf: Leaf, data: bytes) -> FilePart | None:
        """The part for a file; None for the trace of a response, which is no file (§10.3)."""
        head = leaf.head
        digest = hashlib.sha256(data).hexdigest()
        size = len(data)
        self.attachments.append({
            "filename": head.name,
            "mimeType": head.mime,
            "disposition": head.disposition or None,
            "related": leaf.related,
            "contentId": head.content_id,
            "digest": digest,
            "size": size,
        })  # fmt: skip
        if head.mime == "application/json" and head.profile == TRACE_PROFILE and not self._trace_seen:
            self._trace_seen = True
            self._read_trace(number, data)
            return None
        reference = keep(data, limits=self._limits, blobs=self.blobs, digest=digest)
        part: FilePart = _file_part(head.mime, reference, head.name, size)
        return part

    def _read_trace(self, number: int, data: bytes) -> None:
        """Reads the trace of a response; the mail is none the worse for one that cannot be read (§10.6)."""
        odd, at = list[Diagnostic](), place("", number)
        try:
            self.trace = CarriedTrace(read(data, notes=odd), at)
        except WireError as error:
            odd = [unread(error)]
        self._notes += [replace(note, at=at + note.at) for note in odd]

    def _note(self, code: Code, field: str, number: int) -> None:
        self._notes.append(Diagnostic(code=code, at=place(field, number), detail=f"leaf {number}"))


def _choose(tree: Tree, texts: dict[int, tuple[str, str]]) -> list[int]:
    """The numbers of the leaves whose text goes into the message, in order.

    Groups are settled from the innermost out: a group gives the texts of its best branch to the branch that it stands
    in itself. Blank text counts as absent.
    """
    written = [number for number, (_, text) in texts.items() if text and not text.isspace()]
    if len(tree.groups) == 1:
        return written
    found: list[dict[int, list[int]]] = [{} for _ in tree.groups]
    for number in written:
        leaf = tree.leaves[number]
        found[leaf.group].setdefault(leaf.branch, []).append(number)
    for group in range(len(tree.groups) - 1, 0, -1):
        if found[group]:
            outer, branch = tree.groups[group]
            best = min(found[group].values(), key=lambda numbers: min([_RANKS[texts[number][0]] for number in numbers]))
            found[outer].setdefault(branch, []).extend(best)
    return sorted([number for numbers in found[0].values() for number in numbers])


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
