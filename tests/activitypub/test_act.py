"""Follow, Block, Like and Announce: what an agent does in its own name."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import Limits, UsageError, activitypub, replace
from mentionable.activitypub import Actor, Audience
from tests.activitypub.answering import BOB_ACTOR, INBOX, SHARED
from tests.activitypub.building import AGENT, ALICE_ACTOR, SETTINGS, call, event
from tests.activitypub.servers import ALICE, BOB, HELPER, NOTE, PUBLIC

BUILDERS = [("Follow", activitypub.follow), ("Block", activitypub.block)]
FOLLOWERS = f"{HELPER}/followers"


@pytest.mark.parametrize(("kind", "build"), BUILDERS)
def test_it_is_for_the_actor_alone(kind: str, build: Any) -> None:
    out = build(ALICE_ACTOR, **call())
    assert (out.activity["type"], out.activity["object"], out.activity["to"]) == (kind, ALICE, [ALICE])
    assert [post.url for post in out.deliveries] == [INBOX]
    assert activitypub.document_response(out.activity).status == 404
    got = event(out)
    assert (got.type, got.authority, got.object_id, got.recipients) == (kind, "own", ALICE, ("@alice@social.example",))


@pytest.mark.parametrize(("kind", "build"), BUILDERS)
def test_it_is_about_another(kind: str, build: Any) -> None:
    with pytest.raises(UsageError, match="the agent itself"):
        build(Actor(address=AGENT, id=HELPER, inbox=f"{HELPER}/inbox"), **call())
    with pytest.raises(UsageError, match="to must be Actor"):
        build(ALICE, **call())


def test_a_like_is_for_the_author_alone() -> None:
    out = activitypub.like(NOTE, to=ALICE_ACTOR, **call())
    assert (out.activity["to"], out.activity["cc"]) == ([ALICE], [])
    assert [post.url for post in out.deliveries] == [INBOX]
    got = event(out)
    assert (got.type, got.authority, got.object_id) == ("Like", "own", NOTE)
    with pytest.raises(UsageError, match="to must be Actor"):
        activitypub.like(NOTE, to=ALICE, **call())  # type: ignore[arg-type]


@pytest.mark.parametrize("object_id", ["javascript:alert(1)", "notes/1", f"https://a.example/{'x' * 3000}", 7, None])
def test_what_is_liked_or_announced_has_an_id(object_id: Any) -> None:
    for build in (
        lambda: activitypub.like(object_id, to=ALICE_ACTOR, **call()),
        lambda: activitypub.announce(object_id, audience=Audience(), **call()),
    ):
        with pytest.raises(UsageError, match="object_id must be"):
            build()


def test_an_announce_tells_the_author_and_the_followers() -> None:
    audience = Audience(actors=(ALICE_ACTOR,), followers=(BOB_ACTOR, "https://third.example/inbox"))
    out = activitypub.announce(NOTE, audience=audience, **call())
    assert (out.activity["to"], out.activity["cc"]) == ([PUBLIC, ALICE], [FOLLOWERS])
    assert [post.url for post in out.deliveries] == [SHARED, "https://other.example/in", "https://third.example/inbox"]
    assert activitypub.document_response(out.activity).status == 200


def test_an_announce_reads_as_done_by_the_agent() -> None:
    out = activitypub.announce(NOTE, audience=Audience(visibility="direct", actors=(ALICE_ACTOR,)), **call())
    got = event(out)
    assert (got.type, got.authority, got.object_id) == ("Announce", "own", NOTE)


def test_an_announce_is_undone_where_it_went() -> None:
    out = activitypub.announce(NOTE, audience=Audience(actors=(ALICE_ACTOR,), followers=(BOB_ACTOR,)), **call())
    inboxes = [post.url for post in out.deliveries]
    undone = activitypub.undo(out.serve[out.native_id], to=inboxes, **call())
    assert [post.url for post in undone.deliveries] == inboxes
    assert (undone.activity["to"], undone.activity["cc"]) == (out.activity["to"], out.activity["cc"])


@pytest.mark.parametrize(
    ("visibility", "to", "cc"),
    [
        ("public", [PUBLIC, ALICE, BOB], [FOLLOWERS]),
        ("unlisted", [FOLLOWERS, ALICE, BOB], [PUBLIC]),
        ("followers", [FOLLOWERS, ALICE, BOB], []),
        ("direct", [ALICE, BOB], []),
    ],
)
def test_an_audience_is_addressed_as_other_servers_read_it(visibility: Any, to: list[str], cc: list[str]) -> None:
    audience = Audience(visibility=visibility, actors=(ALICE_ACTOR, BOB_ACTOR, ALICE_ACTOR))
    activity = activitypub.announce(NOTE, audience=audience, **call()).activity
    assert (activity["to"], activity["cc"]) == (to, cc)


@pytest.mark.parametrize("visibility", ["followers", "direct"])
def test_what_is_not_public_goes_to_no_shared_inbox(visibility: Any) -> None:
    audience = Audience(visibility=visibility, actors=(ALICE_ACTOR,))
    assert [post.url for post in activitypub.announce(NOTE, audience=audience, **call()).deliveries] == [INBOX]


@pytest.mark.parametrize(
    "members",
    [
        {"visibility": "private"},
        {"visibility": "direct"},
        {"visibility": "direct", "actors": (ALICE_ACTOR,), "followers": (BOB_ACTOR,)},
        {"actors": [ALICE_ACTOR]},
        {"actors": (ALICE,)},
        {"followers": INBOX},
    ],
)
def test_an_audience_contradicts_itself_nowhere(members: Any) -> None:
    with pytest.raises(UsageError, match="Audience"):
        Audience(**members)


def test_an_audience_is_no_larger_than_the_limits() -> None:
    settings = replace(SETTINGS, limits=Limits(tags=1))
    with pytest.raises(UsageError, match="more than 1"):
        activitypub.announce(NOTE, audience=Audience(actors=(ALICE_ACTOR, BOB_ACTOR)), **call(settings=settings))
    with pytest.raises(UsageError, match="audience must be Audience"):
        activitypub.announce(NOTE, audience=(ALICE_ACTOR,), **call())  # type: ignore[arg-type]
