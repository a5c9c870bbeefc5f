"""The calls of Discord's API that bring messages to their place: the channel, an interaction, or one person.

Spec: docs/decisions.md R59; Discord API, Receiving and Responding; Create DM.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...._model.message import NormalizedMessage
from ...._wire.strict_json import dig
from ..._api import ApiRequest, Placeholder
from .._ids import snowflake
from .._target import Interaction, person_of
from .messages import Body, body_of

_EPHEMERAL: Final = 64
_NOTICE: Final = "Only you can see the answer, below."
_ORIGINAL: Final = "@original"


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


def _edit(path: str, body: Body, *, as_bot: bool) -> ApiRequest:
    """A message with new content; the text and what it showed below are taken away."""
    params = {"content": "", "components": [], **body.params}
    return ApiRequest(method="PATCH", path=path, params=params, files=body.files, as_bot=as_bot)


def _follow_up(path: str, body: Body, *, is_ephemeral: bool, placeholders: tuple[Placeholder, ...] = ()) -> ApiRequest:
    """A further message to an interaction."""
    params = {**body.params, "flags": body.params["flags"] | _EPHEMERAL} if is_ephemeral else body.params
    return ApiRequest(
        method="POST", path=path, params=params, files=body.files, as_bot=False, placeholders=placeholders
    )
