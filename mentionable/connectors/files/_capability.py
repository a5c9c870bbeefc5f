"""A file capability: its members, and their bounds."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from ..._model.base import frozen
from ..._model.file_scope import Scope
from ..._wire.strict_json import MAX_SAFE_INTEGER
from ..._wire.time import EPOCH
from .._members import id_form

TYPE: Final = "mentionable-file-cap+jwt"
"""`typ` in the header of every token: nothing else that a key signs can be taken for a file capability."""

VERSION: Final = 1
CLAIMS: Final = ("ver", "iss", "aud", "iat", "nbf", "exp", "jti", "turn", "scope", "max_bytes")

DEFAULT_LIFETIME: Final = timedelta(minutes=5)
"""The lifetime of a capability, unless the caller chooses another."""

MAX_LIFETIME: Final = timedelta(minutes=15)
"""The maximum lifetime of a capability."""

_SECOND: Final = timedelta(seconds=1)
_LAST: Final = 253_402_300_799  # the last second of the year 9999

is_turn: Final = id_form("[!-~]{1,256}")
"""Ids of turns: up to 256 visible ASCII characters."""

is_token_id: Final = id_form("[A-Za-z0-9_-]{22,128}")
"""Ids of tokens: 128 bits or more as base64url."""


@frozen
class Capability:
    """The verified permission to fetch one file.

    Attributes:
        token_id: The id under which it is revoked and its bytes are counted.
        issuer: The host of the connector that issued it.
        audience: The agent that may fetch the file.
        scope: The file.
        turn: The message that the file came with.
        max_bytes: How many bytes may be sent for it, all fetches together.
        issued_at: When it was issued.
        expires_at: When it expires.
        key_id: The key that signed it.
    """

    token_id: str
    issuer: str
    audience: str
    scope: Scope
    turn: str
    max_bytes: int
    issued_at: datetime
    expires_at: datetime
    key_id: str


def is_budget(value: Any) -> bool:
    """Whether a value can be a number of bytes that may be sent."""
    return value.__class__ is int and 1 <= value <= MAX_SAFE_INTEGER


def is_seconds(value: Any) -> bool:
    """Whether a value can be a time in seconds since 1970, to the year 9999."""
    return value.__class__ is int and 0 <= value <= _LAST


def seconds(moment: datetime) -> int:
    """The full seconds from 1970 to `moment`."""
    return (moment - EPOCH) // _SECOND


def moment_of(number: int) -> datetime:
    """The moment so many seconds after 1970."""
    return EPOCH + timedelta(seconds=number)
