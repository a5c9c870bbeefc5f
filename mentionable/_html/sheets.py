"""The style sheets of a document: which of their rules apply to an element.

Read are simple selectors (`p`, `.note`, `#top`, `p.note`) outside of conditions. A rule with another selector, or
under a condition, may apply to an element where its last part does: what it shows there is not hidden, and
it hides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from .css_values import is_tiny
from .styles import UNKNOWN, Declarations, declarations, unescaped, without_comments

_Cells: TypeAlias = dict[str, dict[str, tuple[int, Any]]]
"""Selector → property → number of the rule and what its value does: the last rule wins."""

_SIMPLE: Final = re.compile(r"([A-Za-z][A-Za-z0-9]{0,30}|\*)?([.#][\w-]++)?").fullmatch
_PSEUDO: Final = re.compile(
    r"::?(?:hover|link|visited|active|focus|root|before|after|first-child|first-line|first-letter|last-child"
    r"|not(?=\()|nth-child(?=\())(?![\w-])"
).sub
_SOUND: Final = re.compile(r"""[\w\s.#>+~*()\[\]="'^$|-]++""").fullmatch
_BRACES: Final = re.compile(r"""[{}]|"[^"\n]*+"|'[^'\n]*+'""").finditer
_ENDS: Final = re.compile(r""";|"[^"\n]*+"|'[^'\n]*+'""").finditer
_BRACKETS: Final = re.compile(r"\([^()]*+\)|\[[^\[\]]*+\]|::?[\w-]++").sub
_COMPOUNDS: Final = re.compile(r"[^\s>+~]++").findall
_SUBJECT: Final = re.compile(r"([A-Za-z][A-Za-z0-9]{0,30}|\*)?([.#][\w.#-]++)?").fullmatch
_WORDS: Final = re.compile(r"[.#][\w-]++").findall
_IS_PART: Final = re.compile(r"::|:(?:before|after|first-line|first-letter)\Z").search
_SCREENS: Final = frozenset({"", "all", "screen", "only screen", "only all"})
_NO_SCREENS: Final = ("print", "only print", "speech", "only speech", "tty", "aural", "not all", "not screen")


def applies(media: str) -> bool | None:
    """Whether a list of media queries is that of a screen; None where it depends on more."""
    ways = [_applies(" ".join(one.split())) for one in media.lower().split(",")]
    return True if True in ways else None if None in ways else False


def _applies(query: str) -> bool | None:
    if query in _SCREENS:
        return True
    return False if query.startswith(_NO_SCREENS) else None


class _Block(NamedTuple):
    """What is between two braces: the selectors of its declarations, if any, and whether it applies."""

    selectors: str
    applies: bool | None
    body: list[str]


class Sheet:
    """The rules of a document's style sheets, by their selectors."""

    def __init__(self, texts: Sequence[tuple[str, bool | None]] = ()) -> None:
        """Reads the texts of all sheets of a document, each with whether it applies to a screen."""
        self.texts = texts
        self.usual: _Cells = {}
        self.important: _Cells = {}
        self.maybe: dict[str, set[str]] = {}
        """Selector → properties that a rule may state of what it selects."""
        self.maybe_important: dict[str, set[str]] = {}
        self.count = 0
        for text, way in texts:
            if way is not False:
                self._read(without_comments(text).replace("<!--", " ").replace("-->", " "), way)

    def _read(self, text: str, way: bool | None) -> None:
        """Reads one sheet. It goes through the text once, with the blocks that are open."""
        blocks = [_Block("", way, [])]
        at = 0
        is_broken = False
        for match in _BRACES(text):
            brace = match[0]
            if len(brace) > 1:
                continue
            inner, (*ended, before) = blocks[-1], _statements(text[at : match.start()])
            at = match.end()
            if inner.selectors:
                inner.body.extend(ended)
            elif ended:
                # What ends without a block is the beginning of a selector, which is none then.
                is_broken = is_broken or not all(one.startswith("@") for one in ended)
            if brace == "{":
                blocks.append(_Block("", False, []) if is_broken else _block(before, inner))
                is_broken = False
                continue
            if inner.selectors:
                inner.body.append(before)
            if len(blocks) > 1:
                self._add(blocks.pop())
                is_broken = False
            elif not before.startswith("@"):
                is_broken = True
        blocks[-1].body.append(text[at:])
        while len(blocks) > 1:
            self._add(blocks.pop())

    def _add(self, block: _Block) -> None:
        """Adds the declarations of a rule."""
        if not block.selectors or block.applies is False:
            return
        usual, important = declarations(";".join(block.body))
        if not usual and not important:
            return
        self.count += 1
        selectors = [unescaped(selector.strip()) for selector in block.selectors.split(",")]
        matches = [_SIMPLE(selector) for selector in selectors]
        is_read = block.applies and all(
            match is not None or _SOUND(_PSEUDO("", selector))
            for selector, match in zip(selectors, matches, strict=True)
        )
        for selector, match in zip(selectors, matches, strict=True):
            if is_read and match is not None:
                key = (match[1] or "").lower().replace("*", "" if match[2] else "*") + (match[2] or "")
                _set(self.usual, key, usual, self.count)
                _set(self.important, key, important, self.count)
            elif not _IS_PART(selector):
                key = _subject(selector)
                _note(self.maybe, key, usual)
                _note(self.maybe_important, key, important)

    def values(self) -> Iterator[tuple[str, Any]]:
        """Each property that a rule states for sure, and what its value does."""
        for cells in (self.usual, self.important):
            for rules in cells.values():
                for name, (_, value) in rules.items():
                    yield name, value

    def declared(self, name: str, classes: str, id: str, style: str) -> Declarations:
        """All that is declared of an element, the strongest alone."""
        usual, important = declarations(style) if style else ({}, {})
        if not self.count:
            return {**usual, **important}
        words = [f".{word}" for word in dict.fromkeys(classes.split())]
        ids = [f"#{id}"] if id else []
        tiers = [["*"], [name], words, [name + word for word in words], ids, [name + word for word in ids]]
        declared: Declarations = {}
        _cascade(declared, self.usual, tiers)
        _apply_unsure(declared, self.maybe, tiers)
        declared.update(usual)
        _cascade(declared, self.important, tiers)
        _apply_unsure(declared, self.maybe_important, tiers)
        declared.update(important)
        return declared


def _statements(text: str) -> list[str]:
    """A text between two braces as the statements in it, which end in a semicolon outside of a string."""
    if ";" not in text or not ('"' in text or "'" in text):
        return [one.strip() for one in text.split(";")]
    statements, at = [], 0
    for match in _ENDS(text):
        if match[0] == ";":
            statements.append(text[at : match.start()].strip())
            at = match.end()
    return [*statements, text[at:].strip()]


def _block(before: str, outer: _Block) -> _Block:
    """The block that begins behind that text."""
    if not before.startswith("@"):
        # A rule in a rule selects by both: what it says is not sure.
        return _Block(before or ",", outer.applies and (None if outer.selectors else outer.applies), [])
    word, _, condition = before.partition(" ")
    word, bracket, more = word.lower().partition("(")
    if word == "@media":
        way = applies(bracket + more + " " + condition)
    else:
        way = None if word in ("@supports", "@layer", "@container", "@scope") else False
    if outer.selectors:  # declarations in it are those of the rule around it, whose selectors are not read again
        return _Block("*", way and None, [])
    return _Block("", way if outer.applies or way is False else outer.applies, [])


def _set(cells: _Cells, key: str, declared: Declarations, number: int) -> None:
    """Writes down what a rule says of what a selector selects."""
    if declared:
        cells.setdefault(key, {}).update({name: (number, value) for name, value in declared.items()})


def _note(maybe: dict[str, set[str]], key: str, declared: Declarations) -> None:
    """Writes down what a rule may show."""
    names = [
        name for name, value in declared.items() if value is not True and not (name == "font-size" and is_tiny(value))
    ]
    if names:
        maybe.setdefault(key, set()).update(names)


def _subject(selector: str) -> str:
    """The simple selector of all that a selector may select; `*` for anything."""
    compounds = _COMPOUNDS(_BRACKETS("", selector))
    match = _SUBJECT(compounds[-1]) if compounds else None
    if match is None:
        return "*"
    words = _WORDS(match[0])
    return words[-1] if words else (match[1] or "*").lower()


def _cascade(declared: Declarations, cells: _Cells, tiers: list[list[str]]) -> None:
    """Takes in what rules say, the weakest selectors first; of equal ones the last rule wins."""
    for keys in tiers:
        rules = [cells[key] for key in keys if key in cells]
        if not rules:
            continue
        if len(rules) == 1:
            declared.update({name: value for name, (_, value) in rules[0].items()})
            continue
        last: dict[str, tuple[int, Any]] = {}
        for one in rules:
            for name, cell in one.items():
                if name not in last or last[name][0] < cell[0]:
                    last[name] = cell
        declared.update({name: value for name, (_, value) in last.items()})


def _apply_unsure(declared: Declarations, maybe: dict[str, set[str]], tiers: list[list[str]]) -> None:
    """Lets the properties hide nothing that a rule may state."""
    if maybe:
        for keys in tiers:
            for key in keys:
                for name in maybe.get(key, ()):
                    declared[name] = UNKNOWN.get(name, False)
