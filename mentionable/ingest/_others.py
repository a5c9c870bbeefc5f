"""Threads with several agents: what the others said, in the voice of others.

To a model every `assistant` turn is its own. So what another agent wrote becomes a turn of that agent's, and what its
tools did, which only its own model can use, is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeGuard

from ._content import CONTENTS
from ._headers import name_of

OWN_VOICES: Final = ("assistant", "model")

_CALLS: Final = {"tool_use": "id", "tool-call": "toolCallId", "function_call": "call_id"}
"""Kind of a block or item that calls a tool → where the id of the call stands."""

_RESULTS: Final = {"tool_result": "tool_use_id", "tool-result": "toolCallId", "function_call_output": "call_id"}
_GEMINI_CALLS: Final = ("function_call", "functionCall")
_GEMINI_RESULTS: Final = ("function_response", "functionResponse")
_UNSAID: Final = ("thinking", "redacted_thinking", "reasoning", "reasoning-file", "server_tool_use", "dynamic-tool")
_UNSAID_IN_GEMINI: Final = ("executable_code", "executableCode", "code_execution_result", "codeExecutionResult")


class Others:
    """The turns of a conversation as one agent should hear them.

    Args:
        agent: Its id.
    """

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._theirs: set[str] = set()
        self._own: set[str] = set()

    def heard(self, row: Mapping[str, Any], metadata: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """The row itself, a turn of another agent in its place, or None when the agent should not hear it."""
        is_own_kind = row.get("role") in OWN_VOICES or "role" not in row
        if is_own_kind and metadata is not None and self._is_theirs(metadata):
            return self._said_by_another(row, is_hidden=metadata.get("hidden") is True)
        if is_own_kind:
            called = _called_in(row)
            self._own |= called
            self._theirs -= called
        return self._without_their_results(row) if self._theirs or self._own else row

    def _is_theirs(self, metadata: Mapping[str, Any]) -> bool:
        writer = metadata.get("sender_id")
        return isinstance(writer, str) and writer not in ("", self._agent)

    def _said_by_another(self, row: Mapping[str, Any], *, is_hidden: bool) -> Mapping[str, Any] | None:
        """A turn of another agent: its words alone; None when it said nothing that is to be heard."""
        self._theirs |= _called_in(row) - self._own
        said = {name: member for name, member in row.items() if name not in ("role", "tool_calls", *CONTENTS)}
        words = {name: _words(row[name]) for name in CONTENTS if row.get(name)}
        return {"role": "user", **said, **words} if any(words.values()) and not is_hidden else None

    def _without_their_results(self, row: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """A row without what the tools of others returned; None when it is nothing else."""
        if self._is_of_theirs(_text(row.get("tool_call_id")) or None) or self._is_their_result(row):
            return None
        for name in CONTENTS:
            content = row.get(name)
            if _is_list(content):
                kept = [block for block in content if not self._is_their_result(block)]
                if content and not kept:
                    return None
                row = {**row, name: kept}
        return row

    def _is_their_result(self, block: Any) -> bool:
        return self._is_of_theirs(_id_in(block, _RESULTS, _GEMINI_RESULTS))

    def _is_of_theirs(self, called: str | None) -> bool:
        """Whether a result with this id is another agent's: a call of one's own that waits for it comes first."""
        if called in self._own:
            self._own.discard(called)
            return False
        return called in self._theirs


def _words(content: Any) -> Any:
    """Content without calls, results and thoughts."""
    if isinstance(content, str):
        return content
    return [block for block in content if _id_in(block, _CALLS, _GEMINI_CALLS) is None and not _is_unsaid(block)]


def _called_in(row: Mapping[str, Any]) -> set[str]:
    """The ids of the calls in a row."""
    calls = row.get("tool_calls")
    listed = calls if isinstance(calls, (list, tuple)) else ()
    found = {_text(call.get("id")) for call in listed if isinstance(call, Mapping)}
    blocks = [block for name in CONTENTS if _is_list(row.get(name)) for block in row[name]]
    return found | {called for block in (row, *blocks) if (called := _id_in(block, _CALLS, _GEMINI_CALLS)) is not None}


def _is_list(found: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(found, (list, tuple))


def _id_in(block: Any, kinds: Mapping[str, str], of_gemini: tuple[str, ...]) -> str | None:
    """The id of the call that a block is or answers; empty when it has none; None when it is no such block.

    Gemini may leave ids out; then the name of the tool stands for it.
    """
    if not isinstance(block, Mapping):
        return None
    kind = block.get("type")
    if isinstance(kind, str):
        return _text(block.get(kinds[kind])) if kind in kinds else None
    inner = next((block[name] for name in of_gemini if isinstance(block.get(name), Mapping)), None)
    return None if inner is None else _text(inner.get("id")) or _text(inner.get("name"))


def _text(found: Any) -> str:
    return found if isinstance(found, str) else ""


def _is_unsaid(block: Any) -> bool:
    """Whether a block is nothing that was said: a thought, or what a tool was given or gave."""
    if not isinstance(block, Mapping):
        return False
    kind = block.get("type")
    if isinstance(kind, str):
        return kind in _UNSAID or kind.startswith("tool-") or kind.endswith(("_tool_result", "tool_result"))
    is_of_tool = _id_in(block, _RESULTS, _GEMINI_RESULTS) is not None
    return is_of_tool or bool(block.get("thought")) or any(name in block for name in _UNSAID_IN_GEMINI)


def voice_of(metadata: Mapping[str, Any]) -> str:
    """What to call another agent: by its name, or by its id when it has none."""
    name = metadata.get("sender_display_name")
    return name if isinstance(name, str) and name_of(name) else str(metadata["sender_id"])
