"""Makes untrusted text safe to print: terminals obey escape sequences, so control characters are escaped."""

from __future__ import annotations

import json
from typing import Any, Final

from .._model.diagnostic import Diagnostic

MAX_CHARACTERS: Final = 500
_C1_CONTROLS: Final = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}


def one_line(text: str) -> str:
    """`text` on one line, control characters escaped, at most 500 characters."""
    line = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text[:MAX_CHARACTERS]
    )
    return line if len(text) <= MAX_CHARACTERS else line + "…"


def diagnostic_text(diagnostic: Diagnostic) -> str:
    """A diagnostic as one text: code, JSON pointer, detail."""
    return ": ".join(filter(None, (diagnostic.code, diagnostic.at, diagnostic.detail)))


def printable(text: str) -> str:
    """`text` with its line breaks; every other character that does not print is escaped."""
    return "\n".join(
        "".join(char if char.isprintable() or char == "\t" else char.encode("unicode_escape").decode() for char in line)
        for line in text.split("\n")
    )


def json_text(document: Any, *, compact: bool) -> str:
    """JSON, indented or on one line, with control characters escaped."""
    if compact:
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    else:
        text = json.dumps(document, ensure_ascii=False, indent=2)
    return escaped(text)


def escaped(text: str) -> str:
    """JSON with the C1 control characters escaped, which JSON allows as they are."""
    return text.translate(_C1_CONTROLS)
