"""JSON → values: how each form of the contract is read, one hook a form.

cattrs calls a hook with the data and one more argument. Here that is the list of what was dropped, to add to, or
None, where nothing may be dropped: then a fault of a member is one of its holder too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import attrs

from .._errors.exceptions import Problem, UsageError
from .._wire.strict_json import dump_line, pointer, sent_indexes
from .always_strict import CLOSED, EXACT, NOT_FROM_ANYONE, TRUSTED, fallback_of, strict_of
from .annotation import LEAVES, Place, Rule, Visitor, visit
from .base import UNSET, InvalidMembers, Unset, hints, maker_for_readers, taken_members
from .diagnostic import MAX_PROBLEMS
from .trust import DEFAULT_LIFETIME, DEFAULT_SKEW, TrustPolicy

Hook: TypeAlias = "Callable[[Any, Any], Any]"
HookOf: TypeAlias = "Callable[[Any], Hook]"
"""Form → hook."""


class Faults(Exception):
    """The faults of one value, each with its pointer relative to it."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems


def fault(rule: str, places: tuple[Place, ...] = ()) -> Faults:
    return Faults([Problem(pointer(*place), rule) for place in places or ((),)])


def _gather(problems: list[Problem], token: str | int, faults: Faults) -> None:
    """Adds the faults of a member to those of its holder."""
    if len(problems) < MAX_PROBLEMS:
        problems += under(token, faults.problems)


def under(token: str | int, problems: list[Problem]) -> list[Problem]:
    """Problems of a member as those of its holder."""
    at = pointer(token)
    return [Problem(at + problem.at, problem.rule) for problem in problems]


def _member(read: Callable[[Any, Any], Any], data: Any, token: str | int, dropped: list[Problem] | None) -> Any:
    """One member, item or entry; what it drops has the pointers of its holder. Where it raises, it drops nothing."""
    if dropped is None:
        return read(data, None)
    before = len(dropped)
    try:
        value = read(data, dropped)
    except Faults:
        del dropped[before:]
        raise
    if len(dropped) > before:
        dropped[before:] = under(token, dropped[before:])
    return value


def _left_out(token: str | int, faults: Faults) -> Problem:
    """The note of what is left out whole, with the first of its faults."""
    return Problem(pointer(token), str(faults.problems[0]))


