"""The answer of an agent as one response.

Spec: Normalized Message §4, §5.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from ..._model.base import EMPTY_DICT, unchecked
from ..._model.message import NormalizedMessage, NormalizedResponse, ResponseError
from ..._model.parts import CarriedPolicy, Part, TextPart, ToolCallPart
from ..._model.stored_task import ENDED
from ..._text.plain_text import part_text
from ..._transport.answer_stream import unreadable_policy
from .._read.artifact import text_of
from .._read.message import Head
from .._read.metadata import hints_of
from .._read.tool_events import as_event, with_event
from .own_extra import of_artifacts

FAILURES: Final[Mapping[str, tuple[str, str]]] = {
    "failed": ("a2a:failed", "The agent failed."),
    "rejected": ("a2a:rejected", "The agent declined."),
    "canceled": ("a2a:canceled", "The task was canceled."),
}
"""State → code and message of the error, where the agent gives none."""

_new_response: Final = unchecked(NormalizedResponse)

_ANSWERED: Final = frozenset({None, "input-required", "auth-required"}) | ENDED
"""The states that have an answer. A direct message has no state."""


class TaskResult(NamedTuple):
    """The answer of an agent, before it is a response.

    Attributes:
        state: The state of the task; None for a direct message.
        head: The message, or the one of the task's status.
        message_parts: The parts of the message.
        artifact_parts: The parts of the artifacts.
        calls: The tool calls that the agent reported while it was at work.
        policy: Its policy, if any.
        is_unread: Whether it has a policy that cannot be read.
        is_broken: Whether an error of the agent ended it.
        task_id: The task.
        context_id: The context.
        own: What else A2A alone knows of it, for `extra["a2a"]`.
        artifacts: The same of its artifacts, by id.
    """

    state: str | None
    head: Head | None
    message_parts: list[Part]
    artifact_parts: list[Part]
    calls: list[ToolCallPart]
    policy: tuple[CarriedPolicy, ...]
    is_unread: bool
    is_broken: bool
    task_id: str | None
    context_id: str | None
    own: dict[str, Any]
    artifacts: dict[str, dict[str, Any]]


def response_of(result: TaskResult, to: NormalizedMessage) -> NormalizedResponse:
    """The response to `to`."""
    state = result.state
    has_failed, error, parts = _failure(result)
    if result.is_unread and not has_failed:
        has_failed, error = True, unreadable_policy("a2a", _text_of(parts))
    places = {"state": state, "task_id": result.task_id, "context_id": result.context_id}
    own = {name: place for name, place in places.items() if place is not None}
    own |= {**result.own, **of_artifacts(result.artifacts)}
    is_whole = not result.is_broken and (result.policy or state in _ANSWERED)
    return _new_response(
        reply_to=to.id,
        parts=(*each_call_once([*result.calls, *parts, *result.artifact_parts]), *result.policy),
        status="error" if has_failed else "ok" if is_whole else "partial",
        error=error,
        extra={"a2a": own} if own else EMPTY_DICT,
    )


def _failure(result: TaskResult) -> tuple[bool, ResponseError | None, list[Part]]:
    """Whether there is no answer, why, and the parts of the message that are not the text of the error.

    A task that failed because of a policy, without another reason, is no error.
    """
    state, parts = result.state, result.message_parts
    if state is not None and state not in FAILURES:
        return False, None, parts
    stated = None if result.head is None else hints_of(result.head.metadata).get("error")
    if stated.__class__ is not dict:
        if state is None or result.policy:
            return False, None, parts
        usual_code, usual_message = FAILURES[state]
        return True, ResponseError(code=usual_code, message=_text_of(parts) or usual_message, retriable=False), parts
    code, message, is_text = stated.get("code"), stated.get("message"), stated.get("in_text") is True
    error = None
    if code.__class__ is str:
        message = message if message.__class__ is str else text_of(parts) if is_text else _text_of(parts)
        if not message and result.policy:
            message = result.policy[0].policy.message
        error = ResponseError(code=code, message=message, retriable=stated.get("retriable") is True)
    return True, error, [] if is_text else parts


def _text_of(parts: Iterable[Part]) -> str:
    return "\n\n".join(part_text(part) for part in parts if isinstance(part, TextPart))


def each_call_once(parts: Iterable[Part]) -> list[Part]:
    """The parts, each tool call once, at its first place and after its last event."""
    once: list[Part] = []
    calls: dict[str, tuple[int, ToolCallPart]] = {}
    for part in parts:
        if isinstance(part, ToolCallPart):
            if part.id in calls:
                place, known = calls[part.id]
                once[place] = call = with_event(known, as_event(part))
                calls[part.id] = place, call
                continue
            calls[part.id] = len(once), part
        once.append(part)
    return once
