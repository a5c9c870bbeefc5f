"""Values as people read them in a terminal: JSON broken where it is long, long texts shortened, nothing that acts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["as_json", "as_text", "in_a_log", "visible"]

_COMMAND: Final = re.compile(r"\A ?(?=::)|(?<=#)(?=#[a-z]*+\[)")
"""Where what CI systems take for a command begins: `::error::`, `##[error]`, `##vso[`."""
_WIDTH: Final = 110
_TEXT: Final = 300
"""So many characters of a text are shown."""
_LINES: Final = 100
"""So many lines of a value are shown."""
_DEEP: Final = 24
"""What is nested deeper stands on one line."""


def visible(text: str) -> str:
    """The text with every character that a terminal acts on, or that cannot be seen, written as an escape."""
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def in_a_log(text: str) -> str:
    """The visible text, without a command to the CI system that keeps the log."""
    return _COMMAND.sub(r"\\", visible(text.strip()))


def _escaped(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}" if number < 65536 else f"\\U{number:08x}"


def as_json(value: Any, *, full: bool = False) -> list[str]:
    """A value as lines of JSON; what fits stands on one line. Not `full`: long texts and long values are cut."""
    return _some(_broken(value if full else _shortened(value), "", ""), full)


def as_text(data: bytes, *, full: bool = False) -> list[str]:
    """Bytes as lines of text, where they are UTF-8; else the first of them in hex."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return [f"{data[:32].hex(' ')} …" if len(data) > 32 else data.hex(" ")]
    lines = (visible(line.rstrip("\r")) for line in text.removesuffix("\n").split("\n"))
    return _some((line if full or len(line) <= _TEXT else f"{line[:_TEXT]}…" for line in lines), full)


def _some(lines: Iterator[str], full: bool) -> list[str]:
    """All lines, or so many and how many are missing."""
    listed = list(lines)
    more = len(listed) - _LINES
    return listed if full or more <= 0 else [*listed[:_LINES], f"… ({more:,} more lines: --full shows them)"]


def _shortened(value: Any) -> Any:
    """The value with its long texts cut."""
    if isinstance(value, str):
        return value if len(value) <= _TEXT else f"{value[:_TEXT]}… ({len(value):,} characters)"
    if isinstance(value, Mapping):
        return {name: _shortened(member) for name, member in value.items()}
    return [_shortened(item) for item in value] if isinstance(value, list) else value


def _broken(value: Any, before: str, indent: str) -> Iterator[str]:
    """The lines of a value, the first of them after `before`, which is indented already."""
    line = before + visible(json.dumps(value, ensure_ascii=False))
    is_simple = not isinstance(value, (Mapping, list)) or not value
    if is_simple or len(line) <= _WIDTH or len(indent) >= 2 * _DEEP:
        yield line
        return
    inner = indent + "  "
    yield before + ("{" if isinstance(value, Mapping) else "[")
    items = (
        [(f"{json.dumps(name, ensure_ascii=False)}: ", member) for name, member in value.items()]
        if isinstance(value, Mapping)
        else [("", item) for item in value]
    )
    for number, (name, member) in enumerate(items, start=1):
        *most, last = _broken(member, inner + visible(name), inner)
        yield from most
        yield last + ("," if number < len(items) else "")
    yield indent + ("}" if isinstance(value, Mapping) else "]")
