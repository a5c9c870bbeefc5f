"""The header section of a mail (RFC 5322): its fields, addresses, message ids and dates.

What is odd in it never loses the mail: each oddity is noted, and the reading goes on with the first of doubled fields.

Addresses follow the whole grammar, old forms included, without recursion and in linear time. Only the place of the
characters decides where an address is. Encoded words are decoded afterwards, and only in display names, so that no
decoded text can look like an address.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from ..._errors.exceptions import UsageError, wire_error
from ..._flow.settings import Limits
from ..._model.base import tuple_maker
from ..._model.diagnostic import Diagnostic
from ..._text.media import single_line
from .._envelope import Envelope
from .identification import RESERVED, read_odd_ids
from .line_ends import with_lf
from .words import clean_line, decode_fields, decode_words

POLICY: Final = "x-mentionable-policy"
"""The field that carries a policy, in lower case."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_END_OF_SECTION: Final = re.compile(rb"\n\r?\n").search
# A line of blanks with a line behind it that is neither a field nor a part of one. Behind others a field goes on.
_END_AT_BLANKS: Final = re.compile(rb"\n[ \t]++\r?\n(?=[^ \t\r\n])(?![!-9;-~]++[ \t]*+:)").search
_FOLDS: Final = re.compile(r"\n(?=[ \t])").sub
_ODD_FIELD: Final = re.compile(r"([!-9;-~]++)[ \t]*+:(.*+)", re.DOTALL).fullmatch
SINGLE: Final = frozenset((
    "from", "sender", "reply-to", "to", "cc", "bcc", "subject", "date", "message-id", "in-reply-to", "references",
    "mime-version", "content-type", "content-transfer-encoding", "content-disposition", "content-id",
))  # fmt: skip
"""The fields that are read, in lower case. A mail has each of them once."""

ADDRESS_FIELDS: Final = ("sender", "reply-to", "to", "cc", "bcc")
"""The fields that hold addresses, but for From, which has rules of its own."""

Field: TypeAlias = tuple[str, str, str]
"""A field: name in lower case, name as written, unfolded value. A plain tuple, because every mail has many."""

# The fields in order, the first value of each name, the names that are repeated, and what is odd.
_Fields: TypeAlias = "tuple[list[Field], dict[str, str], set[str], list[Diagnostic]]"


class HeaderSection(NamedTuple):
    """A header section.

    Attributes:
        fields: The fields in order.
        first: The first value of each field, by its name in lower case.
        repeated: The names, in lower case, that occur more than once.
        body: Where the body begins in `raw`.
        raw: The mail with CRLF line ends, unless they were mixed.
        diagnostics: What is odd in it.
    """

    fields: list[Field]
    first: dict[str, str]
    repeated: set[str]
    body: int
    raw: bytes
    diagnostics: Sequence[Diagnostic] = ()

    def values(self, name: str) -> list[str]:
        """The values of a field, each time that it is there, by its name in lower case."""
        if name in self.repeated:
            return [value for key, _, value in self.fields if key == name]
        return [self.first[name]] if name in self.first else []


_new_section: Final = tuple_maker(HeaderSection)


def check_mail(raw: object, envelope: object) -> None:
    """Raises `UsageError` when the arguments of an entry point are not a mail and its envelope."""
    if not isinstance(raw, (bytes, bytearray, memoryview)):
        raise UsageError("a mail must be bytes as they came, never text")
    if not (envelope is None or isinstance(envelope, Envelope)):
        raise UsageError("envelope must be a mail.Envelope")


