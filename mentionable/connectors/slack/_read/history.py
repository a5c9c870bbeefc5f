"""The prior turns: the messages of the thread before this one, as Slack lists them. No decision rests on them.

Spec: Building a Connector §Sender Profile Facts (history); Normalized Message §5.4.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from ...._flow.flow import Flow
from ...._flow.settings import Limits
from ...._model.base import EMPTY_DICT, frozen
from ...._model.diagnostic import Diagnostic
from ...._model.message import HistoricalMessage
from ...._model.parts import LinkPart, Part, TextPart
from ...._model.sender import Sender
from ...._wire.address import Address
from ...._wire.time import format_time
from ..._members import items_of, object_of
from ..._platform import sender_of
from .._ids import is_bot, is_ts, is_user, optional, time_of
from .._settings import Settings
from .api import CallApi
from .content import MessageContent, read_content
from .event import MESSAGES, Event, is_own, native_id, teams_in
from .files import file_label, is_email
from .mentions import labels_in
from .people import Person, account_of, read_answer, team_named
from .texts import text_parts

_PAGE: Final = 200
"""Messages of one page, at most. Slack returns 15 to apps that are not in its marketplace."""

_MAX_CURSOR: Final = 1_024
_MAX_FILES: Final = 64
_SILENT: Final = ("assistant_app_thread",)
"""Subtypes of the first message of a thread that people do not see."""


@frozen
class Turn:
    """A message of a thread, parsed and not yet written as history.

    Attributes:
        ts: Its id in the channel.
        writer: The user or the bot that wrote it.
        team: The workspace of the writer, where it is certain.
        is_own: Whether the app itself wrote it.
        content: What people see of it.
        files: What its files are called.
        labels: The names that it has for what it mentions.
    """

    ts: str
    writer: str
    team: str | None
    is_own: bool
    content: MessageContent
    files: tuple[str, ...] = ()
    labels: Mapping[str, str] = EMPTY_DICT


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
            turn = _read_turn(object_of(message), event, root, settings.limits)
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


def _read_turn(message: Mapping[str, Any], event: Event, root: str, limits: Limits) -> Turn | None:
    """A message of the thread before the event; None when it has no content, no author, or is not of the thread."""
    ts = optional(message, "ts", is_ts)
    writer = optional(message, "user", is_user) or optional(message, "bot_id", is_bot)
    if ts is None or writer is None or message.get("type", "message") != "message":
        return None
    if not _has_words(message.get("subtype"), is_root=ts == root):
        return None
    if root not in (ts, message.get("thread_ts")) or time_of(ts) >= time_of(event.ts or ""):
        return None
    content = read_content(message, f"/messages/{ts}", is_program=message.get("bot_id") is not None, limits=limits)
    named = map(object_of, items_of(message.get("files"))[:_MAX_FILES])
    files = tuple([file_label(file) for file in named if not is_email(file)])
    if not content.texts and not files:
        return None
    return Turn(
        ts=ts,
        writer=writer,
        team=team_named(teams_in(message), here=event.team, is_shared=event.is_shared),
        is_own=is_own(message, app=event.app, bot_user=event.bot_user),
        content=content,
        files=files,
        labels=labels_in([message.get(name) for name in ("text", "blocks", "attachments")])
        if any("<" in text.content for text in content.texts)
        else EMPTY_DICT,
    )


def _has_words(subtype: Any, *, is_root: bool) -> bool:
    """Whether messages of a subtype say something. The first message of a thread does, whatever it is."""
    if is_root:
        return subtype is None or (isinstance(subtype, str) and subtype not in _SILENT)
    return subtype in (None, *MESSAGES)


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


def _turn_parts(turn: Turn, names: Mapping[str, str]) -> tuple[Part, ...]:
    """The texts of a prior turn, and a line for each file. History has no bytes."""
    links = [file for file in turn.content.files if isinstance(file, LinkPart)]
    lines = [TextPart(content=f"[file: {name}]") for name in turn.files]
    return (*text_parts(turn.content.texts, names), *lines, *links)


def unknown_writers(turns: Sequence[Turn], known: Collection[str]) -> list[str]:
    """The users who wrote in a thread and are not known yet, the latest first."""
    latest = sorted([turn for turn in turns if not turn.is_own], key=lambda turn: time_of(turn.ts), reverse=True)
    return [user for user in dict.fromkeys(turn.writer for turn in latest) if is_user(user) and user not in known]
