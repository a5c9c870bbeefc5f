"""The mention tokens that a model reads, so that an answer may use them.

Spec: Message Ingest Contract (the agent copies the token verbatim); docs/decisions.md R62.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from .._flow.settings import check_kind
from .._model.message import HistoricalMessage, NormalizedMessage, ReceivedVia
from .._model.parts import TextPart
from .._text.display_names import is_token
from .._text.headers import author_of, is_of_others, without_claims
from .._text.mentions import mentions_in
from ._message import is_account_verified, named_sender

MAX_TOKENS: Final = 1_000
"""Tokens of one message; further ones are left out."""


def mention_tokens(message: NormalizedMessage) -> tuple[str, ...]:
    """The tokens of all people in a message: who wrote it, who is mentioned in it, who spoke before.

    A model copies a token to mention somebody. It read no other token.

    Args:
        message: A message, as `receive` returns it.

    Returns:
        Each token once, without backslashes: the sender's first, then those of the text, then those of the history.

    Raises:
        UsageError: The argument is of another kind.

    Spec: Message Ingest Contract §Worked example: Slack inbound.

    Example:
        >>> from mentionable import NormalizedMessage, RecipientCapabilities, NoRelay, Sender, TextPart
        >>> ask = TextPart(content="ask <@2>", extra={"mentions": {"<@2>": "Ash"}})
        >>> message = NormalizedMessage(
        ...     id="m1", thread_id="t1", sender=Sender(address="@1@g.discord.invalid", display_name="Jo"),
        ...     recipient="@helper@agents.example", parts=(ask,), received_via="connector",
        ...     recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        ...     received_at="2026-11-21T20:56:00Z", raw=None,
        ... )
        >>> mention_tokens(message)
        ('<@2>',)
    """
    check_kind(message, NormalizedMessage, "message")
    turns: tuple[NormalizedMessage | HistoricalMessage, ...] = (message, *(message.history or ()))
    tokens = (token for turn in turns for token in _tokens_of(turn, message.received_via) if is_token(token))
    return tuple(islice(dict.fromkeys(tokens), MAX_TOKENS))


def _tokens_of(turn: NormalizedMessage | HistoricalMessage, received_via: ReceivedVia) -> Iterator[str]:
    """The tokens that one turn shows."""
    if is_account_verified(turn.sender, received_via):
        yield named_sender(turn.sender).token
    for part in without_claims(turn, received_via).parts:
        if isinstance(part, TextPart) and part.extra:
            yield from [token.replace("\\", "") for token in mentions_in(part.extra)]
            yield author_of(part)[1] if is_of_others(part) else ""
