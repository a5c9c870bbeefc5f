"""Strategies for whole values, derived from the annotations of their members."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Union, get_args, get_origin

from .._model import rules
from .._model.base import hints
from ._leaves import (
    MOST,
    addresses,
    counts,
    extra,
    json_objects,
    json_values,
    media_types,
    names,
    st,
    texts,
    timestamps,
    tuples,
    web_urls,
)

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_LEAVES: Final[Mapping[Any, Callable[[], SearchStrategy[Any]]]] = {
    Any: json_values,
    NoneType: lambda: st.none(),
    bool: lambda: st.booleans(),
    int: lambda: st.integers(),
    str: texts,
    rules.CanonicalAddress: addresses,
    rules.Count: counts,
    rules.Duration: lambda: counts() | st.floats(0, MOST),
    rules.ExactTimestamp: timestamps,
    rules.JsonObject: json_objects,
    rules.MediaType: media_types,
    rules.Name: names,
    rules.Ordinal: lambda: st.integers(1, 9),
    rules.Timestamp: timestamps,
    rules.WebUrl: web_urls,
}
"""Annotation of a member → the strategy of its values."""


def values(cls: Callable[..., Any], **members: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Values of a class, with unknown members now and then.

    Args:
        cls: The class.
        members: Strategies for members that must obey more than their annotation says.
    """
    derived = {name: _member(hint) for name, hint in hints(cls).items() if name != "extra" and name not in members}
    return st.builds(cls, **{**derived, "extra": extra(), **members})


@cache
def _member(hint: Any) -> SearchStrategy[Any]:
    """Values that fit an annotation."""
    if hint in _LEAVES:
        return _LEAVES[hint]()
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:  # a rule without a strategy of its own: most values of the base type must obey it
        base, rule = arguments
        return _member(base).filter(rule.fits)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, UnionType):
        return st.one_of(*map(_member, arguments))
    if origin is tuple:
        return tuples(_member(arguments[0]))
    return values(hint)
