import json
from typing import Any

import pytest

from mentionable import Limits, WireError
from mentionable.activitypub._read.object import Activity, Content, read_activity, read_object
from tests.activitypub.servers import ALICE, AS2, BOB, NOTE, create, note

LIMITS = Limits()


def read(activity: Any) -> Activity:
    return read_activity(json.dumps(activity).encode(), limits=LIMITS)


def content(document: dict[str, Any]) -> Content:
    return read_whole(create(document))


def read_whole(activity: Any) -> Content:
    found = read(activity)
    assert isinstance(found.object, dict)
    return read_object(found.object, found, limits=LIMITS)


def error_of(activity: Any) -> WireError:
    with pytest.raises(WireError) as caught:
        read_whole(activity)
    return caught.value


def test_a_create_is_read() -> None:
    found = read(create())
    head = found.head
    assert (head.id, head.actor, head.host, found.object) == (f"{NOTE}/activity", ALICE, "social.example", note())


@pytest.mark.parametrize(
    "members",
    [
        {"type": ["Create", "https://ext.example/Extra"]},
        {"type": ["Object", "as:Activity", "as:Create", "Create"]},
        {"type": "as:Create"},
        {"type": "Update", "id": f"{NOTE}#updates/1"},
        {"actor": {"id": ALICE, "type": "Person"}},
        {"actor": [ALICE]},
        {"object": [note()]},
    ],
)
def test_activities_of_every_honest_shape_are_read(members: dict[str, Any]) -> None:
    assert read(create(**members)).object == note()


@pytest.mark.parametrize("named", [NOTE, [NOTE]])
def test_an_object_may_be_named_by_its_id(named: object) -> None:
    assert read(create(named)).object == NOTE


@pytest.mark.parametrize(
    ("activity", "code", "at"),
    [
        ([], "malformed", ""),
        ({}, "missing-member", "/type"),
        (create(type=None), "missing-member", "/type"),
        (create(type=5), "unsupported-activity", "/type"),
        (create(type="Arrive"), "unsupported-activity", "/type"),
        (create(type=["Create", "Delete"]), "unsupported-activity", "/type"),
        (create(type=["as:Tombstone", "Create"]), "unsupported-activity", "/type"),
        (create(type=["Update", f"{AS2}#Create"]), "unsupported-activity", "/type"),
        (note(**{"@context": AS2}), "unsupported-activity", "/type"),
        (create(**{"@context": ...}), "json-ld-refused", "/@context"),
        (create(**{"@graph": []}), "json-ld-refused", "/@graph"),
        (create(actor=...), "missing-member", "/actor"),
        (create(actor=5), "wrong-type", "/actor"),
        (create(actor=[ALICE, BOB]), "wrong-type", "/actor"),
        (create(actor="http://social.example/users/alice"), "id-refused", "/actor"),
        (create(actor="https://social.example:8443/users/alice"), "id-refused", "/actor"),
        (create(actor="https://10.0.0.1/users/alice"), "id-refused", "/actor"),
        (create(actor="https://social.example/" + "a" * 2048), "id-too-long", "/actor"),
        (create(id=...), "missing-member", "/id"),
        (create(id=7), "wrong-type", "/id"),
        (create(id="https://evil.example/1"), "origin-mismatch", "/id"),
        (create(id="javascript:alert(1)"), "id-refused", "/id"),
        (create(object=None), "missing-member", "/object"),
        (create(object=[]), "wrong-type", "/object"),
        (create(object=[note(), note()]), "wrong-type", "/object"),
        (create("https://evil.example/1"), "origin-mismatch", "/object"),
        (create("http://social.example/1"), "id-refused", "/object"),
        (create(note(type=...)), "missing-member", "/object/type"),
        (create(note(type="Place")), "unsupported-object", "/object/type"),
        (create(note(type="Person")), "unsupported-object", "/object/type"),
        (create(note(type=[])), "unsupported-object", "/object/type"),
        (create(note() | {"@included": []}), "json-ld-refused", "/object/@included"),
        (create(note(id=...)), "missing-member", "/object/id"),
        (create(note(id="https://evil.example/1")), "origin-mismatch", "/object/id"),
        (create(note(attributedTo=BOB)), "author-mismatch", "/object/attributedTo"),
        (create(note(attributedTo="https://social.example/users/eve")), "author-mismatch", "/object/attributedTo"),
        (create(note(attributedTo=f"{ALICE}#x")), "author-mismatch", "/object/attributedTo"),
        (create(note(attributedTo=[ALICE, BOB])), "author-mismatch", "/object/attributedTo"),
        (create(note(attributedTo=[])), "author-mismatch", "/object/attributedTo"),
        (create(note(attributedTo="")), "author-mismatch", "/object/attributedTo"),
        (create(note(attributedTo=1)), "author-mismatch", "/object/attributedTo"),
        (create(note(attributedTo={"href": ALICE})), "author-mismatch", "/object/attributedTo"),
        (create(note(attributedTo={"type": "Group", "id": ALICE})), "author-mismatch", "/object/attributedTo"),
        (create(note(attributedTo=[ALICE, {"type": "Group", "id": BOB}])), "author-mismatch", "/object/attributedTo"),
        (
            create(note(attributedTo=[ALICE, {"type": ["Group", "Person"], "id": f"{ALICE}2"}])),
            "author-mismatch",
            "/object/attributedTo",
        ),
        (create(note(attributedTo=[ALICE, {"type": "Group", "id": 5}])), "author-mismatch", "/object/attributedTo"),
    ],
)
def test_what_does_not_hold_together_is_refused_with_its_place(activity: Any, code: str, at: str) -> None:
    error = error_of(activity)
    assert (error.code, error.problems[0].at) == (code, at)


