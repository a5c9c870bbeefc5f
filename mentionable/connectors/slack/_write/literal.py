"""Characters that Slack would take for markup, written as the characters that they are.

Only `rich_text` blocks are exact, see `rich_text.py`. In mrkdwn, which has no escape for these characters, an invisible
character on both sides keeps them from being marks.
"""

from __future__ import annotations

import re
from typing import Final

from ...._text.mrkdwn import JOINER
from .._emoji import EMOJI

_GRAVE: Final = "\u02cb"
"""Looks like the backtick. A pair of backticks is code whatever surrounds them."""

_MAY_BE_MARK: Final = re.compile(r"[*_~]++|[`:]|^(?:>|&gt;)", re.MULTILINE)


def escape(text: str) -> str:
    """Text with the three characters escaped that Slack reads as its own."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def is_literal(text: str, *, is_plain: bool = False) -> bool:
    """Whether Slack sees no markup in a text as it is."""
    return _MAY_BE_MARK.search(text) is None or literal(text, is_plain=is_plain) == text


def literal(text: str, *, is_plain: bool = False) -> str:
    """Text, escaped or not, in which Slack sees no markup.

    Args:
        text: Any text. Before and after it may be anything.
        is_plain: Whether names of emoji such as `:wave:` stay words, too.
    """
    return _MAY_BE_MARK.sub(lambda match: _verbatim(match, is_plain=is_plain), text)


def _verbatim(match: re.Match[str], *, is_plain: bool) -> str:
    sign, text, start, end = match[0], match.string, match.start(), match.end()
    if sign == "`":
        return _GRAVE
    if sign == ":":
        return f":{JOINER}" if is_plain and EMOJI.match(text, start) else sign
    if sign[0] in "*_~":
        before, after = text[start - 1 : start] if start else "", text[end : end + 1]
        if (before.isalnum() and after.isalnum()) or (before.isspace() and after.isspace()):
            return sign
        return JOINER.join(("", *sign, ""))
    return JOINER + sign
