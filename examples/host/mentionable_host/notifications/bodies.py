"""What requests of devices say: the JSON of a body, and numbers in a query."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from mentionable_host.http import request_of
from mentionable_host.notifications.access import Refused

if TYPE_CHECKING:
    from starlette.requests import Request

    from mentionable_host.host import Host

__all__ = ["body_of", "number_of"]

BODY_BYTES: Final = 262_144
_DIGITS: Final = 16


async def body_of(host: Host, request: Request, *, limit: int = BODY_BYTES) -> Any:
    """The JSON of a request.

    Args:
        host: The host.
        request: The request.
        limit: The limit of it in bytes.

    Raises:
        Refused: It is none (400), or too long (413).
    """
    whole = await request_of(request, limit=limit, origin=host.config.origin)
    if len(whole.body) > limit:
        raise Refused("too-large", status=413)
    try:
        return json.loads(whole.body)
    except (ValueError, RecursionError) as error:
        raise Refused("malformed", status=400) from error


def number_of(request: Request, name: str) -> int | None:
    """A number in the query of a request.

    Raises:
        Refused: It is none.
    """
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < _DIGITS):
        raise Refused("malformed", status=400)
    return int(text)
