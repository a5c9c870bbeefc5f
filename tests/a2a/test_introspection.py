import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import UsageError, a2a, replace
from tests.a2a.tokens import ALICE, AUDIENCE, GONE, ISSUER, NOW, T, issuer, verdict

OPAQUE = "opaque-canary-7f3a"
ANSWER = {
    "active": True,
    "iss": ISSUER,
    "aud": AUDIENCE,
    "sub": ALICE,
    "exp": T + 600,
    "iat": T - 5,
    "token_type": "Bearer",
    "username": "mallory@a.example",
    "client_id": "agent-7",
}
SERVER = issuer(keys=None)


def judged(issuer_given=SERVER, *, asked=ISSUER, proof_checked=False, text=OPAQUE, **members):
    response = {name: one for name, one in {**ANSWER, **members}.items() if one is not GONE}
    said = a2a.Introspection(response=response, issuer=asked, proof_checked=proof_checked)
    return verdict(text, issuer_given, introspection=said)


def test_an_active_token_shows_its_sender():
    got = judged()
    assert (got.method, got.verified, got.address, got.key_id) == ("a2a-oauth", True, ALICE, None)
    assert got.steps == ("authorization", "active", "audience", "time", "use", "subject")
    assert (got.evidence.assurance, got.evidence.issuer, got.evidence.audience) == ("oauth", ISSUER, AUDIENCE)
    assert got.replays[0].key == f"a2a:{hashlib.sha256(OPAQUE.encode()).hexdigest()}"
    assert got.replays[0].until == NOW + timedelta(seconds=660)
    assert OPAQUE not in repr(got)


def test_the_token_itself_is_not_read():
    assert judged(text="a.b.c").verified


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"active": False}, "token-inactive"),
        ({"active": "true"}, "token-inactive"),
        ({"active": 1}, "token-inactive"),
        ({"active": GONE}, "token-inactive"),
        ({"iss": "https://other.example/"}, "issuer-unknown"),
        ({"iss": ISSUER[:-1]}, "issuer-unknown"),
        ({"iss": None}, "issuer-unknown"),
        ({"aud": GONE}, "claim-missing"),
        ({"aud": "https://other.example"}, "audience-mismatch"),
        ({"aud": 7}, "claim-malformed"),
        ({"exp": T - 60}, "expired"),
        ({"exp": str(T)}, "claim-malformed"),
        ({"exp": T + 10**9}, "lifetime-too-long"),
        ({"nbf": T + 61}, "not-yet-valid"),
        ({"iat": T + 61}, "not-yet-valid"),
        ({"token_type": "DPoP"}, "token-type-refused"),
        ({"token_type": "N_A"}, "token-type-refused"),
        ({"token_type": 7}, "claim-malformed"),
        ({"cnf": {"x5t#S256": "x"}}, "proof-unchecked"),
        ({"sub": GONE}, "claim-missing"),
        ({"sub": "alice"}, "subject-not-address"),
        ({"sub": 7}, "claim-malformed"),
        ({"sub": "@alice@b.example"}, "subject-not-authorized"),
        ({"act": {"sub": "bot"}}, "subject-not-address"),
    ],
    ids=str,
)
def test_an_answer_that_is_not_as_it_must_be_shows_nobody(members, expected):
    got = judged(**members)
    assert (got.method, got.verified, got.code) == ("none", False, expected)


@pytest.mark.parametrize(
    "members", [{"iss": GONE}, {"token_type": GONE}, {"token_type": "bearer"}, {"aud": [AUDIENCE, "x"]}], ids=str
)
def test_what_an_answer_may_leave_out(members):
    assert judged(**members).verified


def test_a_token_without_an_end_is_never_forgotten():
    assert judged(exp=GONE).replays[0].until == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_a_bound_token_counts_when_the_host_checked_the_proof():
    assert judged(cnf={"x5t#S256": "x"}, proof_checked=True).verified


def test_the_name_of_a_user_is_no_address():
    assert judged(sub=GONE, username=ALICE, issuer_given=issuer(subjects={ALICE: ALICE})).code == "claim-missing"


def test_a_client_may_be_one_that_the_host_knows():
    assert judged(issuer(keys=None, subjects={"agent-7": ALICE}), sub=GONE).address == ALICE


def test_the_server_must_be_one_of_the_issuers():
    got = judged(asked="https://other.example/")
    assert (got.code, got.steps) == ("issuer-unknown", ("authorization",))


def test_an_actor_is_the_sender():
    got = judged(act={"sub": "bot@a.example"})
    assert (got.address, got.evidence.on_behalf_of) == ("@bot@a.example", (ALICE,))


JSON = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()


@pytest.mark.uncounted
@given(
    st.dictionaries(
        st.sampled_from([*ANSWER, "act", "cnf", "nbf"]), JSON | st.lists(JSON) | st.dictionaries(st.text(), JSON)
    )
)
def test_no_answer_makes_the_flow_raise(members):
    got = judged(**members)
    assert got.address is None or got.address.endswith("@a.example")
    assert got.verified == (got.code is None)


@pytest.mark.parametrize(
    "wrong", [{"response": []}, {"response": {"a": NOW}}, {"issuer": ""}, {"proof_checked": 1}], ids=str
)
def test_what_a_host_gives_is_checked(wrong):
    with pytest.raises(UsageError):
        a2a.Introspection(**{"response": {}, "issuer": ISSUER, **wrong})


def test_the_answer_is_not_shown():
    assert "canary" not in repr(a2a.Introspection(response={"sub": "canary"}, issuer=ISSUER))


def deep(levels):
    found = []
    for _ in range(levels):
        found = [found]
    return found


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"exp": float("nan")}, "NaN"),
        ({"iat": float("inf")}, "NaN"),
        ({"x": [{"y": float("-inf")}]}, "NaN"),
        ({"username": "\ud800"}, "surrogate"),
        ({"\ud800": 1}, "member"),
        ({"n": 10**5000}, "too long"),
        ({"x": deep(200)}, "nested"),
    ],
)
def test_what_a_loose_parser_took_is_the_fault_of_the_server(members, reason):
    got = judged(**members)
    assert (got.verified, got.code, got.steps) == (False, "claim-malformed", ("authorization",))
    assert got.detail.startswith("the answer is no JSON: ")
    assert reason in got.detail


def test_it_is_refused_after_a_change_too():
    said = a2a.Introspection(response={**ANSWER, "exp": float("nan")}, issuer=ISSUER)
    assert verdict(OPAQUE, SERVER, introspection=replace(said, proof_checked=True)).code == "claim-malformed"


@pytest.mark.parametrize("response", [[], None, {"exp": NOW}, {(1,): 2}, {"x": (NOW, float("nan"))}])
def test_what_no_parser_makes_is_the_fault_of_the_caller(response):
    with pytest.raises(UsageError, match=r"Introspection\.response"):
        a2a.Introspection(response=response, issuer=ISSUER)


def test_the_other_members_are_checked_beside_a_broken_answer():
    with pytest.raises(UsageError, match=r"Introspection\.issuer"):
        a2a.Introspection(response={"exp": float("nan")}, issuer=7)
