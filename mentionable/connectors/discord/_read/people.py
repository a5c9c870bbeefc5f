"""Who an event is by: members of a guild, people in direct messages, and programs, which nobody vouches for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ...._model.diagnostic import Diagnostic
from ...._model.sender import Avatar, SenderProfile
from ...._text.media import single_line
from ...._wire.address import Address, shows_other_domain
from ..._platform import Account, account_address
from .._ids import snowflake

GUILD_MEMBER: Final = "urn:mentionable:auth:discord-guild-member:v0.1"
"""How evidence of this room says that somebody was shown: as a member of the guild."""

USER: Final = "urn:mentionable:auth:discord-user:v0.1"
"""The same, as a user in direct messages."""

DIRECT: Final = "dm"
"""What stands for the guild where there is none: in direct messages."""

_MAX_NAME: Final = 128
_HASH: Final = re.compile(r"(?:a_)?[0-9a-f]{32}", re.ASCII).fullmatch
_LOCALE: Final = re.compile(r"[a-z]{2}(?:-[A-Z]{2}|-[0-9]{3})?", re.ASCII).fullmatch
_CDN: Final = "https://cdn.discordapp.com"


class Author(NamedTuple):
    """Who an event is by.

    Attributes:
        id: Their user id, or that of a webhook.
        account: The account, with its profile.
        is_program: Whether it is a bot or a webhook.
        is_shown: Whether Discord shows a user; in a guild, a member of it.
    """

    id: str
    account: Account
    is_program: bool
    is_shown: bool


def author_of(
    user: Any, member: Any, *, guild: str | None, locale: Any = None, webhook: str | None = None, at: str
) -> Author:
    """Who an event is by, with the facts about them that everybody on Discord sees.

    Args:
        user: Discord's object of the user.
        member: That of their membership in the guild, when the event has it.
        guild: The guild, None in direct messages.
        locale: The language of their client.
        webhook: The id of the webhook that wrote in their place.
        at: Where the user stands in the event.

    Raises:
        WireError: `missing-member`: there is no user with an id.
    """
    facts: Mapping[str, Any] = user if isinstance(user, dict) else {}
    own = snowflake(facts.get("id"))
    if own is None:
        raise wire_error("missing-member", at, "no user with an id")
    more = member if isinstance(member, dict) else {}
    is_program = webhook is not None or facts.get("bot") is True or facts.get("system") is True
    where = guild or DIRECT
    account = Account(
        platform="discord",
        address=address_of(own, guild),
        subject=f"discord:{where}/{own}",
        method=GUILD_MEMBER if guild else USER,
        profile=_name_only(facts, more) if is_program else _profile(own, facts, more, guild, locale),
    )
    is_member = guild is None or isinstance(member, dict)
    return Author(own, account, is_program, is_member and not is_program)


def address_of(user: str, guild: str | None) -> Address:
    """The address that stands for a user: `@42@7.discord.invalid` in guild 7, `@42@dm.discord.invalid` elsewhere."""
    return account_address(user, guild or DIRECT, "discord")


def name_of(user: Mapping[str, Any], member: Mapping[str, Any]) -> str | None:
    """What a user is called: by their nickname in the guild, else their display name, else their user name."""
    for name in (member.get("nick"), user.get("global_name"), user.get("username")):
        line = single_line(name) if isinstance(name, str) else ""
        if line:
            return line[:_MAX_NAME]
    return None


def name_notes(account: Account) -> list[Diagnostic]:
    """What is odd about the name of an account."""
    name = None if account.profile is None else account.profile.display_name
    if name and shows_other_domain(name, account.address):
        return [Diagnostic(code="name-holds-address", at="/author")]
    return []


def _profile(
    own: str, user: Mapping[str, Any], member: Mapping[str, Any], guild: str | None, locale: Any
) -> SenderProfile:
    """The facts about a person. What is not named here never passes on."""
    username = user.get("username")
    ids = {"user_id": own} if guild is None else {"guild_id": guild, "user_id": own}
    return SenderProfile(
        display_name=name_of(user, member),
        username=(single_line(username)[:_MAX_NAME] or None) if isinstance(username, str) else None,
        avatar=_avatar(own, user.get("avatar"), member.get("avatar"), guild),
        locale=locale if isinstance(locale, str) and _LOCALE(locale) else None,
        provider="discord",
        provider_subject=f"discord:{guild or DIRECT}/{own}",
        extensions={"discord": ids},
    )


def _name_only(user: Mapping[str, Any], member: Mapping[str, Any]) -> SenderProfile:
    """A program chose its name itself; nothing else is known of it."""
    return SenderProfile(display_name=name_of(user, member), provider="discord")


def _avatar(own: str, general: Any, in_guild: Any, guild: str | None) -> Avatar | None:
    """The picture of a person, at an address that is made here: Discord shows it to everybody."""
    if guild is not None and isinstance(in_guild, str) and _HASH(in_guild):
        return Avatar(url=f"{_CDN}/guilds/{guild}/users/{own}/avatars/{in_guild}.png", mime_type="image/png")
    if isinstance(general, str) and _HASH(general):
        return Avatar(url=f"{_CDN}/avatars/{own}/{general}.png", mime_type="image/png")
    return None
