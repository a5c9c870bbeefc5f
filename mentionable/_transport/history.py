"""Fitting the prior turns of a conversation into an agent's budget."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from .._flow.settings import HistoryPolicy
from .._model.base import UNSET
from .._model.diagnostic import Diagnostic
from .._model.message import HistoricalMessage
from .._model.parts import FilePart, LinkPart, Part, TextPart, ToolCallPart
from .._text.enclosed_text import enclosed_text
from .._text.plain_text import part_text
from .._wire.strict_json import dump_line
from .._wire.time import parse_time


class Merged(NamedTuple):
    """A turn of a conversation, from a message, from the store, or from both.

    Attributes:
        turn: The turn.
        is_claim: Whether the message brought it, in a form that the store does not have.
        stored: The form of the store, which a claim stands for; None where the store has none.
    """

    turn: HistoricalMessage
    is_claim: bool = False
    stored: HistoricalMessage | None = None


def merge(
    brought: Sequence[HistoricalMessage],
    stored: Sequence[HistoricalMessage],
    *,
    agent: str,
    stored_ids: Sequence[str | None] = (),
) -> tuple[tuple[Merged, ...], tuple[Diagnostic, ...]]:
    """The turns that a message brings and those that the caller has stored, each once; and how many of them differ.

    Two turns are one when they have the same id. Where no id matches, they are one when sender and text are the
    same, each stored turn once, the newest first: a turn that is forwarded often has no id, another one, or another
    time. Of the two the turn that was brought counts, but it never replaces a stored one with the same text,
    with a verified sender, or of the agent itself: those are more than a claim. Nor does it replace a turn of another
    sender, whose id an attacker can name.

    Args:
        brought: The turns of the message, the oldest first.
        stored: The turns of the store.
        agent: The agent that they are for.
        stored_ids: The ids in the store of the turns that were brought, where the caller knows them.
    """
    if not brought:
        return tuple(map(Merged, stored)), ()
    left, places = dict(enumerate(stored)), {turn.id: index for index, turn in enumerate(stored)}
    turns, differing = [Merged(turn, True) for turn in brought], 0
    unmatched: list[int] = []
    for index, turn in enumerate(brought):
        known_id = stored_ids[index] if stored_ids else None
        own_id = known_id or turn.id
        match = None if own_id is None else left.pop(places.get(own_id, -1), None)
        if match is None:
            unmatched.append(index)
            continue
        is_other = turn.sender.address != match.sender.address
        differing += is_other or (known_id is None and not _says_the_same(turn, match))
        turns[index] = Merged(match) if is_other else _preferred_turn(turn, match, agent)
    for index, match in _by_words([(index, brought[index]) for index in unmatched], left):
        turns[index] = _preferred_turn(brought[index], match, agent)
    merged = (*map(Merged, left.values()), *turns)
    if not differing:
        return merged, ()
    detail = f"{differing} turns stand otherwise in the store: one of the two was left out"
    return merged, (Diagnostic(code="history-turn-dropped", detail=detail),)


def _by_words(
    brought: list[tuple[int, HistoricalMessage]], left: dict[int, HistoricalMessage]
) -> Iterator[tuple[int, HistoricalMessage]]:
    """The places of turns that say what a stored one says, with that one, which is taken out of `left`."""
    if not brought or not left:
        return
    saying: dict[tuple[str, str], list[int]] = {}
    moments = dict(zip(left, _moments(left.values()), strict=True))
    for place in sorted(left, key=moments.__getitem__):
        saying.setdefault(_words(left[place]), []).append(place)
    for index, turn in reversed(brought):
        words = _words(turn)
        if words[1] and (places := saying.get(words)):
            yield index, left.pop(places.pop())


def followers(stored: Sequence[HistoricalMessage], own_ids: Collection[str], parts: Sequence[Part]) -> frozenset[int]:
    """The stored turns that came after a message which is received again, by `id()`: they are not prior to it.

    That can be known where the message stands among them, by one of its ids and with the same words. Some clients use
    one id for all that they send: what stands there in other words was another message.

    Args:
        stored: The turns of the store.
        own_ids: Under which ids the message may stand there; none when it is received for the first time.
        parts: What the message says.

    Spec: Normalized Message §3.1 (history).
    """
    if not own_ids:
        return frozenset()
    turns, words = _by_time(tuple(stored)), _text_of(parts)
    for index, turn in enumerate(turns):
        if turn.id in own_ids and (turn.parts == parts or (words and _words(turn)[1] == words)):
            return frozenset(map(id, turns[index + 1 :]))
    return frozenset()


def _words(turn: HistoricalMessage) -> tuple[str, str]:
    """The sender and the text of a turn."""
    return turn.sender.address, _text_of(turn.parts)


def _text_of(parts: Iterable[Part]) -> str:
    return "\n".join([part_text(part) for part in parts]).strip()


def _says_the_same(turn: HistoricalMessage, other: HistoricalMessage) -> bool:
    return turn.parts == other.parts or _words(turn)[1] == _words(other)[1]


def _preferred_turn(turn: HistoricalMessage, stored: HistoricalMessage, agent: str) -> Merged:
    """Which of two forms of one turn counts: the one that was brought, or the stored one."""
    if stored.sender.verified or stored.sender.identities or stored.sender.address == agent:
        return Merged(stored)
    proves_more = turn.sender.identities is not None and stored.sender.identities is None
    return Merged(stored) if _says_the_same(turn, stored) and not proves_more else Merged(turn, True, stored)


def trim_merged(merged: Sequence[Merged], policy: HistoryPolicy, *, now: datetime) -> tuple[HistoricalMessage, ...]:
    """The turns of a message and a store that `policy` lets an agent see, oldest first.

    Where trimming removes a forwarded turn, the stored turn that it replaced is restored. Where the restored turns push
    out more forwarded ones, all of those give way, so no message makes this trim its history more than three times.

    Spec: Normalized Message §3.1 (history), §5.4.
    """
    trimmed = _trim_with_claims(merged, policy, now)
    for do_all in (False, True):
        seen = set(map(id, trimmed))
        if all(one.stored is None or id(one.turn) in seen for one in merged):
            break
        merged = [
            one if one.stored is None or (id(one.turn) in seen and not do_all) else Merged(one.stored) for one in merged
        ]
        trimmed = _trim_with_claims(merged, policy, now)
    return trimmed


def _trim_with_claims(merged: Sequence[Merged], policy: HistoryPolicy, now: datetime) -> tuple[HistoricalMessage, ...]:
    claims = {id(one.turn) for one in merged if one.is_claim}
    return trim([one.turn for one in merged], policy, now=now, is_claim=lambda turn: id(turn) in claims)


def trim(
    history: Iterable[HistoricalMessage],
    policy: HistoryPolicy,
    *,
    now: datetime,
    is_claim: Callable[[HistoricalMessage], bool] | None = None,
) -> tuple[HistoricalMessage, ...]:
    """The turns that `policy` lets an agent see, oldest first.

    Turns are sorted by time, equal times in the order given. What does not fit goes from the oldest end, whole turns
    only; nothing is reordered or cut. A claim that does not fit goes alone: what is left out takes no place, or one
    long turn that a caller forwards would push out all stored ones.

    Args:
        history: The turns.
        policy: What an agent may see.
        now: For their age.
        is_claim: Whether a turn was forwarded next to those of the store; None: all are of one kind.

    Spec: Normalized Message §3.1 (history), §5.4.
    """
    turns = _by_time(tuple(history))
    if policy.keep is not None:
        turns = tuple(turn for turn in turns if policy.keep(turn))
    if policy.max_age is not None:
        oldest = now - policy.max_age
        turns = tuple(turn for turn in turns if parse_time(turn.timestamp) >= oldest)
    newest = turns[max(0, len(turns) - policy.max_messages) :]
    if _fit_all(newest, policy.max_chars):
        return newest
    trimmed: list[HistoricalMessage] = []
    left = policy.max_chars
    for turn in reversed(newest if is_claim is None else turns):
        if len(trimmed) == policy.max_messages:
            break
        cost = _chars(turn)
        if cost <= left:
            trimmed.append(turn)
            left -= cost
        elif is_claim is None or not is_claim(turn):
            break
    return tuple(reversed(trimmed))


def _by_time(turns: tuple[HistoricalMessage, ...]) -> tuple[HistoricalMessage, ...]:
    """The turns in the order of their moments; equal ones stay in order."""
    moments = _moments(turns)
    if moments == sorted(moments):  # nearly always
        return turns
    return tuple([turns[place] for place in sorted(range(len(turns)), key=moments.__getitem__)])


def _moments(turns: Iterable[HistoricalMessage]) -> list[str]:
    """What turns are sorted by. All values hold timestamps in one form, which sorts as text without its end."""
    return [turn.timestamp[:-1] for turn in turns]


def _fit_all(turns: tuple[HistoricalMessage, ...], max_chars: int) -> bool:
    """Whether all turns together surely cost no more than `max_chars`, without writing JSON.

    False says nothing: then the turns have to be counted one by one.
    """
    cost = 0
    values: list[Any] = []
    for turn in turns:
        for part in turn.parts:
            if isinstance(part, TextPart):
                cost += len(part.content)
            elif isinstance(part, ToolCallPart):
                values.append(part.args)
                if part.result is not UNSET:
                    values.append(part.result)
            elif isinstance(part, FilePart) and part.extra:
                cost += len(enclosed_text(part))
            elif isinstance(part, LinkPart):
                cost += len(part.description or "")
    return cost <= max_chars and (not values or cost + max_json_chars(values) <= max_chars)


def max_json_chars(values: list[Any]) -> int:
    """No fewer characters than the JSON of the values has, in a fifth of the time that writing it takes.

    In version 2 of marshal's format every value stands in full. `false` with its comma, or a control character in a
    string, is one byte there and six characters of JSON; nothing else grows more.
    """
    return 6 * len(marshal.dumps(values, 2))


def _chars(turn: HistoricalMessage) -> int:
    """What a turn costs: its text, what is read of its files and links, and the JSON of tool arguments and results."""
    cost = 0
    for part in turn.parts:
        if isinstance(part, TextPart):
            cost += len(part.content)
        elif isinstance(part, FilePart):
            cost += len(enclosed_text(part))
        elif isinstance(part, LinkPart):
            cost += len(part.description or "")
        elif isinstance(part, ToolCallPart):
            cost += len(dump_line(part.args))
            if part.result is not UNSET:
                cost += len(dump_line(part.result))
    return cost
