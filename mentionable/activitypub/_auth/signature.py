"""What signatures an activity came with, read once: for verification, which is strict, and for people who debug.

Nothing is verified here. What cannot be read in exactly one way is kept as far as it goes, with its fault.
"""

from __future__ import annotations

import re
from typing import Any, Final, Literal, NamedTuple

from ..._errors.exceptions import Code
from ..._wire.http import HttpRequest
from ..._wire.strict_json import without_null
from .._read.json_ld import many

MAX_SIGNATURES: Final = 3
"""How many signatures of one request, and how many proofs of one activity, are looked at."""

_MAX_CHARS: Final = 16_384
_PARAMETER: Final = re.compile(
    r"[ \t]*+([A-Za-z][A-Za-z0-9_-]{0,63})[ \t]*+=[ \t]*+(?:\"([^\"]*+)\"|([^\",\s]++))[ \t]*+(?:,|\Z)"
).match
_BARE: Final = frozenset({"created", "expires"})
"""The parameters that are numbers; in draft-cavage some peers quote them all the same."""

_QUOTED: Final = frozenset({"keyid", "alg"})
"""The parameters of RFC 9421 that are strings."""

_STRING: Final = r"\"[^\"\\]*+(?:\\.[^\"\\]*+)*\""
_LABEL: Final = r"[ \t]*+([a-z*][a-z0-9_.*-]{0,63})"
_EXTRAS: Final = rf"(?:;[a-z*][a-z0-9_.*-]{{0,63}}+(?:=(?:{_STRING}|[^;,()\"\s]++))?)*"
_INPUT: Final = re.compile(rf"{_LABEL}=\(([^()\"]*+(?:{_STRING}[^()\"]*+)*)\)({_EXTRAS})[ \t]*+(?:,|\Z)").match
_COMPONENT: Final = re.compile(rf"({_STRING})({_EXTRAS})").finditer
_USUAL: Final = re.compile(r"\"[a-z0-9@-]++\"(?: \"[a-z0-9@-]++\")*").fullmatch
_NAMED: Final = re.compile(
    r";([a-z*][a-z0-9_.*-]{0,63})(?:=(?:\"([^\"\\]*+(?:\\.[^\"\\]*+)*)\"|([^;,()\"\s]++)))?"
).finditer
_BYTES: Final = re.compile(rf"{_LABEL}=:([A-Za-z0-9+/=]*+):{_EXTRAS}[ \t]*+(?:,|\Z)").match


class HttpSignature(NamedTuple):
    """One signature of a request, in either HTTP form.

    Attributes:
        form: draft-cavage-12, or RFC 9421.
        key_id: Which key, as it says.
        algorithm: Which algorithm, as it says.
        covered: Headers (draft-cavage) or components (RFC 9421) that it covers.
        signature: Base64.
        created: When it was made, in seconds, as text.
        expires: Until when it holds, in seconds, as text.
        label: Its name among several (RFC 9421).
        parameters: The text of `@signature-params` (RFC 9421 §2.3).
        fault: Why it counts for nothing: a code, and why in words.
    """

    form: Literal["cavage", "rfc9421"]
    key_id: str | None = None
    algorithm: str | None = None
    covered: tuple[str, ...] | None = None
    signature: str | None = None
    created: str | None = None
    expires: str | None = None
    label: str | None = None
    parameters: str = ""
    fault: tuple[Code, str] | None = None


class Signatures(NamedTuple):
    """Everything that came along and could show who sent an activity. JSON-LD signatures never count.

    Attributes:
        http: The signatures of the request.
        proofs: The object proofs on the activity.
        nested: The object proofs on its object: they show who wrote that, not who did the activity.
    """

    http: tuple[HttpSignature, ...]
    proofs: tuple[Any, ...]
    nested: tuple[Any, ...]

    def __bool__(self) -> bool:
        return bool(self.http or self.proofs or self.nested)


def read_signatures(request: HttpRequest, activity: dict[str, Any], document: Any = None) -> Signatures:
    """The signatures of a delivery; `document` is the object of its activity."""
    nested = document.get("proof") if document.__class__ is dict else None
    return Signatures(_of_request(request), _several(activity.get("proof")), _several(nested))


def _several(proof: Any) -> tuple[Any, ...]:
    """One proof or an array of them; an empty array is a proof that shows nothing."""
    if proof is None:
        return ()
    return tuple(many(proof)) or (proof,)


def _of_request(request: HttpRequest) -> tuple[HttpSignature, ...]:
    signature, declared = request.header("signature"), request.header("signature-input")
    if declared is None and signature is None:
        return ()
    form: Literal["cavage", "rfc9421"] = "cavage" if declared is None else "rfc9421"
    if len(signature or "") + len(declared or "") > _MAX_CHARS:
        return (HttpSignature(form, fault=("signature-malformed", "longer than any honest one")),)
    return (_cavage(signature or ""),) if declared is None else _rfc9421(declared, signature or "")


