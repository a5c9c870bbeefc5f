"""Evidence that is honest, evidence that is wrong in one thing each, and how its cases are written."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from copy import deepcopy
from hashlib import sha256
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.vectors._answer_rows import row
from tests.vectors._policy_rows import jcs

Case = dict[str, Any]

NOW: Final = "2026-11-21T20:56:00Z"
AGENT: Final = "@helper@agents.example"
HOST: Final = "slack.agents.example"
OTHER_HOST: Final = "teams.agents.example"
BOT: Final = f"@bot@{HOST}"
ALICE: Final = "slack:T123/U456"
METHOD: Final = "urn:mentionable:auth:slack-workspace-member:v0.1"
KID: Final = "2026-11"
CARD_URL: Final = f"https://{HOST}/.well-known/adapter-card"
ASK: Final = f"GET {CARD_URL}"
ANY: Final[Case] = {"$any": "json"}
GONE: Final[Any] = object()
"""Takes a member away."""

KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OLD_KEY: Final = Ed25519PrivateKey.from_private_bytes(sha256(b"conformance connector key no. 0").digest())
OTHER_KEY: Final = Ed25519PrivateKey.from_private_bytes(sha256(b"conformance key of somebody else").digest())
ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point of Ed25519."""

PROFILE: Final[Case] = {"display_name": "Alice", "username": "alice", "provider": "slack", "provider_subject": ALICE}
EVIDENCE: Final[Case] = {
    "subject": ALICE,
    "issuer": HOST,
    "method": METHOD,
    "assurance": "platform",
    "audience": AGENT,
    "issued_at": "2026-11-21T20:55:00.000Z",
    "expires_at": "2026-11-21T20:59:00.000Z",
    "source": {"transport": "slack", "connector": "slack-connector", "channel": "C123"},
    "claims": {"profile": PROFILE},
}
PROOF: Final[Case] = {"type": "signed-attestation", "alg": "Ed25519", "kid": KID, "canonicalization": "jcs"}
ENTRY: Final[Case] = {
    "issuer": HOST,
    "methods": [METHOD],
    "assurance": ["platform"],
    "subject_prefixes": ["slack:T123/"],
}


