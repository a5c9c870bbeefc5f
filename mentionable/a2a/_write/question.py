"""The dialect, the binding, the ids and the configuration of a question, from its `raw`.

What is missing or malformed counts as absent; then the answer is written in v1.0, for the host to send.

Spec: Normalized Message §6; decisions B5.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..._errors.exceptions import WireError
from ..._model.message import NormalizedMessage
from ..._wire.strict_json import dig_object
from .._protocol import CALL_IDS
from .._read.envelope import SENDING, STREAMING
from .._read.parse_context import camel
from .dialects import DIALECTS, V1, Dialect

_BINDINGS: Final = frozenset({"jsonrpc", "rest"})


class Question(NamedTuple):
    """The question of an answer.

    Attributes:
        dialect: The dialect of the answer.
        binding: `jsonrpc` or `rest`; None when the host passed a bare message.
        is_stream: Whether the question asked for a stream.
        id: The id of the JSON-RPC request.
        context_id: The context; the thread where the question names none.
        task_id: The task that the question belongs to, if any.
        configuration: What the client wants of the answer, as it came; secrets of webhooks are left out of `raw`.
    """

    dialect: Dialect
    binding: str | None
    is_stream: bool
    id: Any
    context_id: str
    task_id: str | None
    configuration: Any


def question_of(message: NormalizedMessage) -> Question:
    """The question that became this message."""
    raw = message.raw
    envelope, native, task = dig_object(raw, "envelope"), members_in(raw, "message"), members_in(raw, "task")
    method, binding, call_id = envelope.get("method"), envelope.get("binding"), envelope.get("id")
    method = method if method.__class__ is str else None
    places = (native.get("contextId"), task.get("contextId"), envelope.get("context_id"))
    context_id = next(filter(None, map(_text, places)), message.thread_id)
    tasks = (native.get("taskId"), task.get("id"), envelope.get("task_id"))
    task_id = next(filter(None, map(_text, tasks)), None)
    return Question(
        _dialect_of(envelope.get("dialect"), method),
        binding if binding.__class__ is str and binding in _BINDINGS else None,
        method in STREAMING,
        call_id if call_id.__class__ in CALL_IDS else None,
        context_id,
        task_id,
        envelope.get("configuration"),
    )


def _dialect_of(name: Any, method: str | None) -> Dialect:
    """The dialect of a name; of a mixture, and of any other name, that of the method."""
    if name.__class__ is str and name in DIALECTS:
        return DIALECTS[name]
    return DIALECTS[SENDING.get(method, "1.0")] if method is not None else V1


def members_in(raw: Any, name: str) -> dict[str, Any]:
    """The members of a protocol object in camelCase; none where it cannot be read."""
    try:
        return camel(dig_object(raw, name))
    except WireError:
        return {}


def _text(value: Any) -> str | None:
    return value if value.__class__ is str and value else None
