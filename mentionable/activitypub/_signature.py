"""What signatures an activity came with, as they stand there. Nothing is verified here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ._iri import many

if TYPE_CHECKING:
    from .._http import HttpRequest

_HEADERS: Final = frozenset({"signature", "signature-input"})
_PARAMETER: Final = re.compile(
    r"[ \t]*+([A-Za-z][A-Za-z0-9_-]{0,63})[ \t]*+=[ \t]*+(?:\"([^\"]*+)\"|([^\",\s]++))[ \t]*+(?:,|\Z)"
).match
_STRING: Final = r"\"(?:[^\"\\]|\\.)*+\""
_LABEL: Final = r"[ \t]*+([a-z*][a-z0-9_.*-]{0,63})"
_EXTRAS: Final = rf"(?:;[a-z*][a-z0-9_.*-]{{0,63}}(?:=(?:{_STRING}|[^;,()\"\s]++))?)*+"
_INPUT: Final = re.compile(rf"{_LABEL}=\(((?:[^()\"]|{_STRING})*+)\)({_EXTRAS})").match
_COMPONENT: Final = re.compile(rf"({_STRING})({_EXTRAS})").finditer
_NAMED: Final = re.compile(r";([a-z*][a-z0-9_.*-]{0,63})=(?:\"((?:[^\"\\]|\\.)*+)\"|([^;,()\"\s]++))").finditer
_BYTES: Final = re.compile(rf"{_LABEL}=:([A-Za-z0-9+/=]*+):[ \t]*+(?:,|\Z)").match


def is_signed(request: HttpRequest, activity: dict[str, Any], document: dict[str, Any]) -> bool:
    """Whether anything came along that could show the sender: an HTTP signature, or an object proof.

    JSON-LD signatures do not count: they are never verified.
    """
    if "proof" in activity or "proof" in document:
        return True
    return not _HEADERS.isdisjoint([name for name, _ in request.headers])


def described(request: HttpRequest, activity: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """The signature for `raw`: members of either HTTP form, null where they are not there, and of a proof.

    Spec: Normalized Message §6.
    """
    signature = request.header("signature")
    signature_input = request.header("signature-input")
    if signature_input is not None:
        found = _rfc9421(signature_input, signature or "")
    elif signature is not None:
        found = _cavage(signature)
    else:
        found = {"keyId": None, "algorithm": None, "headers": None, "signature": None}
    proof = next(iter(many(activity.get("proof") or document.get("proof"))), None)
    return {**found, **_proof(proof)} if proof.__class__ is dict else found


def _cavage(header: str) -> dict[str, Any]:
    """The parameters of a draft-cavage `Signature` header."""
    found: dict[str, str] = {}
    at = 0
    while (parameter := _PARAMETER(header, at)) is not None:
        found.setdefault(parameter[1], parameter[3] if parameter[2] is None else parameter[2])
        at = parameter.end()
    covered = found.get("headers")
    return {
        "keyId": found.get("keyId"),
        "algorithm": found.get("algorithm"),
        "headers": None if covered is None else covered.split(),
        "signature": found.get("signature"),
    }


def _rfc9421(signature_input: str, signature: str) -> dict[str, Any]:
    """The first signature of an RFC 9421 pair of headers."""
    absent: dict[str, Any] = dict.fromkeys(
        ("keyId", "algorithm", "headers", "signature", "label", "components", "created")
    )
    declared = _INPUT(signature_input)
    if declared is None:
        return absent
    label, components, parameters = declared.groups()
    values = {found[1]: found[2] or found[3] or "" for found in _NAMED(parameters)}
    created = values.get("created", "")
    return absent | {
        "keyId": values.get("keyid"),
        "algorithm": values.get("alg"),
        "signature": _bytes_of(label, signature),
        "label": label,
        "components": [component[1][1:-1] + component[2] for component in _COMPONENT(components)],
        "created": int(created) if created.isdecimal() and len(created) < 16 else None,
    }


def _bytes_of(label: str, signature: str) -> str | None:
    """The base64 that stands under `label` in a `Signature` dictionary."""
    at = 0
    while (member := _BYTES(signature, at)) is not None:
        if member[1] == label:
            return member[2]
        at = member.end()
    return None


def _proof(proof: dict[str, Any]) -> dict[str, Any]:
    """The members of an object integrity proof that say who and how (FEP-8b32)."""
    return {name: _text(proof.get(name)) for name in ("cryptosuite", "verificationMethod", "proofValue")}


def _text(value: Any) -> str | None:
    return value if value.__class__ is str else None
