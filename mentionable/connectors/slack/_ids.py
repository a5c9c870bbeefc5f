"""Members of JSON of Slack, one at a time by their names; its ids, and those of what people click on.

No other member is read, and ids are taken in the one form that Slack gives them. So nothing else, a token least of all,
can be where an id is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, TypeGuard

from ..._errors.exceptions import wire_error
from ..._text.plain_text import clean
from ..._wire.strict_json import is_text, pointer
from ..._wire.time import EPOCH
from .._members import id_form

LINK: Final = "mentionable:link"
"""The `action_id` of buttons that are links. Slack sends an interaction for a click on them, too."""

CHOICE: Final = "mentionable:choice"
"""The `action_id` of choices that an answer offered; those of buttons have `#` and a number behind it."""

_ID: Final = "[A-Z0-9]{1,31}"

is_user: Final = id_form(f"[UW]{_ID}")
"""Ids of users: `U123`, or `W123` of an organization."""

is_bot: Final = id_form(f"B{_ID}")
"""Ids of bots: `B123`."""

is_team: Final = id_form(f"[TE]{_ID}")
"""Ids of workspaces and organizations: `T123`, `E123`."""

is_channel: Final = id_form(f"[CDG]{_ID}")
"""Ids of conversations: `C123`, `D123`, `G123`."""

is_group: Final = id_form(f"S{_ID}")
"""Ids of user groups: `S123`."""

is_app: Final = id_form(f"A{_ID}")
"""Ids of apps: `A123`."""

is_file: Final = id_form(f"F{_ID}")
"""Ids of files: `F123`."""

is_event: Final = id_form("Ev[A-Za-z0-9]{1,62}")
"""Ids of events: `Ev123`."""

is_trigger: Final = id_form(r"[0-9]{1,20}\.[0-9]{1,20}(?:\.[0-9a-f]{1,64})?")
"""Ids of commands: `12345.98765.abcd2358`."""

is_ts_form: Final = id_form(r"[0-9]{1,12}\.[0-9]{6}")
"""What looks like the `ts` of a message, of whatever year."""

LAST_SECOND: Final = 253_402_300_799
"""The last second of the year 9999."""


def is_ts(value: object) -> TypeGuard[str]:
    """Whether this is a `ts`, the id of a message in its channel: `1355517523.000005`."""
    return is_ts_form(value) and int(value.partition(".")[0]) <= LAST_SECOND


def time_of(ts: str) -> datetime:
    """The time at which a message was written, by its `ts`."""
    seconds, _, micros = ts.partition(".")
    return EPOCH + timedelta(seconds=int(seconds), microseconds=int(micros))


def text_of(value: Any) -> str:
    """Text as parts hold it, or an empty one when it is something else."""
    return clean(value) if value.__class__ is str and is_text(value) else ""


def optional(members: Mapping[str, Any], name: str, has_form: Callable[[object], TypeGuard[str]]) -> str | None:
    """The member when it has the form, None when it is anything else."""
    value = members.get(name)
    return value if has_form(value) else None


def required(members: Mapping[str, Any], name: str, has_form: Callable[[object], TypeGuard[str]], *path: str) -> str:
    """The member, which must be there and have the form.

    Raises:
        WireError: It is not there, or something else.
    """
    value = members.get(name)
    if value is None:
        raise wire_error("missing-member", pointer(*path, name), "it must be there")
    if not has_form(value):
        raise wire_error("malformed", pointer(*path, name), "it is not of the form that Slack gives it")
    return value
