import json

import pytest

from mentionable import Answers, Rejected, UsageError
from mentionable.a2a import Caller, Introspection, RemoteAgent
from mentionable.a2a._read.sender import ANONYMOUS_SENDER
from tests.a2a.tokens import ALICE, AUDIENCE, ISSUER, RSA_2, issuer, published, settings, token


def test_nobody_known_is_anonymous(take, message):
    sender = take(message()).message.sender
    assert (sender.address, sender.auth_method, sender.verified) == ("@anonymous@a2a.invalid", "none", False)


@pytest.mark.parametrize("subject", ["@alice@a.example", "alice@a.example", "acct:alice@A.example"])
def test_a_caller_with_an_address_is_the_sender_unverified(take, message, codes, subject):
    got = take(message(), caller=Caller(subject=subject))
    assert (got.message.sender.address, got.message.sender.verified) == ("@alice@a.example", False)
    assert codes(got) == []


def test_a_caller_without_an_address_is_anonymous_with_a_note(take, message, codes):
    got = take(message(), caller=Caller(subject="user-7"))
    assert got.message.sender.address == "@anonymous@a2a.invalid"
    assert codes(got) == ["caller-not-address"]


def test_a_result_comes_from_its_peer(take, message, task):
    for unit in (task(), message(role="ROLE_AGENT")):
        got = take(unit, caller=RemoteAgent(address="peer@agents.example"))
        assert got.message.sender.address == "@peer@agents.example"
        assert not got.message.sender.verified


def test_a_peer_must_be_an_address(take, message):
    with pytest.raises(UsageError):
        take(message(), caller=RemoteAgent(address="peer"))


@pytest.fixture
def with_token(take, call, message):
    """What comes of a message with this token."""

    def made(text, *, given=None, unit=None, **facts):
        body = call(message()) if unit is None else unit
        headers = {"a2a-version": "1.0", "authorization": f"Bearer {text}"}
        return take(body, headers=headers, settings=given or settings(), **facts)

    return made


def test_a_token_shows_the_sender(with_token):
    got = with_token(token())
    sender = got.message.sender
    assert (sender.address, sender.auth_method, sender.verified, sender.key_id) == (ALICE, "a2a-jwt", True, "k1")
    (evidence,) = sender.identities
    assert (evidence.subject, evidence.audience, evidence.issuer) == (ALICE, "@helper@agents.example", ISSUER)
    assert (sender.profile, sender.display_name) == (None, None)
    assert (got.native_id, got.verdict.replays[0].binding) == (f"{ALICE} m1", f"{ALICE} m1 @helper@agents.example")
    assert got.diagnostics == ()


def test_a_token_that_fails_leaves_the_sender_anonymous(with_token, codes):
    got = with_token(token(key=RSA_2))
    assert (got.message.sender.address, got.message.sender.verified) == ("@anonymous@a2a.invalid", False)
    assert (got.verdict.code, got.native_id, codes(got)) == ("bad-signature", "@anonymous@a2a.invalid m1", [])


def test_a_token_that_fails_makes_no_callers_word_true(with_token):
    sender = with_token(token(key=RSA_2), caller=Caller(subject=ALICE)).message.sender
    assert (sender.address, sender.verified, sender.auth_method) == (ALICE, False, "none")


@pytest.mark.parametrize(
    ("subject", "noted"),
    [(ALICE, []), ("alice@A.example", []), ("@bob@a.example", ["caller-differs"]), ("x", ["caller-differs"])],
)
def test_a_token_outweighs_the_callers_word(with_token, codes, subject, noted):
    got = with_token(token(), caller=Caller(subject=subject))
    assert (got.message.sender.address, codes(got)) == (ALICE, noted)


def test_an_audience_with_others_is_noted(with_token, codes):
    assert codes(with_token(token(aud=[AUDIENCE, "x"]))) == ["audience-shared"]


def test_a_result_is_shown_by_no_token(with_token, task):
    unit = json.dumps(task()).encode()
    got = with_token(token(), unit=unit, caller=RemoteAgent(address="peer@agents.example"))
    assert (got.message.sender.address, got.verdict.code) == ("@peer@agents.example", "unsigned")
    assert with_token(token(), unit=unit).message.sender.address == ALICE


