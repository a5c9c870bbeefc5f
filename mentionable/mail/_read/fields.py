"""What single header fields mean: text, dates, message ids, and media types with their parameters."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from ..._errors.exceptions import wire_error
from ..._text import media as _files
from .charset import decode_text
from .encoded_words import clean_line, decode_words

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
_BRACKETED_IDS: Final = re.compile(r"<[^<>@\s\x00-\x1f\x7f]++@[^<>@\s\x00-\x1f\x7f]++>").findall
_BARE_ID: Final = re.compile(r"[^<>@\s\x00-\x1f\x7f]++@[^<>@\s\x00-\x1f\x7f]++").fullmatch
# Begins with a literal. A quoted value that never ends counts as none.
_PARAMETERS: Final = re.compile(
    r";[ \t]*+([!#$%&'*+\-.^_`|~0-9A-Za-z]++)[ \t]*+=[ \t]*+(?:\"([^\"\\]*+(?:\\.[^\"\\]*+)*)\"|([^; \t\"]*+))"
).findall
_QUOTED_PAIR: Final = re.compile(r"\\(.)")
_PERCENT: Final = re.compile(rb"%([0-9A-Fa-f]{2})")


class Structured(NamedTuple):
    """A field of the form `value; name=parameter`.

    Attributes:
        value: What stands before the first `;`, in lower case.
        parameters: By name in lower case; the first of doubled ones.
        repeated: Whether a parameter that matters was there twice.
    """

    value: str
    parameters: dict[str, str]
    repeated: bool


EMPTY: Final = Structured("", {}, False)


def read_line(value: str) -> str:
    """An unstructured field (a subject) as one line of text that is safe to show."""
    return _files.one_line(decode_words(value) if "=?" in value else value)


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

    What is no id is left out. Only where nothing stands in `<>`, bare words of the form `local@domain` count.

    Spec: RFC 5322 §3.6.4.
    """
    ids: list[str] = _BRACKETED_IDS(value)
    if not ids:
        ids = [f"<{word}>" for word in value.split() if _BARE_ID(word)]
    if len(value) + len("<>") <= max_chars:  # which a bare word has got only here
        return ids
    return [text for text in ids if len(text) <= max_chars]


def read_structured(value: str, *, name: str, max_parameters: int) -> Structured:
    """The field `name`, which is of the form of Content-Type. Comments after the value or a parameter are skipped.

    Raises:
        LimitError: There are too many parameters.

    Spec: RFC 2045 §5.1.
    """
    return (_remembered if len(value) < 200 else _read_structured)(value, name, max_parameters)


def parameter(field: Structured, name: str) -> str | None:
    """The text of a parameter, put together from its RFC 2231 pieces and decoded; None when it is not there.

    Encoded words are decoded too: they have no place here, and senders use them all the same.

    Spec: RFC 2231 §3, §4.
    """
    given = field.parameters
    value = given.get(name)
    if value is not None:
        return clean_line(decode_words(value) if "=?" in value else value).strip()
    value = given.get(name + "*")
    if value is not None:
        charset, data = _extended(value)
        return clean_line(decode_text(data, charset)[0])
    return _continued(given, name)


def file_name(*fields: Structured) -> str | None:
    """The name that Content-Disposition or Content-Type gives: no folders, no control characters, at most 255 long."""
    for field, name in zip(fields, ("filename", "name"), strict=True):
        text = parameter(field, name) if field.parameters else None
        if text:
            found = _files.file_name(text)
            if found:
                return found
    return None


def _read_structured(value: str, field: str, max_parameters: int) -> Structured:
    head, semicolon, _ = value.partition(";")
    words = head.partition("(")[0].split(None, 1)
    first = words[0].lower() if words else ""
    if not semicolon:
        return Structured(first, {}, False)
    if value.count(";") > max_parameters:
        raise wire_error("too-many-fields", f"/headers/{field}", f"a field has at most {max_parameters} parameters")
    parameters: dict[str, str] = {}
    repeated = False
    for name, quoted, token in _PARAMETERS(value):
        key = name.lower()
        if key in parameters:
            repeated = True
        else:
            parameters[key] = _QUOTED_PAIR.sub(r"\1", quoted) if "\\" in quoted else quoted or token
    return Structured(first, parameters, repeated)


_remembered = lru_cache(maxsize=1024)(_read_structured)


def _extended(value: str) -> tuple[str, bytes]:
    """The charset and the bytes of `charset'language'percent-encoded`."""
    charset, quote, rest = value.partition("'")
    if not quote:
        return "utf-8", _unquote(value)
    return charset.lower() or "utf-8", _unquote(rest.partition("'")[2])


def _unquote(text: str) -> bytes:
    return _PERCENT.sub(lambda match: bytes((int(match[1], 16),)), text.encode("utf-8", "replace"))


def _continued(given: dict[str, str], name: str) -> str | None:
    """A value in numbered pieces, up to the first that is missing."""
    pieces: list[bytes] = []
    charset = "utf-8"
    for number in range(len(given)):
        value = given.get(f"{name}*{number}*")
        if value is not None:
            if number == 0:
                charset, piece = _extended(value)
            else:
                piece = _unquote(value)
        else:
            plain = given.get(f"{name}*{number}")
            if plain is None:
                break
            piece = plain.encode("utf-8", "replace")
        pieces.append(piece)
    return clean_line(decode_text(b"".join(pieces), charset)[0]) if pieces else None
