"""What senders call themselves, before people are shown it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ._address import shows_other_domain
from ._outcome import Diagnostic

if TYPE_CHECKING:
    from ._address import Address

MAX_NAME: Final = 1_024
"""Characters of a display name; a longer one is no name, and is dropped, not cut."""


def display_name(line: str, address: Address, *, at: str, notes: list[Diagnostic]) -> str | None:
    """The name of a sender, or None when there is none to show.

    Args:
        line: The name as one line of text.
        address: The address of the sender.
        at: Where the name stands.
        notes: Takes what is odd about it: it is too long, or holds an address of another domain.
    """
    if len(line) > MAX_NAME:
        notes.append(Diagnostic(code="name-too-long", at=at, detail=f"{len(line)} characters, at most {MAX_NAME}"))
        return None
    if shows_other_domain(line, address):
        detail = f"the name shows another domain than {address.domain}"
        notes.append(Diagnostic(code="name-holds-address", at=at, detail=detail))
    return line or None
