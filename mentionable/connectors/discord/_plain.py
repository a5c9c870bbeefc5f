"""Plain text as Markdown that Discord shows as that text.

Discord takes a backslash before any character that is no letter, digit or space as an escape, and shows the character.
"""

from __future__ import annotations

import re
from typing import Final

from ..._text.media import single_line
from ..._wire.authority import split_authority

_MARKS: Final = re.compile(
    r"(?P<address>https?://[A-Za-z0-9][^\s<]*+)"  # no markup begins in it, and a backslash at its end is part of it
    r"(?:(?P<angle><[A-Za-z0-9]*+)(?P<inside>[@#:/])?)?"
    r"|https?:(?=//)"  # no address behind it, though Discord could make one of it and what is escaped
    r"|[\\`*_~|<>\[\]]"
    r"|:(?=[A-Za-z0-9_+~-]{1,64}:)"  # `:smile:`
    r"|(?<![^\s\ufeff])(?:#(?=#{0,2}\s)|[+-](?=#?\s)|[0-9]++\.(?=\s))"  # a heading, a list, small text
)
_LABEL_MARKS: Final = re.compile(r"[\\`*_~|<>\[\]]")
_LOOKS_LIKE_ADDRESS: Final = re.compile(r"://|\bwww\.|[\w-]\.[A-Za-z]{2}").search


def escape_plain(text: str) -> str:
    r"""Plain text as Markdown that shows it as it is; web addresses stay as they are.

    What is markup at the start of a line is escaped behind every blank: a long text is cut into messages there.

    Example:
        >>> escape_plain("# 1 of *3*: https://a.example/_x_ :smile:")
        '\\# 1 of \\*3\\*: https://a.example/_x_ \\:smile:'
    """
    return _MARKS.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    mark = match[0]
    if match["address"]:
        inside = f"\\{match['inside']}" if match["inside"] else ""
        return f"{match['address']}{match['angle'] or ''}{inside}"
    return f"{mark[:-1]}\\{mark[-1]}"


def escape_label(text: str) -> str:
    """The label of a link as Markdown that shows it as it is."""
    return _LABEL_MARKS.sub(r"\\\g<0>", text)


def link(url: str, label: str | None, *, is_file: bool = False) -> str:
    """A link. Between angle brackets nothing in its address ends it early.

    Args:
        url: Where it leads.
        label: What people read. Behind one that looks like an address is the host that the link leads to.
        is_file: Whether the label is the name of a file, which looks like an address and is none.
    """
    text = single_line(label or "")
    if not text:
        return f"<{url}>"
    written = f"[{escape_label(text)}](<{url}>)"
    if is_file or _LOOKS_LIKE_ADDRESS(text) is None:
        return written
    return f"{written} ({escape_plain(split_authority(url)[0])})"
