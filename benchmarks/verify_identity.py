"""Verifying an attestation, beside the one Ed25519 operation that cannot be spared.

From the bytes of the evidence to the verified identity, card and replay guard in memory: strict JSON, all fifteen
steps, canonical JSON, signature, replay key. And what it costs to refuse an untrusted issuer, which anybody
can make a receiver do.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchmarks.common import NOW
from benchmarks.timing import Claim, Effort, Function, Race
from mentionable import (
    Fetch,
    Fetched,
    IdentityEvidence,
    Sender,
    Settings,
    SigningKey,
    VerifiedIdentity,
    decode,
    discovery,
    drive,
    dumps,
    encode,
    identity,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result

BARE: Final = "bare Ed25519"
TRUSTED: Final = "attestation, bytes in"
UNTRUSTED: Final = "attestation of an untrusted issuer"

_ISSUER: Final = "mentionable-slack.example"
_METHOD: Final = "urn:mentionable:auth:slack-workspace-member:v0.1"
_AGENT: Final = "@agent@example.com"
_CLAIMS: Final = {
    "profile": {
        "display_name": "JC",
        "username": "jc",
        "avatar": {"url": "https://avatars.slack-edge.example/U456_512.png"},
        "locale": "ko-KR",
        "timezone": "Asia/Seoul",
        "provider": "slack",
        "provider_subject": "slack:T123/U456",
        "extensions": {"slack": {"team_id": "T123", "user_id": "U456"}},
    }
}
_SOURCE: Final = {"transport": "slack", "connector": "slack-connector", "channel": "C123"}
_TRUST: Final = [
    {"issuer": _ISSUER, "methods": [_METHOD], "assurance": ["platform"], "subject_prefixes": ["slack:"]},
]


_KEY: Final = SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
_CARD: Final = discovery.ConnectorCard(issuer=_ISSUER, keys=(discovery.ConnectorKey.of(_KEY),))
_SERVED: Final = Fetched(
    url=f"https://{_ISSUER}/.well-known/adapter-card",
    status=200,
    content_type="application/json",
    body=discovery.connector_card_response(_CARD).body,
)
_FACTS: Final[dict[str, Any]] = {"recipient": _AGENT, "caller": _ISSUER, "message_digest": b"Hi", "now": NOW}


def evidence(number: int) -> IdentityEvidence:
    """What a connector signs of somebody."""
    statement = identity.Statement(
        subject=f"slack:T123/U{number}",
        method=_METHOD,
        assurance="platform",
        id=f"slack:Ev{number}",
        claims=_CLAIMS,
        source=_SOURCE,
    )
    return identity.attest(statement, issuer=_ISSUER, audience=_AGENT, key=_KEY, now=NOW)


def world(ask: identity.IdentityAsk) -> Fetched | bool:
    """A server with everything in memory."""
    return _SERVED if ask.__class__ is Fetch else "first"


def trusting(**changes: Any) -> Settings:
    """Settings that trust the issuer, or another one."""
    return Settings(trust=decode(identity.TrustPolicy, [{**_TRUST[0], **changes}]))


def several(number: int) -> Function:
    """So much evidence of one message, of which no more than a few is looked at."""
    carrier = [encode(evidence(one)) for one in range(number)]
    sender, settings = Sender(address="@connector@example.com"), trusting()
    return lambda: drive(identity.verify_all(carrier, sender=sender, settings=settings, **_FACTS), world)


def functions() -> dict[str, Function]:
    """The bare signature check first, then what stands around it."""
    data = dumps(evidence(456))

    def verify(settings: Settings) -> Any:
        return drive(identity.verify(data, settings=settings, **_FACTS), world)

    known, elsewhere = trusting(), trusting(issuer="other.example")
    if not isinstance(verify(known), VerifiedIdentity) or isinstance(verify(elsewhere), VerifiedIdentity):
        raise AssertionError("the sample does not verify, or the stranger does")
    public, signed = _KEY.native.public_key(), bytes(len(data))
    return {
        BARE: partial(public.verify, _KEY.sign(signed), signed),
        TRUSTED: partial(verify, known),
        UNTRUSTED: partial(verify, elsewhere),
    }


def results(effort: Effort) -> Iterator[Result]:
    """An issuer who is trusted, and one who is not."""
    claims = (Claim(TRUSTED, BARE, 1.4), Claim(UNTRUSTED, BARE, 0.18))
    yield from Race("verify-identity", functions(), claims).run(effort)
