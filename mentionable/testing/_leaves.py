"""Strategies for the texts and numbers that values hold, and hypothesis itself, loaded at the first use."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from .._wire.strict_json import MAX_SAFE_INTEGER as MAX_INTEGER

if TYPE_CHECKING:
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy
else:

    class _Hypothesis:
        """`hypothesis.strategies`, loaded at the first use."""

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module("hypothesis.strategies"), name)

    st = _Hypothesis()

__all__ = [
    "MAX_INTEGER",
    "addresses",
    "counts",
    "extra",
    "json_objects",
    "json_values",
    "media_types",
    "names",
    "st",
    "texts",
    "timestamps",
    "tuples",
    "web_urls",
]

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"


@cache
def texts() -> SearchStrategy[str]:
    """Any text that UTF-8 can carry."""
    return st.text(st.characters(codec="utf-8"), max_size=20)


@cache
def names() -> SearchStrategy[str]:
    """Ids and names: text that is not empty."""
    return st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


@cache
def json_values(*, is_canonical: bool = False) -> SearchStrategy[Any]:
    """Any JSON value, integers of any size included unless it shall have a canonical form."""
    integers = st.integers(-MAX_INTEGER, MAX_INTEGER) if is_canonical else st.integers()
    numbers = integers | st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(
        st.none() | st.booleans() | numbers | texts(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts(), inner, max_size=3),
        max_leaves=6,
    )


@cache
def json_objects(*, is_canonical: bool = False) -> SearchStrategy[dict[str, Any]]:
    """Any JSON object."""
    return st.dictionaries(texts(), json_values(is_canonical=is_canonical), max_size=3)


@cache
def extra(*, is_canonical: bool = False) -> SearchStrategy[dict[str, Any]]:
    """Members that no class knows; none most of the time."""
    members = st.dictionaries(texts().map("x-{}".format), json_values(is_canonical=is_canonical), max_size=2)
    return st.just({}) | members


@cache
def timestamps() -> SearchStrategy[str]:
    """RFC 3339 timestamps with an offset, in all spellings."""

    def spelled(moment: datetime, fraction: str, zone: str) -> str:
        return moment.isoformat("t" if zone == "z" else "T", "seconds") + fraction + zone

    moments = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1))  # noqa: DTZ001 - the offset is text
    fractions = st.just("") | st.integers(0, 999_999_999).map(".{}".format)
    return st.builds(spelled, moments, fractions, st.sampled_from(["Z", "z", "+00:00", "-07:30", "+14:00"]))


@cache
def _domains() -> SearchStrategy[str]:
    label = st.text(_LETTERS, min_size=1, max_size=8)
    return st.builds("{}.{}".format, label, st.sampled_from(["example", "co.example", "xn--p1ai"]))


@cache
def addresses() -> SearchStrategy[str]:
    """Canonical addresses."""
    plain = st.text(_LETTERS + "ABCXYZ!#$&'*+/=?^_`{|}~-", min_size=1, max_size=8)
    atom = plain | st.sampled_from(["%25", "50%25", "j%C3%B6rg", "john%20doe", "a%40b", "a%2E"])
    local = atom | st.builds("{}.{}".format, plain, atom)
    return st.builds("@{}@{}".format, local, _domains())


@cache
def web_urls() -> SearchStrategy[str]:
    """Http and https URLs."""
    path = st.text(_LETTERS + "/-._~%20?=&é日", max_size=12)
    return st.builds("{}://{}/{}".format, st.sampled_from(["https", "http", "HTTPS"]), _domains(), path)


@cache
def media_types() -> SearchStrategy[str]:
    """Media types in lower case without parameters."""
    known = st.sampled_from(["text/plain", "image/png", "application/octet-stream", "application/vnd.x+json"])
    token = st.text(_LETTERS + "!#$&^_.+-", min_size=1, max_size=8)
    return known | st.builds("{}/{}".format, token, token)


@cache
def counts() -> SearchStrategy[int]:
    return st.integers(0, MAX_INTEGER)


def tuples(items: SearchStrategy[Any], *, min_size: int = 0) -> SearchStrategy[tuple[Any, ...]]:
    """Up to two items."""
    return st.lists(items, min_size=min_size, max_size=2).map(tuple)
