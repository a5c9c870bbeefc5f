"""Moves each result of a tool to its call: providers take it right after the turn that called, and nowhere else."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Mapping
from typing import Any, Final

from .._model.base import replace
from .._model.diagnostic import Diagnostic
from ._neutral import Block, Call, Dialect, Result
from ._turns import Turn, stays

_ANTHROPIC_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,256}").fullmatch


def pair_results(turns: list[Turn], dialect: Dialect) -> tuple[list[Turn], list[Diagnostic]]:
    """Move each result into a turn of its own after its call; leave out a result without a call."""
    pairing = _Pairing(turns, dialect)
    return pairing.pair(turns), pairing.diagnostics


class _PendingCall:
    """A call, the turn that made it, and whether it has a result."""

    __slots__ = ("call", "has_result", "turn")

    def __init__(self, call: Call, turn: int) -> None:
        self.call, self.turn, self.has_result = call, turn, False


class _Pairing:
    """One pass over the turns of a conversation."""

    def __init__(self, turns: list[Turn], dialect: Dialect) -> None:
        self._dialect = dialect
        self.diagnostics: list[Diagnostic] = []
        self._all_ids = {block.id for turn in turns for block in turn.blocks if isinstance(block, (Call, Result))}
        self._used: set[str] = set()
        self._last_number = 0
        self._calls: list[_PendingCall] = []
        self._by_id: defaultdict[str, list[deque[_PendingCall]]] = defaultdict(list)
        self._by_name: defaultdict[str, deque[_PendingCall]] = defaultdict(deque)
        self._results: defaultdict[int, list[Result]] = defaultdict(list)
        self._rows: dict[int, Mapping[str, Any]] = {}

    def pair(self, turns: list[Turn]) -> list[Turn]:
        """The turns, each followed by the results of its calls."""
        without_results = [self._take(turn, index) for index, turn in enumerate(turns)]
        open_calls = [one.call for one in self._calls if not (one.has_result or _runs_at_provider(one.call))]
        detail = "it has no result yet, and providers reject that"
        self.diagnostics += [Diagnostic(code="call-unanswered", at=call.at, detail=detail) for call in open_calls]
        paired: list[Turn] = []
        for index, turn in enumerate(without_results):
            if turn is not None:
                paired.append(turn)
            if results := self._results.get(index):
                row = self._rows[index]
                paired.append(Turn(role="tool", at=results[0].at, blocks=tuple(results), row=row))
        return paired

    def _take(self, turn: Turn, index: int) -> Turn | None:
        """A turn without its results; None if it held nothing else."""
        if not any(isinstance(block, (Call, Result)) for block in turn.blocks):
            return turn
        rest: list[Block] = []
        for block in turn.blocks:
            if isinstance(block, Call) and turn.role == "assistant":
                rest.append(self._call(block, index))
            elif not isinstance(block, Result):
                rest.append(block)
            elif (call := self._call_of(block)) is None:
                detail = "no call before it waits for this result"
                self.diagnostics.append(Diagnostic(code="turn-dropped", at=block.at, detail=detail))
            elif call.turn == index and stays(block, self._dialect):
                rest.append(_matched(block, call))
            else:
                self._results[call.turn].append(_matched(block, call))
                self._rows.setdefault(call.turn, turn.row if turn.role == "tool" else {})
        return replace(turn, blocks=tuple(rest)) if rest else None

    def _call(self, call: Call, index: int) -> Call:
        id = call.id
        if self._dialect == "anthropic":
            is_free = bool(_ANTHROPIC_ID(id)) and id not in self._used
        else:
            is_free = bool(id) or self._dialect == "gemini"  # Gemini also matches calls and results by their order
        if not is_free:
            id = self._new_id()
        self._used.add(id)
        pending = _PendingCall(call if id == call.id else replace(call, id=id), index)
        self._calls.append(pending)
        if call.id:
            turns = self._by_id[call.id]
            if turns and turns[-1][0].turn == index:
                turns[-1].append(pending)
            else:
                turns.append(deque([pending]))
        self._by_name[call.name].append(pending)
        return pending.call

    def _new_id(self) -> str:
        while True:
            self._last_number += 1
            if (id := f"call_{self._last_number}") not in self._all_ids:
                return id

    def _call_of(self, result: Result) -> _PendingCall | None:
        """The call of a result; one without an id belongs to the first waiting call of its tool.

        Some programs use an id again and again: then the last turn that has it counts.
        """
        if result.id:
            turns = self._by_id[result.id]
            while turns and not _waiting(turns[-1]):
                turns.pop()
            queue = turns[-1] if turns else None
        else:
            queue = _waiting(self._by_name[result.name])
        if not queue:
            return None
        queue[0].has_result = True
        return queue[0]


def _matched(result: Result, pending: _PendingCall) -> Result:
    return replace(result, id=pending.call.id, name=pending.call.name)


def _runs_at_provider(block: Block) -> bool:
    """Whether the provider itself runs the tool, and returns its result later."""
    return block.source.get("providerExecuted") is True


def _waiting(queue: deque[_PendingCall]) -> deque[_PendingCall]:
    """Remove the calls that have results from the beginning of a queue."""
    while queue and queue[0].has_result:
        queue.popleft()
    return queue
