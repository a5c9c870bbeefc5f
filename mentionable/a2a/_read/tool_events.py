"""Tool calls in data parts: the tool-events extension, its AI SDK aliases, and what ADK and LangGraph send instead.

A data part that reports a tool call becomes a `tool_call` part. Events with the same id are one call, at the place of
its first event.

Spec: A2A tool events v0.1; decisions B9.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeVar

from ..._errors.exceptions import UsageError
from ..._model.base import UNSET, replace, unchecked
from ..._model.parts import CallError, Part, ToolCallPart
from ..._wire.strict_json import MAX_SAFE_INTEGER, dump_line, whole_number
from ..._wire.time import utc_text
from .metadata import hints_of
from .parse_context import EMPTY

P = TypeVar("P", bound=Part)

# How far a call is after an event of this type. Null members count for nothing: protobuf peers keep them.
_LIFECYCLE: Final = {
    "tool-call": "running",
    "tool-input-start": "running",
    "tool-input-available": "running",
    "tool-result": "ok",
    "tool-output-available": "ok",
    "tool-error": "failed",
    "tool-output-error": "failed",
}
_CONTENT: Final = frozenset({"toolName", "input", "args", "output", "result", "error", "errorText"})
_PROMPT_OUTPUT: Final = frozenset({"type", "value", "reason", "providerOptions"})

_new_call: Final = unchecked(ToolCallPart)
_new_error: Final = unchecked(CallError)


class ToolEvent(NamedTuple):
    """What one event reports of a tool call. None, or `UNSET` where null is a value, is what it does not report.

    Attributes:
        id: The id of the call.
        name: The name of the tool.
        args: What the tool is called with.
        result: What it returned.
        error: Why it failed.
        duration_ms: How long it took.
        started_at: When it started.
        extra: Members of the call that this version does not know.
    """

    id: str
    name: str | None
    args: Any = UNSET
    result: Any = UNSET
    error: CallError | None = None
    duration_ms: int | float | None = None
    started_at: str | None = None
    extra: Any = None


def read_tool_events(data: dict[str, Any], metadata: Any) -> Sequence[ToolEvent] | None:
    """The tool events that a data part reports; None when its data is something else.

    Args:
        data: The data.
        metadata: The metadata of the part.
    """
    call_id = data.get("toolCallId")
    if call_id is not None:
        return _ai_sdk_events(call_id, data, metadata)
    if metadata.__class__ is dict:
        adk_type = metadata.get("adk_type") or metadata.get("a2a/type")
        if adk_type in ("function_call", "function_response"):
            return _adk_events(data, is_call=adk_type == "function_call")
    results = data.get("tool_results")
    return None if results is None else _langgraph_events(results)


def with_event(call: ToolCallPart | None, event: ToolEvent) -> ToolCallPart:
    """The call after an event; a new one when the event is the first of it."""
    if call is None:
        updated = _new_call(
            id=event.id,
            name=event.name or "unknown",
            args={} if event.args is UNSET else event.args,
            result=event.result,
            error=event.error,
            duration_ms=event.duration_ms,
            started_at=event.started_at,
        )
    else:
        # A call that has ended never runs again; of two endings the last one counts.
        ends = event.error is not None or event.result is not UNSET
        updated = _new_call(
            id=event.id,
            name=event.name or call.name,
            args=call.args if event.args is UNSET else event.args,
            result=event.result if ends else call.result,
            error=event.error if ends else call.error,
            duration_ms=call.duration_ms if event.duration_ms is None else event.duration_ms,
            started_at=call.started_at if event.started_at is None else event.started_at,
        )
    return updated if event.extra is None else with_extra(updated, event.extra)


def as_event(call: ToolCallPart) -> ToolEvent:
    """The event that reports all of a call; an unknown name and empty arguments are not reported."""
    return ToolEvent(
        call.id,
        None if call.name == "unknown" else call.name,
        UNSET if call.args == {} else call.args,
        call.result,
        call.error,
        call.duration_ms,
        call.started_at,
        call.extra or None,
    )


def with_extra(part: P, extra: Any) -> P:
    """The part with members that this version does not know; unchanged when `extra` holds none."""
    if extra.__class__ is not dict:
        return part
    try:
        return replace(part, extra=extra)
    except UsageError:
        return part


def _name(value: Any) -> str | None:
    """The name of a tool, where it is text."""
    return value if value.__class__ is str else None


def _ai_sdk_events(call_id: Any, data: dict[str, Any], metadata: Any) -> Sequence[ToolEvent] | None:
    """An event with AI SDK names, with or without its `type`; types of other events report nothing."""
    if call_id.__class__ is not str or not call_id:
        return None
    kind = data.get("type")
    if kind is None:
        if _CONTENT.isdisjoint(data):
            return None
    elif kind.__class__ is not str or not kind.startswith("tool-"):
        return None
    elif kind not in _LIFECYCLE:
        return ()
    args = data["input"] if "input" in data else data.get("args", UNSET)
    result, error = _ending(data, kind)
    hints = EMPTY if metadata is None else hints_of(metadata)
    duration, started = hints.get("duration_ms", data.get("durationMs")), hints.get("started_at", data.get("startedAt"))
    return (
        ToolEvent(
            call_id,
            _name(data.get("toolName")),
            args,
            result,
            error,
            None if duration is None else _milliseconds(duration),
            None if started is None else utc_text(started),
            hints.get("extra"),
        ),
    )


def _ending(data: dict[str, Any], kind: str | None) -> tuple[Any, CallError | None]:
    """What the call returned, or why it failed; neither while it runs."""
    state = None if kind is None else _LIFECYCLE[kind]
    if state == "running":
        return UNSET, None
    error = data.get("error")
    if error is None:
        error = data.get("errorText")
    if error is not None or state == "failed":
        return UNSET, _new_error(message=_message_of(error))
    output = data.get("output")
    if output is None:
        output = data.get("result")
    if output is None and state is None:  # without a type, null is no result
        return UNSET, None
    if output.__class__ is dict and "input" not in data and "args" not in data:
        return _prompt_ending(output)
    return output, None


def _prompt_ending(output: dict[str, Any]) -> tuple[Any, CallError | None]:
    """The result or error in the tagged form of AI SDK prompts, which only events without an input have."""
    kind, value = output.get("type"), output.get("value")
    if kind.__class__ is not str or not _PROMPT_OUTPUT.issuperset(output):
        return output, None
    if kind == "execution-denied":
        reason = output.get("reason")
        return UNSET, _new_error(message=reason if reason.__class__ is str else "execution denied")
    if "value" not in output:
        return output, None
    if kind in ("text", "json", "content"):
        return value, None
    if kind in ("error-text", "error-json"):
        return UNSET, _new_error(message=_message_of(value))
    return output, None


def _message_of(error: Any) -> str:
    """An error in words, whatever form it has."""
    if error.__class__ is dict and error.get("message").__class__ is str:
        return str(error["message"])
    if error.__class__ is str:
        return str(error)
    return "the tool failed" if error is None else dump_line(error)


def _milliseconds(duration: Any) -> int | float | None:
    """A length of time, ignored when it is no number or beyond what every reader keeps exactly."""
    whole = whole_number(duration)
    if whole is None and duration.__class__ is float and 0 <= duration <= MAX_SAFE_INTEGER:
        return duration
    return whole


def _adk_events(data: dict[str, Any], *, is_call: bool) -> Sequence[ToolEvent] | None:
    """One half of the pair that ADK sends: a function call, or the response to it."""
    call_id = data.get("id")
    if call_id.__class__ is not str or not call_id:
        return None
    name = _name(data.get("name"))
    if is_call:
        return (ToolEvent(call_id, name, args=data.get("args", UNSET)),)
    return (ToolEvent(call_id, name, result=data.get("response")),)


def _langgraph_events(results: Any) -> Sequence[ToolEvent] | None:
    """The results that LangGraph sends in one part, without their calls; None when the list is something else."""
    if results.__class__ is not list or not results:
        return None
    ids = [result.get("toolCallId") if result.__class__ is dict else None for result in results]
    if not all(call_id.__class__ is str and call_id for call_id in ids):
        return None
    events = []
    for result in results:
        call_id, name, content = result["toolCallId"], _name(result.get("name")), result.get("content")
        if result.get("status") == "error":
            events.append(ToolEvent(call_id, name, error=_new_error(message=_message_of(content))))
        else:
            events.append(ToolEvent(call_id, name, result=content))
    return events
