"""DKIM signatures for the cases, made apart from the library: canonical forms, RSA and tags are written out here."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from datetime import UTC, datetime
from functools import cache
from math import lcm, prod
from typing import TYPE_CHECKING, Any, NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.vectors import key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

NOW = int(datetime(2026, 11, 21, 20, 56, tzinfo=UTC).timestamp())
HEAD = (
    "From: Alice <alice@a.example>\r\nTo: Helper <helper@agents.example>\r\nSubject: Hi\r\n"
    "Date: Sat, 21 Nov 2026 20:56:00 +0000\r\nMessage-ID: <m1@a.example>\r\n"
)
BODY = "Hello,  helper \r\n\r\nBye\r\n\r\n"
MAIL = f"{HEAD}\r\n{BODY}".encode()
NAMES = "from:to:subject:date:message-id"

ED, ED_OTHER = "mail-ed25519", "mail-ed25519-other"
RSA, RSA_1024, RSA_4096 = "mail-rsa", "mail-rsa-1024", "mail-rsa-4096"
_PREFIX = {"sha256": "3031300d060960864801650304020105000420", "sha1": "3021300906052b0e03021a05000414"}


class Numbers(NamedTuple):
    """An RSA key of any size, of as many primes as one likes, with any exponent."""

    primes: tuple[int, ...]
    e: int = 65_537

    @property
    def n(self) -> int:
        """The modulus."""
        return prod(self.primes)

    def sign(self, data: bytes, digest: str = "sha256") -> bytes:
        """PKCS #1 v1.5."""
        size = (self.n.bit_length() + 7) // 8
        text = bytes.fromhex(_PREFIX[digest]) + hashlib.new(digest, data).digest()
        padded = int.from_bytes(b"\0\1" + b"\xff" * (size - len(text) - 3) + b"\0" + text, "big")
        private = pow(self.e, -1, lcm(*[prime - 1 for prime in self.primes]))
        value = 0
        for prime in self.primes:
            rest = self.n // prime
            value += pow(padded % prime, private % (prime - 1), prime) * rest * pow(rest, -1, prime)
        return (value % self.n).to_bytes(size, "big")

    @property
    def der(self) -> bytes:
        """The public half, bare."""
        body = _number(self.n) + _number(self.e)
        return b"\x30" + _length(len(body)) + body


def _length(size: int) -> bytes:
    return bytes((size,)) if size < 128 else b"\x82" + size.to_bytes(2, "big")


