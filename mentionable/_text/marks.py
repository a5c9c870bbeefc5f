"""Where the text of a mail has what may be a mark: of a quotation, an earlier mail, a signature or a footer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from .mail_phrases import BEGIN_FORWARDED, HEADER_ROLES, LEGAL_STARTS, SENT_FROM

MAX_ATTRIBUTION: Final = 500
MAX_PHRASE: Final = 120
"""Characters of a line that is a phrase, or of the beginning in which one is looked for."""

EDGES: Final = " \t\r\xa0\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
COLONS: Final = (":", "：", "﹕")
AROUND_NAME: Final = " *\xa0\t\u200f\u200e"
ADDRESSED: Final = re.compile(r"<\x20?[^<>\s]{1,254}@[^<>\s]{1,254}\x20?>").search
RULE: Final = re.compile(r"[-_=*]{5,}").fullmatch

_FROM: Final = tuple([name for name, role in HEADER_ROLES.items() if role == "from"])
_PHRASES: Final = (*SENT_FROM, *LEGAL_STARTS, *BEGIN_FORWARDED)
_FIRST: Final = frozenset(phrase[:2] for phrase in (*_PHRASES, *_FROM))
_MARKS: Final = frozenset("-_=*")
_LAST: Final = frozenset((*COLONS, "-"))
_PHRASE_CHARS: Final = 6
"""So many characters of a phrase tell well enough whether a line begins with it."""

_BEFORE_MARK: Final = 12
"""So many lines before a mark may belong to it: an attribution has four, and empty lines may be behind it."""

_BEFORE_PHRASE: Final = re.escape(f"{EDGES}*_[]-=")


def first_mark(content: str) -> int:
    """Where the lines of a plain text begin that need a look: what is before them is new, whatever they are.

    One search finds the first line that begins as a quotation, a rule, a phrase or a field does, or that has an address
    as an attribution does. Nearly all lines of ordinary mails are passed by in this way.
    """
    marks = _mark_pattern()
    if marks.match("\n" + content[:MAX_ATTRIBUTION]):
        return 0
    first = marks.search(content)
    at = first.start() if first else len(content)
    if "<" in content and (address := ADDRESSED(content, 0, at)):
        at = address.start()
    elif first is None:
        return at
    for _ in range(_BEFORE_MARK):
        at = content.rfind("\n", 0, max(at, 0))
    # It begins with a line that has text: an empty one is what the line before it is.
    while at > 0 and not content[(begin := content.rfind("\n", 0, at)) + 1 : at].strip(EDGES):
        at = begin
    return content.rfind("\n", 0, max(at, 0)) + 1


@cache
def _mark_pattern() -> re.Pattern[str]:
    """Takes the start of a line that may be a mark. Made at first use: it holds the first letters of every phrase."""
    phrases = [phrase.lstrip(EDGES) for phrase in _PHRASES]
    first = re.escape("".join(sorted({phrase[0] for phrase in (*phrases, *_FROM)})))
    names = rf"{_trie(_FROM, whole=True)}[{AROUND_NAME}]*+[:：﹕]"
    words = f"(?i:(?=[{first}])(?:{_trie([phrase[:_PHRASE_CHARS] for phrase in phrases])}|{names}))"
    marks = rf"[-_=*](?:[-_=*]|[{_BEFORE_PHRASE}]*+{words})"
    return re.compile(rf"\n[{re.escape(EDGES)}]*+(?:>|{marks}|{words})")


def _trie(phrases: Iterable[str], *, whole: bool = False) -> str:
    """A pattern of phrases that looks at each letter once. Unless they are whole, the shortest that fits is enough."""
    rests: dict[str, list[str]] = {}
    for phrase in phrases:
        if not phrase and not whole:
            return ""
        rests.setdefault(phrase[:1], []).append(phrase[1:])
    ends = rests.pop("", None) is not None
    branches = [re.escape(letter) + _trie(rest, whole=whole) for letter, rest in rests.items()] + [""] * ends
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


def marked_lines(texts: Sequence[str]) -> list[int]:
    """The lines that need a look, by their first and last characters alone."""
    return [
        at
        for at, text in enumerate(texts)
        if text and (text[-1] in _LAST or text[0] in _MARKS or text[:2].casefold() in _FIRST)
    ]


def text_above(texts: Sequence[str], at: int, empty: int) -> int:
    """The line with text above a line and above no more than so many empty ones, or -1."""
    for above in range(at - 1, max(at - 2 - empty, -1), -1):
        if texts[above]:
            return above
    return -1


def is_announced(texts: Sequence[str], at: int) -> bool:
    """Whether the line with text above a line ends in a colon: what is below is what the sender shows."""
    above = text_above(texts, at, 3)
    return above >= 0 and texts[above].endswith(COLONS)


def in_lower_case(text: str) -> str:
    """The text as phrases are written. The Turkish capital I has a dot of its own."""
    return text.casefold().replace("\u0307", "")
