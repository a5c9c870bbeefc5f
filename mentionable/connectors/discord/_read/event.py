"""An event of Discord, read: the same shape for messages of the gateway and for interactions."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...._model.parts import Part
from ..._remote_file import RemoteFile
from .people import Author


class Event(NamedTuple):
    """What somebody said to the agent.

    Attributes:
        id: Discord's id of it, under which evidence is used once.
        channel: Where it was said.
        guild: The guild of the channel; None in direct messages.
        author: Who said it.
        parts: What was said, but for files.
        files: The files that came along.
        parent: The message that it answers: its native id.
        is_addressed: Whether it is for the agent, and not just said where the agent is.
        raw: What `raw` tells of it: a fresh object, of ids and short words alone.
    """

    id: str
    channel: str
    guild: str | None
    author: Author
    parts: tuple[Part, ...]
    files: tuple[RemoteFile, ...]
    parent: str | None
    is_addressed: bool
    raw: dict[str, Any]

    @property
    def native_id(self) -> str:
        """What names it everywhere: `discord:<channel>/<id>`."""
        return id_of_message(self.channel, self.id)

    @property
    def thread_id(self) -> str:
        """The conversation, which is the channel: threads of Discord are channels, too."""
        return f"discord:{self.channel}"


def id_of_message(channel: str, message: str) -> str:
    """The native id of a message in a channel."""
    return f"discord:{channel}/{message}"
