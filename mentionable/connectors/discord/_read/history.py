"""The prior turns: the messages of the channel before this one, as the API lists them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from ...._errors.exceptions import UsageError, WireError
from ...._flow.flow import Failed, Flow
from ...._model.diagnostic import Diagnostic
from ...._model.message import HistoricalMessage
from ...._model.sender import Sender
from ...._wire.address import Address
from ...._wire.strict_json import plain
from ...._wire.time import format_time
from ..._members import items_of, objects_of
from ..._platform import sender_of
from .._ids import time_of
from .._settings import Settings
from .api import CallApi
from .content import markdown, names_of, read_content
from .event import Event, native_id
from .message import is_own, read_header

Turns: TypeAlias = tuple[HistoricalMessage, ...]

_AT: Final = "/history"
_PAGE: Final = 100
"""Messages that Discord returns at once."""


def ask_history(
    event: Event, *, agent: Address, settings: Settings
) -> Flow[CallApi, tuple[Turns, tuple[Diagnostic, ...]]]:
    """The turns before an event, oldest first, at most as many as the history policy allows.

    The sender of the agent's own messages is the agent. The others have no evidence.
    """
    if not settings.history.max_messages:
        return (), ()
    params = (("limit", str(min(settings.history.max_messages, _PAGE))), ("before", event.id))
    answer = yield from CallApi(method="GET", path=f"/channels/{event.channel}/messages", params=params)
    if isinstance(answer, Failed):
        detail = f"the messages of channel {event.channel}: {answer.reason}"
        return (), (Diagnostic(code="lookup-unanswered", at=_AT, detail=detail, temporary=answer.temporary),)
    messages = items_of(answer)
    turns = [_turn(message, event, agent, settings) for message in objects_of(messages[:_PAGE])]
    history = tuple([turn for turn in reversed(turns) if turn is not None])
    dropped = len(messages) - len(history)
    if not dropped:
        return history, ()
    return history, (Diagnostic(code="history-turn-dropped", at=_AT, detail=f"{dropped} of {len(messages)}"),)


def _turn(message: Mapping[str, Any], event: Event, agent: Address, settings: Settings) -> HistoricalMessage | None:
    """A message of the channel as a turn; None when it has no content, or is of another channel."""
    try:
        message = plain(message, max_depth=settings.limits.json_depth)
        header = read_header(message, guild=event.guild)
        content = read_content(message, names=names_of(message), limits=settings.limits)
    except (WireError, UsageError):  # the platform made the fault, not the calling program
        return None
    if header.channel != event.channel or header.id == event.id:
        return None
    file_names = [markdown(f"[file: {file.name or file.mime}]") for file in content.files]
    if not content.parts and not file_names:
        return None
    is_agent = is_own(message, header.author, settings)
    return HistoricalMessage(
        role="assistant" if is_agent else "user",
        sender=Sender(address=agent) if is_agent else sender_of(header.author.account),
        parts=(*content.parts, *file_names),
        timestamp=format_time(time_of(header.id)),
        id=native_id(header.channel, header.id),
    )