def b64(data: bytes) -> str:
    """Base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def public(key: Ed25519PrivateKey) -> str:
    """The public half, as `x` of a JWK."""
    return b64(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def without_gone(members: Case) -> Case:
    """The members that are there."""
    return {name: member for name, member in members.items() if member is not GONE}


def signing_input(evidence: Case, *, removed: bool = False) -> bytes:
    """What is signed: the evidence without the value of its proof, or without the proof."""
    members = deepcopy(evidence)
    if removed:
        del members["proof"]
    else:
        members["proof"].pop("value", None)
    return jcs(members)


def signed(key: Ed25519PrivateKey = KEY, *, proof: Case | None = None, removed: bool = False, **changes: Any) -> Case:
    """Evidence with these members, signed as it then stands."""
    members = without_gone({**EVIDENCE, **changes})
    members["proof"] = without_gone({**PROOF, **(proof or {})})
    made: Case = deepcopy(members)
    made["proof"].setdefault("value", b64(key.sign(signing_input(members, removed=removed))))
    return made


def changed(evidence: Case | None = None, *, proof: Case | None = None, **changes: Any) -> Case:
    """Signed evidence that somebody changes afterwards."""
    made = deepcopy(signed() if evidence is None else evidence)
    made = without_gone({**made, **changes})
    made["proof"] = without_gone({**made["proof"], **(proof or {})})
    return made


def text(evidence: Case) -> str:
    """Evidence as compact JSON."""
    return json.dumps(evidence, ensure_ascii=False, separators=(",", ":"))


def raw(data: bytes) -> Case:
    """Bytes of a case."""
    return {"$base64": b64encode(data).decode()}


def signed_as(canonical: bytes, written: bytes) -> Case:
    """Evidence that is written in one way and signed over given canonical bytes."""
    value = b64(KEY.sign(canonical)).encode()
    return raw(written.replace(b'"canonicalization":', b'"value":"' + value + b'","canonicalization":'))


def jwk(key: Ed25519PrivateKey = KEY, kid: str = KID, **members: Any) -> Case:
    """A key of a card."""
    whole = {"kty": "OKP", "crv": "Ed25519", "x": public(key), "kid": kid, "alg": "Ed25519", "use": "sig", **members}
    return without_gone(whole)


def card(*keys: Case, **members: Any) -> Case:
    """A Connector Card."""
    return without_gone(
        {"issuer": HOST, "name": "Slack Connector", "version": "0.1", "keys": list(keys or (jwk(),)), **members}
    )


CARD: Final = card()


def entry(**members: Any) -> Case:
    """An entry of a trust policy."""
    return without_gone({**ENTRY, **members})


def served(document: Any = CARD, **members: Any) -> Case:
    """How a card is served."""
    return {"json": document, **members}


def given(*trust: Case, card: Any = None, now: str = NOW, policy: Case | None = None, **lookups: Any) -> Case:
    """What stands around evidence: whom the receiver trusts, and the card that its issuer serves."""
    listed: Any = list(trust or (ENTRY,))
    settings = {"trust": listed if policy is None else {"entries": listed, "max_lifetime": 300, "skew": 60, **policy}}
    return {"now": now, "lookups": {ASK: served() if card is None else card, **lookups}, "settings": settings}


def unit(evidence: Any, **facts: Any) -> Case:
    """Evidence with what is known beside it."""
    return without_gone({"evidence": evidence, "recipient": AGENT, "caller": BOT, "said": "Hi", **facts})


def identity(evidence: Case, *, removed: bool = False, **changes: Any) -> Case:
    """The identity that comes of evidence."""
    digest = sha256(signing_input(evidence, removed=removed))
    what = evidence["id"].encode() if "id" in evidence else b"\x01" + digest.digest()
    key = sha256(b"mentionable-replay-v1\0" + evidence["issuer"].encode() + b"\0" + what)
    named = ("issuer", "subject", "method", "assurance", "issued_at", "not_before", "expires_at", "id")
    return without_gone(
        {
            **{name: evidence[name] for name in named if name in evidence},
            "audience": AGENT,
            "principals": evidence.get("on_behalf_of", []),
            "key_id": evidence["proof"]["kid"],
            "entry": 0,
            "digest": digest.hexdigest(),
            "replay_key": key.hexdigest(),
            "claims": evidence.get("claims", {}),
            "source": evidence.get("source", {}),
            **changes,
        }
    )


def one(behaviour: str, name: str, section: str, why: str, found: Any, **outcome: Any) -> Case:
    """A case of this folder."""
    return row(f"identity/{behaviour}/{name}", section, why, found, **outcome)


def takes(
    behaviour: str,
    name: str,
    why: str,
    evidence: Case,
    around: Case | None = None,
    *,
    section: str = "D B13",
    expected: Case | None = None,
    wire: Any = None,
    facts: Case | None = None,
    **outcome: Any,
) -> Case:
    """Evidence that shows somebody."""
    value = identity(evidence) if expected is None else expected
    around = given() if around is None else around
    found = unit(evidence if wire is None else wire, **(facts or {}))
    return one(behaviour, name, section, why, found, given=around, value=value, **outcome)


def refuses(
    behaviour: str,
    name: str,
    code: str,
    why: str,
    evidence: Any,
    around: Case | None = None,
    *,
    section: str = "D B13",
    facts: Case | None = None,
    **outcome: Any,
) -> Case:
    """Evidence that shows nobody."""
    around = given() if around is None else around
    found = unit(evidence, **(facts or {}))
    return one(behaviour, name, section, why, found, given=around, rejected={"code": code}, **outcome)


UNASKED: Final[Case] = {"must_not_ask": ["GET *", "ONCE *"], "max_asks": 0}
"""Nothing goes out, and nothing is consumed."""
UNUSED: Final[Case] = {"must_not_ask": ["ONCE *"]}
"""Nothing is consumed."""
