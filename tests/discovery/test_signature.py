"""Signatures on A2A cards."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Rejected, SigningKey, UsageError, replace
from mentionable import Settings as AnySettings
from mentionable._flow.settings import Limits
from mentionable.discovery import (
    AgentExtension,
    Capabilities,
    SecurityScheme,
    Settings,
    VerifiedCard,
    sign_card,
    verify_card,
    write_a2a_card,
)
from tests.discovery.cards import (
    A2A,
    DOMAIN,
    ED25519,
    ED25519_JWK,
    KEYS,
    P256_JWK,
    RSA_JWK,
    V03,
    encoded,
    jws,
    pinned,
    sample,
)

OURS = pinned(ED25519_JWK)
ALL = pinned(ED25519_JWK, P256_JWK, RSA_JWK)
SIGNED = sign_card(A2A, key=ED25519)
PLAIN = write_a2a_card(A2A)
CANONICAL = json.dumps(PLAIN, separators=(",", ":"), sort_keys=True).encode()


def verify(card, settings=ALL, domain=DOMAIN):
    return verify_card(card, domain=domain, settings=settings)


def with_signatures(*signatures, card=PLAIN):
    return {**card, "signatures": list(signatures)}


def code_of(found):
    assert isinstance(found, Rejected), found
    return found.code


def test_what_is_signed_here_verifies_here():
    found = verify(json.dumps(SIGNED).encode(), OURS)
    assert isinstance(found, VerifiedCard)
    assert found.card == A2A
    assert found.document == PLAIN
    assert (found.domain, found.key_id, found.algorithm, found.form) == (DOMAIN, "card-1", "EdDSA", "without-empties")


def test_the_header_says_how():
    protected = SIGNED["signatures"][0]["protected"]
    header = json.loads(urlsafe_b64decode(protected + "=" * (-len(protected) % 4)))
    assert header == {"alg": "EdDSA", "kid": "card-1", "typ": "JOSE"}
    assert SIGNED["signatures"][0].keys() == {"protected", "signature"}


def test_an_rsa_key_signs_too():
    key = SigningKey.from_pem((KEYS / "a2a-rsa.pem").read_text(), key_id="rsa")
    found = verify(sign_card(A2A, key=key))
    assert (found.key_id, found.algorithm) == ("rsa", "RS256")


@pytest.mark.parametrize(("alg", "kid"), [("ES256", "k1"), ("RS256", "rsa"), ("EdDSA", "card-1")])
def test_signatures_of_every_family_are_taken(alg, kid):
    found = verify(with_signatures(jws(CANONICAL, alg=alg, kid=kid)))
    assert (found.key_id, found.algorithm, found.card) == (kid, alg, A2A)


def test_a_second_signature_is_added():
    other = SigningKey.from_seed(bytes(32), key_id="card-2")
    twice = sign_card(SIGNED, key=other)
    assert twice["signatures"][0] == SIGNED["signatures"][0]
    assert verify(twice, OURS).key_id == "card-1"
    assert verify(twice, pinned({**other.public_jwk, "alg": "EdDSA"})).key_id == "card-2"


def test_the_card_that_was_given_is_not_changed():
    before = json.dumps(PLAIN)
    sign_card(PLAIN, key=ED25519)
    assert json.dumps(PLAIN) == before


# --- what is not covered does not survive


def test_the_url_for_older_clients_does_not_survive():
    hybrid = sign_card(write_a2a_card(A2A, form="hybrid"), key=ED25519)
    hybrid["url"] = "https://evil.example/a2a"
    hybrid["additionalInterfaces"] = [{"url": "https://evil.example/rest", "transport": "HTTP+JSON"}]
    found = verify(hybrid, OURS)
    assert "evil" not in json.dumps(found.document)
    assert [one.url for one in found.card.interfaces] == [one.url for one in A2A.interfaces]


def test_empties_that_somebody_added_do_not_survive():
    found = verify({**SIGNED, "securityRequirements": [{"schemes": {"evil": {"list": []}}}], "later": 1}, OURS)
    assert found.document == PLAIN


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Other"},
        {"iconUrl": "https://evil.example"},
        {"supportedInterfaces": [{**PLAIN["supportedInterfaces"][0], "url": "https://evil.example"}]},
        {"supportedInterfaces": PLAIN["supportedInterfaces"][::-1]},
        {"capabilities": {"streaming": False}},
        {"securityRequirements": [{"schemes": {"evil": {"list": ["x"]}}}]},
        {"skills": []},
    ],
)
def test_what_is_covered_cannot_be_changed(change):
    assert code_of(verify({**SIGNED, **change}, OURS)) == "agent-card-signature-invalid"


@given(st.sampled_from(sorted(PLAIN)), st.none() | st.booleans() | st.text(max_size=3) | st.lists(st.text(max_size=2)))
def test_any_change_costs_the_signature_or_nothing(name, value):
    found = verify({**SIGNED, name: value}, OURS)
    assert isinstance(found, Rejected) or found.document == PLAIN


# --- forms


def test_the_form_of_the_text_verifies_too():
    card = {**PLAIN, "description": "", "skills": []}
    signed = json.dumps(card, separators=(",", ":"), sort_keys=True).encode()
    found = verify(with_signatures(jws(signed), card=card))
    assert (found.form, found.card.description) == ("with-required-empties", "")


@pytest.mark.parametrize(("name", "form"), [("py1", "without-empties"), ("py03", "without-defaults")])
def test_cards_that_the_python_libraries_signed_verify(name, form):
    body = sample(f"{name}_signed_card.json")
    found = verify(body)
    assert (found.form, found.key_id, found.algorithm) == (form, "k1", "ES256")
    assert code_of(verify(body.replace(b"https://agents.example", b"https://bgents.example"))).endswith("invalid")
    assert "url" in found.document or name == "py1"


# --- refusals, each by its own code


def test_a_card_without_a_signature_is_told():
    for card in (PLAIN, with_signatures(), {**PLAIN, "signatures": None}):
        assert code_of(verify(card)) == "agent-card-unsigned"


GOOD = jws(CANONICAL)


@pytest.mark.parametrize(
    "signature",
    [
        5,
        {},
        {"protected": GOOD["protected"]},
        {"protected": 5, "signature": GOOD["signature"]},
        {**GOOD, "protected": GOOD["protected"] + "="},
        {**GOOD, "protected": "é"},
        {**GOOD, "protected": encoded(b"{")},
        {**GOOD, "protected": encoded(b"[]")},
        {**GOOD, "protected": encoded(b'{"alg":"ES256"}')},
        {**GOOD, "protected": encoded(b'{"alg":"ES256","kid":5}')},
        {**GOOD, "protected": encoded(b'{"alg":"ES256","kid":""}')},
        {**GOOD, "protected": encoded(b'{"alg":"ES256","kid":"k1","kid":"k2"}')},
        {**GOOD, "signature": GOOD["signature"] + "="},
        {**GOOD, "signature": "a"},
        {**GOOD, "signature": ""},
        {**GOOD, "signature": "A" * 10_000},
    ],
)
def test_a_signature_that_cannot_be_read(signature):
    assert code_of(verify(with_signatures(signature))) == "agent-card-signature-malformed"


def test_signatures_are_a_short_array():
    assert code_of(verify({**PLAIN, "signatures": GOOD})) == "agent-card-signature-malformed"
    assert code_of(verify(with_signatures(*[GOOD] * 9))) == "agent-card-signature-malformed"
    assert isinstance(verify(with_signatures(*[{}] * 7, GOOD)), VerifiedCard)


@pytest.mark.parametrize("member", ["jwk", "x5c", "x5u", "crit", "b64"])
def test_a_header_that_brings_a_key_or_changes_the_rules(member):
    assert code_of(verify(with_signatures(jws(CANONICAL, **{member: "x"})))) == "agent-card-header-forbidden"


def test_where_keys_lie_is_never_followed():
    found = verify(with_signatures(jws(CANONICAL, jku="https://evil.example/jwks")))
    assert isinstance(found, VerifiedCard)


@pytest.mark.parametrize(
    ("kind", "taken"), [("JOSE", True), ("jose", True), ("JO\u017fE", False), (None, True), ("JWT", False), (5, False)]
)
def test_the_type_says_what_it_was_made_for(kind, taken):
    found = verify(with_signatures(jws(CANONICAL, typ=kind)))
    assert isinstance(found, VerifiedCard) if taken else code_of(found) == "agent-card-type-refused"


@pytest.mark.parametrize("alg", ["none", "HS256", "ES256K", "RS512", None, 5])
def test_only_algorithms_that_are_named_are_taken(alg):
    assert code_of(verify(with_signatures(jws(CANONICAL, alg=alg)))) == "agent-card-algorithm-refused"


def test_algorithms_are_yours_to_name():
    assert code_of(verify(with_signatures(GOOD), pinned(P256_JWK, card_algorithms=("EdDSA",)))).endswith("refused")
    assert isinstance(verify(with_signatures(GOOD), pinned(P256_JWK, card_algorithms=("ES256",))), VerifiedCard)


@pytest.mark.parametrize("alg", ["EdDSA", "Ed25519"])
@pytest.mark.parametrize("of_key", ["EdDSA", "Ed25519", None])
def test_ed25519_has_two_names(alg, of_key):
    key = {name: member for name, member in {**ED25519.public_jwk, "alg": of_key}.items() if member}
    found = verify(with_signatures(jws(CANONICAL, alg=alg, kid="card-1")), pinned(key))
    assert (found.key_id, found.algorithm) == ("card-1", alg)


def test_a_key_of_another_algorithm_is_told_without_a_word_of_tokens():
    found = verify(SIGNED, pinned({**ED25519_JWK, "alg": "ES256"}))
    assert (found.code, "token" in str(found.problems)) == ("agent-card-algorithm-refused", False)


def test_the_algorithm_fits_its_key():
    assert code_of(verify(with_signatures(jws(CANONICAL, kid="rsa")))) == "agent-card-algorithm-refused"


def test_the_key_is_one_that_is_pinned_for_the_domain():
    assert code_of(verify(with_signatures(jws(CANONICAL, kid="k2")))) == "agent-card-key-unknown"
    assert code_of(verify(with_signatures(GOOD), domain="other.example")) == "agent-card-key-unknown"
    assert code_of(verify(with_signatures(GOOD), AnySettings())) == "agent-card-key-unknown"


def test_a_weak_key_is_refused():
    weak = pinned({**ED25519_JWK, "x": "A" * 43})
    assert code_of(verify(SIGNED, weak)) == "agent-card-key-refused"


def test_another_key_of_the_same_name_does_not_fit():
    other = SigningKey.from_seed(bytes(32), key_id="card-1")
    assert code_of(verify(SIGNED, pinned({**other.public_jwk, "alg": "EdDSA"}))) == "agent-card-signature-invalid"


def test_the_unprotected_header_counts_for_nothing():
    signature = {**jws(CANONICAL, kid="k2"), "header": {"kid": "k1", "alg": "none"}}
    assert code_of(verify(with_signatures(signature))) == "agent-card-key-unknown"
    assert isinstance(verify(with_signatures({**GOOD, "header": {"kid": "k2"}})), VerifiedCard)


def test_the_signature_that_came_furthest_tells_why():
    worse = jws(CANONICAL, alg="none")
    bad = jws(b"{}")
    found = verify(with_signatures(worse, bad, {}))
    assert code_of(found) == "agent-card-signature-invalid"
    assert found.problems[0].at == "/signatures/1"


@pytest.mark.parametrize(
    ("card", "code"),
    [
        (b"[]", "wrong-type"),
        (b"{", "invalid-json"),
        ({"signatures": [{}]}, "malformed"),
        ({**SIGNED, "name": 5}, "malformed"),
        ({**SIGNED, "capabilities": {"extensions": [{"params": {"n": 2**60}}]}}, "not-canonical"),
    ],
)
def test_what_is_no_card_is_refused(card, code):
    assert code_of(verify(card)) == code


def test_what_is_signed_must_be_a_card():
    card = {"supportedInterfaces": [], "name": "x"}
    found = verify(with_signatures(jws(b'{"name":"x"}'), card=card))
    assert code_of(found) == "malformed"


def test_a_large_card_is_refused():
    assert code_of(verify(b" " * 300_000 + b"{}")) == "too-large"
    small = replace(OURS, limits=Limits(fetched_bytes=10))
    assert code_of(verify(json.dumps(SIGNED).encode(), small)) == "too-large"


@pytest.mark.parametrize("domain", ["Agents.example", "https://agents.example", "", None])
def test_a_domain_is_one(domain):
    with pytest.raises(UsageError, match="domain"):
        verify_card(SIGNED, domain=domain, settings=OURS)


# --- signing


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ({}, "supportedInterfaces"),
        ([], "supportedInterfaces"),
        (write_a2a_card(A2A, form="0.3"), "supportedInterfaces"),
        ({**PLAIN, "description": ""}, "/description must not be empty"),
        ({**PLAIN, "skills": []}, "/skills must not be empty"),
        (replace(A2A, capabilities=Capabilities()), "/capabilities must not be empty"),
        ({**PLAIN, "name": 5}, "malformed"),
        (
            replace(A2A, capabilities=Capabilities(extensions=(AgentExtension(uri="x", params={"n": 2**60}),))),
            "not-canonical",
        ),
    ],
)
def test_only_cards_that_everybody_reads_alike_are_signed(card, words):
    with pytest.raises(UsageError, match=words):
        sign_card(card, key=ED25519)


def test_only_keys_sign():
    with pytest.raises(UsageError, match="SigningKey"):
        sign_card(A2A, key="secret")


def test_schemes_and_extensions_are_covered():
    rich = replace(
        A2A,
        interfaces=(V03,),
        capabilities=Capabilities(extensions=(AgentExtension(uri="x", required=True, params={"é": [1.5, 1e21, 2.0]}),)),
        security_schemes={"jwt": SecurityScheme(type="http", extra={"scheme": "bearer"})},
        security=({"jwt": ("s",)},),
    )
    assert verify(sign_card(rich, key=ED25519), OURS).card == rich


# --- settings


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"card_keys": []}, "card_keys"),
        ({"card_keys": {"Agents.example": {"keys": []}}}, "card_keys"),
        ({"card_keys": {5: {"keys": []}}}, "card_keys"),
        ({"card_keys": {DOMAIN: []}}, "card_keys: expected an object"),
        ({"card_keys": {DOMAIN: {"keys": {}}}}, "must be a JWKS"),
        ({"card_keys": {DOMAIN: {"keys": [{"kid": "1", "d": "x"}]}}}, "private key"),
        ({"card_keys": {DOMAIN: {"keys": [{"kid": "1", "kty": "RSA", "dp": "x"}]}}}, "private key"),
        ({"card_algorithms": ()}, "card_algorithms"),
        ({"card_algorithms": ["ES256"]}, "card_algorithms"),
        ({"card_algorithms": ("none",)}, "card_algorithms"),
        ({"card_algorithms": ("HS256",)}, "card_algorithms"),
    ],
)
def test_settings_are_checked(members, words):
    with pytest.raises(UsageError, match=words):
        Settings(**members)


def test_settings_can_be_changed_and_hide_their_keys():
    assert replace(OURS, require_signed_cards=True).card_keys == OURS.card_keys
    assert ED25519_JWK["x"] not in repr(OURS)
