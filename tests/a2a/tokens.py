"""Keys, tokens signed with them by PyJWT's algorithms, honest and broken, and the settings that believe them."""

import json
from base64 import urlsafe_b64encode
from datetime import UTC, datetime

from cryptography.hazmat.primitives.asymmetric import ec, ed448, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm, get_default_algorithms

from mentionable import Answers, Fetched, HttpRequest, a2a, drive

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
T = int(NOW.timestamp())
ISSUER = "https://login.example/"
AUDIENCE = "https://agents.example"
URL = "https://agents.example/helper"
JWKS_URL = "https://login.example/jwks.json"
ALICE = "@alice@a.example"
GONE = object()
"""Takes a member away."""

ALGORITHMS = get_default_algorithms()
RSA = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
RSA_2 = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
RSA_1024 = rsa.generate_private_key(public_exponent=65_537, key_size=1_024)
P256 = ec.generate_private_key(ec.SECP256R1())
P384 = ec.generate_private_key(ec.SECP384R1())
ED = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
ED_2 = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
ED_448 = ed448.Ed448PrivateKey.generate()

_WRITERS = ((rsa.RSAPrivateKey, RSAAlgorithm), (ec.EllipticCurvePrivateKey, ECAlgorithm))


def jwk(key, kid, **members):
    """The public half of a key as a JWK; None takes a member away."""
    writer = next((writer for kind, writer in _WRITERS if isinstance(key, kind)), OKPAlgorithm)
    public = {**writer.to_jwk(key.public_key(), as_dict=True), "kid": kid, **members}
    return {name: value for name, value in public.items() if value is not None}


RSA_JWK = jwk(RSA, "k1", use="sig", alg="RS256")
KEYS = {
    "keys": [
        RSA_JWK,
        jwk(RSA, "any-rsa"),
        jwk(P256, "p256"),
        jwk(P384, "p384", key_ops=["verify"]),
        jwk(ED, "ed"),
        {"kty": "oct", "kid": "secret", "k": "AAAA"},
        "no key",
    ]
}


def b64(data):
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def as_bytes(value):
    if isinstance(value, str):
        value = value.encode()
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def signed(header, payload, key=RSA, algorithm="RS256"):
    """A token of these members, or of these very bytes, signed with the algorithm whatever the header says."""
    text = f"{b64(as_bytes(header))}.{b64(as_bytes(payload))}"
    return f"{text}.{b64(ALGORITHMS[algorithm].sign(text.encode(), key))}"


HEADER = {"alg": "RS256", "typ": "at+jwt", "kid": "k1"}
CLAIMS = {
    "iss": ISSUER,
    "sub": ALICE,
    "aud": AUDIENCE,
    "iat": T - 10,
    "exp": T + 3_600,
    "jti": "j1",
    "client_id": "agent-7",
}


def changed(members, changes):
    return {name: value for name, value in {**members, **changes}.items() if value is not GONE}


def token(header=(), key=RSA, algorithm="RS256", **claims):
    """An honest token, but for these members of its header and these claims."""
    return signed(changed(HEADER, dict(header)), changed(CLAIMS, claims), key, algorithm)


def issuer(**members):
    """The issuer whose keys are given, but for these members."""
    if "jwks_url" not in members:
        members = {"keys": KEYS, **members}
    return a2a.TokenIssuer(
        **{"issuer": ISSUER, "audiences": (AUDIENCE, "agents"), "subject_domains": ("a.example",), **members}
    )


def settings(*issuers, **members):
    """Settings that believe these issuers, the usual one when none is named."""
    return a2a.Settings(token_issuers=issuers or (issuer(),), **members)


def request(text, *more, body=b"", scheme="Bearer "):
    """A request with an Authorization header for each token."""
    headers = [("Authorization", f"{scheme}{one}") for one in (text, *more)]
    return HttpRequest(method="POST", url=URL, headers=headers, body=body)


def verdict(text, *issuers, now=NOW, world=None, body=b"", introspection=None, **members):
    """What `verify` says of a request with this token."""
    flow = a2a.verify(
        request(text, body=body), now=now, introspection=introspection, settings=settings(*issuers, **members)
    )
    return drive(flow, world or Answers())


def published(*documents, url=JWKS_URL, status=200, content_type="application/json"):
    """A world that answers each ask for keys with the next document, and the asks that it got."""
    asked = []

    def fetch(ask):
        document = documents[min(len(asked), len(documents) - 1)]
        asked.append((ask.url, ask.purpose, ask.fresh))
        return Fetched(url=url, status=status, content_type=content_type, body=as_bytes(document))

    return Answers(fetch=fetch), asked
