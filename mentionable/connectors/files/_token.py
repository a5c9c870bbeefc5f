"""Reads a token. No claim is read before the signature is verified.

Spec: decisions C1; RFC 7515, RFC 8725.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import Code, WireError, wire_error
from ..._model.file_scope import SCOPE, Scope, is_scope_item
from ..._wire.address import is_canonical
from ..._wire.base64 import base64url_decode
from ..._wire.strict_json import loads
from ._capability import CLAIMS, TYPE, VERSION, Capability, is_budget, is_seconds, is_token_id, is_turn, moment_of
from ._key import FileKey

MAX_TOKEN: Final = 4_096
"""Characters of a token; `issue_file_url` makes none of more than about 2,000."""

_COMPACT: Final = re.compile(r"[A-Za-z0-9_-]++\.[A-Za-z0-9_-]++\.[A-Za-z0-9_-]++", re.ASCII).fullmatch
_DEPTH: Final = 8
_HEADER: Final = frozenset({"alg", "kid", "typ"})
_TEXTS: Final = ("iss", "aud", "jti", "turn")
_NUMBERS: Final = ("ver", "iat", "nbf", "exp", "max_bytes")


class Claims(NamedTuple):
    """The claims of a token whose signature is valid, each of the form that it must have."""

    capability: Capability
    not_before: datetime


def read(token: object, keys: Mapping[str, FileKey]) -> Claims:
    """The claims of a token.

    Raises:
        WireError: `cap-malformed`, `cap-header`, `cap-type`, `cap-key-unknown`, `cap-algorithm`, `cap-signature`,
            `cap-claims`, `cap-version`, `cap-scope`, in this order.
    """
    if token.__class__ is not str:
        raise wire_error("cap-malformed", "", "a token is text")
    text: Any = token
    if len(text) > MAX_TOKEN or not _COMPACT(text):
        raise wire_error("cap-malformed", "", f"a token is three segments of base64url, at most {MAX_TOKEN} characters")
    signed, _, last = text.rpartition(".")
    head, _, payload = signed.partition(".")
    head_bytes, payload_bytes, signature = map(_decoded, (head, payload, last))
    key = _key(_object(head_bytes, "cap-header"), keys)
    if not key.fits(signature, signed.encode("ascii")):
        raise wire_error("cap-signature", "", "the signature does not fit")
    return _claims(_object(payload_bytes, "cap-claims"), key.key_id)


def _decoded(segment: str) -> bytes:
    """The bytes of a segment in canonical base64url."""
    data = base64url_decode(segment)
    if data is None:
        raise wire_error("cap-malformed", "", "a segment is not canonical base64url")
    return data


def _object(data: bytes, code: Code) -> dict[str, Any]:
    """The JSON object of a segment, read strictly."""
    try:
        value: Any = loads(data, max_bytes=MAX_TOKEN, max_depth=_DEPTH)
    except WireError as error:
        raise wire_error(code, "", str(error)) from None
    if not isinstance(value, dict):
        raise wire_error(code, "", "expected an object")
    return value


def _key(header: dict[str, Any], keys: Mapping[str, FileKey]) -> FileKey:
    """The key that a header names, when it is one that may have signed such a token."""
    if header.keys() != _HEADER:
        raise wire_error("cap-header", "", "the header has alg, kid and typ, and nothing else")
    if header["typ"] != TYPE:
        raise wire_error("cap-type", "/typ", f"expected {TYPE}")
    key_id = header["kid"]
    key = keys.get(key_id) if key_id.__class__ is str else None
    if key is None:
        raise wire_error("cap-key-unknown", "/kid", "no key has this id")
    if header["alg"] != key.algorithm:
        raise wire_error("cap-algorithm", "/alg", f"the key is one for {key.algorithm}")
    return key


def _claims(claims: dict[str, Any], key_id: str) -> Claims:
    """The claims, each of the form that it must have."""
    if claims.keys() != frozenset(CLAIMS):
        raise wire_error("cap-claims", "", f"the claims are {', '.join(CLAIMS)}, and nothing else")
    for names, kind in ((_TEXTS, str), (_NUMBERS, int)):
        for name in names:
            if claims[name].__class__ is not kind:
                raise wire_error("cap-claims", f"/{name}", "text expected" if kind is str else "an integer expected")
    for name, fits in _RULES.items():
        if not fits(claims[name]):
            raise wire_error("cap-claims", f"/{name}", "not of the form that it must have")
    if claims["ver"] != VERSION:
        raise wire_error("cap-version", "/ver", f"expected {VERSION}")
    capability = Capability(
        token_id=claims["jti"],
        issuer=claims["iss"],
        audience=claims["aud"],
        scope=_scope(claims["scope"]),
        turn=claims["turn"],
        max_bytes=claims["max_bytes"],
        issued_at=moment_of(claims["iat"]),
        expires_at=moment_of(claims["exp"]),
        key_id=key_id,
    )
    return Claims(capability, not_before=moment_of(claims["nbf"]))


_RULES: Final[Mapping[str, Callable[[Any], bool]]] = {
    "aud": is_canonical,
    "iat": is_seconds,
    "nbf": is_seconds,
    "exp": is_seconds,
    "jti": is_token_id,
    "turn": is_turn,
    "max_bytes": is_budget,
}
"""Claim → its form, apart from its type; `iss` is compared as a whole."""


def _scope(scope: Any) -> Scope:
    """The scope: three names without wildcards."""
    if scope.__class__ is not dict or scope.keys() != frozenset(SCOPE) or not all(map(is_scope_item, scope.values())):
        raise wire_error("cap-scope", "/scope", f"expected {', '.join(SCOPE)}, each one name without wildcards")
    return Scope(**scope)
