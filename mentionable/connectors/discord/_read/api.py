"""The calls of Discord's API that `receive` asks for."""

from __future__ import annotations

from ...._flow.asks import PlatformCall
from ...._model.base import frozen


@frozen
class CallApi(PlatformCall):
    """A call of Discord's REST API (v10) with your bot token. Answer with its JSON, or `Failed`.

    Attributes:
        method: The HTTP method.
        path: Behind `https://discord.com/api/v10`, beginning with a slash.
        params: The query, pairs of name and value.
    """

    method: str
    path: str
    params: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The call in one line: `GET /channels/1/messages`."""
        return f"{self.method} {self.path}"
