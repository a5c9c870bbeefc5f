from __future__ import annotations

import json

import pytest

from mentionable import SigningKey, UsageError, WireError, encode, replace
from mentionable._crypto.connector_card import ConnectorCard, ConnectorKey, card_url, is_key_id, remembered_card
from mentionable.discovery import read_connector_card
from tests.linearity import time_grows_linearly
from tests.vectors._identity_card import FIELD, RSA, SMALL
from tests.vectors._identity_rows import CARD, CARD_URL, GONE, HOST, KID, OLD_KEY, b64, card, jwk

KEY = SigningKey.from_seed(bytes(range(32)), key_id=KID)
MINE = ConnectorCard(issuer=HOST, keys=(ConnectorKey.of(KEY),))


def read(document, url=None):
    return read_connector_card(json.dumps(document).encode(), url=url)


def code(document, url=None):
    with pytest.raises(WireError) as caught:
        read(document, url)
    return caught.value.code


def test_callbacks_are_told_in_one_list():
    callbacks = {"policy": ["https://a.example/x"], "oauth": "https://a.example/o"}
    assert replace(MINE, callbacks=callbacks).callback_urls == ("https://a.example/x", "https://a.example/o")
    assert MINE.callback_urls == ()


@pytest.mark.parametrize("url", [CARD_URL, f"https://{HOST}/.well-known/connector-card"])
def test_a_card_lies_at_one_of_two_places(url):
    assert read(CARD, url).issuer == HOST
    assert card_url(HOST) == CARD_URL


@pytest.mark.parametrize(
    "url", ["", f"http://{HOST}/.well-known/adapter-card", f"{CARD_URL}?x", "https://other.example/"]
)
def test_a_card_from_elsewhere_is_refused(url):
    assert code(CARD, url) == "card-origin-mismatch"


@pytest.mark.parametrize(
    "changes",
    [
        *(
            {"issuer": GONE},
            {"issuer": []},
            {"issuer": {}},
            {"issuer": f"https://{HOST}"},
            {"issuer": "slack.internal"},
        ),
        *(
            {"keys": GONE},
            {"keys": []},
            {"keys": {}},
            {"keys": [7]},
            {"keys": [[]]},
            {"keys": [{}]},
            {"keys": [{"kid": []}]},
        ),
        *({"keys": [jwk(kid=f"k{n}") for n in range(17)]}, {"jwks": {"keys": [jwk()]}}, {"keys": GONE, "jwks": []}),
        *({"keys": GONE, "jwks": {}}, {"name": 7}, {"methods": "x"}, {"methods": [7]}, {"subject_prefixes": {}}),
        *({"expires_at": "soon"}, {"expires_at": "2026-12-01T00:00:00+00:00"}, {"expires_at": []}, {"callbacks": []}),
        *({"callbacks": {"x": "http://a.example/"}}, {"callbacks": {"x": [7]}}, {"callbacks": {"x": {}}}),
        *({"keys": [jwk(not_after="soon")]}, {"keys": [jwk(not_before=7)]}, {"keys": [jwk(revoked_at=[])]}),
        {"keys": [jwk(not_after="2026-12-01T00:00:00+01:00")]},
    ],
)
def test_a_card_that_can_be_read_in_two_ways_is_refused(changes):
    assert code(card(**changes)) == "card-invalid"


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b"\xff", b'{"issuer":1,"issuer":1}', b"x" * 70_000, b'{"a":' * 20]
)
def test_what_is_no_card_is_refused(body):
    with pytest.raises(WireError, match="card-invalid"):
        read_connector_card(body)


def test_the_private_half_spoils_a_card():
    assert code(card(jwk(), jwk(OLD_KEY, "old", d=None))) == "card-private-key"


def test_two_keys_of_one_id_spoil_a_card():
    assert code(card(jwk(), jwk(OLD_KEY))) == "key-ambiguous"


