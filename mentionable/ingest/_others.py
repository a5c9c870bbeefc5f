"""Shows one agent a thread with several agents.

To a model every `assistant` turn is its own. So the turns of other agents become user turns under their names, and
their calls and results, which only their own models can use, are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeGuard

from .._text.display_names import name_of
from ._content import CONTENTS
from ._neutral import GEMINI_CODE

_ASSISTANTS: Final = ("assistant", "model")

_CALLS: Final = {"tool_use": "id", "tool-call": "toolCallId", "function_call": "call_id"}
"""Type of a block or item that calls a tool → the member with the id of the call."""

_RESULTS: Final = {"tool_result": "tool_use_id", "tool-result": "toolCallId", "function_call_output": "call_id"}
_GEMINI_CALLS: Final = ("function_call", "functionCall")
_GEMINI_RESULTS: Final = ("function_response", "functionResponse")
_INTERNAL: Final = ("thinking", "redacted_thinking", "reasoning", "reasoning-file", "server_tool_use", "dynamic-tool")


class AgentView:
    """The turns of a conversation as one agent sees them.

    Args:
        agent: The id of the agent.
    """

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._theirs: set[str] = set()
        self._own: set[str] = set()

    def of(self, row: Mapping[str, Any], metadata: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """The row, a user turn in place of another agent's row, or None if this agent must not see it."""
        is_own_kind = row.get("role") in _ASSISTANTS or "role" not in row
        is_hidden = metadata is not None and metadata.get("hidden") is True and not self._may_see(metadata)
        if is_hidden and (not is_own_kind or _result_in(row) is not None):
            return self._own_results(row)
        if is_own_kind and metadata is not None and self._is_theirs(metadata):
            return self._as_other_speaker(row, is_hidden=metadata.get("hidden") is True)
        if is_own_kind:
            called = _called_in(row)
            self._own |= called
            self._theirs -= called
        return self._without_their_results(row) if self._theirs or self._own else row

    def _is_theirs(self, metadata: Mapping[str, Any]) -> bool:
        writer = metadata.get("sender_id")
        return isinstance(writer, str) and writer not in ("", self._agent)

    def _may_see(self, metadata: Mapping[str, Any]) -> bool:
        """Whether a hidden row is by this agent, or directed at it."""
        return self._agent in (metadata.get("sender_id"), metadata.get("recipient_id"))

    def _own_results(self, row: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Of a hidden row, the results of this agent's own calls; a provider refuses a call without its result."""
        if self._is_own(_text(row.get("tool_call_id"))) or self._is_own(_result_in(row)):
            return self._without_their_results(row)
        results = {
            name: [block for block in row[name] if self._is_own(_result_in(block))]
            for name in CONTENTS
            if _is_list(row.get(name))
        }
        members = {name: member for name, member in row.items() if name not in CONTENTS}
        return self._without_their_results({**members, **results}) if any(results.values()) else None

    def _as_other_speaker(self, row: Mapping[str, Any], *, is_hidden: bool) -> Mapping[str, Any] | None:
        """A row of another agent as a user turn with its text and files; None if it has none, or is hidden."""
        self._theirs |= _called_in(row) - self._own
        members = {name: member for name, member in row.items() if name not in ("role", "tool_calls", *CONTENTS)}
        contents = {name: _visible(row[name]) for name in CONTENTS if row.get(name)}
        return {"role": "user", **members, **contents} if any(contents.values()) and not is_hidden else None

    def _without_their_results(self, row: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """A row without the results of other agents' calls; None if it has nothing else."""
        if self._is_of_theirs(_text(row.get("tool_call_id")) or None) or self._is_their_result(row):
            return None
        for name in CONTENTS:
            content = row.get(name)
            if _is_list(content):
                remaining = [block for block in content if not self._is_their_result(block)]
                if content and not remaining:
                    return None
                row = {**row, name: remaining}
        return row

    def _is_own(self, called: str | None) -> bool:
        """Whether a result is of a call of this agent. A result without an id is of no call in particular."""
        return bool(called) and called in self._own

    def _is_their_result(self, block: Any) -> bool:
        return self._is_of_theirs(_result_in(block))

    def _is_of_theirs(self, called: str | None) -> bool:
        """Whether a result with this id is another agent's; an own call with the same id that waits comes first."""
        if called in self._own:
            self._own.discard(called)
            return False
        return called in self._theirs


def _visible(content: Any) -> Any:
    """Content without calls, results and reasoning."""
    if isinstance(content, str):
        return content
    return [block for block in content if _id_in(block, _CALLS, _GEMINI_CALLS) is None and not _is_internal(block)]


def _called_in(row: Mapping[str, Any]) -> set[str]:
    """The ids of the calls in a row."""
    calls = row.get("tool_calls")
    listed = calls if isinstance(calls, (list, tuple)) else ()
    ids = {_text(call.get("id")) for call in listed if isinstance(call, Mapping)}
    blocks = [block for name in CONTENTS if _is_list(row.get(name)) for block in row[name]]
    return ids | {called for block in (row, *blocks) if (called := _id_in(block, _CALLS, _GEMINI_CALLS)) is not None}


def _is_list(content: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(content, (list, tuple))


def _id_in(block: Any, kinds: Mapping[str, str], of_gemini: tuple[str, ...]) -> str | None:
    """The id of the call in a block, or of its result; empty if it has none; None for any other block.

    Gemini may leave ids out; then the name of the tool replaces it.
    """
    if not isinstance(block, Mapping):
        return None
    kind = block.get("type")
    if isinstance(kind, str):
        return _text(block.get(kinds[kind])) if kind in kinds else None
    inner = next((block[name] for name in of_gemini if isinstance(block.get(name), Mapping)), None)
    return None if inner is None else _text(inner.get("id")) or _text(inner.get("name"))


def _result_in(block: Any) -> str | None:
    """The id of the call whose result this is; None for anything else."""
    return _id_in(block, _RESULTS, _GEMINI_RESULTS)


def _text(member: Any) -> str:
    return member if isinstance(member, str) else ""


def _is_internal(block: Any) -> bool:
    """Whether a block is reasoning, or belongs to a tool."""
    if not isinstance(block, Mapping):
        return False
    kind = block.get("type")
    if isinstance(kind, str):
        return kind in _INTERNAL or kind.startswith("tool-") or kind.endswith(("_tool_result", "tool_result"))
    is_of_tool = _result_in(block) is not None
    return is_of_tool or block.get("thought") is True or any(name in block for name in GEMINI_CODE)


def agent_name(metadata: Mapping[str, Any]) -> str:
    """The name of another agent, or its id if it has no name."""
    name = metadata.get("sender_display_name")
    return name if isinstance(name, str) and name_of(name) else str(metadata["sender_id"])
