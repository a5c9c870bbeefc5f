"""The responses to a GET of a document: only for its readers, and without blind recipients."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from .._errors.exceptions import UsageError
from .._transport.webfinger import ACTIVITY_JSON
from .._wire.http import HttpResponse
from .._wire.strict_json import dump_line, plain
from ._read.json_ld import ACTORS, ADDRESSING, BLIND, PUBLIC, many, type_in
from ._reader import Reader, check_reader

_VISIBLE: Final = ("to", "cc")
_UNADDRESSED: Final = ACTORS | {
    *("Collection", "OrderedCollection", "CollectionPage", "OrderedCollectionPage", "Tombstone"),
    "QuoteAuthorization",
}
"""The types that are public although they name no recipients: actors, collections, tombstones, stamps."""

_DELETED: Final = frozenset({"Tombstone"})

_PRIVATE: Final = (("cache-control", "private, no-store"), ("vary", "signature, signature-input"))
"""Headers that keep what is for one reader out of the caches of others (RFC 9111 §5.2.2)."""

HIDDEN: Final = HttpResponse(status=404, headers=_PRIVATE)
"""The same for what does not exist and for what is hidden, and stored by no cache: another reader may see it."""

_INSIDE: Final = ("object", "items", "orderedItems", "first")


def document_response(
    document: Mapping[str, Any] | None, *, reader: Reader | None = None, member_of: Collection[str] = ()
) -> HttpResponse:
    """The response to a GET of a document: your actor, its collections, and what `Outgoing.serve` has.

    Args:
        document: What you have under that URL; None: nothing.
        reader: Who asks, as `verify_reader` returned it; None: anyone.
        member_of: The ids of your collections that the reader is in: your followers, when they follow you.

    Returns:
        200 with the document, without `bto` and `bcc` at any depth; of a Tombstone 410. A document that is not public
        is only for a reader that it names in `to`, `cc`, `bto`, `bcc` or `audience`, themselves or by a collection of
        `member_of`, and no shared cache may store it. For everyone else it is 404, as what does not exist is. An
        activity or a note is public when it names the public collection in `to` or `cc`; so must every object inside
        a document that names recipients.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: ActivityPub §3.2, §6 (Retrieving objects), §6.4 (Tombstone); RFC 9111 §5.2.2. What WebFinger answers,
        `discovery.webfinger_response` makes.

    Example:
        >>> note = {"id": "https://agents.example/notes/1", "type": "Note", "to": ["https://social.example/alice"]}
        >>> document_response(note).status
        404
    """
    # 1. nothing there: 404               3. for this reader: private
    # 2. for everyone: public             4. else: 404, as in 1.
    check_reader(reader)
    if isinstance(member_of, str) or not isinstance(member_of, Collection):
        raise UsageError("member_of must be a collection of ids")
    if document is None:
        return HIDDEN
    if not isinstance(document, Mapping):
        raise UsageError("document must be a mapping or None")
    whole = plain(document)
    status = 410 if type_in(whole.get("type"), _DELETED) else 200
    if _is_for(whole, frozenset()):
        return _response(whole, status)
    if reader is not None and reader.id is not None and _is_for(whole, frozenset({reader.id, *member_of})):
        return private_response(whole, status)
    return HIDDEN


def private_response(document: Mapping[str, Any], status: int = 200) -> HttpResponse:
    """The response with a document for one reader."""
    return _response(document, status, _PRIVATE)


def _response(document: Mapping[str, Any], status: int, headers: tuple[tuple[str, str], ...] = ()) -> HttpResponse:
    headers = (("content-type", ACTIVITY_JSON), *headers)
    return HttpResponse(status=status, headers=headers, body=dump_line(_without_blind(document)).encode())


def _is_for(document: dict[str, Any], names: frozenset[str]) -> bool:
    """Whether a document is for everyone, or for the reader with one of these names, with all that is inside."""
    if document.keys().isdisjoint(ADDRESSING):
        is_for = type_in(document.get("type"), _UNADDRESSED) is not None
    else:
        is_for = _names(document, names)
    return is_for and all(_is_inside_for(inner, names) for inner in _inside(document))


def _is_inside_for(inner: dict[str, Any], names: frozenset[str]) -> bool:
    """Whether an object inside a document is for all who may see the document, or for the reader with these names."""
    is_for = inner.keys().isdisjoint(ADDRESSING) or _names(inner, names)
    return is_for and all(_is_inside_for(one, names) for one in _inside(inner))


def _names(node: dict[str, Any], names: frozenset[str]) -> bool:
    """Whether an object names the public collection, or a reader by one of these names."""
    return _holds(node, _VISIBLE, PUBLIC) or _holds(node, ADDRESSING, names)


def _holds(node: dict[str, Any], members: Iterable[str], names: frozenset[str]) -> bool:
    return any(isinstance(one, str) and one in names for member in members for one in many(node.get(member)))


def _inside(node: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects that an activity or a collection holds."""
    return [one for name in _INSIDE for one in many(node.get(name)) if isinstance(one, dict)]


def _without_blind(value: Any) -> Any:
    """JSON without the members that name blind recipients (ActivityPub §6)."""
    if isinstance(value, dict):
        return {name: _without_blind(inner) for name, inner in value.items() if name not in BLIND}
    return [_without_blind(one) for one in value] if isinstance(value, list) else value