def expected(words: str, data: object) -> Faults:
    """The fault of data that is something else than it should be."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return fault(f"expected {words}, not {names.get(type(data), 'a number')}")


class StructureHooks(Visitor[Hook]):
    """The hook of each kind of annotation.

    Args:
        hook_of: The hook of an annotation inside this one.
        own: Whether the JSON comes from one's own store.
    """

    def __init__(self, hook_of: HookOf, *, own: bool) -> None:
        self.hook_of, self.own = hook_of, own

    def json(self) -> Hook:
        return lambda data, _: data

    def leaf(self, kind: type) -> Hook:
        return _integer if kind is int else _exactly(kind)

    def literal(self, allowed: tuple[Any, ...]) -> Hook:
        words = " or ".join(dump_line(item) for item in allowed if not isinstance(item, Unset))

        def hook(data: Any, _: Any) -> Any:
            for item in allowed:
                if data.__class__ is item.__class__ and data == item:
                    return data
            raise fault(f"expected {words}")

        return hook

    def ruled(self, base: Any, rule: Any) -> Hook:
        read = self.hook_of(base)
        spelled = rule.read if isinstance(rule, Rule) else None

        def hook(data: Any, dropped: list[Problem] | None) -> Any:
            if spelled is not None and data.__class__ is str:
                data = spelled(data) or data
            value = read(data, dropped)
            if isinstance(rule, Rule) and not rule.fits(value):
                raise fault(f"expected {rule.words}")
            return value

        return hook

    def union(self, options: tuple[Any, ...], *, is_optional: bool) -> Hook:
        """A union: of classes, each with its tag, or of leaves of which the first that fits is taken."""
        if Any in options:
            return self.json()
        if len(options) > 1 and all(attrs.has(option) for option in options):
            return _tagged(self.hook_of, options)
        reads = [self.hook_of(option) for option in options]
        if float in options:  # which takes 30.0 as it is
            reads = [self.hook_of(float), *[self.hook_of(one) for one in options if one not in (float, int)]]
            reads.append(_exactly(int))

        def hook(data: Any, dropped: list[Problem] | None) -> Any:
            faulty = list[Problem]()
            for read in reads:
                try:
                    return read(data, dropped)
                except Faults as faults:
                    # An option that got past its outside tells best what is wrong inside.
                    faulty = faults.problems if not faulty or any(one.at for one in faults.problems) else faulty
            raise Faults(faulty)

        return hook

    def array(self, item: Any) -> Hook:
        return _collection(self.hook_of(item), is_array=True)

    def mapping(self, item: Any) -> Hook:
        return _collection(self.hook_of(item), is_array=False)

    def other(self, form: Any) -> Hook:
        if attrs.has(form):
            return _class_hook(self.hook_of, form, self.own)
        return refusing(form)


class _WholeHooks(StructureHooks):
    """Hooks for a member of which no item may be left out, however deep it is: a fault there is one of the member."""

    def __init__(self, hook_of: HookOf) -> None:
        super().__init__(lambda form: whole(hook_of, form), own=False)
        self._inner = hook_of

    def union(self, options: tuple[Any, ...], *, is_optional: bool) -> Hook:
        if len(options) == 1 and is_optional:
            return self.hook_of(options[0])
        return StructureHooks(self._inner, own=False).union(options, is_optional=is_optional)

    def array(self, item: Any) -> Hook:
        return _collection(self.hook_of(item), is_array=True, whole=True)

    def mapping(self, item: Any) -> Hook:
        return _collection(self.hook_of(item), is_array=False, whole=True)

    def other(self, form: Any) -> Hook:
        return self._inner(form)


def whole(hook_of: HookOf, form: Any) -> Hook:
    """Reads a member of which no item may be left out."""
    return visit(form, _WholeHooks(hook_of))


def refusing(form: Any) -> Hook:
    """In place of cattrs' own hooks, which coerce."""

    def refuse(_: Any, __: Any) -> Any:
        raise UsageError(f"{getattr(form, '__name__', form)} is not a form of the contract")

    return refuse


def _exactly(kind: type) -> Hook:
    words = LEAVES[kind]

    def hook(data: Any, _: Any) -> Any:
        if data.__class__ is kind:
            return data
        raise expected(words, data)

    return hook


def _integer(data: Any, _: Any) -> int:
    """An integer, also from senders whose JSON has only one kind of number, and who write `30.0`."""
    if data.__class__ is int:
        return data
    if data.__class__ is float and data.is_integer():
        return int(data)
    raise expected("an integer", data)


def _collection(read: Hook, *, is_array: bool, whole: bool = False) -> Hook:
    """Reads an array, as a tuple, or an object whose members are all of one form.

    Args:
        read: The hook of an item.
        is_array: Whether it is an array.
        whole: Whether an item that does not fit costs the whole array and not only itself.
    """
    expected_class: Any = list if is_array else dict
    words = "an array" if is_array else "an object"

    def hook(data: Any, dropped: list[Problem] | None) -> Any:
        if data.__class__ is not expected_class:
            raise expected(words, data)
        items, problems = dict[Any, Any](), list[Problem]()
        for token, item in enumerate(data) if is_array else data.items():
            try:
                items[token] = _member(read, item, token, dropped)
            except Faults as faults:
                if dropped is None or whole:
                    _gather(problems, token, faults)
                else:
                    dropped.append(_left_out(token, faults))
        if problems:
            raise Faults(problems)
        return tuple(items.values()) if is_array else items

    return hook


