"""What readers expect of an A2A card: which rule a card breaks that a program writes, and what to write instead.

Cards of others are read without these rules.

Spec: A2A 1.0 §4.4 and A2A 0.3 §5.5 (required members); OpenAPI 3.0 (security schemes).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from .._model.annotation import InvalidMember
from .._wire.http import is_web_url

_VERSION: Final = re.compile(r"[0-9]{1,4}\.[0-9]{1,4}(?:\.[0-9]{1,6})?").fullmatch
_OVER_HTTP: Final = frozenset({"JSONRPC", "HTTP+JSON"})
_MEMBERS_OF_SCHEMES: Final[Mapping[str, tuple[str, ...]]] = {
    "apiKey": ("in", "name"),
    "http": ("scheme",),
    "oauth2": ("flows",),
    "openIdConnect": ("openIdConnectUrl",),
}
_KEY_PLACES: Final = ("query", "header", "cookie")


def refuse(*faults: Iterable[str]) -> None:
    """Raises when there are faults, with all of them."""
    words = [fault for some in faults for fault in some]
    if words:
        raise InvalidMember("; ".join(words))


def blank(member: str, text: str, *, write: str) -> Iterator[str]:
    """The fault of a text without words."""
    if not text.strip():
        yield f"{member} is empty: write {write}"


def without_words(member: str, texts: Collection[str], *, write: str) -> Iterator[str]:
    """The fault of an array without texts, or with one that has no words."""
    if not texts or not all(text.strip() for text in texts):
        yield f"{member} is empty, or holds an empty text: write {write}"


def no_web_url(member: str, url: str) -> Iterator[str]:
    """The fault of a URL that is not absolute."""
    if not is_web_url(url):
        yield f"{member} is no absolute URL: write one that begins with https://"


def odd_interface(url: str, binding: str, version: str) -> Iterator[str]:
    """The faults of an interface. The targets of gRPC have forms of their own."""
    if binding in _OVER_HTTP:
        yield from no_web_url("url", url)
    if not _VERSION(version):
        yield "protocol_version is no version of A2A: write 1.0 or 0.3"


def odd_scheme(kind: str, members: Mapping[str, Any]) -> Iterator[str]:
    """The faults of a security scheme, by what OpenAPI requires of its type."""
    missing = [name for name in _MEMBERS_OF_SCHEMES.get(kind, ()) if not members.get(name)]
    if missing:
        yield f"a scheme of the type {kind} needs {' and '.join(missing)}: write them in extra"
    elif kind == "apiKey" and members["in"] not in _KEY_PLACES:
        yield f"in of an apiKey scheme is one of {', '.join(_KEY_PLACES)}"


def same_ids(ids: Iterable[str]) -> Iterator[str]:
    """The faults of skills of one id."""
    seen: set[str] = set()
    for one in ids:
        if one in seen:
            yield f"two skills have the id {one}: write another for one of them"
        seen.add(one)


def unknown_schemes(needed: Iterable[Mapping[str, Any]], known: Collection[str]) -> Iterator[str]:
    """The faults of security requirements that name a scheme which the card has not."""
    for name in sorted({name for one in needed for name in one} - set(known)):
        yield f"security names the scheme {name}: write it into security_schemes"
