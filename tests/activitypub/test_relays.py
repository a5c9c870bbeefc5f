"""Relays pass on what others wrote: by an Announce of their own actor, or by the activity itself."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import HttpRequest, SigningKey, activitypub
from mentionable.activitypub import ReceivedActivity, receive_object
from tests.activitypub.servers import (
    ALICE,
    AS2,
    ENTROPY,
    HELPER,
    NOTE,
    NOW,
    PUBLIC,
    World,
    actor,
    codes,
    create,
    descriptor,
    fetched,
    finger,
    keyed,
    note,
    private_pem,
    taken,
)
from tests.activitypub.signing import post, proven, signed, world

RELAY = "https://relay.example/actor"
KEY = SigningKey.from_pem(private_pem(), key_id=f"{RELAY}#main-key")
EDDSA = SigningKey.from_seed(bytes([7]) * 32, key_id=f"{RELAY}#ed25519-key")
AGENT = "@helper@agents.example"
FINGER = "https://relay.example/.well-known/webfinger?resource=acct:relay@relay.example"


def around(*documents: dict[str, Any]) -> World:
    """Alice's server, and a relay with its keys and its address."""
    where = world()
    key = {"id": KEY.key_id, "owner": RELAY, "publicKeyPem": KEY.public_pem}
    more = {"id": EDDSA.key_id, "type": "Multikey", "controller": RELAY, "publicKeyMultibase": EDDSA.public_multikey}
    relay = actor(RELAY, type="Application", preferredUsername="relay", inbox="https://relay.example/inbox")
    where.web[RELAY] = fetched(relay | {"publicKey": key, "assertionMethod": [more]})
    where.web[FINGER] = finger(descriptor("acct:relay@relay.example", RELAY), FINGER)
    where.web |= {document["id"]: fetched(document) for document in documents}
    return where


def announce(about: Any, **members: Any) -> dict[str, Any]:
    return {
        "@context": AS2,
        "id": "https://relay.example/activities/1",
        "type": "Announce",
        "actor": RELAY,
        "to": ["https://relay.example/followers"],
        "object": about,
    } | members


def receive(where: World, request: HttpRequest) -> Any:
    return where.drive(activitypub.receive(request, now=NOW, entropy=ENTROPY))


def public(**members: Any) -> dict[str, Any]:
    return note(**({"@context": AS2, "to": [PUBLIC]} | members))


@pytest.mark.parametrize(
    ("about", "named"),
    [
        (NOTE, NOTE),
        ([NOTE], NOTE),
        (create(public(), to=[PUBLIC]), f"{NOTE}/activity"),
        (public(content="<p>Other words</p>"), NOTE),
    ],
)
def test_what_a_relay_announces_is_read_from_its_author(about: Any, named: str) -> None:
    where = around(public(), create(public(), to=[PUBLIC]))
    event = receive(where, signed(announce(about), key=KEY))
    assert isinstance(event, ReceivedActivity)
    assert (event.type, event.actor.address, event.object_ids) == ("Announce", "@relay@relay.example", (named,))
    flow = receive_object(event.object_ids[0], recipient=AGENT, now=NOW, entropy=ENTROPY)
    got = taken(where.drive(flow))
    assert (got.message.sender.address, got.verdict.code) == ("@alice@social.example", "origin-only")
    assert [part.content for part in got.message.parts if part.kind == "text"] == ["<p>Hello</p>"]


def test_the_activity_inside_an_announce_is_named() -> None:
    event = receive(around(), signed(announce(create(public())), key=KEY))
    assert isinstance(event, ReceivedActivity)
    assert event.inner is not None
    assert (event.inner.type, event.inner.actor_id, event.inner.object_id) == ("Create", ALICE, NOTE)


def test_the_signature_of_a_relay_verifies_no_author() -> None:
    got = taken(receive(around(), signed(create(), key=KEY)))
    assert (got.verdict.verified, got.verdict.code, got.message.sender.verified) == (False, "key-mismatch", False)
    assert got.identities == ()


def test_a_proof_of_the_author_verifies_the_author_under_the_signature_of_a_relay() -> None:
    got = taken(receive(around(), signed(proven(), key=KEY)))
    assert (got.verdict.verified, got.verdict.method) == (True, "ap-object-integrity-proof")
    assert (got.verdict.address, got.message.sender.address) == ("@alice@social.example", "@alice@social.example")
    assert got.verdict.addressed == (AGENT,)


def test_a_proof_by_a_relay_verifies_no_author() -> None:
    whole = activitypub.sign_object(create(), key=EDDSA, now=NOW)
    got = taken(receive(around(), signed(whole, key=KEY)))
    assert (got.verdict.verified, got.verdict.code) == (False, "key-mismatch")


def test_a_changed_activity_is_not_its_author_s_whoever_signs_the_request() -> None:
    got = taken(receive(around(), signed(proven() | {"to": [HELPER, PUBLIC]}, key=KEY)))
    assert (got.verdict.verified, got.verdict.code) == (False, "bad-signature")


def test_a_json_ld_signature_beside_that_of_a_relay_counts_for_nothing() -> None:
    signature = {"type": "RsaSignature2017", "creator": f"{ALICE}#main-key", "signatureValue": "AAAA"}
    got = taken(receive(around(), signed(create(signature=signature), key=KEY)))
    assert (got.verdict.verified, got.verdict.code) == (False, "key-mismatch")
    proof = taken(receive(around(), post(proven() | {"signature": signature})))
    assert proof.verdict.verified


def test_an_event_that_a_relay_forwards_is_its_author_s_by_a_proof_alone() -> None:
    where = around()
    where.web[ALICE] = fetched(keyed(inbox=f"{ALICE}/inbox"))
    like = {"@context": AS2, "id": "https://social.example/likes/1", "type": "Like", "actor": ALICE, "object": NOTE}
    assert receive(where, signed(like, key=KEY)).code == "verification-required"
    event = receive(where, signed(proven(like), key=KEY))
    assert isinstance(event, ReceivedActivity)
    assert event.actor.address == "@alice@social.example"
    assert codes(event.diagnostics) == []
