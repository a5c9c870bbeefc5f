"""What an interaction is answered with at once, and where its answer goes later."""

from __future__ import annotations

from typing import Final

from attrs import field

from ..._model.base import frozen
from ..._wire.http import HttpResponse

_UPDATE: Final = HttpResponse(status=200, headers={"content-type": "application/json"}, body=b'{"type":6}')


@frozen
class Deferred:
    """An interaction that was answered with `defer`, and that `reply` answers later.

    Attributes:
        token: Its token, as your program stored it. A credential: keep it out of logs.
        ephemeral: Whether it was answered with `defer(ephemeral=True)`: what follows is for its user alone, too.
    """

    token: str = field(repr=False)
    ephemeral: bool = False


def defer_update() -> HttpResponse:
    """The response to a click that is answered by a message of its own, or not at all: nothing changes.

    Without it Discord tells the person that the interaction failed. Where `reply` is to fill in an answer with the
    token of the interaction, send `defer()` instead: behind this response it would change the message that was clicked.

    Example:
        >>> defer_update().body
        b'{"type":6}'
    """
    return _UPDATE
