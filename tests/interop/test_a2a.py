"""Tokens and key sets that other libraries make verify here."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mentionable import HttpRequest, a2a, drive
from mentionable.testing import LookupTable

FLOOR = 78
KEYS = Path(__file__).resolve().parents[2] / "conformance" / "keys"
NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
SECONDS = int(NOW.timestamp())
ISSUER = "https://login.example/"
AUDIENCE = "https://agents.example/a2a"
JWKS = "https://login.example/jwks"
ALGORITHMS = {
    "RS256": "rsa",
    "PS256": "rsa",
    "ES256": "p256",
    "ES384": "p384",
    "EdDSA": "ed25519",
    "Ed25519": "ed25519",
}
CLAIMS = {
    "iss": ISSUER,
    "sub": "@bot@b.example",
    "aud": AUDIENCE,
    "client_id": "bot",
    "jti": "1",
    "iat": SECONDS - 10,
    "exp": SECONDS + 600,
}
BODY = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {"message": {"kind": "message",'
    b' "messageId": "m1", "taskId": "t1", "role": "user", "parts": [{"kind": "text", "text": "Hi"}]}}}'
)


def pem_of(algorithm):
    return (KEYS / f"a2a-{ALGORITHMS[algorithm]}.pem").read_text()


def verdict_of(token, jwks, *, keys_given, algorithm):
    source = {"keys": jwks} if keys_given else {"jwks_url": JWKS}
    issuer = a2a.TokenIssuer(
        issuer=ISSUER,
        audiences=(AUDIENCE,),
        subject_domains=("b.example",),
        algorithms=(algorithm,),
        token_types=("at+jwt", "JWT"),
        **source,
    )
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    request = HttpRequest(method="POST", url=AUDIENCE, headers=headers, body=BODY)
    world = LookupTable({f"GET {JWKS}": {"content_type": "application/jwk-set+json", "json": jwks}})
    return drive(a2a.verify(request, now=NOW, settings=a2a.Settings(token_issuers=(issuer,))), world)


def assert_shown(made, algorithm, count, key_id="k1"):
    token, jwks = made["token"], made["jwks"]
    assert not {"d", "p", "q"} & set(jwks["keys"][0])
    for keys_given in (True, False):
        verdict = verdict_of(token, jwks, keys_given=keys_given, algorithm=algorithm)
        assert (verdict.code, verdict.verified, verdict.method) == (None, True, "a2a-jwt")
        assert (verdict.address, verdict.key_id) == ("@bot@b.example", key_id)
    header, payload, signature = token.split(".")
    claims = json.loads(urlsafe_b64decode(payload + "=="))
    forged = urlsafe_b64encode(json.dumps(claims | {"sub": "@boss@b.example"}).encode()).rstrip(b"=").decode()
    verdict = verdict_of(f"{header}.{forged}.{signature}", jwks, keys_given=True, algorithm=algorithm)
    assert verdict.code == "bad-signature"
    count(2)


@pytest.mark.parametrize("algorithm", list(ALGORITHMS))
@pytest.mark.parametrize("token_type", ["at+jwt", "JWT"])
def test_a_token_that_joserfc_makes_verifies_here(other_python, count, algorithm, token_type):
    header = {"kid": "k1", "typ": token_type}
    made = other_python("joserfc.token", pem=pem_of(algorithm), alg=algorithm, header=header, claims=CLAIMS)
    assert_shown(made, algorithm, count)


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "Ed25519"])
def test_a_token_that_authlib_makes_verifies_here(other_python, count, algorithm):
    header = {"kid": "k1", "typ": "at+jwt"}
    made = other_python("authlib.token", pem=pem_of(algorithm), alg=algorithm, header=header, claims=CLAIMS)
    assert_shown(made, algorithm, count)


@pytest.mark.parametrize("algorithm", list(ALGORITHMS))
@pytest.mark.parametrize("token_type", ["at+jwt", "JWT"])
def test_a_token_that_jose_makes_verifies_here(node, count, algorithm, token_type):
    header = {"kid": "k1", "typ": token_type}
    made = node("jose.token", pem=pem_of(algorithm), alg=algorithm, header=header, claims=CLAIMS)
    assert_shown(made, algorithm, count)


@pytest.mark.parametrize("algorithm", list(ALGORITHMS))
def test_the_key_of_a_set_of_several_is_found(node, other_python, count, algorithm):
    """Two libraries share an issuer, each with its key; what one signed does not fit under the id of the other."""
    facts = {"pem": pem_of(algorithm), "alg": algorithm, "claims": CLAIMS}
    first = node("jose.token", **facts, header={"kid": "k1", "typ": "at+jwt"})
    other = {**facts, "pem": (KEYS / "a2a-rsa-other.pem").read_text(), "alg": "RS256"}
    second = other_python("joserfc.token", **other, header={"kid": "k2", "typ": "at+jwt"})
    both = {"keys": [*second["jwks"]["keys"], *first["jwks"]["keys"]]}
    verdict = verdict_of(first["token"], both, keys_given=False, algorithm=algorithm)
    assert (verdict.verified, verdict.key_id) == (True, "k1")
    assert verdict_of(second["token"], both, keys_given=False, algorithm="RS256").key_id == "k2"
    swapped = {"keys": [{**both["keys"][0], "kid": "k1"}, {**both["keys"][1], "kid": "k2"}]}
    assert not verdict_of(first["token"], swapped, keys_given=False, algorithm=algorithm).verified
    count(2)


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ({"exp": SECONDS - 3600}, "expired"),
        ({"nbf": SECONDS + 3600}, "not-yet-valid"),
        ({"aud": "https://other.example/"}, "audience-mismatch"),
        ({"sub": "@bot@c.example"}, "subject-not-authorized"),
    ],
)
def test_a_true_signature_over_claims_that_do_not_hold_shows_nobody(node, other_python, count, claims, code):
    facts = {"pem": pem_of("ES256"), "alg": "ES256", "header": {"kid": "k1", "typ": "at+jwt"}}
    for made in (
        node("jose.token", **facts, claims=CLAIMS | claims),
        other_python("joserfc.token", **facts, claims=CLAIMS | claims),
    ):
        verdict = verdict_of(made["token"], made["jwks"], keys_given=True, algorithm="ES256")
        assert not verdict.verified
        assert verdict.code == code
        count()
