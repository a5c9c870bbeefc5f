"""Facts about a mail.

Dates of other forms than that of RFC 5322 stay as they are written: both judges say the same of a mail, and
pages/facts.md says what they read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from json import dumps
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from mentionable_conformance._base64 import b64decoded
from mentionable_conformance._facts_error import FactError
from mentionable_conformance._facts_html import Page
from mentionable_conformance._facts_values import loads_bytes
from mentionable_conformance._mail import (
    check_charset,
    data_of,
    leaves,
    mailboxes,
    message_ids,
    raw_fields,
    read_mail,
    shown,
)

if TYPE_CHECKING:
    from email.message import EmailMessage

__all__ = ["MAIL"]

Fact: TypeAlias = Callable[[Any], Any]
_PROFILE: Final = "https://mentionable.dev/ns/normalized-message/v0.1"
_MAX_LINE_BYTES: Final = 998
_ADVISED_LINE: Final = 78
_DATE: Final = re.compile(
    r"[ \t]*(?:[A-Za-z]{3},[ \t]*)?[0-9]{1,2}[ \t]+[A-Za-z]{3}[ \t]+[0-9]{4}[ \t]+[0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
    r"[ \t]+(?:[-+][0-9]{4}|[A-Z]{1,3})(?:[ \t]+\([ !#-'*-[\]-~]*\))?[ \t]*"
)


def _people(name: str) -> Fact:
    """The addresses of a field, as they are written."""
    return lambda value: [address.addr_spec for address in mailboxes(value, name)]


def _names(name: str) -> Fact:
    return lambda value: [address.display_name for address in mailboxes(value, name)]


def _field(name: str) -> Fact:
    def fact(value: Mapping[str, Any]) -> str | None:
        field = read_mail(value)[name]
        return None if field is None else str(field).strip()

    return fact


def _date(value: Mapping[str, Any]) -> str | None:
    """The date; of another form than that of RFC 5322, as it is written."""
    written = raw_fields(read_mail(value), "Date")[:1]
    return _field("Date")(value) if not written or _DATE.fullmatch(written[0]) else shown(written[0]).strip()


def _id(name: str) -> Fact:
    return lambda value: " ".join(message_ids(value, name)) or None


def _references(value: Mapping[str, Any]) -> list[str]:
    return message_ids(value, "References")


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


def _body_part(value: Mapping[str, Any], mime: str) -> tuple[int, EmailMessage] | None:
    """The part that people read in this form, and its place among the leaves."""
    for place, part in enumerate(leaves(value)):
        if part.get_content_type() == mime and part.get_content_disposition() != "attachment":
            return place, part
    return None


def _body(mime: str) -> Fact:
    """The text that people read in this form; None when there is none."""

    def fact(value: Mapping[str, Any]) -> str | None:
        placed = _body_part(value, mime)
        if placed is None:
            return None
        check_charset(str(placed[1].get_param("charset", "ascii")))
        return str(placed[1].get_content()).replace("\r\n", "\n").rstrip("\n")

    return fact


def _trace_part(value: Mapping[str, Any]) -> EmailMessage | None:
    return next((part for part in leaves(value) if _is_trace(part)), None)


def _trace(value: Mapping[str, Any]) -> Any:
    part = _trace_part(value)
    return None if part is None else loads_bytes(cast("bytes", part.get_payload(decode=True)))


def _files(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Everything that is neither a body nor the trace."""
    bodies = {placed[0] for mime in ("text/plain", "text/html") if (placed := _body_part(value, mime))}
    parts = []
    for index, part in enumerate(leaves(value)):
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
    data = data_of(value)
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
    return None if header is None else loads_bytes(b64decoded("".join(header.split())))


def _is_sealed(value: Mapping[str, Any]) -> bool:
    """Whether the signature covers one more field for a policy than there is, so that none can be added."""
    signature = "".join((_field("DKIM-Signature")(value) or "").split())
    tags = dict(tag.partition("=")[::2] for tag in signature.split(";"))
    listed = tags.get("h", "").lower().split(":").count("x-mentionable-policy")
    return listed > len(read_mail(value).get_all("X-Mentionable-Policy", []))


def _is_folded(value: Mapping[str, Any]) -> bool:
    """Whether no line of the head is longer than mail advises."""
    return max(map(len, data_of(value).partition(b"\r\n\r\n")[0].split(b"\r\n"))) <= _ADVISED_LINE


def _page(value: Mapping[str, Any]) -> Page:
    return Page(_body("text/html")(value) or "")


def _image_sources(value: Mapping[str, Any]) -> list[bool]:
    """For each address by which the HTML shows a part of the mail, whether there is such a part."""
    html = _body("text/html")(value) or ""
    sources = [piece.partition('"')[0] for piece in html.split('src="')[1:]]
    ids = {str(part["Content-ID"] or "").strip("<> ") for part in leaves(value)}
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
    "fields": lambda value: sorted(name.lower() for name in read_mail(value)),
    "tree": lambda value: _tree(read_mail(value)),
    "text": _body("text/plain"),
    "html": lambda value: _body("text/html")(value) or "",
    "words": lambda value: _page(value).text,
    "elements": lambda value: sorted(_page(value).elements),
    "links": lambda value: [[one.attributes.get("href", ""), one.text] for one in _page(value).anchors],
    "images": _image_sources,
    "trace": _trace,
    "trace_encoding": lambda value: str(cast("Any", _trace_part(value))["Content-Transfer-Encoding"]).lower(),
    "traces": lambda value: sum(map(_is_trace, leaves(value))),
    "files": _files,
    "policy": _policy,
    "folded": _is_folded,
    "policy_sealed": _is_sealed,
    "wire": _wire,
    "head": lambda value: data_of(value).partition(b"\r\n\r\n")[0].decode("utf-8", "replace"),
    "mail": lambda value: data_of(value).decode("utf-8", "replace"),
    "payload": lambda value: dumps(_trace(value), ensure_ascii=False),
}
