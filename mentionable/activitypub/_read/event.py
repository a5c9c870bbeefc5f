"""What an activity that is no message says: what it is about, and the activity inside it. Nothing of it is proven."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, cast

from attrs import field

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._html.convert import html_to_text
from ..._model.base import frozen
from ..._text.media import single_line
from ..._text.plain_text import clean
from .json_ld import (
    ACTIVITIES,
    ACTORS,
    EVENTS,
    ActivityType,
    Node,
    is_opaque_iri,
    local_id,
    many,
    natural_value,
    read_node,
    reference,
    type_in,
)
from .object import Activity

_MAX_OBJECTS: Final = 100
_MAX_EMOJI_CHARS: Final = 256

_ANSWERS: Final = frozenset({"Accept", "Reject", "TentativeAccept", "TentativeReject"})
WITH_INNER: Final = _ANSWERS | {"Undo"}
"""The types that are about another activity."""

FOR_AN_AGENT: Final = _ANSWERS | {"Block", "Follow", "Invite"}
"""The types that must name an agent of this server."""

OF_THIS_SERVER: Final = frozenset({"Join", "QuoteRequest"})
"""The types that ask for something that must be on this server."""

_ABOUT_ONE: Final = WITH_INNER | OF_THIS_SERVER | {"Delete", "Follow"}
_OBJECTLESS: Final = frozenset({"Read", "View", "Listen", "Move"})
_TARGETS: Final = {
    "Move": "target",
    "Add": "target",
    "Remove": "target",
    "Invite": "target",
    "QuoteRequest": "instrument",
}
_REACTIONS: Final = frozenset({"Like", "EmojiReact", "Dislike"})


@frozen
class InnerActivity:
    """The activity inside an Undo, an Accept or a Reject.

    Attributes:
        type: Its type, one of ActivityStreams; None when it has none that is known.
        id: Its id, where it has one. It is a claim: several people share a server, and one may name the id of what
            another did. So find what you stored by actor and object, or compare the actor of what lies under the id.
        actor_id: The id of its actor.
        object_id: The id of its object.
        document: It itself, as JSON.
    """

    type: str | None
    id: str | None
    actor_id: str | None
    object_id: str | None
    document: Mapping[str, Any] = field(repr=False)


class Event(NamedTuple):
    """What an activity says that is no message.

    Attributes:
        type: Its type.
        object_ids: The ids of what it is about, and one or more where the type needs one.
        target_id: Its target or instrument.
        content: Its words, as plain text.
        inner: The activity inside it, where it is embedded.
    """

    type: ActivityType
    object_ids: tuple[str, ...]
    target_id: str | None = None
    content: str | None = None
    inner: InnerActivity | None = None

    @property
    def agents(self) -> tuple[str, ...]:
        """Of a type that is for an agent alone: the ids of which one must be an agent's here, as far as it says."""
        if self.type in _ANSWERS:
            return () if self.inner is None or self.inner.actor_id is None else (self.inner.actor_id,)
        if self.type == "Invite" and self.target_id is not None:
            return (self.target_id,)
        return self.object_ids if self.type in FOR_AN_AGENT else ()

    @property
    def about(self) -> tuple[str, ...]:
        """The ids under which you may have stored what it is about."""
        inner = () if self.inner is None else (self.inner.id, self.inner.object_id)
        quoting = self.target_id if self.type == "QuoteRequest" else None
        return tuple(dict.fromkeys([one for one in (quoting, *self.object_ids, *inner) if one is not None]))


def event_in(activity: Activity, limits: Limits) -> Event | None:
    """What an activity says that is no message; None for a Create or Update of something that people read.

    Raises:
        WireError: `missing-member`, `wrong-type`, `id-refused`, `id-too-long`, `origin-mismatch`: what it is about
            cannot be read.
    """
    if activity.type == "Create":
        return _vote(activity, limits)
    if activity.type == "Update":
        return _update_of_actor(activity, limits)
    kind = cast("ActivityType", activity.type)
    node, embedded = activity.node, activity.object
    object_ids = _ids(many(node.raw.get("object")), "/object", limits=limits)
    if kind in _ABOUT_ONE and len(many(node.raw.get("object"))) != 1:
        raise wire_error("wrong-type", "/object", "must be one, lest the answer for one stand for all")
    inner = None
    if isinstance(embedded, dict) and (kind in WITH_INNER or kind == "Announce"):
        inner = read_inner(embedded, limits)
    if not object_ids and kind not in _OBJECTLESS and (kind not in WITH_INNER or inner is None):
        raise wire_error("missing-member", "/object", "an id is required")
    return Event(kind, object_ids, _target(activity, limits), _content(node, kind), inner)