@pytest.mark.parametrize(
    "attributed",
    [
        ...,
        None,
        ALICE,
        [ALICE],
        [ALICE, ALICE],
        {"type": "Person", "id": ALICE},
        [{"type": "Person", "id": ALICE}],
        [{"type": "Person", "id": ALICE}, {"type": "Group", "id": "https://social.example/channels/rain"}],
    ],
)
def test_the_actor_is_the_one_author_in_every_spelling(attributed: object) -> None:
    assert content(note(attributedTo=attributed)).id == NOTE


@pytest.mark.parametrize(
    "kind", ["Note", "Article", "Page", "Question", "Audio", "Video", "Image", "Event", "ChatMessage"]
)
def test_nine_kinds_of_objects_are_read(kind: str) -> None:
    assert content(note(type=kind)).type == kind


def test_the_first_known_type_of_several_counts() -> None:
    assert content(note(type=["https://ext.example/Recipe", "Article", "Note"])).type == "Article"


def test_an_activity_that_is_not_read_says_what_it_is_about() -> None:
    error = error_of(create(NOTE, type="Arrive"))
    assert error.code == "unsupported-activity"
    assert [str(problem) for problem in error.problems] == [
        "/type: Arrive is not read here",
        f"/actor: done by {ALICE}",
        f"/object: is about {NOTE}",
    ]


def test_another_activity_names_actor_and_object_only_where_they_are_ids() -> None:
    error = error_of(create({"id": "javascript:alert(1)"}, type="Travel", actor={"id": ALICE}))
    assert [problem.at for problem in error.problems] == ["/type", "/actor"]
    assert [problem.at for problem in error_of(create(NOTE, type="Arrive")).problems] == ["/type", "/actor", "/object"]


def test_the_refusal_of_two_types_names_the_other_one() -> None:
    error = error_of(create(type=["Create", f"{AS2}#Delete"]))
    assert error.problems[0].rule == "Create is not read here: it is also Delete"


def test_a_refusal_does_not_repeat_what_a_stranger_wrote() -> None:
    error = error_of(create(type="<b>" + "x" * 500))
    assert error.problems[0].rule == "this type is not read here"
    assert error_of(create(note(type=["", "Recipe"]))).problems[0].rule == "this type is no message here"


EXTRA = "https://ext.example/ns#"


@pytest.mark.parametrize(
    "other",
    ["Tombstone", "as:Tombstone", f"{AS2}#Person", "Create", "Link", "Mention", "Collection", "Profile"],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_an_object_that_is_something_else_too_is_no_message(other: str, is_first: bool) -> None:
    types = [other, "Note"] if is_first else ["Note", other]
    error = error_of(create(note(type=types)))
    assert (error.code, error.problems[0].at) == ("unsupported-object", "/object/type")


@pytest.mark.parametrize("types", [["Note", "Article"], ["Object", "Note"], ["Note", f"{EXTRA}Recipe"], ["Note", 5]])
def test_types_that_exclude_nothing_stand_with_a_message(types: list[Any]) -> None:
    assert content(note(type=types)).type == "Note"
    assert content(note(type=["Document", "Image"])).type == "Image"


RENAMED = (
    ({"Foo": "as:Delete"}, "Foo"),
    ({"Foo": {"@id": f"{AS2}#Delete"}}, "Foo"),
    ({"Foo": "http://www.w3.org/ns/activitystreams#Delete"}, "Foo"),
    ({"Foo": "Bar", "Bar": "x:Delete", "x": f"{AS2}#"}, "Foo"),
    ({"x": f"{AS2}#"}, "x:Delete"),
    ({"@vocab": f"{AS2}#De"}, "lete"),
    ({"@base": AS2}, "#Delete"),
    ({"Object": "as:Delete"}, "Object"),
    ({"object": {"@id": "as:object", "@context": {"Foo": "as:Delete"}}}, "Foo"),
    ({"@vocab": "x"}, "Foo"),
    ({f"a{n}": f"a{n + 1}" for n in range(80)}, "a0"),
    ({"x": "y" * 3_000}, "x:Foo"),
)
"""Contexts that make a type stand for Delete, or for more than is read."""


@pytest.mark.parametrize(("context", "name"), RENAMED)
def test_no_context_makes_a_type_stand_for_another(context: dict[str, Any], name: str) -> None:
    error = error_of(create(type=["Create", name], **{"@context": [AS2, context]}))
    assert (error.code, error.problems[0].at) == ("json-ld-refused", "/@context")
    error = error_of(create(note(type=["Note", name], **{"@context": context})))
    assert (error.code, error.problems[0].at) == ("json-ld-refused", "/object/@context")
    error = error_of(create(note(type=["Note", name]), **{"@context": [AS2, context]}))
    assert error.code == "json-ld-refused"


def test_contexts_that_leave_types_alone_are_read() -> None:
    terms = {"ext": EXTRA, "Recipe": "ext:Recipe", "Draft": {"@id": f"{EXTRA}Draft"}, "@vocab": "https://v.example/"}
    terms |= {"nothing": None, "odd": 5, "Loop": "Loop"}
    for name in ("Recipe", "Draft", "Loop", "ext:Cake", f"{EXTRA}Cake", "Object", "Cake", "_:x", "as:Activity"):
        found = create(note(type=["Note", name]), type=["Create", name], **{"@context": [AS2, terms]})
        assert read_whole(found).type == "Note"
    context = [AS2, {"litepub": EXTRA, "ChatMessage": "litepub:ChatMessage"}]
    assert read_whole(create(note(type="ChatMessage"), **{"@context": context})).type == "ChatMessage"
    context = [AS2, {"ChatMessage": "as:Tombstone"}]
    assert error_of(create(note(type="ChatMessage"), **{"@context": context})).code == "json-ld-refused"
