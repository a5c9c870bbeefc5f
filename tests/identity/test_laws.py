"""What holds of every evidence, honest or not."""

from __future__ import annotations

import json
from copy import deepcopy

from hypothesis import example, given
from hypothesis import strategies as st

from mentionable import Rejected, UsageError, VerifiedIdentity, WireError, decode_trusted, encode
from mentionable._text.redaction import credential_in
from mentionable.discovery import read_connector_card
from tests.identity.issuer import World, attested, forwarded, verified
from tests.vectors._identity_rows import CARD, HOST, jwk, signed

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)
NAMES = sorted([*signed(), "id", "not_before", "on_behalf_of", "keys", "kid", "x"])
ODD = JSON | st.dictionaries(st.sampled_from(NAMES), JSON, max_size=8)
SAFE = st.dictionaries(TEXT, JSON, max_size=4).filter(lambda members: credential_in(members) is None)


def is_safe(value):
    if isinstance(value, float):
        return abs(value) < 2**53 or not value.is_integer()
    return (
        all(map(is_safe, value.values() if isinstance(value, dict) else value))
        if isinstance(value, (dict, list))
        else True
    )


@given(claims=SAFE, source=SAFE, id=st.none() | TEXT.filter(lambda text: text and credential_in(text) is None))
def test_what_is_attested_verifies_and_says_the_same(claims, source, id):
    made = attested(claims=claims, source=source, id=id)
    found = verified(encode(made))
    assert isinstance(found, VerifiedIdentity)
    assert (found.claims, found.source, found.id) == (claims, source, id)
    assert decode_trusted(VerifiedIdentity, encode(found)) == found


@given(name=st.sampled_from(sorted(signed())), member=JSON, data=st.data())
def test_any_change_of_a_member_is_refused(name, member, data):
    made = signed()
    if name == "proof":
        name = data.draw(st.sampled_from(sorted(made["proof"])))
        is_same, made["proof"][name] = made["proof"][name] == member, member
    else:
        is_same, made[name] = made[name] == member, member
    assert is_same or isinstance(verified(made), Rejected)


@given(name=TEXT, member=JSON)
def test_any_new_member_is_refused(name, member):
    made = signed()
    if name not in made:
        assert isinstance(verified({**made, name: member}), Rejected)
    if name not in made["proof"]:
        assert isinstance(verified({**made, "proof": {**made["proof"], name: member}}), Rejected)


@given(place=st.integers(0, 1_000), bit=st.integers(0, 7))
def test_any_other_bit_is_refused_or_says_the_same(place, bit):
    data = bytearray(json.dumps(signed()).encode())
    data[place % len(data)] ^= 1 << bit
    found = verified(bytes(data))
    assert isinstance(found, Rejected) or found == verified(signed())


@given(st.binary(max_size=200) | ODD.map(lambda value: json.dumps(value).encode()))
@example(b'{"issuer": {}, "subject": []}')
def test_any_bytes_have_an_outcome(data):
    assert isinstance(verified(data), Rejected)
    assert card_or_code(data).startswith(("card-", "key-"))


def card_or_code(data):
    try:
        read_connector_card(data)
    except WireError as error:
        return error.code
    return "card-read"


@given(ODD, st.lists(ODD, max_size=6))
def test_any_carrier_has_an_outcome(one, several):
    assert forwarded(one).identities == forwarded(several).identities == ()


@given(name=st.sampled_from(NAMES), odd=ODD, inner=st.sampled_from(sorted(signed()["proof"])))
def test_honest_evidence_with_anything_in_a_member_has_an_outcome(name, odd, inner):
    made = deepcopy(signed())
    forwarded([{**made, name: odd}, {**made, "proof": {**made["proof"], inner: odd}}])
    verified({**made, name: odd})


@given(name=st.sampled_from([*sorted(CARD), "expires_at", "callbacks", "methods", "subject_prefixes", "jwks"]), odd=ODD)
def test_any_card_has_an_outcome(name, odd):
    found = verified(signed(), World({**CARD, name: odd}))
    assert isinstance(found, VerifiedIdentity) or found.step in ("card", "key")


@given(
    name=st.sampled_from([*sorted(jwk()), "key_ops", "not_before", "not_after", "revoked_at", "d", "fault"]), odd=ODD
)
def test_any_key_has_an_outcome(name, odd):
    found = verified(signed(), World({"issuer": HOST, "keys": [{**jwk(), name: odd}]}))
    assert isinstance(found, VerifiedIdentity) or found.step in ("card", "key")


@given(claims=JSON | SAFE)
def test_claims_of_any_kind_are_attested_or_are_the_callers_fault(claims):
    try:
        made = attested(claims=claims)
    except UsageError:
        assert claims is None or not isinstance(claims, dict) or not is_safe(claims)
    else:
        assert verified(encode(made)).claims == (claims or {})
