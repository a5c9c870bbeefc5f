import pytest

from mentionable import Settings, UsageError, a2a, replace
from mentionable._flow.settings import Limits, own_settings
from tests.a2a.tokens import ED, ISSUER, JWKS_URL, KEYS, RSA_JWK, issuer, jwk, token, verdict


def test_an_issuer_has_careful_defaults():
    given = issuer()
    assert given.algorithms == ("RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519")
    assert (given.token_types, given.max_lifetime, given.strict_audience) == (("at+jwt",), 86_400, False)


@pytest.mark.parametrize(
    "wrong",
    [
        {"issuer": ""},
        {"issuer": 7},
        {"audiences": ()},
        {"audiences": "https://agents.example"},
        {"audiences": ("",)},
        {"subject_domains": ()},
        {"subject_domains": ("A.example",)},
        {"subject_domains": ("b\u00fccher.example",)},
        {"subject_domains": ("*.example",)},
        {"subject_domains": ("localhost",)},
        {"algorithms": ()},
        {"algorithms": ("HS256",)},
        {"algorithms": ("none",)},
        {"token_types": ()},
        {"token_types": ("dpop+jwt",)},
        {"max_lifetime": 0},
        {"max_lifetime": True},
        {"max_lifetime": 3_600.0},
        {"keys": {}},
        {"keys": {"keys": {}}},
        {"keys": [RSA_JWK]},
        {"keys": {"keys": [{**RSA_JWK, "d": "AQ"}]}},
        {"keys": KEYS, "jwks_url": JWKS_URL},
        {"jwks_url": "http://login.example/jwks.json"},
        {"jwks_url": "https://localhost/jwks.json"},
        {"subjects": {"x": "alice"}},
        {"subjects": {"x": "@alice@b.example"}},
        {"subjects": {7: "@alice@a.example"}},
    ],
    ids=str,
)
def test_an_issuer_that_cannot_be_meant_is_refused(wrong):
    with pytest.raises(UsageError):
        issuer(**wrong)


def test_keys_are_not_shown():
    assert "keys" not in repr(issuer())


def test_an_issuer_may_be_changed_into_another():
    given = issuer()
    again = replace(given, max_lifetime=60)
    assert (again.keys, again.max_lifetime, given.max_lifetime) == (given.keys, 60, 86_400)
    assert verdict(token(), again).code == "lifetime-too-long"
    replaced = replace(given, keys={"keys": [jwk(ED, "k1")]})
    assert verdict(token(), replaced).code == "algorithm-refused"
    assert verdict(token(), given).verified


def test_keys_of_the_host_are_copied():
    mine = {"keys": [dict(RSA_JWK)]}
    given = issuer(keys=mine)
    mine["keys"].clear()
    assert verdict(token(), given).verified


def test_settings_of_every_room_name_no_issuer():
    assert own_settings(a2a.Settings, Settings()).token_issuers == ()
    assert a2a.Settings().token_issuers == ()
    given = a2a.Settings(token_issuers=(issuer(),), limits=Limits(asks=1), use_once=True)
    assert (own_settings(a2a.Settings, given).token_issuers, given.limits.asks, given.use_once) == (
        (issuer(),),
        1,
        True,
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"token_issuers": [issuer()]},
        {"token_issuers": issuer()},
        {"token_issuers": (ISSUER,)},
        {"token_issuers": (issuer(), issuer(max_lifetime=60))},
        {"limits": None},
    ],
    ids=["list", "one", "text", "twice", "limits"],
)
def test_settings_are_checked(wrong):
    with pytest.raises(UsageError):
        a2a.Settings(**wrong)
