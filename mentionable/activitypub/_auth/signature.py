"""Signatures of HTTP requests, by draft-cavage-12 and by RFC 9421: what they declare, cover and sign.

`read_signatures` reads the headers once, for verification and for `raw`: a malformed or ambiguous signature is there as
far as it can be read, with its fault. `check_cavage` and `check_rfc9421` check what the sender declared, and build the
signature base from the request that really came. Nothing here needs a key.

Spec: draft-cavage-http-signatures-12; RFC 9421; RFC 9530 (digests).
"""

from __future__ import annotations

import re
from binascii import b2a_base64
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256, sha512
from typing import Any, Final, Literal, NamedTuple

from ..._crypto.keys import KeyKind
from ..._crypto.verification import VerificationFailed
from ..._errors.exceptions import Code
from ..._model.sender import AuthMethod
from ..._wire.base64 import base64_decode
from ..._wire.http import HttpRequest
from ..._wire.structured_fields import Kind, Value, dictionary_text, read_dictionary
from ..._wire.time import http_seconds
from .._read.json_ld import many

# --- what the headers declare

MAX_SIGNATURES: Final = 3
"""How many signatures of one request, and how many proofs of one activity, are looked at."""

_MAX_CHARS: Final = 16_384
_PARAMETER: Final = re.compile(
    r"[ \t]*+([A-Za-z][A-Za-z0-9_-]{0,63})[ \t]*+=[ \t]*+(?:\"([^\"]*+)\"|([^\",\s]++))[ \t]*+(?:,|\Z)"
).match
_USUAL_CAVAGE: Final = re.compile(
    r"keyId=\"([^\"]*+)\",(?:algorithm=\"([^\"]*+)\",)?headers=\"([^\"]*+)\",signature=\"([^\"]*+)\""
).fullmatch
"""The parameters in the usual spelling."""

_BARE: Final = frozenset({"created", "expires"})
"""The parameters of draft-cavage that are numbers; some peers quote them."""

_KINDS: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("created", "expires"), "integer"),
    **dict.fromkeys(("keyid", "alg", "nonce", "tag"), "string"),
}
"""What the parameters of RFC 9421 are (§2.3)."""

_USUAL: Final = re.compile(
    r"([a-z*][a-z0-9_.*-]*+)=(\(\"(@?[a-z0-9-]++(?:\" \"@?[a-z0-9-]++)*)\"\)"
    r"((?:;(?:created|expires)=[1-9][0-9]{0,14}|;(?:keyid|alg|nonce|tag)=\"[ !#-:<-\[\]-~]*+\")*))"
).fullmatch
"""A declaration in the one form, as the usual signers write it: what is signed need not be made from its values."""

_USUAL_PARAMETERS: Final = re.compile(r";([a-z]++)=\"?([^;\"]*+)").findall
_COMPONENT: Final = re.compile(r"@?[a-z0-9!#$%&'*+.^_`|~-]++", re.ASCII).fullmatch


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


_NO_SIGNATURES: Final = Signatures(http=(), proofs=(), nested=())


def read_signatures(request: HttpRequest, activity: dict[str, Any], document: Any = None) -> Signatures:
    """The signatures of a delivery; `document` is the object of its activity."""
    proof, nested = activity.get("proof"), document.get("proof") if document.__class__ is dict else None
    names = dict(request.headers)  # few requests have both headers, so each is looked for only where it is
    signature = request.header("signature") if "signature" in names else None
    declared = request.header("signature-input") if "signature-input" in names else None
    if signature is declared is proof is nested is None:
        return _NO_SIGNATURES
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
    return Signatures(http=http, proofs=_proofs(proof), nested=_proofs(nested))


def _proofs(proof: Any) -> tuple[Any, ...]:
    """One proof or an array of them; an empty array is a proof that verifies nothing."""
    if proof is None:
        return ()
    return tuple(many(proof)) or (proof,)


def _members(pattern: Callable[[str, int], re.Match[str] | None], header: str) -> tuple[list[re.Match[str]], bool]:
    """The members of a list in a header, and whether it holds nothing else."""
    members: list[re.Match[str]] = []
    end = 0
    while (member := pattern(header, end)) is not None:
        members.append(member)
        end = member.end()
    return members, end == len(header) and header[-1:] not in ("", ",")


