"""Collections of other servers: the ids of their items, over a bounded number of pages of one origin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ..._flow.asks import Fetch
from ..._flow.flow import Flow
from ..._flow.settings import Limits
from .documents import Unreadable, fetch, read_document
from .json_ld import is_at, is_opaque_iri, many, reference, type_in

_COLLECTIONS: Final = frozenset({"Collection", "OrderedCollection"})
_PAGES: Final = frozenset({"CollectionPage", "OrderedCollectionPage"})
MAX_ITEMS: Final = 100_000
"""How many items are read: a collection with more is read in part."""


class CollectionItems(NamedTuple):
    """What a collection holds.

    Attributes:
        ids: The ids of its items, each once, in their order.
        fault: Why this is not all of it, in words; None when it is whole.
        temporary: Whether reading it again later may help.
    """

    ids: tuple[str, ...]
    fault: str | None = None
    temporary: bool = False


def read_collection(url: str, host: str, limits: Limits) -> Flow[Fetch, CollectionItems]:
    """The ids of the items of the collection at `url`, whose pages are all at `host`.

    It asks for the collection itself and for `limits.walk_depth` pages, no more, each once.
    """
    #   1. the document under the URL is a collection
    #   2. its own items, then those of its first page, then the next one, as long as there is one
    ids: dict[str, None] = {}
    seen: set[str] = set()
    place: Any = url
    types = _COLLECTIONS
    while place is not None:
        if place.__class__ is dict:  # a page inside the collection
            page = place
        else:
            if place.__class__ is not str or place in seen or not is_at(place, host):
                return CollectionItems(ids=tuple(ids), fault="its next page is none, or one that was read before")
            if len(seen) > limits.walk_depth:
                return CollectionItems(ids=tuple(ids), fault=f"more than {limits.walk_depth} pages")
            seen.add(place)
            answer = read_document((yield from fetch(place, "collection", limits=limits)), place, limits=limits)
            if isinstance(answer, Unreadable):
                return CollectionItems(ids=tuple(ids), fault=answer.reason, temporary=answer.temporary)
            page = answer
        if type_in(page.get("type"), types) is None:
            return CollectionItems(ids=tuple(ids), fault="it is no collection, or no page of one")
        items = [reference(item) for name in ("orderedItems", "items") for item in many(page.get(name))]
        if len(ids) + len(items) > MAX_ITEMS:
            return CollectionItems(ids=tuple(ids), fault=f"more than {MAX_ITEMS} items")
        for item in items:
            if item is None or not is_opaque_iri(item, limits):
                return CollectionItems(ids=tuple(ids), fault="an item has no id")
            ids[item] = None
        place = _next(page, "first" if types is _COLLECTIONS else "next")
        types = _PAGES
    return CollectionItems(ids=tuple(ids))


def _next(page: Mapping[str, Any], name: str) -> Any:
    """The next page: its document where that is embedded, else its URL; None: there is none."""
    value = page.get(name)
    return value if value.__class__ is dict and "type" in value and "href" not in value else reference(value) or value