def _tag(cls: Any) -> tuple[str, str | None]:
    """The name of the member that tells a class of a union, and its word; None for the class of unknown words."""
    own = attrs.fields_dict(cls).get("type")
    if own is not None:
        return "type", own.default if isinstance(own.default, str) else None
    kind = getattr(cls, "kind", None)
    return "kind", kind if isinstance(kind, str) else None  # a class of unknown words has a member there


def _tagged(hook_of: HookOf, options: Sequence[Any]) -> Callable[[Any, Any], Any]:
    if not any(_tag(option)[1] for option in options):  # PaymentConfirmation | ConsentConfirmation: which have no tag
        return _untagged(hook_of, options)
    member = _tag(options[0])[0]
    classes = {_tag(option)[1]: option for option in options}
    unknown = classes.pop(None, None)
    words = " or ".join(dump_line(word) for word in classes)

    def hook(data: Any, dropped: list[Problem] | None) -> Any:
        if data.__class__ is not dict:
            raise expected("an object", data)
        word = data.get(member)
        if word.__class__ is not str:
            raise Faults([Problem(pointer(member), "required" if word is None else "expected a string")])
        cls = classes.get(word, unknown)
        if cls is None:
            raise Faults([Problem(pointer(member), f"expected {words}")])
        return hook_of(cls)(data, dropped)

    return hook


def _untagged(hook_of: HookOf, options: Sequence[Any]) -> Callable[[Any, Any], Any]:
    """A union without tags: the class all of whose required members are there."""

    def hook(data: Any, dropped: list[Problem] | None) -> Any:
        if data.__class__ is not dict:
            raise expected("an object", data)
        for cls in options:
            if all(a.name in data for a in attrs.fields(cls) if is_required(a)):
                return hook_of(cls)(data, dropped)
        return hook_of(options[0])(data, dropped)

    return hook


def is_required(a: attrs.Attribute[Any]) -> bool:
    """Whether the wire must have a member: all but those whose default says that they are absent, and `extra`."""
    return a.name != "extra" and a.default is not None and a.default is not UNSET


class _Read(NamedTuple):
    """How one member is read.

    Attributes:
        name: Its name.
        read: Its hook.
        is_required: Whether the wire must have it.
        may_be_null: Whether null is its absence.
        is_droppable: Whether it is left out when it does not fit, where that may be.
        fallback: What is taken in its place then; `UNSET` when nothing is.
    """

    name: str
    read: Callable[[Any, Any], Any]
    is_required: bool
    may_be_null: bool
    is_droppable: bool
    fallback: Any


def _reads(hook_of: HookOf, cls: Any, own: bool) -> list[_Read]:
    """How the members of a class are read."""
    forms, strict, fallback = hints(cls), strict_of(cls), fallback_of(cls)
    unread = frozenset() if own else TRUSTED.get(cls, frozenset())
    reads = []
    for a in attrs.fields(cls):
        name, form = a.name, forms[a.name]
        if name == "extra" or name in unread:
            continue
        required, is_strict = is_required(a), name in strict
        reads.append(
            _Read(
                name,
                whole(hook_of, form) if is_strict else hook_of(form),
                required,
                a.default is None and cls not in EXACT,
                name in fallback or not (required or is_strict),
                fallback.get(name, UNSET),
            )
        )
    return reads


