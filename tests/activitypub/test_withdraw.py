"""Undo and Delete: an agent takes back what it did, and what it wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mentionable import HttpRequest, Limits, UsageError, activitypub, replace
from mentionable.activitypub import Outgoing
from tests.activitypub.answering import BASE, BOB_ACTOR, INBOX, OBJECTS, SHARED, answer, asked
from tests.activitypub.building import ALICE_ACTOR, SETTINGS, call, event, refused, row
from tests.activitypub.servers import ALICE, BOB, HELPER, PUBLIC

FOLLOW = activitypub.follow(ALICE_ACTOR, **call())
SERVED = FOLLOW.serve[FOLLOW.native_id]
ANSWER = answer("Hello")
NOTE = ANSWER.serve[ANSWER.native_id]


def undo(activity: Any = SERVED, to: Any = ALICE_ACTOR, **given: Any) -> Outgoing:
    return activitypub.undo(activity, to=to, **call(**given))


def delete(note: Any = NOTE, to: Any = ALICE_ACTOR, **given: Any) -> Outgoing:
    return activitypub.delete(note, to=to, **call(**given))


def test_an_undo_names_the_whole_activity_and_is_addressed_as_that_was() -> None:
    out = undo()
    assert out.activity["object"] == {name: member for name, member in SERVED.items() if name != "@context"}
    assert (out.activity["to"], out.activity["cc"]) == (SERVED["to"], SERVED["cc"])
    got = event(out)
    assert (got.type, got.authority) == ("Undo", "author")
    assert got.inner is not None
    assert (got.inner.type, got.inner.id, got.inner.object_id) == ("Follow", FOLLOW.native_id, ALICE)


def test_what_is_undone_is_gone() -> None:
    out = undo()
    assert [*out.serve] == [FOLLOW.native_id, out.native_id]
    gone = out.serve[FOLLOW.native_id]
    assert (gone["type"], gone["formerType"], gone["to"]) == ("Tombstone", "Follow", [ALICE])


def test_an_undo_by_another_is_refused() -> None:
    forged = undo().activity | {"object": SERVED | {"actor": BOB}}
    request = activitypub.sign(
        HttpRequest(method="POST", url=INBOX, body=json.dumps(forged).encode()),
        key=SETTINGS.key,  # type: ignore[arg-type]
        now=call()["now"],
    )
    assert refused(request) == "owner-mismatch"


def test_a_proof_of_what_is_undone_does_not_go_along() -> None:
    settings = replace(SETTINGS, object_key=OBJECTS)
    followed = activitypub.follow(ALICE_ACTOR, **call(settings=settings))
    out = undo(followed.activity, settings=settings)
    assert "proof" in followed.activity
    assert "proof" in out.activity
    assert "proof" not in out.activity["object"]
    assert event(out).verdict.method == "ap-object-integrity-proof"


@pytest.mark.parametrize(
    "activity",
    [
        SERVED | {"actor": BOB},
        SERVED | {"id": "https://social.example/activities/1"},
        SERVED | {"id": None},
        SERVED | {"type": "Create"},
        SERVED | {"type": ["Follow"]},
        ANSWER.activity,
        {},
        "https://agents.example/activities/1",
    ],
)
def test_only_an_own_activity_is_undone(activity: Any) -> None:
    with pytest.raises(UsageError, match="activity"):
        undo(activity)


def test_a_deleted_answer_is_a_tombstone_for_those_who_saw_it() -> None:
    out = delete()
    gone = out.activity["object"]
    assert gone == {
        "id": ANSWER.native_id,
        "type": "Tombstone",
        "formerType": "Note",
        "deleted": "2026-11-21T20:56:00Z",
        "to": [ALICE],
        "cc": [],
    }
    assert (out.activity["to"], out.activity["cc"]) == ([ALICE], [])
    assert [*out.serve] == [ANSWER.native_id, ANSWER.activity["id"], out.native_id]
    assert out.serve[ANSWER.activity["id"]]["formerType"] == "Create"


def test_a_tombstone_is_served_with_410_to_those_who_saw_the_note() -> None:
    public = answer("Hello", to=asked(to=[PUBLIC, HELPER]))
    for note, status in ((NOTE, 404), (public.serve[public.native_id], 410)):
        out = delete(note)
        assert activitypub.document_response(out.serve[note["id"]]).status == status


def test_a_delete_counts_where_the_note_is_stored_as_that_of_the_agent() -> None:
    out = delete()
    got = event(out, **{ANSWER.native_id: row()})
    assert (got.type, got.authority, got.object_id) == ("Delete", "author", ANSWER.native_id)
    assert refused(out.deliveries[0]) == "object-unknown"
    assert refused(out.deliveries[0], **{ANSWER.native_id: row("@bob@other.example")}) == "owner-mismatch"


def test_a_delete_reaches_the_very_inboxes_of_the_answer() -> None:
    public = answer("Hello", to=asked(to=[PUBLIC, HELPER]), siblings=[BOB_ACTOR])
    inboxes = [post.url for post in public.deliveries]
    out = delete(public.serve[public.native_id], to=inboxes)
    assert [post.url for post in out.deliveries] == inboxes
    again = delete(public.serve[public.native_id], to=[ALICE_ACTOR, BOB_ACTOR, SHARED])
    assert [post.url for post in again.deliveries] == inboxes


def test_what_was_for_some_goes_to_no_shared_inbox() -> None:
    assert [post.url for post in delete(to=[ALICE_ACTOR]).deliveries] == [INBOX]


def test_a_deletion_may_have_nowhere_to_go() -> None:
    assert delete(to=()).deliveries == ()


@pytest.mark.parametrize(
    "note",
    [
        NOTE | {"attributedTo": BOB},
        NOTE | {"id": "https://social.example/notes/1"},
        NOTE | {"type": "Tombstone"},
        NOTE | {"to": [{"id": ALICE}]},
        FOLLOW.activity,
        {},
        7,
    ],
)
def test_only_an_own_note_is_deleted(note: Any) -> None:
    with pytest.raises(UsageError):
        delete(note)


@pytest.mark.parametrize("to", [INBOX, ["http://social.example/inbox"], [f"{INBOX}#a"], [7], 7, None])
def test_what_is_no_inbox_is_not_delivered_to(to: Any) -> None:
    with pytest.raises(UsageError, match="to "):
        delete(to=to)


def test_an_activity_has_a_largest_size() -> None:
    settings = replace(SETTINGS, limits=Limits(activitypub_bytes=400))
    with pytest.raises(UsageError, match="at most 400"):
        delete(settings=settings)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"settings": activitypub.Settings()}, "Settings.key is needed"),
        ({"base": "http://agents.example"}, "base must be"),
        ({"base": "https://other.example"}, "key_id must be"),
        ({"entropy": b""}, "entropy"),
        ({"now": None}, "now"),
    ],
)
def test_a_builder_needs_a_key_and_a_place(given: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        undo(**given)


def test_ids_depend_on_what_is_done() -> None:
    one, other = (activitypub.follow(to, **call()).native_id for to in (ALICE_ACTOR, BOB_ACTOR))
    assert one != other
    assert one.startswith(f"{BASE}/activities/")
