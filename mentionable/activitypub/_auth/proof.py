"""Object integrity proofs of the suite `eddsa-jcs-2022`: signatures that go with an activity wherever it is passed on.

Spec: FEP-8b32; W3C Data Integrity EdDSA Cryptosuites §3.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

from ..._crypto.verification import VerificationFailed
from ..._errors.exceptions import UsageError, WireError
from ..._wire.base58 import base58_decode
from ..._wire.canonical_json import canonical_json
from ..._wire.time import parse_time
from .._read.json_ld import many
from .._read.object import ActivityHead
from .signature import UnverifiedSignature, check_created, check_expired

SUITE: Final = "eddsa-jcs-2022"
MAX_AGE: Final = timedelta(days=30)
"""How old a proof without `expires` may be, unless the settings say otherwise."""

_SIGNATURE_BYTES: Final = 64
_UNSIGNED: Final = frozenset({"proof", "signature"})
"""Members that a proof leaves out: itself, and an older JSON-LD signature, which counts for nothing."""


def check_proof(
    proof: Any, head: ActivityHead, *, host: str, now: int, max_age: timedelta = MAX_AGE
) -> UnverifiedSignature:
    """Checks an object proof of an activity that came to `host`, as far as that needs no key.

    A proof without an end counts for `max_age`, so that its use need not be remembered for ever.

    Raises:
        VerificationFailed: `signature-malformed`, `signature-ambiguous`, `algorithm-refused`, `purpose-refused`,
            `time-missing`, `not-yet-valid`, `expired`, `host-mismatch`, `not-canonical`. Its `steps` are those that
            passed.

    Spec: FEP-8b32; W3C Data Integrity EdDSA Cryptosuites §3.3.2.
    """
    # Cheapest first: canonical JSON of the whole activity comes last.
    #   1. parse: suite, key and proof value             3. time: created and expires
    #   2. coverage: the purpose of the proof            4. host: the domain, where there is one
    #   5. canonicalize and hash
    steps: list[str] = []
    try:
        if proof.__class__ is not dict:
            raise VerificationFailed("signature-malformed", "a proof is a JSON object")
        if proof.get("type") != "DataIntegrityProof" or proof.get("cryptosuite") != SUITE:
            raise VerificationFailed("algorithm-refused", "a proof of another type or suite")
        key_id, value = proof.get("verificationMethod"), proof.get("proofValue")
        if key_id.__class__ is not str or value.__class__ is not str or value[:1] != "z" or "previousProof" in proof:
            raise VerificationFailed(
                "signature-malformed", "a proof names its key, has a base58 value and depends on no other proof"
            )
        signature = base58_decode(value[1:], size=_SIGNATURE_BYTES)
        if signature is None:
            raise VerificationFailed("signature-malformed", "the value of the proof is no Ed25519 signature")
        steps.append("parse")

        if proof.get("proofPurpose") != "assertionMethod":
            raise VerificationFailed("purpose-refused", "the purpose of a proof is assertionMethod")
        steps.append("coverage")

        created, expires = _seconds(proof, "created"), _seconds(proof, "expires")
        if created is not None:
            check_created(created, now=now)
        if expires is None:
            if created is None:
                raise VerificationFailed("time-missing", "the proof has neither created nor expires")
            expires = created + int(max_age.total_seconds())
        accepted_until = check_expired(expires, now=now)
        steps.append("time")

        if "domain" in proof and host not in many(proof["domain"]):
            raise VerificationFailed("host-mismatch", "the proof is for another domain")
        steps.append("host")

        options = {name: member for name, member in proof.items() if name != "proofValue"}
        text = proof_text(head.document, options, has_plain_numbers=head.has_plain_numbers)
    except VerificationFailed as fault:
        fault.steps = tuple(steps)
        raise
    return UnverifiedSignature(
        method="ap-object-integrity-proof",
        key_id=key_id,
        key_kind="ed25519",
        signature=signature,
        signature_bases=(text,),
        digest=text[sha256().digest_size :],  # of the document: the same for every proof of it
        accepted_until=accepted_until,
        steps=tuple(steps),
        covers_host="domain" in proof,
    )


def _seconds(proof: Mapping[str, Any], name: str) -> int | None:
    """A time in a proof, in seconds; None when there is none."""
    if name not in proof:
        return None
    text = proof[name]
    try:
        return int(parse_time(text if text.__class__ is str else "").timestamp())
    except UsageError:
        raise VerificationFailed("signature-malformed", f"{name} is no time") from None


def proof_text(document: Mapping[str, Any], options: Mapping[str, Any], *, has_plain_numbers: bool = False) -> bytes:
    """The bytes that a proof signs: the hash of its options, and that of the document without its proofs.

    The context of the document may go on behind that of the options; then the signed one counts.

    Raises:
        VerificationFailed: The contexts differ, or there is no canonical form.
    """
    bare = {name: member for name, member in document.items() if name not in _UNSIGNED}
    if "@context" in options:
        signed, whole = many(options["@context"]), many(document.get("@context"))
        if [*signed] != [*whole[: len(signed)]]:
            raise VerificationFailed("signature-ambiguous", "the proof has another @context than the activity")
        bare["@context"] = options["@context"]
    try:
        texts = [canonical_json(value, has_plain_numbers=has_plain_numbers) for value in (dict(options), bare)]
    except WireError as error:
        raise VerificationFailed("not-canonical", str(error)) from None
    return b"".join([sha256(text).digest() for text in texts])
