"""Threads with several agents: what the others said, in the voice of others.

To a model every `assistant` turn is its own. So what another agent wrote becomes a turn of that agent's, and what its
tools did, which only its own model can use, is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ._compose import name_of
from ._content import CONTENTS

OWN_VOICES: Final = ("assistant", "model")

_CALLS: Final = {"tool_use": "id", "tool-call": "toolCallId", "function_call": "call_id", "function": "id"}
"""Kind of a block or item that calls a tool → where the id of the call stands."""

_RESULTS: Final = {"tool_result": "tool_use_id", "tool-result": "toolCallId", "function_call_output": "call_id"}
_GEMINI_CALLS: Final = ("function_call", "functionCall")
_GEMINI_RESULTS: Final = ("function_response", "functionResponse")
_UNSAID: Final = ("thinking", "redacted_thinking", "reasoning")


class Others:
    """The turns of a conversation as one agent should hear them.

    Args:
        agent: Its id.
    """

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._theirs: set[str] = set()

    def heard(self, row: Mapping[str, Any], metadata: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """The row itself, a turn of another agent in its place, or None when the agent should not hear it."""
        is_own_kind = row.get("role") in OWN_VOICES or "role" not in row
        if is_own_kind and metadata is not None and self._is_theirs(metadata):
            return self._said_by_another(row, is_hidden=metadata.get("hidden") is True)
        if not self._theirs:
            return row
        if is_own_kind:
            self._reclaim(row)
        return self._without_their_results(row)

    def _is_theirs(self, metadata: Mapping[str, Any]) -> bool:
        writer = metadata.get("sender_id")
        return isinstance(writer, str) and writer not in ("", self._agent)

    def _said_by_another(self, row: Mapping[str, Any], *, is_hidden: bool) -> Mapping[str, Any] | None:
        """A turn of another agent: its words alone; None when it said nothing that is to be heard."""
        calls = row.get("tool_calls")
        for call in calls if isinstance(calls, (list, tuple)) else (row,):
            self._remember(call)
        said = {name: member for name, member in row.items() if name not in ("role", "tool_calls", *CONTENTS)}
        words = {name: self._words(row[name]) for name in CONTENTS if row.get(name)}
        return {"role": "user", **said, **words} if any(words.values()) and not is_hidden else None

    def _words(self, content: Any) -> Any:
        """Content without calls, results and thoughts."""
        if isinstance(content, str):
            return content
        kept = []
        for block in content:
            if not self._remember(block) and not _is_unsaid(block):
                kept.append(block)
        return kept

    def _remember(self, block: Any) -> bool:
        """Whether a block calls a tool; the call is remembered then."""
        called = _id_in(block, _CALLS, _GEMINI_CALLS)
        if called is not None:
            self._theirs.add(called)
        return called is not None

    def _reclaim(self, row: Mapping[str, Any]) -> None:
        """The agent itself calls a tool: results by that id or name are its own from now on."""
        for name in ("tool_calls", *CONTENTS):
            found = row.get(name)
            for call in found if isinstance(found, (list, tuple)) else (row,):
                self._theirs.discard(_id_in(call, _CALLS, _GEMINI_CALLS) or "")

    def _without_their_results(self, row: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """A row without what the tools of others returned; None when it is nothing else."""
        called = row.get("tool_call_id")
        if (isinstance(called, str) and called in self._theirs) or self._is_their_result(row):
            return None
        for name in CONTENTS:
            content = row.get(name)
            if isinstance(content, (list, tuple)):
                kept = [block for block in content if not self._is_their_result(block)]
                if content and not kept:
                    return None
                row = {**row, name: kept}
        return row

    def _is_their_result(self, block: Any) -> bool:
        return _id_in(block, _RESULTS, _GEMINI_RESULTS) in self._theirs


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
    """Whether a block is nothing that was said: a thought, or what a tool returned."""
    if not isinstance(block, Mapping):
        return False
    return (
        block.get("type") in _UNSAID
        or bool(block.get("thought"))
        or _id_in(block, _RESULTS, _GEMINI_RESULTS) is not None
    )


def voice_of(metadata: Mapping[str, Any]) -> str:
    """What to call another agent: by its name, or by its id when it has none."""
    name = metadata.get("sender_display_name")
    return name if isinstance(name, str) and name_of(name) else str(metadata["sender_id"])
