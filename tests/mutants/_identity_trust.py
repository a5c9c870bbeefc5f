"""Mutants of verifying evidence: its proof, its issuer, its subject, and who is trusted."""

from __future__ import annotations

import json

from tests.mutants._answers import spoils
from tests.mutants._identity import AREA, VERIFY

# --- steps 3 and 4: the proof


TYPE = 'if proof.get("type") != ATTESTATION:'
ALGORITHM = 'if proof.get("alg") != ALGORITHM:'
spoils(
    AREA,
    VERIFY,
    "refuses-canonicalization-absent",
    "Never lets it be absent.",
    lambda value, _, unit: {} if "canonicalization" not in str(unit["evidence"]) else None,
)


# --- steps 5 and 6: issuer, subject, method, and who is trusted


spoils(
    AREA,
    VERIFY,
    "looks-at-the-first-entry",
    "Looks at the first entry of an issuer.",
    lambda value, *_: {} if value and value.get("entry") else None,
)
spoils(
    AREA,
    VERIFY,
    "forgets-lists-of-subjects",
    "Looks at prefixes alone.",
    lambda value, given, _: {} if "subject_prefixes" not in json.dumps(given["settings"]) else None,
)
spoils(
    AREA,
    VERIFY,
    "takes-one-workspace",
    "Takes no whole platform.",
    lambda value, given, _: {} if '["slack:"]' in json.dumps(given["settings"]) else None,
)
spoils(
    AREA,
    VERIFY,
    "refuses-urls",
    "Refuses subjects that are URLs.",
    lambda value, _, unit: {} if value and "://" in value.get("subject", "") else None,
)
