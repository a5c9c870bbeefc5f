import ast
import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Answers, HttpRequest, Settings, UsageError, a2a, drive
from tests.a2a.tokens import (
    ALICE,
    AUDIENCE,
    CLAIMS,
    ED,
    GONE,
    HEADER,
    ISSUER,
    NOW,
    P256,
    RSA_2,
    URL,
    T,
    as_bytes,
    issuer,
    jwk,
    request,
    settings,
    signed,
    token,
    verdict,
)
from tests.linearity import steps_grow_linearly, time_grows_linearly
from tests.packages import modules

ALL_STEPS = ("authorization", "token", "header", "key", "signature", "issuer", "audience", "time", "use", "subject")
OLD = issuer(token_types=("at+jwt", "JWT"))
INF = float("inf")


def code(*arguments, **members):
    got = verdict(*arguments, **members)
    assert got.verified is (got.code is None)
    assert got.method == ("none" if got.code else "a2a-jwt")
    return got.code


def test_an_honest_token_shows_its_sender():
    text = token()
    got = verdict(text)
    assert (got.method, got.verified, got.address, got.key_id, got.code) == ("a2a-jwt", True, ALICE, "k1", None)
    assert got.steps == ALL_STEPS
    evidence = got.evidence
    assert (evidence.subject, evidence.issuer, evidence.audience) == (ALICE, ISSUER, AUDIENCE)
    assert (evidence.method, evidence.assurance) == ("urn:mentionable:auth:a2a-jwt:v0.1", "agent")
    assert (evidence.on_behalf_of, evidence.proof.key_id) == (None, "k1")


def test_the_replay_key_is_what_is_signed_bound_to_the_unit():
    text = token()
    digest = hashlib.sha256(text.rpartition(".")[0].encode()).hexdigest()
    body = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "hi"}]}
    replay = verdict(text, body=as_bytes({"message": body})).replays[0]
    assert (replay.key, replay.binding) == (f"a2a:{digest}", f"{ALICE} m1")
    assert replay.until == datetime.fromtimestamp(CLAIMS["exp"] + 60, UTC)


@pytest.mark.parametrize(
    ("body", "unit"),
    [
        (b"", "sha256:" + hashlib.sha256(b"").hexdigest()),
        (b"{", "sha256:" + hashlib.sha256(b"{").hexdigest()),
        (b'{"message":{}}', "sha256:" + hashlib.sha256(b'{"message":{}}').hexdigest()),
        (b'{"task":{"id":"t1","status":{"state":"working"}}}', "t1"),
        (
            b'{"task":{"id":"t1","status":{"state":"working","message":{"messageId":"s1","role":"agent","parts":[{}]}}}}',
            "s1",
        ),
    ],
)
def test_a_body_that_is_no_message_is_bound_by_what_it_is(body, unit):
    assert verdict(token(), body=body).replays[0].binding == f"{ALICE} {unit}"


@pytest.mark.parametrize(
    ("header", "key", "algorithm"),
    [
        ({"kid": "any-rsa", "alg": "PS256"}, None, "PS256"),
        ({"kid": "p256", "alg": "ES256"}, P256, "ES256"),
        ({"kid": "ed", "alg": "EdDSA"}, ED, "EdDSA"),
    ],
)
def test_every_family_of_keys_shows_its_sender(header, key, algorithm):
    text = token(header, key, algorithm) if key else token(header, algorithm=algorithm)
    assert verdict(text).key_id == header["kid"]


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "BEARER   "])
def test_the_scheme_has_no_case(scheme):
    got = drive(a2a.verify(request(token(), scheme=scheme), now=NOW, settings=settings()), Answers())
    assert got.verified


def test_without_a_token_it_is_unsigned():
    bare = HttpRequest(method="POST", url=URL)
    assert drive(a2a.verify(bare, now=NOW, settings=settings()), Answers()).code == "unsigned"
    asked = a2a.Introspection(response={"active": True}, issuer=ISSUER)
    assert drive(a2a.verify(bare, introspection=asked, now=NOW, settings=settings()), Answers()).code == "unsigned"


