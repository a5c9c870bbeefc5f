"""Tokens for the cases of A2A: honest, and wrong in one thing each."""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256, SHA384, SHA512
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.vectors import KEYS, key

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NOW = "2026-11-21T20:56:00Z"
T = int(datetime(2026, 11, 21, 20, 56, tzinfo=UTC).timestamp())
ISSUER = "https://login.example/"
OTHER = "https://other.example/"
AUDIENCE = "https://agents.example"
JWKS_URL = "https://login.example/jwks.json"
ALICE = "@alice@a.example"
BOT = "@bot@a.example"
GONE: Any = object()
"""Takes a member away."""

RSA = key("a2a-rsa")
RSA_OTHER = key("a2a-rsa-other")
RSA_1024 = key("a2a-rsa-1024")
P256 = key("a2a-p256")
P384 = key("a2a-p384")
ED = key("a2a-ed25519")

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
_HASHES: dict[str, Any] = {"256": SHA256(), "384": SHA384(), "512": SHA512()}

KEPT: Path = KEYS / "a2a-signatures.json"
_KEPT: dict[str, str] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
_USED: dict[str, str] = {}


def b64(data: bytes) -> str:
    """Base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """The bytes of such text."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _number(value: int, size: int) -> str:
    return b64(value.to_bytes(size, "big"))


def jwk(private: Any, kid: str, **members: Any) -> dict[str, Any]:
    """The public half of a key as a JWK, with other members beside it, or without some."""
    public = private.public_key()
    found: dict[str, Any]
    if isinstance(private, rsa.RSAPrivateKey):
        numbers = public.public_numbers()
        found = {"kty": "RSA", "n": _number(numbers.n, private.key_size // 8), "e": "AQAB"}
    elif isinstance(private, ec.EllipticCurvePrivateKey):
        numbers, size = public.public_numbers(), private.key_size // 8
        found = {"kty": "EC", "crv": f"P-{private.key_size}"}
        found |= {"x": _number(numbers.x, size), "y": _number(numbers.y, size)}
    else:
        found = {"kty": "OKP", "crv": "Ed25519", "x": b64(public.public_bytes(Encoding.Raw, PublicFormat.Raw))}
    return changed({**found, "kid": kid, "use": "sig"}, members)


def changed(members: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The members with these changes."""
    return {name: value for name, value in {**members, **changes}.items() if value is not GONE}


def as_bytes(value: Any) -> bytes:
    """Text and bytes as they are, anything else as compact JSON."""
    if isinstance(value, str):
        return value.encode()
    return value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def sign(algorithm: str, private: Any, data: bytes) -> bytes:
    """A signature; one that cannot be made twice is made once and kept."""
    if algorithm == "none":
        return b""
    if algorithm == "HS256":
        return hmac.new(private, data, hashlib.sha256).digest()
    if isinstance(private, Ed25519PrivateKey):
        return private.sign(data)
    digest = _HASHES[algorithm[2:]]
    if algorithm.startswith("RS"):
        made: bytes = private.sign(data, padding.PKCS1v15(), digest)
        return made
    name = f"{algorithm} {hashlib.sha256(data).hexdigest()}"
    if name not in _KEPT:
        _KEPT[name] = b64(_random_signature(algorithm, private, data, digest))
    _USED[name] = _KEPT[name]
    return unb64(_KEPT[name])


def _random_signature(algorithm: str, private: Any, data: bytes, digest: Any) -> bytes:
    if algorithm.startswith("PS"):
        made: bytes = private.sign(data, padding.PSS(padding.MGF1(digest), digest.digest_size), digest)
        return made
    size = (private.key_size + 7) // 8
    r, s = decode_dss_signature(private.sign(data, ec.ECDSA(digest)))
    return r.to_bytes(size, "big") + s.to_bytes(size, "big")


def kept() -> tuple[Path, str]:
    """The signatures that were needed and cannot be made twice."""
    return KEPT, json.dumps(_USED, indent=1, sort_keys=True) + "\n"


def signed(header: Any, payload: Any, private: Any = RSA, algorithm: str = "RS256") -> str:
    """A token of these members, or of these very bytes, signed by this algorithm whatever the header says."""
    text = f"{b64(as_bytes(header))}.{b64(as_bytes(payload))}"
    return f"{text}.{b64(sign(algorithm, private, text.encode()))}"


def token(header: Mapping[str, Any] | None = None, private: Any = RSA, algorithm: str = "RS256", **claims: Any) -> str:
    """An honest token, but for these members of its header and these claims."""
    return signed(changed(HEADER, header or {}), changed(CLAIMS, claims), private, algorithm)


def resigned(text: str, signature: bytes) -> str:
    """A token with another signature."""
    return f"{text.rpartition('.')[0]}.{b64(signature)}"


def keys(*found: Any) -> dict[str, Any]:
    """A JWKS; without arguments that of the usual key."""
    return {"keys": list(found) or [jwk(RSA, "k1")]}


def issuer(**members: Any) -> dict[str, Any]:
    """The issuer that is believed, but for these members."""
    usual: dict[str, Any] = {"issuer": ISSUER, "audiences": [AUDIENCE], "subject_domains": ["a.example"]}
    if "jwks_url" not in members:
        usual["keys"] = keys()
    return changed(usual, members)
