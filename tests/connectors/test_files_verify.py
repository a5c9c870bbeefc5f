from datetime import timedelta

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import CODES, Answers, Failed, Rejected, UsageError, drive
from mentionable.connectors import files
from tests.connectors.capabilities import EDGE_KEY, FILE, KEY, KEYS, NOW, minted, table, token_of, verified
from tests.vectors._files_rows import (
    AGENT,
    CLAIMS,
    GONE,
    HEADER,
    HOST,
    PUBLIC,
    SECRET,
    TYPE,
    as_bytes,
    b64,
    changed,
    claiming,
    edge_token,
    headed,
    mac,
    token,
)


def test_whoever_may_have_a_file_is_told_which_it_is():
    found = verified(token())
    assert (found.scope, found.audience, found.issuer, found.key_id) == (FILE, AGENT, HOST, "2026-11")
    assert verified(edge_token()).key_id == "edge"


def test_whoever_mints_can_verify_with_the_same_key():
    assert verified(token_of(minted(EDGE_KEY)), keys=[EDGE_KEY]).scope == FILE


@pytest.mark.parametrize(
    "token", [None, b"", 7, ["a"], token().encode()], ids=["none", "bytes", "int", "list", "token"]
)
def test_what_is_no_text_is_no_token(token):
    assert verified(token).code == "cap-malformed"


def test_what_was_taken_back_is_asked_by_everything_that_it_may_be_taken_back_by():
    asked = []
    drive(
        files.verify(token(), keys=KEYS, issuer=HOST, presenter=AGENT, now=NOW), lambda ask: asked.append(ask) or True
    )
    assert asked == [files.CheckRevoked(token_id=CLAIMS["jti"], audience=AGENT, scope=FILE, turn=CLAIMS["turn"])]


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        (Answers(), "cap-revocation-unavailable"),
        (Answers(check_revoked=lambda ask: Failed("down")), "cap-revocation-unavailable"),
        (Answers(check_revoked=lambda ask: ask.scope.file == "F123"), "cap-revoked"),
        (Answers(check_revoked=lambda ask: ask.scope.file == "F999"), None),
    ],
    ids=["nobody", "failed", "yes", "no"],
)
def test_a_program_answers_what_was_taken_back(answers, code):
    found = drive(files.verify(token(), keys=KEYS, issuer=HOST, presenter=AGENT, now=NOW), answers)
    assert getattr(found, "code", None) == code


@pytest.mark.parametrize(
    ("text", "facts", "code"),
    [
        (token([]), {}, "cap-claims"),
        (claiming(ver=2), {}, "cap-version"),
        (claiming(scope={}), {}, "cap-scope"),
        (claiming(iss="other.example"), {}, "cap-issuer"),
        (claiming(exp=CLAIMS["iat"] + 901), {}, "cap-lifetime"),
        (token(), {"now": NOW - timedelta(minutes=2)}, "cap-not-yet-valid"),
        (token(), {"now": NOW + timedelta(minutes=4)}, "cap-expired"),
        (token(), {"presenter": None}, "cap-presenter-missing"),
        (token(), {"presenter": "@other@agents.example"}, "cap-audience"),
        (token(), {"presenter": "@other@agents.example", "bearer_ok": True}, "cap-audience"),
        (token(), {"presenter": "nobody"}, "cap-audience"),
        (token(), {"scope": files.Scope(workspace="T", channel="C", file="F")}, "cap-scope-mismatch"),
        (token(), {"turn": "m1"}, "cap-turn-mismatch"),
        (token(), {"size": 12_346}, "cap-budget"),
        (token(secret=b"another secret of thirty-two by."), {}, "cap-signature"),
    ],
    ids=[
        "claims",
        "version",
        "scope",
        "issuer",
        "lifetime",
        "early",
        "late",
        "nobody",
        "other",
        "other-bearer",
        "no-agent",
        "other-file",
        "other-turn",
        "too-large",
        "signature",
    ],
)
def test_every_step_has_a_code(text, facts, code):
    assert verified(text, **facts).code == code


def test_what_is_expected_may_be_said():
    assert verified(token(), scope=FILE, turn=CLAIMS["turn"], size=12_345, bearer_ok=True).scope == FILE
    assert verified(token(), presenter=None, bearer_ok=True).scope == FILE


def test_nobody_is_asked_where_nothing_is_taken_back():
    assert (
        drive(files.verify(token(), keys=KEYS, issuer=HOST, presenter=AGENT, now=NOW, revocable=False), Answers()).scope
        == FILE
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"keys": ()},
        {"keys": KEY},
        {"keys": None},
        {"keys": [SECRET]},
        {"keys": [KEY, KEY]},
        {"issuer": f"https://{HOST}"},
        {"issuer": None},
        {"presenter": 7},
        {"now": None},
        {"scope": "F123"},
        {"turn": "m 1"},
        {"turn": 1},
        {"size": -1},
        {"size": 2**53},
        {"size": 1.0},
        {"size": True},
        {"expected": {"turn": "m1"}},
        {"bearer_ok": 1},
        {"revocable": None},
    ],
    ids=str,
)
def test_a_program_is_told_what_it_does_wrong_before_anything_else(changes):
    with pytest.raises(UsageError):
        verified("", **changes)


CODES_OF_FILES = [code for code in CODES if code.startswith("cap-")]


