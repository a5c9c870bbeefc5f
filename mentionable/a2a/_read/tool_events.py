"""Tool calls in data parts: the tool-events extension, its AI SDK aliases, and what ADK and LangGraph send instead.

A data part that reports a tool call becomes a `tool_call` part. Events with the same id are one call, which stands
where its first event stood.

Spec: A2A tool events v0.1; decisions B9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, cast

from ..._model.base import UNSET, trusted
from ..._model.parts import CallError, Part, ToolCallPart
from ..._wire.strict_json import MAX_SAFE_INTEGER, dump_line, whole_number
from ..._wire.time import utc_text
from .metadata import hints_of
from .parse_context import EMPTY

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


def add_tool_events(data: dict[str, Any], metadata: Any, parts: list[Part], places: dict[str, int]) -> bool:
    """Adds the tool calls that a data part reports to `parts`; False when it reports none.

    Args:
        data: The data.
        metadata: The metadata of the part.
        parts: The parts so far.
        places: Where in `parts` each call stands, so that a later event finds its call.
    """
    call_id = data.get("toolCallId")
    if call_id is not None:
        return _add_ai_sdk_event(call_id, data, metadata, parts, places)
    if metadata.__class__ is dict:
        adk_type = metadata.get("adk_type") or metadata.get("a2a/type")
        if adk_type in ("function_call", "function_response"):
            return _add_adk_event(data, adk_type == "function_call", parts, places)
    results = data.get("tool_results")
    return results is not None and _add_langgraph_events(results, parts, places)


def _record(
    parts: list[Part],
    places: dict[str, int],
    call_id: str,
    name: Any,
    args: Any,
    result: Any = UNSET,
    error: CallError | None = None,
    times: tuple[int | float | None, str | None] = (None, None),
) -> None:
    """Adds a call to `parts`, or brings the call that is there up to date.

    What an event does not say is None, or `UNSET` where null means something; a name that is no text says nothing.
    """
    duration_ms, started_at = times
    known_name = name if name.__class__ is str else None
    place = places.get(call_id)
    if place is None:
        places[call_id] = len(parts)
        parts.append(
            _call(
                call_id,
                known_name or "unknown",
                {} if args is UNSET else args,
                result,
                error,
                duration_ms,
                started_at,
            )
        )
        return
    known = cast("ToolCallPart", parts[place])
    # A call that has ended never runs again; of two endings the last one counts.
    ends = error is not None or result is not UNSET
    parts[place] = _call(
        call_id,
        known_name or known.name,
        known.args if args is UNSET else args,
        result if ends else known.result,
        error if ends else known.error,
        known.duration_ms if duration_ms is None else duration_ms,
        known.started_at if started_at is None else started_at,
    )


def _add_ai_sdk_event(
    call_id: Any, data: dict[str, Any], metadata: Any, parts: list[Part], places: dict[str, int]
) -> bool:
    """Adds an event with AI SDK names, with or without its `type`; types of other events show nothing."""
    if call_id.__class__ is not str or not call_id:
        return False
    kind = data.get("type")
    if kind is None:
        if _CONTENT.isdisjoint(data):
            return False
    elif kind.__class__ is not str or not kind.startswith("tool-"):
        return False
    elif kind not in _LIFECYCLE:
        return True
    args = data["input"] if "input" in data else data.get("args", UNSET)
    result, error = _ending(data, kind)
    _record(parts, places, call_id, data.get("toolName"), args, result, error, _times(data, metadata))
    return True


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
    return _milliseconds(duration), utc_text(started)


def _milliseconds(duration: Any) -> int | float | None:
    """A length of time, ignored when it is no number or beyond what every reader keeps exactly."""
    whole = whole_number(duration)
    if whole is None and duration.__class__ is float and 0 <= duration <= MAX_SAFE_INTEGER:
        return duration
    return whole


def _add_adk_event(data: dict[str, Any], is_call: bool, parts: list[Part], places: dict[str, int]) -> bool:
    """Adds one half of the pair that ADK sends: a function call, or the response to it."""
    call_id = data.get("id")
    if call_id.__class__ is not str or not call_id:
        return False
    if is_call:
        _record(parts, places, str(call_id), data.get("name"), data.get("args", UNSET))
    else:
        _record(parts, places, str(call_id), data.get("name"), UNSET, data.get("response"))
    return True


def _add_langgraph_events(results: Any, parts: list[Part], places: dict[str, int]) -> bool:
    """Adds the results that LangGraph sends in one part, without their calls; False when the list is something else."""
    if results.__class__ is not list or not results or not _have_call_ids(results):
        return False
    for result in results:
        call_id, name, content = result["toolCallId"], result.get("name"), result.get("content")
        if result.get("status") == "error":
            _record(parts, places, call_id, name, UNSET, UNSET, _error(_message_of(content)))
        else:
            _record(parts, places, call_id, name, UNSET, content)
    return True


def _have_call_ids(results: Iterable[Any]) -> bool:
    """Whether each result names its call."""
    ids = [result.get("toolCallId") if result.__class__ is dict else None for result in results]
    return all(call_id.__class__ is str and call_id for call_id in ids)
