"""Signed tokens (compact JWS, JWT): signed, read strictly, and checked with the one key of a JWKS that may sign them.

PyJWT parses the keys and runs the algorithms; its `decode`, which reads a clock and forgives much, is never called. It
takes long to load, so it is loaded when the first signature is checked.

Spec: RFC 7515, RFC 7517, RFC 7519, RFC 8725.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from .._errors.exceptions import Code, WireError, wire_error
from .._model.annotation import InvalidMember
from .._model.base import FrozenDict
from .._model.rules import JsonObject
from .._wire.base64 import base64url_decode, base64url_encode
from .._wire.jwk import private_members
from .._wire.strict_json import dump_line, loads
from .keys import SigningKey, check_rsa, public_key_of_raw
from .verification import VerificationFailed

if TYPE_CHECKING:
    from jwt.algorithms import Algorithm as Engine

Algorithm: TypeAlias = Literal[
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"
]
"""A signature algorithm that is taken at all: `none` and everything with a shared secret is not among them."""

MAX_TOKEN: Final = 16_384
"""How many characters a token may have."""

MAX_KEY_SET: Final = 262_144
"""How many bytes a JWKS document may have."""

_DEPTH: Final = 32
_BASE64URL: Final = re.compile(r"[A-Za-z0-9_-]+").fullmatch
_LEAST_BITS: Final = 2_048
_MOST_KEY_CHARS: Final = 1_400  # an RSA modulus of 8192 bits; 4096 are taken
_FORBIDDEN: Final = frozenset({"jwk", "jku", "x5u", "x5c", "crit", "b64"})
"""Header members that bring a key along, or change how the token is to be read."""

_KEYS_FOR: Final[dict[str, tuple[str, str | None]]] = {
    **{f"{family}{bits}": ("RSA", None) for family in ("RS", "PS") for bits in (256, 384, 512)},
    "ES256": ("EC", "P-256"),
    "ES384": ("EC", "P-384"),
    "ES512": ("EC", "P-521"),
    "EdDSA": ("OKP", "Ed25519"),
    "Ed25519": ("OKP", "Ed25519"),
}
"""Algorithm → type and curve of the keys that it goes with."""

_ED25519: Final = ("Ed25519", "EdDSA")
"""Two names of one algorithm (RFC 9864): the second one leaves the curve to the key, and only this one is taken."""

_ANY: Final = {"RSA": "RS256", "EC": "ES256", "OKP": "EdDSA"}
"""Type of key → an algorithm whose engine reads such keys."""

_PUBLIC: Final = {"RSA": ("n", "e"), "EC": ("x", "y"), "OKP": ("x",)}
"""Type of key → the members that make its public half."""


class Header(NamedTuple):
    """What the header of a token says, checked as far as that needs no policy.

    Attributes:
        algorithm: One that is taken at all.
        key_id: Which key signed it.
        type: Its media type in lower case, without `application/`; empty when it names none.
    """

    algorithm: str
    key_id: str
    type: str


class Token(NamedTuple):
    """A token that can be read. Nothing in its payload is trusted before `check_signature`.

    Attributes:
        header: Its header.
        signed: What is signed.
        payload: The payload as bytes.
        signature: The signature.
    """

    header: Header
    signed: bytes
    payload: bytes
    signature: bytes

    def claims(self) -> dict[str, Any]:
        """The payload of a JWT as JSON, read strictly.

        Raises:
            Unproven: `duplicate-member`, `claim-malformed`.
        """
        return _object(self.payload, "claim-malformed", "the payload")


def sign_token(claims: Mapping[str, Any], *, key: SigningKey, kind: str) -> str:
    """A token in its compact form.

    Args:
        claims: Its payload.
        key: Signs it: `EdDSA` or `RS256`, as its kind is.
        kind: The `typ` of its header.
    """
    signed = f"{protected_header(key, kind)}.{base64url_encode(dump_line(claims).encode())}"
    return f"{signed}.{base64url_encode(key.sign(signed.encode('ascii')))}"


def protected_header(key: SigningKey, kind: str) -> str:
    """The header of what a key signs, as it is signed."""
    algorithm = "EdDSA" if key.kind == "ed25519" else "RS256"
    return base64url_encode(dump_line({"alg": algorithm, "kid": key.key_id, "typ": kind}).encode())


def read_token(text: str) -> Token:
    """The token in its compact form: three segments of canonical base64url, and a header that may be followed.

    Raises:
        Unproven: `too-large`, `signature-malformed`, `duplicate-member`, `algorithm-refused`, `header-forbidden`,
            `token-type-refused`, `key-unknown` without a key id.
    """
    if len(text) > MAX_TOKEN:
        raise VerificationFailed("too-large", f"a token of {len(text)} characters, at most {MAX_TOKEN}")
    segments = text.split(".", 3)
    if len(segments) != 3 or "+" in text or "/" in text or "=" in text:
        raise VerificationFailed("signature-malformed", "a token is three segments of base64url without padding")
    head, payload, signature = segments
    if not payload:
        raise VerificationFailed("signature-malformed", "the token has no payload")
    payload_bytes, signature_bytes = _decoded(payload), _decoded(signature)
    header = _header(head)
    return Token(header, text[: len(head) + 1 + len(payload)].encode("ascii"), payload_bytes, signature_bytes)


def _decoded(segment: str) -> bytes:
    """The bytes of a segment, when it is their one spelling. It has no character of the other base64 alphabet."""
    decoded = base64url_decode(segment)
    if decoded is None:
        raise VerificationFailed("signature-malformed", "a segment of the token is not canonical base64url")
    return decoded


def _object(data: bytes, code: Code, what: str) -> dict[str, Any]:
    """The JSON object in the bytes of a segment."""
    try:
        value = loads(data, max_bytes=MAX_TOKEN, max_depth=_DEPTH, safe_integers=False)
    except WireError as error:
        twice = error.code == "duplicate-member"
        raise VerificationFailed("duplicate-member" if twice else code, f"{what} of the token: {error}") from None
    if value.__class__ is not dict:
        raise VerificationFailed(code, f"{what} of the token is not an object")
    json_object: dict[str, Any] = value
    return json_object


@lru_cache(256)
def _header(segment: str) -> Header:
    """The header. It is the same in every token of one key, so it is remembered by its text."""
    members = _object(_decoded(segment), "signature-malformed", "the header")
    algorithm, kind, key_id = members.get("alg"), members.get("typ", ""), members.get("kid")
    if algorithm.__class__ is not str or algorithm not in _KEYS_FOR:
        raise VerificationFailed("algorithm-refused", "alg is missing, or no public-key signature that is taken")
    if not _FORBIDDEN.isdisjoint(members):
        raise VerificationFailed("header-forbidden", f"the header has {', '.join(sorted(_FORBIDDEN & members.keys()))}")
    if kind.__class__ is not str:
        raise VerificationFailed("token-type-refused", "typ is not a string")
    if key_id is None:
        raise VerificationFailed("key-unknown", "the header names no key")
    if key_id.__class__ is not str:
        raise VerificationFailed("signature-malformed", "kid is not a string")
    return Header(algorithm, key_id, kind.lower().removeprefix("application/"))


def check_signature(token: Token, key: Any) -> None:
    """Raises unless a key that `KeySet.signing_key` gave signed the token.

    Raises:
        Unproven: `bad-signature`.
    """
    algorithm = token.header.algorithm
    if not _engine(algorithm).verify(token.signed, key, token.signature):
        raise VerificationFailed("bad-signature", f"the {algorithm} signature of the token does not fit")


class KeySet(FrozenDict):
    """A JWKS whose keys are read when a token names them, each once. Entries of unknown kinds do no harm.

    Raises:
        WireError: `wrong-type`: it is no object with an array of keys.
    """

    __slots__ = ("_ready",)

    def __init__(self, document: Any) -> None:
        if not isinstance(document, dict) or not isinstance(document.get("keys"), list):
            raise wire_error("wrong-type", "/keys", "a JWKS is an object with an array of keys")
        super().__init__(document)
        self._ready: dict[tuple[str, str], Any] = {}

    def __reduce__(self) -> tuple[type[KeySet], tuple[dict[str, Any]]]:
        return KeySet, (dict(self),)

    def signing_key(self, header: Header) -> Any:
        """The one key that may have signed a token with this header. Its id is only compared, never followed.

        Raises:
            Unproven: `key-unknown`, `algorithm-refused`, `key-refused`.
        """
        named = header[:2]
        key = self._ready.get(named)
        if key is None:
            key = self._ready[named] = _native(*_chosen(header, self["keys"]))
        return key


def _chosen(header: Header, keys: Sequence[Any]) -> tuple[str, str | None, tuple[str, ...]]:
    """Type, curve and public members of the key that may have signed a token with this header."""
    key_id, algorithm = header.key_id, header.algorithm
    kind, curve = _KEYS_FOR[algorithm]
    named = [key for key in keys if key.__class__ is dict and key.get("kid") == key_id and _may_verify(key)]
    names = (None, *_ED25519) if algorithm in _ED25519 else (None, algorithm)
    fitting = [
        key
        for key in named
        if key.get("kty") == kind and (curve is None or key.get("crv") == curve) and key.get("alg") in names
    ]
    if not fitting:
        if named:
            raise VerificationFailed("algorithm-refused", f"the key of this id is not one for {algorithm}")
        raise VerificationFailed("key-unknown", "there is no key of this id that may sign")
    public: list[tuple[Any, ...]] = [tuple([key.get(name) for name in _PUBLIC[kind]]) for key in fitting]
    if not all(map(_is_one_spelling, chain.from_iterable(public))):
        raise VerificationFailed("key-refused", "a member of the key is missing, too long, or not canonical base64url")
    if any(other != public[0] for other in public):  # the same key once more is no other key
        raise VerificationFailed("key-unknown", "there are several keys of this id")
    if any(map(private_members, fitting)):
        raise VerificationFailed("key-refused", "the key set holds the private half of the key")
    return kind, curve, public[0]


def _is_one_spelling(member: Any) -> bool:
    """Whether a member of a key is the one way to write a number. Python skips odd characters; so they are refused."""
    return (
        member.__class__ is str
        and len(member) <= _MOST_KEY_CHARS
        and _BASE64URL(member) is not None
        and base64url_decode(member) is not None
    )


def _may_verify(key: dict[str, Any]) -> bool:
    """Whether a key of a JWKS is one of a public-key algorithm, and for signatures."""
    uses = key.get("key_ops")
    is_for_signatures = key.get("use") in (None, "sig") and (
        uses is None or (uses.__class__ is list and "verify" in uses)
    )
    return is_for_signatures and key.get("kty") != "oct"


@lru_cache(256)
def _native(kind: str, curve: str | None, members: tuple[str, ...]) -> Any:
    """The key as `cryptography` has it, neither weak nor expensive; read once, in however many sets it stands."""
    from jwt.exceptions import PyJWTError

    jwk = {"kty": kind, **({"crv": curve} if curve else {}), **dict(zip(_PUBLIC[kind], members, strict=True))}
    try:
        key: Any = _engine(_ANY[kind]).from_jwk(jwk)
        if kind == "OKP":
            return public_key_of_raw(key.public_bytes_raw()).native
        if kind == "RSA":
            check_rsa(key)
    except WireError as error:
        raise VerificationFailed("key-refused", str(error)) from None
    except (PyJWTError, ValueError):
        raise VerificationFailed("key-refused", f"the {kind} key cannot be read") from None
    if kind == "RSA" and key.key_size < _LEAST_BITS:
        raise VerificationFailed("key-refused", f"an RSA key of {key.key_size} bits, at least {_LEAST_BITS}")
    return key


@cache
def _engine(algorithm: str) -> Engine:
    """What PyJWT verifies an algorithm with."""
    from jwt.algorithms import get_default_algorithms

    return get_default_algorithms()["EdDSA" if algorithm == "Ed25519" else algorithm]


def public_key_set(document: JsonObject, name: str, path: tuple[str, ...]) -> KeySet:
    """The JWKS of public keys that a member of settings holds.

    Args:
        document: The JSON of the member.
        name: What the member is, for the error.
        path: Where it is in the settings.

    Raises:
        InvalidMember: It is no JWKS, or holds a private key.
    """
    try:
        keys = KeySet(document)
    except WireError:
        raise InvalidMember(f"{name} must be a JWKS: an object with an array of keys", path) from None
    # A shared key (`oct`) verifies nothing here, so that it does no harm in a set of others.
    if any(private_members(key) for key in keys["keys"] if isinstance(key, dict) and key.get("kty") != "oct"):
        raise InvalidMember(f"{name} must be public, and a private key is among them", path)
    return keys


@lru_cache(16)
def read_key_set(body: bytes) -> KeySet:
    """The keys in a JWKS document; the same bytes are read once.

    Raises:
        WireError: It is no JWKS, or not strict JSON.
    """
    return KeySet(loads(body, max_bytes=MAX_KEY_SET, max_depth=_DEPTH, safe_integers=False))