@pytest.mark.parametrize("code", CODES_OF_FILES)
def test_every_refusal_says_what_to_do_and_nothing_else(code):
    answer = files.error_response(Rejected(code=code))
    assert answer.status in {403, 404, 410, 503}
    assert (answer.status == 503) == CODES[code].temporary
    assert answer.body == b"The file is not available.\n"
    assert dict(answer.headers).items() >= dict(files.RESPONSE_HEADERS).items()


def test_tokens_that_were_not_minted_here_are_not_there():
    assert {CODES[code].http for code in CODES_OF_FILES[:11]} == {404}


# --- what a lenient reader of JWT lets through

FAR = 9_999_999_999
LONG = {"iat": 1_700_000_000, "nbf": 1_700_000_000, "exp": FAR}


def lenient(text, secret=SECRET):
    """What PyJWT makes of a token, with the arguments that everybody gives."""
    return jwt.decode(text, secret, algorithms=["HS256"], audience=AGENT, issuer=HOST)


def twice():
    return token(as_bytes({**CLAIMS, **LONG}).replace(b'"max_bytes":', b'"max_bytes":1,"max_bytes":'))


def padded():
    head, payload, _ = claiming(**LONG).split(".")
    payload += "=" * (-len(payload) % 4) or "===="
    return f"{head}.{payload}.{b64(mac(f'{head}.{payload}'))}"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (claiming(**{**LONG, "exp": f" {FAR:_} "}), "cap-claims"),
        (claiming(**{**LONG, "exp": FAR + 0.5}), "cap-claims"),
        (claiming(**{**LONG, "exp": GONE}), "cap-claims"),
        (claiming(**LONG, aud=[AGENT, "@other@agents.example"]), "cap-claims"),
        (token({**CLAIMS, **LONG}, changed(HEADER, {"typ": GONE})), "cap-header"),
        (token({**CLAIMS, **LONG}, {**HEADER, "typ": "JWT"}), "cap-type"),
        (token({**CLAIMS, **LONG}, {**HEADER, "jku": "https://evil.example/"}), "cap-header"),
        (twice(), "cap-claims"),
        (padded(), "cap-malformed"),
        (claiming(**LONG, more=1), "cap-claims"),
        (claiming(**LONG, max_bytes="all"), "cap-claims"),
        (claiming(**LONG, max_bytes=0), "cap-claims"),
        (claiming(**LONG), "cap-lifetime"),
        (token({**CLAIMS, **LONG}, {**HEADER, "kid": "unknown"}), "cap-key-unknown"),
    ],
    ids=[
        "exp-as-text",
        "exp-as-float",
        "no-exp",
        "several-agents",
        "no-type",
        "other-type",
        "more-headers",
        "members-twice",
        "padding",
        "more-claims",
        "budget-as-text",
        "no-budget",
        "for-ever",
        "other-key",
    ],
)
def test_what_others_take_is_refused(text, code):
    assert lenient(text)["iss"] == HOST
    assert verified(text).code == code


def test_a_public_key_is_no_secret():
    text = token({**CLAIMS, **LONG}, {"alg": "HS256", "kid": "edge", "typ": TYPE}, PUBLIC)
    assert lenient(text, PUBLIC)["iss"] == HOST
    assert verified(text).code == "cap-algorithm"


def test_a_short_secret_is_no_secret():
    with pytest.warns(jwt.InsecureKeyLengthWarning):
        assert lenient(token({**CLAIMS, **LONG}, secret=b"short"), b"short")["iss"] == HOST
    with pytest.raises(UsageError):
        files.FileKey.from_secret(b"short", key_id="k")


# --- laws


@given(st.text() | st.text("eyJhbGci.OiJIUzI1NiJ9_-=\n", max_size=200))
def test_any_text_has_an_outcome(text):
    assert verified(text).code.startswith("cap-")


@given(st.binary(max_size=120), st.binary(max_size=200))
def test_whatever_is_signed_has_an_outcome(header, claims):
    assert verified(token(claims)).code in {"cap-claims", "cap-malformed"}
    assert verified(token(CLAIMS, header)).code in {"cap-header", "cap-malformed"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(sorted(CLAIMS)), JSON, min_size=1))
def test_whatever_is_claimed_has_an_outcome(changes):
    found = verified(token({**CLAIMS, **changes}))
    assert isinstance(found, files.Capability) or found.code.startswith("cap-")


@given(st.dictionaries(st.sampled_from(["alg", "kid", "typ", "crv"]), JSON, min_size=1))
def test_whatever_a_header_says_has_an_outcome(changes):
    found = verified(headed(**changes))
    assert isinstance(found, files.Capability) or found.code.startswith("cap-")


@pytest.mark.parametrize("text", [token(), edge_token()], ids=["HS256", "EdDSA"])
def test_a_token_has_no_second_spelling(text):
    assert isinstance(verified(text), files.Capability)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    near = {"A": "B", ".": "_", "-": "+", "_": "/"}
    for place, char in enumerate(text):
        other = near.get(char) or alphabet[alphabet.index(char) ^ 1]
        for wrong in (text[:place] + other + text[place + 1 :], text[:place] + text[place + 1 :]):
            assert isinstance(verified(wrong), Rejected), place
    assert all(isinstance(verified(text + more), Rejected) for more in ("=", "\n", ".", "A", "AA", "AAA", "AAAA"))


def test_a_table_of_answers_knows_what_was_taken_back():
    world = table(**{f"REVOKED {CLAIMS['jti']}": True})
    found = drive(files.verify(token(), keys=KEYS, issuer=HOST, presenter=AGENT, now=NOW), world)
    assert (found.code, world.asked) == ("cap-revoked", [f"REVOKED {CLAIMS['jti']}"])
