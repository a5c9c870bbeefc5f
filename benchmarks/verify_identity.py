"""Verifying an attestation, beside the one Ed25519 operation that cannot be spared.

From the bytes of the evidence to the verified identity, card and replay guard in memory: strict JSON, all fifteen
steps, canonical JSON, signature, replay key. And what it costs to refuse an issuer whom nobody trusts, which anybody
can make a receiver do.

Usage: python benchmarks/verify_identity.py [--check]     --check exits 1 when a ratio is beyond its bound
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.timing import checked, table
from mentionable import (
    Fetch,
    Fetched,
    Settings,
    SigningKey,
    VerifiedIdentity,
    decode,
    discovery,
    drive,
    dumps,
    identity,
)

if TYPE_CHECKING:
    from collections.abc import Callable

ATTESTATION: Final = 1.4
UNTRUSTED: Final = 0.18

_NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
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


def functions() -> dict[str, Callable[[], Any]]:
    """The bare signature check first, then what stands around it."""
    key = SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
    evidence = identity.attest(
        subject="slack:T123/U456",
        method=_METHOD,
        assurance="platform",
        issuer=_ISSUER,
        audience=_AGENT,
        key=key,
        now=_NOW,
        id="slack:Ev0123",
        claims=_CLAIMS,
        source=_SOURCE,
    )
    data = dumps(evidence)
    card = discovery.ConnectorCard(issuer=_ISSUER, keys=(discovery.ConnectorKey.of(key),))
    served = Fetched(
        url=f"https://{_ISSUER}/.well-known/adapter-card",
        status=200,
        content_type="application/json",
        body=discovery.connector_card_response(card).body,
    )

    def world(ask: identity.IdentityAsk) -> Fetched | bool:
        return served if ask.__class__ is Fetch else True

    trusting = Settings(trust=decode(identity.TrustPolicy, _TRUST))
    elsewhere = Settings(trust=decode(identity.TrustPolicy, [{**_TRUST[0], "issuer": "other.example"}]))

    def verify(settings: Settings) -> Any:
        flow = identity.verify(data, recipient=_AGENT, caller=_ISSUER, said=b"Hi", now=_NOW, settings=settings)
        return drive(flow, world)

    if not isinstance(verify(trusting), VerifiedIdentity) or isinstance(verify(elsewhere), VerifiedIdentity):
        raise AssertionError("the sample does not verify, or the stranger does")
    public, signed = key.native.public_key(), bytes(len(data))
    return {
        "raw Ed25519 verify": partial(public.verify, key.sign(signed), signed),
        "attestation, bytes in": partial(verify, trusting),
        "untrusted issuer, bytes in": partial(verify, elsewhere),
    }


def main(arguments: list[str]) -> int:
    """Prints the table; 1 when `--check` is given and a bound is broken."""
    bounds = {"attestation, bytes in": ATTESTATION, "untrusted issuer, bytes in": UNTRUSTED}
    timings, problems = checked(functions(), bounds)
    print(f"attestation, at most {ATTESTATION:.2f} and {UNTRUSTED:.2f}\n{table(timings)}")
    print(f"attestation: {(timings[1].best - timings[0].best) * 1e6:.1f} µs beyond the bare check")
    print("", *problems, sep="\n")
    return 1 if problems and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
