"""The names of what a text of Discord mentions. The text itself keeps Discord's tokens: `<@42>`, `<@&9>`, `<#5>`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from ...._model.base import EMPTY_DICT, frozen
from ..._members import line_of, object_of, objects_of
from .._ids import snowflake
from .._markdown import BACKTICKS, outside_code
from .people import name_of

_TOKENS: Final = re.compile(
    BACKTICKS + r"|<(?:(?P<kind>@[!&]?|#)(?P<id>[0-9]{1,20})|/(?P<command>[^<>:\n]{1,100}):[0-9]{1,20})>"
)
_MAX_NAME: Final = 100
"""What Discord lets people, roles and channels be called."""


@frozen
class Names:
    """The names of the ids in a text.

    Attributes:
        users: User id → name.
        roles: Role id → name.
        channels: Channel id → name.
    """

    users: Mapping[str, str] = EMPTY_DICT
    roles: Mapping[str, str] = EMPTY_DICT
    channels: Mapping[str, str] = EMPTY_DICT


NO_NAMES: Final = Names()


def mentions_in(text: str, names: Names) -> dict[str, str]:
    """The tokens of a text outside of code whose names are known, each with its name. A name is never markup here."""
    if "<" not in text:
        return {}
    named: dict[str, str] = {}

    def read(token: re.Match[str]) -> str:
        table = {"@&": names.roles, "#": names.channels}.get(token["kind"], names.users)
        name = token["command"] or table.get(token["id"])
        if name is not None:
            named[token[0]] = name[:_MAX_NAME]
        return token[0]

    outside_code(text, _TOKENS, read)
    return named


def names_of(message: Mapping[str, Any]) -> Names:
    """The names of the ids that a message mentions."""
    mentioned, channels = message.get("mentions"), message.get("mention_channels")
    resolved = message.get("resolved")
    if not mentioned and not channels and not resolved:
        return NO_NAMES
    users = {}
    for user in objects_of(mentioned):
        name = name_of(user, object_of(user.get("member")))
        if name and snowflake(user.get("id")):
            users[user["id"]] = name
    table = {channel["id"]: channel for channel in objects_of(channels) if snowflake(channel.get("id"))}
    more = resolved_names(object_of(resolved))
    return Names(users={**more.users, **users}, roles=more.roles, channels={**more.channels, **names_in(table)})


def resolved_names(tables: Mapping[str, Any]) -> Names:
    """The names in the objects that Discord sends with the ids of an interaction, or of a message with selects."""
    members = object_of(tables.get("members"))
    users = {}
    for id, user in object_of(tables.get("users")).items():
        name = name_of(object_of(user), object_of(members.get(id))) if isinstance(user, dict) else None
        if name:
            users[id] = name
    return Names(users=users, roles=names_in(tables.get("roles")), channels=names_in(tables.get("channels")))


def names_in(table: object) -> dict[str, str]:
    """The names in a table of objects of Discord by id."""
    names = {id: line_of(object_of(value).get("name")) for id, value in object_of(table).items()}
    return {id: name for id, name in names.items() if name}
