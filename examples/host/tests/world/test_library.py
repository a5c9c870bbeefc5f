"""The library asks, the Internet answers: deliveries of a server of the Fediverse, real ones and forged ones."""

import asyncio
import json
from datetime import UTC, datetime

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from mentionable import AsyncAnswers, HttpRequest, Rejected, SigningKey, activitypub, adrive, directory

HOST = "https://social.example"
ALICE = f"{HOST}/users/alice"


@pytest.fixture(scope="module")
def keys():
    """A key that Alice has published, and one that she has not."""
    made = [rsa.generate_private_key(65537, 2048) for _ in range(2)]
    pems = [one.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) for one in made]
    return [SigningKey.from_pem(pem, key_id=f"{ALICE}#main-key") for pem in pems]


def peer(reply, key):
    """A server with one actor."""
    actor = {
        "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
        "id": ALICE,
        "type": "Person",
        "preferredUsername": "alice",
        "inbox": f"{ALICE}/inbox",
        "publicKey": {"id": f"{ALICE}#main-key", "owner": ALICE, "publicKeyPem": key.public_pem},
    }
    self = {"rel": "self", "type": "application/activity+json", "href": ALICE}
    finger = {"subject": "acct:alice@social.example", "links": [self]}

    async def script(head, writer):
        if b"/.well-known/webfinger" in head:
            await reply(json.dumps(finger).encode(), "Content-Type: application/jrd+json")(head, writer)
        elif b"/users/alice " in head:
            await reply(json.dumps(actor).encode(), "Content-Type: application/activity+json")(head, writer)
        else:
            await reply(b"", status="404 Not Found")(head, writer)

    return script


def delivery(key, number, *, actor=ALICE):
    note = {"id": f"{HOST}/notes/{number}", "type": "Note", "attributedTo": actor, "content": "Hello"}
    create = {
        "@context": "https://www.w3.org/ns/activitystreams",
        "id": f"{HOST}/notes/{number}/activity",
        "type": "Create",
        "actor": actor,
        "to": ["https://agents.example/actors/helper"],
        "object": note,
    }
    headers = {"content-type": "application/activity+json"}
    request = HttpRequest(
        method="POST", url="https://agents.example/inbox", headers=headers, body=json.dumps(create).encode()
    )
    return activitypub.sign(request, key=key, now=datetime.now(UTC))


def receive(internet, request):
    answers = AsyncAnswers(
        fetch=internet.fetch,
        lookup_txt=internet.lookup_txt,
        find_agent=directory({"https://agents.example/actors/helper": "@helper@agents.example"}),
    )
    flow = activitypub.receive(request, now=internet.now(), entropy=internet.entropy())
    return adrive(flow, answers, gather=asyncio.gather)


def test_a_delivery_is_verified_over_the_network(web, reply, keys):
    web.place("127.0.0.2")
    web.server.script = peer(reply, keys[0])

    got = web.run(lambda internet: receive(internet, delivery(keys[0], 1)))

    assert got.message.sender.address == "@alice@social.example"
    assert got.message.sender.verified


def test_many_deliveries_ask_a_server_twice(web, reply, keys):
    web.place("127.0.0.2")
    web.server.script = peer(reply, keys[0])

    async def talk(internet):
        return await asyncio.gather(*(receive(internet, delivery(keys[0], number)) for number in range(20)))

    assert all(one.message.sender.verified for one in web.run(talk))
    assert len(web.server.requests) == 2


def test_forged_deliveries_ask_a_server_three_times_at_most(web, reply, keys):
    web.place("127.0.0.2")
    web.server.script = peer(reply, keys[0])

    async def talk(internet):
        return await asyncio.gather(*(receive(internet, delivery(keys[1], number)) for number in range(30)))

    for one in web.run(talk):
        assert isinstance(one, Rejected) or not one.message.sender.verified
    assert len(web.server.requests) <= 3


def test_forged_deliveries_of_a_dead_server_ask_it_once(web, keys):
    web.place("127.0.0.3")

    async def talk(internet):
        found = [await receive(internet, delivery(keys[1], 1))]
        found += [await receive(internet, delivery(keys[1], number)) for number in range(20)]
        return found

    for one in web.run(talk):
        assert isinstance(one, Rejected) or not one.message.sender.verified
    assert web.server.accepted == []
    assert len(web.dns.asked) == 2


def test_a_forged_delivery_does_not_lead_into_the_own_network(web, reply, keys):
    web.place("127.0.0.1")
    web.server.script = peer(reply, keys[0])

    got = web.run(lambda internet: receive(internet, delivery(keys[0], 1)), hosts=("127.0.0.1",))

    assert isinstance(got, Rejected) or not got.message.sender.verified
    assert web.server.accepted == []
