"""Parses a raw HTTP request in a file: request line, header fields, an empty line, the body."""

from __future__ import annotations

import re
from typing import Final

from .._wire.http import HttpRequest
from ._error import CliError

_REQUEST_LINE: Final = re.compile(rb"([A-Z]{3,10}) ([!-~]{1,8192})(?: HTTP/[0-9](?:\.[0-9])?)?[ \t]{0,8}\r?\n").match
_FIELD: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}):[ \t]*+([^\r\n\x00]*+)").fullmatch
_ANSWER: Final = re.compile(rb"\r?\n--- ").search
"""Where a saved exchange continues with the response, which is not part of the request."""

_MAX_FIELDS: Final = 1_000


def is_request(data: bytes) -> bool:
    """Whether bytes begin like an HTTP request. JSON never does."""
    return _REQUEST_LINE(data) is not None


def read_request(data: bytes) -> HttpRequest:
    """The request of a file that `is_request`.

    Lines end in CRLF or LF. The target is a whole URL, or a path with a `Host` field, which is read as https. The body
    has the length in `Content-Length`, or is the rest of the file. A line behind it that begins with `--- ` ends the
    request: after it, a saved exchange contains the response. Without a length, the first such line does.

    Raises:
        CliError: It is no HTTP request.
    """
    line = _REQUEST_LINE(data)
    if line is None:
        raise CliError("not an HTTP request: the first line must have the form POST https://host/path")
    method, target = line[1].decode(), line[2].decode()
    headers, at = _fields(data, line.end())
    return HttpRequest(
        method=method,
        url=_url(target, _value(headers, "host")),
        headers=headers,
        body=_body(data, at, _value(headers, "content-length")),
    )


def _fields(data: bytes, at: int) -> tuple[list[tuple[str, str]], int]:
    """The header fields from `at` on, and where the body begins."""
    fields: list[tuple[str, str]] = []
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        line = data[at:end].removesuffix(b"\r")
        at = end + 1
        if not line:
            break
        field = _FIELD(line)
        if field is None or len(fields) == _MAX_FIELDS:
            raise CliError(f"not an HTTP request: line {len(fields) + 2} is not a header field")
        fields.append((field[1].decode(), field[2].rstrip(b" \t").decode("latin-1")))
    return fields, at


def _value(fields: list[tuple[str, str]], field: str) -> str | None:
    """The value of the first field of that name."""
    return next((value for name, value in fields if name.lower() == field), None)


def _url(target: str, host: str | None) -> str:
    if "://" in target.partition("?")[0]:
        return target
    if host is None or not target.startswith("/"):
        raise CliError("not an HTTP request: the first line needs a whole URL, or a path and a Host field")
    return f"https://{host}{target}"


def _body(data: bytes, at: int, length: str | None) -> bytes:
    """The body, which begins at `at`, without line ends that an editor added after it."""
    if length is not None and not (length.isascii() and length.isdigit() and len(length) < 16):
        raise CliError("not an HTTP request: Content-Length is not a number")
    end = at if length is None else min(at + int(length), len(data))
    answer = _ANSWER(data, max(end - 2, 0))  # the line end before it may be the last one of the body, or of the head
    rest = data[at:] if answer is None else data[at : max(end, answer.start())]
    if length is None:
        return rest
    body, more = rest[: int(length)], rest[int(length) :]
    if len(body) < int(length) or more.strip():
        raise CliError(f"the body is {len(rest)} bytes long, but Content-Length says {length}")
    return body
