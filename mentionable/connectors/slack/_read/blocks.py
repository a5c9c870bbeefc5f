"""The blocks of a message: what people see of it, as plain text or Markdown.

Spec: Slack, Block Kit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from ...._model.diagnostic import Diagnostic
from ...._text.mrkdwn import Mime
from .block_text import KNOWN_BLOCKS, MAX_DEPTH, markdown_of
from .rich_text import RICH_TEXT, plain_rich_text, unknown_elements

_MAX_TYPES: Final = 8
"""Types of unknown blocks that a diagnostic names."""

_is_type: Final = re.compile(r"[a-z_]{1,32}").fullmatch


class BlockText(NamedTuple):
    """The text of blocks, and what of it was not read."""

    content: str
    mime: Mime
    diagnostics: tuple[Diagnostic, ...] = ()


def read_blocks(blocks: Sequence[Any], at: str) -> BlockText:
    """The text of blocks: plain where it is rich text without markup, else Markdown.

    Args:
        blocks: The blocks, as Slack sends them.
        at: Their JSON pointer.
    """
    plain = plain_rich_text(blocks)
    if plain is not None:
        return BlockText(plain, "text/plain")
    return BlockText(markdown_of(blocks), "text/markdown", unknown_in(blocks, at))


def unknown_in(blocks: Sequence[Any], at: str) -> tuple[Diagnostic, ...]:
    """A diagnostic of the types that are not known, once each."""
    types = dict.fromkeys(_unknown_types(blocks))
    if not types:
        return ()
    named = [kind for kind in types if _is_type(kind)][:_MAX_TYPES]
    detail = f"of blocks that are not known here only the texts were read: {', '.join(named) or 'without a type'}"
    return (Diagnostic(code="part-unsupported", at=at, detail=detail),)


def _unknown_types(blocks: Sequence[Any]) -> Iterator[str]:
    """The types that are not known, of blocks and of what is in them; "" for what has none."""
    left: list[tuple[Any, int]] = [(block, 0) for block in blocks]
    while left:
        value, depth = left.pop()
        if isinstance(value, dict):
            kind = value.get("type")
            if kind == RICH_TEXT:
                yield from unknown_elements(value)
                continue
            if kind not in KNOWN_BLOCKS if isinstance(kind, str) else depth == 0 or kind is not None:
                yield kind if isinstance(kind, str) else ""
            if depth <= MAX_DEPTH:
                left += [(item, depth + 1) for item in value.values() if isinstance(item, (dict, list, tuple))]
            else:
                yield "too_deep"
        elif isinstance(value, (list, tuple)) and depth:
            left += [(item, depth) for item in value]
        else:
            yield ""