def read_header_section(raw: bytes, *, limits: Limits) -> HeaderSection:
    """The header section of a whole mail. A file whose lines all end in LF is read as one with CRLF.

    Raises:
        LimitError: The mail, its header section, or the number of fields is over a limit.
        DecodeError: There is no header section.

    Spec: RFC 5322 §2.2.
    """
    if len(raw) > limits.mail_bytes:
        raise wire_error("too-large", "", f"a mail has at most {limits.mail_bytes} bytes")
    diagnostics: list[Diagnostic] = []
    if raw.startswith(_BYTE_ORDER_MARK):
        diagnostics.append(Diagnostic(code="head-malformed", at="/headers", detail="a byte order mark before it"))
        raw = raw[3:]
    first_end = raw.find(b"\n")
    # Only where no line ends in CRLF: where line ends are mixed, readers disagree on what a line is.
    if first_end >= 0 and raw[first_end - 1] != 13 and b"\r\n" not in raw:
        raw = raw.replace(b"\n", b"\r\n")
    end = _END_OF_SECTION(raw, 0, limits.mail_head_bytes + 4)
    size, body = (end.start() + 1, end.end()) if end else (len(raw), len(raw))
    fields, first, repeated, odd = _read_fields(raw[: min(size, limits.mail_head_bytes)])
    if odd and (early := _END_AT_BLANKS(raw, 0, min(size, limits.mail_head_bytes + 1))):
        # Signers and some readers go on to the empty line, so no signature counts. The text is read.
        size, body = early.start() + 1, early.end()
        fields, first, repeated, odd = _read_fields(raw[:size])
        diagnostics.append(Diagnostic(code="head-malformed", at="/headers", detail="a line of blanks ends it"))
    if size > limits.mail_head_bytes:
        raise wire_error("too-large", "/headers", f"a header section has at most {limits.mail_head_bytes} bytes")
    diagnostics += odd
    if not fields or raw[:1] in b"\r\n":  # an empty first line is an empty header section
        raise wire_error("malformed", "/headers", "a mail begins with header fields")
    if len(fields) > limits.mail_fields:
        raise wire_error("too-many-fields", "/headers", f"a mail has at most {limits.mail_fields} fields")
    if not repeated.isdisjoint(SINGLE):
        diagnostics += [
            Diagnostic(code="field-repeated", at=f"/headers/{key}", detail="the first one counts")
            for key in sorted(repeated & SINGLE)
        ]
    if size > limits.mail_field_bytes:
        for key, value in first.items():
            if len(value) > limits.mail_field_bytes and key in SINGLE:
                raise wire_error("too-large", f"/headers/{key}", f"at most {limits.mail_field_bytes} bytes")
    return _new_section(fields, first, repeated, body, raw, diagnostics)


def _read_fields(data: bytes) -> _Fields:
    """Every field of a header section, in UTF-8 (RFC 6532), or in what else its bytes are.

    Where a line is no field, or a byte is not UTF-8, the slow reader takes over.
    """
    lines = with_lf(data)
    if lines is None or b"\0" in data:
        return _read_odd_fields(data)
    try:
        text = _FOLDS("", lines.decode("utf-8"))
    except UnicodeDecodeError:
        return _read_odd_fields(data)
    fields: list[Field] = []
    first: dict[str, str] = {}
    repeated: set[str] = set()
    for line in text.removesuffix("\n").split("\n"):
        name, colon, value = line.partition(":")
        if not colon or not name:
            return _read_odd_fields(data)
        key, value = name.lower(), value.strip()
        fields.append((key, name, value))
        if key in first:
            repeated.add(key)
        else:
            first[key] = value
    # All names are looked at together: a blank, a control character or a letter beyond ASCII in any of them shows.
    names = "".join(first) if text.isascii() else "".join([name for _, name, _ in fields])
    is_plain = names.isascii() and names.isprintable() and " " not in names
    return (fields, first, repeated, []) if is_plain else _read_odd_fields(data)


def _names_guessed_address(field: str) -> bool:
    """Whether a field has an address beyond ASCII.

    Names may be guessed. A guess at an address would be another mailbox for each character set that a mail names.
    """
    name, _, value = field.partition(":")
    key = name.strip().lower()
    if key != "from" and key not in ADDRESS_FIELDS:
        return False
    addresses = read_addresses(value.replace("\r\n", ""), name=key, limit=len(value))
    return any(not mailbox.address.isascii() for mailbox in addresses.mailboxes)


