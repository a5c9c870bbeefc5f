"""What the builders make reads as what was meant on the other side, in every form; and nobody else can make it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import HttpRequest, Received, Rejected, SigningKey, activitypub, drive, replace
from mentionable.activitypub import Audience, Outgoing, ReceivedActivity, SignatureForm
from tests.activitypub.answering import BASE, INBOX, KEY, OBJECTS, helper_web
from tests.activitypub.building import ALICE_ACTOR, SETTINGS, call, request, row
from tests.activitypub.servers import ALICE, BOB, ENTROPY, HELPER, NOW, World, actor, fetched
from tests.activitypub.test_accept import FOLLOW

NEW = "https://other.example/users/helper"
POLL = "https://social.example/polls/1"
LIKED = "https://social.example/notes/1"
DIRECT = Audience(visibility="direct", actors=(ALICE_ACTOR,))
ENDS = NOW + timedelta(days=1)
EVE = SigningKey.from_seed(bytes(range(1, 33)), key_id="https://agents.example/actors/eve#main-key")
INVITED = request("Invite", HELPER)


def served(out: Outgoing) -> dict[str, Any]:
    return out.serve[out.native_id]


def written(**given: Any) -> Outgoing:
    return activitypub.post("Hello", audience=DIRECT, **given)


def asked(**given: Any) -> Outgoing:
    return activitypub.poll("Which day?", ["Monday", "Friday"], audience=DIRECT, ends=ENDS, **given)


BUILDERS: dict[str, tuple[Callable[..., Outgoing], str]] = {
    "Accept": (lambda **given: activitypub.accept(FOLLOW, **given), "object"),
    "Accept of an Invite": (lambda **given: activitypub.accept(INVITED, **given), "object"),
    "Reject": (lambda **given: activitypub.reject(FOLLOW, **given), "object"),
    "Follow": (lambda **given: activitypub.follow(ALICE_ACTOR, **given), "own"),
    "Block": (lambda **given: activitypub.block(ALICE_ACTOR, **given), "own"),
    "Like": (lambda **given: activitypub.like(LIKED, to=ALICE_ACTOR, **given), "own"),
    "Announce": (lambda **given: activitypub.announce(LIKED, audience=DIRECT, **given), "own"),
    "Vote": (lambda **given: activitypub.vote("Rain", on=POLL, to=ALICE_ACTOR, **given), "own"),
    "Move": (lambda **given: activitypub.move(actor(NEW, alsoKnownAs=[HELPER]), to=[INBOX], **given), "self"),
    "Delete": (lambda **given: activitypub.delete(served(written(**given)), to=[INBOX], **given), "author"),
    **{
        f"Undo of {name}": (
            lambda build=build, **given: activitypub.undo(served(build(**given)), to=[INBOX], **given),
            "author",
        )
        for name, build in {
            "Follow": lambda **given: activitypub.follow(ALICE_ACTOR, **given),
            "Block": lambda **given: activitypub.block(ALICE_ACTOR, **given),
            "Like": lambda **given: activitypub.like(LIKED, to=ALICE_ACTOR, **given),
            "Announce": lambda **given: activitypub.announce(LIKED, audience=DIRECT, **given),
            "Accept": lambda **given: activitypub.accept(FOLLOW, **given),
        }.items()
    },
}
"""What is made → how, and the authority that its reader finds."""

MESSAGES: dict[str, Callable[..., Outgoing]] = {"post": written, "poll": asked}
FORMS = [
    pytest.param({"form": form, "object_key": key}, id=f"{form} {'with' if key else 'without'} proof")
    for form in ("cavage", "rfc9421")
    for key in (None, OBJECTS)
]


def there(stored: str | None = None) -> World:
    """Alice's server, and the web with the agent, which also moved; something of the agent may be stored there."""
    moved = activitypub.actor("@helper@agents.example", url=HELPER, keys=(KEY, OBJECTS))
    web = helper_web() | {
        HELPER: fetched(activitypub.with_aliases(moved, moved_to=NEW)),
        NEW: fetched(actor(NEW, alsoKnownAs=[HELPER])),
    }
    found = World(answers=web)
    found.agents = {ALICE: "@alice@social.example"}
    if stored is not None:
        found.everywhere[stored] = row()
    return found


def read(delivery: HttpRequest, out: Outgoing) -> Any:
    """What the server of alice makes of a delivery; it has the note that is deleted."""
    about = out.activity["object"]
    stored = about["id"] if out.activity["type"] == "Delete" else None
    flow = activitypub.receive(delivery, now=NOW, entropy=ENTROPY, settings=activitypub.Settings())
    return drive(flow, there(stored).answer)


def forged(out: Outgoing) -> list[HttpRequest]:
    """The delivery as an attacker sends it: changed, signed with a key of another or with a false one, not signed."""
    (delivery,) = out.deliveries
    whole = {name: member for name, member in out.activity.items() if name != "proof"}
    changed = json.dumps(out.activity | {"published": "2026-11-21T00:00:00Z"}).encode()
    bare = HttpRequest(method="POST", url=delivery.url, body=json.dumps(whole).encode())
    form: SignatureForm = "rfc9421" if delivery.header("signature-input") else "cavage"
    return [
        HttpRequest(method="POST", url=delivery.url, headers=delivery.headers, body=changed),
        activitypub.sign(bare, key=EVE, now=NOW, form=form),
        activitypub.sign(bare, key=SigningKey.from_seed(bytes(range(32)), key_id=KEY.key_id), now=NOW, form=form),
        bare,
    ]


