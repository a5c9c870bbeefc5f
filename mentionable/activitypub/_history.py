"""Ancestors that were walked → prior turns of the conversation, none of them verified."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .._address import canonical
from .._asks import FindAgent, ask_each
from .._errors import UsageError, WireError
from .._model.message import HistoricalMessage
from .._model.sender import Sender
from .._outcome import Diagnostic
from .._time import normal_time
from ._activity import OBJECTS, Content, authors_of
from ._documents import Unreadable, fetch
from ._iri import host_of, is_at, type_in
from ._parts import parts_of
from ._sender import read_actor

if TYPE_CHECKING:
    from .._asks import Fetch, Flow
    from .._model.parts import Part
    from .._settings import Limits


class _Turn(NamedTuple):
    """An ancestor that can be shown, before its author has an address."""

    id: str
    author: str
    parts: tuple[Part, ...]
    timestamp: str


def history_of(
    ancestors: tuple[dict[str, Any], ...],
    *,
    known: dict[str, Sender],
    limits: Limits,
    notes: list[Diagnostic],
) -> Flow[FindAgent | Fetch, tuple[HistoricalMessage, ...]]:
    """The ancestors as prior turns, the oldest first.

    What has no single author of its own origin, no time or no readable shape is left out. Whether a turn is the
    agent's own is decided later, for each recipient, by its address.

    Args:
        ancestors: The documents, the nearest first.
        known: Senders whose actor documents were read already, by their ids.
        limits: The bounds.
        notes: Takes what was odd.

    Spec: Normalized Message §3.1 (history), §5.4.
    """
    turns: list[_Turn] = []
    for document in reversed(ancestors):
        turn = _turn(document, limits=limits)
        if turn is None:
            notes.append(Diagnostic(code="history-turn-dropped", at="/object/inReplyTo"))
        else:
            turns.append(turn)
    senders = yield from _senders(dict.fromkeys(turn.author for turn in turns), known, limits=limits, notes=notes)
    return tuple(
        HistoricalMessage(role="user", sender=sender, parts=turn.parts, timestamp=turn.timestamp, id=turn.id)
        for turn in turns
        if (sender := senders.get(turn.author)) is not None
    )


def _turn(document: dict[str, Any], *, limits: Limits) -> _Turn | None:
    """One ancestor as a turn, or None when it cannot be shown."""
    kind = type_in(document.get("type"), OBJECTS)
    timestamp = normal_time(document.get("published"))
    own: str = document["id"]
    host = host_of(own)
    if kind is None or timestamp is None or host is None:
        return None
    authors = authors_of(document, host)
    if len(authors) != 1 or authors[0].__class__ is not str or not is_at(authors[0], host):
        return None
    try:
        parts = parts_of(Content(document, own, kind), limits=limits, notes=[])
    except WireError:
        return None
    return _Turn(own, authors[0], parts, timestamp)


def _senders(
    authors: dict[str, None], known: dict[str, Sender], *, limits: Limits, notes: list[Diagnostic]
) -> Flow[FindAgent | Fetch, dict[str, Sender]]:
    """The senders of the turns: our own agents by the caller's word, the others by their actor documents."""
    senders: dict[str, Sender] = {}
    agents = yield from ask_each([FindAgent(native_id=author) for author in authors])
    for author, agent in zip(authors, agents, strict=True):
        if isinstance(agent, str):
            senders[author] = Sender(address=_agent(agent))
        elif author in known:
            senders[author] = known[author]
    strangers = [author for author in authors if author not in senders]
    answers = yield from ask_each([fetch(author, "actor", limits=limits) for author in strangers])
    for author, answer in zip(strangers, answers, strict=True):
        actor = read_actor(answer, author, limits=limits)
        if isinstance(actor, Unreadable):
            notes.append(
                Diagnostic(
                    code="lookup-unanswered",
                    at="/object/inReplyTo",
                    detail=f"author of an ancestor: {actor.reason}",
                    temporary=actor.temporary,
                )
            )
        else:
            senders[author] = actor.sender
    return senders


def _agent(text: str) -> str:
    """The caller's answer as a canonical address."""
    address = canonical(text)
    if address is None:
        raise UsageError(f"not an agent address of the form @agent@domain: {text[:80]!r}")
    return address