def test_several_headers_are_ambiguous():
    twice = request(token(), token())
    assert drive(a2a.verify(twice, now=NOW, settings=settings()), Answers()).code == "signature-ambiguous"


@pytest.mark.parametrize("given", [Settings(), a2a.Settings()])
def test_without_issuers_nobody_is_believed(given):
    got = drive(a2a.verify(request(token()), now=NOW, settings=given), Answers())
    assert (got.code, got.detail, got.steps) == ("issuer-unknown", "no token issuers are set", ())


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("Basic dXNlcjpwYXNz", "token-type-refused"),
        ("DPoP x.y.z", "token-type-refused"),
        ("Bearer", "signature-malformed"),
        ("Bearer ", "signature-malformed"),
        ("", "signature-malformed"),
        ("Bearer a b", "signature-malformed"),
        ("Bearer a, Bearer b", "signature-malformed"),
        ("Bearer\ta.b.c", "signature-malformed"),
        ("Bearer \u0661", "signature-malformed"),
        ("Bearer ==", "signature-malformed"),
        ("Bearer opaque", "signature-malformed"),
        ('Digest username="x"', "token-type-refused"),
        ('Digest username="x", nonce="y"', "signature-malformed"),
        pytest.param("Bearer " + "a" * 2_000_000, "too-large", id="long"),
        pytest.param("Bearer " + "a" * 16_385, "too-large", id="a bit long"),
    ],
)
def test_a_header_that_holds_no_jwt_says_so(header, expected):
    unit = HttpRequest(method="POST", url=URL, headers={"Authorization": header})
    assert drive(a2a.verify(unit, now=NOW, settings=settings()), Answers()).code == expected


@pytest.mark.parametrize("name", ["alg", "typ", "kid"])
def test_header_steps_come_before_the_key(name):
    expected = {"alg": "algorithm-refused", "typ": "token-type-refused", "kid": "key-unknown"}[name]
    assert code(token({name: "other"}, key=RSA_2)) == expected


def test_an_algorithm_that_the_issuer_does_not_use_is_refused():
    assert code(token(), issuer(algorithms=("ES256",))) == "algorithm-refused"


@pytest.mark.parametrize(
    "kind",
    ["JWT", "JOSE", "dpop+jwt", "token-introspection+jwt", "logout+jwt", "secevent+jwt", "at", "at+jwt ", "", GONE],
)
def test_only_access_tokens_are_taken(kind):
    text = signed({name: one for name, one in {**HEADER, "typ": kind}.items() if one is not GONE}, CLAIMS)
    assert code(text) == "token-type-refused"
    assert code(text, OLD) == (None if kind in ("JWT", "", GONE) else "token-type-refused")


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "n"},
        {"at_hash": "x"},
        {"c_hash": "x"},
        {"s_hash": "x"},
        {"events": {}},
        {"typ": "ID"},
        {"typ": "Refresh"},
        {"token_use": "id"},
    ],
    ids=str,
)
def test_id_tokens_of_older_issuers_are_refused(claims):
    assert code(token({"typ": "JWT"}, **claims), OLD) == "token-type-refused"
    assert code(token({"typ": "at+jwt"}, **claims), OLD) is None


@pytest.mark.parametrize("claims", [{"typ": "Bearer"}, {"token_use": "access"}, {"typ": 7}], ids=str)
def test_access_tokens_of_older_issuers_are_taken(claims):
    assert code(token({"typ": "JWT"}, **claims), OLD) is None


