from typing import Any

import pytest

from mentionable import Failed, Fetched, Limits, Rejected, Settings, UsageError, activitypub, drive
from mentionable.activitypub import Actor
from tests.activitypub.answering import INBOX, SHARED
from tests.activitypub.servers import ALICE, AS2, FINGER, World, actor, descriptor, fetched, finger

PAGE = "https://social.example/@alice"
DOCUMENT = actor(inbox=INBOX, endpoints={"sharedInbox": SHARED}, url=PAGE)
SPLIT = "https://example.org/.well-known/webfinger?resource=acct:alice@example.org"


def find(
    document: Any = None,
    jrd: Fetched | Failed | None = None,
    *,
    address: str = "@alice@social.example",
    limits: Limits = Limits(),  # noqa: B008
    **answers: Any,
) -> tuple[Any, list[str]]:
    page = (
        document
        if isinstance(document, (Fetched, Failed))
        else fetched(DOCUMENT if document is None else document, ALICE)
    )
    world = World(answers={ALICE: page, FINGER: jrd or finger(), **answers})
    return drive(activitypub.find_actor(address, settings=Settings(limits=limits)), world.answer), world.urls


def code(*given: Any, **answers: Any) -> str:
    found, _ = find(*given, **answers)
    assert isinstance(found, Rejected)
    assert found.problems
    return found.code


def test_somebody_is_found_by_their_address() -> None:
    found, urls = find()
    assert found == Actor(
        address="@alice@social.example", id=ALICE, inbox=INBOX, shared_inbox=SHARED, name="Alice", page=PAGE
    )
    assert urls == [FINGER, ALICE]


def test_what_they_do_not_say_is_left_out() -> None:
    for url in (None, "https://elsewhere.example/alice"):
        found, _ = find(actor(inbox=INBOX, name=None, url=url))
        assert found == Actor(address="@alice@social.example", id=ALICE, inbox=INBOX)


def test_an_address_of_another_domain_than_the_actor_is_confirmed_by_both() -> None:
    split: dict[str, Any] = {SPLIT: finger(descriptor("acct:alice@example.org"), SPLIT)}
    back = finger(descriptor("acct:alice@example.org"))
    found, urls = find(DOCUMENT, back, address="@alice@example.org", **split)
    assert (found.address, found.id) == ("@alice@example.org", ALICE)
    assert urls == [SPLIT, ALICE, FINGER, SPLIT]
    by_the_other, _ = find(DOCUMENT, back, **split)
    assert by_the_other == found


def test_nobody_can_be_named_by_another_domain() -> None:
    split: dict[str, Any] = {SPLIT: finger(descriptor("acct:alice@example.org"), SPLIT)}
    assert code(address="@alice@example.org", **split) == "actor-unknown"
    elsewhere = finger(descriptor(href="https://social.example/users/eve"))
    assert code(None, elsewhere, address="@alice@example.org", **split) == "actor-unknown"


@pytest.mark.parametrize(
    ("jrd", "expected"),
    [
        (Failed("timeout"), "actor-unresolvable"),
        (finger(status=503), "actor-unresolvable"),
        (finger(status=404), "actor-unknown"),
        (Failed("no such host", temporary=False), "actor-unknown"),
        (finger(descriptor("mailto:alice@social.example")), "actor-unknown"),
        (finger(descriptor(links=[])), "actor-unknown"),
        (finger(descriptor(href="http://social.example/users/alice")), "actor-unknown"),
        (finger(descriptor(href="https://127.0.0.1/users/alice")), "actor-unknown"),
        (finger(descriptor(href="https://social.example/" + "a" * 3_000)), "actor-unknown"),
        (finger(descriptor(links=[{"rel": "self", "type": "text/html", "href": ALICE}])), "actor-unknown"),
        (
            finger(descriptor(links=[{"rel": "me", "type": "application/activity+json", "href": ALICE}])),
            "actor-unknown",
        ),
    ],
    ids=range(11),
)
def test_what_the_domain_says_decides(jrd: Any, expected: str) -> None:
    assert code(None, jrd) == expected


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (Failed("timeout"), "actor-unresolvable"),
        (fetched(DOCUMENT, ALICE, status=503), "actor-unresolvable"),
        (fetched(DOCUMENT, ALICE, status=410), "actor-unknown"),
        (DOCUMENT | {"id": f"{ALICE}2"}, "actor-unknown"),
        (DOCUMENT | {"type": "Note"}, "actor-unknown"),
        (DOCUMENT | {"preferredUsername": "a/b"}, "actor-unknown"),
        (DOCUMENT | {"inbox": None}, "actor-unknown"),
        (DOCUMENT | {"inbox": "https://evil.example/inbox"}, "actor-unknown"),
    ],
    ids=range(8),
)
def test_what_the_actor_says_decides_too(document: Any, expected: str) -> None:
    assert code(document) == expected


def test_the_first_link_that_fits_is_taken() -> None:
    links = [
        {"rel": "self", "type": "application/json", "href": "https://social.example/x"},
        {"rel": "self", "type": f'application/ld+json; profile="{AS2}"', "href": ALICE},
        {"rel": "self", "type": "application/activity+json", "href": "https://social.example/y"},
    ]
    assert find(None, finger(descriptor(links=links)))[0].id == ALICE


def test_the_asks_are_bounded() -> None:
    found, urls = find(limits=Limits(asks=1))
    assert (found.code, urls) == ("actor-unknown", [FINGER])


@pytest.mark.parametrize("address", ["alice", "", None, "@a@b", 7])
def test_an_address_is_one(address: Any) -> None:
    with pytest.raises(UsageError, match="not an agent address"):
        activitypub.find_actor(address)


def test_settings_are_settings() -> None:
    with pytest.raises(UsageError, match="settings must be"):
        activitypub.find_actor("@alice@social.example", settings=None)  # type: ignore[arg-type]
