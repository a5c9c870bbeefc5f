"""JSON ↔ values. The only module that imports cattrs.

cattrs' defaults coerce: the string `"false"` becomes True, None becomes `"None"`, a missing member its default. Here
every leaf, array, object and union has a hook of its own that takes exactly what the contract says, and every fault is
listed with its JSON Pointer.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar, Union, cast, get_args, get_origin

import attrs
from cattrs import Converter

from ._errors import DecodeError, Problem, UsageError
from ._json import STORED_DEPTH, dump_line, loads, plain, pointer
from ._known import Known
from ._model.identity import (
    AttestationProof,
    BearerProof,
    IdentityEvidence,
    TransportProof,
    UnknownProof,
    VerifiedIdentity,
)
from ._model.message import NormalizedMessage
from ._model.policy import PolicyResolution
from ._model.sender import Sender
from ._model.trust import DEFAULT_LIFETIME, DEFAULT_SKEW, TrustEntry, TrustPolicy
from ._value import UNSET, Rule, Unset, hints, taken_members

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import TypeForm

T = TypeVar("T")

MAX_BYTES: Final = 67_108_864
MAX_PROBLEMS: Final = 100

_TRUSTED: Final[Mapping[type, frozenset[str]]] = {
    Sender: frozenset({"auth_method", "verified", "key_id", "identities"}),
    NormalizedMessage: frozenset({"policy_resolution"}),
}
"""Members that only one's own store may fill: from anyone else they are left at their defaults, unread."""

_NOT_FROM_ANYONE: Final = (PolicyResolution, IdentityEvidence, VerifiedIdentity, Known)

_CLOSED: Final = (TrustEntry, TrustPolicy)
"""Values without members that nobody knows: one that is misspelt would widen what is trusted."""


def decode(cls: TypeForm[T], data: bytes | str | Mapping[str, Any] | list[Any]) -> T:
    """A value of `cls` from anyone. No sender in it is verified and nothing in it is resolved, whatever it says.

    Args:
        cls: A class of the contract, or a form such as `Part` or `tuple[Part, ...]`.
        data: JSON as bytes or text, or what a JSON parser made of it.

    Raises:
        DecodeError: The data's fault; `.problems` lists every fault with its JSON Pointer.
        LimitError: Bytes or text are longer or nested deeper than JSON may be here.
        UsageError: `cls` is something that never comes from just anyone (a policy resolution, identity evidence).

    Spec: Normalized Message §3, §8.

    Example:
        >>> from mentionable import TextPart, decode
        >>> decode(TextPart, b'{"kind": "text", "mime": "text/plain", "content": "hi"}')
        TextPart(content='hi')
    """
    return cast("T", _read(cls, data, own=False))


def restore(cls: TypeForm[T], data: bytes | str | Mapping[str, Any] | list[Any]) -> T:
    """A value of `cls` from your own store, as `encode` or `dumps` wrote it, with everything that it said.

    Raises:
        DecodeError: The data is not such a value.
        LimitError: Bytes or text are longer or nested deeper than JSON may be here.
    """
    return cast("T", _read(cls, data, own=True))


def encode(value: object) -> Any:
    """The JSON form of a value: a fresh dict that shares nothing with it. A tuple of values gives a list.

    Members that the contract requires are always there; absent optional ones are left out; unknown ones come back.
    """
    return _converter(True).unstructure(value)


def dumps(value: object) -> bytes:
    """The JSON form of a value as compact UTF-8."""
    return dump_line(encode(value)).encode()


def _read(cls: Any, data: bytes | str | Mapping[str, Any] | list[Any], *, own: bool) -> Any:
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if isinstance(data, bytes):
        data = loads(data, max_bytes=MAX_BYTES, max_depth=STORED_DEPTH, safe_integers=False)
    else:
        try:
            data = plain(data, max_depth=STORED_DEPTH)
        except UsageError as error:
            raise DecodeError("malformed", [Problem("", str(error))]) from None
    try:
        return _converter(own).structure(data, cls)
    except _Faults as faults:
        raise DecodeError("malformed", faults.problems[:MAX_PROBLEMS]) from None


