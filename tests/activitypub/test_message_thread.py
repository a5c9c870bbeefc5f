from typing import Any

import pytest

from mentionable import Diagnostic, Failed, Limits, replace
from mentionable.activitypub._read.json_ld import read_node
from mentionable.activitypub._read.message import Thread, near_thread, read_place, walk_thread
from mentionable.activitypub._read.object import Activity, ActivityHead, Content
from tests.activitypub.servers import ALICE, NOTE, World, ancestor, codes, create, fetched, note

OWN = f"{NOTE}/activity"
A = [ancestor(number)["id"] for number in range(20)]


def read(world: World, *, limits: Limits | None = None, **members: Any) -> tuple[Thread, list[Diagnostic]]:
    document = note(**members)
    limits = limits or Limits()
    head = ActivityHead(document=create(document), id=OWN, actor=ALICE, host="social.example")
    activity = Activity(head=head, node=read_node(head.document), object=document)
    content = Content(node=read_node(document), id=NOTE, type="Note")
    place = read_place(activity, content, limits=limits)
    if place.parent is None or limits.walk_depth == 0:
        thread = near_thread(activity, place)
    else:
        own_ids = frozenset({OWN, NOTE})
        thread = world.drive(walk_thread(place, place.parent, own_ids=own_ids, limits=limits))
    return replace(thread, diagnostics=()), [*place.diagnostics, *thread.diagnostics]


def chain(length: int) -> list[dict[str, Any]]:
    """`length` ancestors, of which number 0 answers nothing and each other one the one before."""
    return [ancestor(number, **({"inReplyTo": A[number - 1]} if number else {})) for number in range(length)]


@pytest.mark.parametrize(
    ("members", "thread", "notes"),
    [
        ({}, OWN, []),
        ({"context": "https://social.example/c/1"}, "https://social.example/c/1", []),
        ({"context": ["https://social.example/c/1"]}, "https://social.example/c/1", []),
        ({"context": "https://social.example/c/1", "conversation": "tag:x,1:y"}, "https://social.example/c/1", []),
        ({"context": "https://other.example/c/1"}, "https://other.example/c/1", ["foreign-context"]),
        ({"context": "urn:uuid:0"}, "urn:uuid:0", ["foreign-context"]),
        ({"context": "tag:social.example,2026:1"}, "tag:social.example,2026:1", []),
        ({"conversation": "tag:other.example,2026:1"}, "tag:other.example,2026:1", []),
        ({"context": None, "conversation": "tag:other.example,2026:1"}, "tag:other.example,2026:1", []),
        ({"context": {"id": "https://social.example/c/1"}, "conversation": "tag:x,1:y"}, "tag:x,1:y", []),
        ({"context": {"id": "https://social.example/c/1"}}, OWN, []),
        ({"conversation": {"id": "https://social.example/c/1"}}, OWN, []),
        ({"context": "javascript:x"}, OWN, ["url-refused"]),
        ({"context": "not an iri", "conversation": "tag:x,1:y"}, "tag:x,1:y", ["url-refused"]),
        ({"context": 5, "conversation": ["", 5]}, OWN, []),
    ],
)
def test_a_context_comes_first_then_a_conversation(members: dict[str, Any], thread: str, notes: list[str]) -> None:
    world = World()
    found, noted = read(world, **members)
    assert (found, codes(noted), world.asked) == (Thread(id=thread, parent=None), notes, [])
    assert all(note.at and note.detail for note in noted)


@pytest.mark.parametrize(
    "answered",
    [
        A[0],
        [A[0]],
        {"type": "Link", "href": A[0]},
        {"type": "Note", "id": A[0], "content": "not believed"},
        ["not an iri", A[0], A[1]],
    ],
)
def test_the_root_of_what_is_answered_is_the_thread(answered: object) -> None:
    found, notes = read(World(ancestor(0)), inReplyTo=answered)
    assert (found.id, found.parent, found.joins, notes) == (A[0], A[0], (A[0], A[0]), [])
    assert found.ancestors == (ancestor(0),)


@pytest.mark.parametrize("answered", [None, [], {"type": "Collection", "items": [A[0]]}, NOTE, OWN])
def test_what_answers_nothing_or_itself_starts_a_thread(answered: object) -> None:
    world = World()
    assert read(world, inReplyTo=answered) == (Thread(id=OWN, parent=None), [])
    assert world.asked == []


