import pytest

from mentionable import Answers, Failed
from mentionable._flow.settings import Limits
from tests.a2a.tokens import GONE, HEADER, JWKS_URL, KEYS, P256, RSA_2, issuer, jwk, published, signed, token, verdict

ALL_STEPS = ("authorization", "token", "header", "key", "signature", "issuer", "audience", "time", "use", "subject")
B_KEYS = {"keys": [jwk(RSA_2, "k1")]}


def code_of(*arguments, **members):
    return verdict(*arguments, **members).code


FETCHED = issuer(jwks_url=JWKS_URL)


def test_keys_are_asked_for():
    world, asked = published(KEYS)
    assert verdict(token(), FETCHED, world=world).verified
    assert asked == [(JWKS_URL, "jwks", False)]


def test_keys_are_asked_for_anew_when_they_have_been_rotated():
    world, asked = published({"keys": []}, KEYS)
    got = verdict(token(), FETCHED, world=world)
    assert (got.verified, got.steps) == (True, ALL_STEPS)
    assert asked == [(JWKS_URL, "jwks", False), (JWKS_URL, "jwks", True)]


def test_keys_are_asked_for_anew_when_one_was_replaced():
    world, asked = published(B_KEYS, KEYS)
    assert verdict(token(), FETCHED, world=world).steps == ALL_STEPS
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [(token({"kid": "k9"}), "key-unknown"), (token(key=RSA_2), "bad-signature")],
    ids=["kid", "key"],
)
def test_keys_are_asked_for_anew_once(text, expected):
    world, asked = published(KEYS)
    assert code_of(text, FETCHED, world=world) == expected
    assert len(asked) == 2


def test_a_key_that_is_refused_is_not_asked_for_again():
    world, asked = published({"keys": [jwk(P256, "k1")]})
    assert code_of(token(), FETCHED, world=world) == "algorithm-refused"
    assert len(asked) == 1


def test_nothing_is_asked_for_a_token_that_cannot_be_read():
    world, asked = published(KEYS)
    for text in ("x", token({"alg": "none"}), token({"typ": "JWT"}), token({"jku": JWKS_URL}), signed(HEADER, "{")):
        assert not verdict(text, FETCHED, world=world).verified
    assert asked == []


def test_nothing_is_asked_for_a_token_of_a_stranger():
    world, asked = published(KEYS)
    for iss, expected in (("https://b.example/", "issuer-unknown"), (GONE, "claim-missing")):
        assert code_of(token(iss=iss), FETCHED, world=world) == expected
    assert asked == []


@pytest.mark.parametrize(
    ("facts", "expected", "temporary"),
    [
        ({"status": 404}, "key-unknown", False),
        ({"status": 410}, "key-unknown", False),
        ({"status": 503}, "key-unresolvable", True),
        ({"status": 204}, "key-unresolvable", False),
        ({"status": 429}, "key-unresolvable", True),
        ({"url": "https://evil.example/jwks.json"}, "key-unresolvable", False),
        ({"url": "http://login.example/jwks.json"}, "key-unresolvable", False),
        ({"url": "https://login.example:x@evil.example/jwks.json"}, "key-unresolvable", False),
        ({"url": "https://login.example:8443/jwks.json"}, "key-unresolvable", False),
        ({"content_type": "text/html"}, "key-unresolvable", False),
        ({"content_type": ""}, "key-unresolvable", False),
        ({"content_type": "application/json-seq"}, "key-unresolvable", False),
    ],
    ids=str,
)
def test_an_answer_that_holds_no_keys_says_so(facts, expected, temporary):
    world, _ = published(KEYS, **facts)
    got = verdict(token(), FETCHED, world=world)
    assert (got.code, got.temporary) == (expected, temporary)


@pytest.mark.parametrize(
    "facts",
    [
        {"content_type": "application/jwk-set+json"},
        {"content_type": "Application/JSON; charset=utf-8"},
        {"url": "https://LOGIN.example:443/other.json"},
    ],
    ids=str,
)
def test_odd_but_honest_answers_are_taken(facts):
    world, _ = published(KEYS, **facts)
    assert verdict(token(), FETCHED, world=world).verified


@pytest.mark.parametrize("body", ["[]", "{}", '{"keys":{}}', "{", b"\xff", " " * 262_145])
def test_keys_must_be_a_jwks(body):
    world, _ = published(body)
    got = verdict(token(), FETCHED, world=world)
    assert (got.code, got.temporary) == ("key-unresolvable", False)


def test_keys_keep_to_the_limit_of_documents():
    world, _ = published(KEYS)
    assert code_of(token(), FETCHED, world=world, limits=Limits(fetched_bytes=10)) == "key-unresolvable"


def test_keys_that_cannot_be_had_now_may_be_had_later():
    for temporary in (True, False):
        got = verdict(token(), FETCHED, world=Answers(fetch=lambda ask, t=temporary: Failed("down", temporary=t)))
        assert (got.code, got.detail, got.temporary) == ("key-unresolvable", "down", temporary)


def test_the_budget_holds():
    world, asked = published({"keys": []}, KEYS)
    assert code_of(token(), FETCHED, world=world, limits=Limits(asks=1)) == "key-unresolvable"
    assert len(asked) == 1


def test_an_issuer_without_keys_shows_nobody_by_a_jwt():
    assert code_of(token(), issuer(keys=None)) == "key-unknown"
