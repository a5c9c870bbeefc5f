from __future__ import annotations

import pytest

from mentionable import Avatar, VerifiedIdentity, decode_trusted, encode, identity
from tests.identity.issuer import SHOWN
from tests.vectors._identity_rows import ALICE


def shown(said):
    return identity.profile_of(decode_trusted(VerifiedIdentity, {**encode(SHOWN), "claims": {"profile": said}}))


def test_what_is_common_is_shown():
    said = {
        "display_name": "Alice",
        "username": "alice",
        "locale": "de",
        "timezone": "Europe/Berlin",
        "provider": "slack",
        "provider_subject": ALICE,
        "url": "https://a.example/alice",
        "avatar": {"url": "https://a.example/alice.png", "width": 72},
        "fetched_at": "2026-11-21T20:00:00Z",
        "extensions": {"slack": {"team_id": "T123", "token": "xoxb-1"}},
    }
    found = shown(said)
    assert found.avatar == Avatar(url="https://a.example/alice.png")
    assert found.extensions == {"slack": {"team_id": "T123", "token": "[redacted]"}}
    assert {**encode(found), "avatar": 0, "extensions": 0} == {**said, "avatar": 0, "extensions": 0}


@pytest.mark.parametrize("said", [None, "Alice", [], {}, {"email": "a@a.example"}, {"display_name": ""}])
def test_nothing_is_shown_where_nothing_is_said(said):
    assert shown(said) is None


@pytest.mark.parametrize(
    "odd",
    [
        {"display_name": 7},
        {"display_name": []},
        {"username": "x" * 1_025},
        {"url": "javascript:x"},
        {"url": 7},
        {"url": {}},
        {"avatar": "https://a.example/a.png"},
        {"avatar": {}},
        {"avatar": {"url": 7}},
        {"avatar": {"url": "http://a.example/a.png"}},
        {"avatar": {"url": "https://"}},
        {"fetched_at": ""},
        {"fetched_at": 7},
        {"fetched_at": "now"},
        {"provider_subject": "slack:T1/U1"},
        {"provider_subject": []},
        {"extensions": []},
        {"extensions": {}},
    ],
)
def test_what_cannot_be_shown_is_left_out(odd):
    assert encode(shown({"provider": "slack", **odd})) == {"provider": "slack"}
    assert shown(odd) is None


def test_an_identity_without_a_profile_shows_none():
    assert identity.profile_of(decode_trusted(VerifiedIdentity, {**encode(SHOWN), "claims": {}})) is None
