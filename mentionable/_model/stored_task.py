"""What is stored of a task: one value, from which every question about it is answered.

Spec: A2A 1.0 §3.1.3, §4.1.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal, TypeAlias

from .._errors.exceptions import UsageError
from .._wire.time import format_time
from .base import EMPTY_DICT, replace, validated
from .rules import JsonObject, Name, Timestamp

TaskState: TypeAlias = Literal[
    "submitted", "working", "input-required", "auth-required", "completed", "canceled", "failed", "rejected"
]
"""The state of a task, by its name in A2A 0.3."""

ENDED: Final[frozenset[str]] = frozenset({"completed", "canceled", "failed", "rejected"})
"""The states after which nothing of a task changes."""


@validated
class StoredTask:
    """A task as you store it. `dumps` writes it, and `decode_trusted(StoredTask, data)` reads it back.

    `message`, `artifacts` and `history` are JSON of A2A 1.0, whatever version the client speaks.

    Attributes:
        id: Its id.
        context_id: Its conversation.
        owner: Whose task it is: no other caller learns that it exists. None: of callers without a name, and each of
            these reads and cancels it by its id.
        state: Its state.
        updated_at: When it came into this state.
        message: The message of its status.
        artifacts: What the agent made.
        history: The messages so far, the oldest first.
        metadata: Its metadata.
        extra: Members that this version does not know.
    """

    id: Name
    context_id: Name
    owner: str | None = None
    state: TaskState
    updated_at: Timestamp
    message: JsonObject | None = None
    artifacts: tuple[JsonObject, ...] = ()
    history: tuple[JsonObject, ...] = ()
    metadata: JsonObject = EMPTY_DICT
    extra: JsonObject = EMPTY_DICT

    @property
    def is_ended(self) -> bool:
        """Whether nothing of it changes any more."""
        return self.state in ENDED

    @property
    def messages(self) -> tuple[JsonObject, ...]:
        """All its messages: the history, and the message of its status, where that is not in the history already."""
        known = {message.get("messageId") for message in self.history}
        if self.message is None or self.message.get("messageId") in known:
            return self.history
        return (*self.history, self.message)

    def trimmed(self, history_length: int | None) -> StoredTask:
        """The same task with so many of its last messages alone; None: with all of them.

        Raises:
            UsageError: The number is negative.
        """
        if history_length is not None and history_length < 0:
            raise UsageError("history_length must be 0 or more")
        last = last_messages(self.history, history_length)
        return self if len(last) == len(self.history) else replace(self, history=last)

    def canceled(self, *, now: datetime) -> StoredTask:
        """The same task, canceled. The message of its status goes into the history.

        Raises:
            UsageError: It has ended already.
        """
        if self.is_ended:
            raise UsageError(f"the task is {self.state}: answer a CancelTask with task-not-cancelable")
        return replace(self, state="canceled", updated_at=format_time(now), message=None, history=self.messages)


def last_messages(history: tuple[JsonObject, ...], length: int | None) -> tuple[JsonObject, ...]:
    """So many of the last messages of a history; None: all of them."""
    return history if length is None else history[max(0, len(history) - length) :]