def test_nonsense_is_not_answered_but_noted() -> None:
    found, notes = read(World(), inReplyTo="javascript:x")
    assert (found.parent, codes(notes)) == (None, ["url-refused"])
    assert notes[0].detail == "'javascript:x' is no absolute IRI of at most 2048 characters"


def test_the_walk_goes_up_to_the_oldest() -> None:
    world = World(*chain(4))
    found, notes = read(world, inReplyTo=A[3])
    assert (found.id, found.parent, found.joins, notes) == (A[0], A[3], (A[0], A[3]), [])
    assert [document["id"] for document in found.ancestors] == [A[3], A[2], A[1], A[0]]
    assert world.urls == [A[3], A[2], A[1], A[0]]


def test_the_ancestors_are_walked_also_when_the_thread_is_named() -> None:
    found, _ = read(World(*chain(2)), inReplyTo=A[1], context="https://social.example/c/1")
    assert (found.id, found.joins, len(found.ancestors)) == ("https://social.example/c/1", (), 2)


def test_the_walk_is_bounded() -> None:
    world = World(*chain(15))
    found, notes = read(world, inReplyTo=A[14])
    assert (found.id, len(found.ancestors), codes(notes)) == (A[5], 10, ["thread-truncated"])
    assert notes[0].detail == f"after 10 ancestors; the next is {A[4]}"
    assert world.urls == [A[number] for number in range(14, 4, -1)]


def test_a_walk_of_no_steps_asks_nothing() -> None:
    world = World(*chain(2))
    found, notes = read(world, inReplyTo=A[1], limits=Limits(walk_depth=0))
    assert (found.id, found.ancestors, codes(notes), world.asked) == (A[1], (), [], [])


@pytest.mark.parametrize("back_to", [A[1], A[2], NOTE, OWN])
def test_a_walk_never_goes_in_a_circle(back_to: str) -> None:
    documents = [ancestor(2, inReplyTo=A[1]), ancestor(1, inReplyTo=back_to)]
    world = World(*documents)
    found, notes = read(world, inReplyTo=A[2])
    assert (found.id, len(found.ancestors), notes) == (A[1], 2, [])
    assert world.urls == [A[2], A[1]]


def test_a_redirect_is_followed_under_the_final_id() -> None:
    moved = "https://social.example/old/1"
    world = World(answers={moved: fetched(ancestor(1, inReplyTo=moved))})
    found, notes = read(world, inReplyTo=moved)
    assert (found.id, found.parent, found.joins, notes) == (A[1], moved, (A[1], moved), [])


@pytest.mark.parametrize(
    ("answer", "temporary"),
    [
        (Failed("timeout"), True),
        (fetched(ancestor(0), status=404), False),
        (fetched(ancestor(0), content_type="text/html"), False),
        (fetched(ancestor(1), A[0]), False),
    ],
)
def test_an_ancestor_that_cannot_be_read_is_the_root(answer: Any, temporary: bool) -> None:
    found, notes = read(World(ancestor(1, inReplyTo=A[0]), answers={A[0]: answer}), inReplyTo=A[1])
    assert (found.id, len(found.ancestors)) == (A[0], 1)
    assert [(note.code, note.temporary) for note in notes] == [("lookup-unanswered", temporary)]


def test_an_ancestor_that_answers_no_usable_id_is_the_root_and_is_named() -> None:
    found, notes = read(World(ancestor(1, inReplyTo=A[0]), ancestor(0, inReplyTo="javascript:x")), inReplyTo=A[1])
    assert (found.id, len(found.ancestors)) == (A[0], 2)
    assert [(note.code, note.at) for note in notes] == [("url-refused", "/object/inReplyTo")]
    assert notes[0].detail.startswith("ancestor 2: 'javascript:x' is no absolute IRI")


@pytest.mark.parametrize("answered", ["http://social.example/1", "tag:social.example,2026:1", "https://127.0.0.1/1"])
def test_what_may_not_be_asked_for_is_the_root_unasked(answered: str) -> None:
    world = World()
    found, notes = read(world, inReplyTo=answered)
    assert (found.id, found.parent, notes, world.asked) == (answered, answered, [], [])
