"""DKIM (RFC 6376): the signature field, canonicalization, the published key, and each check that a signature passes.

Fields are read strictly: what is ambiguous is refused, though other verifiers may take it: a tag there twice, a length
of the body that leaves an end for an attacker to write, a signer whose identity is outside its own domain.
Canonicalization is linear in the size of the mail, whatever it holds: runs of blanks, of empty lines, of fields.
"""

from __future__ import annotations

import hashlib
import re
from binascii import a2b_base64
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ..._crypto.keys import KeyKind, PublicKey, public_key_of_der, public_key_of_raw
from ..._crypto.verification import VerificationFailed
from ..._errors.exceptions import WireError
from ..._flow.flow import Failed
from ..._wire.address import canonical_domain

# --- canonicalization (RFC 6376 §3.4, §3.7)

_CONTROLS: Final = bytes((*range(9), 11, 12, *range(14, 32), 127))
_FIELD_ENDS: Final = re.compile(rb"\r\n(?![ \t])").split
_BLANK_RUNS: Final = re.compile(rb"[ \t]++").sub
_RUNS: Final = re.compile(rb"  ++").sub  # begins with a literal, which is searched for quickly


def ambiguous_bytes(raw: bytes, body: int) -> str:
    """Why readers may disagree on where the lines and fields of a mail end, in words, or ""; `body` is where it begins.

    An attacker adds them to a signed mail: a line feed alone is a line end to some readers, a control character is a
    blank, or nothing, to some.
    """
    if raw.count(b"\n") != raw.count(b"\r\n"):
        return "some lines end in LF alone"
    headers = raw[:body]
    return "a control character in the header section" if len(headers.translate(None, _CONTROLS)) < len(headers) else ""


def split_fields(headers: bytes) -> dict[bytes, list[bytes]]:
    """The fields of a header section byte for byte, folds included, by their names in lower case, from the top.

    The section is a clean one: its lines end in CRLF, and each field has a name before its colon.
    """
    fields: dict[bytes, list[bytes]] = {}
    for field in _FIELD_ENDS(headers):
        name, colon, _ = field.partition(b":")
        if colon:
            fields.setdefault(name.lower(), []).append(field)
    return fields


def relaxed_field(field: bytes) -> bytes:
    """A field in `relaxed` form: its name in lower case, unfolded, each run of blanks one blank, none at the ends.

    Spec: RFC 6376 §3.4.2.
    """
    name, _, value = field.partition(b":")
    if b"\x0b" in value or b"\x0c" in value:  # no blanks here, but they are to `split`
        value = _BLANK_RUNS(b" ", value.replace(b"\r\n", b"")).strip(b" ")
    else:
        value = b" ".join(value.split())
    return name.lower() + b":" + value


def signed_fields(
    fields: Mapping[bytes, Sequence[bytes]], names: Iterable[bytes], own: bytes, *, relaxed: bool
) -> bytes:
    """The bytes that a signature is over: the fields that it names, then its own field with an empty `b=`.

    A name that is listed twice takes the last field of that name, then the one above; past the topmost, nothing.

    Spec: RFC 6376 §3.7, §5.4.2.
    """
    left: dict[bytes, int] = {}
    chosen: list[bytes] = []
    for name in names:
        same_name = fields.get(name)
        if same_name is None:
            continue
        index = left.get(name, len(same_name)) - 1
        if index >= 0:
            left[name] = index
            chosen.append(same_name[index])
    chosen.append(own)
    return b"\r\n".join([relaxed_field(field) for field in chosen] if relaxed else chosen)


def relaxed_body(body: bytes) -> bytes:
    """A body in `relaxed` form: runs of blanks are one blank, none ends a line, and no empty lines are at the end.

    Spec: RFC 6376 §3.4.4.
    """
    if b"\t" in body:
        body = body.replace(b"\t", b" ")
    if b"  " in body:
        body = _RUNS(b" ", body)
    if b" \r\n" in body:
        body = body.replace(b" \r\n", b"\r\n")
    text = _without_last_lines(body)
    return text + b"\r\n" if text else b""