@pytest.mark.parametrize("signing", FORMS)
@pytest.mark.parametrize("name", BUILDERS)
def test_an_activity_reads_as_the_event_that_it_is(name: str, signing: Any) -> None:
    build, authority = BUILDERS[name]
    out = build(**call(settings=replace(SETTINGS, **signing)))
    (delivery,) = out.deliveries
    got = read(delivery, out)
    assert isinstance(got, ReceivedActivity), got
    assert (got.type, got.authority) == (name.partition(" ")[0], authority)
    assert (got.id, got.actor.id, got.actor.address) == (out.activity["id"], HELPER, "@helper@agents.example")
    assert got.verdict.method == ("ap-object-integrity-proof" if signing["object_key"] else "ap-http-signature")
    assert got.diagnostics == ()


@pytest.mark.parametrize("signing", FORMS)
@pytest.mark.parametrize("name", BUILDERS)
def test_a_forged_activity_is_no_event(name: str, signing: Any) -> None:
    out = BUILDERS[name][0](**call(settings=replace(SETTINGS, **signing)))
    for delivery in forged(out):
        assert isinstance(read(delivery, out), Rejected)


@pytest.mark.parametrize("signing", FORMS)
@pytest.mark.parametrize("name", MESSAGES)
def test_what_is_written_reads_as_a_message_of_the_agent(name: str, signing: Any) -> None:
    out = MESSAGES[name](**call(settings=replace(SETTINGS, **signing)))
    got = read(out.deliveries[0], out)
    assert isinstance(got, Received), got
    assert (got.message.sender.address, got.message.sender.verified) == ("@helper@agents.example", True)
    assert got.aliases == (out.native_id,)
    assert got.diagnostics == ()


@pytest.mark.parametrize("signing", FORMS)
@pytest.mark.parametrize("name", MESSAGES)
def test_what_another_writes_in_the_name_of_the_agent_is_not_verified(name: str, signing: Any) -> None:
    out = MESSAGES[name](**call(settings=replace(SETTINGS, **signing)))
    for delivery in forged(out):
        got = read(delivery, out)
        assert isinstance(got, Received), got
        assert not got.message.sender.verified


@pytest.mark.parametrize("name", [*BUILDERS, *MESSAGES])
def test_the_same_inputs_make_the_same(name: str) -> None:
    build = BUILDERS[name][0] if name in BUILDERS else MESSAGES[name]
    assert build(**call()) == build(**call())


@pytest.mark.parametrize("name", [*BUILDERS, *MESSAGES])
def test_what_is_made_is_served_under_its_id(name: str) -> None:
    build = BUILDERS[name][0] if name in BUILDERS else MESSAGES[name]
    out = build(**call())
    assert out.serve[out.activity["id"]] == out.activity
    assert all(document["id"] == own for own, document in out.serve.items())
    assert all(own.startswith(f"{BASE}/") for own in out.serve)
    assert all(json.loads(post.body) == out.activity for post in out.deliveries)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=40)
VISIBILITIES = st.sampled_from(["public", "unlisted", "followers", "direct"])


@given(text=WORDS, visibility=VISIBILITIES)
def test_every_post_is_taken_and_its_delete_reaches_the_same(text: str, visibility: Any) -> None:
    out = activitypub.post(f"x{text}", audience=replace(DIRECT, visibility=visibility), **call())
    got = read(out.deliveries[0], out)
    assert isinstance(got, Received), got
    assert got.message.sender.verified
    gone = activitypub.delete(served(out), to=[post.url for post in out.deliveries], **call())
    assert [post.url for post in gone.deliveries] == [post.url for post in out.deliveries]
    assert (gone.activity["to"], gone.activity["cc"]) == (out.activity["to"], out.activity["cc"])


@given(option=WORDS.filter(lambda text: text.strip() != ""))
def test_every_vote_that_is_cast_is_read(option: str) -> None:
    out = activitypub.vote(option, on=POLL, to=ALICE_ACTOR, **call())
    got = read(out.deliveries[0], out)
    assert isinstance(got, ReceivedActivity), got
    assert (got.type, got.object_id) == ("Vote", POLL)


@given(object_id=st.sampled_from([LIKED, BOB, "https://third.example/x?y=1#z", "urn:uuid:1"]))
def test_every_like_is_read_and_undone(object_id: str) -> None:
    out = activitypub.like(object_id, to=ALICE_ACTOR, **call())
    undone = activitypub.undo(served(out), to=ALICE_ACTOR, **call())
    got = read(undone.deliveries[0], undone)
    assert isinstance(got, ReceivedActivity), got
    assert got.inner is not None
    assert (got.inner.type, got.inner.object_id) == ("Like", object_id)
