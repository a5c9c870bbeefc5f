"""The strict JSON reader, and the plain form of JSON values.

The stdlib's parser takes duplicate members (the last wins), `NaN`, `1e400`, UTF-16, a byte order mark, lone
surrogates, and ends in `RecursionError` on deep input. None of that may reach a protocol decision.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterator, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

from .._errors.exceptions import Code, UsageError, WireError, wire_error

if TYPE_CHECKING:
    _Parse: TypeAlias = Callable[[str, int], tuple[Any, int]]
    """Reads one value from a place in a text on: the value, and where it ends."""

MAX_DEPTH: Final = 64
"""How deep JSON from the wire may be nested."""

VALUE_DEPTH: Final = 96
"""How deep a JSON member of our own values may be nested: `raw` holds what came from the wire some levels down."""

STORED_DEPTH: Final = 128
"""How deep whole values may be nested as JSON: their JSON members stand some levels down themselves."""

MAX_SAFE_INTEGER: Final = 2**53 - 1
"""The largest integer that every JSON implementation keeps exactly (RFC 8785 §3.2.2.3)."""

MIN_PLAIN_FLOAT: Final = 1e-4
"""Below it, and beyond safe integers, Python writes floats in another way than ECMAScript."""

_ALWAYS_DOUBLE: Final = 308
"""Integers of so many digits are within the range of a double."""
_ALWAYS_WRITABLE_BITS: Final = 14_284  # Python writes at most 4300 decimal digits; a longer integer is tried.
_TO_SQUARE: Final = bytes.maketrans(b"{}", b"[]")
_NOT_STRUCTURE: Final = bytes(set(range(256)) - set(b'[]{}"'))
_BLANKS: Final = " \t\n\r"
_ESCAPE_CHARS: Final = len(r"\ud800")
_MAYBE_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]").search
_SURROGATE_PAIR: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")


def loads(data: bytes, *, max_bytes: int, max_depth: int = MAX_DEPTH, safe_integers: bool = True) -> Any:
    """The value of JSON bytes, or a typed error; never a guess.

    Args:
        data: UTF-8 JSON without a byte order mark.
        max_bytes: Refuse anything longer, before looking at it.
        max_depth: How many arrays and objects may be open at once.
        safe_integers: Refuse integers beyond ±(2^53-1). False only where honest peers send them (A2A).

    Raises:
        WireError: The peer's fault. Codes `too-large`, `not-utf8`, `too-deep`, `invalid-json`, `duplicate-member`,
            `unsafe-number`, `lone-surrogate`.
    """
    return _read(data, _safe if safe_integers else _any_size, max_bytes, max_depth)


def loads_signed(data: bytes, *, max_bytes: int, max_depth: int = MAX_DEPTH) -> tuple[Any, bool]:
    """The value of JSON bytes that may be signed in canonical form, and whether all of its numbers are plain.

    Plain are integers, and floats that Python writes as RFC 8785 does; whole floats come as integers then. So whoever
    needs the canonical form need not look through the value again.

    Raises:
        WireError: As `loads`.
    """
    try:
        return _read(data, _plain_numbers, max_bytes, max_depth), True
    except _RareNumber:
        return _read(data, _safe, max_bytes, max_depth), False


def _read(data: bytes, parse: _Parse, max_bytes: int, max_depth: int) -> Any:
    if len(data) > max_bytes:
        raise wire_error("too-large", "", f"{len(data)} bytes, at most {max_bytes}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise wire_error("not-utf8", "", f"byte {error.start} is not UTF-8") from None
    if not within_depth(data, max_depth):
        raise wire_error("too-deep", "", f"nested deeper than {max_depth}")
    start = 0 if text[:1] == "{" else len(text) - len(text.lstrip(_BLANKS))
    try:
        value, end = parse(text, start)
    except (WireError, _RareNumber):
        raise
    except RecursionError:
        raise wire_error("too-deep", "", "nested deeper than the parser can follow") from None
    except (json.JSONDecodeError, StopIteration) as error:  # both tell where, and repeat no byte of the input
        place = error.value if isinstance(error, StopIteration) else error.pos
        raise wire_error("invalid-json", "", f"not JSON at character {place}") from None
    if end != len(text) and (rest := text[end:].lstrip(_BLANKS)):
        raise wire_error("invalid-json", "", f"not JSON at character {len(text) - len(rest)}")
    # JSON has few escapes, or none: to find the first and the last takes far less than a search by the pattern.
    first = text.find("\\")
    if (
        first >= 0
        and _MAYBE_SURROGATE(text, first, text.rfind("\\") + _ESCAPE_CHARS)
        and _MAYBE_SURROGATE(_without_pairs(text))
    ):
        _refuse_lone_surrogates(value)
    return value


def _without_pairs(text: str) -> str:
    r"""JSON text without its escaped pairs; an escaped backslash goes first, it would shift what `\\u` belongs to."""
    return _SURROGATE_PAIR.sub(" ", text.replace("\\\\", " "))


def within_depth(data: bytes, max_depth: int) -> bool:
    """Whether brackets outside strings nest at most `max_depth` deep, without parsing.

    Keeps brackets and quotes, drops strings, then peels innermost pairs off, one level a pass. Unbalanced input is
    called fine here: the parser refuses it with the better reason.
    """
    # Nearly all JSON has few brackets. A replacement finds them faster than a count, and ends after as many as matter.
    without = len(data.replace(b"[", b"", max_depth + 1)) + len(data.replace(b"{", b"", max_depth + 1))
    if 2 * len(data) - without <= max_depth:
        return True
    if b"\\" in data and b'\\"' in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    skeleton = data.translate(_TO_SQUARE, _NOT_STRUCTURE)
    if 2 * skeleton.count(b'""') == skeleton.count(b'"'):  # No string holds brackets.
        skeleton = skeleton.translate(None, b'"')
    else:
        skeleton = b"".join(data.split(b'"')[::2]).translate(_TO_SQUARE, _NOT_STRUCTURE)
    for _ in range(max_depth):
        shorter = skeleton.replace(b"[]", b"")
        if len(shorter) == len(skeleton):
            return True
        skeleton = shorter
    return b"[]" not in skeleton


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """One JSON object whose members are all different."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise wire_error("duplicate-member", "", "an object has the same member twice")
    return members


