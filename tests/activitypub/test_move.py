"""Move: an agent leaves for another account, which both accounts say."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import UsageError, activitypub, drive
from tests.activitypub.answering import INBOX, KEY, OBJECTS, helper_web
from tests.activitypub.building import call
from tests.activitypub.servers import ALICE, BOB, ENTROPY, HELPER, NOW, World, actor, fetched

NEW = "https://other.example/users/helper"
TARGET = actor(NEW, alsoKnownAs=[HELPER])
OWN = activitypub.actor("@helper@agents.example", url=HELPER, keys=(KEY, OBJECTS))


def move(target: Any = TARGET, to: Any = (INBOX,)) -> activitypub.Outgoing:
    return activitypub.move(target, to=to, **call())


def received(own: dict[str, Any], new: dict[str, Any]) -> Any:
    """What the server of a follower makes of the move."""
    there = World(answers=helper_web() | {HELPER: fetched(own), NEW: fetched(new)})
    there.agents = {ALICE: "@alice@social.example"}
    flow = activitypub.receive(move().deliveries[0], now=NOW, entropy=ENTROPY, recipient="@alice@social.example")
    return drive(flow, there.answer)


def test_a_move_is_for_the_followers() -> None:
    out = move()
    assert (out.activity["object"], out.activity["target"]) == (HELPER, NEW)
    assert (out.activity["to"], out.activity["cc"]) == ([f"{HELPER}/followers"], [])
    assert [post.url for post in out.deliveries] == [INBOX]


def test_a_move_counts_where_both_accounts_name_each_other() -> None:
    got = received(activitypub.with_aliases(OWN, moved_to=NEW), TARGET)
    assert (got.type, got.authority, got.object_id, got.target_id) == ("Move", "self", HELPER, NEW)


def test_a_move_counts_not_where_one_account_is_silent() -> None:
    assert received(OWN, TARGET).code == "authority-unproven"
    assert received(activitypub.with_aliases(OWN, moved_to=NEW), actor(NEW)).code == "authority-unproven"


@pytest.mark.parametrize(
    "target",
    [
        actor(NEW),
        actor(NEW, alsoKnownAs=[BOB]),
        actor(HELPER, alsoKnownAs=[HELPER]),
        TARGET | {"type": "Note"},
        TARGET | {"id": 7},
        NEW,
    ],
)
def test_the_new_account_names_the_agent(target: Any) -> None:
    with pytest.raises(UsageError, match="target must"):
        move(target)


def test_an_actor_document_names_other_accounts() -> None:
    document = activitypub.with_aliases(OWN, also_known_as=[NEW, BOB], moved_to=ALICE)
    assert (document["alsoKnownAs"], document["movedTo"]) == ([NEW, BOB], ALICE)
    assert document["@context"][:-1] == OWN["@context"]
    assert document["@context"][-1]["movedTo"] == {"@id": "as:movedTo", "@type": "@id"}
    assert activitypub.with_aliases(OWN) == OWN


@pytest.mark.parametrize("given", [{"also_known_as": NEW}, {"also_known_as": ["x"]}, {"moved_to": 7}])
def test_an_alias_is_the_id_of_an_actor(given: Any) -> None:
    with pytest.raises(UsageError, match="ids of actors"):
        activitypub.with_aliases(OWN, **given)
    with pytest.raises(UsageError, match="actor must be"):
        activitypub.with_aliases(HELPER, **given)  # type: ignore[arg-type]