def simple_body(body: bytes) -> bytes:
    """A body in `simple` form: as it is, without empty lines at the end.

    Spec: RFC 6376 §3.4.3.
    """
    return _without_last_lines(body) + b"\r\n"


def _without_last_lines(body: bytes) -> bytes:
    """`body` without the CRLFs at its end. A CR or LF alone is no line end and stays."""
    text = body.rstrip(b"\r\n")
    tail = body[len(text) :]
    if tail == b"\r\n":
        return text
    return text + tail.replace(b"\r\n", b" ").rstrip(b" ").replace(b" ", b"\r\n")


class Body:
    """The body of one mail. Each canonical form is made once, however many signatures there are."""

    __slots__ = ("_digests", "_raw")

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._digests: dict[bool, tuple[int, bytes]] = {}

    def digest(self, *, relaxed: bool) -> tuple[int, bytes]:
        """The length of a canonical form, and its SHA-256."""
        known = self._digests.get(relaxed)
        if known is None:
            form = relaxed_body(self._raw) if relaxed else simple_body(self._raw)
            known = self._digests[relaxed] = (len(form), hashlib.sha256(form).digest())
        return known


# --- the signature field (RFC 6376 §3.5)

MAX_SIGNATURES: Final = 5
"""How many signatures of one mail are looked at, from the top."""

SKEW: Final = 300
"""Seconds of clock skew that are allowed for `t=`, and after `x=`. A used signature is remembered for as long."""

MAX_BYTES: Final = 8_192
"""How long a signature may be, as a field with its name."""

