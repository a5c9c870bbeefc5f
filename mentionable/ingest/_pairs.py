"""Moves each result of a tool to its call: providers take it right after the turn that called, and nowhere else.

Calls and results get the ids and the names of tools that the provider takes.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from operator import is_
from typing import Any, Final, NamedTuple

from .._model.base import replace
from .._model.diagnostic import Diagnostic
from ._names import tool_name, written_name
from ._neutral import Block, Call, Dialect, Result
from ._rules import RULES, fits
from ._turns import Turn, stays

UNANSWERED: Final = "[The tool has not answered.]"
"""The result of a call that has none."""


class Paired(NamedTuple):
    """A conversation whose calls all have results.

    Attributes:
        turns: Its turns.
        names: The name of each tool as it is written → its own.
        diagnostics: What was left out, and which call had no result.
    """

    turns: list[Turn]
    names: dict[str, str]
    diagnostics: list[Diagnostic]


def pair_results(turns: list[Turn], dialect: Dialect, tools: Iterable[str] = ()) -> Paired:
    """Move each result into a turn of its own after its call; leave out a result without a call.

    Args:
        turns: As they were read.
        dialect: In which they will be written.
        tools: The names of all tools. A call that a program stored under the written name of a tool keeps that name.
    """
    pairing = _Pairing(turns, dialect, {tool_name(name, dialect=dialect): name for name in tools})
    paired = pairing.pair(turns)
    return Paired(paired, pairing.names, pairing.diagnostics)


class _PendingCall:
    """A call, the turn that made it, and whether it has a result."""

    __slots__ = ("call", "has_result", "turn")

    def __init__(self, call: Call, turn: int) -> None:
        self.call, self.turn, self.has_result = call, turn, False


class _Pairing:
    """One pass over the turns of a conversation."""

    def __init__(self, turns: list[Turn], dialect: Dialect, names: dict[str, str]) -> None:
        self._dialect = dialect
        self._rules = RULES[dialect]
        self.names = names
        self._tools = frozenset(names.values())
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
        for one in self._calls:
            if not (one.has_result or self._waits(one, turns)):
                self._answer(one)
        paired: list[Turn] = []
        for index, turn in enumerate(without_results):
            if turn is not None:
                paired.append(turn)
            if results := self._results.get(index):
                row = self._rows[index]
                paired.append(Turn(role="tool", at=results[0].at, blocks=tuple(results), row=row))
        return paired

    def _waits(self, pending: _PendingCall, turns: list[Turn]) -> bool:
        """Whether a call may stay without a result. Vercel alone knows of calls that wait."""
        is_waiting = _runs_at_provider(pending.call) or _asks_for_approval(turns[pending.turn])
        return self._dialect == "vercel" and is_waiting

    def _answer(self, pending: _PendingCall) -> None:
        """Give a call a result that says that there is none: providers reject a call without a result."""
        call = pending.call
        detail = "it has no result yet: a line says so"
        self.diagnostics.append(Diagnostic(code="call-unanswered", at=call.at, detail=detail))
        result = Result(at=call.at, source={}, id=call.id, name=call.name, output=UNANSWERED, is_error=True)
        self._results[pending.turn].append(result)
        self._rows.setdefault(pending.turn, {})

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
        if len(rest) == len(turn.blocks) and all(map(is_, rest, turn.blocks)):
            return turn
        return replace(turn, blocks=tuple(rest)) if rest else None

    def _call(self, call: Call, index: int) -> Call:
        id = call.id
        if id or self._rules.needs_ids:  # where none is needed, calls and results also belong together by their order
            if id in self._used or not fits(id, self._rules.ids):
                id = self._new_id()
            self._used.add(id)
        name = call.name
        if name in self._tools or name not in self.names:
            name = written_name(name, self._rules.names)
            self.names[name] = call.name
        is_same = id == call.id and name == call.name
        pending = _PendingCall(call if is_same else replace(call, id=id, name=name), index)
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
    id, name = pending.call.id, pending.call.name
    return result if (id, name) == (result.id, result.name) else replace(result, id=id, name=name)


def _asks_for_approval(turn: Turn) -> bool:
    """Whether a person must allow the calls of a turn before they run (Vercel)."""
    return any(block.type == "tool-approval-request" for block in turn.blocks)


def _runs_at_provider(block: Block) -> bool:
    """Whether the provider itself runs the tool, and returns its result later."""
    return block.source.get("providerExecuted") is True


def _waiting(queue: deque[_PendingCall]) -> deque[_PendingCall]:
    """Remove the calls that have results from the beginning of a queue."""
    while queue and queue[0].has_result:
        queue.popleft()
    return queue
