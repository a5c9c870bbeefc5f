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
from ..._platform import sender_of
from .._ids import time_of
from .._settings import Settings
from .api import CallApi
from .event import Event, id_of_message
from .message import is_own, read_head
from .parts import markdown, names_of, objects, read_content

Turns: TypeAlias = tuple[HistoricalMessage, ...]

_PLACE: Final = "/history"
_PAGE: Final = 100
"""Messages that Discord gives at once."""


def ask_history(event: Event, *, agent: Address, settings: Settings, notes: list[Diagnostic]) -> Flow[CallApi, Turns]:
    """The turns before an event, oldest first, as many as are wanted.

    What the agent's bot wrote has the agent's address. Who wrote the others is not shown: they have no evidence.
    """
    if not settings.history.max_messages:
        return ()
    params = (("limit", str(min(settings.history.max_messages, _PAGE))), ("before", event.id))
    answer = yield from CallApi(method="GET", path=f"/channels/{event.channel}/messages", params=params)
    if isinstance(answer, Failed):
        detail = f"the messages of channel {event.channel}: {answer.reason}"
        notes.append(Diagnostic(code="lookup-unanswered", at=_PLACE, detail=detail, temporary=answer.temporary))
        return ()
    found = answer if isinstance(answer, (list, tuple)) else ()
    turns = [_turn(one, event, agent, settings) for one in objects(list(found[:_PAGE]))]
    kept = [turn for turn in turns if turn is not None]
    dropped = len(found) - len(kept)
    if dropped:
        notes.append(Diagnostic(code="history-turn-dropped", at=_PLACE, detail=f"{dropped} of {len(found)}"))
    return tuple(reversed(kept))


def _turn(message: Mapping[str, Any], event: Event, agent: Address, settings: Settings) -> HistoricalMessage | None:
    """A message of the channel as a turn; None when it is none, or says nothing."""
    try:
        message = plain(message, max_depth=settings.limits.json_depth)
        head = read_head(message, guild=event.guild)
        said = read_content(message, names=names_of(message), limits=settings.limits, notes=[], at="")
    except (WireError, UsageError):  # what the platform said is no fault of the program
        return None
    if head.channel != event.channel or head.id == event.id:
        return None
    named = [markdown(f"[file: {file.name or file.mime}]") for file in said.files]
    if not said.parts and not named:
        return None
    is_agent = is_own(message, head.author, settings)
    return HistoricalMessage(
        role="assistant" if is_agent else "user",
        sender=Sender(address=agent) if is_agent else sender_of(head.author.account, None),
        parts=(*said.parts, *named),
        timestamp=format_time(time_of(head.id)),
        id=id_of_message(head.channel, head.id),
    )
