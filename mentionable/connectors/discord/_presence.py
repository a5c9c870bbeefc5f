"""What shows that an agent is there: that it types, and its reactions."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from ..._errors.exceptions import UsageError
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage
from ..._wire.strict_json import dig
from .._answer import check_question
from .._api import ApiRequest, Outgoing
from ._ids import snowflake
from ._target import checked_channel

_CUSTOM: Final = re.compile(r"<?(?:a?:)?([A-Za-z0-9_]{2,32}:[1-9][0-9]{0,19})>?", re.ASCII).fullmatch
_MAX_EMOJI: Final = 32


def typing(*, to: NormalizedMessage) -> Outgoing:
    """The call that shows in the channel that the agent types: for ten seconds, or less if it answers.

    Where an interaction was answered with `defer`, Discord shows that the agent thinks, and this is not needed.

    Args:
        to: The message that the agent answers.

    Raises:
        UsageError: `to` is no message of Discord.

    Example:
        >>> from mentionable import InlineRelay, RecipientCapabilities, Sender
        >>> question = NormalizedMessage(
        ...     id="m1", thread_id="discord:5", sender=Sender(address="@42@3.discord.invalid"),
        ...     recipient="@helper@agents.example", parts=(), received_via="connector", raw=None,
        ...     recipient_capabilities=RecipientCapabilities(mention_relay=InlineRelay()),
        ...     received_at="2026-11-21T00:00:00Z",
        ... )
        >>> [(call.method, call.path) for call in typing(to=question).calls]
        [('POST', '/channels/5/typing')]
    """
    path = f"/channels/{_checked_channel(to)}/typing"
    return Outgoing(thread=to.thread_id, calls=(ApiRequest(method="POST", path=path),))


def react(emoji: str, *, to: NormalizedMessage) -> Outgoing:
    """The call that reacts to a message. A command is no message: then there is none, and a diagnostic.

    Args:
        emoji: An emoji of Unicode, or one of a guild as it is in messages: `<:rain:1310000000000000000>`.
        to: The message.

    Raises:
        UsageError: `emoji` is none, or `to` is no message of Discord.
    """
    return _reaction("PUT", emoji, to)


def unreact(emoji: str, *, to: NormalizedMessage) -> Outgoing:
    """The call that takes a reaction back.

    Args:
        emoji: As for `react`.
        to: The message.

    Raises:
        UsageError: As `react`.
    """
    return _reaction("DELETE", emoji, to)


def _reaction(method: str, emoji: object, to: NormalizedMessage) -> Outgoing:
    channel, name = _checked_channel(to), _checked_emoji(emoji)
    own = snowflake(dig(to.raw, "id"))
    if own is None or dig(to.raw, "kind") != "message":
        left_out = Diagnostic(code="part-unsupported", detail="only a message can have a reaction")
        return Outgoing(thread=to.thread_id, calls=(), diagnostics=(left_out,))
    path = f"/channels/{channel}/messages/{own}/reactions/{quote(name, safe=':')}/@me"
    return Outgoing(thread=to.thread_id, calls=(ApiRequest(method=method, path=path),))


def _checked_channel(to: NormalizedMessage) -> str:
    check_question(to, "discord")
    return checked_channel(to.thread_id)


def _checked_emoji(emoji: object) -> str:
    """An emoji as a path names it."""
    if isinstance(emoji, str):
        custom = _CUSTOM(emoji)
        if custom is not None:
            return custom[1]
        is_short = 0 < len(emoji) <= _MAX_EMOJI and not emoji.isascii()
        if is_short and not any(mark.isspace() or mark.isalpha() for mark in emoji):
            return emoji
    raise UsageError("emoji is one of Unicode, or <:name:id>")
