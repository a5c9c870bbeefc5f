"""Members of JSON of Slack, one at a time by their names: whatever is not named here is never read.

Ids are taken in the one form that Slack gives them. So nothing else, a token least of all, can stand where an id is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ..._errors.exceptions import wire_error
from ..._text.plain_text import clean
from ..._wire.strict_json import is_text, pointer

_ID: Final = "[A-Z0-9]{1,31}"
_USER: Final = re.compile(f"[UW]{_ID}", re.ASCII).fullmatch
_BOT: Final = re.compile(f"B{_ID}", re.ASCII).fullmatch
_TEAM: Final = re.compile(f"[TE]{_ID}", re.ASCII).fullmatch
_CHANNEL: Final = re.compile(f"[CDG]{_ID}", re.ASCII).fullmatch
_APP: Final = re.compile(f"A{_ID}", re.ASCII).fullmatch
_FILE: Final = re.compile(f"F{_ID}", re.ASCII).fullmatch
_EVENT: Final = re.compile("Ev[A-Za-z0-9]{1,62}", re.ASCII).fullmatch
_TRIGGER: Final = re.compile(r"[0-9]{1,20}\.[0-9]{1,20}(?:\.[0-9a-f]{1,64})?", re.ASCII).fullmatch
_MOMENT: Final = re.compile(r"([0-9]{1,12})\.([0-9]{6})", re.ASCII).fullmatch

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST: Final = 253_402_300_799
"""The last second of the year 9999."""


def is_user(found: object) -> bool:
    """Whether this is the id of a user: `U123`, or `W123` of an organization."""
    return isinstance(found, str) and _USER(found) is not None


def is_bot(found: object) -> bool:
    """Whether this is the id of a bot: `B123`."""
    return isinstance(found, str) and _BOT(found) is not None


def is_team(found: object) -> bool:
    """Whether this is the id of a workspace or an organization: `T123`, `E123`."""
    return isinstance(found, str) and _TEAM(found) is not None


def is_channel(found: object) -> bool:
    """Whether this is the id of a conversation: `C123`, `D123`, `G123`."""
    return isinstance(found, str) and _CHANNEL(found) is not None


def is_app(found: object) -> bool:
    """Whether this is the id of an app: `A123`."""
    return isinstance(found, str) and _APP(found) is not None


def is_file(found: object) -> bool:
    """Whether this is the id of a file: `F123`."""
    return isinstance(found, str) and _FILE(found) is not None


def is_event(found: object) -> bool:
    """Whether this is the id of an event: `Ev123`."""
    return isinstance(found, str) and _EVENT(found) is not None


def is_trigger(found: object) -> bool:
    """Whether this is the id of something that a person did: `12345.98765.abcd2358`."""
    return isinstance(found, str) and _TRIGGER(found) is not None


def is_moment(found: object) -> bool:
    """Whether this is a `ts`, the id of a message in its channel: `1355517523.000005`."""
    return isinstance(found, str) and _MOMENT(found) is not None and int(found.partition(".")[0]) <= _LAST


def moment_of(ts: str) -> datetime:
    """When a message was written, by its `ts`."""
    seconds, _, micros = ts.partition(".")
    return _EPOCH + timedelta(seconds=int(seconds), microseconds=int(micros))


def object_of(found: Any) -> Mapping[str, Any]:
    """The JSON object, or an empty one when it is something else."""
    return found if isinstance(found, Mapping) else {}


def items_of(found: Any) -> tuple[Any, ...]:
    """The items of a JSON array, none when it is something else."""
    return tuple(found) if isinstance(found, (list, tuple)) else ()


def text_of(found: Any) -> str:
    """Text as parts hold it, or an empty one when it is something else."""
    return clean(found) if found.__class__ is str and is_text(found) else ""


def one_of(members: Mapping[str, Any], name: str, fits: Callable[[object], bool]) -> str | None:
    """The member when it fits, None when it is anything else: for what may be missing."""
    found = members.get(name)
    return found if isinstance(found, str) and fits(found) else None


def needed(members: Mapping[str, Any], name: str, fits: Callable[[object], bool], *at: str) -> str:
    """The member, which must be there and fit.

    Raises:
        DecodeError: It is not there, or something else.
    """
    found = members.get(name)
    if found is None:
        raise wire_error("missing-member", pointer(*at, name), "it must be there")
    if not isinstance(found, str) or not fits(found):
        raise wire_error("malformed", pointer(*at, name), "it is not of the form that Slack gives it")
    return found
