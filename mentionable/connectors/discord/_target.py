"""Where an answer goes in Discord, and who asked: read from the message that is answered."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import UsageError
from ..._model.message import NormalizedMessage
from ..._transport.policy_part import no_private_way
from ..._wire.strict_json import dig
from ._ids import is_snowflake, snowflake
from ._read.people import DIRECT
from ._respond import Deferred

_TOKEN: Final = re.compile(r"[A-Za-z0-9._~=-]{16,2048}", re.ASCII).fullmatch
_THREAD: Final = re.compile(r"discord:([1-9][0-9]{0,19})", re.ASCII).fullmatch


class Interaction(NamedTuple):
    """Where an interaction is answered.

    Attributes:
        path: The path of its messages, which holds its token.
        is_ephemeral: Whether only the person who used it sees the answer.
        is_filled: Whether its response was filled in before.
    """

    path: str
    is_ephemeral: bool
    is_filled: bool


def channel_of(thread: str) -> str | None:
    """The channel of a thread; None when it is none of Discord."""
    match = _THREAD(thread)
    return None if match is None else match[1]


def checked_channel(thread: str) -> str:
    """The channel of a thread.

    Raises:
        UsageError: It is none of Discord.
    """
    channel = channel_of(thread)
    if channel is None:
        raise UsageError("to.thread_id is no channel of Discord: discord:<digits>")
    return channel


def interaction_of(raw: Any, token: object) -> Interaction:
    """Where the interaction of a message is answered.

    Raises:
        UsageError: The message is none, or the token is none.
    """
    application = snowflake(dig(raw, "application_id"))
    if application is None:
        raise UsageError("the message is no interaction of Discord: leave interaction_token out")
    deferred = token if isinstance(token, Deferred) else None
    if deferred is not None:
        token = deferred.token
    if not isinstance(token, str) or not _TOKEN(token):
        raise UsageError("interaction_token is no token of Discord: give the `token` of the interaction as it came")
    is_ephemeral = dig(raw, "ephemeral") is True or (deferred is not None and deferred.ephemeral)
    return Interaction(f"/webhooks/{application}/{token}", is_ephemeral, deferred is not None and deferred.filled)


def person_of(to: NormalizedMessage) -> str:
    """The user id of the person who wrote a message.

    Raises:
        UnanswerableError: A bot or a webhook wrote it: no private way leads to the person behind it.
    """
    user, _, domain = to.sender.address[1:].partition("@")
    place = domain.removesuffix(".discord.invalid")
    profile = to.sender.profile
    if not is_snowflake(user) or profile is None or profile.provider_subject != f"discord:{place}/{user}":
        raise no_private_way("no person is known to have written the message")
    return user


def is_direct(to: NormalizedMessage) -> bool:
    """Whether a message was written to the bot in private. Bots are in no group of direct messages.

    An interaction may be of any conversation of its user.
    """
    return to.sender.address.endswith(f"@{DIRECT}.discord.invalid") and dig(to.raw, "kind") == "message"
