"""Content negotiation: in which form an answer goes out.

Spec: REST transport (responses); RFC 9110 §12.5.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from ..._model.message import NormalizedMessage
from ..._wire import sse as _sse
from ..._wire.strict_json import dig

Form: TypeAlias = Literal["json", "markdown", "html", "plain", "stream"]

JSON: Final = "application/json"
TYPES: Final[tuple[tuple[Form, str], ...]] = (
    ("json", JSON),
    ("markdown", "text/markdown"),
    ("html", "text/html"),
    ("plain", "text/plain"),
    ("stream", _sse.MEDIA_TYPE),
)
"""What is offered, the fullest form first: the first of several with the same quality is chosen."""

_MAX_CHARS: Final = 4_096
_MAX_RANGES: Final = 64
_QUALITY: Final = re.compile(r"[ \t]*+[qQ][ \t]*+=[ \t]*+([01](?:\.[0-9]{0,3})?)[ \t]*+\Z").match


def accept_of(message: NormalizedMessage, accept: str | None) -> str:
    """What a client accepts: as the program says, else the `Accept` of its question."""
    value = dig(message.raw, "request", "headers", "accept") if accept is None else accept
    return value if isinstance(value, str) else ""


def choose(accept: str) -> Form:
    """The form with the highest quality; JSON for a client that accepts none of them."""
    ranges = dict(_ranges(accept))
    best: Form = "json"
    best_quality = 0.0
    for form, media_type in TYPES:
        quality = _quality(media_type, ranges)
        if quality > best_quality:
            best, best_quality = form, quality
    return best


def takes_stream(accept: str) -> bool:
    """Whether a client accepts streams by name."""
    return dict(_ranges(accept)).get(_sse.MEDIA_TYPE, 0.0) > 0


def wants_stream(message: NormalizedMessage) -> bool:
    """Whether the client of a question that came by REST accepts a stream, so that frames may answer it.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import Answers, HttpRequest, drive
        >>> from mentionable.rest import Field, receive
        >>> asked = HttpRequest(
        ...     method="POST", url="https://agents.example/helper", headers={"Accept": "text/event-stream"}
        ... )
        >>> facts = {"recipient": "@helper@agents.example", "now": datetime(2026, 11, 21, tzinfo=UTC)}
        >>> got = drive(receive(asked, fields=[Field("user", "Hi")], entropy=bytes(32), **facts), Answers())
        >>> wants_stream(got.message)
        True
    """
    return takes_stream(accept_of(message, None))


def _ranges(accept: str) -> Iterator[tuple[str, float]]:
    """The media ranges of the header field, each with its quality."""
    for item in accept[:_MAX_CHARS].split(",", _MAX_RANGES)[:_MAX_RANGES]:
        media_range, *parameters = item.split(";")
        quality = 1.0
        for parameter in parameters:
            value = _QUALITY(parameter)
            if value:
                quality = min(float(value[1]), 1.0)
        yield media_range.strip().lower(), quality


def _quality(media_type: str, ranges: dict[str, float]) -> float:
    """The quality of a media type: the most specific range counts (RFC 9110 §12.5.1)."""
    for media_range in (media_type, media_type.partition("/")[0] + "/*", "*/*"):
        if media_range in ranges:
            return ranges[media_range]
    return 0.0