def _read_cavage(header: str) -> SignatureInput:
    """The signature of a draft-cavage `Signature` header."""
    usual = _USUAL_CAVAGE(header)
    if usual is not None:
        key_id, algorithm, covered, signature = usual.groups()
        return SignatureInput("cavage", key_id, algorithm, _names(covered), signature)
    parameters: dict[str, str] = {}
    fault: tuple[Code, str] | None = None
    members, is_whole = _members(_PARAMETER, header)
    for member in members:
        name, quoted, bare = member.groups()
        if bare is not None and name not in _BARE:
            fault = "signature-malformed", f"{name} is not quoted"
        parameters.setdefault(name, quoted if bare is None else bare)
    if not is_whole:
        fault = "signature-malformed", "not a list of parameters"
    elif fault is None and len(parameters) < len(members):
        fault = "signature-ambiguous", "a parameter is there twice"
    headers = parameters.get("headers")
    return SignatureInput(
        form="cavage",
        key_id=parameters.get("keyId"),
        algorithm=parameters.get("algorithm"),
        covered=None if headers is None else _names(headers),
        signature=parameters.get("signature"),
        created=parameters.get("created"),
        expires=parameters.get("expires"),
        fault=fault,
    )


def _names(covered: str) -> tuple[str, ...]:
    """The names in a list of draft-cavage: spaces stand between them, and no other blanks."""
    return tuple([name for name in covered.split(" ") if name])


def _read_rfc9421(declared: str, signature: str) -> tuple[SignatureInput, ...]:
    """The first signatures of the two RFC 9421 headers; a fault of the headers is a fault of each signature."""
    usual = _read_usual(declared, signature)
    if usual is not None:
        return (usual,)
    members, declared_fault = _dictionary(declared, "Signature-Input")
    values, signature_fault = _dictionary(signature, "Signature")
    fault = signature_fault or declared_fault
    signatures = dict(values)
    inputs = [_read_member(label, value, signatures.get(label)) for label, value in members[:MAX_SIGNATURES]]
    if fault is None and inputs:
        return tuple(inputs)
    fault = fault or ("signature-malformed", "Signature-Input is empty")
    return tuple([one._replace(fault=fault) for one in inputs] or [SignatureInput(form="rfc9421", fault=fault)])


def _read_usual(declared: str, signature: str) -> SignatureInput | None:
    """The one signature of headers in the usual form of signers; None for every other form."""
    match = _USUAL(declared)
    if match is None:
        return None
    label, written, components, parameters = match.groups()
    start = len(label) + 2
    if (
        signature[:start] != f"{label}=:"
        or signature[-1:] != ":"
        or ":" in signature[start:-1]
        or len(signature) == start
    ):
        return None
    values = dict(_USUAL_PARAMETERS(parameters))
    if len(values) < parameters.count(";"):
        return None
    return SignatureInput(
        form="rfc9421",
        key_id=values.get("keyid"),
        algorithm=values.get("alg"),
        covered=tuple(components.split('" "')),
        signature=signature[start:-1],
        created=values.get("created"),
        expires=values.get("expires"),
        label=label,
        parameters=written,
    )


def _dictionary(text: str, name: str) -> tuple[list[tuple[str, Value]], tuple[Code, str] | None]:
    """The members of one of the two headers, and its fault."""
    members, is_whole = read_dictionary(text)
    if not is_whole:
        return members, ("signature-malformed", f"{name} is no dictionary")
    if len(dict(members)) < len(members):
        # By RFC 9651 the last one counts. Other readers take the first, so here none does.
        return members, ("signature-ambiguous", f"{name} has one label twice")
    return members, None


def _read_member(label: str, declared: Value, signature: Value | None) -> SignatureInput:
    """One member of `Signature-Input`, and the signature that belongs to it."""
    texts = {name: value.string for name, value in declared.parameters}
    return SignatureInput(
        form="rfc9421",
        key_id=texts.get("keyid"),
        algorithm=texts.get("alg"),
        covered=tuple([item.string + item.written[len(item.text) :] for item in declared.items]),
        signature=signature.text[1:-1] if signature is not None and signature.kind == "bytes" else None,
        created=texts.get("created"),
        expires=texts.get("expires"),
        label=label,
        parameters=declared.written,
        fault=_member_fault(label, declared, signature),
    )