def test_an_introspection_shows_the_sender_of_a_mapping(take, message):
    said = Introspection(response={"active": True, "aud": AUDIENCE, "sub": ALICE}, issuer=ISSUER)
    got = take(message(), caller=said, settings=settings(use_once=True))
    assert (got.message.sender.address, got.message.sender.auth_method) == (ALICE, "a2a-oauth")
    assert got.verdict.replays == ()  # there is no token that could be used again
    assert got.message.raw["auth"]["kind"] == "oauth"


def test_who_calls_is_of_a_documented_kind(take, message):
    with pytest.raises(UsageError, match="an Introspection"):
        take(message(), caller={"active": True})


def test_the_host_may_know_more_of_a_caller_than_the_introspection_says(take, message):
    active = {"active": True, "aud": AUDIENCE, "sub": ALICE}
    said = Introspection(response=active, issuer=ISSUER, caller=Caller(subject=ALICE, name="Alice's agent"))
    got = take(message(), caller=said, settings=settings())
    assert (got.message.sender.verified, got.message.sender.display_name) == (True, "Alice's agent")


def test_keys_are_asked_for_when_the_unit_is_good(with_token, take):
    world, asked = published({"keys": []})
    given = settings(issuer(jwks_url="https://login.example/jwks.json"))
    assert with_token(token(), given=given, answers=world, unit=b"{").code == "invalid-json"
    assert asked == []
    assert with_token(token(), given=given, answers=world).verdict.code == "key-unknown"
    assert [fresh for *_, fresh in asked] == [False, True]


def test_a_token_counts_once_where_that_is_wanted(with_token):
    asked = []

    def use_once(ask):
        asked.append(ask.binding)
        return "first" if len(asked) == 1 else "other"

    given = settings(use_once=True)
    got = with_token(token(), given=given, answers=Answers(use_once=use_once))
    assert (got.verdict.code, got.message.sender.verified, asked) == (
        None,
        True,
        [f"{ALICE} m1 @helper@agents.example"],
    )
    assert got.verdict.replays != ()
    got = with_token(token(), given=given, answers=Answers(use_once=use_once))
    assert (got.verdict.code, got.message.sender, "auth" in got.message.raw) == ("replayed", ANONYMOUS_SENDER, False)


def test_a_token_that_fails_is_not_remembered(with_token):
    def use_once(ask):
        raise AssertionError(ask)

    got = with_token(token(exp=1), given=settings(use_once=True), answers=Answers(use_once=use_once))
    assert got.verdict.code == "expired"


def test_who_is_not_shown_is_rejected_where_that_is_wanted(with_token):
    got = with_token(token(exp=1), given=settings(require_verified=True))
    assert isinstance(got, Rejected)
    assert (got.code, got.verdict.code, got.http_status) == ("verification-required", "expired", 401)


PROFILE = {
    "name": "Alice\u202e A.",
    "picture": "https://a.example/alice.png",
    "locale": "de-AT",
    "zoneinfo": "Europe/Vienna",
}


def test_what_a_token_says_of_its_subject_is_shown(with_token, codes):
    got = with_token(token(**PROFILE))
    sender = got.message.sender
    profile = sender.profile
    assert (sender.display_name, profile.display_name, profile.avatar.url) == (
        "Alice A.",
        "Alice A.",
        PROFILE["picture"],
    )
    assert (profile.locale, profile.timezone, profile.provider) == ("de-AT", "Europe/Vienna", "oauth")
    assert codes(got) == []


def test_what_a_token_says_of_a_principal_is_not_shown_of_the_actor(with_token):
    got = with_token(token(**PROFILE, act={"sub": "bot@a.example", "name": "Bot"}))
    assert (got.message.sender.display_name, got.message.sender.profile.locale) == ("Bot", None)


@pytest.mark.parametrize(
    ("claims", "noted"),
    [
        ({"name": 7, "picture": [], "locale": {}, "zoneinfo": ""}, []),
        ({"name": "\u202e", "locale": "x" * 101}, []),
        ({"name": "x" * 1_025}, ["name-too-long"]),
        ({"picture": "javascript:alert(1)"}, ["url-refused"]),
    ],
)
def test_what_cannot_be_shown_is_left_out(with_token, codes, claims, noted):
    got = with_token(token(**claims))
    assert (got.message.sender.profile, got.message.sender.display_name, codes(got)) == (None, None, noted)


def test_a_name_with_an_address_of_others_is_noted(with_token, codes):
    got = with_token(token(name="ceo@bank.example"))
    assert (got.message.sender.display_name, codes(got)) == ("ceo@bank.example", ["name-holds-address"])
