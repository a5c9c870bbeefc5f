"""The collections of an actor, whole or in pages: what it posted, its followers, and the actors that it follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote

from .._errors.exceptions import UsageError
from .._flow.settings import check_count, check_kind, items_of
from .._wire.strict_json import plain
from ._actor_document import COLLECTIONS, check_actor_url
from ._read.json_ld import AS2, host_in

_MAX_CURSOR_CHARS: Final = 512


def collection(
    url: str,
    *,
    total: int | None = None,
    items: Iterable[str | Mapping[str, Any]] | None = None,
    first: str | None = None,
    last: str | None = None,
) -> dict[str, Any]:
    """The document of a collection of an actor: its outbox, followers, following or featured objects.

    With `items` it holds all of them; with `first` it leads to pages, which `collection_page` makes; with neither it
    says how many there are, and no more: so you keep private who follows an agent.

    Args:
        url: Its id, as the actor document has it.
        total: How many items there are in all; None leaves that open.
        items: The ids of the items, or the items themselves, the newest first.
        first: The cursor of the first page: any text of yours. It goes into the query, as `?page=`.
        last: The cursor of the last page, which holds the oldest items.

    Raises:
        UsageError: An argument does not fit the others.

    Spec: ActivityPub §5; Activity Vocabulary §3.1 (OrderedCollection).

    Example:
        >>> collection("https://agents.example/helper/followers", total=3)["totalItems"]
        3
        >>> collection("https://agents.example/helper/outbox", total=3, first="1")["first"]
        'https://agents.example/helper/outbox?page=1'
    """
    if (items is not None and first is not None) or (last is not None and first is None):
        raise UsageError("a collection holds its items, or leads to its first page, which may have a last one")
    document = _document(url, "OrderedCollection", total)
    for name, cursor in (("first", first), ("last", last)):
        if cursor is not None:
            document[name] = _page_url(url, cursor)
    if items is not None:
        document["orderedItems"] = _items(items)
    return document


def collection_page(
    url: str,
    *,
    cursor: str,
    items: Iterable[str | Mapping[str, Any]],
    total: int | None = None,
    next_cursor: str | None = None,
    prev_cursor: str | None = None,
) -> dict[str, Any]:
    """The document of one page of a collection, for a GET with `?page=<cursor>`.

    Args:
        url: The id of the collection.
        cursor: The cursor of this page, as it was asked for and as you know it. Answer 404 for any other.
        items: The ids of its items, or the items themselves, the newest first.
        total: How many items the collection has in all.
        next_cursor: The cursor of the page with older items; None: this is the last one.
        prev_cursor: The cursor of the page with newer items; None: this is the first one.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: ActivityPub §5; Activity Vocabulary §3.1 (OrderedCollectionPage).

    Example:
        >>> url, alice = "https://agents.example/helper/followers", "https://social.example/alice"
        >>> page = collection_page(url, cursor="1", items=[alice], next_cursor="2")
        >>> page["id"], page["partOf"], page["next"]
        ('https://agents.example/helper/followers?page=1', 'https://agents.example/helper/followers', 'https://agents.example/helper/followers?page=2')
    """
    page = {**_document(url, "OrderedCollectionPage", total), "id": _page_url(url, cursor), "partOf": url}
    for name, other in (("next", next_cursor), ("prev", prev_cursor)):
        if other is not None:
            page[name] = _page_url(url, other)
    return {**page, "orderedItems": _items(items)}


def empty_collections(url: str) -> dict[str, dict[str, Any]]:
    """Id → document of each collection of an actor, all empty: outbox, followers, following and featured.

    Servers look at them, and some show an agent without them as broken. An agent need not say who follows it.

    Args:
        url: The id of the actor.

    Raises:
        UsageError: It is no such URL.

    Spec: ActivityPub §5.1, §5.3, §5.4.

    Example:
        >>> list(empty_collections("https://agents.example/helper"))[0]
        'https://agents.example/helper/outbox'
    """
    check_actor_url(url)
    return {one: collection(one, total=0, items=()) for one in [f"{url}/{name}" for name in COLLECTIONS]}


def _document(url: str, kind: str, total: int | None) -> dict[str, Any]:
    """What each collection and each page has."""
    if host_in(url) is None or "?" in url or "#" in url:
        raise UsageError("url must be https, on a DNS name, without query and fragment")
    document: dict[str, Any] = {"@context": AS2, "id": url, "type": kind}
    if total is None:
        return document
    check_count(total, "total")
    return {**document, "totalItems": total}


def _page_url(url: str, cursor: str) -> str:
    check_kind(cursor, str, "cursor")
    if not 0 < len(cursor) <= _MAX_CURSOR_CHARS:
        raise UsageError(f"a cursor is a text of 1 to {_MAX_CURSOR_CHARS} characters")
    try:
        return f"{url}?page={quote(cursor, safe='')}"
    except UnicodeEncodeError:
        raise UsageError("a cursor is a text without lone surrogates") from None


def _items(items: Iterable[str | Mapping[str, Any]]) -> list[Any]:
    return [plain(item) for item in items_of(items, (str, Mapping), "items", what="ids and documents")]
