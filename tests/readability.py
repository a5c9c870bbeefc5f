"""How easily the pages for users read: the length of their sentences, and words that they should not use.

Usage: python -m tests.readability [FILE ...]

Without files it measures the README, CONTRIBUTING.md, every page under docs/ that is written by hand, and the pages of
the conformance suite but its list of changes.
"""

from __future__ import annotations

import re
import sys
from math import ceil
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from markdown_it import MarkdownIt

from tests.packages import ROOT, project_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

BANNED: Final = ("room", "door", "unit", "twin", "world")
"""Words of a private dialect. A page says `package`, `entry point`, `request` or `message`, `copy`, `answers`."""

DISCOURAGED: Final = (
    *("whom", "whose", "nobody", "anybody", "somebody", "beside", "stands", "stand", "said", "told", "shown"),
    *("demand", "comes to", "brings along", "what comes of", "of its own", "in one of several ways", "in two ways"),
)
"""Words that a page should replace by the role that acts: caller, sender, recipient, attacker."""

TECHNICAL: Final = ("unit test", "unit tests", "unit of measure")
"""Uses of a banned word that are the common term for a thing."""

_CODE: Final = "Code"  # stands for a code span, which counts as one word and may begin a sentence
_FRONT_MATTER: Final = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_ABBREVIATION: Final = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|no|St)\.$")
_SENTENCE_END: Final = re.compile(r"[.!?][\"'”’)*]*(?=\s+[\"'“‘(*]*[A-Z0-9@#])")
_MARKDOWN: Final = MarkdownIt("commonmark").enable("table")


class Prose(NamedTuple):
    """What a reader reads of a page, without its code.

    Attributes:
        sentences: The sentences of its paragraphs and list items.
        text: All of its words: these sentences, the headings and the cells of its tables.
    """

    sentences: tuple[str, ...]
    text: str


class Figures(NamedTuple):
    """How a page reads.

    Attributes:
        sentences: How many sentences it has.
        median: The median number of words in a sentence.
        ninetieth: The number of words that nine of ten sentences do not exceed.
        banned: The words of `BANNED` that it uses, each as often as it does.
        discouraged: The words of `DISCOURAGED` that it uses.
    """

    sentences: int
    median: float
    ninetieth: int
    banned: tuple[str, ...]
    discouraged: tuple[str, ...]


def prose(markdown: str) -> Prose:
    """The prose of a page: no front matter, no code, no addresses of links; tables count for words only."""
    sentences: list[str] = []
    texts: list[str] = []
    container = ""
    for token in _MARKDOWN.parse(_FRONT_MATTER.sub("", markdown)):
        if token.type == "inline":
            text = _plain(token.children or ())
            texts.append(text)
            if container == "paragraph_open":
                sentences += _split(text)
        else:
            container = token.type
    return Prose(tuple(sentences), "\n".join(texts))


def _plain(tokens: Sequence[Token]) -> str:
    """The words of a paragraph; a code span is one word, an image none."""
    words = {"code_inline": _CODE, "softbreak": " ", "hardbreak": " "}
    text = "".join(words.get(token.type, token.content if token.type == "text" else "") for token in tokens)
    return " ".join(text.split())


def _split(text: str) -> list[str]:
    """The sentences of a paragraph. Its end always ends one."""
    sentences, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        if not _ABBREVIATION.search(text, start, match.end()):
            sentences.append(text[start : match.end()].strip())
            start = match.end()
    return [sentence for sentence in [*sentences, text[start:].strip()] if word_count(sentence)]


def word_count(sentence: str) -> int:
    """How many words a sentence has: what blanks separate, as far as it holds a letter or a digit."""
    return sum(any(map(str.isalnum, word)) for word in sentence.split())


def words_in(text: str, words: Sequence[str]) -> tuple[str, ...]:
    """The words of a list that a text uses, each as often as it does, plurals and hyphenated words included."""
    pattern = "|".join(re.escape(word) for word in words)
    allowed = re.compile(rf"\b(?:{'|'.join(map(re.escape, TECHNICAL))})\b", re.IGNORECASE)
    matches = re.findall(rf"\b({pattern})(?:s|'s)?\b", allowed.sub("", text), re.IGNORECASE)
    return tuple(sorted(match.lower() for match in matches))


def measure(markdown: str) -> Figures:
    """The figures of a page."""
    page = prose(markdown)
    lengths = sorted(map(word_count, page.sentences))
    return Figures(
        sentences=len(lengths),
        median=median(lengths) if lengths else 0,
        ninetieth=lengths[ceil(0.9 * len(lengths)) - 1] if lengths else 0,
        banned=words_in(page.text, BANNED),
        discouraged=words_in(page.text, DISCOURAGED),
    )


def pages() -> list[Path]:
    """The pages for users, without the reference, which is written from docstrings, and lists of changes."""
    docs, suite = ROOT / "docs", ROOT / "conformance"
    others = {docs / "reference.md", *(docs / "reference").iterdir(), suite / "CHANGELOG.md"}
    written = [path for path in project_files(".md", docs, suite) if path not in others]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *written]


def _counted(words: tuple[str, ...]) -> str:
    """Each word with how often it occurs."""
    return ", ".join(f"{word} {words.count(word)}" for word in sorted({*words})) or "-"


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def main(arguments: Sequence[str]) -> None:
    """Prints a row for each page."""
    print(
        "| page | sentences | median | 90th percentile | banned | discouraged |\n| --- | --- | --- | --- | --- | --- |"
    )
    for path in [Path(name).resolve() for name in arguments] or pages():
        figures = measure(path.read_text(encoding="utf-8"))
        counts = f"{figures.sentences} | {figures.median:g} | {figures.ninetieth}"
        print(f"| {_name(path)} | {counts} | {_counted(figures.banned)} | {_counted(figures.discouraged)} |")


if __name__ == "__main__":
    main(sys.argv[1:])
