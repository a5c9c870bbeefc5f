"""An event of Discord, parsed: the same type for messages of the gateway and for interactions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...._model.diagnostic import Diagnostic
from ...._model.parts import Part
from ...._wire.time import format_time
from ..._remote_file import RemoteFile
from .._ids import time_of
from .people import Author


class Event(NamedTuple):
    """A message of the gateway, or an interaction.

    Attributes:
        id: Discord's id of it.
        channel: Its channel.
        guild: The guild of the channel; None in direct messages.
        author: Its author.
        parts: Its content without files.
        files: Its files.
        parent_id: The native id of the message that it answers.
        is_addressed: Whether it is for the agent: a direct message, a mention, an answer or an interaction.
        raw: The `raw` of the message: a fresh object, of ids and short words alone.
        diagnostics: What was left out.
        answered: The message that it answers, as Discord sent it along; None: it did not.
    """

    id: str
    channel: str
    guild: str | None
    author: Author
    parts: tuple[Part, ...]
    files: tuple[RemoteFile, ...]
    parent_id: str | None
    is_addressed: bool
    raw: dict[str, Any]
    diagnostics: tuple[Diagnostic, ...] = ()
    answered: Mapping[str, Any] | None = None

    @property
    def event_id(self) -> str:
        """The id under which evidence is used once."""
        return f"discord:{self.id}"

    @property
    def native_id(self) -> str:
        """The id of the message: `discord:<channel>/<id>`."""
        return native_id(self.channel, self.id)

    @property
    def thread_id(self) -> str:
        """The conversation, which is the channel: threads of Discord are channels, too."""
        return f"discord:{self.channel}"


def raw_of(kind: str, type: int, id: str, channel: str, guild: str | None) -> dict[str, Any]:
    """The `raw` that messages and interactions share: ids and short words alone."""
    return {
        "platform": "discord",
        "kind": kind,
        "type": type,
        "id": id,
        "channel_id": channel,
        "guild_id": guild,
        "timestamp": format_time(time_of(id)),
    }


def native_id(channel: str, message: str) -> str:
    """The id of a message."""
    return f"discord:{channel}/{message}"
