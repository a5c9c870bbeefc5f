"""Facts about a mail, read by the mail parser of the standard library.

Parsers read broken mail in many ways. So the addresses are read of fields in the form of RFC 5322 alone, and dates of
other forms stay as they are written: both judges say the same of a mail, and pages/facts.md says what they read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from email import errors, message_from_bytes, policy
from json import dumps, loads
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from mentionable_conformance._base64 import b64decoded
from mentionable_conformance._facts_error import FactError
from mentionable_conformance._facts_html import Page

if TYPE_CHECKING:
    from email.message import EmailMessage

__all__ = ["MAIL"]

Fact: TypeAlias = Callable[[Any], Any]
_PROFILE: Final = "https://mentionable.dev/ns/normalized-message/v0.1"
_MAX_LINE_BYTES: Final = 998
_ADVISED_LINE: Final = 78
_MAX_FIELD_BYTES: Final = 32 * 1024
"""So many bytes may a line have with the lines that continue it: parsers take long over longer fields."""
_DEPTH: Final = 50
"""So many parts may stand in each other."""

_FIELD_END: Final = re.compile(rb"\r\n?(?![ \t\n])|\n(?![ \t])")
_QUOTED: Final = r'"(?:[^"\\\x00-\x08\x0a-\x1f\x7f-\U0010ffff]|\\[ -~])*"'
_ATOM: Final = r"[!#-'*+/-9=?A-Z^-~-]+"
_WORD: Final = rf"(?:{_QUOTED}|{_ATOM}(?:\.+{_ATOM})*\.*)"
_SPEC: Final = rf"(?:{_QUOTED}|{_ATOM}(?:\.{_ATOM})*)@(?:{_ATOM}(?:\.{_ATOM})*|\[[!-Z^-~]*\])"
_MAILBOX: Final = rf"(?:{_SPEC}|(?:{_WORD}(?:[ \t]+{_WORD})*[ \t]*)?<{_SPEC}>)(?:[ \t]*\([ !#-'*-[\]-~]*\))?"
_LIST: Final = rf"[ \t]*(?:{_MAILBOX}[ \t]*(?:,[ \t]*{_MAILBOX}[ \t]*)*)?"
_GROUP: Final = rf"{_WORD}(?:[ \t]+{_WORD})*[ \t]*:{_LIST};[ \t]*"
_ADDRESSES: Final = re.compile(rf"{_LIST}|[ \t]*{_GROUP}")
_TOKEN: Final = "[!#-'*+.0-9A-Z^-~-]+"
_PARAMETERS: Final = rf"(?:[ \t]*;[ \t]*{_TOKEN}=(?:{_QUOTED}|{_TOKEN}))*[ \t]*;?[ \t]*"
_DESCRIBING: Final = {
    "Content-Type": re.compile(rf"{_TOKEN}/{_TOKEN}{_PARAMETERS}"),
    "Content-Disposition": re.compile(rf"{_TOKEN}{_PARAMETERS}"),
}
_BROKEN_HEAD: Final = (
    errors.FirstHeaderLineIsContinuationDefect,
    errors.InvalidHeaderDefect,
    errors.MisplacedEnvelopeHeaderDefect,
    errors.MissingHeaderBodySeparatorDefect,
)
_ENCODED_WORD: Final = re.compile(r"=\?([^?*\s]*)(?:\*[^?\s]*)?\?[qQbB]\?")
_CHARSETS: Final = frozenset({"ascii", "us-ascii", "utf-8", "iso-8859-1"})
_DATE: Final = re.compile(
    r"[ \t]*(?:[A-Za-z]{3},[ \t]*)?[0-9]{1,2}[ \t]+[A-Za-z]{3}[ \t]+[0-9]{4}[ \t]+[0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
    r"[ \t]+(?:[-+][0-9]{4}|[A-Z]{1,3})(?:[ \t]+\([ !#-'*-[\]-~]*\))?[ \t]*"
)


def _data(value: Mapping[str, Any]) -> bytes:
    return b64decoded(value["mail"])


def _mail(value: Mapping[str, Any]) -> EmailMessage:
    data = _data(value)
    if max(map(len, _FIELD_END.split(data))) > _MAX_FIELD_BYTES:
        raise FactError(f"a field of the mail has more than {_MAX_FIELD_BYTES} bytes")
    mail = message_from_bytes(data, policy=policy.default)
    level: list[Any] = [mail]
    for _ in range(_DEPTH + 1):
        level = [inner for part in level if part.is_multipart() for inner in part.get_payload()]
    if level:
        raise FactError(f"more than {_DEPTH} parts of the mail stand in each other")
    for part in mail.walk():
        if any(isinstance(one, _BROKEN_HEAD) for one in part.defects):
            raise FactError("a line of a head is no field")
        for _, written in part.raw_items():
            for charset in _ENCODED_WORD.findall(str(written)):
                _check_charset(charset)
        for name, form in _DESCRIBING.items():
            if not all(map(form.fullmatch, _written(part, name))):
                raise FactError(f"the field {name} has another form than that of RFC 2045")
    return mail


def _check_charset(name: str) -> None:
    if name.lower() not in _CHARSETS:
        raise FactError(f"no text is read in the charset {name!r}")


def _addresses(value: Mapping[str, Any], name: str) -> list[Any]:
    """The mailboxes of every field of a name."""
    mail = _mail(value)
    for written in _written(mail, name):
        if _ADDRESSES.fullmatch(written) is None:
            raise FactError(f"the field {name} has another form than addresses of RFC 5322")
    return [address for field in mail.get_all(name, []) for address in cast("Any", field).addresses]


def _written(mail: EmailMessage, name: str) -> list[str]:
    """Every field of a name as it is written, on one line."""
    raw = ((one, str(written)) for one, written in mail.raw_items())
    return [re.sub("[\r\n]", "", written) for one, written in raw if one.lower() == name.lower()]


def _people(name: str) -> Fact:
    """The addresses of a field, as they are written."""
    return lambda value: [address.addr_spec for address in _addresses(value, name)]


def _names(name: str) -> Fact:
    return lambda value: [address.display_name for address in _addresses(value, name)]


def _field(name: str) -> Fact:
    def fact(value: Mapping[str, Any]) -> str | None:
        field = _mail(value)[name]
        return None if field is None else str(field).strip()

    return fact


def _date(value: Mapping[str, Any]) -> str | None:
    """The date; of another form than that of RFC 5322, as it is written."""
    written = _written(_mail(value), "Date")[:1]
    return _field("Date")(value) if not written or _DATE.fullmatch(written[0]) else _shown(written[0]).strip()


def _shown(written: str) -> str:
    return written.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _ids(value: Mapping[str, Any], name: str) -> list[str]:
    """The words of a field of message ids, as they are written: newer parsers repair ids of odd forms."""
    _mail(value)  # refuses what is too long or too deep
    return str(message_from_bytes(_data(value))[name] or "").split()


def _id(name: str) -> Fact:
    return lambda value: " ".join(_ids(value, name)) or None


def _references(value: Mapping[str, Any]) -> list[str]:
    return _ids(value, "References")


def _people_of(value: Mapping[str, Any]) -> list[str]:
    """Every recipient of the fields, and of the envelope too, or it is two lists."""
    named = sorted({address for name in ("To", "Cc", "Bcc") for address in _people(name)(value)})
    if named != sorted(value["rcpt_to"]):
        raise FactError(f"the fields name {named}, the envelope {sorted(value['rcpt_to'])}")
    return named


def _tree(part: EmailMessage) -> Any:
    """The types of a mail, a multipart as a list that begins with its own."""
    if part.is_multipart() and part.get_content_maintype() == "multipart":
        return [part.get_content_type(), *map(_tree, cast("Any", part.iter_parts()))]
    return "the trace" if _is_trace(part) else part.get_content_type()


def _is_trace(part: EmailMessage) -> bool:
    return part.get_content_type() == "application/json" and part.get_param("profile") == _PROFILE


def _leaves(value: Mapping[str, Any]) -> list[EmailMessage]:
    return [part for part in _mail(value).walk() if not part.is_multipart()]


def _body_part(value: Mapping[str, Any], mime: str) -> tuple[int, EmailMessage] | None:
    """The part that people read in this form, and its place among the leaves."""
    for place, part in enumerate(_leaves(value)):
        if part.get_content_type() == mime and part.get_content_disposition() != "attachment":
            return place, part
    return None


def _body(mime: str) -> Fact:
    """The text that people read in this form; None when there is none."""

    def fact(value: Mapping[str, Any]) -> str | None:
        placed = _body_part(value, mime)
        if placed is None:
            return None
        _check_charset(str(placed[1].get_param("charset", "ascii")))
        return str(placed[1].get_content()).replace("\r\n", "\n").rstrip("\n")

    return fact


def _trace_part(value: Mapping[str, Any]) -> EmailMessage | None:
    return next((part for part in _leaves(value) if _is_trace(part)), None)


def _trace(value: Mapping[str, Any]) -> Any:
    part = _trace_part(value)
    return None if part is None else loads(cast("bytes", part.get_payload(decode=True)))


def _files(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Everything that is neither a body nor the trace."""
    bodies = {placed[0] for mime in ("text/plain", "text/html") if (placed := _body_part(value, mime))}
    parts = []
    for index, part in enumerate(_leaves(value)):
        if index in bodies or _is_trace(part):
            continue
        content = cast("bytes", part.get_payload(decode=True))
        parts.append(
            {
                "mime": part.get_content_type(),
                "name": part.get_filename(),
                "size": len(content),
                "sha256": hashlib.sha256(content).hexdigest(),
                "shown": part.get_content_disposition() == "inline",
            }
        )
    return parts


