"""The prior turns: the messages of the channel before this one, as the API lists them, and the one that it answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from ...._errors.exceptions import UsageError, WireError
from ...._flow.flow import Failed, Flow
from ...._model.base import replace
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
from .event import Event, native_id
from .message import content_of, is_own, read_header, starter_of
from .parts import markdown

Turns: TypeAlias = tuple[HistoricalMessage, ...]

_AT: Final = "/history"
_LOST: Final = ("part-unsupported", "too-many-parts")
_PAGE: Final = 100
"""Messages that Discord returns at once."""


def ask_history(
    event: Event, *, agent: Address, settings: Settings
) -> Flow[CallApi, tuple[Turns, tuple[Diagnostic, ...]]]:
    """The turns before an event, oldest first, at most as many as the history policy allows.

    The message that the event answers is one of them, also where it is older than the others. The sender of the agent's
    own messages is the agent. The others have no evidence.
    """
    if not settings.history.max_messages:
        return (), ()
    count = min(settings.history.max_messages, _PAGE)
    params = (("limit", str(count)), ("before", event.id))
    answer = yield from CallApi(method="GET", path=f"/channels/{event.channel}/messages", params=params)
    turns: list[HistoricalMessage] = []
    diagnostics: list[Diagnostic] = []
    if isinstance(answer, Failed):
        detail = f"the messages of channel {event.channel}: {answer.reason}"
        diagnostics.append(Diagnostic(code="lookup-unanswered", at=_AT, detail=detail, temporary=answer.temporary))
    else:
        messages = items_of(answer)
        for message in reversed(objects_of(messages[:_PAGE])):
            turn, left_out = _turn(message, event, agent, settings)
            if turn is not None and message.get("channel_id") == event.channel:
                turns.append(turn)
                diagnostics += left_out
        if len(messages) > len(turns):
            detail = f"{len(messages) - len(turns)} of {len(messages)}"
            diagnostics.append(Diagnostic(code="history-turn-dropped", at=_AT, detail=detail))
    if event.answered is not None:
        answered, left_out = _turn(event.answered, event, agent, settings)
        if answered is None:
            diagnostics.append(Diagnostic(code="history-turn-dropped", at="/referenced_message"))
        elif all(turn.id != answered.id for turn in turns):
            turns = [answered, *turns[max(0, len(turns) - count + 1) :]]
            diagnostics += left_out
    return tuple(turns), tuple(diagnostics)


def _turn(
    message: Mapping[str, Any], event: Event, agent: Address, settings: Settings
) -> tuple[HistoricalMessage | None, list[Diagnostic]]:
    """A message as a turn, and what was left out of it; None when it has no content.

    The first message of a thread is the one that it shows.
    """
    try:
        message = plain(message, max_depth=settings.limits.json_depth)
        message = starter_of(message) or message
        header = read_header(message, guild=event.guild)
        content = content_of(message, limits=settings.limits)
    except (WireError, UsageError):  # the platform made the fault, not the calling program
        return None, []
    file_names = [markdown(f"[file: {file.name or file.mime}]") for file in content.files]
    if header.id == event.id or not (content.parts or file_names):
        return None, []
    is_agent = is_own(message, header.author, settings)
    turn = HistoricalMessage(
        role="assistant" if is_agent else "user",
        sender=Sender(address=agent) if is_agent else sender_of(header.author.account),
        parts=(*content.parts, *file_names),
        timestamp=format_time(time_of(header.id)),
        id=native_id(header.channel, header.id),
    )
    left_out = [one for one in content.diagnostics if one.code in _LOST]
    return turn, [replace(one, at=f"{_AT}{one.at}") for one in left_out]
