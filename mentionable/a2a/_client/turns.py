"""The turns that came with an answer, read when somebody asks for them.

Spec: A2A 0.3 §6.1, A2A 1.0 §4.1; Normalized Message §5.4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ..._model.diagnostic import Diagnostic, prefixed
from ..._model.message import HistoricalMessage, NormalizedMessage
from .._read.history import history_of, read_turns
from .._read.parse_context import ParseContext
from .._read.task import TaskHead

Turns: TypeAlias = Callable[[], tuple[tuple[HistoricalMessage, ...], list[Diagnostic]]]
"""Gives the turns, and what is odd about them; the same each time."""


def turns_of(task: TaskHead, pointer: str, to: NormalizedMessage, context: ParseContext) -> Turns:
    """The turns in the history of a task, the client being who asked, and the agent who was asked.

    A2A messages carry no time. That of the turns is assumed for nearly every answer, so that no diagnostic says so.

    Args:
        task: The task.
        pointer: JSON Pointer to it.
        to: The question.
        context: The state of parsing.
    """
    made: list[tuple[tuple[HistoricalMessage, ...], list[Diagnostic]]] = []

    def make() -> tuple[tuple[HistoricalMessage, ...], list[Diagnostic]]:
        if made:
            return made[0]
        turns, odd = read_turns(task, None if task.message is None else task.message.id, context)
        history, _ = history_of(
            turns, client=to.sender.address, agent=to.recipient, recipient=to.recipient, received_at=to.received_at
        )
        made.append((history, prefixed(odd, pointer)))
        return made[0]

    return make
