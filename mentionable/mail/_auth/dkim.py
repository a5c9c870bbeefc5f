"""One DKIM-Signature field: read strictly, and held against the clock and the body.

Whatever leaves room for two readings is refused, though other verifiers may take it: a tag there twice, a length of the
body that leaves an end for anybody to write, a signer whose identity is outside its own domain.
"""

from __future__ import annotations

import hashlib
import re
from binascii import a2b_base64
from collections.abc import Mapping
from typing import Final, NamedTuple

from ..._crypto.keys import KeyKind
from ..._crypto.verification import VerificationFailed
from ..._wire.address import canonical_domain
from .canonicalize import Body

MAX_SIGNATURES: Final = 5
"""How many signatures of one mail are looked at, from the top."""

SKEW: Final = 300
"""Seconds by which clocks may differ."""

MAX_BYTES: Final = 8_192
"""How long a signature may be, as a field with its name."""

_DIGITS: Final = 12
_ALGORITHMS: Final[Mapping[str, KeyKind]] = {"rsa-sha256": "rsa", "ed25519-sha256": "ed25519"}
_FORMS: Final[Mapping[str, tuple[bool, bool]]] = {  # whether the head and the body are in relaxed form
    "simple": (False, False),
    "simple/simple": (False, False),
    "simple/relaxed": (False, True),
    "relaxed": (True, False),
    "relaxed/simple": (True, False),
    "relaxed/relaxed": (True, True),
}
_REQUIRED: Final = ("v", "a", "b", "bh", "d", "h", "s")
_CHARS: Final = bytes((9, 10, 13, *range(32, 127)))
_TAG_NAMES: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9_]*+;)+").fullmatch  # all of them at once, each with its end
_FIELD_NAMES: Final = re.compile(r"(?:[!-9;-~]++:)+").fullmatch
_SELECTOR: Final = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*"
).fullmatch
_BLANKS: Final = " \t\r\n"
_FOLDS: Final = str.maketrans("", "", _BLANKS)


class Signature(NamedTuple):
    """What a DKIM-Signature field says.

    Attributes:
        kind: The kind of key that it needs.
        relaxed_head: Whether the fields are in relaxed form, else in simple.
        relaxed_body: The same for the body.
        domain: Who signed, as A-labels in lower case.
        selector: Which of their keys.
        names: The fields that are signed, in lower case, in order.
        body_digest: SHA-256 of the canonical body.
        value: The signature itself.
        made: When, in seconds since 1970.
        expires: Until when.
        length: How much of the body is signed, None for all.
        agent_domain: The domain of the identity on whose behalf it was signed.
        unsigned: The field itself with an empty `b=`.
    """

    kind: KeyKind
    relaxed_head: bool
    relaxed_body: bool
    domain: str
    selector: str
    names: list[bytes]
    body_digest: bytes
    value: bytes
    made: int | None
    expires: int | None
    length: int | None
    agent_domain: str
    unsigned: bytes

    @property
    def key_name(self) -> str:
        """The DNS name of the key."""
        return f"{self.selector}._domainkey.{self.domain}"


def malformed(detail: str) -> VerificationFailed:
    """The fault of a field that cannot be read."""
    return VerificationFailed("signature-malformed", detail)


def read_tags(text: str) -> dict[str, str]:
    """The tags of a tag list, values without the blanks around them.

    Raises:
        Unproven: `signature-malformed`: it is none, or a tag is there twice.

    Spec: RFC 6376 §3.2.
    """
    pieces = text.split(";")
    if len(pieces) > 1 and not pieces[-1].strip(_BLANKS):
        pieces.pop()
    tags: dict[str, str] = {}
    for piece in pieces:
        name, equals, value = piece.partition("=")
        if not equals:
            raise malformed("a tag without a value")
        tags[name.strip(_BLANKS)] = value.strip(_BLANKS)
    if len(tags) < len(pieces):
        raise malformed("a tag is there twice")
    if not _TAG_NAMES(";".join(tags) + ";"):
        raise malformed("a tag without a name")
    return tags


def field_tags(field: bytes) -> dict[str, str]:
    """The tags of a whole DKIM-Signature field.

    Raises:
        Unproven: `signature-malformed`.
    """
    if len(field) > MAX_BYTES:
        raise malformed(f"a signature has at most {MAX_BYTES} bytes")
    if field.translate(None, _CHARS):
        raise malformed("a character that may not be there")
    return read_tags(field.partition(b":")[2].decode("ascii"))


