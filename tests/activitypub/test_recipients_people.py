from typing import Any

import pytest

from mentionable import Limits, UsageError, replace
from mentionable.activitypub import Actor
from mentionable.activitypub._write.question import question_of
from mentionable.activitypub._write.recipients import _inboxes_in, recipients_of
from tests.activitypub.answering import ASKER, BOB_ACTOR, INBOX, MESSAGE, SHARED, asked
from tests.activitypub.servers import ALICE, BOB, HELPER


def people(message: Any = MESSAGE, siblings: Any = (), limits: Limits = Limits()) -> Any:  # noqa: B008
    return recipients_of(message, question_of(message, limits=limits), siblings, own=HELPER, limits=limits)


def test_who_asked_comes_first() -> None:
    alice, bob = people(siblings=[BOB_ACTOR])
    assert (alice.address, alice.id, alice.inbox, alice.shared_inbox) == (
        "@alice@social.example",
        ALICE,
        INBOX,
        SHARED,
    )
    assert (bob.address, bob.id, bob.inbox) == ("@bob@other.example", BOB, f"{BOB}/inbox")


def test_everybody_is_there_once_and_the_agent_not_at_all() -> None:
    again = Actor(address="@alice@social.example", id=ALICE, inbox=f"{ALICE}/other-inbox")
    self_made = Actor(address="@helper@agents.example", id=HELPER, inbox=f"{HELPER}/inbox")
    found = people(siblings=(again, BOB_ACTOR, self_made, BOB_ACTOR))
    assert [(person.id, person.inbox) for person in found] == [(ALICE, INBOX), (BOB, f"{BOB}/inbox")]


def test_a_mention_leads_to_the_page_of_the_asker_when_it_is_of_their_host() -> None:
    assert people()[0].page == ALICE
    for page, shown in (("https://social.example/@alice", None), ("https://evil.example/", ALICE)):
        message = asked(who=ASKER | {"url": page})
        assert people(message)[0].page == (shown or page)
    assert people(replace(MESSAGE, sender=replace(MESSAGE.sender, profile=None)))[0].page == ALICE


def test_a_mention_leads_to_the_page_of_a_sibling() -> None:
    paged = replace(BOB_ACTOR, page="https://other.example/@bob")
    assert [person.page for person in people(siblings=[paged, BOB_ACTOR])][1] == "https://other.example/@bob"
    assert people(siblings=[BOB_ACTOR])[1].page == BOB


@pytest.mark.parametrize(
    ("document", "found"),
    [
        ({}, (None, None)),
        ({"inbox": INBOX}, (INBOX, None)),
        ({"inbox": INBOX, "endpoints": {"sharedInbox": SHARED}}, (INBOX, SHARED)),
        ({"inbox": "https://evil.example/inbox", "endpoints": {"sharedInbox": "https://evil.example/"}}, (None, None)),
        ({"inbox": "http://social.example/inbox", "endpoints": SHARED}, (None, None)),
        ({"inbox": "https://127.0.0.1/inbox", "endpoints": {"sharedInbox": [SHARED]}}, (None, None)),
        ({"inbox": {"id": INBOX}, "endpoints": {}}, (None, None)),
    ],
    ids=range(7),
)
def test_only_inboxes_of_the_actors_origin_count(document: dict[str, Any], found: Any) -> None:
    assert _inboxes_in(document, "social.example") == found


@pytest.mark.parametrize("siblings", [BOB_ACTOR, ["@bob@other.example"], [BOB], "@bob@other.example", [None]])
def test_siblings_are_actors(siblings: Any) -> None:
    with pytest.raises(UsageError, match="siblings "):
        people(siblings=siblings)


def test_siblings_are_bounded() -> None:
    with pytest.raises(UsageError, match="siblings: more than 1"):
        people(siblings=[BOB_ACTOR] * 2, limits=Limits(tags=2))


@pytest.mark.parametrize(
    "members",
    [
        {"address": "bob@other.example"},
        {"address": None},
        {"id": "http://other.example/bob"},
        {"id": None},
        {"inbox": None},
        {"inbox": "https://elsewhere.example/inbox"},
        {"shared_inbox": "https://127.0.0.1/"},
        {"shared_inbox": 7},
        {"page": "javascript:x"},
        {"page": 7},
    ],
    ids=range(10),
)
def test_an_actor_can_be_written_to(members: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"Actor\."):
        replace(BOB_ACTOR, **members)


def test_the_public_is_nobody() -> None:
    public = "https://www.w3.org/ns/activitystreams#Public"
    with pytest.raises(UsageError, match=r"Actor\.id"):
        Actor(address="@b@www.w3.org", id=public, inbox="https://www.w3.org/inbox")
