from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Limits, UsageError, activitypub
from mentionable.activitypub._read.collection import read_collection
from tests.activitypub.answering import KEY
from tests.activitypub.servers import ALICE, AS2, BOB, HELPER, World, fetched

URL = f"{HELPER}/followers"
ACTOR = activitypub.actor("@helper@agents.example", url=HELPER, keys=KEY)


def test_the_collections_of_an_actor_are_those_that_it_names() -> None:
    found = activitypub.empty_collections(HELPER)
    assert list(found) == [ACTOR[name] for name in ("outbox", "followers", "following", "featured")]
    for url, collection in found.items():
        assert collection == {
            "@context": AS2,
            "id": url,
            "type": "OrderedCollection",
            "totalItems": 0,
            "orderedItems": [],
        }
    one, other, *_ = found.values()
    one["orderedItems"].append("x")
    assert other["orderedItems"] == []
    with pytest.raises(UsageError, match="url must be https"):
        activitypub.empty_collections(f"{HELPER}/")


def test_a_collection_holds_its_items_or_leads_to_its_pages_or_says_how_many_there_are() -> None:
    head = {"@context": AS2, "id": URL, "type": "OrderedCollection"}
    assert activitypub.collection(URL, total=2) == {**head, "totalItems": 2}
    assert activitypub.collection(URL) == head
    note = {"type": "Note", "id": f"{HELPER}/notes/1"}
    whole = activitypub.collection(URL, total=2, items=iter([ALICE, note]))
    assert whole == {**head, "totalItems": 2, "orderedItems": [ALICE, note]}
    assert whole["orderedItems"][1] is not note
    paged = activitypub.collection(URL, first="a b", last="é&")
    assert paged == {**head, "first": f"{URL}?page=a%20b", "last": f"{URL}?page=%C3%A9%26"}


def test_a_page_names_its_collection_and_its_neighbours() -> None:
    page = activitypub.collection_page(URL, cursor="2", items=[BOB], total=3, next_cursor="3", prev_cursor="1")
    assert page == {
        "@context": AS2,
        "id": f"{URL}?page=2",
        "type": "OrderedCollectionPage",
        "partOf": URL,
        "totalItems": 3,
        "next": f"{URL}?page=3",
        "prev": f"{URL}?page=1",
        "orderedItems": [BOB],
    }
    alone = activitypub.collection_page(URL, cursor="2", items=[])
    assert alone.keys() == {"@context", "id", "type", "partOf", "orderedItems"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "http://agents.example/followers"},
        {"url": f"{URL}?page=1"},
        {"url": f"{URL}#x"},
        {"url": None},
        {"total": -1},
        {"total": True},
        {"total": "3"},
        {"total": 2**53},
        {"items": ALICE},
        {"items": {}},
        {"items": [7]},
        {"items": [["x"]]},
        {"items": [ALICE], "first": "1"},
        {"last": "9"},
        {"first": ""},
        {"first": "x" * 513},
        {"first": 1},
        {"first": "\ud800"},
    ],
    ids=range(18),
)
def test_a_collection_that_cannot_be_read_is_not_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        activitypub.collection(**({"url": URL} | wrong))


def test_no_page_is_made_without_a_cursor() -> None:
    with pytest.raises(UsageError):
        activitypub.collection_page(URL, cursor="", items=())


# --- reading those of others

PARTIAL = f"{ALICE}/followers_synchronization"
HOST = "social.example"
NO_COLLECTION = "it is no collection, or no page of one"
NO_PAGE = "its next page is none, or one that was read before"


def read(*documents: dict[str, Any], url: str = PARTIAL, limits: Limits = Limits()) -> tuple[Any, list[str]]:  # noqa: B008
    where = World(answers={one["id"]: fetched({"@context": AS2} | one) for one in documents})
    return where.drive(read_collection(url, HOST, limits=limits)), where.urls


def a_collection(**members: Any) -> dict[str, Any]:
    return {"id": PARTIAL, "type": "OrderedCollection"} | members


def a_page(number: int, **members: Any) -> dict[str, Any]:
    return {"id": f"{PARTIAL}?page={number}", "type": "OrderedCollectionPage"} | members


@given(ids=st.lists(st.integers(0, 99).map(lambda n: f"https://agents.example/actors/{n}")), size=st.integers(1, 40))
def test_what_is_written_in_pages_is_read_as_a_whole(ids: list[str], size: int) -> None:
    pages = [ids[at : at + size] for at in range(0, len(ids), size)]
    documents = [activitypub.collection(PARTIAL, total=len(ids), first="0" if pages else None)]
    for number, page in enumerate(pages):
        following = str(number + 1) if number + 1 < len(pages) else None
        documents.append(activitypub.collection_page(PARTIAL, cursor=str(number), items=page, next_cursor=following))
    found, urls = read(*documents, limits=Limits(walk_depth=200))
    assert (found.ids, found.fault) == (tuple(dict.fromkeys(ids)), None)
    assert len(urls) == len(pages) + 1


def test_items_may_be_documents_and_a_first_page_may_be_embedded() -> None:
    first = {
        "type": "CollectionPage",
        "items": {"id": BOB, "type": "Person"},
        "next": {"type": "Link", "href": a_page(2)["id"]},
    }
    found, urls = read(a_collection(orderedItems=[HELPER], first=first), a_page(2, orderedItems=ALICE))
    assert (found.ids, found.fault) == ((HELPER, BOB, ALICE), None)
    assert urls == [PARTIAL, f"{PARTIAL}?page=2"]


@pytest.mark.parametrize(
    ("documents", "fault"),
    [
        ([], "not answered: nobody is there"),
        ([a_collection(type="Note")], NO_COLLECTION),
        ([a_collection(type="OrderedCollectionPage")], NO_COLLECTION),
        (
            [a_collection(first=a_page(1)["id"]), a_page(1, type="OrderedCollection")],
            NO_COLLECTION,
        ),
        ([a_collection(first="https://other.example/1")], NO_PAGE),
        ([a_collection(first=7)], NO_PAGE),
        ([a_collection(first=["x"])], NO_PAGE),
        ([a_collection(first=PARTIAL)], NO_PAGE),
        (
            [a_collection(first=a_page(1)["id"]), a_page(1, next=a_page(1)["id"])],
            NO_PAGE,
        ),
        ([a_collection(orderedItems=[{}])], "an item has no id"),
        ([a_collection(orderedItems=[None])], "an item has no id"),
        ([a_collection(orderedItems=["javascript:x"])], "an item has no id"),
    ],
    ids=range(12),
)
def test_a_collection_that_cannot_be_read_as_a_whole_says_why(documents: list[dict[str, Any]], fault: str) -> None:
    found, _ = read(*documents)
    assert found.fault == fault


def test_pages_without_end_and_items_without_number_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [a_page(n, orderedItems=[f"{HELPER}{n}"], next=a_page(n + 1)["id"]) for n in range(50)]
    found, urls = read(a_collection(first=pages[0]["id"]), *pages)
    assert (found.fault, len(urls), len(found.ids)) == ("more than 10 pages", 11, 10)
    monkeypatch.setattr("mentionable.activitypub._read.collection.MAX_ITEMS", 3)
    found, _ = read(a_collection(orderedItems=[HELPER] * 4))
    assert (found.fault, found.ids) == ("more than 3 items", ())