def _wire(value: Mapping[str, Any]) -> dict[str, bool]:
    """What every mail server asks of the bytes."""
    data = _data(value)
    lines = data.split(b"\r\n")
    return {
        "crlf": not any(b"\r" in line or b"\n" in line for line in lines),
        "short_lines": max(map(len, lines)) <= _MAX_LINE_BYTES,
        "ascii": data.isascii(),
        "nul": b"\0" in data,
    }


def _policy(value: Mapping[str, Any]) -> Any:
    """The policy in the head, read from base64."""
    header = _field("X-Mentionable-Policy")(value)
    return None if header is None else loads(b64decoded("".join(header.split())))


def _is_sealed(value: Mapping[str, Any]) -> bool:
    """Whether the signature covers one more field for a policy than there is, so that none can be added."""
    signature = "".join((_field("DKIM-Signature")(value) or "").split())
    tags = dict(tag.partition("=")[::2] for tag in signature.split(";"))
    listed = tags.get("h", "").lower().split(":").count("x-mentionable-policy")
    return listed > len(_mail(value).get_all("X-Mentionable-Policy", []))


def _is_folded(value: Mapping[str, Any]) -> bool:
    """Whether no line of the head is longer than mail advises."""
    return max(map(len, _data(value).partition(b"\r\n\r\n")[0].split(b"\r\n"))) <= _ADVISED_LINE


