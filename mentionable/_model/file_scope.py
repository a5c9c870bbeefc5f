"""What a file capability opens: one file of one channel of one workspace."""

from __future__ import annotations

import re
from typing import Any, Final

from .._errors.exceptions import UsageError
from .base import frozen

SCOPE: Final = ("workspace", "channel", "file")


_SCOPE_ITEM: Final = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,64}", re.ASCII).fullmatch


@frozen
class Scope:
    """The one file that a capability is for. There are no wildcards.

    Attributes:
        workspace: Where the platform keeps it: a team, a guild, a tenant.
        channel: The conversation it was shared in.
        file: The file.

    Raises:
        UsageError: One of them is not 1 to 64 letters, digits, `.`, `_` and `-`, or is `.` or `..`.
    """

    workspace: str
    channel: str
    file: str

    def __attrs_post_init__(self) -> None:
        for name in SCOPE:
            if not is_scope_item(getattr(self, name)):
                raise UsageError(f"Scope.{name} is 1 to 64 letters, digits, '.', '_' and '-', and not '.' or '..'")


def is_scope_item(value: Any) -> bool:
    """Whether a value can be a member of a scope."""
    return isinstance(value, str) and _SCOPE_ITEM(value) is not None