CLAIM_ROWS = [
    ({"iss": GONE}, "claim-missing"),
    ({"iss": "https://other.example/"}, "issuer-unknown"),
    ({"iss": ISSUER.rstrip("/")}, "issuer-unknown"),
    ({"iss": ISSUER.upper()}, "issuer-unknown"),
    ({"iss": [ISSUER]}, "claim-malformed"),
    ({"aud": GONE}, "claim-missing"),
    ({"aud": []}, "claim-missing"),
    ({"aud": None}, "claim-missing"),
    ({"aud": 7}, "claim-malformed"),
    ({"aud": {}}, "claim-malformed"),
    ({"aud": [AUDIENCE, 7]}, "claim-malformed"),
    ({"aud": "https://other.example"}, "audience-mismatch"),
    ({"aud": AUDIENCE + "/"}, "audience-mismatch"),
    ({"aud": AUDIENCE[:-1]}, "audience-mismatch"),
    ({"aud": AUDIENCE.upper()}, "audience-mismatch"),
    ({"aud": ""}, "audience-mismatch"),
    ({"exp": GONE}, "time-missing"),
    ({"exp": T - 60}, "expired"),
    ({"exp": 0}, "expired"),
    ({"exp": -1}, "claim-malformed"),
    ({"exp": str(T + 60)}, "claim-malformed"),
    ({"exp": True}, "claim-malformed"),
    ({"exp": None}, "claim-malformed"),
    ({"exp": INF}, "claim-malformed"),
    ({"exp": float("nan")}, "claim-malformed"),
    ({"exp": 10**400}, "claim-malformed"),
    ({"exp": T + 100 * 365 * 86_400}, "lifetime-too-long"),
    ({"exp": T + 86_400 - 9}, "lifetime-too-long"),
    ({"exp": T + 86_401, "iat": GONE}, "lifetime-too-long"),
    ({"exp": T + 86_400, "iat": GONE, "nbf": T - 1}, "lifetime-too-long"),
    ({"iat": T + 61}, "not-yet-valid"),
    ({"iat": "now"}, "claim-malformed"),
    ({"nbf": T + 61}, "not-yet-valid"),
    ({"nbf": False}, "claim-malformed"),
    ({"cnf": {"jkt": "x"}}, "proof-unchecked"),
    ({"sub": GONE}, "claim-missing"),
    ({"sub": None}, "claim-missing"),
    ({"sub": 7}, "claim-malformed"),
    ({"sub": [ALICE]}, "claim-malformed"),
    ({"sub": "alice"}, "subject-not-address"),
    ({"sub": ""}, "subject-not-address"),
    ({"sub": "@a@b@a.example"}, "subject-not-address"),
    ({"sub": "alice@a.example\n"}, "subject-not-address"),
    ({"sub": "\nalice@a.example"}, "subject-not-address"),
    ({"sub": "https://a.example/alice"}, "subject-not-address"),
    ({"sub": '"alice"@a.example'}, "subject-not-address"),
    ({"sub": "@alice@b.example"}, "subject-not-authorized"),
    ({"sub": "@alice@a.example.evil.example"}, "subject-not-authorized"),
    ({"sub": "@alice@sub.a.example"}, "subject-not-authorized"),
    ({"sub": "@alice@\u0430.example"}, "subject-not-authorized"),
]


@pytest.mark.parametrize(("claims", "expected"), CLAIM_ROWS, ids=str)
def test_a_claim_that_is_not_as_it_must_be_says_so(claims, expected):
    assert code(token(**claims)) == expected


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": [AUDIENCE]},
        {"aud": ["agents"]},
        {"aud": ["agents", AUDIENCE]},
        {"exp": T - 59},
        {"exp": T + 0.5},
        {"exp": T + 86_390},
        {"exp": T + 86_400, "iat": GONE},
        {"iat": T + 60},
        {"nbf": T + 60, "iat": GONE},
        {"cnf": None},
        {"sub": "alice@a.example"},
        {"sub": "acct:alice@A.Example"},
        {"big": 2**60},
    ],
    ids=str,
)
def test_odd_but_honest_claims_are_taken(claims):
    got = verdict(token(**claims))
    assert (got.code, got.address) == (None, ALICE)


def test_others_in_the_audience_are_refused_where_that_is_wanted():
    text = token(aud=["https://other.example", AUDIENCE])
    assert verdict(text).evidence.audience == AUDIENCE
    assert code(text, issuer(strict_audience=True)) == "audience-mismatch"


@pytest.mark.parametrize("payload", ["[]", "{", '{"exp":NaN}', "[" * 11_000])
def test_a_payload_that_is_no_object_is_malformed(payload):
    assert code(signed(HEADER, payload)) == "claim-malformed"
    assert code(signed(HEADER, payload), issuer(), issuer(issuer="https://b.example")) == "claim-malformed"


