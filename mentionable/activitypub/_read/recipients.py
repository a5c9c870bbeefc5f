"""Whom an activity is for: everybody it addresses or mentions, and the addressing as it came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from .iri import AS2, PUBLIC, is_opaque_iri, many, reference, type_in

_FIELDS: Final = ("to", "cc", "bto", "bcc", "audience")
_MENTION: Final = frozenset({"Mention"})
_EVERYBODY: Final = f"{AS2}#Public"


class Addressing(NamedTuple):
    """Whom an activity and its object name.

    Attributes:
        candidates: Who may be a recipient here, each once, in order; public collections are left out.
        fields: What stands in `to`, `cc`, `bto`, `bcc` and `audience`, each once, public collections in full.
    """

    candidates: tuple[str, ...]
    fields: dict[str, list[str]]


def addressing(
    activity: dict[str, Any], document: dict[str, Any], *, limits: Limits, notes: list[Diagnostic]
) -> Addressing:
    """Everybody whom an activity or its object names as a recipient, or mentions.

    Raises:
        WireError: `wrong-type` for a recipient that is no IRI, `too-many-tags`.

    Spec: Normalized Message §5 (recipient).
    """
    candidates: dict[str, None] = {}
    fields: dict[str, list[str]] = {}
    for name in _FIELDS:
        outer, inner = activity.get(name), document.get(name)
        if outer is None and inner is None:
            fields[name] = []
            continue
        found: dict[str, None] = {}
        if outer is not None:
            _take(outer, f"/{name}", found, candidates, limits=limits, notes=notes)
        if inner is not None and inner != outer:
            _take(inner, f"/object/{name}", found, candidates, limits=limits, notes=notes)
        fields[name] = list(found)
    for at, holder in (("/tag", activity), ("/object/tag", document)):
        tags = holder.get("tag")
        if tags is not None:
            _take_mentioned(many(tags), at, candidates, limits=limits)
    return Addressing(tuple(candidates), fields)


def _take(
    value: Any,
    at: str,
    found: dict[str, None],
    candidates: dict[str, None],
    *,
    limits: Limits,
    notes: list[Diagnostic],
) -> None:
    """Takes the recipients of one member down; a public collection in full, nonsense only as a note."""
    for item in many(value):
        iri = item if item.__class__ is str else reference(item)
        if iri in candidates:
            found[iri] = None
        elif iri in PUBLIC:
            found[_EVERYBODY] = None
        elif iri is None:
            if item is not None:
                raise wire_error("wrong-type", at, "must name recipients by their ids")
        elif is_opaque_iri(iri, limits=limits):
            found[iri] = candidates[iri] = None
        else:
            notes.append(Diagnostic(code="url-refused", at=at, detail=f"{iri[:80]!r} is no IRI of a recipient"))


def _take_mentioned(tags: Sequence[Any], at: str, candidates: dict[str, None], *, limits: Limits) -> None:
    """Takes the actors down that Mention tags point at; the name in a tag is never read."""
    if len(tags) > limits.tags:
        raise wire_error("too-many-tags", at, f"more than {limits.tags}")
    for tag in tags:
        iri = tag.get("href") if tag.__class__ is dict else None
        if (
            iri.__class__ is str
            and iri not in candidates  # as nearly all are: whom a post mentions it also addresses
            and type_in(tag.get("type"), _MENTION) is not None
            and iri not in PUBLIC
            and is_opaque_iri(iri, limits=limits)
        ):
            candidates[iri] = None
