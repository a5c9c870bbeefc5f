"""The authority of an https URL: a canonical DNS name, maybe with a port."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from unicodedata import is_normalized

from .address import canonical_domain

_AUTHORITY: Final = re.compile(r"([a-z0-9.-]{3,253})(?::([1-9][0-9]{0,4}))?").fullmatch


def is_authority(text: object) -> bool:
    """Whether URLs can be bound to `text`: a DNS name in lower-case A-labels, maybe with a port.

    Two labels at least; no IP address, no `localhost`, no trailing dot.

    Spec: PolicyPart §Security Rules.
    """
    return isinstance(text, str) and _is_authority(text)


@lru_cache(256)
def _is_authority(text: str) -> bool:
    match = _AUTHORITY(text)
    if match is None or int(match[2] or 0) > 65_535:
        return False
    labels = match[1].split(".")
    return (
        canonical_domain(match[1]) == match[1]
        and labels[-1] != "localhost"
        and all(_is_readable(label) for label in labels if label[2:4] == "--")
    )


def _is_readable(label: str) -> bool:
    """Whether a label with two hyphens in the third place is an A-label whose decoded form encodes to it again."""
    if not label.startswith("xn--"):
        return False

    encoded = label[4:]
    try:
        decoded = encoded.encode("ascii").decode("punycode")
        back = decoded.encode("punycode").decode("ascii")
    except UnicodeError:
        return False
    plain = decoded.isprintable() and decoded == decoded.lower() and is_normalized("NFKC", decoded)
    return back == encoded and plain and not decoded.isascii()


def split_authority(url: str) -> tuple[str, str]:
    """The authority of an https URL, as it is written, and what stands behind it."""
    after = url.partition("://")[2]
    authority = after.partition("/")[0].partition("?")[0].partition("#")[0]
    return authority, after[len(authority) :]
