"""The first steps: bytes become one strict JSON object whose members have the types that evidence has.

Spec: decisions, signed attestation, steps 0 to 2.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from .._errors.exceptions import Code, WireError
from .._wire.strict_json import loads_signed
from ._sign import DEPTH
from ._step import Refused

MAX_BYTES: Final = 16_384
"""How large one evidence may be."""

_NODES: Final = 1_024
_CODES: Final[dict[Code, Code]] = {
    "not-utf8": "json-malformed",
    "invalid-json": "json-malformed",
    "unsafe-number": "number-out-of-range",
}
"""What the strict loader says → what a verifier of evidence says."""

_TEXTS: Final = ("issuer", "subject", "method", "assurance", "issued_at")
_OPTIONAL: Final = (
    ("id", str),
    ("not_before", str),
    ("expires_at", str),
    ("claims", dict),
    ("source", dict),
    ("on_behalf_of", list),
)


class Statement(NamedTuple):
    """Evidence as it came.

    Attributes:
        members: All its members, known or not.
        proof: Its proof.
        has_plain_numbers: Whether its canonical form can be written without looking through it again.
    """

    members: dict[str, Any]
    proof: dict[str, Any]
    has_plain_numbers: bool


def read_statement(data: bytes) -> Statement:
    """The evidence in JSON bytes.

    Raises:
        Refused: Steps `size`, `json` and `shape`.
    """
    if len(data) > MAX_BYTES:
        raise Refused("too-large", "size", f"{len(data)} bytes, at most {MAX_BYTES}")
    # A value takes two bytes at least, and each but the first stands behind one of these three.
    if len(data) > 2 * _NODES and len(data) - len(data.translate(None, b",[{")) >= _NODES:
        raise Refused("too-large", "json", f"more than {_NODES} values")
    try:
        members, has_plain_numbers = loads_signed(data, max_bytes=MAX_BYTES, max_depth=DEPTH)
    except WireError as error:
        raise Refused(_CODES.get(error.code, error.code), "json", str(error)) from None
    if members.__class__ is not dict:
        raise Refused("not-an-object", "json")
    return Statement(members, _checked(members), has_plain_numbers)


def _checked(members: dict[str, Any]) -> dict[str, Any]:
    """The proof, when all members are of their types. A null is not an absent member."""
    for name in _TEXTS:
        if members.get(name).__class__ is not str:
            raise Refused("shape-invalid", "shape", f"{name} must be a string")
    for name, kind in _OPTIONAL:
        if name in members and members[name].__class__ is not kind:
            raise Refused("shape-invalid", "shape", f"{name} is of another type")
    if members.get("id") == "":
        raise Refused("shape-invalid", "shape", "id is empty")
    proof = members.get("proof")
    if proof.__class__ is not dict:
        raise Refused("shape-invalid", "shape", "proof must be an object")
    found: dict[str, Any] = proof
    return found
