"""HTML for tests/differential, as programs write it: every element ends, and stands where it may.

What becomes of broken HTML nobody has said, so there is none here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.differential.texts import chance, word

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    Given = dict[str, Any]
    Generator = Callable[[Random], tuple[Any, Given]]

_DEPTH: Final = 3
_TEXTS: Final = (
    *(
        "1. one",
        "# no heading",
        "- no item",
        "a*b*c",
        "_a_",
        "`x`",
        "[x](y)",
        "&lt;b&gt;",
        "&amp;amp;",
        "x &quot;y&quot;",
    ),
    *(
        "a&nbsp;b",
        "é",
        "漢字",
        "😀",
        "a_b_c",
        "~~x~~",
        "1 &lt; 2",
        "a | b",
        "\\",
        "---",
        "===",
        "&#x85;",
        "&#8203;",
        "...",
    ),
    *("https://a.example/x", "www.a.example", "a@b.example", "C# and F#", "2) two", "+ plus", "&copy;", "50%", "a\tb"),
)
_LINKS: Final = (
    *("https://a.example/", "https://a.example/x?a=1&amp;b=2", "http://a.example/(x)", "mailto:a@b.example"),
    *("javascript:alert(1)", "/x", "#x", "", "https://bücher.example/ü", "tel:123", "HTTPS://A.example/x_y_z"),
)
_MARKS: Final = ("b", "strong", "i", "em", "code", "s", "del", "span", "u", "sub", "small")
_BLOCKS: Final = ("p", "p", "p", "h1", "h3", "ul", "ol", "pre", "hr")
_AROUND: Final = ("blockquote", "div", "section")


def _words(random: Random) -> str:
    texts = [random.choice(_TEXTS) if chance(random, 0.3) else word(random) for _ in range(random.randint(1, 4))]
    return random.choice((" ", " ", "  ", "\n")).join(texts)


def _inline(random: Random, depth: int) -> str:
    """Words, and elements among them."""
    pieces = [_words(random)]
    for _ in range(random.randrange(3)):
        kind = random.randrange(5)
        inner = _inline(random, depth - 1) if depth > 0 and chance(random, 0.4) else word(random)
        if kind == 0:
            pieces.append("<br>")
        elif kind == 1:
            href = random.choice(_LINKS)
            pieces.append(f'<a href="{href}">{href if href and chance(random, 0.3) else word(random)}</a>')
        elif kind == 2:
            pieces.append(f'<img src="https://a.example/x.png" alt="{word(random)}">')
        else:
            name = random.choice(_MARKS)
            pieces.append(f"<{name}>{word(random) if name == 'code' else inner}</{name}>")
        if chance(random, 0.7):
            pieces.append(_words(random))
    return " ".join(pieces)


def _block(random: Random, depth: int) -> str:
    """One block; blocks in it where it may hold some."""
    if depth > 0 and chance(random, 0.3):
        name = random.choice(_AROUND)
        return f"<{name}>{_blocks(random, depth - 1)}</{name}>"
    name = random.choice(_BLOCKS)
    if name == "hr":
        return "<hr>"
    if name == "pre":
        return f"<pre>{word(random)}\n  {word(random)}</pre>"
    if name in ("ul", "ol"):
        items = [_item(random, depth - 1) for _ in range(random.randint(1, 3))]
        return f"<{name}>{''.join(f'<li>{item}</li>' for item in items)}</{name}>"
    words = _inline(random, 1)
    return f"<{name}>{words if name == 'p' else words.replace('<br>', '')}</{name}>"


def _item(random: Random, depth: int) -> str:
    """Words, and sometimes a list below them."""
    if depth > 0 and chance(random, 0.2):
        return f"{_words(random)}<ul><li>{_item(random, depth - 1)}</li></ul>"
    return _inline(random, 1)


def _blocks(random: Random, depth: int) -> str:
    return random.choice(("", "\n")).join(_block(random, depth) for _ in range(random.randint(1, 3)))


def html(random: Random) -> tuple[Any, Given]:
    """A page of a few blocks."""
    return {"html": _blocks(random, _DEPTH)}, {}


GENERATORS: Final[dict[str, Generator]] = {"text.from_html": html, "text.markdown_from_html": html}
