"""How the library's values are made: frozen attrs classes, checked when a program builds them.

`frozen` makes a frozen, slotted, keyword-only attrs class. `validated` does the same and checks every member against
its annotation at construction. `unchecked` is the fast way past that check, for wire readers that have checked
everything already. Nothing else in the library knows how construction works.

What a reader makes for its own use, and no program gets, is a record of one of two kinds. Both are made equally fast:

- `frozen`, made by `unchecked`, where members are read by name: the interpreter finds a slot in a quarter of the time
  in which it finds a field of a named tuple.
- A named tuple, made by `tuple_maker`, where the record is unpacked or indexed, or copied with changes for each
  message: `_replace` takes half the time of `replace`.

A record that is hardly read may be either.

Equality, hash and repr are shared functions instead of generated ones: generating them would be half of the cost of
importing the library.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache, partial
from operator import attrgetter
from types import MethodType
from typing import (
    Any,
    Final,
    Literal,
    NoReturn,
    ParamSpec,
    TypeVar,
    cast,
    dataclass_transform,
    get_type_hints,
)

import attrs

from .._errors.exceptions import UsageError
from .annotation import InvalidMember, Place
from .checks import check_json, check_of

T = TypeVar("T")
P = ParamSpec("P")


class Unset(Enum):
    """The one-member type of `UNSET`."""

    UNSET = "UNSET"

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET
"""There is no such member, where JSON `null` would mean something: the result of a tool call that is running."""


class FrozenDict(dict[str, Any]):
    """A dict that cannot be changed: values hold and share it. Its hash is that of every equal dict in a value."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return _hash_of_json(self)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("the members of a value cannot be changed: make another value")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[str, Any]]]:
        return FrozenDict, (dict(self),)


EMPTY_DICT: Final = FrozenDict()


class InvalidMembers(UsageError):
    """The members of a value do not fit each other, or a rule of its class.

    Attributes:
        rule: What was expected.
        places: As in `InvalidMember`.
    """

    rule: str = ""
    places: tuple[Place, ...] = ()


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(attrs.field,))
def frozen(cls: type[T]) -> type[T]:
    """Makes `cls` a frozen, slotted, keyword-only attrs class with shared equality, hash and repr."""
    made = attrs.frozen(kw_only=True, weakref_slot=False, eq=False, repr=False)(cls)
    fields = attrs.fields(cast("type[attrs.AttrsInstance]", made))
    names, hashable = [a.name for a in fields], [a.name for a in fields if a.hash is not False]
    members = attrgetter(*names) if names else _nothing
    some = members if len(hashable) == len(names) else attrgetter(*hashable)

    def equal(self: Any, other: object) -> Any:
        return members(self) == members(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        held = some(self)
        try:
            return hash((made, held))
        except TypeError:  # it holds a plain dict or list, which no program changes
            return hash((made, _Hashed(held)))

    made.__eq__, made.__hash__, made.__repr__ = equal, hashed, _repr  # type: ignore[method-assign]
    return made


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(attrs.field,))
def validated(cls: type[T]) -> type[T]:
    """`frozen` whose every member is checked against its annotation at construction.

    A class may define `_check(self) -> None` for rules between members; it raises `InvalidMember`. It may define
    `_check_written(self) -> None`, too, for rules of what a program writes, which readers do not ask of others.
    """
    if "__attrs_post_init__" not in cls.__dict__:
        is_looser = hasattr(cls, "_check_written")
        cls.__attrs_post_init__ = _check_as_written if is_looser else check_members  # type: ignore[attr-defined]
    return frozen(cls)


class Lazy:
    """A member that is made when somebody first reads it.

    What few programs look at need not be made for all. `make` gives the same value each time and never raises.
    """

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


class _LazyMember:
    """The slot of a member in which a reader of the wire may have left a `Lazy`."""

    __slots__ = ("slot",)

    def __init__(self, slot: Any) -> None:
        self.slot = slot

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        member = self.slot.__get__(instance)
        if member.__class__ is Lazy:
            member = member.make()
            self.slot.__set__(instance, member)
        return member

    def __set__(self, instance: Any, member: Any) -> None:
        self.slot.__set__(instance, member)


def lazy_member(cls: type, name: str) -> None:
    """Lets the member `name` of a value class be a `Lazy` until it is read; `unchecked` alone puts one there."""
    setattr(cls, name, _LazyMember(cls.__dict__[name]))


def maker_of(value: object, name: str) -> object:
    """What makes a lazy member of a value; None where it was made, or never was lazy."""
    member = type(value).__dict__[name].slot.__get__(value)
    return member.make if member.__class__ is Lazy else None


