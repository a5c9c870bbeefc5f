"""Fitting the prior turns of a conversation into an agent's budget."""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any

from ._json import dump_line
from ._model.parts import TextPart, ToolCallPart
from ._time import parse_time
from ._value import UNSET

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from ._model.message import HistoricalMessage
    from ._settings import HistoryPolicy


def trim(
    history: Iterable[HistoricalMessage], policy: HistoryPolicy, *, now: datetime
) -> tuple[HistoricalMessage, ...]:
    """The turns that `policy` lets an agent see, oldest first.

    Turns are sorted by time, equal times in the order given. What does not fit goes from the oldest end, whole turns
    only; nothing is reordered or cut.

    Spec: Normalized Message §3.1 (history), §5.4.
    """
    turns = _by_time(tuple(history))
    if policy.keep is not None:
        turns = tuple(turn for turn in turns if policy.keep(turn))
    if policy.max_age is not None:
        oldest = now - policy.max_age
        turns = tuple(turn for turn in turns if parse_time(turn.timestamp) >= oldest)
    turns = turns[max(0, len(turns) - policy.max_messages) :]
    if _fit_all(turns, policy.max_chars):
        return turns
    left = policy.max_chars
    for index in range(len(turns) - 1, -1, -1):
        left -= _chars(turns[index])
        if left < 0:
            return turns[index + 1 :]
    return turns


def _by_time(turns: tuple[HistoricalMessage, ...]) -> tuple[HistoricalMessage, ...]:
    stamps = [turn.timestamp for turn in turns]
    different = set(stamps)
    if len(different) <= 1:
        return turns
    # Our own form sorts as text.
    if all(len(stamp) == 24 and stamp[10] == "T" and stamp[-1] == "Z" for stamp in different):
        if stamps == sorted(stamps):
            return turns
        return tuple(sorted(turns, key=lambda turn: turn.timestamp))
    return tuple(sorted(turns, key=lambda turn: parse_time(turn.timestamp)))


def _fit_all(turns: tuple[HistoricalMessage, ...], max_chars: int) -> bool:
    """Whether all turns together surely cost no more than `max_chars`, told without writing JSON.

    False says nothing: then the turns have to be counted one by one.
    """
    parts = [part for turn in turns for part in turn.parts]
    cost = sum([len(part.content) for part in parts if isinstance(part, TextPart)])
    calls = [part for part in parts if isinstance(part, ToolCallPart)]
    values = [part.args for part in calls] + [part.result for part in calls if part.result is not UNSET]
    return cost <= max_chars and (not values or cost + _most_chars(values) <= max_chars)


def _most_chars(values: list[Any]) -> int:
    """No fewer characters than the JSON of the values has, in a fifth of the time that writing it takes.

    In version 2 of marshal's format every value stands in full. `false` with its comma, or a control character in a
    string, is one byte there and six characters of JSON; nothing else grows more.
    """
    return 6 * len(marshal.dumps(values, 2))


def _chars(turn: HistoricalMessage) -> int:
    """What a turn costs: its text, and the JSON of tool arguments and results. Files cost nothing."""
    cost = 0
    for part in turn.parts:
        if isinstance(part, TextPart):
            cost += len(part.content)
        elif isinstance(part, ToolCallPart):
            cost += len(dump_line(part.args))
            if part.result is not UNSET:
                cost += len(dump_line(part.result))
    return cost