def _member_fault(label: str, declared: Value, signature: Value | None) -> tuple[Code, str] | None:
    """Why one member of `Signature-Input` cannot count, by RFC 9421 §2.3 and §4.1."""
    if declared.kind != "list":
        return "signature-malformed", f"{label} is no list of components"
    if len(dict(declared.parameters)) < len(declared.parameters):
        return "signature-ambiguous", "a parameter is there twice"
    for name, value in declared.parameters:
        if _KINDS.get(name, value.kind) != value.kind:
            return "signature-malformed", f"{name} is not of the kind {_KINDS[name]}"
    for item in declared.items:
        if item.kind != "string" or not _COMPONENT(item.string):
            return "signature-malformed", "a component is the name of a header in small letters, or a derived one"
    if signature is None or signature.kind != "bytes":
        return "signature-malformed", f"there is no signature {label}"
    return None


# --- what they cover and sign

WINDOW: Final = 43_200
"""The maximum age of a signature, in seconds, as Mastodon has it; `SKEW` is added to it."""

SKEW: Final = 3_600
"""How much the clocks of two servers may differ, in seconds, at both ends of the window."""

ALGORITHMS: Final[Mapping[str, KeyKind]] = {"rsa-v1_5-sha256": "rsa", "ed25519": "ed25519"}
"""The algorithms of RFC 9421 that are accepted, each with its kind of key."""

_URL: Final = re.compile(
    r"([A-Za-z][A-Za-z0-9+.-]{0,15})://([^/?#\s]++)([^?#\r\n]*+)(?:\?([^#\r\n]*+))?", re.ASCII
).match
_PORTS: Final = {"https": ":443", "http": ":80"}
_DIGESTS: Final = {"sha-256": sha256, "sha-512": sha512}
_DICTIONARIES: Final = frozenset({"content-digest", "priority", "repr-digest", "signature", "signature-input"})
"""The fields that are known to be dictionaries, so that `sf` has one meaning (RFC 9421 §2.1.1)."""

_WHOLE: Final = re.compile(";(?:sf|bs)\\Z").sub
"""Takes the parameters off with which a component is still the whole value of a field."""

_END: Final = re.compile(r"([0-9]{1,15})(?:\.[0-9]{1,9})?", re.ASCII).fullmatch
"""An end in draft-cavage, which may name parts of a second (§2.1.5)."""

_ITEMS: Final = re.compile(r"[^,]++").finditer  # an iterator: an attacker could make a list as long as the header
_TIMES: Final = frozenset({"(created)", "(expires)"})
_REMEMBERED_CHARS: Final = 1_024


class UnverifiedSignature(NamedTuple):
    """A signature that passed every check that needs no key.

    Attributes:
        method: What it verifies the sender by.
        key_id: The key, as the signature names it.
        key_kind: The kind of key that its algorithm needs; None: any.
        signature: The signature itself.
        signature_bases: The bytes that it may sign, the likeliest first.
        digest: SHA-256 of what it signs: the body as it came, or the activity, however that is written again.
        accepted_until: The last second at which it is accepted: its end, and the tolerance for clocks.
        steps: The steps that it passed.
        covers_host: Whether it holds for the host of the request alone.
    """

    method: AuthMethod
    key_id: str
    key_kind: KeyKind | None
    signature: bytes
    signature_bases: tuple[bytes, ...]
    digest: bytes
    accepted_until: int
    steps: tuple[str, ...]
    covers_host: bool = True


class Target(NamedTuple):
    """A request URL in its parts (RFC 9421 §2.2).

    Attributes:
        scheme: In lower case.
        authority: Host in lower case, and the port unless it is the default one.
        path: Never empty.
        query: Without the question mark; None when there is none.
        path_and_query: The request target, as in the request line.
    """

    scheme: str
    authority: str
    path: str
    query: str | None
    path_and_query: str