@pytest.mark.parametrize(
    ("key", "fault"),
    [
        (jwk(), None),
        (jwk(alg="EdDSA"), None),
        (jwk(alg=GONE, use=GONE), None),
        (jwk(key_ops=["verify"]), None),
        (jwk(fault="none", extra=7, kind="x"), None),
        (RSA, "key-type-mismatch"),
        (jwk(alg="HS256"), "key-type-mismatch"),
        (jwk(alg=[]), "key-type-mismatch"),
        (jwk(x=[]), "key-type-mismatch"),
        (jwk(x={}), "key-type-mismatch"),
        (jwk(kty=[]), "key-type-mismatch"),
        (jwk(use="enc"), "key-use-mismatch"),
        (jwk(use=[]), "key-use-mismatch"),
        (jwk(key_ops=[]), "key-use-mismatch"),
        (jwk(key_ops="verify"), "key-use-mismatch"),
        (jwk(key_ops=[[]]), "key-use-mismatch"),
        (jwk(revoked_at="2026-11-01T00:00:00Z"), "key-revoked"),
        (jwk(revoked_at="2026-11-01T00:00:00Z", x=[]), "key-type-mismatch"),
    ],
)
def test_a_key_that_is_of_no_use_costs_itself(key, fault):
    found = read(card({**key, "kid": "one"}, jwk(OLD_KEY, "two"))).keys
    assert (found[0].fault, found[1].fault) == (fault, None)


@pytest.mark.parametrize("number", [*SMALL.values(), FIELD + 2, 2**255 - 1])
@pytest.mark.parametrize("sign", [0, 1 << 255])
def test_a_point_with_which_signatures_fit_many_messages_is_weak(number, sign):
    assert read(card(jwk(x=b64((number | sign).to_bytes(32, "little"))))).keys[0].fault == "key-weak"


def test_a_key_is_revoked_under_every_id():
    found = read(card(jwk(), jwk(kid="old", revoked_at="2026-11-01T00:00:00Z"), jwk(OLD_KEY, "other"))).keys
    assert [key.fault for key in found] == ["key-revoked", "key-revoked", None]


def test_members_that_nobody_knows_are_kept():
    found = read(card(jwk(note="x"), motto="Hi"))
    assert (found.extra, found.keys[0].extra) == ({"motto": "Hi"}, {"note": "x"})
    assert encode(found)["motto"] == "Hi"


def test_a_card_that_a_program_got_is_no_other_program_s():
    body = json.dumps({**CARD, "callbacks": {"policy": ["https://slack.agents.example/back"]}, "x": [1]}).encode()
    first = read_connector_card(body)
    first.extra["x"].append("changed")
    assert read_connector_card(body).extra["x"] == [1]


def test_the_same_bytes_are_read_once_for_checks():
    body = json.dumps(CARD).encode()
    assert remembered_card(body) is remembered_card(bytes(bytearray(body)))


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        (ConnectorKey, {"kid": "my key", "x": None}),
        (ConnectorKey, {"kid": "", "x": None}),
        (ConnectorKey, {"kid": "k", "x": None, "not_after": "2026-12-01T00:00:00+01:00"}),
        (ConnectorCard, {"issuer": HOST, "keys": ()}),
        (ConnectorCard, {"issuer": HOST, "keys": MINE.keys * 2}),
        (ConnectorCard, {"issuer": "Slack", "keys": MINE.keys}),
        (ConnectorCard, {"issuer": HOST, "keys": MINE.keys, "expires_at": "2026-12-01t00:00:00z"}),
        (ConnectorCard, {"issuer": HOST, "keys": MINE.keys, "callbacks": {"x": ("ftp://a.example",)}}),
    ],
)
def test_a_card_that_nobody_reads_cannot_be_made(kind, members):
    with pytest.raises(UsageError):
        kind(**members)


@pytest.mark.parametrize("odd", [None, 7, [], {}, b"k", "", "a b", "k\n", "é", "k" * 129])
def test_an_id_of_a_key_is_visible_ascii(odd):
    assert not is_key_id(odd)
    assert is_key_id("k" * 128)


@pytest.mark.uncounted
def test_cards_are_read_in_linear_time():
    time_grows_linearly(
        read_connector_card, lambda size: json.dumps(card(motto=["x"] * size)).encode(), size=500, largest=2_000
    )
