"""Pieces of text as `rich_text` of Slack, in which nothing is markup: every character appears as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from .inline import Piece

Element: TypeAlias = "dict[str, Any]"


def elements_of(pieces: Iterable[Piece]) -> list[Element]:
    """The elements of a section or a quotation."""
    elements: list[Element] = []
    for piece in pieces:
        if piece.kind == "text" and not piece.text:
            continue
        element: Element
        match piece.kind:
            case "link":
                element = {"type": "link", "url": piece.target, **({"text": piece.text} if piece.text else {})}
            case "user":
                element = {"type": "user", "user_id": piece.target}
            case "emoji":
                element = {"type": "emoji", "name": piece.target}
            case "break":
                element = {"type": "text", "text": "\n"}
            case _:
                element = {"type": "text", "text": piece.text}
        styles: list[str] = [*piece.styles, *(["code"] if piece.kind == "code" else [])]
        if styles:
            element["style"] = dict.fromkeys(styles, True)
        elements.append(element)
    return elements


def text_of(element: Element) -> str:
    """The words of an element."""
    words = [element[name] for name in ("text", "url", "user_id", "name") if name in element]
    text: str = words[0]
    return text


def rich_text(elements: Sequence[Element], *, is_quote: bool) -> Element:
    """A block of one paragraph."""
    kind = "rich_text_quote" if is_quote else "rich_text_section"
    return {"type": "rich_text", "elements": [{"type": kind, "elements": list(elements)}]}
