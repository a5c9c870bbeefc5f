"""The first steps: parse bytes strictly as one JSON object whose members have the types of evidence.

Spec: decisions, signed attestation, steps 0 to 2.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from .._errors.exceptions import Code, Problem, WireError
from .._flow.outcome import Rejected
from .._model.base import tuple_maker
from .._wire.strict_json import loads_signed
from ._sign import DEPTH

MAX_BYTES: Final = 16_384
"""How large one evidence may be."""

_NODES: Final = 1_024
_CODES: Final[dict[Code, Code]] = {
    "not-utf8": "json-malformed",
    "invalid-json": "json-malformed",
    "unsafe-number": "number-out-of-range",
}
"""Codes of the strict loader → codes of a verifier of evidence."""

_TEXTS: Final = ("issuer", "subject", "method", "assurance", "issued_at")
_OPTIONAL: Final = (
    ("id", str),
    ("not_before", str),
    ("expires_at", str),
    ("claims", dict),
    ("source", dict),
    ("on_behalf_of", list),
)


class ParsedEvidence(NamedTuple):
    """Evidence as it was received.

    Attributes:
        members: All its members, known or not.
        proof: Its proof.
        has_plain_numbers: Whether its canonical form can be written without looking through it again.
    """

    members: dict[str, Any]
    proof: dict[str, Any]
    has_plain_numbers: bool


_new_parsed: Final = tuple_maker(ParsedEvidence)


def parse_evidence(data: bytes) -> ParsedEvidence:
    """Parse evidence.

    Raises:
        EvidenceRejected: Steps `size`, `json` and `shape`.
    """
    if len(data) > MAX_BYTES:
        raise EvidenceRejected("too-large", "size", f"{len(data)} bytes, at most {MAX_BYTES}")
    try:
        members, has_plain_numbers = loads_signed(data, max_bytes=MAX_BYTES, max_depth=DEPTH)
    except WireError as error:
        raise EvidenceRejected(code_of(error.code), "json", str(error)) from None
    # Each value takes two bytes or more, and each but the first follows one of these three, which texts contain too.
    has_many_marks = len(data) > 2 * _NODES and len(data) - len(data.translate(None, b",[{")) >= _NODES
    if has_many_marks and _values_in(members) > _NODES:
        raise EvidenceRejected("too-large", "json", f"more than {_NODES} values")
    if members.__class__ is not dict:
        raise EvidenceRejected("not-an-object", "json")
    return _new_parsed(members, _check_members(members), has_plain_numbers)


def code_of(code: Code) -> Code:
    """What a verifier of evidence calls a fault of JSON."""
    if code in _CODES:  # with `get` mypy would compare each of all codes with each
        return _CODES[code]
    return code


def _values_in(value: Any) -> int:
    """How many values a value consists of, itself included. It has passed the limits of size and depth."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_values_in, inner))


def _check_members(members: dict[str, Any]) -> dict[str, Any]:
    """The proof, when all members have their types. A null is not an absent member."""
    for name in _TEXTS:
        if members.get(name).__class__ is not str:
            raise EvidenceRejected("shape-invalid", "shape", f"{name} must be a string")
    for name, kind in _OPTIONAL:
        if name in members and members[name].__class__ is not kind:
            raise EvidenceRejected("shape-invalid", "shape", f"{name} is of another type")
    if members.get("id") == "":
        raise EvidenceRejected("shape-invalid", "shape", "id is empty")
    proof: Any = members.get("proof")
    if not isinstance(proof, dict):
        raise EvidenceRejected("shape-invalid", "shape", "proof must be an object")
    return proof


class EvidenceRejected(Exception):
    """A step of the verification failed. `verify` turns it into `Rejected`.

    Attributes:
        code: A key of `CODES`.
        step: Which step.
        detail: Words for logs.
    """

    def __init__(self, code: Code, step: str, detail: str = "") -> None:
        self.code: Code = code
        self.step = step
        self.detail = detail

    def outcome(self) -> Rejected:
        """The same as an outcome."""
        problems = (Problem("", self.detail),) if self.detail else ()
        return Rejected(code=self.code, problems=problems, step=self.step)
