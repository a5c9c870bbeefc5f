"""Cards, keys and worlds that the tests of discovery share."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from pathlib import Path

import attrs
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from mentionable import SigningKey
from mentionable._model.base import maker_for_readers
from mentionable.discovery import (
    A2AAuth,
    A2ACard,
    A2AInterface,
    A2ASection,
    A2ASkill,
    AgentCard,
    Capabilities,
    MentionableSection,
    Settings,
)

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = Path(__file__).resolve().parent / "samples"
KEYS = ROOT / "conformance" / "keys"

ADDRESS = "@helper@agents.example"
DOMAIN = "agents.example"
JRD_URL = "https://agents.example/.well-known/webfinger?resource=acct:helper@agents.example"
CARD_URL = "https://agents.example/.well-known/agent-card/helper"
RPC = "https://agents.example/a2a"

ED25519 = SigningKey.from_seed(bytes(range(32)), key_id="card-1")
ED25519_JWK = {**ED25519.public_jwk, "alg": "EdDSA"}
P256 = load_pem_private_key((KEYS / "a2a-p256.pem").read_bytes(), None)
P256_JWK = {**json.loads(ECAlgorithm.to_jwk(P256.public_key())), "kid": "k1"}
RSA = load_pem_private_key((KEYS / "a2a-rsa.pem").read_bytes(), None)
RSA_JWK = {**json.loads(RSAAlgorithm.to_jwk(RSA.public_key())), "kid": "rsa"}

V1 = A2AInterface(url=RPC, protocol_binding="JSONRPC", protocol_version="1.0")
V1_REST = A2AInterface(url="https://agents.example", protocol_binding="HTTP+JSON", protocol_version="1.0")
V03 = A2AInterface(url=RPC, protocol_binding="JSONRPC", protocol_version="0.3")
A2A = A2ACard(
    name="Helper",
    description="Helps.",
    version="1.0.0",
    interfaces=(V1, V03),
    capabilities=Capabilities(streaming=True),
    default_input_modes=("text/plain",),
    default_output_modes=("text/plain",),
    skills=(A2ASkill(id="rain", name="Rain", description="Knows whether it will rain.", tags=("weather",)),),
)
CARD = AgentCard(
    address=ADDRESS,
    name="Helper",
    version="1.0.0",
    description="Helps.",
    a2a=A2ASection(endpoint=RPC, transport="https+jsonrpc", auth=A2AAuth(scheme="none")),
    mentionable=MentionableSection(supported_inbound=("a2a",)),
)


def pinned(*jwks, domain=DOMAIN, **members):
    """Settings that know these keys."""
    return Settings(card_keys={domain: {"keys": list(jwks)}}, **members)


def as_read(value, **changes):
    """A value with these members, as readers make it: without what programs must write."""
    members = {a.name: getattr(value, a.name) for a in attrs.fields(type(value))}
    return maker_for_readers(type(value))(**{**members, **changes})


def encoded(data):
    """Bytes as base64url."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def jws(signed, *, alg="ES256", kid="k1", typ="JOSE", **header):
    """A signature over bytes that a test says are canonical, made by `cryptography` alone."""
    named = {"alg": alg, "kid": kid, "typ": typ, **header}
    protected = encoded(json.dumps({name: member for name, member in named.items() if member is not None}).encode())
    data = f"{protected}.{encoded(signed)}".encode()
    if alg == "ES256":
        halves = decode_dss_signature(P256.sign(data, ec.ECDSA(SHA256())))
        value = b"".join(half.to_bytes(32, "big") for half in halves)
    elif alg == "RS256":
        value = RSA.sign(data, padding.PKCS1v15(), SHA256())
    else:
        value = ED25519.sign(data)
    return {"protected": protected, "signature": encoded(value)}


def sample(name):
    """A card as a library of others signed it."""
    return (SAMPLES / name).read_bytes()
