"""Calls of tools as parts of an answer: first each runs, then it has a result or an error."""

from __future__ import annotations

import json
from typing import Any, Final

from mentionable import CallError, ToolCallPart, UsageError

__all__ = ["Calls"]

LONGEST: Final = 4_000
"""So many characters of what a tool gave go into the trace, where that is no JSON."""


class Calls:
    """The calls of one answer."""

    def __init__(self) -> None:
        """There are none."""
        self._running: dict[str, ToolCallPart] = {}

    def begin(self, id: str, name: str, args: Any) -> ToolCallPart:
        """A call that has begun.

        Args:
            id: The framework's id of it.
            name: The tool.
            args: Its arguments, as values or as JSON.
        """
        call = ToolCallPart(id=id or f"call-{len(self._running)}", name=name or "tool", args=_read(args))
        self._running[call.id] = call
        return call

    def end(self, id: str, result: Any, *, error: str | None = None) -> ToolCallPart | None:
        """The call with what came of it; None: none of this id has begun, or it ended before."""
        call = self._running.pop(id, None)
        if call is None:
            return None
        if error is not None:
            failed = CallError(message=error[:LONGEST] or "it failed")
            return ToolCallPart(id=call.id, name=call.name, args=call.args, error=failed)
        try:
            return ToolCallPart(id=call.id, name=call.name, args=call.args, result=_json(result))
        except UsageError:  # a number or a text that no JSON has
            return ToolCallPart(id=call.id, name=call.name, args=call.args, result=ascii(result)[:LONGEST])


def _read(args: Any) -> Any:
    """Arguments; models write JSON that is not always any."""
    if isinstance(args, str):
        try:
            return json.loads(args or "{}")
        except ValueError:
            return {"text": args}
    return _json(args)


def _json(value: Any) -> Any:
    """A value as JSON; what is none is its text."""
    try:
        return json.loads(json.dumps(value, default=_member, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return ascii(value)[:LONGEST]


def _member(value: Any) -> Any:
    """A value that JSON does not have."""
    dump = getattr(value, "model_dump", None)
    return dump(mode="json") if callable(dump) else str(value)[:LONGEST]