def read_inner(document: dict[str, Any], limits: Limits) -> InnerActivity | None:
    """An activity inside another one, or one that was fetched; None when it is of no known type of activity."""
    kind = type_in(document.get("type"), ACTIVITIES | EVENTS)
    if kind is None:
        return None
    own, actor, inner_object = (
        iri if (iri := reference(value)) is not None and is_opaque_iri(iri, limits) else None
        for value in (document.get("id"), _single(document.get("actor")), _single(document.get("object")))
    )
    return InnerActivity(type=kind, id=own, actor_id=actor, object_id=inner_object, document=document)


def _single(value: Any) -> Any:
    values = many(value)
    return values[0] if len(values) == 1 else None


def _ids(values: Iterable[Any], pointer: str, limits: Limits) -> tuple[str, ...]:
    """The ids that a member names, each once."""
    ids: dict[str, None] = {}
    for value in values:
        iri = reference(value)
        if iri is None:
            if value.__class__ is dict:
                continue  # an anonymous object
            raise wire_error("wrong-type", pointer, "must name what it is about by ids")
        if not is_opaque_iri(iri, limits):
            raise wire_error("id-refused", pointer, "is no id of an object")
        ids[iri] = None
        if len(ids) > _MAX_OBJECTS:
            raise wire_error("too-many-parts", pointer, f"more than {_MAX_OBJECTS} objects")
    return tuple(ids)


def _target(activity: Activity, limits: Limits) -> str | None:
    """The target of a Move, Add, Remove or Invite, or the post that wants to quote, which is of the actor's origin."""
    member = _TARGETS.get(activity.type)
    if member is None:
        return None
    named = _single(activity.node.raw.get(member))
    if activity.type == "QuoteRequest":
        if named.__class__ is dict and reference(_single(named.get("attributedTo"))) not in (None, activity.head.actor):
            raise wire_error("author-mismatch", "/instrument/attributedTo", "does not name the actor alone")
        own = named.get("id") if named.__class__ is dict else named
        return local_id(own, "/instrument", activity.head.host, limits)
    targets = () if named is None else _ids([named], f"/{member}", limits)
    if not targets:
        if activity.type == "Invite":  # some servers name the invited as the object
            return None
        raise wire_error("missing-member", f"/{member}", "an id is required")
    return targets[0]


def _content(node: Node, kind: str) -> str | None:
    """The words of a report, or the emoji of a reaction."""
    _, value = natural_value(node.raw, "content")
    if kind == "Flag":
        return (html_to_text(clean(value)) or None) if value.__class__ is str else None
    if kind not in _REACTIONS:
        return None
    if value.__class__ is not str:
        value = node.raw.get("_misskey_reaction")
    if value.__class__ is not str or len(value) > _MAX_EMOJI_CHARS:
        return None
    return single_line(clean(value)) or None


def _update_of_actor(activity: Activity, limits: Limits) -> Event | None:
    """The Update of an actor document; None for the Update of something else."""
    embedded = activity.object
    if not isinstance(embedded, dict):
        return Event("Update", (activity.head.actor,)) if embedded == activity.head.actor else None
    if type_in(embedded.get("type"), ACTORS) is None:
        return None
    return Event("Update", (local_id(embedded.get("id"), "/object/id", activity.head.host, limits),))


def _vote(activity: Activity, limits: Limits) -> Event | None:
    """The answer to a poll: a Note with a name and no content, which answers something; None for another Create."""
    document = activity.object
    if not isinstance(document, dict) or "name" not in document:
        return None
    node = read_node(document)
    if node.type_in(_NOTE) is None or len(node.in_reply_to) != 1 or node.attachments:
        return None
    name, text = node.raw["name"], natural_value(node.raw, "content")[1]
    is_empty = text is None or (text.__class__ is str and not text.strip())
    if not is_empty or name.__class__ is not str or not name.strip():
        return None
    return Event("Vote", _ids(node.in_reply_to, "/object/inReplyTo", limits), content=single_line(clean(name)))


_NOTE: Final = frozenset({"Note"})
