"""Splitting a multipart/form-data body, strictly and in work that grows with its length alone.

A body that two readers could split differently is rejected.

Spec: RFC 7578; RFC 2046 §5.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_to_bytes

from ..._errors.exceptions import WireError, wire_error
from ..._flow.settings import DEFAULTS, Limits, Settings, check_settings
from ..._wire.http import HttpRequest, check_request
from .field import Field

FORM: Final = "multipart/form-data"

_MAX_HEADER: Final = 8_192
"""Bytes of the header section of one part."""

_WORD: Final = r"[A-Za-z0-9!#$%&'*+.^_`|~-]"
_NAME: Final = re.compile(rf"{_WORD}++").fullmatch
_PARAMETER: Final = re.compile(
    rf';[ \t]*+({_WORD}++)[ \t]*+=[ \t]*+(?:"([^"\\]*+(?:\\.[^"\\]*+)*)"|([^\s;"\\,]++))[ \t]*+', re.DOTALL
).match
_BOUNDARY: Final = re.compile(r"[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]", re.ASCII).fullmatch
_ESCAPED: Final = re.compile(r'\\(["\\])')
_PERCENT: Final = re.compile(r"%(22|0[dD]|0[aA])")
_IDENTITY: Final = frozenset({"7bit", "8bit", "binary"})
_BREAKS: Final = re.compile(r"[\r\n\0]").search


def fields_of(request: HttpRequest, *, settings: Settings = DEFAULTS) -> tuple[Field, ...]:
    r"""The fields of a multipart/form-data request in order, for hosts whose framework does not split it.

    Args:
        request: The request with its whole body.
        settings: Has the limits: `a2a_bytes` for the body, `parts` for the number of fields.

    Raises:
        WireError: The peer's fault: `media-type-unsupported` when it is another kind of body, `malformed` when it
            cannot be split in exactly one way, `too-large`, `too-many-parts`.
        UsageError: An argument is of the wrong kind.

    Spec: RFC 7578; RFC 2046 §5.1.

    Example:
        >>> from mentionable import HttpRequest
        >>> body = b'--b\r\nContent-Disposition: form-data; name="user"\r\n\r\nHello!\r\n--b--\r\n'
        >>> headers = {"Content-Type": "multipart/form-data; boundary=b"}
        >>> request = HttpRequest(method="POST", url="https://agents.example/helper", headers=headers, body=body)
        >>> [(one.name, one.value) for one in fields_of(request)]
        [('user', b'Hello!')]
    """
    check_request(request)
    check_settings(settings)
    return split_form(request, settings.limits)


def split_form(request: HttpRequest, limits: Limits) -> tuple[Field, ...]:
    """As `fields_of`, for arguments that have been checked."""
    # RFC 2046 §5.1.1, cheapest first:
    #   1. read the boundary    2. check the size      3. find the first delimiter
    #   4. count the others     5. check the last one  6. read the header section of each part
    delimiter = b"--" + _boundary(request.header("content-type") or "").encode("ascii")
    body = request.body
    if len(body) > limits.a2a_bytes:
        raise wire_error("too-large", "", f"{len(body)} bytes, at most {limits.a2a_bytes}")
    start = 2 if body[:2] == b"\r\n" else 0
    if not body.startswith(delimiter, start):
        raise _malformed("the body does not begin with its boundary")
    start, between = start + len(delimiter), b"\r\n" + delimiter
    if body.count(between, start) > limits.parts:
        raise wire_error("too-many-parts", "/fields", f"more than {limits.parts} fields")
    *pieces, last = body[start:].split(between)
    if last[:2] != b"--" or last[2:].strip(b" \t\r\n"):
        raise _malformed("the body does not end with its last boundary")
    return tuple([_field(piece, index) for index, piece in enumerate(pieces)])


def _malformed(reason: str, pointer: str = "") -> WireError:
    return wire_error("malformed", pointer, reason)


def _boundary(content_type: str) -> str:
    """The boundary parameter."""
    media_type, mark, rest = content_type.partition(";")
    if media_type.strip().lower() != FORM:
        raise wire_error("media-type-unsupported", "/content-type", f"expected {FORM}")
    boundary = dict(_parameters(mark + rest, "/content-type")).get("boundary")
    if boundary is None or not _BOUNDARY(boundary):
        raise _malformed("names no boundary", "/content-type")
    return boundary


def _parameters(text: str, pointer: str) -> Iterator[tuple[str, str]]:
    """The parameters of a header field, each name once."""
    seen: set[str] = set()
    end = 0
    while end < len(text):
        match = _PARAMETER(text, end)
        name = match[1].lower() if match else ""
        if match is None or name in seen:
            raise _malformed("its parameters cannot be read", pointer)
        seen.add(name)
        end = match.end()
        yield name, match[3] if match[2] is None else _ESCAPED.sub(r"\1", match[2])


def _field(piece: bytes, index: int) -> Field:
    """One field: the octets between two boundaries. Header fields that forms do not use are ignored."""
    pointer = f"/fields/{index}"
    padding, _, part = piece.partition(b"\r\n")
    end = part.find(b"\r\n\r\n", 0, _MAX_HEADER + 4)
    if padding.strip(b" \t") or end < 0:
        raise _malformed("has no head that could be read", pointer)
    try:
        text = part[:end].decode("utf-8")
    except UnicodeDecodeError:
        raise wire_error("not-utf8", pointer, "its head is not UTF-8") from None
    fields: dict[str, str] = {}
    for line in text.split("\r\n"):
        name, colon, value = line.partition(":")
        name = name.lower()
        if not colon or not _NAME(name) or name in fields or _BREAKS(value):
            raise _malformed("a line of its head is no header field, or is there twice", pointer)
        fields[name] = value.strip(" \t")
    if fields.get("content-transfer-encoding", "binary").lower() not in _IDENTITY:
        raise _malformed("is encoded in a way that forms are not", pointer)
    kind, mark, rest = fields.get("content-disposition", "").partition(";")
    parameters = dict(_parameters(mark + rest, pointer)) if kind.strip().lower() == "form-data" else {}
    if "name" not in parameters:
        raise _malformed("names no field", pointer)
    name, filename = _unescaped(parameters["name"]), _file_name(parameters, pointer)
    return Field(name, part[end + 4 :], fields.get("content-type"), filename)


def _file_name(parameters: dict[str, str], pointer: str) -> str | None:
    """The file name, as browsers write it or, from some programs, in the extended form (RFC 8187)."""
    if "filename" in parameters:
        return _unescaped(parameters["filename"])
    extended = parameters.get("filename*")
    if extended is None:
        return None
    charset, _, rest = extended.partition("'")
    try:
        if charset.lower() != "utf-8":
            raise ValueError
        return unquote_to_bytes(rest.partition("'")[2]).decode("utf-8")
    except ValueError:
        raise _malformed("its file name cannot be read", pointer) from None


def _unescaped(text: str) -> str:
    """A name as browsers escape it: quotes and line ends alone (HTML Standard, multipart/form-data)."""
    return _PERCENT.sub(lambda match: chr(int(match[1], 16)), text) if "%" in text else text
