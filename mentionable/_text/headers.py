"""Names and tokens of authors as they may stand in a header, and the block of text that somebody else wrote.

Attackers can choose names, so they are neutralized here, where they are written: what is stored stays as it came.

Spec: Message Ingest Contract §What the assembly layer does on your behalf; docs/decisions.md R62, R64.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from .._model.base import replace, unchecked_replace
from .._model.message import HistoricalMessage, NormalizedMessage, ReceivedVia
from .._model.parts import Part, TextPart
from .._wire.strict_json import dig
from .display_names import is_token, name_of
from .left_out import quote_lines
from .native_text import MENTIONS, NATIVE_FORM, NATIVE_TEXT, WRITTEN_BY

_Message = TypeVar("_Message", bound=NormalizedMessage | HistoricalMessage)

_OF_CONNECTORS: Final = frozenset({NATIVE_TEXT, NATIVE_FORM, MENTIONS, WRITTEN_BY})
"""Members of a text that count where a connector delivered it. Any other caller may write them too."""

UNKNOWN: Final = "unknown"
"""An author without a known name or token."""


def author(name: str, token: str) -> str:
    """The author of a text, as a header names them: `Ash (<@U1>)`; empty if nothing is known."""
    visible, safe = name_of(name), token if is_token(token) else ""
    return f"{visible} ({safe})" if visible and safe else visible or safe


def is_of_others(part: TextPart) -> bool:
    """Whether somebody else than the sender of the message wrote a text that it shows."""
    return bool(part.extra) and part.extra.get(WRITTEN_BY) is not None


def without_claims(message: _Message, received_via: ReceivedVia | None) -> _Message:
    """A message or a turn without what only a connector may say of its texts, where none delivered it.

    Else a caller could have another text stored than its `content`, give names to tokens, and put words into the mouth
    of others. What a caller calls the text of somebody else is that of somebody unknown, and no word of the caller.
    """
    if received_via == "connector" or not any(part.extra for part in message.parts if part.__class__ is TextPart):
        return message
    return unchecked_replace(message, parts=tuple(map(_without_claims, message.parts)))


def _without_claims(part: Part) -> Part:
    if not isinstance(part, TextPart) or _OF_CONNECTORS.isdisjoint(part.extra):
        return part
    extra: dict[str, Any] = {WRITTEN_BY: {}} if is_of_others(part) else {}
    return replace(part, extra=extra | {name: one for name, one in part.extra.items() if name not in _OF_CONNECTORS})


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
