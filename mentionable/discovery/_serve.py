"""Documents as responses: public to everybody, kept for a short while, and told apart by their bytes."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from .._http import HttpResponse
from .._json import dump_line

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_AGE: Final = 300
"""How many seconds a document may be cached: what was withdrawn must not live on for long."""

_PUBLIC: Final = ("access-control-allow-origin", "*")


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