def unchecked_replace(value: T, **members: object) -> T:
    """A copy of a frozen value with other members, which are not checked: those that the library has made itself.

    What is made when it is read is still made then, in both. `replace` is for everything else.

    Example:
        >>> from mentionable import TextPart
        >>> unchecked_replace(TextPart(content="Hi", mime="text/html"), content="Hello")
        TextPart(content='Hello', mime='text/html')
    """
    cls: Any = type(value)
    copy = object.__new__(cls)
    for name in _names_of(cls):
        if name in members:
            member = members[name]
        elif isinstance(cls.__dict__.get(name), _LazyMember):
            member = Lazy(partial(getattr, value, name))
        else:
            member = getattr(value, name)
        object.__setattr__(copy, name, member)
    return cast("T", copy)


@cache
def _names_of(cls: type[attrs.AttrsInstance]) -> tuple[str, ...]:
    return tuple([a.name for a in attrs.fields(cls)])


class _Hashed:
    """A member with a hash: of JSON too, and of every hashable member the one that it has by itself."""

    __slots__ = ("_member",)

    def __init__(self, member: object) -> None:
        self._member = member

    def __hash__(self) -> int:
        if isinstance(self._member, tuple):
            return hash(tuple(map(_Hashed, self._member)))
        return _hash_of_json(self._member) if isinstance(self._member, (Mapping, list)) else hash(self._member)


def _hash_of_json(value: object) -> int:
    """A hash that is the same for all equal JSON, however deep it is."""
    tokens: list[Any] = []
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, Mapping):
            names = sorted(one, key=lambda name: (hash(name), str(name)))  # equal dicts may differ in their order
            tokens += ("{", *names)
            pending += [one[name] for name in names]
        elif isinstance(one, (list, tuple)):
            tokens += ("[", len(one))
            pending += one
        else:
            tokens.append(one)
    return hash(tuple(tokens))


def _nothing(_: object) -> tuple[()]:
    return ()


def _repr(self: Any) -> str:
    """The class name with the members that differ from their defaults."""
    members = []
    for a in attrs.fields(type(self)):
        member = getattr(self, a.name)
        default = a.default.factory() if isinstance(a.default, attrs.Factory) else a.default  # type: ignore[arg-type]
        if a.repr and not (member is default or member == default):
            members.append(f"{a.name}={member!r}")
    return f"{type(self).__name__}({', '.join(members)})"


def check_members(self: Any) -> None:
    """Checks every member, and puts JSON members in place as fresh plain copies."""
    cls: type = type(self)
    for name, check in checks(cls):
        member = getattr(self, name)
        try:
            checked = check(member)
        except InvalidMember as misfit:
            raise _invalid(f"{cls.__name__}.{name}: {misfit}", str(misfit), *_wrong_places(name, member)) from None
        if checked is not member:
            object.__setattr__(self, name, checked)
    extra = getattr(self, "extra", None)
    if extra:
        clash = sorted(extra.keys() & taken_members(cls))
        if clash:
            raise UsageError(f"{cls.__name__}.extra holds {', '.join(clash)}, which the class defines")
    if extra is not None:
        object.__setattr__(self, "extra", FrozenDict(extra) if extra else EMPTY_DICT)
    between = getattr(self, "_check", None)
    if between is not None:
        try:
            between()
        except InvalidMember as misfit:
            raise _invalid(f"{cls.__name__}: {misfit}", str(misfit), *misfit.places) from None


def _check_as_written(self: Any) -> None:
    """Checks every member, then what others expect of a value that a program writes."""
    check_members(self)
    try:
        self._check_written()
    except InvalidMember as misfit:
        raise _invalid(f"{type(self).__name__}: {misfit}", str(misfit)) from None


def checked_object(cls: type[T], members: Mapping[str, Any]) -> T:
    """An object of `cls` with these members, every one checked, whatever else its constructor checks."""
    made = object.__new__(cls)
    for a in attrs.fields(cast("type[attrs.AttrsInstance]", cls)):
        object.__setattr__(made, a.name, members.get(a.name, a.default))
    check_members(made)
    return made


def maker_for_readers(cls: type[T]) -> Callable[..., T]:
    """The constructor for what others wrote: without the rules of `_check_written`, where the class has some."""

    def make(**members: Any) -> T:
        return checked_object(cls, members)

    return make if hasattr(cls, "_check_written") else cls


def _invalid(words: str, rule: str, *places: Place) -> InvalidMembers:
    error = InvalidMembers(words)
    error.rule, error.places = rule, places
    return error


def _wrong_places(name: str, member: Any) -> tuple[Place, ...]:
    """The places without which a value would fit: one of its members, or those of `extra` that are no JSON."""
    if name != "extra" or not isinstance(member, Mapping):
        return ((name,),)
    wrong = []
    for unknown in member:
        try:
            check_json({unknown: member[unknown]})
        except InvalidMember:
            wrong.append((unknown,))
    return tuple(wrong)


