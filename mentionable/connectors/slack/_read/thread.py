"""What was said before in a thread, as Slack tells when it is asked: context, never a ground for a decision.

Spec: Building a Connector §Sender Profile Facts (history); Normalized Message §5.4.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from ...._flow.flow import Flow
from ...._model.base import frozen
from ...._model.diagnostic import Diagnostic
from ...._model.message import HistoricalMessage
from ...._model.parts import TextPart
from ...._model.sender import Sender
from ...._text.media import single_line
from ...._wire.address import Address
from ...._wire.time import format_time
from .._ids import is_bot, is_moment, is_user, items_of, moment_of, object_of, one_of, text_of
from .._settings import Settings
from .api import CallApi
from .event import MESSAGES, Event, is_own, native_id, teams_in
from .mrkdwn import read_text
from .people import Person, address_of, answered, profile_in, team_named

_PAGE: Final = 200
"""Messages of one page, at most. Slack gives 15 to apps that are not in its marketplace, whatever they ask for."""

_CURSOR_CHARS: Final = 1_024
_MAX_FILES: Final = 64
_MAX_NAME: Final = 255


@frozen
class Turn:
    """A message of a thread, read and not yet written as history."""

    ts: str
    writer: str
    team: str | None
    is_own: bool
    text: str
    files: tuple[str, ...] = ()


def ask_thread(event: Event, root: str, settings: Settings, notes: list[Diagnostic]) -> Flow[CallApi, list[Turn]]:
    """The messages of a thread before one, as many pages as are walked. `root` is the first message of the thread."""
    found: dict[str, Turn] = {}
    cursor: str | None = None
    for _ in range(settings.limits.walk_depth):
        ask = _replies(event, root, cursor, settings)
        answer = answered(ask, (yield from ask), notes)
        if answer is None:
            break
        for message in items_of(answer.get("messages"))[:_PAGE]:
            turn = _read_turn(object_of(message), event, root)
            if turn is not None:
                found[turn.ts] = turn
        following = object_of(answer.get("response_metadata")).get("next_cursor")
        if not isinstance(following, str) or not 0 < len(following) <= _CURSOR_CHARS or following == cursor:
            break
        cursor = following
    else:
        if cursor is not None:
            detail = f"the thread has more than {settings.limits.walk_depth} pages"
            notes.append(Diagnostic(code="thread-truncated", detail=detail))
    return list(found.values())


def _replies(event: Event, root: str, cursor: str | None, settings: Settings) -> CallApi:
    """The ask for a page of a thread, up to the message itself."""
    limit = min(settings.history.max_messages + 1, _PAGE)
    params = [("channel", event.channel), ("ts", root), ("limit", str(limit)), ("latest", event.said_at)]
    if cursor is not None:
        params.append(("cursor", cursor))
    return CallApi(method="conversations.replies", params=tuple(params))


def _read_turn(message: Mapping[str, Any], event: Event, root: str) -> Turn | None:
    """A message of the thread in which somebody says something, before the one that is received; else None."""
    ts = one_of(message, "ts", is_moment)
    writer = one_of(message, "user", is_user) or one_of(message, "bot_id", is_bot)
    text, files = text_of(message.get("text")), _files(message)
    subtype = message.get("subtype")
    is_said = message.get("type", "message") == "message" and (subtype is None or subtype in MESSAGES)
    if ts is None or writer is None or not (text or files) or not is_said:
        return None
    if root not in (ts, message.get("thread_ts")) or moment_of(ts) >= moment_of(event.said_at):
        return None
    return Turn(
        ts=ts,
        writer=writer,
        team=team_named(teams_in(message), here=event.team, is_shared=event.is_shared),
        is_own=is_own(message, app=event.app, bot_user=event.bot_user),
        text=text,
        files=files,
    )


def _files(message: Mapping[str, Any]) -> tuple[str, ...]:
    """What the files of a message are called. Their bytes are of no prior turn."""
    found = [object_of(file) for file in items_of(message.get("files"))[:_MAX_FILES]]
    names = [[single_line(text_of(file.get(name))) for name in ("name", "title", "mimetype")] for file in found]
    return tuple([next(filter(None, some), "a file")[:_MAX_NAME] for some in names])


def history_of(
    turns: list[Turn], event: Event, agent: Address, people: Mapping[str, Person], names: Mapping[str, str]
) -> tuple[HistoricalMessage, ...]:
    """The messages of a thread as prior turns. Those of the app are the agent's own."""
    return tuple(
        [
            HistoricalMessage(
                id=native_id(event.team, event.channel, turn.ts),
                role="assistant" if turn.is_own else "user",
                sender=Sender(address=agent) if turn.is_own else _writer(turn, people.get(turn.writer)),
                parts=_turn_parts(turn, names),
                timestamp=format_time(moment_of(turn.ts)),
            )
            for turn in turns
        ]
    )


def _writer(turn: Turn, person: Person | None) -> Sender:
    """Who wrote a prior turn. Nothing is shown of them but what Slack tells for people."""
    profile = None if person is None else profile_in(person, turn.team)
    return Sender(
        address=address_of(turn.writer, turn.team),
        display_name=None if profile is None else profile.display_name,
        profile=profile,
    )


def _turn_parts(turn: Turn, names: Mapping[str, str]) -> tuple[TextPart, ...]:
    """What was said in a prior turn, and a line for each file."""
    parts = [TextPart(content=f"[file: {name}]") for name in turn.files]
    if turn.text:
        content, mime = read_text(turn.text, names=names)
        parts.insert(0, TextPart(content=content, mime=mime))
    return tuple(parts)


def writers_to_find(turns: list[Turn], known: Collection[str], *, most: int) -> tuple[str, ...]:
    """The users who wrote in a thread and whom nobody knows yet, the latest first, no more than may be asked for."""
    latest = [
        turn.writer for turn in sorted(turns, key=lambda turn: moment_of(turn.ts), reverse=True) if not turn.is_own
    ]
    return tuple([user for user in dict.fromkeys(latest) if is_user(user) and user not in known][: max(most, 0)])