def _read_odd_fields(data: bytes) -> _Fields:
    """The fields of a header section that has lines which are none: those are left out. Each kind is noted once."""
    odd: list[Diagnostic] = []
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        odd.append(Diagnostic(code="head-malformed", at="/headers", detail="bytes that are not UTF-8"))
        text = decode_fields(data, is_strict=_names_guessed_address)
    fields: list[Field] = []
    first: dict[str, str] = {}
    repeated: set[str] = set()
    faults: dict[str, int] = {}
    if text.count("\n") != text.count("\r\n"):
        odd.append(Diagnostic(code="line-ends-mixed", at="/headers"))
    text = text.replace("\r\n", "\n").replace("\n ", " ").replace("\n\t", "\t").removesuffix("\n")
    for number, line in enumerate(text.split("\n"), 1):
        match = _ODD_FIELD(line)
        if match is None:
            mbox = number == 1 and line.startswith(("From ", ">From "))
            faults.setdefault("an mbox line" if mbox else "a line that is no field", number)
            continue
        name, value = match.groups()
        if line[len(name)] != ":":
            faults.setdefault("a blank before a colon", number)
        if "\r" in value or "\0" in value:
            faults.setdefault("a control character", number)
            value = value.replace("\r", " ").replace("\0", " ")
        key, value = name.lower(), value.strip()
        fields.append((key, name, value))
        if key in first:
            repeated.add(key)
        first.setdefault(key, value)
    odd += [
        Diagnostic(code="head-malformed", at="/headers", detail=f"line {number}: {fault}")
        for fault, number in faults.items()
    ]
    return fields, first, repeated, odd


# --- unstructured fields, dates and message ids

_MONTHS: Final = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6,
    "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
_ZONES: Final = {"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}
_DATE: Final = re.compile(
    r"(?:[A-Za-z]{2,9}\.?,?[ \t]*+)?(\d{1,2})[ \t-]++([A-Za-z]{3})[a-z]{0,6}[ \t-]++(\d{2,4})[ \t]++"
    r"(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d{1,9})?[ \t]*+(?:([+-])(\d{2}):?(\d\d)|([A-Za-z]{1,5}))?",
    re.ASCII,
).match
# Few fields are more than such ids with a blank between them: no comment, and no encoded word.
_PLAIN_IDS: Final = re.compile(r"<[!-'*-;=A-~]++@[!-'*-;=A-~]++>").findall
_BRACKETED_IDS: Final = re.compile(r"<[^<>@\s\x00-\x1f\x7f]++@[^<>@\s\x00-\x1f\x7f]++>").findall


def read_line(value: str) -> str:
    """An unstructured field (a subject) as one line of text that is safe to show."""
    return single_line(decode_words(value) if "=?" in value else value)


def read_date(value: str) -> str | None:
    """The moment that a Date field names, as RFC 3339 in UTC; None when it names none.

    A zone that is missing or unknown reads as UTC.

    Spec: RFC 5322 §3.3, §4.3.
    """
    match = _DATE(value)
    if match is None:
        return None
    day, month, year, hour, minute, second, sign, zone_hours, zone_minutes, zone_name = match.groups()
    number = int(year)
    if len(year) < 4:
        number += 2000 if number < 50 else 1900
    try:
        # A leap second reads as the second before it.
        seconds = min(int(second or 0), 59)
        moment = datetime(number, _MONTHS[month.lower()], int(day), int(hour), int(minute), seconds, tzinfo=UTC)
        if sign and zone_hours + zone_minutes != "0000":
            offset = timedelta(hours=int(zone_hours), minutes=int(zone_minutes))
            moment = moment + offset if sign == "-" else moment - offset
        elif zone_name:
            moment -= timedelta(hours=_ZONES.get(zone_name.lower(), 0))
        return moment.isoformat()[:19] + "Z"
    except (KeyError, ValueError, OverflowError):
        return None


def read_ids(value: str, *, max_chars: int) -> list[str]:
    """The message ids of a Message-ID, In-Reply-To or References field, each with its `<>`, in order.

    What is no id is left out. `read_odd_ids` reads whatever is more than ids of the form `<local@domain>`.

    Spec: RFC 5322 §3.6.4.
    """
    ids: list[str] = _PLAIN_IDS(value)
    is_odd = RESERVED in value
    if " ".join(ids) != value:
        ids = _BRACKETED_IDS(value)
        is_odd = is_odd or "(" in value or "=?" in value or not ids or len(ids) != value.count("<")
    if is_odd:
        ids = read_odd_ids(read_line(value) if "=?" in value else value)
    if len(value) + len("<>") <= max_chars:  # which a bare word has got only here
        return ids
    return [text for text in ids if len(text) <= max_chars]


# --- addresses (RFC 5322 §3.4, §4.4)

_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]++"
_DOMAIN: Final = r"[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)*"
# One mailbox of an ordinary list: [name] <local@domain>, or local@domain alone, up to its comma or the end.
_ORDINARY: Final = re.compile(
    rf"[ \t]*+(?:(\"[^\"\\]*+\"[ \t]*+|[^\"<>,;:()@\\\[\]]*+)<({_ATOM}(?:\.{_ATOM})*@{_DOMAIN})>"
    rf"|({_ATOM}(?:\.{_ATOM})*@{_DOMAIN}))[ \t]*+(?:,|\Z)"
).match
# A quoted string or a domain literal that never ends reaches to the end of the field: nothing is looked at twice.
_TOKEN: Final = re.compile(
    r"(?P<blank>[ \t]++)|\"(?P<quoted>[^\"\\]*+(?:\\.[^\"\\]*+)*)\"?+|(?P<literal>\[[^\[\]\\]*+(?:\\.[^\[\]\\]*+)*\]?+)"
    r"|(?P<special>[()<>,;:@])|(?P<word>[^ \t\"\[()<>,;:@\\]++)|(?P<stray>.)",
    re.DOTALL,
).match
_IN_COMMENT: Final = re.compile(r"[^()\\]++|(?:\\.[^()\\]*+)+", re.DOTALL).match
_QUOTED_PAIR: Final = re.compile(r"\\(.)", re.DOTALL)


