"""Strategies for whole values, derived from the annotations of their members."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

from .._model import parts, rules
from .._model.base import hints
from . import _leaves as leaves
from ._leaves import st

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")

_STRATEGIES: Final[dict[Any, Callable[[], SearchStrategy[Any]]]] = {
    Any: leaves.json_values,
    NoneType: lambda: st.none(),
    bool: lambda: st.booleans(),
    int: lambda: st.integers(),
    str: leaves.texts,
    Annotated[parts.TextMime, rules.TEXT_TYPE]: lambda: st.sampled_from(get_args(parts.TextMime)),
    rules.Base64: lambda: st.binary(max_size=24).map(lambda data: b64encode(data).decode()),
    rules.CanonicalAddress: leaves.addresses,
    rules.Count: leaves.counts,
    rules.Duration: lambda: leaves.counts() | st.floats(0, leaves.MAX_INTEGER),
    rules.ExactTimestamp: leaves.timestamps,
    rules.JsonObject: leaves.json_objects,
    rules.MediaType: leaves.media_types,
    rules.Name: leaves.names,
    rules.Ordinal: lambda: st.integers(1, 9),
    rules.Sha256: lambda: st.binary(min_size=32, max_size=32).map(bytes.hex),
    rules.Timestamp: leaves.timestamps,
    rules.WebUrl: leaves.web_urls,
}
"""Annotation → the strategy of its values, where the annotation alone does not make good ones."""


def strategy_for(
    annotation: Any,
) -> Callable[[Callable[[], SearchStrategy[T]]], Callable[[], SearchStrategy[T]]]:
    """Use the decorated function for the members of every class that have this annotation, and cache it."""

    def register(function: Callable[[], SearchStrategy[T]]) -> Callable[[], SearchStrategy[T]]:
        _STRATEGIES[annotation] = cached = cache(function)
        return cached

    return register


def values(cls: Callable[..., Any], **members: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Values of a class, with unknown members now and then.

    Args:
        cls: The class.
        members: Strategies for members whose annotation does not say everything that they must obey.
    """
    derived = {name: fitting(hint) for name, hint in hints(cls).items() if name != "extra" and name not in members}
    return st.builds(cls, **{**derived, "extra": leaves.extra(), **members})


@cache
def fitting(annotation: Any) -> SearchStrategy[Any]:
    """Values that fit an annotation."""
    if annotation in _STRATEGIES:
        return _STRATEGIES[annotation]()
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:  # a rule without a strategy of its own: most values of the base type must obey it
        base, rule = arguments
        return fitting(base).filter(rule.fits)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, UnionType):
        return st.one_of(*map(fitting, arguments))
    if origin is tuple:
        return leaves.tuples(fitting(arguments[0]))
    return values(annotation)