def _target_of(url: str) -> Target:
    match = _URL(url)
    if match is None:
        return Target(scheme="", authority="", path="/", query=None, path_and_query="/")
    scheme, authority, path, query = match[1].lower(), match[2].lower(), match[3] or "/", match[4]
    return Target(
        scheme=scheme,
        authority=authority.removesuffix(_PORTS.get(scheme, ":")),
        path=path,
        query=query,
        path_and_query=path if query is None else f"{path}?{query}",
    )


_remembered_target: Final = lru_cache(256)(_target_of)


class SignedRequest(NamedTuple):
    """A request as its signatures cover it.

    Attributes:
        method: As it came.
        target: Its public URL.
        headers: Names in lower case → values, several joined with a comma, without blanks around them.
        lines: The same before they are joined.
        body: The bytes.
        has_content: Whether there is a body that a signature must cover.
        is_for_host: Whether the Host header names the host of the public URL.
    """

    method: str
    target: Target
    headers: dict[str, str]
    lines: Sequence[tuple[str, str]]
    body: bytes
    has_content: bool
    is_for_host: bool


def signed_request(request: HttpRequest) -> SignedRequest:
    """The request as its signatures cover it."""
    pairs = [(name, value.strip(" \t")) for name, value in request.headers]
    headers = dict(pairs)
    if len(headers) < len(pairs):
        several: dict[str, list[str]] = {}
        for name, value in pairs:
            several.setdefault(name, []).append(value)
        headers = {name: ", ".join(values) for name, values in several.items()}
    url = request.url
    target = _remembered_target(url) if len(url) <= _REMEMBERED_CHARS else _target_of(url)
    host = headers.get("host", "").lower().removesuffix(_PORTS.get(target.scheme, ":"))
    return SignedRequest(
        method=request.method,
        target=target,
        headers=headers,
        lines=pairs,
        body=request.body,
        has_content=bool(request.body) or request.method not in ("GET", "HEAD"),
        is_for_host=host == target.authority != "",
    )


def check_cavage(declared: SignatureInput, request: SignedRequest, *, now: int) -> UnverifiedSignature:
    """Checks a draft-cavage-12 signature, as nearly all servers send them, as far as that needs no key.

    Raises:
        VerificationFailed: `signature-malformed`, `signature-ambiguous`, `algorithm-refused`, `coverage-missing`,
            `time-missing`, `not-yet-valid`, `expired`, `digest-mismatch`, `host-mismatch`, `bad-signature`. Its
            `steps` are those that passed.

    Spec: draft-cavage-http-signatures-12 §2.
    """
    # Cheapest first, so that no key is fetched for a signature that cannot count:
    #   1. parse: the parameters and the algorithm       4. digest: that of the body
    #   2. coverage: target, host and digest             5. host: that of the public URL
    #   3. time: each time that is covered               6. build the signing string
    steps: list[str] = []
    try:
        key_id, signature = _key_and_signature(declared)
        names = ["(created)"] if declared.covered is None else [name.lower() for name in declared.covered]
        covered = set(names)
        if len(covered) != len(names):
            raise VerificationFailed("signature-ambiguous", "a header is covered twice")
        # The key decides the algorithm (§2.1.3); the parameter may only agree, or an attacker could choose it.
        if declared.algorithm not in (None, "hs2019", "rsa-sha256"):
            raise VerificationFailed("algorithm-refused", "this algorithm is not accepted")
        if declared.algorithm == "rsa-sha256" and not _TIMES.isdisjoint(covered):
            raise VerificationFailed("algorithm-refused", "rsa-sha256 does not go with (created) and (expires)")
        steps.append("parse")

        for name in ("(request-target)", "host"):
            if name not in covered:
                raise VerificationFailed("coverage-missing", f"{name} is not covered")
        if request.has_content and "digest" not in covered and "content-digest" not in covered:
            raise VerificationFailed("coverage-missing", "the digest of the body is not covered")
        steps.append("coverage")

        ends: list[int] = []
        for name in ("(created)", "date"):
            if name in covered:
                date = request.headers.get("date", "")
                created = _seconds(declared.created) if name == "(created)" else http_seconds(date, now=now)
                if created is None:
                    raise VerificationFailed("time-missing", f"{name} cannot be read")
                end = check_time(created, declared.expires, now=now)
                # Whoever has the signature can take away an end that is not signed: its use is remembered as without.
                ends.append(end if "(expires)" in covered else created + WINDOW + SKEW)
        if not ends:
            raise VerificationFailed("time-missing", "neither the date nor (created) is covered")
        steps.append("time")

        digest = check_digests(request, covered, ("digest", "content-digest"))
        steps.append("digest")

        if not request.is_for_host:
            raise VerificationFailed("host-mismatch", "Host is not the host of the URL")
        steps.append("host")

        target = request.target
        bases = [signing_string(names, declared, request, target.path_and_query)]
        if target.query is not None:
            # Older versions of Mastodon sign the path without the query.
            bases.append(signing_string(names, declared, request, target.path))
    except VerificationFailed as fault:
        fault.steps = tuple(steps)
        raise
    return UnverifiedSignature(
        method="ap-http-signature",
        key_id=key_id,
        key_kind="rsa" if declared.algorithm == "rsa-sha256" else None,
        signature=signature,
        signature_bases=tuple(bases),
        digest=digest,
        accepted_until=min(ends),
        steps=tuple(steps),
    )


