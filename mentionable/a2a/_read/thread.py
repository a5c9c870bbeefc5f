"""Which conversation a message belongs to, and which message it answers.

Spec: Normalized Message §5 (thread_id, in_reply_to).
"""

from __future__ import annotations

from .message import Head
from .parse_context import Reading
from .task import WAITING, TaskHead, same_place


def thread_of_message(head: Head, task_id: str | None, task: TaskHead | None, reading: Reading) -> str:
    """The id of the task: the host's, else the message's own; without a task the context, else the message itself.

    The first message of a conversation has no task yet: the server makes its id, so the host must say it.

    Raises:
        WireError: `task-mismatch`: the message names another task or context than the host.
    """
    if task is None:
        same_place(head, task_id, None)
        thread = task_id or head.task_id
    else:
        same_place(head, task.id, task.context_id)
        thread = task.id
    if thread is not None:
        return thread
    if head.context_id is not None:
        reading.note("thread-from-context", "/contextId", "no task is named; the context stands in for it")
        return head.context_id
    reading.note("thread-from-message", "/messageId", "no task and no context is named")
    return head.id


def parent_of(task: TaskHead | None) -> str | None:
    """The id of the message that the client answers: the status message of a task that waits for it.

    A2A has no member for this, so it is known only when the host gives the task beside the message.

    The id is the bare messageId: it is what `in_reply_to` says while the parent is not known. `FindMessage` asks for
    it in this form too, without an address before it: the agent wrote that message itself, it was never received.
    """
    if task is None or task.message is None or task.state not in WAITING:
        return None
    return task.message.id
