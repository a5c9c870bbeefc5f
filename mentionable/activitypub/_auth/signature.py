"""The signatures of a delivery as their headers declare them, read once: for verification and for `raw`.

Nothing is verified here. A malformed or ambiguous signature is kept as far as it can be read, with its fault.
"""

from __future__ import annotations

import re
from typing import Any, Final, Literal, NamedTuple

from ..._errors.exceptions import Code
from ..._wire.http import HttpRequest
from .._read.json_ld import many

MAX_SIGNATURES: Final = 3
"""How many signatures of one request, and how many proofs of one activity, are looked at."""

_MAX_CHARS: Final = 16_384
_PARAMETER: Final = re.compile(
    r"[ \t]*+([A-Za-z][A-Za-z0-9_-]{0,63})[ \t]*+=[ \t]*+(?:\"([^\"]*+)\"|([^\",\s]++))[ \t]*+(?:,|\Z)"
).match
_BARE: Final = frozenset({"created", "expires"})
"""The parameters that are numbers; some peers quote them in draft-cavage."""

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


class SignatureInput(NamedTuple):
    """What one HTTP signature declares: `Signature-Input` (RFC 9421 §4.1), or the parameters of draft-cavage-12.

    Attributes:
        form: draft-cavage-12, or RFC 9421.
        key_id: The key, as the sender names it.
        algorithm: The algorithm, as the sender names it.
        covered: The covered headers (draft-cavage) or components (RFC 9421).
        signature: The signature, in base64.
        created: When it was made, in seconds, as text.
        expires: When it expires, in seconds, as text.
        label: Its label in the two headers (RFC 9421).
        parameters: The value of `@signature-params` (RFC 9421 §2.3).
        fault: Why it cannot count: a code, and the reason in words.
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
    """Everything in a delivery that could verify its sender. JSON-LD signatures never count.

    Attributes:
        http: The signatures of the request.
        proofs: The object proofs on the activity.
        nested: The object proofs on its object: they verify its author, not the actor of the activity.
    """

    http: tuple[SignatureInput, ...]
    proofs: tuple[Any, ...]
    nested: tuple[Any, ...]

    def __bool__(self) -> bool:
        return bool(self.http or self.proofs or self.nested)


def read_signatures(request: HttpRequest, activity: dict[str, Any], document: Any = None) -> Signatures:
    """The signatures of a delivery; `document` is the object of its activity."""
    signature, declared = request.header("signature"), request.header("signature-input")
    http: tuple[SignatureInput, ...] = ()
    if declared is not None or signature is not None:
        # Only a request with Signature-Input is signed by RFC 9421; draft-cavage has the one header alone.
        form: Literal["cavage", "rfc9421"] = "cavage" if declared is None else "rfc9421"
        if len(signature or "") + len(declared or "") > _MAX_CHARS:
            http = (SignatureInput(form=form, fault=("signature-malformed", "longer than any honest signature")),)
        elif declared is None:
            http = (_read_cavage(signature or ""),)
        else:
            http = _read_rfc9421(declared, signature or "")
    nested = document.get("proof") if document.__class__ is dict else None
    return Signatures(http=http, proofs=_proofs(activity.get("proof")), nested=_proofs(nested))


def _proofs(proof: Any) -> tuple[Any, ...]:
    """One proof or an array of them; an empty array is a proof that verifies nothing."""
    if proof is None:
        return ()
    return tuple(many(proof)) or (proof,)


def _read_cavage(header: str) -> SignatureInput:
    """The signature of a draft-cavage `Signature` header."""
    parameters: dict[str, str] = {}
    fault: tuple[Code, str] | None = None
    at = 0
    while (parameter := _PARAMETER(header, at)) is not None:
        name, quoted, bare = parameter.groups()
        if name in parameters:
            fault = fault or ("signature-ambiguous", f"{name} is there twice")
        elif bare is not None and name not in _BARE:
            fault = fault or ("signature-malformed", f"{name} is not quoted")
        parameters.setdefault(name, quoted if bare is None else bare)
        at = parameter.end()
    if at != len(header) or header[-1:] in ("", ","):
        fault = fault or ("signature-malformed", "not a list of parameters")
    headers = parameters.get("headers")
    return SignatureInput(
        form="cavage",
        key_id=parameters.get("keyId"),
        algorithm=parameters.get("algorithm"),
        covered=None if headers is None else tuple(headers.split()),
        signature=parameters.get("signature"),
        created=parameters.get("created"),
        expires=parameters.get("expires"),
        fault=fault,
    )


def _read_rfc9421(declared: str, signature: str) -> tuple[SignatureInput, ...]:
    """The first signatures of the two RFC 9421 headers; a fault of the headers is a fault of each signature."""
    values, fault = _dictionary(signature)
    inputs: list[SignatureInput] = []
    labels: set[str] = set()
    at = 0
    while (member := _INPUT(declared, at)) is not None:
        label, components, parameters = member.groups()
        if label in labels:
            fault = fault or ("signature-ambiguous", f"the label {label} is there twice")
        labels.add(label)
        if len(inputs) < MAX_SIGNATURES:
            inputs.append(_read_member(label, components, parameters, values.get(label)))
        at = member.end()
    if at != len(declared) or declared[-1:] in ("", ","):
        fault = fault or ("signature-malformed", "Signature-Input is no dictionary of inner lists")
    if fault is not None:
        inputs = [one._replace(fault=fault) for one in inputs] or [SignatureInput(form="rfc9421", fault=fault)]
    return tuple(inputs)


def _dictionary(signature: str) -> tuple[dict[str, str], tuple[Code, str] | None]:
    """The labels and the base64 of a `Signature` dictionary (RFC 8941), and its fault."""
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


def _read_member(label: str, inner: str, extras: str, signature: str | None) -> SignatureInput:
    """One member of `Signature-Input`, and the signature that belongs to it."""
    fault: tuple[Code, str] | None = None
    parameters: dict[str, str] = {}
    for parameter in _NAMED(extras):
        name, quoted, bare = parameter.groups()
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
    return SignatureInput(
        form="rfc9421",
        key_id=parameters.get("keyid"),
        algorithm=parameters.get("alg"),
        covered=tuple(components),
        signature=signature,
        created=parameters.get("created"),
        expires=parameters.get("expires"),
        label=label,
        parameters=f"({inner}){extras}",
        fault=fault,
    )