class _Faults(Exception):
    """The faults of one value, each with its pointer relative to it."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems


def _fault(rule: str) -> _Faults:
    return _Faults([Problem("", rule)])


def _gather(problems: list[Problem], token: str | int, faults: _Faults) -> None:
    """Adds the faults of a member to those of its holder."""
    if len(problems) < MAX_PROBLEMS:
        problems += [Problem(pointer(token) + problem.at, problem.rule) for problem in faults.problems]


@cache
def _converter(own: bool) -> Converter:
    """The strict converter; `own`: for what comes from one's own store."""
    converter = Converter()
    converter.register_structure_hook_func(lambda _: True, _refuse_form)
    for leaf, words in ((str, "a string"), (int, "an integer"), (float, "a number"), (bool, "true or false")):
        converter.register_structure_hook(leaf, _leaf(leaf, words))
    converter.register_structure_hook_func(lambda form: form is Any, lambda data, _: data)
    converter.register_structure_hook_factory(_is(tuple), lambda form: _collection(converter, form))
    converter.register_structure_hook_factory(_is_mapping, lambda form: _collection(converter, form))
    converter.register_structure_hook_factory(_is(Literal), _literal)
    converter.register_structure_hook_factory(_is(Union, types.UnionType), lambda form: _union(converter, form))
    converter.register_structure_hook_factory(_is(Annotated), lambda form: _ruled(converter, form))
    converter.register_structure_hook_factory(attrs.has, lambda cls: _class(converter, cls, own))
    converter.register_unstructure_hook_factory(attrs.has, lambda cls: _members(converter, cls))
    converter.register_unstructure_hook(tuple, lambda items: [converter.unstructure(item) for item in items])
    return converter


def _is(*origins: Any) -> Callable[[Any], bool]:
    return lambda form: get_origin(form) in origins


def _is_mapping(form: Any) -> bool:
    origin = get_origin(form)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _expected(words: str, data: object) -> _Faults:
    """The fault of data that is something else than it should be."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return _fault(f"expected {words}, not {names.get(type(data), 'a number')}")


def _refuse_form(_: Any, form: Any) -> Any:
    """In place of cattrs' own hooks, which coerce."""
    raise UsageError(f"{getattr(form, '__name__', form)} is not a form of the contract")


def _leaf(leaf: type, words: str) -> Callable[[Any, Any], Any]:
    def hook(data: Any, _: Any) -> Any:
        if data.__class__ is leaf:
            return data
        raise _expected(words, data)

    return hook


def _literal(form: Any) -> Callable[[Any, Any], Any]:
    allowed = get_args(form)
    words = " or ".join(dump_line(item) for item in allowed if not isinstance(item, Unset))

    def hook(data: Any, _: Any) -> Any:
        for item in allowed:
            if data.__class__ is item.__class__ and data == item:
                return data
        raise _fault(f"expected {words}")

    return hook


def _collection(converter: Converter, form: Any) -> Callable[[Any, Any], Any]:
    """Reads an array, as a tuple, or an object whose members are all of one form."""
    is_array = get_origin(form) is tuple
    wanted: Any = list if is_array else dict
    words = "an array" if is_array else "an object"
    item_form = get_args(form)[0 if is_array else 1]
    structure = converter.get_structure_hook(item_form)

    def hook(data: Any, _: Any) -> Any:
        if data.__class__ is not wanted:
            raise _expected(words, data)
        items, problems = dict[Any, Any](), list[Problem]()
        for token, item in enumerate(data) if is_array else data.items():
            try:
                items[token] = structure(item, item_form)
            except _Faults as faults:
                _gather(problems, token, faults)
        if problems:
            raise _Faults(problems)
        return tuple(items.values()) if is_array else items

    return hook


def _ruled(converter: Converter, form: Any) -> Callable[[Any, Any], Any]:
    base, rule = get_args(form)[:2]
    read = converter.get_structure_hook(base)

    def hook(data: Any, _: Any) -> Any:
        value = read(data, base)
        if isinstance(rule, Rule) and not rule.fits(value):
            raise _fault(f"expected {rule.words}")
        return value

    return hook


def _union(converter: Converter, form: Any) -> Callable[[Any, Any], Any]:
    """A union: of classes told apart by their tag, or of leaves of which the first that fits is taken."""
    options = [option for option in get_args(form) if option is not types.NoneType]
    if Any in options:
        return lambda data, _: data
    if len(options) > 1 and all(attrs.has(option) for option in options):
        return _tagged(converter, options)
    reads = [(converter.get_structure_hook(option), option) for option in options]

    def hook(data: Any, _: Any) -> Any:
        problems = list[Problem]()
        for read, option in reads:
            try:
                return read(data, option)
            except _Faults as faults:
                # An option that got past its outside tells best what is wrong inside.
                problems = faults.problems if not problems or any(p.at for p in faults.problems) else problems
        raise _Faults(problems)

    return hook


_PROOFS: Final = (TransportProof, AttestationProof, BearerProof)


def _tag(cls: Any) -> tuple[str, str | None]:
    """The name of the member that tells a class of a union, and its word; None for the class of unknown words."""
    if cls in _PROOFS or cls is UnknownProof:
        return "type", attrs.fields_dict(cls)["type"].default if cls in _PROOFS else None
    kind = getattr(cls, "kind", None)
    return "kind", kind if isinstance(kind, str) else None  # a class of unknown words has a member there


