"""Names and tokens of authors as they may stand in a header, and the block of text that somebody else wrote.

Attackers can choose names, so they are neutralized here, where they are written: what is stored stays as it came.

Spec: Message Ingest Contract §What the assembly layer does on your behalf; docs/decisions.md R62, R64.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .._model.parts import TextPart
from .._wire.strict_json import dig
from .display_names import is_token, name_of
from .left_out import quote_lines
from .native_text import WRITTEN_BY

UNKNOWN: Final = "unknown"
"""An author without a known name or token."""


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