def _class_hook(hook_of: HookOf, cls: Any, own: bool) -> Callable[[Any, Any], Any]:
    """Reads one class, its unknown members into `extra`."""
    if not own and cls in NOT_FROM_ANYONE:
        raise UsageError(f"{cls.__name__} comes from your own store alone, where it was verified: restore()")
    if "extra" not in attrs.fields_dict(cls):
        raise UsageError(f"{cls.__name__} is not a value of the contract")
    members, strict = _reads(hook_of, cls, own), strict_of(cls)
    needed = {(member.name,) for member in members if member.is_required}
    known, is_closed, is_exact = taken_members(cls), cls in CLOSED, cls in EXACT
    tag, word = _tag(cls)
    has_tag_only = word is not None and tag not in hints(cls)
    make = getattr(cls, "restored", None) or maker_for_readers(cls)  # `restored`: of a class with no public constructor

    def hook(data: Any, dropped: list[Problem] | None) -> Any:
        if data.__class__ is not dict:
            raise expected("an object", data)
        if is_exact:
            dropped = None
        before = 0 if dropped is None else len(dropped)
        read, problems = _members_in(data, members, dropped)
        if has_tag_only and data.get(tag) != word:
            problems.insert(0, Problem(pointer(tag), f"expected {dump_line(word)}"))
        if is_closed:
            problems += [Problem(pointer(name), "unknown") for name in data if name not in known]
        if problems:
            raise Faults(problems)
        extra = {name: data[name] for name in data if name not in known}
        while True:
            try:
                return make(**read, extra=extra)
            except InvalidMembers as error:
                places = error.places
                sent = places if dropped is None else _as_sent(places, data, dropped[before:])
                if dropped is None or not places or any(place in needed or place[0] in strict for place in places):
                    raise fault(error.rule, sent) from None
                dropped += fault(error.rule, sent).problems
                _cut(places, read, extra)

    return _or_entries(hook) if cls is TrustPolicy else hook


def _members_in(
    data: dict[str, Any], members: list[_Read], dropped: list[Problem] | None
) -> tuple[dict[str, Any], list[Problem]]:
    """The members of one object, and what is wrong with those that it cannot be without."""
    read, problems = dict[str, Any](), list[Problem]()
    for member in members:
        name = member.name
        if name in data:
            if data[name] is None and member.may_be_null:
                continue
            try:
                read[name] = _member(member.read, data[name], name, dropped)
                continue
            except Faults as caught:
                faults = caught
        elif member.is_required:
            faults = fault("required")
        else:
            continue
        if dropped is None or not member.is_droppable:
            _gather(problems, name, faults)
            continue
        dropped.append(_left_out(name, faults))
        if member.fallback is not UNSET:
            read[name] = member.fallback
    return read, problems


def _as_sent(places: tuple[Place, ...], data: dict[Any, Any], dropped: list[Problem]) -> tuple[Place, ...]:
    """Places in the members of a value as places in its JSON, whose arrays may hold items that were left out.

    Such an item has a note at its own place. Every other note about an item is at a place inside it.
    """
    left_out = {note.at for note in dropped}
    indexes: dict[Any, list[int]] = {}
    sent: list[Place] = []
    for name, *tokens in places:
        if tokens and data[name].__class__ is list:
            if name not in indexes:
                indexes[name] = list(islice(sent_indexes(pointer(name), left_out), len(data[name])))
            tokens[0] = indexes[name][int(tokens[0])]
        sent.append((name, *tokens))
    return tuple(sent)


def _cut(places: tuple[Place, ...], *holders: dict[str, Any]) -> None:
    """Takes members, and items and entries of members, out of the members of a value."""
    inner: dict[str | int, set[str | int]] = {}
    for place in places:
        inner.setdefault(place[0], set()).update(place[1:])
    for name, tokens in inner.items():
        holder = next(holder for holder in holders if name in holder)
        member = holder.pop(str(name))
        if tokens and isinstance(member, tuple):
            holder[str(name)] = tuple([item for index, item in enumerate(member) if index not in tokens])
        elif tokens:
            holder[str(name)] = {token: item for token, item in member.items() if token not in tokens}


def _or_entries(hook: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Reads a trust policy, also where it is the bare array of its entries, as operators write it."""

    def read(data: Any, dropped: list[Problem] | None) -> Any:
        if data.__class__ is not list:
            return hook(data, dropped)
        try:
            return hook({"entries": data, "max_lifetime": DEFAULT_LIFETIME, "skew": DEFAULT_SKEW}, dropped)
        except Faults as faults:
            raise Faults([Problem(at.removeprefix("/entries"), rule) for at, rule in faults.problems]) from None

    return read
