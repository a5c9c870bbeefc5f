"""Text from outside on a terminal: one line, and nothing in it that a terminal obeys."""

from __future__ import annotations

import json
from typing import Any, Final

from .._model.diagnostic import Diagnostic

LONGEST: Final = 500
_C1_CONTROLS: Final = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}


def one_line(text: str) -> str:
    """`text` on one line, control characters escaped, at most 500 characters."""
    line = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text[:LONGEST])
    return line if len(text) <= LONGEST else line + "…"


def note_text(note: Diagnostic) -> str:
    """A diagnostic in words."""
    return ": ".join(filter(None, (note.code, note.at, note.detail)))


def printable(text: str) -> str:
    """`text` with its line breaks, and with every other character that does not print escaped."""
    return "\n".join(
        "".join(char if char.isprintable() or char == "\t" else char.encode("unicode_escape").decode() for char in line)
        for line in text.split("\n")
    )


def json_text(document: Any, *, compact: bool) -> str:
    """JSON for people or, compact, for programs: on one line. Control characters are escaped in both."""
    if compact:
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    else:
        text = json.dumps(document, ensure_ascii=False, indent=2)
    return escaped(text)


def escaped(text: str) -> str:
    """JSON with the control characters escaped that JSON leaves as they are."""
    return text.translate(_C1_CONTROLS)
