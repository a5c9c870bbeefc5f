"""ARC sets for the cases, made apart from the library."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.vectors._email_signing import BODY, NAMES, RSA, b64, fields_of, kind_of, relaxed_field, signature_of, signed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LIST, HOP, EVIL = "lists.example", "forward.example", "evil.example"
LIST_KEY = f"s._domainkey.{LIST}"
PASS = "dkim=pass header.d=a.example"
FOOTER = "-- \r\nThe list\r\n"
CHANGED = signed().replace(BODY.encode(), f"{BODY}{FOOTER}".encode())
"""A signed mail to which a list has added lines, so that the signature of its sender does not fit any more."""


def _fields_of_set(raw: bytes, name: str, instance: int) -> list[bytes]:
    """The field of a set, the topmost one, if it is there."""
    pattern = re.compile(rb"%b:(?:[^;]*;)*?\s*i=%d;" % (name.encode(), instance), re.IGNORECASE)
    return [field for field in fields_of(raw) if pattern.match(field)][:1]


def sealed(
    raw: bytes = CHANGED,
    domain: str = LIST,
    results: str = PASS,
    *,
    instance: int | None = None,
    private: Any = RSA,
    message: Mapping[str, str | None] | None = None,
    seal: Mapping[str, str | None] | None = None,
    change: Callable[[bytes], bytes] = lambda raw: raw,
    fold: int = 0,
) -> bytes:
    """`raw` with one more ARC set on top.

    Args:
        raw: A mail with CRLF.
        domain: Who seals.
        results: What they verified.
        instance: The number of the set; None for the next one.
        private: A key by its name, for both signatures. RSA, which every program knows that validates chains.
        message: Tags of ARC-Message-Signature that are other than they should be; None leaves one out.
        seal: The same for ARC-Seal.
        change: What is done to the mail between both signatures.
        fold: After how many characters the message signature has a line end.
    """
    number = raw.count(b"ARC-Seal:") + 1 if instance is None else instance
    tags = {"v": None, "i": str(number), "d": domain, "h": f"{NAMES}:dkim-signature", **(message or {})}
    raw = signed(raw, private, tags=tags, order=("i",), name="ARC-Message-Signature", fold=fold)
    raw = change(f"ARC-Authentication-Results: i={number}; mx.{domain}; {results}\r\n".encode() + raw)
    told = {
        "i": str(number), "a": f"{kind_of(private)}-sha256", "t": None, "cv": "none" if number == 1 else "pass",
        "d": domain, "s": "s", **(seal or {}),
    }  # fmt: skip
    own = "ARC-Seal: " + "; ".join([*[f"{tag}={value}" for tag, value in told.items() if value is not None], "b="])
    names = ("ARC-Authentication-Results", "ARC-Message-Signature", "ARC-Seal")
    sets = [one for set_ in range(number + 1) for name in names for one in _fields_of_set(raw, name, set_)]
    data = b"\r\n".join(map(relaxed_field, [*sets, own.encode()]))
    return f"{own}{b64(signature_of(private, data))}\r\n".encode() + raw
