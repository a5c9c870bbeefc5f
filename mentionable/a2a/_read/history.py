"""Prior turns: the history of a task without the message at hand, or what a connector forwards in its place.

Spec: Normalized Message §5.4; decisions B7.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from ..._errors.exceptions import WireError
from ..._model.base import unchecked
from ..._model.message import HistoricalMessage
from ..._model.parts import Part
from ..._model.sender import Sender
from ..._transport.forwarded import read_history
from ..._wire.time import is_time, normal_time
from .message import ROLES, Head, read_head, read_message_parts
from .metadata import hints_of
from .parse_context import ParseContext
from .parts import read_common_parts
from .sender import new_sender
from .task import TaskHead, same_place

_new_turn: Final = unchecked(HistoricalMessage)


class Turn(NamedTuple):
    """A prior turn before it is known who stands on which side.

    Attributes:
        is_agents: Whether the agent of the task wrote it, not the client.
        parts: What it says.
        time: When, where somebody said so.
        id: Its messageId.
    """

    is_agents: bool
    parts: tuple[Part, ...]
    time: str | None
    id: str


def read_turns(task: TaskHead, current_id: str | None, context: ParseContext) -> list[Turn]:
    """The turns of a task's history, each once, without the message at hand, in the order in which they came.

    A turn that is not a well-formed message of this task is left out with a diagnostic. The status message is
    appended when it is neither the message at hand nor in the history: some peers keep it there, others do not.
    """
    seen = {current_id}
    turns: list[Turn] = []
    broken: list[str] = []
    for index, message in enumerate(task.history):
        turn = _common_turn(message, task.id, seen, context)
        if turn is not None:
            turns.append(turn)
            seen.add(turn.id)
            continue
        noted = len(context.notes)
        try:
            head = read_head(message, context)
            if head.id in seen:
                continue
            same_place(head, task.id, None)
            turns.append(_turn_of(head, context))
        except WireError:
            del context.notes[noted:]
            broken.append(f"/history/{index}")
            continue
        seen.add(head.id)
        if len(context.notes) > noted:
            context.move_notes(noted, f"/history/{index}")
    if task.message is not None and task.message.id not in seen:
        noted = len(context.notes)
        try:
            turns.append(_turn_of(task.message, context))
            context.move_notes(noted, "/status/message")
        except WireError:
            del context.notes[noted:]
            broken.append("/status/message")
    if broken:
        context.note("history-turn-dropped", broken[0], f"{len(broken)} malformed turns were left out")
    return turns if task.timestamp is None else _with_status_time(turns, task, current_id, context)


def _common_turn(message: Any, task_id: str, seen: set[str | None], context: ParseContext) -> Turn | None:
    """The turn of a message of this task that has the common members and parts only, so that nothing can be wrong.

    None for any other, and for one that was seen: `read_head` finds out what is wrong with it.
    """
    if message.__class__ is not dict or message.get("taskId") != task_id:
        return None
    member, limits = message.get, context.limits
    message_id, role, parts, context_id = member("messageId"), member("role"), member("parts"), member("contextId")
    if not (
        message_id.__class__ is role.__class__ is context_id.__class__ is str
        and parts.__class__ is list
        # Five members were looked at and are there, so there are no others, but for `kind`.
        and len(message) == 5 + (member("kind").__class__ is str)
        and 0 < len(message_id) <= limits.id_chars
        and len(context_id) <= limits.id_chars
        and 0 < len(parts) <= limits.parts
        and (author := ROLES.get(role)) is not None
        and message_id not in seen
        and (common := read_common_parts(parts)) is not None
    ):
        return None
    # As `Turn(…)` does, without its Python function around it: there is a turn for each message of a history.
    return tuple.__new__(Turn, (author == "agent", tuple(common), None, message_id))


def _turn_of(head: Head, context: ParseContext) -> Turn:
    """One turn, with the time that a sender of this library wrote beside it."""
    time = None if head.metadata is None else normal_time(hints_of(head.metadata).get("timestamp"))
    return Turn(head.role == "agent", tuple(read_message_parts(head, context).parts), time, head.id)


def _with_status_time(turns: list[Turn], task: TaskHead, current_id: str | None, context: ParseContext) -> list[Turn]:
    """The same turns, the status message among them with the time of the status."""
    stamp = task.timestamp
    if not (stamp.__class__ is str and stamp and is_time(stamp)):
        context.note("time-assumed", "/status/timestamp", "not RFC 3339 with an offset")
    if task.message is None or task.message.id == current_id:
        return turns  # it is no turn, so nothing in the history has this time
    time, status_id = normal_time(stamp), task.message.id
    return [turn._replace(time=time) if turn.id == status_id and turn.time is None else turn for turn in turns]


def history_of(
    turns: Sequence[Turn], *, client: str, agent: str, recipient: str, received_at: str, context: ParseContext
) -> tuple[HistoricalMessage, ...]:
    """The turns as history, nobody in them verified.

    A2A messages carry no time. A turn without one takes that of the next turn that has one, which it cannot be later
    than, and after the last of these `received_at`; so the order in which they came is kept.
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
    if is_assumed:
        context.note("time-assumed", "", "turns of the history carry no time of their own")
    history.reverse()
    return tuple(history)


def forwarded_history(metadata: Any, agent: str, context: ParseContext) -> tuple[HistoricalMessage, ...]:
    """The turns that a connector forwards with a message; nobody in them is verified."""
    entries = hints_of(metadata).get("history")
    at = "/metadata/mentionable/history"
    if entries.__class__ is not list or not entries:
        if entries is not None and entries != []:
            context.note("member-dropped", at, "expected an array of turns")
        return ()
    context.forwarded, diagnostics = read_history(entries, agent=agent, at=at, limits=context.limits)
    context.notes += diagnostics
    return tuple([forwarded.turn for forwarded in context.forwarded])
