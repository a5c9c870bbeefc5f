"""Which conversation an object belongs to, and the ancestors that tell."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._flow.ask import Flow
from ..._flow.asks import Fetch
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._wire.http import is_fetchable_url
from .activity import Activity, Content
from .documents import Unreadable, fetch, read_document
from .iri import authority_of, is_opaque_iri, many, reference


class Thread(NamedTuple):
    """Where a message stands.

    Attributes:
        id: The thread that the object itself names, or else the root of what it answers, or else its own activity.
        parent: The id of what it answers, as it came.
        ancestors: The documents above it that could be read, the nearest first.
        joins: Ids of messages whose thread it joins when the caller knows them, the best first.
    """

    id: str
    parent: str | None
    ancestors: tuple[dict[str, Any], ...]
    joins: tuple[str, ...]


class Place(NamedTuple):
    """What an object says of its own place.

    Attributes:
        named: The thread that it names.
        parent: The id of what it answers.
    """

    named: str | None
    parent: str | None


def place_of(activity: Activity, content: Content, *, limits: Limits, notes: list[Diagnostic]) -> Place:
    """The thread that an object names and what it answers: both the author's word alone."""
    document = content.document
    named = _named_thread(document, activity.host, limits=limits, notes=notes)
    value = document.get("inReplyTo")
    parent = None if value is None else _first_iri(value, "inReplyTo", limits=limits, notes=notes)
    return Place(named, None if parent in (activity.id, content.id) else parent)  # Nothing answers itself.


def near_thread(activity: Activity, place: Place) -> Thread:
    """The thread of an object above which nobody looks: it answers nothing, or `limits.walk_depth` is 0.

    A caller who wants no walk is not told that there was none.
    """
    named, parent = place
    if parent is None:
        return Thread(named or activity.id, None, (), ())
    return Thread(named or parent, parent, (), () if named else (parent,))


def walked_thread(
    own: set[str], named: str | None, parent: str, *, limits: Limits, notes: list[Diagnostic]
) -> Flow[Fetch, Thread]:
    """The thread of an object that answers `parent`, and its ancestors; `own` are the ids of object and activity.

    The order is the specification's: `context`, `conversation`, the root of the `inReplyTo` chain, the activity's own
    id. The chain is walked also when a context is given, because the ancestors are the history.

    Spec: Normalized Message §5.1.1, §5.4.
    """
    root, ancestors = yield from _walk(parent, own, limits=limits, notes=notes)
    if named is not None:
        return Thread(named, parent, ancestors, ())
    return Thread(root, parent, ancestors, (root, parent))


def _named_thread(document: dict[str, Any], host: str, *, limits: Limits, notes: list[Diagnostic]) -> str | None:
    """The thread that an object claims to be in, which is the author's word alone."""
    context = _texts(document.get("context"))
    if context:
        named = _first_iri(context, "context", limits=limits, notes=notes)
        if named is not None:
            if not named.startswith(f"https://{host}/") and authority_of(named) != host:
                detail = f"{named[:200]} is not of {host}, the host of the actor"
                notes.append(Diagnostic(code="foreign-context", at="/object/context", detail=detail))
            return named
    return _first_iri(_texts(document.get("conversation")), "conversation", limits=limits, notes=notes)


def _texts(value: Any) -> list[str]:
    """The texts of one value or several: an inline object is no IRI."""
    return [item for item in many(value) if item.__class__ is str]


def _first_iri(value: Any, member: str, *, limits: Limits, notes: list[Diagnostic]) -> str | None:
    """The first usable IRI of a member; a note when there was something and nothing of it was usable."""
    if value.__class__ is str and is_opaque_iri(value, limits=limits):
        found: str = value
        return found
    claims = [claim for item in many(value) if (claim := reference(item))]
    for claim in claims:
        if is_opaque_iri(claim, limits=limits):
            return claim
    if claims:
        detail = f"{claims[0][:80]!r} is no absolute IRI of at most {limits.id_chars} characters"
        notes.append(Diagnostic(code="url-refused", at=f"/object/{member}", detail=detail))
    return None


def _walk(
    parent: str, seen: set[str], *, limits: Limits, notes: list[Diagnostic]
) -> Flow[Fetch, tuple[str, tuple[dict[str, Any], ...]]]:
    """The oldest ancestor named, and the ancestors that could be read, the nearest first.

    Goes up at most `limits.walk_depth` steps and never in a circle. What cannot be read ends the walk and is the root.
    """
    ancestors: list[dict[str, Any]] = []
    root, here = parent, parent
    while here not in seen:
        if len(ancestors) == limits.walk_depth:
            detail = f"after {len(ancestors)} ancestors; the next is {here[:200]}"
            notes.append(Diagnostic(code="thread-truncated", at="/object/inReplyTo", detail=detail))
            break
        root = here
        seen.add(here)
        if not is_fetchable_url(here):
            break
        document = read_document((yield from fetch(here, "object", limits=limits)), here, limits=limits)
        if isinstance(document, Unreadable):
            notes.append(document.note(f"ancestor {len(ancestors) + 1}"))
            break
        ancestors.append(document)
        root = document["id"]
        seen.add(root)
        above = _first_iri(document.get("inReplyTo"), "inReplyTo", limits=limits, notes=[])
        if above is None:
            break
        here = above
    return root, tuple(ancestors)
