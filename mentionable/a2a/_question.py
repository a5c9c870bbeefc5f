"""What an answer must know of its question: the dialect, the binding and the ids, from what `receive` kept in `raw`.

`raw` may come from one's own store, be redacted, or have any shape. What is not there, or not of the form that it must
have, counts as absent; then the answer is written in v1.0, for whoever hands it on.

Spec: Normalized Message §6; decisions B5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ._dialects import DIALECTS, V1
from ._envelope import SENDING, STREAMING
from ._reading import EMPTY

if TYPE_CHECKING:
    from .._model.message import NormalizedMessage
    from ._dialects import Dialect

_BINDINGS: Final = frozenset({"jsonrpc", "rest"})


class Question(NamedTuple):
    """Where an answer goes, and how it is written.

    Attributes:
        dialect: How.
        binding: `jsonrpc` or `rest`; None when the host handed over a bare message.
        is_stream: Whether the question asked for a stream.
        id: The id of the JSON-RPC request.
        context_id: The context, made of the thread where the question names none.
        task_id: The task that the question belongs to, if it belongs to one.
    """

    dialect: Dialect
    binding: str | None
    is_stream: bool
    id: Any
    context_id: str
    task_id: str | None


def question_of(message: NormalizedMessage) -> Question:
    """What can be known of the question from the message that it became."""
    raw = _object(message.raw)
    envelope, native, task = _object(raw.get("envelope")), _object(raw.get("message")), _object(raw.get("task"))
    method, binding = envelope.get("method"), envelope.get("binding")
    method = method if method.__class__ is str else None
    call_id = envelope.get("id")
    context_id = _id(native.get("contextId")) or _id(native.get("context_id"))
    task_id = _id(native.get("taskId")) or _id(native.get("task_id"))
    context_id, task_id = context_id or _id(task.get("contextId")), task_id or _id(task.get("id"))
    thread_id = message.thread_id
    if task_id is None and native:
        # The thread is the task that the host named, unless it had to stand in for one.
        others = (context_id, native.get("messageId"), native.get("message_id"))
        task_id = None if thread_id in others else thread_id
    return Question(
        _dialect(envelope.get("dialect"), method),
        binding if binding in _BINDINGS else None,
        method in STREAMING,
        call_id if call_id.__class__ in (str, int, float) else None,
        context_id or thread_id,
        task_id,
    )


def _dialect(name: Any, method: str | None) -> Dialect:
    """The dialect by its name; of a mixture, and of anything else, the one of the method."""
    if name.__class__ is str and name in DIALECTS:
        return DIALECTS[name]
    return DIALECTS[SENDING.get(method, "1.0")] if method is not None else V1


def _object(found: Any) -> dict[str, Any]:
    return found if found.__class__ is dict else EMPTY


def _id(found: Any) -> str | None:
    return found if found.__class__ is str and found else None