def _constant(_: str) -> NoReturn:
    raise wire_error("unsafe-number", "", "NaN and Infinity are not JSON")


def _float(digits: str) -> float:
    number = float(digits)
    if number - number != 0:  # inf alone differs from itself here
        raise wire_error("unsafe-number", "", "a number is beyond the range of a double")
    return number


def _safe_integer(digits: str) -> int:
    if len(digits) < 16:  # Short enough to be safe whatever the digits are.
        return int(digits)
    if len(digits) > 17 or abs(number := int(digits)) > MAX_SAFE_INTEGER:
        raise wire_error("unsafe-number", "", "an integer is beyond 2^53-1")
    return number


def _integer(digits: str) -> int:
    """An integer of any size that a double has, as `_float` takes numbers with a fraction."""
    if len(digits) <= _ALWAYS_DOUBLE:
        return int(digits)
    _float(digits)
    return int(digits)


class _RareNumber(Exception):
    """A float that Python and ECMAScript write in two ways."""


def _plain_number(digits: str) -> int | float:
    """A number that Python writes as ECMAScript does; whole ones as integers."""
    number = float(digits)
    size = abs(number)
    if size <= MAX_SAFE_INTEGER and number.is_integer():
        return int(number)
    if not MIN_PLAIN_FLOAT <= size <= MAX_SAFE_INTEGER:
        raise _RareNumber
    return number


def _parser(parse_float: Callable[[str], float], parse_int: Callable[[str], int]) -> _Parse:
    decoder = json.JSONDecoder(
        object_pairs_hook=_object, parse_int=parse_int, parse_float=parse_float, parse_constant=_constant
    )
    # `raw_decode` without its Python function: it raises StopIteration where no value begins.
    scan: _Parse = decoder.scan_once  # type: ignore[attr-defined]
    return scan


_safe: Final = _parser(_float, _safe_integer)
_any_size: Final = _parser(_float, _integer)
_plain_numbers: Final = _parser(_plain_number, _safe_integer)


