"""The turns before a message, as the agent sees them when it answers, and not as they were when the message came."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mentionable import FindHistory, HistoricalMessage, NormalizedMessage, parse_time, replace
from sqlalchemy import Connection

from mentionable_host.admission import is_anonymous
from mentionable_host.store import messages

__all__ = ["turns_before", "without_stored"]


def turns_before(db: Connection, message: NormalizedMessage, *, number: int, limit: int) -> list[HistoricalMessage]:
    """The newest turns before a message, oldest first: those that came along, and those that are stored by now.

    Where several messages came quickly, each answer follows what it answers, as the agent saw it.

    Args:
        db: The connection.
        message: The message, with what its platform knows of the thread.
        number: Its row: what came after it is left out.
        limit: So many turns at most.
    """
    sender = message.sender
    ask = FindHistory(
        thread_id=message.thread_id,
        recipient=message.recipient,
        sender=None if is_anonymous(message) else sender.address,
        verified=sender.verified,
    )
    stored = messages.history(db, ask, before=number, limit=limit + 1)
    own = [turn for turn in stored if turn.id != message.id]
    return _paired(_merged(message.history or (), own))[-limit:]


def without_stored(db: Connection, message: NormalizedMessage) -> NormalizedMessage:
    """A message without the turns before it that have rows of their own, as it is stored.

    With them, each message of a long conversation would be stored with all that came before it, and keep what its
    author has deleted. `turns_before` reads them as they are by then.
    """
    if not message.history or is_anonymous(message):
        return message
    ids = [(turn.id or "").removeprefix(messages.answer_id("")) for turn in message.history]
    known = messages.known_ids(db, ids, person=message.sender.address)
    own = tuple(turn for turn, one in zip(message.history, ids, strict=True) if one not in known)
    return replace(message, history=own or None)


def _merged(came: Sequence[HistoricalMessage], stored: Iterable[HistoricalMessage]) -> list[HistoricalMessage]:
    """Turns of both, by time; those that came along with the message win."""
    known = {turn.id for turn in came if turn.id is not None}
    turns = [*came, *(turn for turn in stored if turn.id not in known)]
    return sorted(turns, key=lambda turn: parse_time(turn.timestamp))


def _paired(turns: Sequence[HistoricalMessage]) -> list[HistoricalMessage]:
    """The turns, each answer of ours behind what it answers."""
    asked = {turn.id for turn in turns if turn.role == "user"}
    answers = {turn.id: turn for turn in turns if turn.id is not None and turn.role == "assistant"}
    paired: list[HistoricalMessage] = []
    for turn in turns:
        if turn.role == "assistant" and (turn.id or "").removeprefix(messages.answer_id("")) in asked:
            continue
        paired.append(turn)
        answer = answers.get(messages.answer_id(turn.id)) if turn.role == "user" and turn.id is not None else None
        paired += [] if answer is None else [answer]
    return paired
