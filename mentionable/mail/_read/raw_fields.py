"""Fields of a mail as a message keeps them in `raw`, where its caller may have cut, redacted or lost them.

Nothing here raises.
"""

from __future__ import annotations

from typing import Any, Final

from ..._errors.exceptions import LimitError
from ..._wire.strict_json import dig, well_formed
from .header_section import Mailbox, read_addresses

MAX_MAILBOXES: Final = 5
"""Mailboxes of a field that are read: one mail must not become many."""

_PARSED_AS: Final = {"message-id": "messageId", "in-reply-to": "inReplyTo", "references": "references"}


def field_value(raw: Any, name: str, *, max_chars: int) -> str:
    """The first value of a header field, by its name in lower case, up to so many characters; "" when it has none."""
    value = dig(raw, "headers", name)
    if isinstance(value, (list, tuple)) and value:
        value = value[0]
    if not isinstance(value, str) and name in _PARSED_AS:
        value = dig(raw, "parsed", _PARSED_AS[name])
    return well_formed(value[:max_chars]) if isinstance(value, str) else ""


def few_mailboxes(value: str, *, name: str) -> tuple[Mailbox, ...]:
    """The mailboxes of an address field; none where there are more than `MAX_MAILBOXES`."""
    try:
        return read_addresses(value, name=name, limit=MAX_MAILBOXES).mailboxes
    except LimitError:
        return ()
