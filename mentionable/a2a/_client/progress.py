"""What an agent reported while it was at work: the messages before its last one.

Their tool calls are parts of the answer. Their words are not, unless the agent gave no others.

Spec: A2A 0.3 §6.1, A2A 1.0 §4.1; A2A tool events v0.1; decisions B9, B17.
"""

from __future__ import annotations

from typing import Any

from ..._errors.exceptions import WireError
from ..._model.parts import ToolCallPart
from .._read.message import Head, is_agents
from .._read.parse_context import ParseContext
from .._read.parts import read_parts
from .lenient_head import read_answer_head


class Progress:
    """The messages of an agent before its last one, in the order in which they came.

    Attributes:
        last: The last of them that has parts.
        last_at: JSON Pointer to it.
    """

    __slots__ = ("_calls", "last", "last_at")

    def __init__(self) -> None:
        self._calls: dict[str, ToolCallPart] = {}
        self.last: Head | None = None
        self.last_at = ""

    @property
    def calls(self) -> list[ToolCallPart]:
        """The tool calls, each after its last event."""
        return list(self._calls.values())

    def add(self, head: Head, pointer: str, context: ParseContext) -> None:
        """Add the message at `pointer`.

        Raises:
            WireError: `too-many-parts`.
        """
        if head.parts:
            self.last, self.last_at = head, pointer
        data = list(filter(_is_data, head.parts))
        if not data:
            return
        parsed = read_parts(data, head.parts_at, context, self._calls)
        self._calls |= parsed.updates
        for part in parsed.parts:
            if isinstance(part, ToolCallPart):
                self._calls[part.id] = part

    def add_history(self, history: list[Any], last_id: str | None, pointer: str, context: ParseContext) -> None:
        """Add the messages of the agent after the last one of the client: those before answered other questions.

        A message that cannot be read adds nothing; `read_turns` names it.

        Args:
            history: The messages of the task at `pointer`.
            last_id: The id of the last message, which is no progress, and may be in the history too.
            pointer: JSON Pointer to the task.
            context: The state of parsing.

        Raises:
            WireError: `too-many-parts`.
        """
        # Of a history of very many small messages nearly none is read: those with tool calls, which are data, and the
        # last one that has parts.
        start = len(history)
        while start and is_agents(history[start - 1]):
            start -= 1
        is_last = True
        own: list[tuple[Head, int]] = []
        for index in range(len(history) - 1, start - 1, -1):
            parts = _parts_in(history[index])
            if not parts or not (is_last or any(map(_is_data, parts))):
                continue
            try:
                head, _ = read_answer_head(history[index], context.limits)
            except WireError:
                continue
            if head.id != last_id:
                own.append((head, index))
                is_last = False
        for head, index in reversed(own):
            self.add(head, f"{pointer}/history/{index}", context)


def _parts_in(message: dict[str, Any]) -> list[Any]:
    """The parts of a message, as `read_head` finds them; empty where it finds none."""
    parts = message.get("parts")
    if parts is None:
        parts = message.get("content")
    return parts if parts.__class__ is list else []


def _is_data(part: Any) -> bool:
    return part.__class__ is dict and "data" in part
