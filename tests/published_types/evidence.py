"""What Building a Connector publishes: evidence and trust as its examples print them, and the profile of a sender.

The page gives examples and no types of evidence. A member has the type that it has in the example, and is required
where the example would say nothing without it.
"""

from __future__ import annotations

from typing import Final

from ._check import NUMBER, OBJECT, TEXT, TIME, either, listed, pattern, record

PROFILE: Final = record(
    "SenderProfile",
    {},
    {
        "display_name": TEXT,
        "username": TEXT,
        "url": TEXT,
        "avatar": record("SenderProfile.avatar", {"url": TEXT}, {"mime_type": TEXT, "width": NUMBER, "height": NUMBER}),
        "locale": TEXT,
        "timezone": TEXT,
        "provider": TEXT,
        "provider_subject": TEXT,
        "fetched_at": TIME,
        "extensions": OBJECT,
    },
)
EVIDENCE: Final = record(
    "IdentityEvidence",
    {
        "subject": TEXT,
        "issuer": TEXT,
        "method": TEXT,
        "assurance": TEXT,
        "issued_at": TIME,
        "audience": either(TEXT, listed(TEXT)),
        "proof": record("IdentityEvidence.proof", {"type": TEXT}),
    },
    {
        "expires_at": TIME,
        "source": record("IdentityEvidence.source", {}, {"transport": TEXT, "connector": TEXT, "channel": TEXT}),
        "claims": record("IdentityEvidence.claims", {}, {"profile": PROFILE}),
    },
)
ATTESTATION: Final = record(
    "IdentityEvidence",
    {
        "expires_at": TIME,
        "audience": pattern(r"@[^@\s]+@[^@\s]+"),
        "proof": record(
            "IdentityEvidence.proof",
            {"type": pattern("signed-attestation"), "alg": TEXT, "kid": TEXT, "value": pattern("[A-Za-z0-9_-]+")},
            {"canonicalization": TEXT},
        ),
    },
)
TRUST: Final = listed(
    record(
        "TrustPolicy",
        {
            "issuer": TEXT,
            "methods": listed(TEXT),
            "assurance": listed(TEXT),
            "subject_prefixes": listed(TEXT),
        },
    )
)
