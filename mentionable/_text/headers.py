"""Names and tokens of authors as they may stand in a header, and the block of text that somebody else wrote.

Attackers can choose names, so they are neutralized here, where they are written: what is stored stays as it came.

Spec: Message Ingest Contract §What the assembly layer does on your behalf; docs/decisions.md R62, R64.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from .._model.parts import TextPart
from .._wire.strict_json import dig, well_formed
from .display_names import neutralize
from .fold import begins_like_ours, fold
from .left_out import quote_lines
from .media import single_line
from .native_text import WRITTEN_BY

MAX_NAME: Final = 80
"""Characters of a name in a header; a longer one is cut and ends with an ellipsis."""

MAX_TOKEN: Final = 256
"""Characters of a mention token."""

MAX_READ: Final = 8 * MAX_NAME
"""Characters of a name that are read at most, so that a name of megabytes takes no longer than another."""

ELLIPSIS: Final = "…"
UNKNOWN: Final = "unknown"
"""An author without a known name or token."""

INVISIBLE: Final = "\u200c\u200d\u2800" + "".join(map(chr, range(0xFE00, 0xFE10)))
"""Characters of names that show nothing alone: joiners, variation selectors, the empty braille cell."""

_LIKE_A_TOKEN: Final = re.compile(r"([(\uff08])[\s\u200c\u200d\ufe00-\ufe0f@\uff20\ufe6b]*[@\uff20\ufe6b]").sub
"""In a name: text that imitates the address which a header may have after the name."""

_TOKEN: Final = re.compile(rf"[^\s\[\]\uff3b\uff3d\ufe47\ufe48\x00-\x20\x7f-\xa0]{{1,{MAX_TOKEN}}}").fullmatch


def name_of(name: str) -> str:
    """A name that is safe in a header: one line, no brackets, at most 80 characters.

    A name that is the name of a role, or begins like a line of this library, is put between `‹` and `›`.
    """
    line = _LIKE_A_TOKEN(r"\1", neutralize(name[:MAX_READ]))
    if not line.strip(INVISIBLE):
        return ""
    line = line if len(line) <= MAX_NAME else line[:MAX_NAME].rstrip() + ELLIPSIS
    folded = fold(line)
    return f"\u2039{line}\u203a" if begins_like_ours(f"{folded}:") or begins_like_ours(f"[{folded}") else line


def is_token(token: str) -> bool:
    """Whether a mention token is safe in a header."""
    return _TOKEN(token) is not None and single_line(token) == token and well_formed(token) is token


def author(name: str, token: str) -> str:
    """The author of a text, as a header names them: `Ash (<@U1>)`; empty if nothing is known."""
    visible, safe = name_of(name), token if is_token(token) else ""
    return f"{visible} ({safe})" if visible and safe else visible or safe


def is_of_others(part: TextPart) -> bool:
    """Whether somebody else than the sender of the message wrote a text that it shows."""
    return bool(part.extra) and part.extra.get(WRITTEN_BY) is not None


def author_of(part: TextPart) -> tuple[str, str]:
    """The name and the mention token of who wrote a text that a message shows; empty where they are unknown."""
    members: Any = part.extra.get(WRITTEN_BY)
    known = members if isinstance(members, Mapping) else {}
    name, token = dig(known, "display_name"), dig(known, "mention_token")
    return name if isinstance(name, str) else "", token if isinstance(token, str) else ""


def block_of_others(part: TextPart, text: str) -> str:
    r"""Text of somebody else as a block of its own: a line that names its author, and each line after `> `.

    Example:
        >>> ash = {"written_by": {"display_name": "Ash", "mention_token": "<@U1>"}}
        >>> block_of_others(TextPart(content="yes", extra=ash), "yes")
        '[Shared: Ash (<@U1>)]:\n> yes'
    """
    return f"[Shared: {author(*author_of(part)) or UNKNOWN}]:\n{quote_lines(text)}"
