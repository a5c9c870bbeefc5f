"""Makes the names of senders safe to show."""

from __future__ import annotations

import re
from typing import Final

from .._model.diagnostic import Diagnostic
from .._wire.address import Address, shows_other_domain
from .._wire.strict_json import well_formed
from .confusables import LOOKALIKES
from .fold import begins_like_ours, fold
from .media import single_line

_BRACKETS: Final = {
    ord(character): put
    for bracket, put in (("[", "("), ("]", ")"), ("<", "\u2039"), (">", "\u203a"))
    for character in (bracket, *LOOKALIKES[bracket])
}
"""Characters that could end a header or imitate a mention token, and those that look like them."""

_INVISIBLE: Final = (
    r"\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\ufe00-\ufe0f\ufeff\x09\x1f \xa0\u115f\u1160\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0"
)
"""White space other than line breaks, and invisible characters."""

MAX_NAME: Final = 1_024
"""Characters of a display name; a longer one is no name, and is dropped, not cut."""

MAX_HEADER_NAME: Final = 80
"""Characters of a name in a header; a longer one is cut and ends with an ellipsis."""

MAX_TOKEN: Final = 256
"""Characters of a mention token."""

MAX_READ: Final = 8 * MAX_HEADER_NAME
"""Characters of a name that are read at most, so that a name of megabytes takes no longer than another."""

ELLIPSIS: Final = "…"
INVISIBLE: Final = "\u200c\u200d\u2800" + "".join(map(chr, range(0xFE00, 0xFE10)))
"""Characters of names that show nothing alone: joiners, variation selectors, the empty braille cell."""

_LIKE_A_TOKEN: Final = re.compile(r"([(\uff08])[\s\u200c\u200d\ufe00-\ufe0f@\uff20\ufe6b]*[@\uff20\ufe6b]").sub
"""In a name: text that imitates the address which a header may have after the name."""

_TOKEN: Final = re.compile(rf"[^\s\[\]\uff3b\uff3d\ufe47\ufe48\x00-\x20\x7f-\xa0]{{1,{MAX_TOKEN}}}").fullmatch

names_other_author: Final = re.compile(
    rf"[{_INVISIBLE}(](?:(via)|on[{_INVISIBLE}]++behalf[{_INVISIBLE}]++of)[{_INVISIBLE}]", re.IGNORECASE
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


def name_of(name: str) -> str:
    """A name that is safe in a header: one line, no brackets, at most 80 characters.

    A name that is the name of a role, or begins like a line of this library, is put between `‹` and `›`.
    """
    line = _LIKE_A_TOKEN(r"\1", neutralize(name[:MAX_READ]))
    if not line.strip(INVISIBLE):
        return ""
    line = line if len(line) <= MAX_HEADER_NAME else line[:MAX_HEADER_NAME].rstrip() + ELLIPSIS
    folded = fold(line)
    return f"\u2039{line}\u203a" if begins_like_ours(f"{folded}:") or begins_like_ours(f"[{folded}") else line


def is_token(token: str) -> bool:
    """Whether a mention token is safe in a header."""
    return _TOKEN(token) is not None and single_line(token) == token and well_formed(token) is token
