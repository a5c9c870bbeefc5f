"""The prior turns: the messages of the thread before this one, as Slack lists them. No decision rests on them.

Spec: Building a Connector §Sender Profile Facts (history); Normalized Message §5.4.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from ...._flow.flow import Flow
from ...._model.base import frozen
from ...._model.diagnostic import Diagnostic
from ...._model.message import HistoricalMessage
from ...._model.parts import TextPart
from ...._model.sender import Sender
from ...._text.media import single_line
from ...._text.mrkdwn import read_text
from ...._wire.address import Address
from ...._wire.time import format_time
from ..._members import items_of, object_of
from ..._platform import sender_of
from .._ids import is_bot, is_ts, is_user, optional, text_of, time_of
from .._settings import Settings
from .api import CallApi
from .event import MESSAGES, Event, is_own, native_id, teams_in
from .people import Person, account_of, read_answer, team_named

_PAGE: Final = 200
"""Messages of one page, at most. Slack returns 15 to apps that are not in its marketplace."""

_MAX_CURSOR: Final = 1_024
_MAX_FILES: Final = 64
_MAX_NAME: Final = 255


@frozen
class Turn:
    """A message of a thread, parsed and not yet written as history."""

    ts: str
    writer: str
    team: str | None
    is_own: bool
    text: str
    files: tuple[str, ...] = ()


def ask_thread(event: Event, root: str, settings: Settings) -> Flow[CallApi, tuple[list[Turn], tuple[Diagnostic, ...]]]:
    """The messages of a thread before an event, from at most `walk_depth` pages.

    Args:
        event: The event.
        root: The first message of the thread.
        settings: Limits and the history policy.
    """
    turns: dict[str, Turn] = {}
    cursor: str | None = None
    for _ in range(settings.limits.walk_depth):
        ask = _replies(event, root, cursor, settings)
        page, failure = read_answer(ask, (yield from ask))
        if page is None:
            return list(turns.values()), failure
        for message in items_of(page.get("messages"))[:_PAGE]:
            turn = _read_turn(object_of(message), event, root)
            if turn is not None:
                turns[turn.ts] = turn
        next_cursor = object_of(page.get("response_metadata")).get("next_cursor")
        if not isinstance(next_cursor, str) or not 0 < len(next_cursor) <= _MAX_CURSOR or next_cursor == cursor:
            return list(turns.values()), ()
        cursor = next_cursor
    if cursor is None:  # no page may be asked for
        return [], ()
    detail = f"the thread has more than {settings.limits.walk_depth} pages"
    return list(turns.values()), (Diagnostic(code="thread-truncated", detail=detail),)


def _replies(event: Event, root: str, cursor: str | None, settings: Settings) -> CallApi:
    """The ask for a page of a thread, up to the message itself."""
    limit = min(settings.history.max_messages + 1, _PAGE)
    params = [("channel", event.channel), ("ts", root), ("limit", str(limit)), ("latest", event.ts or "")]
    if cursor is not None:
        params.append(("cursor", cursor))
    return CallApi(method="conversations.replies", params=tuple(params))


def _read_turn(message: Mapping[str, Any], event: Event, root: str) -> Turn | None:
    """A message of the thread before the event; None when it has no content, no author, or is not of the thread."""
    ts = optional(message, "ts", is_ts)
    writer = optional(message, "user", is_user) or optional(message, "bot_id", is_bot)
    text, files = text_of(message.get("text")), _file_names(message)
    if ts is None or writer is None or not (text or files):
        return None
    if message.get("type", "message") != "message" or message.get("subtype") not in (None, *MESSAGES):
        return None
    if root not in (ts, message.get("thread_ts")) or time_of(ts) >= time_of(event.ts or ""):
        return None
    return Turn(
        ts=ts,
        writer=writer,
        team=team_named(teams_in(message), here=event.team, is_shared=event.is_shared),
        is_own=is_own(message, app=event.app, bot_user=event.bot_user),
        text=text,
        files=files,
    )


def _file_names(message: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the files of a message. History has no bytes."""
    files = map(object_of, items_of(message.get("files"))[:_MAX_FILES])
    names = [[single_line(text_of(file.get(name))) for name in ("name", "title", "mimetype")] for file in files]
    return tuple([next(filter(None, candidates), "a file")[:_MAX_NAME] for candidates in names])


def history_of(
    turns: Sequence[Turn], event: Event, agent: Address, people: Mapping[str, Person], names: Mapping[str, str]
) -> tuple[HistoricalMessage, ...]:
    """The messages of a thread as prior turns. Those of the app are the agent's own."""
    return tuple(
        [
            HistoricalMessage(
                id=native_id(event.team, event.channel, turn.ts),
                role="assistant" if turn.is_own else "user",
                sender=Sender(address=agent)
                if turn.is_own
                else sender_of(account_of(turn.writer, turn.team, people.get(turn.writer))),
                parts=_turn_parts(turn, names),
                timestamp=format_time(time_of(turn.ts)),
            )
            for turn in turns
        ]
    )


def _turn_parts(turn: Turn, names: Mapping[str, str]) -> tuple[TextPart, ...]:
    """The text of a prior turn, and a line for each file."""
    parts = [TextPart(content=f"[file: {name}]") for name in turn.files]
    if turn.text:
        content, mime = read_text(turn.text, names=names)
        parts.insert(0, TextPart(content=content, mime=mime))
    return tuple(parts)


def unknown_writers(turns: Sequence[Turn], known: Collection[str], *, max_users: int) -> tuple[str, ...]:
    """The users who wrote in a thread and are not known yet, the latest first."""
    latest = sorted([turn for turn in turns if not turn.is_own], key=lambda turn: time_of(turn.ts), reverse=True)
    users = [user for user in dict.fromkeys(turn.writer for turn in latest) if is_user(user) and user not in known]
    return tuple(users[: max(max_users, 0)])
