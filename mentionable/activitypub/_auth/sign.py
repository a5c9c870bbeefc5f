"""Signing: requests in either HTTP form, GETs included, and documents with an object proof."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, Literal, TypeAlias

from ..._crypto.keys import SigningKey, check_signing_key
from ..._crypto.verification import VerificationFailed
from ..._errors.exceptions import UsageError
from ..._flow.settings import check_now
from ..._wire.base58 import base58_encode
from ..._wire.http import HttpRequest, check_request, is_web_url
from ..._wire.strict_json import is_text, plain
from ..._wire.time import format_time, http_date
from .proof import SUITE, proof_text
from .signature import (
    ALGORITHMS,
    SignatureInput,
    SignedRequest,
    digest_text,
    signature_base,
    signed_request,
    signing_string,
)

SignatureForm: TypeAlias = Literal["cavage", "rfc9421"]
"""How a request is signed: by draft-cavage-12, which every server takes, or by RFC 9421."""

SYNCHRONIZATION: Final = "collection-synchronization"
"""A header that counts only when it is covered (FEP-8fcf)."""

_OURS: Final = frozenset({"host", "date", "digest", "content-digest", "signature", "signature-input"})
_QUOTABLE: Final = re.compile(r"[!#-\[\]-~]{1,2048}").fullmatch


def sign(request: HttpRequest, *, key: SigningKey, now: datetime, form: SignatureForm = "cavage") -> HttpRequest:
    """The request with `Host`, `Date`, a digest of its body, and a signature over them, its method and its URL.

    Servers in secure mode answer only signed GETs, so sign the requests of `Fetch` asks too.

    Args:
        request: What to transmit; headers of the names above are made anew.
        key: Yours; `key_id` is the URL of its public half in your actor document.
        now: The time, aware.
        form: Servers that do not take one form answer 401: try the other one then.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: draft-cavage-http-signatures-12; RFC 9421; RFC 9530.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import HttpRequest, SigningKey
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/actors/helper#key")
        >>> request = HttpRequest(method="GET", url="https://social.example/users/alice")
        >>> signed = sign(request, key=key, now=datetime(2026, 11, 21, tzinfo=UTC), form="rfc9421")
        >>> signed.header("signature-input")
        'sig1=("@method" "@target-uri");created=1795219200;keyid="https://agents.example/actors/helper#key";alg="ed25519"'
    """
    check_request(request)
    if not is_web_url(request.url) or not is_text(request.url):
        raise UsageError("request.url must be an http or https URL with a host, without userinfo and blanks")
    if form not in ("cavage", "rfc9421"):
        raise UsageError("form must be 'cavage' or 'rfc9421'")
    _check_inputs(key, now)
    headers = [(name, value) for name, value in request.headers if name not in _OURS]
    covered = signed_request(request)
    headers = [("host", covered.target.authority), ("date", http_date(now)), *headers]
    if covered.has_content:
        name, prefix = ("digest", "SHA-256=") if form == "cavage" else ("content-digest", "sha-256=")
        headers.append((name, prefix + digest_text(sha256(request.body).digest(), colons=form == "rfc9421")))
    covered = covered._replace(headers=dict(headers))
    try:
        added = _cavage(covered, key) if form == "cavage" else _rfc9421(covered, key, now)
    except VerificationFailed as fault:
        raise UsageError(f"the request cannot be signed: {fault.detail}") from None
    return HttpRequest(method=request.method, url=request.url, headers=[*headers, *added], body=request.body)


def _cavage(request: SignedRequest, key: SigningKey) -> list[tuple[str, str]]:
    names = ["(request-target)", "host", "date", *(["digest"] if request.has_content else []), *_also(request)]
    text = signing_string(names, SignatureInput(form="cavage"), request, request.target.path_and_query)
    algorithm = "rsa-sha256" if key.kind == "rsa" else "hs2019"
    signature = b64encode(key.sign(text)).decode("ascii")
    parameters = {"keyId": key.key_id, "algorithm": algorithm, "headers": " ".join(names), "signature": signature}
    return [("signature", ",".join([f'{name}="{value}"' for name, value in parameters.items()]))]


def _rfc9421(request: SignedRequest, key: SigningKey, now: datetime) -> list[tuple[str, str]]:
    names = ["@method", "@target-uri", *(["content-digest"] if request.has_content else []), *_also(request)]
    algorithm = next(name for name, kind in ALGORITHMS.items() if kind == key.kind)
    covered = " ".join([f'"{name}"' for name in names])
    parameters = f'({covered});created={int(now.timestamp())};keyid="{key.key_id}";alg="{algorithm}"'
    signature = b64encode(key.sign(signature_base(names, parameters, request))).decode("ascii")
    return [("signature-input", f"sig1={parameters}"), ("signature", f"sig1=:{signature}:")]


def _also(request: SignedRequest) -> list[str]:
    """The headers that are covered where they are there."""
    return [SYNCHRONIZATION] if SYNCHRONIZATION in request.headers else []


def sign_object(document: Mapping[str, Any], *, key: SigningKey, now: datetime) -> dict[str, Any]:
    """A copy of an activity or object with a proof that goes with it wherever it is passed on.

    Args:
        document: What to sign; a proof in it is replaced.
        key: An Ed25519 key; `key_id` is an id that your actor document lists under `assertionMethod`.
        now: The time, aware.

    Raises:
        UsageError: An argument is of the wrong kind, or the document has no canonical form.

    Spec: FEP-8b32 (`eddsa-jcs-2022`).
    """
    _check_inputs(key, now)
    if not isinstance(document, Mapping):
        raise UsageError("document must be a mapping")
    if key.kind != "ed25519":
        raise UsageError("proofs are made with an Ed25519 key")
    whole = plain(document)
    options = {"@context": whole["@context"]} if "@context" in whole else {}
    options |= {
        "type": "DataIntegrityProof",
        "cryptosuite": SUITE,
        "verificationMethod": key.key_id,
        "proofPurpose": "assertionMethod",
        "created": format_time(now)[:19] + "Z",
    }
    try:
        text = proof_text(whole, options)
    except VerificationFailed as fault:
        raise UsageError(f"the document cannot be signed: {fault.detail}") from None
    return {**whole, "proof": {**options, "proofValue": "z" + base58_encode(key.sign(text))}}


def _check_inputs(key: SigningKey, now: object) -> None:
    """Raises `UsageError` when an argument of `sign` and `sign_object` is of the wrong kind."""
    check_signing_key(key)
    if not _QUOTABLE(key.key_id):
        raise UsageError("the id of a key for ActivityPub is a URL")
    check_now(now)
