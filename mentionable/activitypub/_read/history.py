"""The ancestors of an object as prior turns of the conversation. None of them is verified."""

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
from .json_ld import OBJECTS, host_of, is_at, is_opaque_iri, read_node, unknown_type
from .message import extract_trace, parts_of
from .object import Content, authors_of


class _Turn(NamedTuple):
    """A readable ancestor, before its author has an address."""

    id: str
    author: str
    parts: tuple[Part, ...]
    timestamp: str


def history_of(
    ancestors: tuple[dict[str, Any], ...],
    *,
    senders: Mapping[str, Sender],
    agents: Mapping[str, Any],
    limits: Limits,
) -> Flow[FindAgent | Fetch, tuple[tuple[HistoricalMessage, ...], list[Diagnostic]]]:
    """The ancestors as prior turns, the oldest first, and diagnostics.

    An ancestor without a single author of its own origin, a time or readable content is left out. Whether a turn is the
    agent's own is decided later, for each recipient, by its address. Who is in `senders` or `agents`, by id, is not
    asked for again.

    Spec: Normalized Message §3.1 (history), §5.4.
    """
    turns: list[_Turn] = []
    diagnostics: list[Diagnostic] = []
    for number, document in reversed([*enumerate(ancestors, 1)]):
        turn = _turn(document, limits)
        if isinstance(turn, str):
            detail = f"ancestor {number} {turn}"
            diagnostics.append(Diagnostic(code="history-turn-dropped", at="/object/inReplyTo", detail=detail))
        else:
            turns.append(turn)
    authors = dict.fromkeys(turn.author for turn in turns)
    known, odd = yield from _senders(authors, senders, agents, limits=limits)
    history = tuple(
        HistoricalMessage(role="user", sender=sender, parts=turn.parts, timestamp=turn.timestamp, id=turn.id)
        for turn in turns
        if (sender := known.get(turn.author)) is not None
    )
    return history, [*diagnostics, *odd]


def _turn(document: dict[str, Any], limits: Limits) -> _Turn | str:
    """One ancestor as a turn, or why it is none."""
    node = read_node(document)
    kind = node.type_in(OBJECTS) or unknown_type(document)
    timestamp = normal_time(document.get("published"))
    own_id: str = document["id"]
    host = host_of(own_id)
    if kind is None:
        return "is of no type that is read here"
    if timestamp is None:
        return "has no time"
    if host is None:
        return "has an id that may not be asked for"
    authors = authors_of(node, host)
    author = authors[0] if len(authors) == 1 else None
    if author.__class__ is not str or not is_opaque_iri(author, limits) or not is_at(author, host):
        return "has no single author of its own origin"
    try:
        content, _, _ = extract_trace(Content(node=node, id=own_id, type=kind))
        parts, _ = parts_of(content, limits)
    except WireError as error:
        return f"cannot be read: {error}"
    return _Turn(id=own_id, author=author, parts=parts, timestamp=timestamp)


def _senders(
    authors: Mapping[str, None], known: Mapping[str, Sender], agents: Mapping[str, Any], *, limits: Limits
) -> Flow[FindAgent | Fetch, tuple[dict[str, Sender], list[Diagnostic]]]:
    """The senders of the turns: our own agents as the caller names them, the others by their actor documents."""
    unasked = [FindAgent(native_id=author) for author in authors if author not in agents]
    answers = dict(zip(unasked, (yield from ask_each(unasked)), strict=True))
    agents = {**agents, **{ask.native_id: answer for ask, answer in answers.items()}}
    senders: dict[str, Sender] = {}
    for author in authors:
        agent = agents[author]
        if isinstance(agent, str):
            senders[author] = Sender(address=agent_address(agent))
        elif author in known:
            senders[author] = known[author]
    strangers = [author for author in authors if author not in senders]
    documents = yield from ask_each([fetch(author, "actor", limits=limits) for author in strangers])
    diagnostics: list[Diagnostic] = []
    for author, answer in zip(strangers, documents, strict=True):
        actor = read_actor(answer, author, limits)
        if isinstance(actor, Unreadable):
            diagnostics.append(actor.diagnostic(f"author {author[:200]} of an ancestor"))
        else:
            senders[author] = actor.sender
    return senders, diagnostics
