"""Who and what is mentioned: the tokens in a text, and the names that Slack sends with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ...._text.media import single_line
from ...._text.mrkdwn import unescape
from .._ids import is_channel, text_of

_TOKENS: Final = r"<@([UW][A-Z0-9]{1,31})>|<#([CDG][A-Z0-9]{1,31})>|\\?<!subteam\^(S[A-Z0-9]{1,31})>"
_TOKEN: Final = re.compile(_TOKENS, re.ASCII)
_TOKEN_OR_CODE: Final = re.compile(_TOKENS + r"|\\\\|\\?`++", re.ASCII)
_LABELLED: Final = re.compile(
    r"<(?:@([UW][A-Z0-9]{1,31})|#([CDG][A-Z0-9]{1,31})|!subteam\^(S[A-Z0-9]{1,31}))\|([^<>\n|]{1,80})>", re.ASCII
)


def mentions_in(content: str, *, is_markdown: bool = True) -> dict[str, str]:
    """Each token of a mention as a text has it → the id of what is mentioned.

    A token in code mentions no one: whoever pastes what a program wrote does not speak to the people in it.
    """
    tokens = _outside_code(content) if is_markdown and "`" in content else _TOKEN.finditer(content)
    return {token[0]: token[token.lastindex or 0] for token in tokens}


def _outside_code(content: str) -> Iterator[re.Match[str]]:
    """The tokens outside of code, which is between two runs of as many backticks."""
    marks = [*_TOKEN_OR_CODE.finditer(content)]
    last = {len(mark[0].lstrip("\\")): mark.start() for mark in marks if mark[0][-1] == "`"}
    fence = 0
    for mark in marks:
        if mark.lastindex:
            if not fence:
                yield mark
        elif mark[0][-1] == "`":
            is_escaped = not fence and mark[0][0] == "\\"
            run = len(mark[0].lstrip("\\")) - is_escaped
            if fence:
                fence = 0 if run == fence else fence
            elif last.get(run, 0) > mark.start():
                fence = run


def labels_in(values: Iterable[Any]) -> dict[str, str]:
    """The names that Slack wrote into tokens, and next to the id of a channel: id → name."""
    labels: dict[str, str] = {}
    left = list(values)
    while left:
        value = left.pop()
        if isinstance(value, str):
            if "|" in value:
                labels |= {token[1] or token[2] or token[3]: _name(token[4]) for token in _LABELLED.finditer(value)}
        elif isinstance(value, (list, tuple)):
            left += value
        elif isinstance(value, Mapping):
            left += value.values()
            channel, name = value.get("channel_id"), text_of(value.get("channel_name"))
            if name and is_channel(channel):
                labels.setdefault(channel, _name(name[:80]))
    return {id: name for id, name in labels.items() if name}


def _name(label: str) -> str:
    return single_line(unescape(label)).removeprefix("@").removeprefix("#")
