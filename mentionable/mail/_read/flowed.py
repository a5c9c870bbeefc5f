"""Text in lines that a program broke softly (`format=flowed`, RFC 3676)."""

from __future__ import annotations

from typing import Final

_SIGNATURE: Final = "-- "


def unflow(text: str, *, delete_space: bool) -> str:
    """`text` with its soft line breaks taken out.

    A line that ends in a blank goes on in the next one of the same quote depth. Quoted lines come out as `> text`, one
    `>` for each level. The signature separator is never joined.

    Args:
        text: Lines that end in LF.
        delete_space: Whether the blank of a soft break goes with it (`DelSp=yes`, for scripts without blanks).

    Spec: RFC 3676 §4.
    """
    out: list[str] = []
    paragraph: list[str] = []
    depth = 0
    lines = text.split("\n")
    tail = lines.pop()
    for line in [*lines, tail] if tail else lines:
        content = line.lstrip(">")
        level = len(line) - len(content)
        if content[:1] == " ":
            content = content[1:]
        if paragraph and (level != depth or content == _SIGNATURE):
            out.append(_quoted("".join(paragraph), depth))
            paragraph.clear()
        depth = level
        if content[-1:] == " " and content != _SIGNATURE:
            paragraph.append(content[:-1] if delete_space else content)
            continue
        paragraph.append(content)
        out.append(_quoted("".join(paragraph), depth))
        paragraph.clear()
    if paragraph:
        out.append(_quoted("".join(paragraph), depth))
    return "\n".join(out) + ("" if tail or not out else "\n")


def _quoted(text: str, depth: int) -> str:
    """A line at a quote depth."""
    if not depth:
        return text
    return f"{'>' * depth} {text}" if text else ">" * depth