def signing_string(names: Sequence[str], declared: SignatureInput, request: SignedRequest, target: str) -> bytes:
    """The bytes that a draft-cavage signature signs (§2.3), when the request line holds `target`.

    Raises:
        VerificationFailed: A covered header is missing, or its value is ambiguous.
    """
    lines: list[str] = []
    for name in names:
        if name == "(request-target)":
            lines.append(f"(request-target): {request.method.lower()} {target}")
            continue
        if name[:1] == "(":
            # Only the parameters: an attacker could add a header of this name with another value.
            value = declared.created if name == "(created)" else declared.expires if name == "(expires)" else None
        else:
            value = request.headers.get(name)
        if value is None:
            raise VerificationFailed("bad-signature", "a covered header is missing")
        lines.append(f"{name}: {value}")
    return _joined(lines)


def check_rfc9421(declared: SignatureInput, request: SignedRequest, *, now: int) -> UnverifiedSignature:
    """Checks an RFC 9421 signature in the profile of the fediverse, as far as that needs no key.

    Raises:
        VerificationFailed: `signature-malformed`, `signature-ambiguous`, `algorithm-refused`, `coverage-missing`,
            `time-missing`, `not-yet-valid`, `expired`, `digest-mismatch`, `host-mismatch`, `bad-signature`. Its
            `steps` are those that passed.

    Spec: RFC 9421 §3.2.
    """
    # The same order as in `check_cavage`:
    #   1. parse: the parameters and the algorithm       4. digest: that of the body
    #   2. coverage: method, target, host, digest        5. host: part of the base, from the public URL
    #   3. time: created and expires                     6. build the signature base
    steps: list[str] = []
    try:
        key_id, signature = _key_and_signature(declared)
        components = declared.covered or ()
        if len(set(components)) != len(components):
            raise VerificationFailed("signature-ambiguous", "a component is covered twice")
        algorithm = declared.algorithm
        if algorithm is not None and algorithm not in ALGORITHMS:
            raise VerificationFailed("algorithm-refused", "this algorithm is not accepted")
        steps.append("parse")

        covered = {_WHOLE("", name) for name in components}
        if "@method" not in covered:
            raise VerificationFailed("coverage-missing", "@method is not covered")
        if "@target-uri" not in covered:
            if "@authority" not in covered and "host" not in covered:
                raise VerificationFailed("coverage-missing", "neither @target-uri nor @authority is covered")
            if "@path" not in covered and "@request-target" not in covered:
                raise VerificationFailed("coverage-missing", "neither @target-uri nor @path is covered")
        if request.has_content and "content-digest" not in covered:
            raise VerificationFailed("coverage-missing", "the digest of the body is not covered")
        steps.append("coverage")

        created = _seconds(declared.created)
        if created is None:
            raise VerificationFailed("time-missing", "created is missing")
        accepted_until = check_time(created, declared.expires, now=now)
        steps.append("time")

        digest = check_digests(request, covered, ("content-digest",))
        steps.append("digest")

        if not request.target.authority or ("host" in covered and not request.is_for_host):
            raise VerificationFailed("host-mismatch", "Host is not the host of the URL")
        steps.append("host")

        base = signature_base(components, declared.parameters, request)
    except VerificationFailed as fault:
        fault.steps = tuple(steps)
        raise
    return UnverifiedSignature(
        method="ap-http-signature",
        key_id=key_id,
        key_kind=None if algorithm is None else ALGORITHMS[algorithm],
        signature=signature,
        signature_bases=(base,),
        digest=digest,
        accepted_until=accepted_until,
        steps=tuple(steps),
    )


