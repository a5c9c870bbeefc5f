"""The responses to a GET of a document: only for its readers, and without blind recipients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .._errors.exceptions import UsageError
from .._transport.webfinger import ACTIVITY_JSON
from .._wire.http import HttpResponse
from .._wire.strict_json import dump_line, plain
from ._read.json_ld import ACTORS, PUBLIC, many, type_in

_ADDRESSING: Final = frozenset({"to", "cc", "bto", "bcc", "audience"})
_BLIND: Final = frozenset({"bto", "bcc"})
_UNADDRESSED: Final = ACTORS | {
    *("Collection", "OrderedCollection", "CollectionPage", "OrderedCollectionPage", "Tombstone"),
}
"""The types that are public although they name no recipients: actors, collections, tombstones."""

_INSIDE: Final = ("object", "items", "orderedItems", "first")


def document_response(document: Mapping[str, Any] | None) -> HttpResponse:
    """The response to a GET of a document: your actor, its collections, and what `Outgoing.serve` has.

    Args:
        document: What you have under that URL; None: nothing.

    Returns:
        200 with the document, without `bto` and `bcc` at any depth. 404 where there is none, and for what is not
        public, which need not be fetched: its recipients received the whole object. An activity or a note must name
        the public collection; so must every object inside a document that names recipients.

    Raises:
        UsageError: `document` is neither.

    Spec: ActivityPub §3.2, §6 (Retrieving objects). What WebFinger answers, `discovery.webfinger_response` makes.

    Example:
        >>> note = {"id": "https://agents.example/notes/1", "type": "Note", "to": ["https://social.example/alice"]}
        >>> document_response(note).status
        404
    """
    if document is None:
        return HttpResponse(status=404)
    if not isinstance(document, Mapping):
        raise UsageError("document must be a mapping or None")
    whole = plain(document)
    is_unaddressed = _ADDRESSING.isdisjoint(whole) and type_in(whole.get("type"), _UNADDRESSED) is not None
    if not (is_unaddressed or _is_public(whole)) or not all(map(_may_be_seen, _inside(whole))):
        return HttpResponse(status=404)
    whole = _without_blind(whole)
    return HttpResponse(status=200, headers={"content-type": ACTIVITY_JSON}, body=dump_line(whole).encode())


def _may_be_seen(inner: dict[str, Any]) -> bool:
    """Whether an object inside a document is for all who may see the document."""
    return (_ADDRESSING.isdisjoint(inner) or _is_public(inner)) and all(map(_may_be_seen, _inside(inner)))


def _is_public(node: dict[str, Any]) -> bool:
    readers = (*many(node.get("to")), *many(node.get("cc")))
    return not PUBLIC.isdisjoint(one for one in readers if isinstance(one, str))


def _inside(node: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects that an activity or a collection holds."""
    return [one for name in _INSIDE for one in many(node.get(name)) if isinstance(one, dict)]


def _without_blind(value: Any) -> Any:
    """JSON without the members that name blind recipients (ActivityPub §6)."""
    if isinstance(value, dict):
        return {name: _without_blind(inner) for name, inner in value.items() if name not in _BLIND}
    return [_without_blind(one) for one in value] if isinstance(value, list) else value