class Mailbox(NamedTuple):
    """One mailbox of an address field.

    Attributes:
        name: The display name, decoded; None when there is none.
        address: `local@domain` as it was written, without blanks and comments; "" when there is none.
        group: The number of the group that holds it; None outside groups.
    """

    name: str | None
    address: str
    group: int | None = None


class Addresses(NamedTuple):
    """An address field: its mailboxes in order, the names of its groups, and what is odd about it, in words, or ""."""

    mailboxes: tuple[Mailbox, ...]
    groups: tuple[str, ...] = ()
    fault: str = ""


_REMEMBERED_CHARS: Final = 200


def read_addresses(value: str, *, name: str, limit: int) -> Addresses:
    """The mailboxes of the address field `name`, which is in lower case.

    Raises:
        LimitError: There are more than `limit`.

    Spec: RFC 5322 §3.4, §4.4; RFC 6532.
    """
    return (_remembered_addresses if len(value) < _REMEMBERED_CHARS else _read_addresses)(value, name, limit)


def _read_addresses(value: str, field: str, limit: int) -> Addresses:
    """`read_addresses`. Depends on its arguments alone, so short fields are remembered: people write again."""
    mailboxes: list[Mailbox] = []
    position, end = 0, len(value)
    while position < end:
        match = _ORDINARY(value, position)
        if match is None:
            return _AddressReader(value, field, limit).read()
        name, in_angles, bare = match.groups()
        if name:
            name = name.strip()
            name = name[1:-1] if name[:1] == '"' else name
            name = single_line(decode_words(name) if "=?" in name else name)
        mailboxes.append(Mailbox(name or None, in_angles or bare))
        if len(mailboxes) > limit:
            raise _too_many(field, limit)
        position = match.end()
    return Addresses(tuple(mailboxes))


_remembered_addresses = lru_cache(maxsize=1024)(_read_addresses)


def _too_many(field: str, limit: int) -> Exception:
    return wire_error("too-many-recipients", f"/headers/{field}", f"an address field has at most {limit} addresses")


