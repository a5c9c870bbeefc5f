"""Rich text: what people typed, element by element, as plain text where it has no markup, else as Markdown.

Spec: Slack, Block Kit, rich text block.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple

from ...._text.markdown_words import (
    has_label,
    looks_like_mention,
    markdown_line,
    markdown_link,
    markdown_words,
    mention_token,
)
from ...._text.media import single_line
from ...._wire.http import is_web_url
from ..._members import object_of, objects_of
from .._ids import is_channel, is_group, is_user, text_of
from .times import date_text

Element = Mapping[str, Any]

RICH_TEXT: Final = "rich_text"

KNOWN_ELEMENTS: Final = frozenset(
    {"text", "link", "user", "usergroup", "team", "channel", "broadcast", "emoji", "date", "color"}
)
"""Elements of a line of rich text."""

_SECTIONS: Final = ("rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted")

_STYLES: Final = (("bold", 1), ("strike", 2), ("italic", 4), ("code", 8))
_MARKS: Final = ((1, "**"), (2, "~~"), (4, "_"))
"""The marks of styles, from the outside."""

_CODE: Final = 8
_LINE_STARTS: Final = frozenset(">#-=|: \t")
"""Characters with which a line may begin that is escaped."""

_MAX_INDENT: Final = 8
_MAX_NUMBER: Final = 1_000_000
_BACKTICKS: Final = re.compile("`++")
_is_emoji: Final = re.compile(r"[0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,15}").fullmatch
_LAST_CODE_POINT: Final = 0x10FFFF


def plain_rich_text(blocks: Sequence[Any]) -> str | None:
    """Blocks of rich text without markup, exactly as they were typed; None where they have markup or are others."""
    lines: list[str] = []
    typed: list[str] = []
    for block in blocks:
        if block.__class__ is not dict or block.get("type") != RICH_TEXT:
            return None
        for section in objects_of(block.get("elements")):
            if section.get("type") != "rich_text_section":
                return None
            pieces: list[str] = []
            for element in objects_of(section.get("elements")):
                kind = element.get("type")
                if kind.__class__ is not str or kind not in KNOWN_ELEMENTS or element.get("style"):
                    return None
                if kind == "link" and _shows_label(element):
                    return None
                piece = _written(element, text_of, is_markdown=False)
                pieces.append(piece)
                typed.append(piece if kind not in ("user", "channel", "usergroup") else " ")
            lines.append("".join(pieces))
    text = "\n".join(lines)
    # Whoever types what looks like a mention gets Markdown, where it can be escaped.
    return None if "<" in text and looks_like_mention("".join(typed)) else text


def _shows_label(element: Element) -> bool:
    return has_label(text_of(element.get("url")), text_of(element.get("text")))


def unknown_elements(block: Element) -> Iterator[str]:
    """The types in a block of rich text that are not known."""
    for section in objects_of(block.get("elements")):
        if section.get("type") not in _SECTIONS:
            yield str(section.get("type"))
        for element in objects_of(section.get("elements")):
            kind = element.get("type")
            if kind in _SECTIONS:
                yield from [str(one.get("type")) for one in objects_of(element.get("elements")) if not _is_known(one)]
            elif not _is_known(element):
                yield str(kind)


def _is_known(element: Element) -> bool:
    kind = element.get("type")
    return kind.__class__ is str and kind in KNOWN_ELEMENTS


def markdown_rich_text(block: Element) -> str:
    """A block of rich text as Markdown."""
    pieces: list[str] = []
    before = ""
    for section in objects_of(block.get("elements")):
        kind = str(section.get("type"))
        text = _section(section, kind)
        if pieces:
            pieces[-1] = pieces[-1].removesuffix("\n")
            pieces.append("\n" if kind == before and kind in ("rich_text_list", "rich_text_section") else "\n\n")
        pieces.append(text)
        before = kind
    return "".join(pieces)


def _section(section: Element, kind: str) -> str:
    """A paragraph, a list, a quotation or a block of code."""
    if kind == "rich_text_list":
        text = "\n".join(_items(section))
    elif kind == "rich_text_preformatted":
        text = code_block("".join([_verbatim(element) for element in objects_of(section.get("elements"))]))
    else:
        text = line_text(objects_of(section.get("elements")))
    return _quoted(text) if kind == "rich_text_quote" or section.get("border") in (1, True) else text


def _items(section: Element) -> Iterator[str]:
    """The items of a list; the lines of an item that go on are indented."""
    indent = "    " * min(_count(section.get("indent")), _MAX_INDENT)
    is_ordered, number = section.get("style") == "ordered", min(_count(section.get("offset")), _MAX_NUMBER)
    for item in objects_of(section.get("elements")):
        number += 1
        mark = f"{number}. " if is_ordered else "- "
        kind = str(item.get("type"))
        lines = _section(item, kind if kind in _SECTIONS and kind != "rich_text_list" else "").split("\n")
        yield f"\n{indent}{' ' * len(mark)}".join([f"{indent}{mark}{lines[0]}", *lines[1:]])


def _count(value: Any) -> int:
    return value if value.__class__ is int and value > 0 else 0


def _quoted(text: str) -> str:
    return "\n".join([f"> {line}" for line in text.removesuffix("\n").split("\n")])


def code_block(text: str) -> str:
    """A block of code in Markdown, with a fence that no line in it ends."""
    fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(text)), default=0))
    return f"{fence}\n{text.removesuffix(chr(10))}\n{fence}"


def line_text(elements: Iterable[Element]) -> str:
    """Elements as lines of Markdown. A line begins with no markup that was not chosen."""
    runs = _runs(elements)
    is_nested = any(first.style and second.style for first, second in pairwise(runs))
    text = _nested(runs, _MARKS) if is_nested else "".join([_in_marks(run) if run.style else run.text for run in runs])
    if "\n" not in text and text[:1] not in _LINE_STARTS:
        return text
    return "\n".join([f"\\{line}" if line[:1] == ">" else markdown_line(line) for line in text.split("\n")])


class _Run(NamedTuple):
    """Neighbouring elements of one style, as Markdown without its marks."""

    style: int
    text: str


def _runs(elements: Iterable[Element]) -> list[_Run]:
    """Elements, joined as far as they have one style. Text is escaped afterwards: what follows may matter."""
    runs: list[_Run] = []
    typed: list[str] = []
    pieces: list[str] = []
    style = 0
    for element in elements:
        kind, chosen = element.get("type"), element.get("style")
        new_style = _style(chosen) if chosen else 0
        if new_style != style:
            pieces += _typed(typed, style)
            runs += _run(style, pieces)
            typed, pieces, style = [], [], new_style
        if kind == "text" or (style & _CODE and kind == "link"):
            typed.append(text_of(element.get("text")) or _verbatim(element))
        else:
            pieces += _typed(typed, style)
            typed = []
            pieces.append(_written(element, _escaped, is_markdown=True))
    pieces += _typed(typed, style)
    return [*runs, *_run(style, pieces)]


def _typed(typed: list[str], style: int) -> tuple[str, ...]:
    """Text and code that was typed, as one piece."""
    if not typed:
        return ()
    text = "".join(typed)
    return (_code(text) if style & _CODE else markdown_words(text),)


def _run(style: int, pieces: list[str]) -> tuple[_Run, ...]:
    text = "".join(pieces)
    return (_Run(style & ~_CODE, text),) if text else ()


def _style(chosen: Any) -> int:
    """A style as a number: one bit for each mark."""
    members = object_of(chosen)
    return sum([bit for name, bit in _STYLES if members.get(name) is True])


def _nested(runs: Sequence[_Run], marks: Sequence[tuple[int, str]]) -> str:
    """Runs with their marks, one mark around all neighbours of a style."""
    if not marks:
        return "".join([run.text for run in runs])
    (bit, mark), *rest = marks
    pieces = []
    for is_set, group in groupby(runs, key=lambda run: run.style & bit):
        text = _nested(list(group), rest)
        pieces.append("\n".join([_marked(line, mark) for line in text.split("\n")]) if is_set else text)
    return "".join(pieces)


def _in_marks(run: _Run) -> str:
    marks = [mark for bit, mark in reversed(_MARKS) if run.style & bit]
    text = run.text
    for mark in marks:
        text = "\n".join([_marked(line, mark) for line in text.split("\n")])
    return text


def _marked(line: str, mark: str) -> str:
    """A line between marks, with no white space next to them within."""
    bare = line.strip()
    if not bare:
        return line
    start = line.index(bare)
    return f"{line[:start]}{mark}{bare}{mark}{line[start + len(bare) :]}"


def _code(text: str) -> str:
    """Code within a line."""
    if "\n" in text:
        return "\n".join([_code(line) if line else line for line in text.split("\n")])
    fence = "`" * (1 + max(map(len, _BACKTICKS.findall(text)), default=0))
    space = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{space}{text}{space}{fence}" if text else ""


def _escaped(value: Any) -> str:
    return markdown_words(text_of(value))


def _verbatim(element: Element) -> str:
    """An element as it is visible in code."""
    return _written(element, text_of, is_markdown=False)


def _written(element: Element, words: Callable[[Any], str], *, is_markdown: bool) -> str:
    """An element as it is visible.

    Args:
        element: The element.
        words: Writes its words.
        is_markdown: Whether links are written as Markdown.
    """
    match element.get("type"):
        case "text":
            return words(element.get("text"))
        case "user" if is_user(element.get("user_id")):
            return mention_token(f"@{element['user_id']}", is_markdown=is_markdown)
        case "channel" if is_channel(element.get("channel_id")):
            return mention_token(f"#{element['channel_id']}", is_markdown=is_markdown)
        case "usergroup" if is_group(element.get("usergroup_id")):
            return mention_token(f"!subteam^{element['usergroup_id']}", is_markdown=is_markdown)
        case "link":
            return _link(element, words, is_markdown=is_markdown)
        case "emoji":
            return _emoji(element, words)
        case "broadcast":
            return "@" + words(element.get("range"))
        case "date":
            return words(text_of(element.get("fallback")) or date_text(element.get("timestamp"), element.get("format")))
        case "color":
            return words(element.get("value"))
        case "team":
            return "@" + words(element.get("team_id"))
        case _:
            texts = [text_of(element.get(name)) for name in ("text", "fallback", "name", "title", "label")]
            return words(" ".join(filter(None, texts)))


def _link(element: Element, words: Callable[[Any], str], *, is_markdown: bool) -> str:
    url, text = single_line(text_of(element.get("url"))), text_of(element.get("text"))
    if not is_markdown or not is_web_url(url):
        return words(text or url.removeprefix("mailto:"))
    return markdown_link(url, single_line(text))


def _emoji(element: Element, words: Callable[[Any], str]) -> str:
    """An emoji as the character that people see, or its code where it is one of the workspace."""
    code = element.get("unicode")
    if isinstance(code, str) and _is_emoji(code):
        points = [int(point, 16) for point in code.split("-")]
        if all(point <= _LAST_CODE_POINT and not 0xD800 <= point <= 0xDFFF for point in points) and max(points) > 0x7F:
            return "".join([words(chr(point)) if point < 0x80 else chr(point) for point in points])
    return words(f":{text_of(element.get('name'))}:")
