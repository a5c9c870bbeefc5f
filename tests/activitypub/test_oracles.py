"""What a stranger learns of the store of an inbox from its answers: nothing."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import Rejected
from tests.activitypub.servers import ALICE, BOB, HELPER, NOTE, actor, create, fetched, note
from tests.activitypub.signing import post
from tests.activitypub.test_attacks import EVE, act, after_alice, by

UNKNOWN = "https://social.example/notes/77"


def status(request: Any) -> int:
    """What the peer gets to see: the code is for the server alone."""
    got = after_alice().take(request)
    return got.http_status if isinstance(got, Rejected) else 202


def test_an_unsigned_delete_does_not_say_whether_a_message_is_stored() -> None:
    known, unknown = (post(act("Delete", one, BOB)) for one in (NOTE, UNKNOWN))
    assert status(known) == status(unknown)


def test_a_signed_delete_does_not_say_whether_a_message_of_another_is_stored() -> None:
    known, unknown = (by(BOB, act("Delete", one, BOB)) for one in (NOTE, UNKNOWN))
    assert status(known) == status(unknown)


def test_a_delete_does_not_say_who_wrote_to_the_agent_or_follows_it() -> None:
    # `FindMessages` is also asked for an actor: the example answers with its followers then.
    known, unknown = (by(BOB, act("Delete", one, BOB)) for one in (ALICE, EVE))
    assert status(known) == status(unknown)


def test_a_delete_by_who_is_gone_does_not_say_whether_their_neighbour_wrote_to_the_agent() -> None:
    def deleted(one: str) -> int:
        agent = after_alice()
        agent.web.web[EVE] = fetched(actor(EVE), status=410)
        got = agent.take(post(act("Delete", one, EVE)))
        assert isinstance(got, Rejected)
        return got.http_status

    assert deleted(NOTE) == deleted(UNKNOWN)


def test_an_unsigned_update_without_recipients_does_not_say_whether_its_object_is_stored() -> None:
    known, unknown = (
        post(create(note(one, to=...), type="Update", id="https://social.example/updates/1", to=...))
        for one in (NOTE, UNKNOWN)
    )
    assert status(known) == status(unknown)


@pytest.mark.parametrize("kind", ["Update", "Undo", "QuoteRequest"])
def test_no_other_user_of_a_server_learns_whether_their_neighbour_wrote_to_the_agent(kind: str) -> None:
    def about(one: str) -> Any:
        if kind == "Update":
            edit = create(note(one, attributedTo=EVE), type="Update", actor=EVE, id="https://social.example/a/3")
            return by(EVE, edit)
        if kind == "Undo":
            return by(EVE, act("Undo", {"id": one, "type": "Like", "actor": EVE, "object": HELPER}, EVE))
        return by(EVE, act("QuoteRequest", "https://agents.example/objects/1", EVE, instrument=one))

    assert status(about(NOTE)) == status(about(UNKNOWN))


def test_an_unsigned_update_does_not_say_whether_its_object_is_stored() -> None:
    known, unknown = (
        post(create(note(one), type="Update", id="https://social.example/updates/1")) for one in (NOTE, UNKNOWN)
    )
    assert status(known) == status(unknown)