def _page(value: Mapping[str, Any]) -> Page:
    return Page(_body("text/html")(value) or "")


def _image_sources(value: Mapping[str, Any]) -> list[bool]:
    """For each address by which the HTML shows a part of the mail, whether there is such a part."""
    html = _body("text/html")(value) or ""
    sources = [piece.partition('"')[0] for piece in html.split('src="')[1:]]
    ids = {str(part["Content-ID"] or "").strip("<> ") for part in _leaves(value)}
    return [source.startswith("cid:") and source[4:] in ids for source in sources]


MAIL: Final[Mapping[str, Fact]] = {
    "rcpt_to": lambda value: sorted(value["rcpt_to"]),
    "people": _people_of,
    "thread": lambda value: [*_references(value)[:1], *_references(value)[-1:]],
    "from": _people("From"),
    "from_names": _names("From"),
    "to": _people("To"),
    "to_names": _names("To"),
    "cc": _people("Cc"),
    "reply_to": _people("Reply-To"),
    "bcc": _people("Bcc"),
    "subject": _field("Subject"),
    "in_reply_to": _id("In-Reply-To"),
    "supersedes": _id("Supersedes"),
    "references": _references,
    "message_id": _id("Message-ID"),
    "date": _date,
    "auto_submitted": _field("Auto-Submitted"),
    "fields": lambda value: sorted(name.lower() for name in _mail(value)),
    "tree": lambda value: _tree(_mail(value)),
    "text": _body("text/plain"),
    "html": lambda value: _body("text/html")(value) or "",
    "words": lambda value: _page(value).text,
    "elements": lambda value: sorted(_page(value).elements),
    "links": lambda value: [[one.attributes.get("href", ""), one.text] for one in _page(value).anchors],
    "images": _image_sources,
    "trace": _trace,
    "trace_encoding": lambda value: str(cast("Any", _trace_part(value))["Content-Transfer-Encoding"]).lower(),
    "traces": lambda value: sum(map(_is_trace, _leaves(value))),
    "files": _files,
    "policy": _policy,
    "folded": _is_folded,
    "policy_sealed": _is_sealed,
    "wire": _wire,
    "head": lambda value: _data(value).partition(b"\r\n\r\n")[0].decode("utf-8", "replace"),
    "mail": lambda value: _data(value).decode("utf-8", "replace"),
    "payload": lambda value: dumps(_trace(value), ensure_ascii=False),
}
