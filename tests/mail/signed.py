"""Signed mails, the zone that verifies them, and dkimpy as the second opinion."""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

import dkim
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from dkim.canonicalization import Relaxed, Simple

from mentionable import Answers, Failed, LookupTxt, SigningKey, drive, mail
from tests.mail.receiving import NOW

SECONDS: Final = int(NOW.timestamp())
MAIL: Final = (
    b"From: Alice <alice@a.example>\r\nTo: Helper <helper@agents.example>\r\nSubject: Hi\r\n"
    b"Date: Sat, 21 Nov 2026 20:56:00 +0000\r\nMessage-ID: <m@a.example>\r\n\r\nHello,  helper \r\n\r\nBye\r\n\r\n"
)
NAMES: Final = ("from", "to", "subject", "date", "message-id")
FORMS: Final[Mapping[str, Any]] = {"relaxed": Relaxed, "simple": Simple}
ED: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@cache
def rsa_key(bits: int = 2_048) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65_537, bits)


def signing_key(kind: str = "ed25519", *, key_id: str = "s._domainkey.a.example") -> SigningKey:
    """The keys of this file, as the library holds them."""
    if kind == "ed25519":
        return SigningKey.from_seed(bytes(range(32)), key_id=key_id)
    return SigningKey.from_pem(
        rsa_key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), key_id=key_id
    )


def record(key: Any = ED, extra: str = "") -> bytes:
    """The TXT record of a key."""
    public = key.public_key()
    if isinstance(key, Ed25519PrivateKey):
        kind, data = "ed25519", public.public_bytes(Encoding.Raw, PublicFormat.Raw)
    else:
        kind, data = "rsa", public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"v=DKIM1; k={kind}; {extra}p={base64.b64encode(data).decode()}".encode()


def signed(
    raw: bytes = MAIL,
    *,
    key: Any = ED,
    domain: str = "a.example",
    selector: str = "s",
    names: Iterable[str] = NAMES,
    form: str = "relaxed/relaxed",
    tags: Mapping[str, str | None] | None = None,
    extra: str = "",
    covered: int | None = None,
) -> bytes:
    """`raw` with a signature on top, written apart from the library: the canonical forms are those of dkimpy.

    Args:
        raw: A mail with CRLF.
        key: The key.
        domain: d=.
        selector: s=.
        names: h=.
        form: c=.
        tags: Tags that are other than they should be; None leaves one out.
        extra: More tags, as text that ends in `;`.
        covered: How many bytes of the canonical body are hashed.
    """
    of_head, of_body = (FORMS[name] for name in form.split("/"))
    head, _, body = raw.partition(b"\r\n\r\n")
    fields: list[list[bytes]] = []
    for line in head.split(b"\r\n"):
        if line[:1] in (b" ", b"\t"):
            fields[-1][1] += b"\r\n" + line
        else:
            name, _, value = line.partition(b":")
            fields.append([name, value])
    body_digest = hashlib.sha256(of_body.canonicalize_body(body)[:covered]).digest()
    told: dict[str, str | None] = {
        "v": "1",
        "a": "ed25519-sha256" if isinstance(key, Ed25519PrivateKey) else "rsa-sha256",
        "c": form,
        "d": domain,
        "s": selector,
        "h": ":".join(names),
        "bh": base64.b64encode(body_digest).decode(),
        **(tags or {}),
    }
    text = " " + "; ".join(f"{name}={value}" for name, value in told.items() if value is not None) + f"; {extra} b="
    chosen, left = [], list(fields)
    for wanted in told["h"].split(":") if told["h"] else ():
        for index in range(len(left) - 1, -1, -1):
            if left[index][0].strip().lower() == wanted.strip().lower().encode():
                name, value = left.pop(index)
                chosen.append((name, value + b"\r\n"))
                break
    chosen.append((b"DKIM-Signature", text.encode()))
    data = b"".join(name + b":" + value for name, value in of_head.canonicalize_headers(chosen)).removesuffix(b"\r\n")
    return b"DKIM-Signature:" + text.encode() + base64.b64encode(signature_of(key, data)) + b"\r\n" + raw


def signature_of(key: Any, data: bytes) -> bytes:
    if isinstance(key, Ed25519PrivateKey):
        return key.sign(hashlib.sha256(data).digest())
    value: bytes = key.sign(data, padding.PKCS1v15(), hashes.SHA256())
    return value


class Zone:
    """What DNS holds, and what was asked of it, batch by batch."""

    def __init__(self, records: Mapping[str, Any] | None = None) -> None:
        self.records: dict[str, Any] = {"s._domainkey.a.example": [record()], **(records or {})}
        self.asked: list[str] = []
        self.world = Answers(lookup_txt=self.answer)

    def answer(self, ask: LookupTxt) -> Any:
        self.asked.append(ask.name)
        found = self.records.get(ask.name, ())
        return found if isinstance(found, (Failed, tuple)) else list(found)


def verify(raw: bytes, zone: Zone | None = None, **arguments: Any) -> Any:
    """The verdict; nothing may be asked twice, and what is shown by a signature dkimpy takes too."""
    zone = zone or Zone()
    before = len(zone.asked)
    arguments.setdefault("now", NOW)
    verdict = drive(mail.verify(raw, **arguments), zone.world)
    asked = zone.asked[before:]
    assert len(asked) == len(set(asked))
    if verdict.verified and verdict.key_id is not None:
        assert any(dkimpy_says(raw, zone, index) for index in range(raw.lower().count(b"dkim-signature:")))
    return verdict


def code(raw: bytes, zone: Zone | None = None, **arguments: Any) -> Any:
    """The code of the verdict, None when it is verified."""
    return verify(raw, zone, **arguments).code


@contextmanager
def dkimpy_clock() -> Iterator[None]:
    """Gives dkimpy, which reads the clock, the time of the tests."""
    with patch.object(dkim, "time", SimpleNamespace(time=lambda: float(SECONDS))):
        yield


def signed_by_dkimpy(raw: bytes, *, kind: str, form: str, names: list[bytes] | None = None) -> bytes:
    """`raw` with a signature of dkimpy on top."""
    if kind == "rsa":
        key = rsa_key().private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    else:
        key = base64.b64encode(bytes(range(32)))
    algorithm = f"{kind}-sha256".encode()
    forms = tuple(name.encode() for name in form.split("/"))
    with dkimpy_clock():
        top = dkim.sign(raw, b"s", b"a.example", key, None, forms, algorithm, names)
    signed: bytes = top + raw
    return signed


def dkimpy_says(raw: bytes, zone: Zone, index: int = 0) -> bool:
    """What dkimpy says of one signature; an exception is a no."""

    def txt(name: bytes, timeout: int = 5) -> bytes:
        found = zone.records.get(name.decode().rstrip("."), ())
        return b"" if isinstance(found, Failed) or not found else found[0]

    with dkimpy_clock():
        try:
            return dkim.DKIM(raw).verify(index, dnsfunc=txt) is True
        except Exception:
            return False


def dkimpy_passes(raw: bytes, zone: Zone) -> bool:
    """Whether dkimpy validates the ARC chain of a mail, of which it knows RSA alone."""

    def txt(name: bytes, timeout: int = 5) -> bytes:
        found = zone.records.get(name.decode().rstrip("."), ())
        return b"" if isinstance(found, Failed) or not found else found[0]

    with dkimpy_clock():
        state, _, _ = dkim.arc_verify(raw, dnsfunc=txt)
    return bool(state == dkim.CV_Pass)
