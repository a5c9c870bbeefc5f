"""Discord: interactions over HTTP and messages of the gateway become messages, and answers calls of its API.

An interaction is signed by Discord and verified before it is read. A message of the gateway comes through the session
that your bot opened; `receive` takes it as a mapping. The account of its sender is evidence, for `attest` to sign:
subject `discord:<guild>/<user>` for members of a guild, `discord:dm/<user>` in direct messages.

Example:
    >>> from datetime import UTC, datetime
    >>> from mentionable import Answers, NormalizedResponse, SigningKey, directory, drive
    >>> from mentionable.connectors import discord
    >>> settings = discord.Settings(public_key="c4" * 32, application_id="7", issuer="discord.agents.example")
    >>> event = {"t": "MESSAGE_CREATE", "d": {
    ...     "id": "1310000000000000000", "channel_id": "5", "guild_id": "3", "type": 0,
    ...     "content": "<@7> Will it rain?", "mentions": [{"id": "7", "username": "helper"}],
    ...     "author": {"id": "42", "username": "alice"}, "member": {"nick": "Alice"},
    ... }}
    >>> answers = Answers(
    ...     find_agent=directory({"discord:7": "@helper@agents.example"}),
    ...     use_once=lambda ask: "first", call_api=lambda ask: [],
    ... )
    >>> now = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
    >>> got = drive(discord.receive(event, now=now, entropy=bytes(32), settings=settings), answers)
    >>> got.message.sender.address, got.message.parts[0].content
    (Address('@42@3.discord.invalid'), '<@7> Will it rain?')
    >>> key = SigningKey.from_seed(bytes(range(32)), key_id="2026-11")
    >>> (badge,) = discord.attest(got.message, audience="@helper@agents.example", key=key, settings=settings, now=now)
    >>> badge.subject, badge.method
    ('discord:3/42', 'urn:mentionable:auth:discord-guild-member:v0.1')
    >>> out = discord.reply(NormalizedResponse.to(got.message, "It will."), to=got.message)
    >>> [(post.method, post.path, post.params["content"]) for post in out.calls]
    [('POST', '/channels/5/messages', 'It will.')]

Spec: Building a Connector.
"""

from __future__ import annotations

from .._api import Outgoing
from .._attest import attest
from .._platform import ListenTo
from ._claim import claim
from ._presence import react, typing, unreact
from ._read.api import CallApi
from ._read.people import GUILD_MEMBER, USER
from ._read.sources import sources
from ._receive import DiscordAsk, complete, receive
from ._reply import native_id, reply
from ._respond import Deferred, defer, defer_update
from ._settings import Settings
from ._verify import verify

__all__ = [
    "GUILD_MEMBER",
    "USER",
    "CallApi",
    "Deferred",
    "DiscordAsk",
    "ListenTo",
    "Outgoing",
    "Settings",
    "attest",
    "claim",
    "complete",
    "defer",
    "defer_update",
    "native_id",
    "react",
    "receive",
    "reply",
    "sources",
    "typing",
    "unreact",
    "verify",
]
