"""Public suffixes, under which different organisations register domains: `com`, `co.uk`, `github.io`.

The list is long and seldom needed, so it is loaded when it is first asked.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def _suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def is_public_suffix(domain: str) -> bool:
    """Whether a domain, as A-labels in lower case, is a public suffix. A top-level domain always is."""
    public: bool = "." not in domain or _suffixes().publicsuffix(domain) == domain
    return public


def share_an_owner(domain: str, other: str) -> bool:
    """Whether two domains can belong to one organisation: what they have in common is no public suffix."""
    common: list[str] = []
    for one, two in zip(reversed(domain.split(".")), reversed(other.split(".")), strict=False):
        if one != two:
            break
        common.append(one)
    return not is_public_suffix(".".join(reversed(common)))
