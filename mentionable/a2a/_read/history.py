"""Prior turns: the history of a task without the message at hand, or what a connector forwards in its place.

Spec: Normalized Message §5.4; decisions B7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from ..._errors.exceptions import WireError
from ..._flow.settings import Limits
from ..._model.base import unchecked
from ..._model.diagnostic import Diagnostic, prefixed
from ..._model.message import HistoricalMessage
from ..._model.parts import Part
from ..._model.sender import Sender
from ..._transport.forwarded import ForwardedTurn, read_history
from ..._wire.time import is_time, normal_time
from .message import ROLES, Head, read_head, read_message_parts
from .metadata import hints_of
from .parse_context import ParseContext
from .parts import read_common_parts
from .sender import new_sender
from .task import TaskHead, same_place

_new_turn: Final = unchecked(HistoricalMessage)


class Turn(NamedTuple):
    """A prior turn whose sender is not known yet.

    Attributes:
        is_agents: Whether the agent of the task wrote it, not the client.
        parts: Its parts.
        time: Its time, if it has one.
        id: Its messageId.
    """

    is_agents: bool
    parts: tuple[Part, ...]
    time: str | None
    id: str


def read_turns(task: TaskHead, current_id: str | None, context: ParseContext) -> tuple[list[Turn], list[Diagnostic]]:
    """The turns of a task's history, each once, without the current message, in the order in which they came.

    A turn that is not a well-formed message of this task is left out with a diagnostic. The status message is
    appended when it is neither the current message nor in the history: some peers keep it there, others do not.
    """
    seen = {current_id}
    turns: list[Turn] = []
    diagnostics: list[Diagnostic] = []
    broken: list[str] = []
    messages = task.history
    index = _read_common(messages, 0, task.id, turns, seen, context.limits)
    while index < len(messages):
        try:
            head = read_head(messages[index], context.limits)
            if head.id not in seen:
                same_place(head, task.id, None)
                turn, odd = _turn_of(head, context)
                turns.append(turn)
                seen.add(head.id)
                diagnostics += prefixed(odd, f"/history/{index}")
        except WireError:
            broken.append(f"/history/{index}")
        index = _read_common(messages, index + 1, task.id, turns, seen, context.limits)
    if task.message is not None and task.message.id not in seen:
        try:
            turn, odd = _turn_of(task.message, context)
            turns.append(turn)
            diagnostics += prefixed(odd, "/status/message")
        except WireError:
            broken.append("/status/message")
    if broken:
        detail = f"{len(broken)} malformed turns were left out"
        diagnostics.append(Diagnostic(code="history-turn-dropped", at=broken[0], detail=detail))
    stamp = task.timestamp
    if stamp is not None and not (stamp.__class__ is str and stamp and is_time(stamp)):
        detail = "not RFC 3339 with an offset"
        diagnostics.append(Diagnostic(code="time-assumed", at="/status/timestamp", detail=detail))
    return _with_status_time(turns, task, current_id), diagnostics


def _read_common(
    messages: list[Any], start: int, task_id: str, turns: list[Turn], seen: set[str | None], limits: Limits
) -> int:
    """Read messages of this task while they have common members and parts only, in which nothing can be wrong.

    Their turns go onto the lists of `read_turns`. The index of the first message that is another, or was seen;
    `read_head` reads it, and these to the same result.
    """
    max_chars, max_parts = limits.id_chars, limits.parts
    new = tuple.__new__  # as `Turn(…)` does, without its Python function: a history may have thousands of messages
    for index in range(start, len(messages)):
        message = messages[index]
        if message.__class__ is not dict:
            return index
        member = message.get
        message_id, role, parts, context_id = member("messageId"), member("role"), member("parts"), member("contextId")
        if not (
            member("taskId") == task_id
            and message_id.__class__ is role.__class__ is context_id.__class__ is str
            and parts.__class__ is list
            # These five members are there, so there are no others, except `kind`.
            and (len(message) == 5 or (len(message) == 6 and member("kind").__class__ is str))
            and 0 < len(message_id) <= max_chars >= len(context_id)
            and 0 < len(parts) <= max_parts
            and (author := ROLES.get(role)) is not None
            and message_id not in seen
            and (common := read_common_parts(parts)) is not None
        ):
            return index
        seen.add(message_id)
        turns.append(new(Turn, (author == "agent", tuple(common), None, message_id)))
    return len(messages)


def _turn_of(head: Head, context: ParseContext) -> tuple[Turn, Sequence[Diagnostic]]:
    """One turn, with the time in the metadata of senders of this library; and what is odd in its parts."""
    time = None if head.metadata is None else normal_time(hints_of(head.metadata).get("timestamp"))
    parsed = read_message_parts(head, context)
    return Turn(head.role == "agent", tuple(parsed.parts), time, head.id), parsed.diagnostics


def _with_status_time(turns: list[Turn], task: TaskHead, current_id: str | None) -> list[Turn]:
    """The turns, the status message among them with the time of the status."""
    if task.timestamp is None or task.message is None or task.message.id == current_id:
        return turns
    time, status_id = normal_time(task.timestamp), task.message.id
    return [turn._replace(time=time) if turn.id == status_id and turn.time is None else turn for turn in turns]


def history_of(
    turns: Sequence[Turn], *, client: str, agent: str, recipient: str, received_at: str
) -> tuple[tuple[HistoricalMessage, ...], tuple[Diagnostic, ...]]:
    """The turns as history, no sender in them verified; and whether their times are assumed.

    A2A messages carry no time. A turn without one takes that of the next turn that has one, which it cannot be later
    than, and after the last of these `received_at`; so the order of the turns is kept.
    """
    sides: list[tuple[Sender, Literal["user", "assistant"]]] = [
        (new_sender(address=side), "assistant" if side == recipient else "user") for side in (client, agent)
    ]
    time = received_at
    is_assumed = False
    history = []
    for is_agents, parts, own_time, turn_id in reversed(turns):
        if own_time is None:
            is_assumed = True
        else:
            time = own_time
        sender, role = sides[is_agents]
        history.append(_new_turn(role=role, sender=sender, parts=parts, timestamp=time, id=turn_id))
    history.reverse()
    detail = "turns of the history carry no time of their own"
    return tuple(history), (Diagnostic(code="time-assumed", detail=detail),) if is_assumed else ()


def forwarded_turns(entries: Any, agent: str, limits: Limits) -> tuple[tuple[ForwardedTurn, ...], Sequence[Diagnostic]]:
    """The turns that a connector forwards with a message; no sender in them is verified."""
    at = "/metadata/mentionable/history"
    if entries.__class__ is not list or not entries:
        if entries is None or entries == []:
            return (), ()
        return (), (Diagnostic(code="member-dropped", at=at, detail="expected an array of turns"),)
    return read_history(entries, agent=agent, at=at, limits=limits)