@cache
def wire_members(cls: type) -> frozenset[str]:
    """The member names that JSON of `cls` may have, `kind` included, `extra` not."""
    names = {a.name for a in attrs.fields(cls)} - {"extra"}
    return frozenset(names | {"kind"} if isinstance(getattr(cls, "kind", None), str) else names)


@cache
def taken_members(cls: type) -> frozenset[str]:
    """The names that `extra` never has: those of the members, and `_never`, those that no value of `cls` may have."""
    never: frozenset[str] = getattr(cls, "_never", frozenset())
    return wire_members(cls) | never


@cache
def hints(cls: type) -> dict[str, Any]:
    """The resolved annotations of the members of `cls`, `Annotated` rules included."""
    resolved = get_type_hints(cls, include_extras=True)
    return {a.name: resolved[a.name] for a in attrs.fields(cls)}


@cache
def checks(cls: type) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """The check of each member of `cls`: gives the member back, maybe as a plain copy, or raises `InvalidMember`."""
    return tuple((name, check_of(hint)) for name, hint in hints(cls).items())


def replace(value: T, **changes: Any) -> T:
    """A copy of a value with some members changed, checked like any other.

    The same as `attrs.evolve`, for type checkers that know attrs classes only by their decorator.

    Raises:
        UsageError: A change does not fit the class.

    Example:
        >>> from mentionable import TextPart, replace
        >>> replace(TextPart(content="Hi"), content="Hello")
        TextPart(content='Hello')
    """
    try:
        changed: T = attrs.evolve(value, **changes)  # type: ignore[misc]
    except TypeError as error:
        raise UsageError(str(error).replace("__init__() ", "")) from None
    return changed


def unchecked(cls: Callable[P, T]) -> Callable[P, T]:
    """A constructor of `cls` that takes the same keywords, checked by mypy alone, and checks nothing itself.

    For wire readers on the hot path, after their own checks, and for the records that the head of this module
    describes; everything else uses the public constructor. A frozen attrs class stores each member through
    `object.__setattr__`. Here a hidden class with the same base and the same slots stores them plainly and its object
    then becomes one of `cls`, which takes about a third of the time.

    A test compares both constructors for every class that a reader uses.

    Example:
        >>> from mentionable import TextPart
        >>> unchecked(TextPart)(content="Hi")
        TextPart(content='Hi')
    """
    if not _CAN_BECOME:
        public: Callable[P, T] = getattr(cls, "restored", cls)  # of a class that has no public constructor
        return public
    kind: Any = cls
    scope: dict[str, Any] = {"cls": cls, "put": object.__setattr__, "new": object.__new__, "absent": object()}
    is_flat, parameters, body = not attrs.has(kind.__base__), [], []
    for a in attrs.fields(kind):
        name, source = a.name, a.name
        if a.default is attrs.NOTHING:
            parameters.append(name)
        elif isinstance(a.default, attrs.Factory):  # type: ignore[arg-type]
            scope[f"make_{name}"] = a.default.factory
            parameters.append(f"{name}=absent")
            source = f"make_{name}() if {name} is absent else {name}"
        else:
            scope[f"default_{name}"] = a.default
            parameters.append(f"{name}=default_{name}")
        body.append(f"self.{name} = {source}" if is_flat else f"put(self, {name!r}, {source})")
    # A function that makes the object takes less time than a class whose `__init__` fills it.
    if is_flat:
        scope["hidden"] = type(f"_{kind.__name__}", kind.__bases__, {"__slots__": kind.__slots__})
        statements = ["self = hidden()", *body, "self.__class__ = cls", "return self"]
    else:  # a base that is frozen lets nothing be stored plainly
        statements = ["self = new(cls)", *body, "return self"]
    parameters.sort(key=lambda one: "=" in one)  # positional ones: defaults of keyword-only ones cost a look-up each
    code = f"def make({', '.join(parameters)}):\n    " + "\n    ".join(statements)
    exec(code, scope)  # noqa: S102 - the text is made of the member names of our own classes
    make: Callable[P, T] = scope["make"]
    return make


def tuple_maker(cls: Callable[P, T]) -> Callable[P, T]:
    """The constructor of a named tuple that takes the same keywords in half the time: it goes past the type's own call.

    For what a reader makes for each message and then unpacks, indexes or copies: see the head of this module.
    """
    kind: Any = cls
    return MethodType(kind.__new__, kind)


@cache
def unchecked_maker(cls: Any) -> Callable[..., Any]:
    """The same for a class that is known only when it is used, made once for each."""
    return unchecked(cls)


# A free-threaded build stops all threads for each change of class; PyPy has other layouts.
_CAN_BECOME: Final = sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)()