_DIGITS: Final = 12
_ALGORITHMS: Final[Mapping[str, KeyKind]] = {"rsa-sha256": "rsa", "ed25519-sha256": "ed25519"}
_FORMS: Final[Mapping[str, tuple[bool, bool]]] = {  # whether the header fields and the body are in relaxed form
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
    """A parsed DKIM-Signature field.

    Attributes:
        kind: The kind of key that it needs.
        relaxed_header: Whether the fields are in relaxed form, else in simple.
        relaxed_body: The same for the body.
        domain: The signing domain, as A-labels in lower case.
        selector: Which of their keys.
        names: The fields that are signed, in lower case, in order.
        body_digest: SHA-256 of the canonical body.
        value: The signature itself.
        created_at: `t=`, in seconds since 1970.
        expires_at: `x=`, the same.
        length: How much of the body is signed, None for all.
        auid_domain: The domain of the identity on whose behalf it was signed.
        without_value: The field itself with an empty `b=`.
        key_name: The DNS name of the key.
    """

    kind: KeyKind
    relaxed_header: bool
    relaxed_body: bool
    domain: str
    selector: str
    names: list[bytes]
    body_digest: bytes
    value: bytes
    created_at: int | None
    expires_at: int | None
    length: int | None
    auid_domain: str
    without_value: bytes
    key_name: str


class SignatureResult(NamedTuple):
    """The result of verifying one signature (RFC 8601).

    Attributes:
        domain: `d=`, the domain that claims to have signed; None when it cannot be read.
        selector: `s=`, which of their keys.
        steps: The steps that the signature passed, in order.
        signature: The parsed field, when all of it can be read.
        fault: Why it is not valid; None when it is.
    """

    domain: str | None = None
    selector: str | None = None
    steps: tuple[str, ...] = ()
    signature: Signature | None = None
    fault: VerificationFailed | None = None


def malformed(detail: str) -> VerificationFailed:
    """The fault of a field that cannot be read."""
    return VerificationFailed("signature-malformed", detail)


def read_tags(text: str) -> dict[str, str]:
    """The tags of a tag list, values without the blanks around them.

    Raises:
        VerificationFailed: `signature-malformed`: it is none, or a tag is there twice.

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
        VerificationFailed: `signature-malformed`.
    """
    if len(field) > MAX_BYTES:
        raise malformed(f"a signature has at most {MAX_BYTES} bytes")
    if field.translate(None, _CHARS):
        raise malformed("a character that may not be there")
    return read_tags(field.partition(b":")[2].decode("ascii"))


def read_signature(field: bytes, tags: Mapping[str, str], *, domain: str, selector: str) -> Signature:
    """Parse the tags of a DKIM-Signature field, whose domain and selector `signer` has read.

    Raises:
        VerificationFailed: `signature-malformed`, `algorithm-refused`.

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
        raise malformed("c= is simple or relaxed, for the header and for the body")
    if "q" in tags and "dns/txt" not in [method.strip(_BLANKS) for method in tags["q"].split(":")]:
        raise malformed("q= has dns/txt")
    names = [name.strip(_BLANKS) for name in tags["h"].lower().split(":")] if tags["h"] else []
    if names and not _FIELD_NAMES(":".join(names) + ":"):
        raise malformed("h= is a list of field names")
    numbers: dict[str, int] = {}
    for name in ("t", "x", "l"):
        if name in tags:
            if not tags[name].isdigit() or len(tags[name]) > _DIGITS:
                raise malformed(f"{name}= is a number of at most {_DIGITS} digits")
            numbers[name] = int(tags[name])
    if "t" in numbers and "x" in numbers and numbers["x"] <= numbers["t"]:
        raise malformed("x= is after t=")
    digest = read_base64(tags["bh"], "bh")
    if len(digest) != 32:
        raise malformed("bh= is a SHA-256 digest")
    auid_domain: str | None = domain
    if "i" in tags:
        _, at, host = tags["i"].rpartition("@")
        auid_domain = canonical_domain(host) if at else None
    # A signer speaks for its own domain and those below it: i= outside of d= would borrow another domain's name.
    if auid_domain is None or not f".{auid_domain}".endswith(f".{domain}"):
        raise malformed("i= is inside d=")
    return Signature(
        kind=kind,
        relaxed_header=forms[0],
        relaxed_body=forms[1],
        domain=domain,
        selector=selector,
        names=[name.encode("ascii") for name in names],
        body_digest=digest,
        value=read_base64(tags["b"], "b"),
        created_at=numbers.get("t"),
        expires_at=numbers.get("x"),
        length=numbers.get("l"),
        auid_domain=auid_domain,
        without_value=_without_value(field),
        key_name=f"{selector}._domainkey.{domain}",
    )


def signer(tags: Mapping[str, str]) -> tuple[str, str]:
    """The domain and the selector that tags name.

    Raises:
        VerificationFailed: `signature-malformed`: one of them is no DNS name of letters, digits and hyphens.
    """
    domain, selector = canonical_domain(tags.get("d", "")), tags.get("s", "").lower()
    if domain is None:
        raise malformed("d= is a domain of letters, digits and hyphens")
    if not _SELECTOR(selector) or len(selector) + len(domain) > 241:
        raise malformed("s= is letters, digits and hyphens")
    return domain, selector


def read_base64(value: str, name: str) -> bytes:
    """The bytes of the tag `name`, which is in base64 and may be folded.

    Raises:
        VerificationFailed: `signature-malformed`.
    """
    try:
        data = a2b_base64(value.translate(_FOLDS), strict_mode=True)
    except ValueError:
        data = b""
    if not data:
        raise malformed(f"{name}= is base64")
    return data


def _without_value(field: bytes) -> bytes:
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


def signing_input(kind: KeyKind, fields: bytes) -> bytes:
    """What a key of this kind signs: RSA the fields themselves, which it hashes on its own, Ed25519 their digest.

    Spec: RFC 6376 §3.7; RFC 8463 §3.
    """
    return fields if kind == "rsa" else hashlib.sha256(fields).digest()


def check_time(signature: Signature, now: int) -> None:
    """Raises when the signature is more than `SKEW` seconds from the future, or expired more than `SKEW` seconds ago.

    Raises:
        VerificationFailed: `not-yet-valid`, `expired`.
    """
    if signature.created_at is not None and signature.created_at > now + SKEW:
        raise VerificationFailed("not-yet-valid", "t= is in the future")
    if signature.expires_at is not None and signature.expires_at + SKEW < now:
        raise VerificationFailed("expired", "x= is past")


def check_digest(signature: Signature, body: Body) -> None:
    """Raises when the body is not the one that was signed, or only its beginning was.

    Raises:
        VerificationFailed: `coverage-missing`, `digest-mismatch`.
    """
    length, digest = body.digest(relaxed=signature.relaxed_body)
    if signature.length is not None and signature.length != length:
        raise VerificationFailed("coverage-missing", "l= does not cover the whole body")
    if signature.body_digest != digest:
        raise VerificationFailed("digest-mismatch", "bh= does not fit the body")


# --- the published key (RFC 6376 §3.6)

_MAX_RECORD_BYTES: Final = 8_192
_KINDS: Final = ("rsa", "ed25519")


class OnlyTesting(VerificationFailed):
    """The key is published for tests: a signature by it counts as none, not as a false one."""


class KeyRecord(NamedTuple):
    """A key record: the key, and whether it is for tests, and for the domain alone."""

    key: PublicKey
    testing: bool
    strict: bool


def published_key(answer: Any, signature: Signature) -> PublicKey:
    """The key that fits a signature, out of the answer to the look-up of its name.

    Args:
        answer: The TXT records, or `Failed`.
        signature: The signature.

    Raises:
        VerificationFailed: `key-unresolvable`, `key-unknown`, `key-refused`, `algorithm-refused`.

    Spec: RFC 6376 §3.6.1; RFC 8301; RFC 8463.
    """
    if isinstance(answer, Failed):
        raise VerificationFailed("key-unresolvable", answer.reason, temporary=answer.temporary)
    # Other records may be published under the same name: only one with a p= tag is a key record.
    records = [
        record
        for record in answer
        if b"p" in [tag.partition(b"=")[0].strip() for tag in record[:_MAX_RECORD_BYTES].split(b";")]
    ]
    if not records:
        raise VerificationFailed("key-unknown", "no key record")
    if len(records) > 1:
        raise VerificationFailed("key-refused", "more than one key record")
    published = _read_record(records[0])
    if published.key.kind != signature.kind:
        raise VerificationFailed("algorithm-refused", "a= is not for this kind of key")
    if published.testing:
        raise OnlyTesting("key-refused", "the domain is testing: its signatures count as none")
    if published.strict and signature.auid_domain != signature.domain:
        raise VerificationFailed("key-refused", "the key is not for the subdomain in i=")
    return published.key


def check_signature(signature: Signature, key: PublicKey, signed: bytes) -> None:
    """Raises unless the signature is one of the key over the signed bytes.

    Raises:
        VerificationFailed: `bad-signature`.
    """
    if not key.fits(signature.value, signing_input(key.kind, signed)):
        raise VerificationFailed("bad-signature", "the signature does not fit the signed fields")


@lru_cache(256)
def _read_record(record: bytes) -> KeyRecord:
    """The key in a record. Depends on its bytes alone, so that a domain's key is read once."""
    if len(record) > _MAX_RECORD_BYTES:
        raise VerificationFailed("key-refused", f"a key record has at most {_MAX_RECORD_BYTES} bytes")
    try:
        tags = read_tags(record.decode("latin-1"))
        data = read_base64(tags["p"], "p") if tags["p"] else b""
    except VerificationFailed as fault:
        raise VerificationFailed("key-refused", fault.detail) from None
    if tags.get("v", "DKIM1") != "DKIM1" or "v" in list(tags)[1:]:
        raise VerificationFailed("key-refused", "v= is DKIM1, and comes first")
    if not data:
        raise VerificationFailed("key-unknown", "the key was revoked")
    kind = tags.get("k", "rsa")
    if kind not in _KINDS:
        raise VerificationFailed("key-refused", "k= is rsa or ed25519")
    if "sha256" not in _list(tags.get("h", "sha256")):
        raise VerificationFailed("key-refused", "h= does not have sha256")
    if not {"*", "email"} & set(_list(tags.get("s", "*"))):
        raise VerificationFailed("key-refused", "s= does not have email")
    try:
        key = (public_key_of_der if kind == "rsa" else public_key_of_raw)(data)
    except WireError as error:
        raise VerificationFailed("key-refused", str(error)) from None
    if key.kind != kind:
        raise VerificationFailed("key-refused", "p= is not a key of the kind in k=")
    flags = _list(tags.get("t", ""))
    return KeyRecord(key, "y" in flags, "s" in flags)


def _list(value: str) -> list[str]:
    """The words of a list with colons."""
    return [word.strip(" \t\r\n") for word in value.split(":")]
