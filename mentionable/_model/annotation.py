"""The annotations of members, taken apart in one place: for checking values, and for reading their JSON."""

from __future__ import annotations

import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Generic, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

R = TypeVar("R")

LEAVES: Final[Mapping[Any, str]] = {int: "an integer", float: "a number", bool: "true or false", str: "a string"}
"""The types of single JSON values, in words."""


class Rule:
    """A rule on top of a type, for `Annotated`: in words, as a test, and as JSON Schema.

    Attributes:
        words: What is expected, to stand after "expected".
        fits: Whether a value of the type obeys the rule.
        schema: The JSON Schema keywords that say the same, as far as they can.
        read: The one spelling of a text from outside, or None when it has none; without it, texts are as they come.
        is_normal: Whether constructors take other spellings too, and hold the one.
    """

    __slots__ = ("fits", "is_normal", "read", "schema", "words")

    def __init__(
        self,
        words: str,
        fits: Callable[[Any], bool],
        schema: Mapping[str, Any],
        *,
        read: Callable[[str], str | None] | None = None,
        is_normal: bool = False,
    ) -> None:
        self.words, self.fits, self.schema, self.read, self.is_normal = words, fits, schema, read, is_normal


Place: TypeAlias = tuple[str | int, ...]
"""The way to a member, from the value that holds it."""


class InvalidMember(Exception):
    """A value does not fit its annotation. The text says what was expected.

    Attributes:
        places: The members without which the value fits; empty when it is the value itself.
    """

    def __init__(self, words: str, *places: Place) -> None:
        super().__init__(words)
        self.places = places


class Visitor(ABC, Generic[R]):
    """Makes something of an annotation: one method for each kind."""

    @abstractmethod
    def json(self) -> R:
        """`Any`: any JSON."""

    @abstractmethod
    def leaf(self, kind: type) -> R:
        """One of `LEAVES`."""

    @abstractmethod
    def literal(self, allowed: tuple[Any, ...]) -> R:
        """`Literal[*allowed]`."""

    @abstractmethod
    def ruled(self, base: Any, rule: Any) -> R:
        """`Annotated[base, rule]`."""

    @abstractmethod
    def union(self, options: tuple[Any, ...], *, is_optional: bool) -> R:
        """A union of `options`, and of None where `is_optional`."""

    @abstractmethod
    def array(self, item: Any) -> R:
        """`tuple[item, ...]`."""

    @abstractmethod
    def mapping(self, item: Any) -> R:
        """`Mapping[str, item]`."""

    @abstractmethod
    def other(self, form: Any) -> R:
        """Anything else: a class, or a function."""


def visit(form: Any, visitor: Visitor[R]) -> R:
    """What `visitor` makes of the annotation `form`."""
    if form is Any:
        return visitor.json()
    if form in LEAVES:
        return visitor.leaf(form)
    origin, arguments = get_origin(form), get_args(form)
    if origin is Annotated:
        return visitor.ruled(arguments[0], arguments[1])
    if origin is Literal:
        return visitor.literal(arguments)
    if origin is Union or origin is types.UnionType:
        options = tuple([option for option in arguments if option is not types.NoneType])
        return visitor.union(options, is_optional=len(options) < len(arguments))
    if origin is tuple:
        return visitor.array(arguments[0])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return visitor.mapping(arguments[1])
    return visitor.other(form)