def _tagged(converter: Converter, options: list[Any]) -> Callable[[Any, Any], Any]:
    if not any(_tag(option)[1] for option in options):  # PaymentConfirmation | ConsentConfirmation: told by members
        return _told_by_members(converter, options)
    member = _tag(options[0])[0]
    classes = {_tag(option)[1]: option for option in options}
    unknown = classes.pop(None, None)
    words = " or ".join(dump_line(word) for word in classes)

    def hook(data: Any, _: Any) -> Any:
        if data.__class__ is not dict:
            raise _expected("an object", data)
        word = data.get(member)
        if word.__class__ is not str:
            raise _Faults([Problem(pointer(member), "required" if word is None else "expected a string")])
        cls = classes.get(word, unknown)
        if cls is None:
            raise _Faults([Problem(pointer(member), f"expected {words}")])
        return converter.structure(data, cls)

    return hook


def _told_by_members(converter: Converter, options: list[Any]) -> Callable[[Any, Any], Any]:
    """A union without tags: the class all of whose required members are there."""

    def hook(data: Any, _: Any) -> Any:
        if data.__class__ is not dict:
            raise _expected("an object", data)
        for cls in options:
            if all(a.name in data for a in attrs.fields(cls) if is_required(a)):
                return converter.structure(data, cls)
        return converter.structure(data, options[0])

    return hook


def is_required(a: attrs.Attribute[Any]) -> bool:
    """Whether the wire must have a member: all but those whose default says that they are absent, and `extra`."""
    return a.name != "extra" and a.default is not None and a.default is not UNSET


def _class(converter: Converter, cls: Any, own: bool) -> Callable[[Any, Any], Any]:
    """Reads one class: every member strictly, unknown ones into `extra`."""
    if not own and cls in _NOT_FROM_ANYONE:
        raise UsageError(f"{cls.__name__} must be verified, not decoded; your own store uses restore()")
    if "extra" not in attrs.fields_dict(cls):
        raise UsageError(f"{cls.__name__} is not a value of the contract")
    forms = hints(cls)
    unread = frozenset() if own else _TRUSTED.get(cls, frozenset())
    members = [
        (a.name, forms[a.name], converter.get_structure_hook(forms[a.name]), is_required(a))
        for a in attrs.fields(cls)
        if a.name != "extra" and a.name not in unread
    ]
    known, is_closed = taken_members(cls), cls in _CLOSED
    tag, word = _tag(cls)
    make = getattr(cls, "restored", cls)  # of a class that nobody may call

    def hook(data: Any, _: Any) -> Any:
        if data.__class__ is not dict:
            raise _expected("an object", data)
        read, problems = dict[str, Any](), list[Problem]()
        if word is not None and tag not in forms and data.get(tag) != word:
            problems.append(Problem(pointer(tag), f"expected {dump_line(word)}"))
        for name, form, structure, required in members:
            if name not in data:
                if required:
                    problems.append(Problem(pointer(name), "required"))
                continue
            try:
                read[name] = structure(data[name], form)
            except _Faults as faults:
                _gather(problems, name, faults)
        if is_closed:
            problems += [Problem(pointer(name), "unknown") for name in data if name not in known]
        if problems:
            raise _Faults(problems)
        extra = {name: data[name] for name in data if name not in known}
        try:
            return make(**read, extra=extra)
        except UsageError as error:
            raise _fault(str(error).partition(": ")[2] or str(error)) from None

    return _or_entries(hook) if cls is TrustPolicy else hook


def _or_entries(hook: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Reads a trust policy, also where it is the bare array of its entries, as operators write it."""

    def read(data: Any, form: Any) -> Any:
        if data.__class__ is not list:
            return hook(data, form)
        try:
            return hook({"entries": data, "max_lifetime": DEFAULT_LIFETIME, "skew": DEFAULT_SKEW}, form)
        except _Faults as faults:
            raise _Faults([Problem(at.removeprefix("/entries"), rule) for at, rule in faults.problems]) from None

    return read


def _members(converter: Converter, cls: Any) -> Callable[[Any], Any]:
    """Writes one class: its tag, its members in order, then the unknown ones."""
    members = [a for a in attrs.fields(cls) if a.name != "extra"]
    has_extra = any(a.name == "extra" for a in attrs.fields(cls))
    kind = getattr(cls, "kind", None)

    def write(value: Any) -> dict[str, Any]:
        written: dict[str, Any] = {"kind": kind} if isinstance(kind, str) else {}
        for a in members:
            member = getattr(value, a.name)
            if is_required(a) or member is not a.default:
                written[a.name] = _written(converter, member)
        if has_extra:
            written.update(plain(value.extra))
        return written

    return write


def _written(converter: Converter, member: Any) -> Any:
    if attrs.has(member.__class__):
        return converter.unstructure(member)
    if member.__class__ is tuple:
        return [_written(converter, item) for item in member]
    if isinstance(member, Mapping) and any(attrs.has(item.__class__) for item in member.values()):
        return {name: _written(converter, item) for name, item in member.items()}
    return plain(member)