def _number(value: int) -> bytes:
    data = value.to_bytes(value.bit_length() // 8 + 1, "big")
    return b"\x02" + _length(len(data)) + data


@cache
def numbers(*names: str, e: int = 65_537) -> Numbers:
    """The primes of RSA keys, together."""
    found = [key(name).private_numbers() for name in names]
    return Numbers(tuple(prime for one in found for prime in (one.p, one.q)), e)


def signature_of(private: Any, data: bytes, digest: str = "sha256") -> bytes:
    """The bytes of `b=`: of RSA over the data, of Ed25519 over its SHA-256."""
    if isinstance(private, Numbers):
        return private.sign(data, digest)
    native = key(private)
    if isinstance(native, Ed25519PrivateKey):
        return native.sign(hashlib.sha256(data).digest())
    value: bytes = native.sign(data, padding.PKCS1v15(), hashes.SHA256())
    return value


def kind_of(private: Any) -> str:
    """`rsa` or `ed25519`."""
    return "rsa" if isinstance(private, Numbers) or "rsa" in private else "ed25519"


def public(private: Any, form: PublicFormat = PublicFormat.SubjectPublicKeyInfo) -> str:
    """The public half as `p=` holds it."""
    if isinstance(private, Numbers):
        return b64(private.der)
    native = key(private).public_key()
    if kind_of(private) == "ed25519":
        return b64(native.public_bytes(Encoding.Raw, PublicFormat.Raw))
    return b64(native.public_bytes(Encoding.DER, form))


def record(private: Any = ED, extra: str = "") -> str:
    """The TXT record of a key."""
    return f"v=DKIM1; k={kind_of(private)}; {extra}p={public(private)}"


def b64(data: bytes) -> str:
    """Base64."""
    return b64encode(data).decode("ascii")


def relaxed_field(field: bytes) -> bytes:
    """RFC 6376 §3.4.2."""
    name, _, value = field.partition(b":")
    value = re.sub(rb"[ \t]+", b" ", value.replace(b"\r\n", b""))
    return name.strip().lower() + b":" + value.strip(b" ")


def canonical_body(body: bytes, form: str) -> bytes:
    """RFC 6376 §3.4.3 and §3.4.4."""
    lines = body.split(b"\r\n")
    if form == "relaxed":
        lines = [re.sub(rb"[ \t]+", b" ", line).rstrip(b" ") for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        return b"" if form == "relaxed" else b"\r\n"
    return b"\r\n".join(lines) + b"\r\n"


def fields_of(raw: bytes) -> list[bytes]:
    """The fields of a mail, with their folds and without their last line end."""
    return re.split(rb"\r\n(?![ \t])", raw.partition(b"\r\n\r\n")[0])


def chosen(raw: bytes, names: str) -> list[bytes]:
    """The fields that `h=` names, each name from the bottom up."""
    left, found = fields_of(raw), []
    for name in [name.strip().lower().encode() for name in names.split(":")]:
        at = [index for index, field in enumerate(left) if field.partition(b":")[0].strip().lower() == name]
        if name and at:
            found.append(left.pop(at[-1]))
    return found


def signed(
    raw: bytes = MAIL,
    private: Any = ED,
    *,
    tags: Mapping[str, str | None] | None = None,
    order: Sequence[str] = (),
    spell: Callable[[str], str] = lambda text: text,
    name: str = "DKIM-Signature",
    covered: int | None = None,
    digest: str = "sha256",
    made: Callable[[bytes], bytes] | None = None,
    fold: int = 0,
    wait: Callable[[bytes], bool] = lambda _: True,
) -> bytes:
    """`raw` with a signature on top.

    Args:
        raw: A mail with CRLF.
        private: A key by its name, or numbers.
        tags: Tags that are other than they should be; None leaves one out.
        order: The order of tags, of which those not named come last.
        spell: How the field is written, with `{b}` where the signature goes.
        name: The name of the field.
        covered: How many bytes of the canonical body are hashed.
        digest: The hash.
        made: What is done to the bytes of the signature.
        fold: After how many characters of `b=` there is a line end; 0 for never.
        wait: Signs with another `n=` until the signature is so.
    """
    _, _, body = raw.partition(b"\r\n\r\n")
    told: dict[str, str | None] = {
        "v": "1", "a": f"{kind_of(private)}-{digest}", "c": "relaxed/relaxed", "d": "a.example", "s": "s", "h": NAMES,
    } | dict(tags or {})  # fmt: skip
    head_form, _, body_form = (told["c"] or "simple").partition("/")
    body_form = body_form or "simple"
    hashed = hashlib.new(digest, canonical_body(body, body_form)[:covered]).digest()
    told = {**told, "bh": b64(hashed), **{n: v for n, v in (tags or {}).items() if n == "bh"}, "b": "{b}"}
    names = [*order, *[tag for tag in told if tag not in order]]
    value, tries = b"", 0
    while not value or not wait(value):
        more = {"n": str(tries)} if tries else {}
        told |= more
        text = spell(f"{name}: " + "; ".join(f"{tag}={told[tag]}" for tag in [*more, *names] if told[tag] is not None))
        own = text.replace("{b}", "").encode()
        all_of_it = [*chosen(raw, told["h"] or ""), own]
        data = b"\r\n".join([relaxed_field(one) for one in all_of_it] if head_form == "relaxed" else all_of_it)
        value, tries = signature_of(private, data, digest), tries + 1
    if made is not None:
        value = made(value)
    shown = b64(value)
    if fold:
        shown = "".join(f"\r\n\t{shown[at : at + fold]}" for at in range(0, len(shown), fold))
    return text.replace("{b}", shown).encode() + b"\r\n" + raw
