"""Mutants of verifying evidence: its proof, its issuer, its subject, and who is trusted."""

from __future__ import annotations

import json
import re

from mentionable.identity import _trust
from tests.mutants._answers import spoils
from tests.mutants._identity import AREA, VERIFY, believes, library

# --- steps 3 and 4: the proof


def proof(name: str, rule: str, old: str, new: str, *codes: str) -> None:
    """Registers a mutant that looks at proofs otherwise."""
    library(name, rule, (_trust._check_proof, old, new), codes=codes)


TYPE = 'if proof.get("type") != ATTESTATION:'
proof(
    "believes-transports",
    "Believes who says to have verified it.",
    TYPE,
    "if proof.get('type') not in (ATTESTATION, 'transport', 'bearer-token'):",
    "proof-not-verifiable",
)
proof("ignores-the-type", "Does not look at the type of the proof.", TYPE, "if False:", "proof-not-verifiable")
proof(
    "folds-the-type",
    "Folds the case of the type.",
    TYPE,
    "if str(proof.get('type')).lower() != ATTESTATION:",
    "proof-not-verifiable",
)
proof(
    "takes-more-in-proofs",
    "Ignores members of the proof that it does not know.",
    "if not proof.keys() <= _PROOF:",
    "if False:",
    "proof-member-unknown",
)
ALGORITHM = 'if proof.get("alg") != ALGORITHM:'
for _word in ("none", "HS256", "EdDSA", "ed25519", "Ed25519ph", "Ed25519ctx", "ES256"):
    proof(
        f"takes-alg-{_word.lower()}{'-small' * (_word == 'ed25519')}",
        f"Takes {_word} for the algorithm.",
        ALGORITHM,
        f"if proof.get('alg') not in (ALGORITHM, {_word!r}):",
        "algorithm-not-allowed",
    )
proof("takes-any-alg", "Does not look at the algorithm.", ALGORITHM, "if False:", "algorithm-not-allowed")
CANONICAL = 'if not is_key_id(proof.get("kid")):'
proof("takes-any-kid", "Does not look at key ids.", CANONICAL, "if False:", "key-id-malformed")
proof(
    "ends-kids-at-lines",
    "Lets a line end behind a key id.",
    CANONICAL,
    "if not is_key_id(str(proof.get('kid')).strip()):",
    "key-id-malformed",
)
SIGNATURE = "if signature.__class__ is not str or not _SIGNATURE(signature):"
proof(
    "takes-any-value", "Does not look at how the signature is written.", SIGNATURE, "if False:", "signature-malformed"
)
for _name, _tidy in {
    "strips-padding": "signature.rstrip('=')",
    "takes-both-alphabets": "signature.replace('+', '-').replace('/', '_')",
    "strips-blanks": "signature.strip()",
    "ignores-last-bits": "signature[:-1] + 'A'",
}.items():
    proof(
        _name,
        "Takes a signature that is written in another way.",
        SIGNATURE,
        f"if signature.__class__ is not str or not _SIGNATURE({_tidy}):",
        "signature-malformed",
    )
library(
    "takes-canonicalization-absent",
    "Takes evidence that does not say how it is signed.",
    (_trust.believe, "and not entry.without_canonicalization", "and False"),
    codes=("canonicalization-unsupported",),
)
spoils(
    AREA,
    VERIFY,
    "refuses-canonicalization-absent",
    "Never lets it be absent.",
    lambda value, _, unit: {} if "canonicalization" not in str(unit["evidence"]) else None,
)


# --- steps 5 and 6: issuer, subject, method, and who is trusted


believes(
    "takes-any-issuer",
    "Does not look at issuers.",
    (_trust.believe, 'not entries and not is_issuer(members["issuer"])', "False"),
    codes=("issuer-malformed",),
)
believes(
    "takes-any-subject",
    "Does not look at subjects.",
    (_trust.is_subject, "text.__class__ is str", "True or text"),
    codes=("subject-malformed",),
)
believes(
    "takes-odd-subjects",
    "Lets subjects go up.",
    (_trust.is_subject, "_ODD_SUBJECT(text) is None", "True"),
    codes=("subject-malformed",),
)
believes(
    "takes-two-slashes",
    "Takes two slashes in subjects.",
    (_trust.is_subject, '("//" not in text or "//" not in (text if text[:1] == "@" else behind_scheme(text)))', "True"),
    codes=("subject-malformed",),
)
believes(
    "splits-at-the-last-scheme",
    "Looks for two slashes behind whatever looks like a scheme.",
    (_trust.is_subject, "behind_scheme(text)", "text.rpartition('://')[2]"),
    codes=("subject-malformed",),
)
believes(
    "takes-long-subjects",
    "Takes subjects of any length.",
    swaps=((_trust, "_MOST_SUBJECT", 10**6),),
    codes=("subject-malformed",),
)
believes(
    "ends-subjects-at-lines",
    "Lets a line end behind a subject.",
    swaps=(
        (
            _trust,
            "_SUBJECT",
            re.compile(r"(?:@[!-?A-~]+@[a-z0-9.-]+|[a-z][a-z0-9+.-]*:[!-~]+)$", re.ASCII | re.MULTILINE).match,
        ),
    ),
    codes=("subject-malformed",),
)
believes(
    "folds-schemes",
    "Folds the case of schemes.",
    swaps=(
        (
            _trust,
            "_SUBJECT",
            re.compile(r"@[!-?A-~]+@[a-zA-Z0-9.-]+|[a-z][a-z0-9+.-]*:[!-~]+", re.ASCII | re.IGNORECASE).fullmatch,
        ),
    ),
    codes=("subject-malformed",),
)
believes(
    "takes-any-method",
    "Does not look at methods.",
    swaps=((_trust, "is_method", lambda text: True),),
    codes=("method-malformed",),
)
library(
    "refuses-the-longest-subject",
    "Refuses subjects of 512 characters.",
    swaps=((_trust, "_MOST_SUBJECT", 511),),
    when=lambda unit, _: "UUUUU" in str(unit),
)
MINE = 'pair[1].issuer == members["issuer"]'
for _name, _rule, _test in (
    ("trusts-subdomains", "Trusts subdomains.", "('.' + members['issuer']).endswith('.' + pair[1].issuer)"),
    ("trusts-suffixes", "Trusts hosts that end alike.", "members['issuer'].endswith(pair[1].issuer)"),
    ("trusts-prefixes", "Trusts hosts that begin alike.", "members['issuer'].startswith(pair[1].issuer)"),
    ("trusts-parents", "Trusts the domain above.", "pair[1].issuer.endswith(members['issuer'])"),
    ("trusts-everybody", "Trusts any issuer.", "True"),
):
    believes(_name, _rule, (_trust.believe, MINE, _test), codes=("issuer-untrusted", "issuer-malformed"))