def _cavage(header: str) -> HttpSignature:
    """The signature of a draft-cavage `Signature` header."""
    found: dict[str, str] = {}
    fault: tuple[Code, str] | None = None
    at = 0
    while (parameter := _PARAMETER(header, at)) is not None:
        name, quoted, bare = parameter.groups()
        if name in found:
            fault = fault or ("signature-ambiguous", f"{name} is there twice")
        elif bare is not None and name not in _BARE:
            fault = fault or ("signature-malformed", f"{name} is not quoted")
        found.setdefault(name, quoted if bare is None else bare)
        at = parameter.end()
    if at != len(header) or header[-1:] in ("", ","):
        fault = fault or ("signature-malformed", "not a list of parameters")
    take = found.get
    covered = None if (names := take("headers")) is None else tuple(names.split())
    key_id, algorithm, signature = take("keyId"), take("algorithm"), take("signature")
    return HttpSignature(
        "cavage", key_id, algorithm, covered, signature, take("created"), take("expires"), None, "", fault
    )


def _rfc9421(declared: str, signature: str) -> tuple[HttpSignature, ...]:
    """The first signatures of an RFC 9421 pair of headers; a fault of the headers is one of each of them."""
    values, fault = _dictionary(signature)
    found: list[HttpSignature] = []
    labels: set[str] = set()
    at = 0
    while (member := _INPUT(declared, at)) is not None:
        label, components, parameters = member.groups()
        if label in labels:
            fault = fault or ("signature-ambiguous", f"the label {label} is there twice")
        labels.add(label)
        if len(found) < MAX_SIGNATURES:
            found.append(_declared(label, components, parameters, values.get(label)))
        at = member.end()
    if at != len(declared) or declared[-1:] in ("", ","):
        fault = fault or ("signature-malformed", "Signature-Input is no dictionary of inner lists")
    if fault is not None:
        found = [one._replace(fault=fault) for one in found] or [HttpSignature("rfc9421", fault=fault)]
    return tuple(found)


def _dictionary(signature: str) -> tuple[dict[str, str], tuple[Code, str] | None]:
    """The labels and the base64 of a `Signature` dictionary (RFC 8941), and what is wrong with it."""
    values: dict[str, str] = {}
    fault: tuple[Code, str] | None = None
    at = 0
    while (member := _BYTES(signature, at)) is not None:
        if member[1] in values:
            fault = ("signature-ambiguous", f"the signature {member[1]} is there twice")
        values.setdefault(member[1], member[2])
        at = member.end()
    if at != len(signature) or signature[-1:] in ("", ","):
        fault = fault or ("signature-malformed", "Signature is no dictionary of byte sequences")
    return values, fault


def _declared(label: str, inner: str, extras: str, signature: str | None) -> HttpSignature:
    """One member of `Signature-Input`, and the signature that belongs to it."""
    fault: tuple[Code, str] | None = None
    parameters: dict[str, str] = {}
    for found in _NAMED(extras):
        name, quoted, bare = found.groups()
        if name in parameters:
            fault = fault or ("signature-ambiguous", f"{name} is there twice")
        elif (name in _BARE and bare is None) or (name in _QUOTED and quoted is None):
            fault = fault or ("signature-malformed", f"{name} is of the wrong type")
        parameters.setdefault(name, quoted or bare or "")
    if _USUAL(inner):
        components = inner[1:-1].split('" "')
    else:
        listed = list(_COMPONENT(inner))
        components = [component[1][1:-1] + component[2] for component in listed]
        if " ".join([component[0] for component in listed]) != inner:
            fault = fault or ("signature-malformed", "not a list of components")
    if signature is None:
        fault = fault or ("signature-malformed", f"there is no signature {label}")
    return HttpSignature(
        "rfc9421",
        parameters.get("keyid"),
        parameters.get("alg"),
        tuple(components),
        signature,
        parameters.get("created"),
        parameters.get("expires"),
        label,
        f"({inner}){extras}",
        fault,
    )


def described(signatures: Signatures, key_id: str | None = None) -> dict[str, dict[str, Any]]:
    """What `raw` has of them, where they are there: `signature`, that of the request, and `proof`, the object's own.

    `headers` are what it covers: names of headers, and components such as `@method` (RFC 9421).

    Of several it is the one by the key that showed the sender, else the first that can be read.

    Spec: Normalized Message §6.
    """
    proof = next(iter(signatures.proofs or signatures.nested), None)
    proven = {"proof": _described_proof(proof)} if proof.__class__ is dict else {}
    http = signatures.http
    readable = [one for one in http if one.fault is None] or [*http]
    if not readable:
        return proven
    chosen = next((one for one in readable if one.key_id == key_id), readable[0])
    found: dict[str, Any] = {
        "keyId": chosen.key_id,
        "algorithm": chosen.algorithm,
        "headers": None if chosen.covered is None else [*chosen.covered],
        "signature": chosen.signature,
    }
    if chosen.form != "cavage":
        created = chosen.created or ""
        found["label"] = chosen.label
        found["created"] = int(created) if created.isdecimal() and len(created) < 16 else None
    return {"signature": without_null(found), **proven}


def _described_proof(proof: dict[str, Any]) -> dict[str, Any]:
    """The members of an object integrity proof that say who and how (FEP-8b32)."""
    return without_null({name: _text(proof.get(name)) for name in ("cryptosuite", "verificationMethod", "proofValue")})


def _text(value: Any) -> str | None:
    return value if value.__class__ is str else None
