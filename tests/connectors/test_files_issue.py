import json
from base64 import urlsafe_b64decode
from datetime import UTC, datetime, timedelta, timezone

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import FilePart, UsageError, encode
from mentionable.connectors import files
from tests.connectors.capabilities import (
    EDGE_KEY,
    FILE,
    KEY,
    NOW,
    PUBLIC_KEY,
    SIGNING,
    minted,
    token_of,
    verified,
)
from tests.vectors._files_rows import AGENT, HOST, SECRET


def test_a_descriptor_says_where_and_until_when():
    one = minted()
    part = FilePart(mime="application/pdf", name="report.pdf", size_bytes=12_345, bytes_ref=one.ref)
    assert encode(part)["bytes_ref"] == {"kind": "url", "url": one.url, "expires_at": "2026-11-21T21:01:00Z"}
    assert one.url.startswith("https://connector.example/api/slack/files/ey")
    assert "?" not in one.url


def test_a_url_is_short_enough_for_everything():
    assert len(minted().url) < 560
    most = {"audience": f"@{'a' * 64}@{'b' * 60}.{'c' * 60}.{'d' * 60}.example", "turn": "t" * 256}
    most["issuer"] = f"{'i' * 63}.{'j' * 63}.{'k' * 63}.example"
    most["scope"] = files.Scope(workspace="w" * 64, channel="c" * 64, file="f" * 64)
    longest = minted(EDGE_KEY, max_bytes=2**53 - 1, **most)
    assert len(token_of(longest)) < 2_048
    found = verified(token_of(longest), issuer=most["issuer"], presenter=most["audience"])
    assert found.scope == most["scope"]


@pytest.mark.parametrize("key", [SECRET, SIGNING.public_pem], ids=["HS256", "EdDSA"])
def test_others_read_what_is_minted(key):
    algorithm = "HS256" if isinstance(key, bytes) else "EdDSA"
    token = token_of(minted(KEY if algorithm == "HS256" else EDGE_KEY))
    found = jwt.PyJWS().decode_complete(token, key, algorithms=[algorithm])
    assert found["header"]["typ"] == "mentionable-file-cap+jwt"
    claims = json.loads(found["payload"])
    assert {name: claims[name] for name in ("iss", "aud")} == {"iss": HOST, "aud": AGENT}
    assert claims["exp"] - claims["iat"] == 300


def test_an_id_has_128_bits():
    token_id = minted().token_id
    assert len(urlsafe_b64decode(token_id + "==")) == 16


def test_each_file_agent_and_turn_has_an_id_of_its_own():
    others = [
        {},
        {"audience": "@b@agents.example"},
        {"turn": "m2"},
        {"issuer": "other.example"},
        {"provider": "discord"},
        {"entropy": b"\x01" * 32},
        *({"scope": files.Scope(**{**_named(), name: "X"})} for name in _named()),
        {"scope": files.Scope(workspace="T123C", channel="123", file="F123")},
    ]
    assert len({minted(**other).token_id for other in others}) == len(others)
    assert minted() == minted()


def _named():
    return {"workspace": FILE.workspace, "channel": FILE.channel, "file": FILE.file}


def test_a_url_is_kept_out_of_logs():
    assert "http" not in repr(minted())


@pytest.mark.parametrize(
    "changes",
    [
        {"issuer": None},
        {"issuer": "https://connector.example"},
        {"provider": None},
        {"provider": "-slack"},
        {"audience": None},
        {"audience": "helper@agents.example"},
        {"scope": {"workspace": "T", "channel": "C", "file": "F"}},
        {"turn": None},
        {"turn": "m 1"},
        {"max_bytes": True},
        {"max_bytes": 9.0},
        {"max_bytes": 0},
        {"now": datetime(2026, 11, 21)},  # noqa: DTZ001 - that is what is refused
        {"now": datetime(1969, 12, 31, tzinfo=UTC)},
        {"now": datetime(9999, 12, 31, 23, 59, tzinfo=UTC)},
        {"entropy": bytes(31)},
        {"lifetime": 300},
        {"lifetime": timedelta(0)},
        {"lifetime": timedelta(seconds=901)},
        {"lifetime": timedelta(seconds=1.5)},
    ],
    ids=str,
)
def test_a_program_is_told_what_it_does_wrong(changes):
    with pytest.raises(UsageError):
        minted(**changes)


def test_a_url_is_issued_for_a_grant():
    with pytest.raises(UsageError, match=r"files\.FileGrant"):
        files.issue_file_url(KEY, key=KEY, issuer=HOST, provider="slack", now=NOW, entropy=bytes(32))  # type: ignore[arg-type]


def test_only_keys_mint():
    with pytest.raises(UsageError, match="FileKey"):
        minted(SECRET)
    with pytest.raises(UsageError, match="public key"):
        minted(PUBLIC_KEY)


@pytest.mark.parametrize("name", ["workspace", "channel", "file"])
@pytest.mark.parametrize("item", ["", "*", "a/b", "..", ".", "F" * 65, "F\n", "\u0424", None, 7])
def test_a_scope_is_one_file(name, item):
    with pytest.raises(UsageError, match=f"Scope.{name}"):
        files.Scope(**{**_named(), name: item})


def test_every_zone_tells_the_same_moment():
    assert minted(now=NOW.astimezone(timezone(timedelta(hours=9)))) == minted()


ITEM = st.from_regex(r"[A-Za-z0-9._-]{1,64}", fullmatch=True).filter(lambda item: item not in (".", ".."))
SCOPES = st.builds(files.Scope, workspace=ITEM, channel=ITEM, file=ITEM)
TURNS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=256)


@given(
    scope=SCOPES,
    turn=TURNS,
    max_bytes=st.integers(1, 2**53 - 1),
    lifetime=st.integers(1, 900),
    later=st.floats(0, 1000),
    entropy=st.binary(min_size=32, max_size=48),
    key=st.sampled_from([KEY, EDGE_KEY]),
)
def test_what_is_minted_is_let_in_until_it_ends(scope, turn, max_bytes, lifetime, later, entropy, key):
    facts = {"scope": scope, "turn": turn, "max_bytes": max_bytes, "entropy": entropy}
    one = minted(key, lifetime=timedelta(seconds=lifetime), **facts)
    found = verified(token_of(one), now=NOW + timedelta(seconds=later))
    if later < lifetime and NOW + timedelta(seconds=later) < NOW + timedelta(seconds=lifetime):
        assert (found.token_id, found.scope, found.turn, found.max_bytes) == (one.token_id, scope, turn, max_bytes)
        assert found.expires_at - found.issued_at == timedelta(seconds=lifetime)
    else:
        assert found.code == "cap-expired"