METHODS = 'members["method"] not in entry.methods'
ASSURED = 'members["assurance"] not in entry.assurance'
SUBJECTS = 'not entry.takes(members["subject"])'
believes(
    "believes-any-method",
    "Does not look at the method.",
    (_trust._entry, METHODS, "False"),
    codes=("method-untrusted",),
)
believes(
    "folds-methods",
    "Folds the case of methods.",
    (_trust._entry, METHODS, "members['method'].lower() not in [one.lower() for one in entry.methods]"),
    codes=("method-untrusted",),
)
believes(
    "believes-method-prefixes",
    "Takes methods that begin alike.",
    (_trust._entry, METHODS, "not members['method'].startswith(entry.methods)"),
    codes=("method-untrusted",),
)
believes(
    "takes-stars",
    "Takes a star for any method.",
    (_trust._entry, METHODS, "'*' not in entry.methods and members['method'] not in entry.methods"),
    codes=("method-untrusted",),
)
believes(
    "takes-empty-for-any",
    "Takes an empty list for anything.",
    (_trust._entry, METHODS, f"entry.methods and {METHODS}"),
    (_trust._entry, ASSURED, f"entry.assurance and {ASSURED}"),
    codes=("method-untrusted", "assurance-untrusted"),
)
believes(
    "believes-any-assurance",
    "Does not look at the kind of knowledge.",
    (_trust._entry, ASSURED, "False"),
    codes=("assurance-untrusted",),
)
believes(
    "folds-assurance",
    "Folds the case of the kind of knowledge.",
    (_trust._entry, ASSURED, "members['assurance'].lower() not in entry.assurance"),
    codes=("assurance-untrusted",),
)
believes(
    "believes-any-subject",
    "Does not look at the subject.",
    (_trust._entry, SUBJECTS, "False"),
    codes=("subject-out-of-scope",),
)
believes(
    "cuts-prefixes",
    "Compares prefixes without their last character.",
    (
        _trust._entry,
        SUBJECTS,
        "not members['subject'].startswith(tuple(one[:-1] for one in entry.subject_prefixes or ('\\0',)))",
    ),
    codes=("subject-out-of-scope",),
)
believes(
    "folds-subjects",
    "Folds the case of subjects.",
    (_trust._entry, SUBJECTS, "not entry.takes(members['subject'].upper().replace('SLACK', 'slack'))"),
    codes=("subject-out-of-scope",),
)
believes(
    "takes-no-subjects-for-any",
    "Takes no subjects for all.",
    (_trust._entry, SUBJECTS, "entry.subject_prefixes and not entry.takes(members['subject'])"),
    codes=("subject-out-of-scope",),
)
believes(
    "takes-longer-listed",
    "Takes listed subjects for prefixes.",
    (
        _trust._entry,
        SUBJECTS,
        "not members['subject'].startswith((entry.subjects or ()) + (entry.subject_prefixes or ()))",
    ),
    codes=("subject-out-of-scope",),
)
believes(
    "takes-domains-by-suffix",
    "Takes subjects of domains that end alike.",
    (_trust._entry, SUBJECTS, "not (entry.subject_domains and members['subject'].endswith(entry.subject_domains))"),
    codes=("subject-out-of-scope",),
)
believes(
    "takes-domains-anywhere",
    "Looks for the domain anywhere in a subject.",
    (_trust._entry, SUBJECTS, "not any(one in members['subject'] for one in entry.subject_domains or ())"),
    codes=("subject-out-of-scope",),
)
believes(
    "mixes-entries",
    "Mixes the members of two entries.",
    (_trust._entry, METHODS, "not any(members['method'] in other.methods for _, other in entries)"),
    (_trust._entry, ASSURED, "not any(members['assurance'] in other.assurance for _, other in entries)"),
    codes=("subject-out-of-scope", "method-untrusted"),
)
believes(
    "mixes-subjects",
    "Takes the subjects of any entry.",
    (_trust._entry, SUBJECTS, "not any(other.takes(members['subject']) for _, other in entries)"),
    codes=("subject-out-of-scope",),
)
library(
    "tells-the-last-step",
    "Tells of the last entry, not of the furthest.",
    (_trust._entry, "max(reached, step)", "step"),
    codes=("subject-out-of-scope", "assurance-untrusted"),
)
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
