"""Results of tools, each brought to its call: providers take one right after the turn that called, and nowhere else."""

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


class _Asked:
    """A call that was made, and the turn that made it."""

    __slots__ = ("answered", "call", "id", "name", "turn")

    def __init__(self, call: Call, turn: int) -> None:
        self.call, self.id, self.name, self.turn, self.answered = call, call.id, call.name, turn, False


class Pairing:
    """One pass over the turns of a conversation."""

    def __init__(self, turns: list[Turn], dialect: Dialect, notes: list[Diagnostic]) -> None:
        self._dialect, self._notes = dialect, notes
        self._given = {block.id for turn in turns for block in turn.blocks if isinstance(block, (Call, Result))}
        self._used: set[str] = set()
        self._made = 0
        self._asked: list[_Asked] = []
        self._by_id: defaultdict[str, list[deque[_Asked]]] = defaultdict(list)
        self._by_name: defaultdict[str, deque[_Asked]] = defaultdict(deque)
        self._results: defaultdict[int, list[Result]] = defaultdict(list)
        self._rows: dict[int, Mapping[str, Any]] = {}

    def pair(self, turns: list[Turn]) -> list[Turn]:
        """The turns with each result in a turn of its own after its call; a result without a call is left out."""
        kept = [self._take(turn, index) for index, turn in enumerate(turns)]
        open_calls = [asked.call for asked in self._asked if not (asked.answered or _is_run_there(asked.call))]
        detail = "nobody answered it yet, and providers refuse that"
        self._notes += [Diagnostic(code="call-unanswered", at=call.at, detail=detail) for call in open_calls]
        paired: list[Turn] = []
        for index, turn in enumerate(kept):
            if turn is not None:
                paired.append(turn)
            if results := self._results.get(index):
                row = self._rows[index]
                paired.append(Turn(role="tool", at=results[0].at, blocks=tuple(results), row=row))
        return paired

    def _take(self, turn: Turn, index: int) -> Turn | None:
        """A turn without its results; None when it was nothing else."""
        if not any(isinstance(block, (Call, Result)) for block in turn.blocks):
            return turn
        rest: list[Block] = []
        for block in turn.blocks:
            if isinstance(block, Call) and turn.role == "assistant":
                rest.append(self._call(block, index))
            elif not isinstance(block, Result):
                rest.append(block)
            elif (found := self._answer(block)) is None:
                detail = "it answers a call that is not there, or one that was answered"
                self._notes.append(Diagnostic(code="turn-dropped", at=block.at, detail=detail))
            elif found.turn == index and stays(block, self._dialect):
                rest.append(self._matched(block, found))
            else:
                self._results[found.turn].append(self._matched(block, found))
                self._rows.setdefault(found.turn, turn.row if turn.role == "tool" else {})
        return replace(turn, blocks=tuple(rest)) if rest else None

    def _call(self, call: Call, index: int) -> Call:
        id = call.id
        if self._dialect == "anthropic":
            is_free = bool(_ANTHROPIC_ID(id)) and id not in self._used
        else:
            is_free = bool(id) or self._dialect == "gemini"  # where calls are told by their order as well
        if not is_free:
            id = self._new_id()
        self._used.add(id)
        asked = _Asked(call if id == call.id else replace(call, id=id), index)
        self._asked.append(asked)
        if call.id:
            turns = self._by_id[call.id]
            if turns and turns[-1][0].turn == index:
                turns[-1].append(asked)
            else:
                turns.append(deque([asked]))
        self._by_name[call.name].append(asked)
        return asked.call

    def _new_id(self) -> str:
        while True:
            self._made += 1
            if (id := f"call_{self._made}") not in self._given:
                return id

    def _answer(self, result: Result) -> _Asked | None:
        """The call that a result is for; one without an id is for the first call of that tool that waits.

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
        queue[0].answered = True
        return queue[0]

    @staticmethod
    def _matched(result: Result, asked: _Asked) -> Result:
        return replace(result, id=asked.id, name=asked.name)


def _is_run_there(block: Block) -> bool:
    """Whether the provider itself runs the tool, and gives its result when it will."""
    return block.source.get("providerExecuted") is True


def _waiting(queue: deque[_Asked]) -> deque[_Asked]:
    """A queue without those at its head that were answered."""
    while queue and queue[0].answered:
        queue.popleft()
    return queue
