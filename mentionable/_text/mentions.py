"""Mentions as a model reads them: the name of who is mentioned, and the token that mentions them in an answer.

A third person chose the name, and the sender of the message did not type it. So it is between `‹` and `›`, which
no character of a name can end, and the token of the platform follows.

Spec: docs/decisions.md R62.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from .confusables import LOOKALIKES
from .display_names import name_of
from .native_text import MENTIONS

MAX_MENTIONS: Final = 1_000
"""Names of one text that are read; further ones are left out."""

_ENDS: Final = {ord("\u2039"): "(", ord("\u203a"): ")", **dict.fromkeys(map(ord, f":{LOOKALIKES[':']}"), "-")}
"""What could end the name, or make a role of it."""

_LINE_ENDS: Final = r"\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
"""Characters that end a line, for a set of a pattern."""

_TOKEN: Final = re.compile(
    rf"\\?<(?:\\?[@#!](?:!|&|subteam\\?\^)?[A-Za-z0-9][A-Za-z0-9_-]{{0,63}}|/[^<>{_LINE_ENDS}:]{{1,100}}:[0-9]{{1,20}})(?:\|[^<>|{_LINE_ENDS}]{{0,200}})?\\?>"
)
"""A mention of Slack or Discord, with or without the backslashes of Markdown: `<@U1>`, `<@!4>`, `<@&9>`, `<#C1>`,
`<!subteam^S1>`, `</name:1>`."""

_SIGNS: Final = {"#": "#", "/": "/"}


def mention_text(name: str, token: str) -> str:
    """A mention as a model reads it: `@‹Ash› (<@U1>)`; the token alone if the name has no visible character.

    Args:
        name: The name, as it came.
        token: The token of the platform. That of a channel has the sign `#`, that of a command `/`.

    Example:
        >>> mention_text("Ash", "<@U1>")
        '@‹Ash› (<@U1>)'
    """
    line = name_of(name.lstrip("@#/ ")).translate(_ENDS).strip()
    if not line:
        return token
    return f"{_SIGNS.get(token[1:2], '@')}\u2039{line}\u203a ({token})"


def with_names(text: str, mentions: Mapping[str, str]) -> str:
    """Text with the name of who is mentioned before each token that has a known name.

    Args:
        text: The text, with tokens of Slack or Discord, also as Markdown escapes them.
        mentions: Token as the text has it, or without backslashes → name.

    Example:
        >>> with_names("ask <@U1> or <@U2>", {"<@U1>": "Ash"})
        'ask @‹Ash› (<@U1>) or <@U2>'
    """
    if not mentions or "<" not in text:
        return text

    def named(match: re.Match[str]) -> str:
        token = match[0].replace("\\", "")
        name = mentions.get(match[0]) or mentions.get(token) or mentions.get(token.partition("|")[0] + ">")
        return mention_text(name, token.partition("|")[0].removesuffix(">") + ">") if name else match[0]

    return _TOKEN.sub(named, text)


def mentions_in(extra: Mapping[str, Any]) -> dict[str, str]:
    """The names of what a text mentions, as a connector noted them; what is no text is left out."""
    mentions = extra.get(MENTIONS)
    return read_mentions(mentions)[0] if isinstance(mentions, Mapping) else {}


def read_mentions(members: Mapping[Any, Any]) -> tuple[dict[str, str], list[str]]:
    """The first `MAX_MENTIONS` names by token, and the tokens among these whose names are no text."""
    first = list(islice(members.items(), MAX_MENTIONS))
    read = {token: name for token, name in first if isinstance(token, str) and isinstance(name, str)}
    return read, [str(token) for token, _ in first if token not in read]
