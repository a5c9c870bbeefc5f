"""What an answer must know of the activity that it answers, read from `raw` without trust in its form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..._errors.exceptions import UsageError
from ..._flow.settings import Limits
from ..._model.message import NormalizedMessage
from ..._transport.reply import is_first_contact
from ..._wire.address import canonical
from ..._wire.strict_json import dig, dig_object
from .._read.json_ld import PUBLIC, Node, host_of, is_at, is_opaque_iri, many, read_node, reference, type_in
from .._read.object import MENTION


class Question(NamedTuple):
    """The activity that is answered.

    Attributes:
        activity: As it came, its object included.
        document: Its object; empty when only its id is known.
        object_id: The id of the object, which is what an answer names; None for a first contact, which answers none.
        asker: The id of the actor who asked.
        host: Theirs.
        actor: Their actor document; empty when it is not known.
        blind: The recipients in `bto` and `bcc`.
    """

    activity: Node
    document: Node
    object_id: str | None
    asker: str
    host: str
    actor: dict[str, Any]
    blind: tuple[Any, ...]


def question_of(to: NormalizedMessage, limits: Limits) -> Question:
    """The activity behind a message.

    Raises:
        UsageError: `raw` does not say which object is answered, or whose it is.
    """
    activity = read_node(dig_object(to.raw, "activity"))
    named = next(iter(many(activity.raw.get("object"))), None)
    document = read_node(dig_object(named))
    object_id = None if is_first_contact(to) else _object_id(named, limits)
    asker = _first(activity.raw.get("actor"))
    host = None if asker is None else host_of(asker)
    if asker is None or host is None or asker in PUBLIC:
        raise UsageError("to.raw.activity.actor is missing: keep raw with a message that is to be answered")
    actor = dig_object(to.raw, "actor")
    if actor.get("id") != asker:
        actor = {}
    blind = tuple(many(dig(to.raw, "delivery", "bcc")))
    return Question(activity, document, object_id, asker, host, actor, blind)


def _object_id(named: Any, limits: Limits) -> str:
    object_id = reference(named)
    if object_id is None or not is_opaque_iri(object_id, limits):
        raise UsageError("to.raw.activity.object.id is missing: keep raw with a message that is to be answered")
    return object_id


def thread_of(question: Question, override: str | None, limits: Limits) -> dict[str, str]:
    """The members that keep an answer in its thread.

    Raises:
        UsageError: `override` is no IRI.
    """
    if override is not None:
        if not is_opaque_iri(override, limits):
            raise UsageError("push_back.thread_ref must be the IRI of a thread")
        return {"context": override}
    members = {name: _first(question.document.raw.get(name)) for name in ("context", "conversation")}
    return {name: iri for name, iri in members.items() if iri is not None and is_opaque_iri(iri, limits)}


def addressed_as(question: Question, agent: str, host: str) -> str | None:
    """The id of the actor of `agent` on `host`, as the question addressed it; None when nothing names it.

    A Mention that names the agent decides; else the only recipient on `host`.
    """
    for tag in _mentions(question):
        name, href = tag.get("name"), tag.get("href")
        if name.__class__ is str and canonical(name) == agent and href.__class__ is str and is_at(href, host):
            return str(href)
    holders = (question.activity, question.document)
    entries = [entry for holder in holders for entry in (*holder.to, *holder.cc)]
    entries += [tag.get("href") for tag in _mentions(question)]
    local = {iri for entry in (*entries, *question.blind) if (iri := reference(entry)) is not None and is_at(iri, host)}
    return local.pop() if len(local) == 1 else None


def _mentions(question: Question) -> Iterator[dict[str, Any]]:
    for holder in (question.document, question.activity):
        for tag in holder.tags:
            if tag.__class__ is dict and type_in(tag.get("type"), MENTION) is not None:
                yield tag


def _first(value: Any) -> str | None:
    """The first IRI that a member names."""
    return next((iri for item in many(value) if (iri := reference(item)) is not None), None)
