"""Attestations that a program of others signs are believed here, and those that are signed here fit there.

That program has its own canonical JSON and its own Ed25519; what both agree on is the profile: everything in canonical
form, without the value of the proof.
"""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import UTC, datetime
from random import Random

from mentionable import Answers, Fetched, Rejected, Settings, SigningKey, drive, dumps, identity
from mentionable.discovery import ConnectorCard, ConnectorKey, connector_card_response
from tests.interop.test_canonical import plain_document_of, taken_apart, text_of

FLOOR = 500
ATTESTATIONS = 200
NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
SEED = bytes(range(32))
KEY = SigningKey.from_seed(SEED, key_id="2026-11")
ISSUER, AGENT = "slack.agents.example", "@helper@agents.example"
METHOD = "urn:mentionable:auth:slack-workspace-member:v0.1"
SERVED = connector_card_response(ConnectorCard(issuer=ISSUER, keys=(ConnectorKey.of(KEY),)))
ENTRY = identity.TrustEntry(
    issuer=ISSUER, methods=(METHOD,), assurance=("platform",), subject_prefixes=("slack:T123/",)
)
SETTINGS = Settings(trust=identity.TrustPolicy(entries=(ENTRY,)))
WORLD = Answers(
    fetch=lambda ask: Fetched(url=ask.url, status=200, content_type="application/json", body=SERVED.body),
    use_once=lambda ask: "first",
)


def people():
    """Subjects with claims of every kind."""
    random = Random(123)
    for number in range(ATTESTATIONS):
        profile = {"display_name": text_of(random) or "x", "locale": "ko-KR", "extensions": {"slack": {"n": number}}}
        yield f"slack:T123/U{number}", {"profile": profile, "more": plain_document_of(random), text_of(random): number}


def believed(evidence):
    flow = identity.verify(
        evidence, recipient=AGENT, caller=f"@bot@{ISSUER}", message_digest=b"Hi", now=NOW, settings=SETTINGS
    )
    return drive(flow, WORLD)


def test_what_others_sign_is_believed_and_nothing_else(node, count):
    made = [
        {
            "subject": subject,
            "issuer": ISSUER,
            "method": METHOD,
            "assurance": "platform",
            "audience": AGENT,
            "issued_at": "2026-11-21T20:55:00Z",
            "expires_at": "2026-11-21T21:00:00Z",
            "claims": claims,
            "proof": {"type": "signed-attestation", "alg": "Ed25519", "kid": "2026-11", "canonicalization": "jcs"},
        }
        for subject, claims in people()
    ]
    found = node("attestation.sign", documents=[taken_apart(one) for one in made], seed=b64encode(SEED).decode())
    for evidence, text in zip(made, found, strict=True):
        shown = believed(text.encode())
        assert (shown.subject, dict(shown.claims)) == (evidence["subject"], evidence["claims"])
        spaced = json.dumps(json.loads(text), indent=1)  # other text for the same JSON
        assert believed(spaced.encode()).subject == evidence["subject"]
        wrong = json.loads(text)
        wrong["claims"]["profile"]["extensions"]["slack"]["n"] += 1
        refused = believed(json.dumps(wrong).encode())
        assert isinstance(refused, Rejected)
        assert refused.code == "signature-invalid"
    count(2 * len(made))


def test_what_is_signed_here_fits_there_and_nothing_else(node, count):
    statements = [
        identity.Statement(subject=one, method=METHOD, assurance="platform", claims=claims) for one, claims in people()
    ]
    made = [
        json.loads(dumps(identity.attest(one, issuer=ISSUER, audience=AGENT, key=KEY, now=NOW))) for one in statements
    ]
    wrong = [{**one, "subject": f"{one['subject']}0"} for one in made]
    key = b64encode(KEY.public_raw).decode()
    for documents, fits in ((made, True), (wrong[::4], False)):
        found = node("attestation.verify", documents=[taken_apart(one) for one in documents], key=key)
        assert found == [fits] * len(documents)
        count(len(documents))
