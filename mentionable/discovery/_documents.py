"""Documents as they come in, strictly or leniently, and as they are served: public, and cached for a short while."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Final, TypeVar

from .._errors.exceptions import DecodeError, Problem
from .._flow.settings import Settings
from .._model.base import replace
from .._model.codec import Decoded, decode_parsed_leniently
from .._model.diagnostic import MAX_PROBLEMS, Diagnostic, left_out
from .._wire.http import HttpResponse
from .._wire.strict_json import checked_json, dump_line, loads

T = TypeVar("T")

MAX_AGE: Final = 300
"""How many seconds a document may be cached: one that was withdrawn must not stay in use for long."""

_PUBLIC: Final = ("access-control-allow-origin", "*")


def json_of(
    document: bytes | Mapping[str, Any], settings: Settings, *, max_bytes: int, safe_integers: bool = True
) -> Any:
    """The JSON of a document, which is bytes, at most `max_bytes`, or what a JSON parser returned.

    Raises:
        WireError: It is no strict JSON.
    """
    limits = settings.limits
    if isinstance(document, bytes):
        max_bytes = min(max_bytes, limits.fetched_bytes)
        return loads(document, max_bytes=max_bytes, max_depth=limits.json_depth, safe_integers=safe_integers)
    return checked_json(document, max_depth=limits.json_depth)


def decoded(
    cls: type[T], members: Any, *, lenient: bool, on_the_wire: Callable[[Problem], Problem] = lambda problem: problem
) -> Decoded[T]:
    """Decode a value of `cls`. Where `lenient`, leave out what is malformed and may be missing.

    Args:
        cls: The class of the value.
        members: Its members by their names here.
        lenient: Whether anything may be left out.
        on_the_wire: Spells a problem with the names of the wire.

    Raises:
        DecodeError: `malformed`, with every fault that cannot be left out.
    """
    try:
        value, diagnostics = decode_parsed_leniently(cls, members, lenient=lenient)
    except DecodeError as error:
        raise DecodeError("malformed", [on_the_wire(problem) for problem in error.problems]) from None
    if not diagnostics:
        return Decoded(value, ())
    spelled = [on_the_wire(Problem(one.at, one.detail)) for one in diagnostics]
    return Decoded(
        value,
        tuple([replace(one, at=at, detail=detail) for one, (at, detail) in zip(diagnostics, spelled, strict=True)]),
    )


def dropped(problems: list[Problem], *, lenient: bool) -> tuple[Diagnostic, ...]:
    """Diagnostics for what was left out.

    Raises:
        DecodeError: `malformed`: there are problems, and nothing may be left out.
    """
    if problems and not lenient:
        raise DecodeError("malformed", problems[:MAX_PROBLEMS])
    return tuple(left_out(problems))


def public_response(document: Mapping[str, Any], media_type: str = "application/json") -> HttpResponse:
    """The response with a document, readable by pages of every origin."""
    body = dump_line(document).encode()
    headers = (
        ("content-type", media_type),
        ("cache-control", f"public, max-age={MAX_AGE}"),
        ("etag", f'"{sha256(body).hexdigest()[:32]}"'),
        _PUBLIC,
    )
    return HttpResponse(status=200, headers=headers, body=body)


def empty_response(status: int, *headers: tuple[str, str]) -> HttpResponse:
    """A response without a document, readable by pages of every origin."""
    return HttpResponse(status=status, headers=(*headers, _PUBLIC))
