"""JSON ↔ values. The only module that imports cattrs.

cattrs' defaults coerce: the string `"false"` becomes True, None becomes `"None"`, a missing member its default. Here
every leaf, array, object and union has a hook of its own that takes what the contract says, and every fault is listed
with its JSON Pointer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar, cast

import attrs
from typing_extensions import TypeForm

from .._errors.exceptions import DecodeError, Problem
from .._wire.strict_json import STORED_DEPTH, VALUE_DEPTH, checked_json, dump_line, line_encoder, loads, plain
from .annotation import visit
from .diagnostic import MAX_PROBLEMS, Diagnostic, left_out
from .structure import Faults, StructureHooks, is_required

T = TypeVar("T")

if TYPE_CHECKING:
    from cattrs import Converter

MAX_BYTES: Final = 67_108_864


class Decoded(NamedTuple, Generic[T]):
    """A value that was read leniently.

    Attributes:
        value: What the document holds, without what does not fit.
        diagnostics: What was left out, each with its JSON Pointer.
    """

    value: T
    diagnostics: tuple[Diagnostic, ...]


def decode(cls: TypeForm[T], data: bytes | str | Mapping[str, Any] | list[Any]) -> T:
    """A value of `cls` from anyone. No sender in it is verified and nothing in it is resolved, whatever it says.

    What is only another spelling is read: `null` for an optional member is its absence, media types come in any case,
    timestamps with any offset, and whole numbers as `30.0`. Members that this version does not know go into `extra`.
    Everything else that does not fit raises; see `decode_leniently`. JSON must have some members that have a default in
    Python, such as `mime` of a text and `status` of a response: the specification requires them.

    Args:
        cls: A class of the contract, or a form such as `Part` or `tuple[Part, ...]`.
        data: JSON as bytes or text, or what a JSON parser made of it.

    Raises:
        DecodeError: The data's fault; `.problems` lists every fault with its JSON Pointer.
        LimitError: Bytes or text are longer than 64 MiB, or nested deeper than 128 levels; `Limits` has no say here.
        UsageError: `cls` is something that never comes from just anyone (a policy resolution, identity evidence).

    Spec: Normalized Message §3, §8.

    Example:
        >>> from mentionable import TextPart, decode
        >>> decode(TextPart, b'{"kind": "text", "mime": "text/plain", "content": "hi"}')
        TextPart(content='hi')
    """
    return cast("T", _decoded(cls, _parsed(data), lenient=False).value)


def decode_leniently(cls: TypeForm[T], data: bytes | str | Mapping[str, Any] | list[Any]) -> Decoded[T]:
    """As `decode`, but an optional member, an item or an entry that does not fit costs only itself.

    Each of them is a diagnostic. Its `at` names what was left out, for example an item; its `detail` begins with the
    JSON Pointer of the fault inside the item. Members that
    only your own store may set (`verified`, `auth_method`, `identities`, `policy_resolution`) are left out without a
    diagnostic. Money, identity and what binds a state stay strict: a fault there costs the whole policy or evidence.

    Raises:
        DecodeError: The value itself cannot be read: a required member of it is missing or does not fit.
        LimitError: As for `decode`.
        UsageError: As for `decode`.

    Spec: Normalized Message §3, §8.

    Example:
        >>> from mentionable import LinkPart, decode_leniently
        >>> link = decode_leniently(LinkPart, {"kind": "link", "url": "https://a.example/", "title": 5})
        >>> link.value
        LinkPart(url='https://a.example/')
        >>> print(link.diagnostics[0].at, link.diagnostics[0].detail)
        /title expected a string, not a number
    """
    return _decoded(cls, _parsed(data), lenient=True)


def decode_parsed(cls: TypeForm[T], value: Any) -> T:
    """As `decode`, but what a JSON parser made of it alone: a string is a misfit or a string, never text to parse.

    What is inside the JSON of others is read with this. Parsed once more, a string in it would get past what was
    checked before: how many items there are, and of what kind each is.
    """
    return cast("T", _decoded(cls, checked_json(value, max_depth=STORED_DEPTH), lenient=False).value)


def decode_parsed_leniently(cls: TypeForm[T], value: Any, *, lenient: bool = True) -> Decoded[T]:
    """As `decode_parsed`, but as lenient as `decode_leniently`, unless `lenient` is False."""
    return _decoded(cls, checked_json(value, max_depth=STORED_DEPTH), lenient=lenient)


def decode_trusted(cls: TypeForm[T], data: bytes | str | Mapping[str, Any] | list[Any]) -> T:
    """A value of `cls` from your own store, as `encode` or `dumps` wrote it, with all its members.

    Members that they always write are required, such as `StoredMessage.auth_method`, defaults or not.

    Raises:
        DecodeError: The data is not such a value.
        LimitError: Bytes or text are longer or nested deeper than JSON may be here.
    """
    return cast("T", _read(cls, _parsed(data), None, own=True))


def decode_parsed_trusted(cls: TypeForm[T], value: Any) -> T:
    """As `decode_trusted`, but what a JSON parser made of it alone; see `decode_parsed`."""
    return cast("T", _read(cls, checked_json(value, max_depth=STORED_DEPTH), None, own=True))


def encode(value: object) -> Any:
    """The JSON form of a value: a fresh dict that shares nothing with it. A tuple of values gives a list.

    Members that the contract requires are always there; absent optional ones are left out; unknown ones come back.
    """
    return _converter(True).unstructure(value)


def dumps(value: object) -> bytes:
    """The JSON form of a value as compact UTF-8."""
    try:
        line = _write_line(value)
        if line.count("[") + line.count("{") <= VALUE_DEPTH:  # else it may be nested too deeply
            return line.encode()
    except (TypeError, ValueError, RecursionError):  # something in it is no JSON, and `encode` says what
        pass
    return dump_line(encode(value)).encode()


def _parsed(data: bytes | str | Mapping[str, Any] | list[Any]) -> Any:
    """The JSON in bytes or text, or a copy of what a parser made of it."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if isinstance(data, bytes):
        return loads(data, max_bytes=MAX_BYTES, max_depth=STORED_DEPTH, safe_integers=False)
    return checked_json(data, max_depth=STORED_DEPTH)


