"""The authority of an https URL: a canonical DNS name, maybe with a port."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from .address import canonical_domain, is_opened_label

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
        and all(is_opened_label(label) for label in labels if label[2:4] == "--")
    )


def split_authority(url: str) -> tuple[str, str]:
    """The authority of an https URL, as it is written, and what stands behind it."""
    after = url.partition("://")[2]
    authority = after.partition("/")[0].partition("?")[0].partition("#")[0]
    return authority, after[len(authority) :]
