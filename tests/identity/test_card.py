from __future__ import annotations

import pytest

from mentionable import Failed, Fetched, UseOnce
from tests.identity.issuer import JSON, World, trusting, verified
from tests.vectors._identity_rows import CARD, CARD_URL, ENTRY, OLD_KEY, OTHER_HOST, card, jwk, signed

OLD = card(expires_at="2026-11-21T00:00:00Z")
UNKNOWN = card(jwk(OLD_KEY, "2026-10"))


def test_the_card_is_asked_for_once_and_then_the_replay_guard():
    world = World()
    verified(signed(), world)
    ask, used = world.asked
    assert (ask.url, ask.accept, ask.purpose, ask.fresh, ask.max_bytes) == (
        CARD_URL,
        JSON,
        "connector-card",
        False,
        65_536,
    )
    assert isinstance(used, UseOnce)


@pytest.mark.parametrize("stale", [OLD, UNKNOWN])
def test_a_newer_card_is_asked_for_once(stale):
    world = World(stale, CARD)
    assert verified(signed(), world).subject == "slack:T123/U456"
    assert [ask.fresh for ask in world.asked[:-1]] == [False, True]
    world = World(stale)
    assert verified(signed(), world).step in ("card", "key")
    assert len(world.asked) == 2


@pytest.mark.parametrize("spoiled", [card(jwk(revoked_at="2026-11-01T00:00:00Z")), card(issuer=OTHER_HOST)])
def test_no_other_fault_asks_again(spoiled):
    world = World(spoiled, CARD)
    verified(signed(), world)
    assert len(world.asked) == 1


@pytest.mark.parametrize(
    ("answer", "code", "temporary"),
    [
        (Failed("down"), "card-unavailable", True),
        (Fetched(url=CARD_URL, status=404, content_type=JSON, body=b"{}"), "card-unavailable", True),
        (Fetched(url=CARD_URL, status=200, content_type="text/html", body=b"{}"), "card-unavailable", True),
        (Fetched(url=CARD_URL, status=200, content_type=JSON, body=b"{}"), "card-invalid", False),
        (Fetched(url=CARD_URL, status=200, content_type=JSON, body=b"x" * 100_000), "card-invalid", False),
        (card(issuer=OTHER_HOST), "card-issuer-mismatch", False),
        (card(jwk(not_after="2026-11-21T20:00:00Z")), "key-retired", False),
        (card(jwk(not_before="2026-11-21T20:59:00Z")), "key-not-yet-valid", False),
        (card(jwk(use="enc")), "key-use-mismatch", False),
        (card(jwk(kty="RSA")), "key-type-mismatch", False),
        (OLD, "card-expired", True),
        (UNKNOWN, "key-unknown", False),
    ],
)
def test_each_fault_has_its_code(answer, code, temporary):
    found = verified(signed(), World(answer))
    assert (found.code, found.temporary) == (code, temporary)


def test_a_card_from_elsewhere_is_refused():
    assert verified(signed(), World(url=CARD_URL + "?x")).code == "card-origin-mismatch"


def test_a_pinned_key_must_be_the_one():
    pinned = trusting({**ENTRY, "thumbprints": ["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"]})
    assert verified(signed(), settings=pinned).code == "key-pin-mismatch"


def test_a_key_within_its_window_is_good():
    window = jwk(not_before="2026-11-21T20:00:00Z", not_after="2026-11-21T21:00:00Z")
    assert verified(signed(), World(card(window))).key_id == "2026-11"