class _AddressReader:
    """Reads one address field token by token. What is gathered for the current mailbox is reset at each comma."""

    def __init__(self, value: str, field: str, limit: int) -> None:
        self._value = value
        self._field = field
        self._limit = limit
        self._mailboxes: list[Mailbox] = []
        self._groups: list[str] = []
        self._group: int | None = None
        self._fault = ""
        self._start_mailbox()

    def read(self) -> Addresses:
        """The whole field."""
        position = 0
        while (match := _TOKEN(self._value, position)) is not None:
            position = match.end()
            kind = match.lastgroup or ""
            if kind == "quoted" and position == match.end("quoted"):
                self._odd("a quoted string without its end")
            if self._value[match.start()] == "(":
                position = self._comment(match.start())
            else:
                self._take(kind, match[kind])
        self._end_mailbox()
        if self._group is not None:
            self._odd("a group without its end")
        return Addresses(tuple(self._mailboxes), tuple(self._groups), self._fault)

    def _start_mailbox(self) -> None:
        self._phrase: list[tuple[str, bool]] = []  # pieces of the display name, and whether each was quoted
        self._comments: list[str] = []
        self._outside: list[str] = []  # the same tokens as written, in case they are a bare address
        self._inside: list[str] | None = None  # the tokens between < and >
        self._closed = False
        self._route = False

    def _odd(self, fault: str) -> None:
        self._fault = self._fault or fault

    def _take(self, kind: str, text: str) -> None:
        if kind == "special":
            self._special(text)
        elif kind == "stray":
            self._odd("a stray character")
        elif self._closed:
            if kind != "blank":
                self._odd("text after an address")
        elif kind == "quoted":
            if self._inside is None:
                self._phrase.append((_QUOTED_PAIR.sub(r"\1", text), True))
            self._address_token(f'"{text}"')
        else:
            if self._inside is None:
                self._phrase.append((text, False))
            self._address_token(" " if kind == "blank" else text)

    def _address_token(self, text: str) -> None:
        """Adds to what may be an address. Blanks at its ends and around its @ are nothing."""
        tokens = self._outside if self._inside is None else self._inside
        if text != " ":
            if text == "@" and tokens and tokens[-1] == " ":
                tokens.pop()
            tokens.append(text)
        elif tokens and tokens[-1] not in ("@", " "):
            tokens.append(text)

    def _special(self, char: str) -> None:
        inside = self._inside is not None and not self._closed
        if char == ",":
            if not self._route:
                self._end_mailbox()
        elif char == ";":
            self._end_mailbox()
            if self._group is None:
                self._odd("a semicolon outside a group")
            self._group = None
        elif char == ":" and self._inside is not None and inside:
            self._inside.clear()
            self._route = False
        elif char == ":" and self._group is None and not self._closed:
            self._group = len(self._groups)
            self._groups.append(self._phrase_text() or "")
            self._start_mailbox()
        elif char == "<" and self._inside is None:
            self._inside = []
        elif char == ">" and inside:
            self._closed = True
        elif char == "@" and not self._closed:
            self._at_sign()
        else:
            self._odd("a stray character")

    def _at_sign(self) -> None:
        if self._inside is None:
            self._phrase.append(("@", False))
        elif not self._inside:
            self._route = True
            self._odd("a route before an address")
        self._address_token("@")

    def _comment(self, position: int) -> int:
        """Reads a comment, nested ones included; the position after it."""
        self._odd("a comment")
        depth, value = 0, self._value
        text: list[str] = []
        while position < len(value):
            match = _IN_COMMENT(value, position)
            if match is not None:
                text.append(match.group())
                position = match.end()
                continue
            char = value[position]
            position += 1
            if char == ")":
                depth -= 1
                if not depth:
                    break
            if depth:
                text.append(char)
            if char == "(":
                depth += 1
        self._comments.append(_QUOTED_PAIR.sub(r"\1", "".join(text)))
        return position

    def _phrase_text(self) -> str | None:
        """The display name. Encoded words are decoded in each quoted string and in each run outside of them."""
        runs: list[str] = []
        plain: list[str] = []
        for text, quoted in [*self._phrase, ("", True)]:
            if not quoted:
                plain.append(text)
                continue
            run = "".join(plain)
            plain.clear()
            runs += (decode_words(run) if "=?" in run else run, decode_words(text) if "=?" in text else text)
        return single_line("".join(runs)) or None

    def _end_mailbox(self) -> None:
        """Puts together what was gathered since the last comma, if anything was."""
        name: str | None = None
        if self._inside is not None:
            if not self._closed:
                self._odd("an address without its end")
            name, address = self._phrase_text(), "".join(self._inside).strip()
        else:
            name, address = self._bare_address("".join(self._outside).strip())
        if not name and self._comments:
            name = single_line(decode_words(self._comments[-1])) or None
        if address or name:
            self._mailboxes.append(Mailbox(name, clean_line(address), self._group))
            if len(self._mailboxes) > self._limit:
                raise _too_many(self._field, self._limit)
        self._start_mailbox()

    def _bare_address(self, text: str) -> tuple[str | None, str]:
        """The name and the address outside `<>`: the one word with an @ is the address."""
        if "@" not in self._outside:
            return self._phrase_text(), ""
        if " " not in text or '"' in text:
            return None, text
        words = text.split(" ")
        addresses = [word for word in words if "@" in word]
        if len(addresses) > 1:
            return None, text
        self._odd("a name beside an address without <>")
        words.remove(addresses[0])
        return single_line(decode_words(" ".join(words))) or None, addresses[0]
