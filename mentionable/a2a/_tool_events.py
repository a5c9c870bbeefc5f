"""Tool calls in data parts: the tool-events extension, its AI SDK aliases, and what ADK and LangGraph send instead.

A data part that reports a tool call becomes a `tool_call` part. Events with the same id are one call, which stands
where its first event stood.

Spec: A2A tool events v0.1; decisions B9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from .._json import dump_line
from .._model.parts import CallError, Part, ToolCallPart
from .._time import is_time
from .._value import UNSET, trusted
from ._reading import EMPTY, hints_of

if TYPE_CHECKING:
    from collections.abc import Callable

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

_call: Final[Callable[..., ToolCallPart]] = trusted(
    ToolCallPart, "id", "name", "args", "result", "error", "duration_ms", "started_at"
)
_error: Final[Callable[..., CallError]] = trusted(CallError, "message")


class ToolEvent(NamedTuple):
    """One report about a tool call.

    Attributes:
        id: Which call.
        name: The tool, where the event names it.
        args: Its arguments, or `UNSET`.
        result: What it returned, or `UNSET`.
        error: Why it failed, if it did.
        duration_ms: How long it took, where known.
        started_at: When it started, where known.
    """

    id: str
    name: str | None
    args: Any
    result: Any = UNSET
    error: CallError | None = None
    duration_ms: int | float | None = None
    started_at: str | None = None


def tool_events(data: dict[str, Any], metadata: Any) -> tuple[ToolEvent, ...] | None:
    """The tool events that a data part reports; empty for events that show nothing; None when it reports none."""
    call_id = data.get("toolCallId")
    if call_id is not None:
        return _ai_sdk_event(call_id, data, metadata)
    if metadata.__class__ is dict:
        adk_type = metadata.get("adk_type") or metadata.get("a2a/type")
        if adk_type in ("function_call", "function_response"):
            return _adk_event(data, is_call=adk_type == "function_call")
    results = data.get("tool_results")
    return None if results is None else _langgraph_events(results)


def record(event: ToolEvent, parts: list[Part], places: dict[str, int]) -> None:
    """Adds the call to `parts`, or brings the call that is there up to date.

    Args:
        event: What is reported.
        parts: The parts so far.
        places: Where in `parts` each call stands.
    """
    place = places.get(event.id)
    if place is None:
        places[event.id] = len(parts)
        parts.append(
            _call(
                event.id,
                event.name or "unknown",
                {} if event.args is UNSET else event.args,
                event.result,
                event.error,
                event.duration_ms,
                event.started_at,
            )
        )
        return
    known = cast("ToolCallPart", parts[place])
    # A call that has ended never runs again; of two endings the last one counts.
    ends = event.error is not None or event.result is not UNSET
    parts[place] = _call(
        known.id,
        event.name or known.name,
        known.args if event.args is UNSET else event.args,
        event.result if ends else known.result,
        event.error if ends else known.error,
        known.duration_ms if event.duration_ms is None else event.duration_ms,
        known.started_at if event.started_at is None else event.started_at,
    )


def _ai_sdk_event(call_id: Any, data: dict[str, Any], metadata: Any) -> tuple[ToolEvent, ...] | None:
    """An event with AI SDK names, with or without its `type`."""
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
    name = data.get("toolName")
    result, error = _ending(data, kind)
    return (
        ToolEvent(
            call_id,
            name if name.__class__ is str else None,
            data["input"] if "input" in data else data.get("args", UNSET),
            result,
            error,
            *_times(data, metadata),
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
        return UNSET, _error(_message_of(error))
    output = data.get("output")
    if output is None:
        output = data.get("result")
    if output is None and state is None:  # without a type, null is no result
        return UNSET, None
    if output.__class__ is dict and "input" not in data and "args" not in data:
        return _prompt_ending(output)
    return output, None


def _prompt_ending(output: dict[str, Any]) -> tuple[Any, CallError | None]:
    """The ending in the tagged form of AI SDK prompts, which stands only in events without an input."""
    kind, value = output.get("type"), output.get("value")
    if kind.__class__ is not str or not _PROMPT_OUTPUT.issuperset(output):
        return output, None
    if kind == "execution-denied":
        reason = output.get("reason")
        return UNSET, _error(reason if reason.__class__ is str else "execution denied")
    if "value" not in output:
        return output, None
    if kind in ("text", "json", "content"):
        return value, None
    if kind in ("error-text", "error-json"):
        return UNSET, _error(_message_of(value))
    return output, None


def _message_of(error: Any) -> str:
    """An error in words, whatever form it has."""
    if error.__class__ is dict and error.get("message").__class__ is str:
        return str(error["message"])
    if error.__class__ is str:
        return str(error)
    return "the tool failed" if error is None else dump_line(error)


def _times(data: dict[str, Any], metadata: Any) -> tuple[int | float | None, str | None]:
    """How long the call took and when it started, where the sender says so in a usable form."""
    hints = EMPTY if metadata is None else hints_of(metadata)
    duration = hints.get("duration_ms", data.get("durationMs"))
    started = hints.get("started_at", data.get("startedAt"))
    if duration is None and started is None:
        return None, None
    if duration.__class__ is float and duration.is_integer():
        duration = int(duration)
    if duration.__class__ not in (int, float) or duration < 0:
        duration = None
    return duration, started if started.__class__ is str and started and is_time(started) else None


def _adk_event(data: dict[str, Any], *, is_call: bool) -> tuple[ToolEvent, ...] | None:
    """One half of the pair that ADK sends: a function call, or the response to it."""
    call_id, name = data.get("id"), data.get("name")
    if call_id.__class__ is not str or not call_id:
        return None
    known_name = name if name.__class__ is str else None
    if is_call:
        return (ToolEvent(str(call_id), known_name, data.get("args", UNSET)),)
    return (ToolEvent(str(call_id), known_name, UNSET, data.get("response")),)


def _langgraph_events(results: Any) -> tuple[ToolEvent, ...] | None:
    """The results that LangGraph sends in one part, without their calls; None when the list is something else."""
    if results.__class__ is not list or not results:
        return None
    events = []
    for result in results:
        call_id = result.get("toolCallId") if result.__class__ is dict else None
        if call_id.__class__ is not str or not call_id:
            return None
        name, content = result.get("name"), result.get("content")
        known_name = name if name.__class__ is str else None
        if result.get("status") == "error":
            events.append(ToolEvent(str(call_id), known_name, UNSET, UNSET, _error(_message_of(content))))
        else:
            events.append(ToolEvent(str(call_id), known_name, UNSET, content))
    return tuple(events)
