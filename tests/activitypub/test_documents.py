from typing import Any

import pytest

from mentionable import Failed, Limits
from mentionable.activitypub._read.documents import ACCEPT, Unreadable, fetch, is_activitystreams, read_document
from tests.activitypub.servers import ALICE, actor, fetched

LIMITS = Limits()


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("application/activity+json", True),
        (" Application/Activity+JSON ; charset=utf-8", True),
        ('application/ld+json; profile="https://www.w3.org/ns/activitystreams"', True),
        ("application/ld+json;charset=utf-8;profile=https://www.w3.org/ns/activitystreams", True),
        ('application/ld+json; profile="https://a.example https://www.w3.org/ns/activitystreams"', True),
        ('application/ld+json; x="a;b\\"; y=z"; profile="https://www.w3.org/ns/activitystreams";', True),
        ('application/ld+json;profile="https://www.w3.org/ns/activitystreams";charset=utf-8 ', True),
        ('application/ld+json; x="; profile=https://www.w3.org/ns/activitystreams"', False),
        ('application/ld+json; profile="https://www.w3.org/ns/activitystreams"; x="', False),
        ('application/ld+json; profile="https://www.w3.org/ns/activitystreams" x', False),
        ("application/ld+json", False),
        ("application/ld+json; charset=utf-8", False),
        ('application/ld+json; profile="https://www.w3.org/ns/other"', False),
        ('application/ld+json; profile=""', False),
        ("application/json", False),
        ("application/activity+jsonp", False),
        ("text/html; application/activity+json", False),
        ("", False),
    ],
)
def test_only_the_two_types_of_activitystreams_count(content_type: str, expected: bool) -> None:
    assert is_activitystreams(content_type) is expected


def test_a_document_under_its_own_url_is_taken() -> None:
    assert read_document(fetched(actor()), ALICE, limits=LIMITS) == actor()


def test_fragments_name_places_in_one_document() -> None:
    document = actor(f"{ALICE}#me")
    assert read_document(fetched(document, ALICE), f"{ALICE}#me", limits=LIMITS) == document


@pytest.mark.parametrize(
    "fragment", ["#" + "x" * 2048, "#\u0000", "#a b", "#\r\nx", "#\u00e9", "#<b>", "#\u202e"], ids=range(7)
)
def test_an_id_with_a_fragment_that_no_id_may_have_is_unreadable(fragment: str) -> None:
    found = read_document(fetched(actor(ALICE + fragment), ALICE), ALICE, limits=LIMITS)
    assert found == Unreadable("its id is none that may be carried")


def test_a_redirect_within_the_origin_is_taken_under_the_final_url() -> None:
    document = actor("https://social.example/ap/1")
    assert read_document(fetched(document), ALICE, limits=LIMITS) == document


@pytest.mark.parametrize(
    ("answer", "reason", "temporary"),
    [
        (Failed("timeout"), "not answered: timeout", True),
        (Failed("refused", temporary=False), "not answered: refused", False),
        (fetched(actor(), status=404), "status 404", False),
        (fetched(actor(), status=410), "status 410", False),
        (fetched(actor(), status=503), "status 503", True),
        (fetched(actor(), status=429), "status 429", True),
        (fetched(actor(), content_type="application/json"), "not ActivityStreams by its content type", False),
        (fetched(actor(), "https://evil.example/users/alice"), "it came from another origin", False),
        (fetched(actor(), "http://social.example/users/alice"), "it came from another origin", False),
        (fetched(b"[]", ALICE), "not a JSON object", False),
        (fetched(b"{", ALICE), "invalid-json; not JSON at character 1", False),
        (fetched({"id": ALICE}), "json-ld-refused; /@context: the ActivityStreams context is missing", False),
        (fetched(actor("https://social.example/users/eve"), ALICE), "its id is not the URL that it came from", False),
        (fetched(actor() | {"id": 5}, ALICE), "its id is not the URL that it came from", False),
    ],
)
def test_a_document_that_is_not_what_its_url_promised_is_unreadable(answer: Any, reason: str, temporary: bool) -> None:
    found = read_document(answer, ALICE, limits=LIMITS)
    assert isinstance(found, Unreadable)
    assert (found.reason, found.temporary) == (reason, temporary)
    assert found.is_gone == (reason in ("status 404", "status 410"))


def test_a_document_over_the_limit_is_unreadable() -> None:
    found = read_document(fetched(actor()), ALICE, limits=Limits(fetched_bytes=50))
    assert isinstance(found, Unreadable)
    assert found.reason.startswith("too-large")


def test_an_ask_carries_the_accept_header_and_the_bound() -> None:
    ask = fetch(ALICE, "actor", limits=Limits(fetched_bytes=50))
    assert (ask.url, ask.accept, ask.purpose, ask.fresh, ask.max_bytes) == (ALICE, ACCEPT, "actor", False, 50)
