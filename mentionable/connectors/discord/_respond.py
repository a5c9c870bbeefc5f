"""What an interaction is answered with at once, and where its answer goes later."""

from __future__ import annotations

from typing import Any, Final

from attrs import field

from ..._model.base import frozen
from ..._wire.http import HttpResponse
from ..._wire.strict_json import dump_line

_JSON: Final = {"content-type": "application/json"}
_DEFERRED: Final = {"type": 5}


@frozen
class Deferred:
    """An interaction that was answered with `defer`, and that `reply` answers later.

    Attributes:
        token: Its token, as your program stored it. A credential: keep it out of logs.
        ephemeral: Whether it was answered with `defer(ephemeral=True)`: what follows is for its user alone, too.
        filled: Whether its response has been filled in: what `reply` sends now follows it, and does not replace it.
    """

    token: str = field(repr=False)
    ephemeral: bool = False
    filled: bool = False


def defer(*, ephemeral: bool = False) -> HttpResponse:
    """The response to an interaction that is answered later: Discord waits three seconds for it.

    Send it before the agent is asked; `reply(..., interaction_token=...)` fills it in, for a quarter of an hour.

    Args:
        ephemeral: Whether only the asker sees the answer.

    Example:
        >>> defer().body
        b'{"type":5}'
    """
    return json_response({**_DEFERRED, "data": {"flags": 64}} if ephemeral else _DEFERRED)


def defer_update() -> HttpResponse:
    """The response to a click that is answered by a message of its own, or not at all: nothing changes.

    Without it Discord tells the person that the interaction failed. Where `reply` is to fill in an answer with the
    token of the interaction, send `defer()` instead: behind this response it would change the message that was clicked.

    Example:
        >>> defer_update().body
        b'{"type":6}'
    """
    return json_response({"type": 6})


def json_response(value: Any) -> HttpResponse:
    """A response of JSON."""
    return HttpResponse(status=200, headers=_JSON, body=dump_line(value).encode())
