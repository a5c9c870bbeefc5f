"""The author of an event: a member of a guild, a user in direct messages, or a program, which gets no evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ...._model.sender import Avatar, SenderProfile
from ..._members import line_of, object_of
from ..._platform import Account, account_address
from .._ids import snowflake

GUILD_MEMBER: Final = "urn:mentionable:auth:discord-guild-member:v0.1"
"""The method in evidence of this connector: the sender is a member of the guild."""

USER: Final = "urn:mentionable:auth:discord-user:v0.1"
"""The method in evidence of this connector: the sender is a user in direct messages."""

DIRECT: Final = "dm"
"""Stands for the guild in direct messages, which have none."""

_MAX_NAME: Final = 128
_HASH: Final = re.compile(r"(?:a_)?[0-9a-f]{32}", re.ASCII).fullmatch
_LOCALE: Final = re.compile(r"[a-z]{2}(?:-[A-Z]{2}|-[0-9]{3})?", re.ASCII).fullmatch
_CDN: Final = "https://cdn.discordapp.com"


class Author(NamedTuple):
    """The author of an event.

    Attributes:
        id: Their user id, or that of a webhook.
        account: The account, with its profile.
        is_program: Whether it is a bot or a webhook.
        is_member: Whether the event proves that they are a user; in a guild, a member of it.
    """

    id: str
    account: Account
    is_program: bool
    is_member: bool


def author_of(
    user: Any, member: Any, *, guild: str | None, locale: Any = None, webhook: object = None, pointer: str
) -> Author:
    """The author of an event, with the facts about them that Discord shows to all users.

    Args:
        user: Discord's object of the user.
        member: That of their membership in the guild, when the event has it.
        guild: The guild, None in direct messages.
        locale: The language of their client.
        webhook: The id of the webhook that wrote in their place.
        pointer: The JSON pointer of the user.

    Raises:
        WireError: `missing-member`: there is no user with an id.
    """
    facts, membership = object_of(user), object_of(member)
    own = snowflake(facts.get("id"))
    if own is None:
        raise wire_error("missing-member", pointer, "no user with an id")
    by_program = is_program(facts, webhook)
    if by_program:  # it chose its name itself, and Discord knows no more of it
        profile = SenderProfile(display_name=name_of(facts, membership), provider="discord")
    else:
        profile = _profile(own, facts, membership, guild, locale)
    account = Account(
        platform="discord",
        address=account_address(own, guild or DIRECT, "discord"),
        subject=f"discord:{guild or DIRECT}/{own}",
        method=GUILD_MEMBER if guild else USER,
        profile=profile,
    )
    is_member = guild is None or isinstance(member, dict)
    return Author(own, account, by_program, is_member and not by_program)


def is_program(user: Mapping[str, Any], webhook: object) -> bool:
    """Whether a user is a bot, or Discord itself, or a webhook wrote in their place. All but false counts as true."""
    return webhook is not None or any(user.get(name) not in (None, False) for name in ("bot", "system"))


def name_of(user: Mapping[str, Any], member: Mapping[str, Any]) -> str | None:
    """The name of a user: their nickname in the guild, else their display name, else their user name."""
    names = map(line_of, (member.get("nick"), user.get("global_name"), user.get("username")))
    return next(filter(None, names), "")[:_MAX_NAME] or None


def _profile(
    own: str, user: Mapping[str, Any], member: Mapping[str, Any], guild: str | None, locale: Any
) -> SenderProfile:
    """The facts about a person. No other member is read."""
    ids = {"user_id": own} if guild is None else {"guild_id": guild, "user_id": own}
    return SenderProfile(
        display_name=name_of(user, member),
        username=line_of(user.get("username"))[:_MAX_NAME] or None,
        avatar=_avatar(own, user.get("avatar"), member.get("avatar"), guild),
        locale=locale if isinstance(locale, str) and _LOCALE(locale) else None,
        provider="discord",
        provider_subject=f"discord:{guild or DIRECT}/{own}",
        extensions={"discord": ids},
    )


def _avatar(own: str, general: Any, in_guild: Any, guild: str | None) -> Avatar | None:
    """The picture of a person, at a URL that is made here: Discord shows it to all users."""
    if guild is not None and isinstance(in_guild, str) and _HASH(in_guild):
        return Avatar(url=f"{_CDN}/guilds/{guild}/users/{own}/avatars/{in_guild}.png", mime_type="image/png")
    if isinstance(general, str) and _HASH(general):
        return Avatar(url=f"{_CDN}/avatars/{own}/{general}.png", mime_type="image/png")
    return None
