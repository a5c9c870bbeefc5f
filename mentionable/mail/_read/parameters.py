"""Fields with parameters (RFC 2045 §5.1, RFC 2231), and the file names in them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from ..._errors.exceptions import wire_error
from ..._text import media as _files
from .charset import decode_text
from .words import clean_line, decode_words

# Begins with a literal. A quoted value that never ends counts as none. One without quotes reaches to the semicolon.
_PARAMETERS: Final = re.compile(
    r";[ \t]*+([!#$%&'*+\-.^_`|~0-9A-Za-z]++)[ \t]*+=[ \t]*+(?:\"([^\"\\]*+(?:\\.[^\"\\]*+)*)\"|([^;\"][^;]*+)?)"
).findall
_END_OF_TOKEN: Final = re.compile(r"[ \t\"]").split
_NAMES: Final = frozenset(("filename", "name"))
_COMMENT_AFTER_ENDING: Final = re.compile(r"(\.[A-Za-z0-9]{1,8})[ \t]*+\([^()]*+\)[ \t]*+\Z").sub
_COMMENT: Final = re.compile(r"\([^()]*+\)")
_QUOTED_PAIR: Final = re.compile(r"\\(.)")


class Structured(NamedTuple):
    """A field of the form `value; name=parameter`.

    Attributes:
        value: What precedes the first `;`, in lower case.
        parameters: By name in lower case; the first of doubled ones.
        repeated: Whether a parameter that matters was there twice.
    """

    value: str
    parameters: dict[str, str]
    repeated: bool


EMPTY: Final = Structured("", {}, False)


def read_structured(value: str, *, name: str, max_parameters: int) -> Structured:
    """The field `name`, which is of the form of Content-Type. Comments after the value or a parameter are skipped.

    Raises:
        LimitError: There are too many parameters.

    Spec: RFC 2045 §5.1.
    """
    return (_remembered_structured if len(value) < 200 else _read_structured)(value, name, max_parameters)


def first_word(value: str) -> str:
    """The first word of a field in lower case, without comments and parameters; "" for none."""
    without_parameters = value.partition(";")[0]
    words = _COMMENT.sub(" ", without_parameters).partition("(")[0].split(None, 1)
    return words[0].lower() if words else ""


def parameter(field: Structured, name: str) -> str | None:
    """The text of a parameter, put together from its RFC 2231 pieces and decoded; None when it is not there.

    Encoded words are decoded too: they have no place here, and senders use them all the same.

    Spec: RFC 2231 §3, §4.
    """
    parameters = field.parameters
    value = parameters.get(name)
    if value is None:
        extended = parameters.get(name + "*")
        value = _continued(parameters, name) if extended is None else decode_text(*_extended(extended))[0]
    return None if value is None else clean_line(decode_words(value) if "=?" in value else value).strip()


def file_name(*fields: Structured) -> str | None:
    """The name that Content-Disposition or Content-Type gives: no folders, no control characters, at most 255 long."""
    for field, name in zip(fields, ("filename", "name"), strict=True):
        text = parameter(field, name) if field.parameters else None
        if text:
            safe_name = _files.file_name(text)
            if safe_name:
                return safe_name
    return None


def _read_structured(value: str, field: str, max_parameters: int) -> Structured:
    first = first_word(value)
    if ";" not in value:
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
            if token and (" " in token or "\t" in token or '"' in token):
                token = _unquoted_name(token) if key in _NAMES else _END_OF_TOKEN(token, 1)[0]
            parameters[key] = _QUOTED_PAIR.sub(r"\1", quoted) if "\\" in quoted else quoted or token
    return Structured(first, parameters, repeated)


def _unquoted_name(text: str) -> str:
    """A file name without the quotes that its blanks call for. A comment after it is left out."""
    return _COMMENT_AFTER_ENDING(r"\1", text).strip()


_remembered_structured = lru_cache(maxsize=1024)(_read_structured)


def _extended(value: str) -> tuple[bytes, str]:
    """The bytes and the charset of `charset'language'percent-encoded`."""
    charset, quote, rest = value.partition("'")
    if not quote:
        return _unquote(value), "utf-8"
    return _unquote(rest.partition("'")[2]), charset.lower() or "utf-8"


def _unquote(text: str) -> bytes:
    return unquote_to_bytes(text.encode("utf-8", "replace"))


def _continued(parameters: dict[str, str], name: str) -> str | None:
    """A value in numbered pieces, up to the first that is missing."""
    pieces: list[bytes] = []
    charset = "utf-8"
    for number in range(len(parameters)):
        value = parameters.get(f"{name}*{number}*")
        if value is not None:
            if number == 0:
                piece, charset = _extended(value)
            else:
                piece = _unquote(value)
        else:
            plain = parameters.get(f"{name}*{number}")
            if plain is None:
                break
            piece = plain.encode("utf-8", "replace")
        pieces.append(piece)
    return decode_text(b"".join(pieces), charset)[0] if pieces else None