def _decoded(cls: Any, value: Any, *, lenient: bool) -> Decoded[Any]:
    problems: list[Problem] | None = [] if lenient else None
    result = _read(cls, value, problems, own=False)
    return Decoded(result, tuple(left_out(problems)) if problems else ())


def _read(cls: Any, value: Any, dropped: list[Problem] | None, *, own: bool) -> Any:
    try:
        return _converter(own).get_structure_hook(cls)(value, dropped)
    except Faults as faults:
        raise DecodeError("malformed", faults.problems[:MAX_PROBLEMS]) from None


@cache
def _converter(own: bool) -> Converter:
    """The strict converter; `own`: for what comes from one's own store."""
    from cattrs import Converter

    converter = Converter()
    hook_of = converter.get_structure_hook
    hooks = StructureHooks(hook_of, own=own)
    converter.register_structure_hook_factory(lambda _: True, lambda form: visit(form, hooks))
    for form in (bytes, str, int, float, bool):  # cattrs has hooks of its own for these, which coerce
        converter.register_structure_hook(form, visit(form, hooks))
    converter.register_unstructure_hook_factory(attrs.has, lambda cls: _members(converter, cls))
    converter.register_unstructure_hook(tuple, lambda items: [converter.unstructure(item) for item in items])
    return converter


def _members(converter: Converter, cls: Any) -> Callable[[Any], Any]:
    """Writes one class, as a dict that shares nothing with the value."""
    members_of = _members_of(cls)

    def write(value: Any) -> dict[str, Any]:
        return {name: _written(converter, member) for name, member in members_of(value).items()}

    return write


@cache
def _members_of(cls: Any) -> Callable[[Any], dict[str, Any]]:
    """What is written of the values of a class: its tag, its members in order, then the unknown ones."""
    members = [(a.name, a.default, is_required(a)) for a in attrs.fields(cls) if a.name != "extra"]
    has_extra = any(a.name == "extra" for a in attrs.fields(cls))
    kind = getattr(cls, "kind", None)
    tag = {"kind": kind} if isinstance(kind, str) else {}

    def members_of(value: Any) -> dict[str, Any]:
        written = dict(tag)
        for name, default, required in members:
            member = getattr(value, name)
            if required or member is not default:
                written[name] = member
        if has_extra and value.extra:
            written.update(value.extra)
        return written

    return members_of


def _share(value: Any) -> dict[str, Any]:
    """What the encoder has no form for: a value, whose members it writes next, or another mapping."""
    if attrs.has(value.__class__):
        return _members_of(value.__class__)(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError


_write_line: Final = line_encoder(_share)
"""Writes a value without a copy of it. What a value holds was checked when it was made."""


def _written(converter: Converter, member: Any) -> Any:
    if member.__class__ is str:  # nearly all are, and whether it is a value takes longer to see
        return plain(member)
    if attrs.has(member.__class__):
        return converter.unstructure(member)
    if member.__class__ is tuple:
        return [_written(converter, item) for item in member]
    if isinstance(member, Mapping) and any(attrs.has(item.__class__) for item in member.values()):
        return {name: _written(converter, item) for name, item in member.items()}
    return plain(member)