def signature_base(components: Sequence[str], parameters: str, request: SignedRequest) -> bytes:
    """The signature base of an RFC 9421 signature (§2.5).

    Raises:
        VerificationFailed: A component is missing, ambiguous, or not supported.
    """
    with_parameters = [component for component in components if ";" in component]
    strict = _strict_values(with_parameters, request) if with_parameters else {}
    lines: list[str] = []
    for component in components:
        name, semicolon, parameter = component.partition(";")
        if name[:1] == "@":
            value = None if parameter else _derived_component(name, request)
        elif name not in request.headers:
            raise VerificationFailed("bad-signature", "a covered header is missing")
        else:
            value = strict.get(component) if parameter else request.headers[name]
        if value is None:
            raise VerificationFailed("signature-malformed", "this covered component is not supported")
        lines.append(f'"{name}"{semicolon}{parameter}: {value}')
    lines.append(f'"@signature-params": {parameters}')
    return _joined(lines)


def _strict_values(components: Sequence[str], request: SignedRequest) -> dict[str, str]:
    """The values of headers that are covered with `sf`, `bs` or `key` (RFC 9421 §2.1), where these have one meaning.

    A delivery has no trailers and answers no other request: `tr` and `req` have no value here.
    """
    # Each header is read once, however many of its members are covered.
    lines: dict[str, list[str]] = {}
    for name, line in request.lines:
        encoded = b2a_base64(_joined([line]), newline=False).decode("ascii")
        lines.setdefault(name, []).append(f":{encoded}:")
    names = {component.partition(";")[0] for component in components}
    dictionaries: dict[str, list[tuple[str, Value]]] = {}
    for name in names & request.headers.keys():
        header = request.headers[name]
        members, is_whole = read_dictionary(header) if len(header) <= _MAX_CHARS else ([], False)
        if is_whole and len(dict(members)) == len(members):
            dictionaries[name] = members
    values = {f"{name};bs": ", ".join(listed) for name, listed in lines.items()}
    for name, members in dictionaries.items():
        if name in _DICTIONARIES:
            values[f"{name};sf"] = dictionary_text(members)
        values |= {f'{name};key="{key}"': value.written for key, value in members}
    return values


def _derived_component(name: str, request: SignedRequest) -> str | None:
    """The value of a derived component (RFC 9421 §2.2); None for those that are not supported."""
    target = request.target
    match name:
        case "@method":
            return request.method
        case "@target-uri":
            return f"{target.scheme}://{target.authority}{target.path_and_query}"
        case "@authority":
            return target.authority
        case "@path":
            return target.path
        case "@query":
            return f"?{target.query or ''}"
        case "@scheme":
            return target.scheme
        case "@request-target":
            return target.path_and_query
    return None


def _key_and_signature(declared: SignatureInput) -> tuple[str, bytes]:
    """The id of the key and the bytes of the signature; base64 must be in its canonical form."""
    if declared.fault is not None:
        raise VerificationFailed(*declared.fault)
    if not declared.key_id:
        raise VerificationFailed("signature-malformed", "no key is named")
    if not declared.signature:
        raise VerificationFailed("signature-malformed", "there is no signature")
    signature = base64_decode(declared.signature)
    if signature is None:
        raise VerificationFailed("signature-malformed", "the signature is not canonical base64")
    return declared.key_id, signature


def _joined(lines: list[str]) -> bytes:
    """The lines of a signature base as bytes.

    Raises:
        VerificationFailed: A line holds a line break, so that one value could pass for two lines.
    """
    text = "\n".join(lines)
    if text.count("\n") != len(lines) - 1 or "\r" in text:
        raise VerificationFailed("signature-ambiguous", "a covered value holds a line break")
    try:
        return text.encode("latin-1")  # as the bytes came
    except UnicodeEncodeError:
        return text.encode()


