"""Ancestors that were walked → prior turns of the conversation, none of them verified."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..._errors.exceptions import WireError
from ..._flow.asks import Fetch, FindAgent
from ..._flow.flow import Flow, ask_each
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._model.message import HistoricalMessage
from ..._model.parts import Part
from ..._model.sender import Sender
from ..._wire.address import agent_address
from ..._wire.time import normal_time
from .documents import Unreadable, fetch, read_actor
from .json_ld import OBJECTS, host_of, is_at, is_opaque_iri, type_in
from .message import parts_of, without_trace
from .object import Content, authors_of


class _Turn(NamedTuple):
    """An ancestor that can be shown, before its author has an address."""

    id: str
    author: str
    parts: tuple[Part, ...]
    timestamp: str


def history_of(
    ancestors: tuple[dict[str, Any], ...],
    *,
    known: Mapping[str, Sender],
    agents: Mapping[str, Any],
    limits: Limits,
    notes: list[Diagnostic],
) -> Flow[FindAgent | Fetch, tuple[HistoricalMessage, ...]]:
    """The ancestors as prior turns, the oldest first.

    What has no single author of its own origin, no time or no readable shape is left out. Whether a turn is the
    agent's own is decided later, for each recipient, by its address.

    Args:
        ancestors: The documents, the nearest first.
        known: Senders whose actor documents were read already, by their ids.
        agents: What the caller said already to `FindAgent`, by native id; it is not asked again.
        limits: The bounds.
        notes: Takes what was odd.

    Spec: Normalized Message §3.1 (history), §5.4.
    """
    turns: list[_Turn] = []
    for number, document in reversed([*enumerate(ancestors, 1)]):
        turn = _turn(document, limits=limits)
        if isinstance(turn, str):
            detail = f"ancestor {number} {turn}"
            notes.append(Diagnostic(code="history-turn-dropped", at="/object/inReplyTo", detail=detail))
        else:
            turns.append(turn)
    authors = dict.fromkeys(turn.author for turn in turns)
    senders = yield from _senders(authors, known, agents, limits=limits, notes=notes)
    return tuple(
        HistoricalMessage(role="user", sender=sender, parts=turn.parts, timestamp=turn.timestamp, id=turn.id)
        for turn in turns
        if (sender := senders.get(turn.author)) is not None
    )


def _turn(document: dict[str, Any], *, limits: Limits) -> _Turn | str:
    """One ancestor as a turn, or why it cannot be shown."""
    kind = type_in(document.get("type"), OBJECTS)
    timestamp = normal_time(document.get("published"))
    own: str = document["id"]
    host = host_of(own)
    if kind is None:
        return "is of no kind that is read here"
    if timestamp is None:
        return "has no time"
    if host is None:
        return "has an id that may not be asked for"
    author = _author(document, host, limits=limits)
    if author is None:
        return "has no single author of its own origin"
    try:
        shown_document, _ = without_trace(document, [])
        parts = parts_of(Content(shown_document, own, kind), limits=limits, notes=[])
    except WireError as error:
        return f"cannot be read: {error}"
    return _Turn(own, author, parts, timestamp)


def _author(document: dict[str, Any], host: str, *, limits: Limits) -> str | None:
    """The one author of an ancestor, if they are of its origin."""
    authors = authors_of(document, host)
    author = authors[0] if len(authors) == 1 else None
    if author.__class__ is str and is_opaque_iri(author, limits=limits) and is_at(author, host):
        found: str = author
        return found
    return None


def _senders(
    authors: dict[str, None],
    known: Mapping[str, Sender],
    agents: Mapping[str, Any],
    *,
    limits: Limits,
    notes: list[Diagnostic],
) -> Flow[FindAgent | Fetch, dict[str, Sender]]:
    """The senders of the turns: our own agents by the caller's word, the others by their actor documents."""
    senders: dict[str, Sender] = {}
    unasked = [author for author in authors if author not in agents]
    answers = yield from ask_each([FindAgent(native_id=author) for author in unasked])
    served = {**agents, **dict(zip(unasked, answers, strict=True))}
    for author in authors:
        agent = served[author]
        if isinstance(agent, str):
            senders[author] = Sender(address=agent_address(agent))
        elif author in known:
            senders[author] = known[author]
    strangers = [author for author in authors if author not in senders]
    documents = yield from ask_each([fetch(author, "actor", limits=limits) for author in strangers])
    for author, answer in zip(strangers, documents, strict=True):
        actor = read_actor(answer, author, limits=limits)
        if isinstance(actor, Unreadable):
            notes.append(actor.note(f"author {author[:200]} of an ancestor"))
        else:
            senders[author] = actor.sender
    return senders