def read_signature(field: bytes, tags: Mapping[str, str], *, domain: str, selector: str) -> Signature:
    """What a DKIM-Signature field with these tags says; `signer` has found its domain and its selector.

    Raises:
        Unproven: `signature-malformed`, `algorithm-refused`.

    Spec: RFC 6376 §3.5; RFC 8301; RFC 8463.
    """
    missing = [name for name in _REQUIRED if name not in tags]
    if missing:
        raise malformed(f"no {missing[0]}= tag")
    if tags["v"] != "1":
        raise malformed("v= is 1")
    kind = _ALGORITHMS.get(tags["a"])
    if kind is None:
        raise VerificationFailed("algorithm-refused", "a= is rsa-sha256 or ed25519-sha256")
    forms = _FORMS.get(tags.get("c", "simple"))
    if forms is None:
        raise malformed("c= is simple or relaxed, for the head and for the body")
    if "q" in tags and "dns/txt" not in [method.strip(_BLANKS) for method in tags["q"].split(":")]:
        raise malformed("q= has dns/txt")
    names = _names(tags["h"])
    made, expires, length = (_number(tags, name) for name in ("t", "x", "l"))
    if made is not None and expires is not None and expires <= made:
        raise malformed("x= is after t=")
    digest = read_base64(tags["bh"], "bh")
    if len(digest) != 32:
        raise malformed("bh= is a SHA-256 digest")
    agent = _agent_domain(tags.get("i"), domain)
    value = read_base64(tags["b"], "b")
    return Signature(
        kind, *forms, domain, selector, names, digest, value, made, expires, length, agent, _unsigned(field)
    )


def signer(tags: Mapping[str, str]) -> tuple[str, str]:
    """The domain and the selector that tags name.

    Raises:
        Unproven: `signature-malformed`: one of them is no DNS name of letters, digits and hyphens.
    """
    given, selector = tags.get("d", ""), tags.get("s", "").lower()
    domain = canonical_domain(given)
    if domain is None:
        raise malformed("d= is a domain of letters, digits and hyphens")
    if not _SELECTOR(selector) or len(selector) + len(domain) > 241:
        raise malformed("s= is letters, digits and hyphens")
    return domain, selector


def _names(value: str) -> list[bytes]:
    """The field names in h=, in lower case."""
    names = [name.strip(_BLANKS) for name in value.lower().split(":")] if value else []
    if names and not _FIELD_NAMES(":".join(names) + ":"):
        raise malformed("h= is a list of field names")
    return [name.encode("ascii") for name in names]


def _number(tags: Mapping[str, str], name: str) -> int | None:
    value = tags.get(name)
    if value is None:
        return None
    if not value.isdigit() or len(value) > _DIGITS:
        raise malformed(f"{name}= is a number of at most {_DIGITS} digits")
    return int(value)


def _agent_domain(value: str | None, domain: str) -> str:
    """The domain of i=, which is d= itself or inside it."""
    if value is None:
        return domain
    _, at, given = value.rpartition("@")
    agent = canonical_domain(given) if at else None
    if agent is None or not f".{agent}".endswith(f".{domain}"):
        raise malformed("i= is inside d=")
    return agent


def read_base64(value: str, name: str) -> bytes:
    """The bytes of the tag `name`, which is in base64 and may be folded.

    Raises:
        Unproven: `signature-malformed`.
    """
    try:
        data = a2b_base64(value.translate(_FOLDS), strict_mode=True)
    except ValueError:
        data = b""
    if not data:
        raise malformed(f"{name}= is base64")
    return data


def _unsigned(field: bytes) -> bytes:
    """The field with the value of `b=` taken out, and with nothing else changed.

    Spec: RFC 6376 §3.7.
    """
    name, _, value = field.partition(b":")
    pieces = value.split(b";")
    for number, piece in enumerate(pieces):
        tag, _, _ = piece.partition(b"=")
        if tag.strip() == b"b":
            pieces[number] = tag + b"="
    return name + b":" + b";".join(pieces)


def data_to_sign(kind: KeyKind, fields: bytes) -> bytes:
    """What a key of this kind signs: RSA the fields themselves, which it hashes on its own, Ed25519 their digest.

    Spec: RFC 6376 §3.7; RFC 8463 §3.
    """
    return fields if kind == "rsa" else hashlib.sha256(fields).digest()


def check_coverage(signature: Signature) -> None:
    """Raises when the signature does not cover the field that names the sender.

    Raises:
        Unproven: `coverage-missing`.

    Spec: RFC 6376 §5.4.
    """
    if b"from" not in signature.names:
        raise VerificationFailed("coverage-missing", "From is not signed")


def check_time(signature: Signature, now: int) -> None:
    """Raises when the signature is from the future, or has expired.

    Raises:
        Unproven: `not-yet-valid`, `expired`.
    """
    if signature.made is not None and signature.made > now + SKEW:
        raise VerificationFailed("not-yet-valid", "t= is in the future")
    if signature.expires is not None and signature.expires + SKEW < now:
        raise VerificationFailed("expired", "x= is past")


def check_digest(signature: Signature, body: Body) -> None:
    """Raises when the body is not the one that was signed, or only its beginning was.

    Raises:
        Unproven: `coverage-missing`, `digest-mismatch`.
    """
    length, digest = body.digest(relaxed=signature.relaxed_body)
    if signature.length is not None and signature.length != length:
        raise VerificationFailed("coverage-missing", "l= does not cover the whole body")
    if signature.body_digest != digest:
        raise VerificationFailed("digest-mismatch", "bh= does not fit the body")