def _seconds(text: str | None) -> int | None:
    """A time in seconds, as a parameter has it; None when it is not one."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 16 else None


def check_time(created: int, expires: str | None, *, now: int) -> int:
    """Check the times of a signature; return the last second at which it is accepted.

    An `expires` that is not covered can only shorten the window, so it counts all the same. It is an integer in RFC
    9421, and may be a decimal in draft-cavage.

    Raises:
        VerificationFailed: `not-yet-valid`, `expired`, `signature-malformed`.
    """
    check_created(created, now=now)
    end = created + WINDOW
    if expires is not None:
        match = _END(expires)
        if match is None or int(match[1]) < created:
            raise VerificationFailed("signature-malformed", "expires is no time after it was made")
        end = min(end, int(match[1]))
    return check_expired(end, now=now)


def check_created(created: int, *, now: int) -> None:
    """Raises when a signature is from the future.

    Raises:
        VerificationFailed: `not-yet-valid`.
    """
    if created > now + SKEW:
        raise VerificationFailed("not-yet-valid", f"made {created - now} seconds from now")


def check_expired(end: int, *, now: int) -> int:
    """The last second at which a signature that ends at `end` is accepted, since clocks may differ.

    Raises:
        VerificationFailed: `expired`.
    """
    if now > end + SKEW:
        raise VerificationFailed("expired", f"ended {now - end} seconds ago")
    return end + SKEW


def check_digests(request: SignedRequest, covered: Collection[str], accepted: tuple[str, ...]) -> bytes:
    """The SHA-256 digest of the body; every digest in the headers must be right, and a covered one of SHA-256 be there.

    Raises:
        VerificationFailed: `coverage-missing`, `digest-mismatch`.
    """
    headers, right = request.headers, sha256(request.body).digest()
    is_covered = False
    for name in ("digest", "content-digest"):
        if name in headers:
            has_sha256 = _check_digest(headers[name], request.body, right, colons=name == "content-digest")
            is_covered |= has_sha256 and name in covered and name in accepted
    if not is_covered and request.has_content:
        raise VerificationFailed("coverage-missing", "no SHA-256 digest of the body is covered")
    return right


def _check_digest(header: str, body: bytes, sha256_digest: bytes, *, colons: bool) -> bool:
    """Whether one header has a SHA-256 digest. All its digests must be right; those of unknown algorithms are skipped.

    Raises:
        VerificationFailed: `digest-mismatch`.
    """
    right = {"sha-256": digest_text(sha256_digest, colons=colons)}
    if header[8:] == right["sha-256"] and (header[:8] == "sha-256=" or (not colons and header[:8] == "SHA-256=")):
        return True  # what nearly all servers send
    has_sha256 = False
    for name, value in _content_digests(header) if colons else _old_digests(header):
        make = _DIGESTS.get(name)
        if make is None:
            continue
        if name not in right:
            right[name] = digest_text(make(body).digest(), colons=colons)
        if value != right[name]:
            raise VerificationFailed("digest-mismatch", f"the {name} digest is not that of the body")
        has_sha256 |= name == "sha-256"
    return has_sha256


def _content_digests(header: str) -> Iterable[tuple[str, str]]:
    """The algorithms of a `Content-Digest` (RFC 9530 §2), each with its digest between colons.

    Raises:
        VerificationFailed: `digest-mismatch`.
    """
    members, is_whole = read_dictionary(header) if len(header) <= _MAX_CHARS else ([], False)
    if not is_whole:
        raise VerificationFailed("digest-mismatch", "Content-Digest is no dictionary")
    return [(name, value.text) for name, value in members]


def _old_digests(header: str) -> Iterable[tuple[str, str]]:
    """The algorithms of a `Digest` (RFC 3230 §4.3.2), in any case, each with its digest."""
    for item in _ITEMS(header):
        name, _, value = item[0].strip(" \t").partition("=")
        yield name.lower(), value


def digest_text(digest: bytes, *, colons: bool) -> str:
    """A digest in the form of `Digest` or, between colons, of `Content-Digest`."""
    text = b2a_base64(digest, newline=False).decode("ascii")
    return f":{text}:" if colons else text
