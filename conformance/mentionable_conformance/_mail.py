"""A mail of an answer, read by the mail parser of the standard library.

Parsers read broken mail in many ways. So the addresses are read of fields in the form of RFC 5322 alone: both judges
say the same of a mail, and pages/facts.md says what they read.
"""

from __future__ import annotations

import re
from collections import Counter
from email import errors, message_from_bytes, policy
from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

from mentionable_conformance._base64 import b64decoded
from mentionable_conformance._facts_error import FactError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from email.message import EmailMessage

__all__ = ["check_charset", "data_of", "leaves", "mailboxes", "message_ids", "raw_fields", "read_mail", "shown"]

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
_ENCODED_WORD: Final = re.compile(r"=\?([^?*\t-\r ]*)(?:\*[^?\t-\r ]*)?\?[qQbB]\?")
_ONCE: Final = (
    *("Date", "From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Message-ID", "In-Reply-To", "References", "Subject"),
    *("Auto-Submitted", "Supersedes", "MIME-Version"),
    *("Content-Type", "Content-Transfer-Encoding", "Content-Disposition", "Content-ID"),
)
"""Fields that are there once at most: of two, some parsers read the first and some the last."""
_CHARSETS: Final = frozenset({"ascii", "us-ascii", "utf-8", "iso-8859-1"})


def data_of(value: Mapping[str, Any]) -> bytes:
    """The bytes of the mail that a harness handed over."""
    return b64decoded(value["mail"])


def read_mail(value: Mapping[str, Any]) -> EmailMessage:
    """The mail, when its form is one that all parsers read alike.

    Raises:
        FactError: It has another form, or is too long or too deep to read.
    """
    data = data_of(value)
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
        counts = Counter(name.lower() for name, _ in part.raw_items())
        for name in _ONCE:
            if counts[name.lower()] > 1:
                raise FactError(f"the field {name} is there twice")
        for _, written in part.raw_items():
            for charset in _ENCODED_WORD.findall(str(written)):
                check_charset(shown(charset))
        for name, form in _DESCRIBING.items():
            if not all(map(form.fullmatch, raw_fields(part, name))):
                raise FactError(f"the field {name} has another form than that of RFC 2045")
    return mail


def check_charset(name: str) -> None:
    """Raises for a charset that no judge reads."""
    if name.lower() not in _CHARSETS:
        raise FactError(f"no text is read in the charset {name!r}")


def shown(written: str) -> str:
    """What is written in a field, as UTF-8 where it is not in ASCII."""
    return written.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def raw_fields(mail: EmailMessage, name: str) -> list[str]:
    """Every field of a name as it is written, on one line."""
    raw = ((one, str(written)) for one, written in mail.raw_items())
    return [re.sub("[\r\n]", "", written) for one, written in raw if one.lower() == name.lower()]


@cache
def _addresses() -> re.Pattern[str]:
    """The form of a field of addresses. To compile it takes a third of the start of a run."""
    return re.compile(rf"{_LIST}|[ \t]*{_GROUP}")


def mailboxes(value: Mapping[str, Any], name: str) -> list[Any]:
    """The mailboxes of every field of a name."""
    mail = read_mail(value)
    for written in raw_fields(mail, name):
        if _addresses().fullmatch(written) is None:
            raise FactError(f"the field {name} has another form than addresses of RFC 5322")
    return [address for field in mail.get_all(name, []) for address in cast("Any", field).addresses]


def message_ids(value: Mapping[str, Any], name: str) -> list[str]:
    """The words of a field of message ids, as they are written: newer parsers repair ids of odd forms."""
    read_mail(value)  # refuses what is too long or too deep
    return str(message_from_bytes(data_of(value))[name] or "").split()


def leaves(value: Mapping[str, Any]) -> list[EmailMessage]:
    """The parts of a mail that hold no other parts, in order."""
    return [part for part in read_mail(value).walk() if not part.is_multipart()]