def test_a_claim_that_is_there_twice_is_refused():
    text = json.dumps(CLAIMS)[:-1] + f',"sub":"{ALICE}"}}'
    assert code(signed(HEADER, text)) == "duplicate-member"


def test_nothing_of_the_payload_counts_before_the_signature():
    got = verdict(signed(HEADER, "[", RSA_2))
    assert (got.code, got.steps) == ("bad-signature", ("authorization", "token", "header", "key"))
    assert code(token(key=RSA_2, iss="x", exp=0)) == "bad-signature"


# several issuers

OTHER = "https://other.example/"
B_KEYS = {"keys": [jwk(RSA_2, "k1")]}
TWO = (issuer(), issuer(issuer=OTHER, keys=B_KEYS, subject_domains=("b.example",), algorithms=("RS256",)))


def test_each_issuer_has_its_own_keys_and_domains():
    assert verdict(token(), *TWO).address == ALICE
    assert verdict(token(key=RSA_2, iss=OTHER, sub="bob@b.example"), *TWO).address == "@bob@b.example"
    assert code(token(key=RSA_2, iss=OTHER), *TWO) == "subject-not-authorized"


def test_a_forged_issuer_chooses_keys_that_do_not_fit():
    assert code(token(iss=OTHER, sub="bob@b.example"), *TWO) == "bad-signature"
    assert code(token(key=RSA_2), *TWO) == "bad-signature"


def test_an_issuer_must_be_one_of_those_that_are_believed():
    assert code(token(iss="https://third.example/"), *TWO) == "issuer-unknown"
    assert code(token(iss=GONE), *TWO) == "claim-missing"
    assert code(token(iss=7), *TWO) == "claim-malformed"


def test_what_another_issuer_takes_is_not_taken_of_this_one():
    assert code(token({"alg": "ES256"}, iss=OTHER), *TWO) == "algorithm-refused"
    third = issuer(issuer="https://third.example/", token_types=("JWT",))
    assert code(token({"typ": "JWT"}), issuer(), third) == "token-type-refused"


# act

BOT = "@bot@a.example"


def test_an_actor_is_the_sender_and_the_subject_its_principal():
    got = verdict(token(act={"sub": "bot@a.example"}))
    assert (got.address, got.evidence.subject, got.evidence.on_behalf_of) == (BOT, BOT, (ALICE,))
    assert got.evidence.claims == {"sub": ALICE, "act": {"sub": "bot@a.example"}}


@pytest.mark.parametrize("subject", ["user-7", "@ceo@bank.example", "a@b@c"])
def test_a_principal_for_whom_the_issuer_may_not_speak_is_named_by_the_issuer(subject):
    got = verdict(token(sub=subject, act={"sub": BOT, "iss": ISSUER}))
    assert (got.address, got.evidence.on_behalf_of) == (BOT, (f"{ISSUER}#{subject}",))


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ({"act": "bot@a.example"}, "claim-malformed"),
        ({"act": []}, "claim-malformed"),
        ({"act": {}}, "claim-missing"),
        ({"act": {"sub": 7}}, "claim-malformed"),
        ({"act": {"sub": "bot"}}, "subject-not-address"),
        ({"act": {"sub": "bot@b.example"}}, "subject-not-authorized"),
        ({"act": {"sub": BOT, "iss": "https://b.example"}}, "subject-not-authorized"),
        ({"act": {"sub": BOT}, "sub": GONE}, "claim-missing"),
        ({"act": {"sub": BOT}, "sub": 7}, "claim-malformed"),
        ({"act": {"act": {"sub": BOT}}}, "claim-missing"),
    ],
    ids=str,
)
def test_an_actor_that_is_not_as_it_must_be_shows_nobody(claims, expected):
    assert code(token(**claims)) == expected


def test_no_actor_is_no_actor():
    assert verdict(token(act=None)).address == ALICE


# subjects that are no addresses

MAPPED = issuer(subjects={"0oa1": ALICE, "agent-7": BOT})


