"""Capability tokens, honest and wrong in one thing each, and how the cases of files are written."""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.vectors._answer_rows import row

Case = dict[str, Any]

START: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
T: Final = int(START.timestamp())
HOST: Final = "connector.example"
AGENT: Final = "@helper@agents.example"
TYPE: Final = "mentionable-file-cap+jwt"
TURN: Final = "slack:T123/C123/1700000000.000100"
SCOPE: Final[Case] = {"workspace": "T123", "channel": "C123", "file": "F123"}
GONE: Final[Any] = object()
"""Takes a member away."""

SECRET: Final = b"conformance file secret no. 1 .."
OLD_SECRET: Final = b"conformance file secret no. 0 .."
OTHER_SECRET: Final = b"a secret that is not known there"
SEED: Final = hashlib.sha256(b"conformance file key").digest()
EDGE: Final = Ed25519PrivateKey.from_private_bytes(SEED)
PUBLIC: Final = EDGE.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point of Ed25519."""

HEADER: Final[Case] = {"alg": "HS256", "kid": "2026-11", "typ": TYPE}
EDGE_HEADER: Final[Case] = {"alg": "EdDSA", "kid": "edge", "typ": TYPE}
CLAIMS: Final[Case] = {
    "ver": 1,
    "iss": HOST,
    "aud": AGENT,
    "iat": T - 60,
    "nbf": T - 60,
    "exp": T + 240,
    "jti": "c2VjcmV0LW9mLTEyOC1iaQ",
    "turn": TURN,
    "scope": SCOPE,
    "max_bytes": 12_345,
}


def b64(data: bytes) -> str:
    """Base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


KEYS: Final[list[Case]] = [
    {"kid": "2026-11", "secret": b64(SECRET)},
    {"kid": "2026-10", "secret": b64(OLD_SECRET)},
    {"kid": "edge", "public": b64(PUBLIC)},
]


def changed(members: Case, changes: Case) -> Case:
    """The members with these changes, in their order."""
    return {name: value for name, value in {**members, **changes}.items() if value is not GONE}


def as_bytes(value: Any) -> bytes:
    """Text and bytes as they are, anything else as compact JSON."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def mac(signed: str, secret: bytes = SECRET) -> bytes:
    """HMAC-SHA256."""
    return hmac.new(secret, signed.encode(), hashlib.sha256).digest()


def token(claims: Any = CLAIMS, header: Any = HEADER, secret: bytes = SECRET) -> str:
    """A token that is signed with a secret."""
    signed = f"{b64(as_bytes(header))}.{b64(as_bytes(claims))}"
    return f"{signed}.{b64(mac(signed, secret))}"


def edge_token(claims: Any = CLAIMS, header: Any = EDGE_HEADER) -> str:
    """A token that is signed with the Ed25519 key."""
    signed = f"{b64(as_bytes(header))}.{b64(as_bytes(claims))}"
    return f"{signed}.{b64(EDGE.sign(signed.encode()))}"


def claiming(**changes: Any) -> str:
    """A token with other claims."""
    return token(changed(CLAIMS, changes))


def scoped(**changes: Any) -> str:
    """A token for another file."""
    return claiming(scope=changed(SCOPE, changes))


def headed(**changes: Any) -> str:
    """A token with another header."""
    return token(header=changed(HEADER, changes))


def at(seconds: float) -> Case:
    """So many seconds later."""
    moment = START + timedelta(seconds=seconds)
    return {"now": f"{moment.isoformat().removesuffix('+00:00')}Z"}


FREE: Final[Case] = {"lookups": {"REVOKED *": False}}
QUIET: Final = ["REVOKED *", "DEBIT *", "GET *"]


def capability(**changes: Any) -> Case:
    """What comes of the plain token."""
    plain = {
        "token_id": CLAIMS["jti"],
        "issuer": HOST,
        "audience": AGENT,
        "scope": SCOPE,
        "turn": TURN,
        "max_bytes": 12_345,
        "issued_at": "2026-11-21T20:55:00Z",
        "expires_at": "2026-11-21T21:00:00Z",
        "key_id": "2026-11",
    }
    return {**plain, **changes}


def fetch(found: str, **terms: Any) -> Case:
    """A fetch with a token, and what the connector knows of it."""
    plain = {"token": found, "keys": KEYS, "issuer": HOST, "presenter": AGENT}
    return {name: value for name, value in {**plain, **terms}.items() if value is not GONE}


def taken(name: str, why: str, unit: Case, **more: Any) -> Case:
    """A fetch that is let in."""
    changes = more.pop("value", {})
    around = {**FREE, **more.pop("given", {})}
    section = more.pop("section", "BC")
    return row(f"files/verify/{name}", section, why, unit, given=around, value=capability(**changes), **more)


def refused(behaviour: str, name: str, code: str, why: str, unit: Case | str, **more: Any) -> Case:
    """A fetch that is not, and of which nobody is asked anything."""
    unit = fetch(unit) if isinstance(unit, str) else unit
    around = {**FREE, **more.pop("given", {})}
    section = more.pop("section", "BC")
    quiet = {"must_not_ask": QUIET} if more.pop("quiet", True) else {}
    more = {"flags": ["attack"], **more}
    return row(f"files/{behaviour}/{name}", section, why, unit, given=around, rejected={"code": code}, **quiet, **more)
