"""Strings that a pattern matches or nearly matches, made of its own parse tree: the same on every interpreter.

Interpreters read a pattern into different trees, and draw different values of the same seed. So the tree is plain data
that one of them made (`plan`), and every draw goes through `Draws`.
"""

from __future__ import annotations

import re
import re._constants as sre
import re._parser as parser
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CHUNK: Final = 250
"""How many strings come of one seed, a tenth of them out of the tree and the rest by changes of those."""

_LONGEST: Final = 120
_TREES: Final = 10
_SAMPLES: Final = {
    "CATEGORY_DIGIT": "0189٣",
    "CATEGORY_NOT_DIGIT": "a é",
    "CATEGORY_SPACE": " \t\n\r\x0b\x0c\x1c\xa0\u2003",
    "CATEGORY_NOT_SPACE": "a0é-",
    "CATEGORY_WORD": "aZ_0é中",
    "CATEGORY_NOT_WORD": " -.\n<",
}
_ANY: Final = "aZ09 \t\r\n.,:;=-_+/*<>()[]{}\"'`\\|&#@%?!~^$\0\x7f\x85\xa0é中\u200b\u2028\U0001f527"

Tree = list[Any]


class Plan(NamedTuple):
    """What a pattern is, as plain data.

    Attributes:
        name: The name of the pattern.
        text: Its source; that of bytes is read as Latin-1.
        flags: Its flags.
        binary: Whether it matches bytes.
        tree: Its parse tree.
    """

    name: str
    text: str
    flags: int
    binary: bool
    tree: Tree

    def compile(self) -> re.Pattern[Any]:
        """The pattern as this interpreter has it."""
        return re.compile(self.text.encode("latin-1") if self.binary else self.text, self.flags)


def plan(name: str, pattern: re.Pattern[Any]) -> Plan:
    """The plan of a pattern."""
    binary = isinstance(pattern.pattern, bytes)
    flags = pattern.flags & ~re.UNICODE.value
    text = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    return Plan(name, text, flags, binary, _plain(parser.parse(pattern.pattern, flags)))


def _plain(value: Any) -> Any:
    """A parse tree as lists, names and numbers."""
    if isinstance(value, parser.SubPattern):
        return [[str(op), _plain(argument)] for op, argument in value]
    if isinstance(value, sre._NamedIntConstant):
        return str(value) if value != sre.MAXREPEAT else _LONGEST
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value


class Draws:
    """Random draws by one seed. Only `random` gives the same numbers in every version."""

    def __init__(self, *seed: str | int) -> None:
        self._random = Random("/".join(map(str, seed))).random

    def below(self, number: int) -> int:
        """A number from zero on."""
        return int(self._random() * number)

    def one_of(self, some: Sequence[Any]) -> Any:
        """One of some."""
        return some[self.below(len(some))]


def strings(of: Plan, chunk: int) -> Iterator[str | bytes]:
    """The strings of one chunk."""
    draws = Draws(of.name, of.text, chunk)
    made = [_Maker(draws, of.flags).make(of.tree) for _ in range(CHUNK // _TREES)]
    letters = _letters(of.tree) + _ANY
    for number in range(CHUNK):
        text = made[number] if number < len(made) else _changed(made, letters, draws)
        yield text.encode("latin-1", "ignore") if of.binary else text


def _changed(made: Sequence[str], letters: str, draws: Draws) -> str:
    """One of the strings, with one to three changes."""
    text: str = draws.one_of(made)
    for _ in range(1 + draws.below(3)):
        start = draws.below(len(text) + 1)
        end = min(len(text), start + draws.below(4))
        kind = draws.below(6)
        if kind == 0:
            text = text[:start] + text[end:]
        elif kind == 1:
            text = text[:start] + draws.one_of(letters) + text[start:]
        elif kind == 2:
            text = text[:start] + draws.one_of(letters) + text[end:]
        elif kind == 3:
            text = text[:end] + text[start:]
        elif kind == 4:
            text = text[:start] + draws.one_of(made)[-draws.below(20) - 1 :]
        else:
            text = text[:start] + draws.one_of(made) + text[start:]
    return text[: 2 * _LONGEST]


def _letters(tree: Any) -> str:
    """The letters that a tree names."""
    if not isinstance(tree, list):
        return ""
    if len(tree) == 2 and tree[0] in ("LITERAL", "NOT_LITERAL"):
        return chr(tree[1])
    return "".join(dict.fromkeys("".join(_letters(one) for one in tree)))


class _Maker:
    """Makes one string of a tree."""

    def __init__(self, draws: Draws, flags: int) -> None:
        self._draws, self._folds = draws, bool(flags & re.IGNORECASE)
        self._groups: dict[int, str] = {}
        self._room = _LONGEST

    def make(self, tree: Tree) -> str:
        """A string that the tree matches, but for what looks around."""
        return "".join([getattr(self, f"_{op.lower()}")(argument) for op, argument in tree])

    def _literal(self, code: int) -> str:
        self._room -= 1
        letter = chr(code)
        return letter.swapcase() if self._folds and not self._draws.below(3) else letter

    def _not_literal(self, code: int) -> str:
        self._room -= 1
        return str(self._draws.one_of(_ANY.replace(chr(code), "")))

    def _any(self, _: None) -> str:
        self._room -= 1
        return str(self._draws.one_of(_ANY))

    def _in(self, members: Tree) -> str:
        self._room -= 1
        negated = members[0][0] == "NEGATE"
        if not negated:
            return self._member(self._draws.one_of(members))
        outside = [letter for letter in _ANY if not any(_has(member, letter) for member in members[1:])]
        return str(self._draws.one_of(outside or _ANY))

    def _member(self, member: Tree) -> str:
        op, argument = member
        if op == "RANGE":
            first, last = argument
            return chr(self._draws.one_of((first, last, first + self._draws.below(last - first + 1))))
        return self._literal(argument) if op == "LITERAL" else self._category(argument)

    def _category(self, name: str) -> str:
        return str(self._draws.one_of(_SAMPLES[name]))

    def _branch(self, argument: Tree) -> str:
        return self.make(self._draws.one_of(argument[1]))

    def _subpattern(self, argument: Tree) -> str:
        text = self.make(argument[3])
        if argument[0] is not None:
            self._groups[argument[0]] = text
        return text

    def _max_repeat(self, argument: Tree) -> str:
        least, most, tree = argument
        often = self._draws.one_of((least, least + 1, least + 2, least + 3 + self._draws.below(6)))
        if not self._draws.below(20):
            often = most
        times = range(max(least, min(often, most)))
        return "".join([self.make(tree) for number in times if number < least or self._room > 0])

    _min_repeat = _possessive_repeat = _max_repeat

    def _atomic_group(self, tree: Tree) -> str:
        return self.make(tree)

    def _groupref(self, number: int) -> str:
        return self._groups.get(number, "")

    def _groupref_exists(self, argument: Tree) -> str:
        number, yes, no = argument
        return self.make(yes if number in self._groups else no or [])

    def _assert(self, argument: Tree) -> str:
        return self.make(argument[1]) if self._draws.below(2) else ""

    def _assert_not(self, argument: Tree) -> str:
        return "" if self._draws.below(4) else self.make(argument[1])

    def _at(self, _: str) -> str:
        return "\n" if not self._draws.below(20) else ""


def _has(member: Tree, letter: str) -> bool:
    """Whether a member of a set has a letter, as far as it is told by its code."""
    op, argument = member
    if op == "RANGE":
        return bool(argument[0] <= ord(letter) <= argument[1])
    return ord(letter) == argument if op == "LITERAL" else letter in _SAMPLES[argument]