def test_a_subject_may_be_one_that_the_host_knows():
    assert verdict(token(sub="0oa1"), MAPPED).address == ALICE
    assert code(token(sub="0oa2"), MAPPED) == "subject-not-address"


def test_a_token_without_subject_is_one_of_a_client_that_the_host_knows():
    assert verdict(token(sub=GONE), MAPPED).address == BOT
    assert code(token(sub=GONE, client_id="other"), MAPPED) == "claim-missing"
    assert code(token(sub=GONE, client_id=["agent-7"]), MAPPED) == "claim-missing"
    assert code(token(act={}), MAPPED) == "claim-missing"


# laws


@given(st.text(max_size=200) | st.text("abcXYZ019-_.=+/ ", max_size=200))
def test_no_text_makes_the_flow_raise(text):
    unit = HttpRequest(method="POST", url=URL, headers={"Authorization": text})
    assert not drive(a2a.verify(unit, now=NOW, settings=settings()), Answers()).verified
    assert not verdict(text).verified


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from([*CLAIMS, "act", "nbf", "cnf", "azp", "name", "picture"])


@given(st.dictionaries(NAMES, JSON, max_size=4))
def test_no_claims_make_the_flow_raise(claims):
    got = verdict(
        token(**claims),
        OLD,
        MAPPED.__class__(issuer="x", audiences=("x",), subject_domains=("b.example",)),
    )
    assert got.address in (None, ALICE) or got.address.endswith("@a.example")


MOMENTS = st.integers(-(10**12), 10**12) | st.integers(T - 200, T + 200) | st.integers(T, T + 100_000)


@given(MOMENTS, MOMENTS, MOMENTS)
def test_a_token_is_taken_in_its_window_alone(expires, begins, issued):
    got = verdict(token(exp=expires, nbf=begins, iat=issued))
    is_good = expires >= 0 and 0 <= begins <= T + 60 and 0 <= issued <= T + 60 and expires + 60 > T
    assert got.verified is (is_good and expires - issued <= 86_400)


@pytest.mark.parametrize("now", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_no_time_makes_the_flow_raise(now):
    assert not verdict(token(), now=now).verified
    asked = a2a.Introspection(response={"active": True, "aud": AUDIENCE, "sub": ALICE}, issuer=ISSUER)
    assert verdict("x", now=now, introspection=asked).verified


# the door


@pytest.mark.parametrize(
    "wrong",
    [
        {"now": datetime(2026, 1, 1)},  # noqa: DTZ001 - the very mistake
        {"now": "2026-01-01T00:00:00Z"},
        {"settings": None},
        {"introspection": {"active": True}},
    ],
    ids=str,
)
def test_wrong_arguments_raise_at_the_call(wrong):
    with pytest.raises(UsageError):
        a2a.verify(request("x"), **{"now": NOW, **wrong})


@pytest.mark.parametrize("unit", [b"", {}, None], ids=repr)
def test_only_requests_are_verified(unit):
    with pytest.raises(UsageError, match="HttpRequest"):
        a2a.verify(unit, now=NOW)


def test_no_token_reaches_the_verdict():
    for text in (token(), token(key=RSA_2), token(exp=0), "x" * 50, token(sub="canary-7f3a")):
        shown = repr(verdict(text))
        assert text not in shown
        assert text.split(".")[-1] not in shown
        assert "canary-7f3a" not in shown


def test_a_time_of_another_zone_is_the_same_time():
    zone = NOW.astimezone(timezone(timedelta(hours=9)))
    assert verdict(token(), now=zone).replays == verdict(token()).replays


@pytest.mark.uncounted
def test_a_header_is_read_in_linear_time():
    def read(text):
        return verdict(text).code

    for make in (lambda size: "A" * size, lambda size: " " * size, lambda size: "a." * size, lambda size: ", " * size):
        steps_grow_linearly(read, make)
        time_grows_linearly(read, make)


def test_one_place_makes_a_sender_verified():
    sites = [
        f"{module.name}:{keyword.value.value}"
        for module in modules()
        if module.name.startswith("a2a")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "verified"
    ]
    assert sites == ["a2a._verify:True"]
