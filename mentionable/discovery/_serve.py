"""Documents as they come in, strictly, and as they are served: public to everybody, kept for a short while."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from .._errors.exceptions import DecodeError, Problem, UsageError, wire_error
from .._flow.settings import Settings
from .._model.diagnostic import MAX_PROBLEMS, Diagnostic, left_out
from .._wire.http import HttpResponse
from .._wire.strict_json import dump_line, loads, plain

MAX_AGE: Final = 300
"""How many seconds a document may be cached: what was withdrawn must not live on for long."""

_PUBLIC: Final = ("access-control-allow-origin", "*")


def json_of(
    document: bytes | Mapping[str, Any], settings: Settings, *, max_bytes: int, safe_integers: bool = True
) -> Any:
    """The JSON in a document: in its bytes, at most `max_bytes`, or as a JSON parser gave it.

    Raises:
        WireError: It is no strict JSON.
    """
    limits = settings.limits
    if isinstance(document, bytes):
        most = min(max_bytes, limits.fetched_bytes)
        return loads(document, max_bytes=most, max_depth=limits.json_depth, safe_integers=safe_integers)
    try:
        return plain(document, max_depth=limits.json_depth)
    except UsageError as error:
        raise wire_error("malformed", "", str(error)) from None


def leave_out(problems: list[Problem], notes: list[Diagnostic] | None) -> None:
    """Puts what does not fit, and was left out, into `notes`.

    Raises:
        DecodeError: `malformed`: nothing may be left out, for there is no list.
    """
    if problems and notes is None:
        raise DecodeError("malformed", problems[:MAX_PROBLEMS])
    if notes is not None:
        notes += left_out(problems)


def document_response(document: Mapping[str, Any], media_type: str = "application/json") -> HttpResponse:
    """A document for everybody, pages of other origins included."""
    body = dump_line(document).encode()
    headers = (
        ("content-type", media_type),
        ("cache-control", f"public, max-age={MAX_AGE}"),
        ("etag", f'"{sha256(body).hexdigest()[:32]}"'),
        _PUBLIC,
    )
    return HttpResponse(status=200, headers=headers, body=body)


def empty_response(status: int, *headers: tuple[str, str]) -> HttpResponse:
    """That there is no document, and why by the status alone."""
    return HttpResponse(status=status, headers=(*headers, _PUBLIC))
