"""Makes the names of senders safe to show."""

from __future__ import annotations

import re
from typing import Final

from .._model.diagnostic import Diagnostic
from .._wire.address import Address, shows_other_domain
from .._wire.strict_json import well_formed
from .left_out import INVISIBLE
from .media import single_line

_BRACKETS: Final = str.maketrans(
    {
        "[": "(", "]": ")", "<": "\u2039", ">": "\u203a",
        "\uff3b": "(", "\uff3d": ")", "\uff1c": "\u2039", "\uff1e": "\u203a",
        "\u27e6": "(", "\u27e7": ")", "\u3010": "(", "\u3011": ")",
        "\ufe47": "(", "\ufe48": ")", "\ufe64": "\u2039", "\ufe65": "\u203a",
    }
)  # fmt: skip
"""Characters that could end a header or imitate a mention token, and those that look like them."""

MAX_NAME: Final = 1_024
"""Characters of a display name; a longer one is no name, and is dropped, not cut."""

names_other_author: Final = re.compile(
    rf"[{INVISIBLE}(](?:(via)|on[{INVISIBLE}]++behalf[{INVISIBLE}]++of)[{INVISIBLE}]", re.IGNORECASE
).search
"""Whether the display name of a list or a service says that it writes for another person."""


def other_author(name: str) -> str:
    """The name of the person on whose behalf a list or a service writes, as its display name says it; "" for none.

    `Alice via List`, `'Alice' via Group`, `Alice (via List)` and `List on behalf of Alice` name Alice. Who that is, no
    signature verifies.
    """
    match = names_other_author(name)
    if match is None:
        return ""
    person = name[: match.start()] if match[1] else name[match.end() :].removesuffix(")" if match[0][0] == "(" else "")
    return person.strip().strip("'\"").strip()


def neutralize(text: str) -> str:
    """Text of somebody else as it may stand in a line for a model: no line breaks, no controls, other brackets.

    So it can neither end the header in which it stands, nor begin another one.
    """
    return " ".join(single_line(well_formed(text)).translate(_BRACKETS).split())


def display_name(line: str, address: Address, *, at: str) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The name of a sender, None when there is none to show; and what is odd about it.

    A name is odd when it is too long, or holds an address of another domain.

    Args:
        line: The name as one line of text.
        address: The address of the sender.
        at: The JSON Pointer of the name.
    """
    if len(line) > MAX_NAME:
        detail = f"{len(line)} characters, at most {MAX_NAME}"
        return None, (Diagnostic(code="name-too-long", at=at, detail=detail),)
    if shows_other_domain(line, address):
        detail = f"the name shows another domain than {address.domain}"
        return line, (Diagnostic(code="name-holds-address", at=at, detail=detail),)
    return line or None, ()
