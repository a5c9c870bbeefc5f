from typing import Any

import pytest

from mentionable import SigningKey, UsageError, activitypub, drive
from tests.activitypub.answering import KEY, OBJECTS, answer, received
from tests.activitypub.servers import AS2, HELPER, World, fetched

ADDRESS = "@helper@agents.example"
FINGER = "https://agents.example/.well-known/webfinger?resource=acct:helper@agents.example"


FEATURED = {"toot": "http://joinmastodon.org/ns#", "featured": {"@id": "toot:featured", "@type": "@id"}}


def document(**given: Any) -> dict[str, Any]:
    call: dict[str, Any] = {"address": ADDRESS, "url": HELPER, "keys": KEY} | given
    return activitypub.actor(**call)


def test_the_least_that_an_actor_says() -> None:
    assert document() == {
        "@context": [AS2, "https://w3id.org/security/v1", FEATURED],
        "id": HELPER,
        "type": "Service",
        "preferredUsername": "helper",
        "inbox": f"{HELPER}/inbox",
        "outbox": f"{HELPER}/outbox",
        "followers": f"{HELPER}/followers",
        "following": f"{HELPER}/following",
        "featured": f"{HELPER}/featured",
        "publicKey": {"id": KEY.key_id, "owner": HELPER, "publicKeyPem": KEY.public_pem},
    }


def test_all_that_an_actor_can_say() -> None:
    found = document(
        keys=[OBJECTS],
        name=" The\nhelper\u202e ",
        summary="Helps <people>.",
        icon="https://agents.example/a.png",
        page="https://agents.example/helper",
        shared_inbox="https://agents.example/inbox",
    )
    multikey = ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"]
    assert found["@context"] == [AS2, *multikey, FEATURED]
    assert "publicKey" not in found
    assert found["assertionMethod"] == [
        {
            "id": OBJECTS.key_id,
            "type": "Multikey",
            "controller": HELPER,
            "publicKeyMultibase": OBJECTS.public_multikey,
        }
    ]
    assert (found["name"], found["summary"]) == ("The helper", "<p>Helps &lt;people&gt;.</p>")
    assert found["icon"] == {"type": "Image", "url": "https://agents.example/a.png"}
    assert found["url"] == "https://agents.example/helper"
    assert found["endpoints"] == {"sharedInbox": "https://agents.example/inbox"}


def test_several_keys_of_a_kind_are_a_list() -> None:
    other = SigningKey(key_id=f"{HELPER}#next", kind="rsa", native=KEY.native)
    found = document(keys=(KEY, OBJECTS, other))["publicKey"]
    assert [key["id"] for key in found] == [KEY.key_id, other.key_id]


def test_the_domain_of_an_agent_links_its_actor() -> None:
    link = {"rel": "self", "type": "application/activity+json", "href": HELPER}
    page = "https://agents.example/helper"
    assert activitypub.webfinger(ADDRESS, url=HELPER) == {
        "subject": "acct:helper@agents.example",
        "aliases": [HELPER],
        "links": [link],
    }
    paged = activitypub.webfinger(ADDRESS, url=HELPER, page=page)
    assert paged["aliases"] == [HELPER, page]
    assert paged["links"][1] == {"rel": "http://webfinger.net/rel/profile-page", "type": "text/html", "href": page}


def test_what_is_published_is_found_and_verified() -> None:
    jrd = activitypub.webfinger(ADDRESS, url=HELPER)
    world = World(
        answers={
            HELPER: fetched(document(name="Helper", page="https://agents.example/@helper")),
            FINGER: fetched(jrd, FINGER, content_type="application/jrd+json"),
        }
    )
    assert drive(activitypub.find_actor(ADDRESS), world.answer) == activitypub.Actor(
        address=ADDRESS,
        id=HELPER,
        inbox=f"{HELPER}/inbox",
        name="Helper",
        page="https://agents.example/@helper",
    )
    got = received(answer("Hello").deliveries[0])
    assert (got.message.sender.verified, got.message.sender.address) == (True, ADDRESS)


@pytest.mark.parametrize(
    "given",
    [
        {"address": "helper"},
        {"url": "http://agents.example/helper"},
        {"url": f"{HELPER}/"},
        {"url": f"{HELPER}?x"},
        {"url": f"{HELPER}#x"},
        {"url": None},
        {"keys": ()},
        {"keys": (KEY, KEY)},
        {"keys": ("key",)},
        {"keys": 5},
        {"name": 5},
        {"summary": b"Rain"},
        {"keys": SigningKey(key_id=HELPER, kind="rsa", native=KEY.native)},
        {"keys": SigningKey(key_id=f"{HELPER}2#key", kind="rsa", native=KEY.native)},
        {"shared_inbox": "https://elsewhere.example/inbox"},
        {"shared_inbox": 7},
        {"icon": "javascript:x"},
        {"page": 7},
    ],
    ids=range(18),
)
def test_an_actor_that_nobody_could_use_is_not_made(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        document(**given)


@pytest.mark.parametrize("given", [{"address": "x"}, {"url": "x"}, {"page": "x"}])
def test_a_descriptor_that_nobody_could_use_is_not_made(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        activitypub.webfinger(**({"address": ADDRESS, "url": HELPER} | given))


def test_the_name_of_an_actor_is_plain() -> None:
    assert document(address="@50%25@agents.example")["preferredUsername"] == "50%"
    with pytest.raises(UsageError, match="plain ASCII"):
        document(address="@j%C3%B6rg@agents.example")
