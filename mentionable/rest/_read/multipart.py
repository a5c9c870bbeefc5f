"""Splitting a multipart/form-data body, strictly and in work that grows with its length alone.

Whatever two readers could split in two ways is refused.

Spec: RFC 7578; RFC 2046 §5.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from ..._errors.exceptions import WireError, wire_error
from ..._flow.settings import DEFAULTS, Limits, Settings, check_settings
from ..._wire.http import HttpRequest, check_request
from .field import Field

FORM: Final = "multipart/form-data"

_MOST_HEAD: Final = 8_192
"""Bytes of the header fields of one part."""

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


class _Head(NamedTuple):
    """What the header fields of a part say."""

    name: str
    filename: str | None
    content_type: str | None


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
    """The same, for what has been checked."""
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


def _malformed(rule: str, at: str = "") -> WireError:
    return wire_error("malformed", at, rule)


def _boundary(content_type: str) -> str:
    """The boundary that a media type names."""
    media_type, mark, rest = content_type.partition(";")
    if media_type.strip().lower() != FORM:
        raise wire_error("media-type-unsupported", "/content-type", f"expected {FORM}")
    boundary = dict(_parameters(mark + rest, "/content-type")).get("boundary")
    if boundary is None or not _BOUNDARY(boundary):
        raise _malformed("names no boundary", "/content-type")
    return boundary


def _parameters(text: str, at: str) -> Iterator[tuple[str, str]]:
    """The parameters of a header field, each name once."""
    seen: set[str] = set()
    end = 0
    while end < len(text):
        found = _PARAMETER(text, end)
        name = found[1].lower() if found else ""
        if found is None or name in seen:
            raise _malformed("its parameters cannot be read", at)
        seen.add(name)
        end = found.end()
        yield name, found[3] if found[2] is None else _ESCAPED.sub(r"\1", found[2])


def _field(piece: bytes, index: int) -> Field:
    """One field: what stands between two boundaries."""
    at = f"/fields/{index}"
    padding, _, rest = piece.partition(b"\r\n")
    end = rest.find(b"\r\n\r\n", 0, _MOST_HEAD + 4)
    if padding.strip(b" \t") or end < 0:
        raise _malformed("has no head that could be read", at)
    head = _head(rest[:end], at)
    return Field(head.name, rest[end + 4 :], head.content_type, head.filename)


def _head(data: bytes, at: str) -> _Head:
    """What the header fields of a part say. Those that this form does not have are not looked at."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise wire_error("not-utf8", at, "its head is not UTF-8") from None
    fields: dict[str, str] = {}
    for line in text.split("\r\n"):
        name, colon, value = line.partition(":")
        name = name.lower()
        if not colon or not _NAME(name) or name in fields or _BREAKS(value):
            raise _malformed("a line of its head is no header field, or is there twice", at)
        fields[name] = value.strip(" \t")
    if fields.get("content-transfer-encoding", "binary").lower() not in _IDENTITY:
        raise _malformed("is encoded in a way that forms are not", at)
    kind, mark, rest = fields.get("content-disposition", "").partition(";")
    parameters = dict(_parameters(mark + rest, at)) if kind.strip().lower() == "form-data" else {}
    if "name" not in parameters:
        raise _malformed("names no field", at)
    return _Head(_unescaped(parameters["name"]), _file_name(parameters, at), fields.get("content-type"))


def _file_name(parameters: dict[str, str], at: str) -> str | None:
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
        raise _malformed("its file name cannot be read", at) from None


def _unescaped(text: str) -> str:
    """A name as browsers escape it: quotes and line ends alone (HTML Standard, multipart/form-data)."""
    return _PERCENT.sub(lambda found: chr(int(found[1], 16)), text) if "%" in text else text
