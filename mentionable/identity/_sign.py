"""The bytes that are signed: the only definition of them, for `attest` and `verify`.

Spec: decisions, signed attestation (profile proof-minus-value); RFC 8785; RFC 8032 §5.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .._errors.exceptions import UsageError
from .._wire.canonical_json import canonical_json

DEPTH: Final = 16
"""How deep evidence may be nested."""


def signing_input(members: Mapping[str, Any], *, proof_removed: bool = False) -> bytes:
    """The canonical JSON of evidence whose proof lacks `value` and nothing else.

    Nothing else is removed, added or defaulted, so a changed key id or an added member invalidates the signature.

    Args:
        members: All members of the evidence, known or not, with the proof.
        proof_removed: For issuers that sign without the whole proof, where a trust entry allows that.

    Raises:
        WireError: `not-canonical`.
        UsageError: There is no proof among the members.
    """
    return canonical_json(_signed_members(members, proof_removed=proof_removed), max_depth=DEPTH)


def signing_input_read(members: Mapping[str, Any], *, has_plain_numbers: bool, proof_removed: bool) -> bytes:
    """The same for members that `loads_signed` read, which reports whether their numbers are plain."""
    signed = _signed_members(members, proof_removed=proof_removed)
    return canonical_json(signed, max_depth=DEPTH, has_plain_numbers=has_plain_numbers)


def _signed_members(members: Mapping[str, Any], *, proof_removed: bool) -> dict[str, Any]:
    """The members that are signed."""
    proof = members.get("proof")
    if proof.__class__ is not dict and not isinstance(proof, Mapping):
        raise UsageError("evidence has a proof, and that is an object")
    signed = dict(members)
    if proof_removed:
        del signed["proof"]
    else:
        signed["proof"] = rest = dict(proof)
        rest.pop("value", None)
    return signed
