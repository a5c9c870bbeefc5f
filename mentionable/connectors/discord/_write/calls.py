"""The calls of Discord's API that bring messages to their place: the channel, an interaction, or one person.

Spec: docs/decisions.md R59; Discord API, Receiving and Responding; Create DM.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import UsageError
from ...._model.message import NormalizedMessage
from ...._transport.policy_part import no_private_way
from ...._wire.strict_json import dig
from ..._api import ApiRequest, Placeholder
from .._ids import is_snowflake, snowflake
from .._read.people import DIRECT
from .._respond import Deferred
from .messages import Body, body_of

_EPHEMERAL: Final = 64
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~=-]{16,2048}", re.ASCII).fullmatch
_THREAD: Final = re.compile(r"discord:([1-9][0-9]{0,19})", re.ASCII).fullmatch
_NOTICE: Final = "Only you can see the answer, below."
_ORIGINAL: Final = "@original"


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


def into_channel(bodies: Sequence[Body], raw: Any, channel: str, update: str | None) -> list[ApiRequest]:
    """Messages in a channel. The first answers the question when it is of that channel, or replaces an older one."""
    path = f"/channels/{channel}/messages"
    calls = [ApiRequest(method="POST", path=path, params=params, files=files) for params, files in bodies]
    own = snowflake(dig(raw, "id"))
    if calls and update is not None:
        calls[0] = _edit(f"{path}/{update}", bodies[0], as_bot=True)
    elif calls and own is not None and dig(raw, "kind") == "message" and dig(raw, "channel_id") == channel:
        bodies[0].params["message_reference"] = {"message_id": own, "fail_if_not_exists": False}
    return calls


def into_interaction(bodies: Sequence[Body], interaction: Interaction, update: str | None) -> list[ApiRequest]:
    """The deferred response of an interaction filled in, and more messages after it; nothing to say takes it away.

    Where it was filled in before, all messages follow it, and nothing is taken away.
    """
    if interaction.is_filled and update is None:
        return [_follow_up(interaction.path, body, is_ephemeral=interaction.is_ephemeral) for body in bodies]
    if not bodies:
        gone = ApiRequest(method="DELETE", path=f"{interaction.path}/messages/{_ORIGINAL}", as_bot=False)
        return [] if update is not None else [gone]
    first, *others = bodies
    path = f"{interaction.path}/messages/{update or _ORIGINAL}"
    edited = ApiRequest(method="PATCH", path=path, params=first.params, files=first.files, as_bot=False)
    if update is not None:
        edited = _edit(path, first, as_bot=False)
    return [edited, *[_follow_up(interaction.path, body, is_ephemeral=interaction.is_ephemeral) for body in others]]


def privately_in_interaction(
    public: Sequence[Body], private: Sequence[Body], interaction: Interaction, update: str | None
) -> list[ApiRequest]:
    """The public messages, and behind them those that only the person who used the interaction sees.

    Discord makes the first message behind a deferred response that was not filled in the response itself, and shows it
    as it shows that one. So the response is filled in in any case, and each private message needs the answer to that.
    Where the program says that it was filled in before, a public message goes first all the same: it may be mistaken.
    """
    calls = into_interaction(public or [body_of(_NOTICE)], interaction, update)
    filled_in = (Placeholder(name="response", call=0, member="id"),)
    return [
        *calls,
        *[_follow_up(interaction.path, body, is_ephemeral=True, placeholders=filled_in) for body in private],
    ]


def to_person(bodies: Sequence[Body], to: NormalizedMessage, *, before: int) -> list[ApiRequest]:
    """Direct messages to the person who wrote a message.

    Args:
        bodies: The messages.
        to: The message.
        before: The number of calls before these.

    Raises:
        UnanswerableError: No person wrote it.
    """
    params = {"recipient_id": person_of(to)}
    opened = ApiRequest(method="POST", path="/users/@me/channels", params=params)
    channel = Placeholder(name="channel", call=before, member="id")
    path = "/channels/{channel}/messages"
    return [
        opened,
        *[
            ApiRequest(method="POST", path=path, params=params, files=files, placeholders=(channel,))
            for params, files in bodies
        ],
    ]


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


def _edit(path: str, body: Body, *, as_bot: bool) -> ApiRequest:
    """A message with new content; what it showed below is taken away."""
    params = {"components": [], **body.params}
    return ApiRequest(method="PATCH", path=path, params=params, files=body.files, as_bot=as_bot)


def _follow_up(path: str, body: Body, *, is_ephemeral: bool, placeholders: tuple[Placeholder, ...] = ()) -> ApiRequest:
    """A further message to an interaction."""
    params = {**body.params, "flags": body.params["flags"] | _EPHEMERAL} if is_ephemeral else body.params
    return ApiRequest(
        method="POST", path=path, params=params, files=body.files, as_bot=False, placeholders=placeholders
    )