def _refuse_lone_surrogates(value: object) -> None:
    """Raises when any string of `value` cannot be written as UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False, check_circular=False).encode()
    except UnicodeEncodeError:
        raise wire_error("lone-surrogate", "", "a string has a lone surrogate") from None


class NotWritable(UsageError):
    """JSON has no such thing, though it is of JSON's own types, so that a loose parser may have made it.

    Attributes:
        fault: What a strict reader calls it. It is no code of this error: the program made the mistake.
    """

    def __init__(self, fault: Code, reason: str) -> None:
        self.fault = fault
        super().__init__(reason)


def plain(value: Any, *, max_depth: int = VALUE_DEPTH) -> Any:
    """A fresh JSON value equal to `value`: dicts, lists, strings, finite numbers, booleans and None only.

    Any `Mapping` becomes a dict and tuples become lists, so that what is handed out shares nothing with what was
    taken in.

    Raises:
        UsageError: `value` holds something that is not of JSON's types.
        NotWritable: It holds a number or a text that JSON cannot carry, or is nested deeper than `max_depth`.
    """
    kind = value.__class__
    if kind is str:
        if not value.isascii() and not is_text(value):
            raise NotWritable("lone-surrogate", "a string has a lone surrogate")
        return value
    if value is None or kind is bool:
        return value
    if kind is int:
        if value.bit_length() > _ALWAYS_WRITABLE_BITS and not _is_writable(value):
            raise NotWritable("unsafe-number", "an integer is too long for JSON")
        return value
    if kind is float:
        if value - value != 0:  # inf and nan alone differ from themselves here
            raise NotWritable("unsafe-number", "NaN and Infinity are not JSON")
        return value
    if max_depth == 0:
        raise NotWritable("too-deep", "nested too deeply for JSON")
    if isinstance(value, Mapping):
        return {_key(name): plain(member, max_depth=max_depth - 1) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, max_depth=max_depth - 1) for item in value]
    for base in (str, int, float):  # an instance of a subclass, such as Address or an IntEnum
        if isinstance(value, base):
            return plain(base.__str__(value) if base is str else base(value), max_depth=max_depth)
    raise UsageError(f"{kind.__name__} is not a JSON value")


def checked_json(value: Any, *, max_depth: int) -> Any:
    """A fresh JSON value equal to what a JSON parser made of a peer's data, or a program in its place.

    Raises:
        WireError: `malformed`: it is no JSON, or is nested deeper than `max_depth`.
    """
    try:
        return plain(value, max_depth=max_depth)
    except UsageError as error:
        raise wire_error("malformed", "", str(error)) from None


def _key(name: object) -> str:
    if not isinstance(name, str):
        raise UsageError("the name of a JSON member must be a string")
    if not is_text(name):
        raise NotWritable("lone-surrogate", "the name of a JSON member has a lone surrogate")
    return str.__str__(name)  # exactly a str, also of a subclass such as an Enum


def _is_writable(number: int) -> bool:
    """Whether Python writes an integer as text: sys.set_int_max_str_digits, 4300 digits by default."""
    try:
        str(number)
    except ValueError:
        return False
    return True


def well_formed(text: str) -> str:
    """`text` with every lone surrogate replaced, for text that the caller's program decoded loosely."""
    return text if is_text(text) else text.encode("utf-8", "replace").decode()


def is_text(value: str) -> bool:
    """Whether `value` can be written as UTF-8, that is, has no lone surrogate."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def dig(value: Any, *path: str) -> Any:
    """The value at a path of member names, as in the `raw` of a message that is answered; None where there is none.

    `value` may come from the caller's own store, where it may have been cut, redacted or lost: whatever is missing, or
    has another shape, is not there.
    """
    for name in path:
        # Nearly all are dicts: to ask for `Mapping` alone takes longer than everything else here.
        value = value.get(name) if isinstance(value, (dict, Mapping)) else None
    return value


def dig_object(value: Any, *path: str) -> dict[str, Any]:
    """The JSON object at a path, as `dig`; empty where there is none."""
    member = dig(value, *path)
    return member if member.__class__ is dict else {}


def without_null(members: Mapping[str, Any]) -> dict[str, Any]:
    """The members that are there: those that are not None."""
    return {name: member for name, member in members.items() if member is not None}


def whole_number(value: object, *, least: int = 0) -> int | None:
    """A JSON number that is an integer, 2.0 included, from `least` to 2^53-1; None for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and least <= value <= MAX_SAFE_INTEGER else None


def line_encoder(default: Callable[[Any], Any] | None = None) -> Callable[[Any], str]:
    """As `dump_line`, with `default` for what JSON has no form for."""
    return json.JSONEncoder(
        ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":"), default=default
    ).encode


dump_line: Final = line_encoder()
"""A value as JSON on one line, without spaces, non-ASCII characters written as they are.

Making the encoder once takes a third off writing a small answer.
"""


def pointer(*tokens: str | int) -> str:
    """The JSON Pointer (RFC 6901) made of `tokens`; what cannot be printed is escaped, since pointers go into logs."""
    return "".join("/" + _printable(str(token)).replace("~", "~0").replace("/", "~1") for token in tokens)


def sent_indexes(at: str, left_out: Container[str]) -> Iterator[int]:
    """Where the items of an array stood before some were left out, one index after the other, without end.

    Args:
        at: The pointer of the array.
        left_out: The pointers of the items that were left out, among others.
    """
    return filter(lambda index: f"{at}/{index}" not in left_out, count())


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join([char if char.isprintable() else f"\\u{ord(char):04x}" for char in text])
