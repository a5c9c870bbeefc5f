"""Mentions that an answer copies from the conversation: Discord pings only the users that a message allows."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final

from .._markdown import outside_code

_TOKEN: Final = re.compile(r"`++|(?P<before>\\?)<@(?P<user>!?[1-9][0-9]{0,19})(?P<after>\\?)>", re.ASCII)
_MAX_ALLOWED: Final = 100
"""How many users Discord lets a message allow."""


def with_copied_mentions(params: dict[str, Any], people: Collection[str]) -> dict[str, Any]:
    r"""The JSON of a message in which the tokens of these people ping them.

    A token of plain text has both of its brackets escaped. It becomes a token again.

    Args:
        params: The JSON of the message.
        people: The ids of the users.

    Example:
        >>> with_copied_mentions({"content": "Hi <@42>, <@43>", "allowed_mentions": {"parse": []}}, {"42"})
        {'content': 'Hi <@42>, <@43>', 'allowed_mentions': {'parse': [], 'users': ['42']}}
    """
    content = params.get("content", "")
    if not people or "<@" not in content:
        return params
    copied: dict[str, None] = {}

    def token(match: re.Match[str]) -> str:
        user = match["user"].removeprefix("!")
        if user not in people or match["before"] != match["after"]:
            return match[0]
        copied[user] = None
        return f"<@{match['user']}>"

    content = outside_code(content, _TOKEN, token)
    if not copied:
        return params
    allowed = params["allowed_mentions"]
    users = list(dict.fromkeys([*allowed.get("users", ()), *copied]))[:_MAX_ALLOWED]
    return {**params, "content": content, "allowed_mentions": {**allowed, "users": users}}
