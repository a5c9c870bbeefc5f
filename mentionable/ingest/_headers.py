"""Headers that say who speaks, written from names that people chose.

A name is neutralized here, where a header is written: what is stored stays as it came.

Spec: Message Ingest Contract §What the assembly layer does on your behalf.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from .._text.display_names import neutralize
from .._text.media import single_line
from .._text.plain_text import ELLIPSIS
from .._wire.strict_json import well_formed

MAX_NAME: Final = 80
"""Characters of a name in a header; a longer one is cut and ends with an ellipsis."""


MAX_TOKEN: Final = 256
"""Characters of a mention token."""


MAX_LINE: Final = 400
"""Characters of one message in a block of context; a longer one is cut and ends with an ellipsis."""


_LOOKED_AT: Final = 8 * MAX_NAME
"""Characters of a name that are looked at, so that a name of megabytes costs no more than another."""


_LIKE_A_TOKEN: Final = re.compile(r"([(\uff08])[\s\u200c\u200d\ufe00-\ufe0f@\uff20\ufe6b]*[@\uff20\ufe6b]").sub
"""In a name: what begins like the address that a header may have behind the name."""


_TOKEN: Final = re.compile(rf"[^\s\[\]\uff3b\uff3d\ufe47\ufe48\x00-\x20\x7f-\xa0]{{1,{MAX_TOKEN}}}").fullmatch


_COLON: Final = re.compile(r":(?=\W)").sub
"""A colon that is no part of an id: with it a name could bring a line of somebody else along."""


_UNSEEN: Final = "\u200c\u200d\u2800" + "".join(map(chr, range(0xFE00, 0xFE10)))
"""What a name may hold, and what shows nothing by itself: joiners, variation selectors, the empty braille cell."""


CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]++")
"""Controls, and marks that turn the order of characters. Line breaks and tabs are none."""


class Named(NamedTuple):
    """Who said something, as metadata or a message names them.

    Attributes:
        name: What to call them; empty when nobody is named.
        token: What mentions them on their platform; empty when there is none.
    """

    name: str
    token: str = ""


class Headers(NamedTuple):
    """The headers of somebody.

    Attributes:
        whole: With name and token.
        own: With the name alone.
        is_bare: Whether the token was left out because no header may hold it.
    """

    whole: str
    own: str
    is_bare: bool


def named_in(members: Mapping[str, Any]) -> Named:
    """Whom metadata names."""
    name, token = members.get("sender_display_name"), members.get("mention_token")
    return Named(name if isinstance(name, str) else "", token if isinstance(token, str) else "")


def headers_in(members: Mapping[str, Any]) -> Headers | None:
    """The headers of whom metadata names; None when the name has nothing to show.

    Every turn of a conversation comes through here, so no `Named` is made on the way.
    """
    name, token = members.get("sender_display_name"), members.get("mention_token")
    return headers_of(name if isinstance(name, str) else "", token if isinstance(token, str) else "")


def headers_of(name: str, token: str) -> Headers | None:
    """The headers for somebody; None when the name has nothing to show."""
    return _remembered(name, token) if len(name) + len(token) <= _LOOKED_AT else _headers(name, token)


def _headers(name: str, token: str) -> Headers | None:
    shown = name_of(name)
    if not shown:
        return None
    is_bare = token != "" and not is_token(token)
    own = f"[{shown}]:"
    return Headers(own if is_bare or not token else f"[{shown} ({token})]:", own, is_bare)


def name_of(name: str) -> str:
    """A name as it may stand in a header: one line, no brackets, at most 80 characters."""
    line = _LIKE_A_TOKEN(r"\1", neutralize(name[:_LOOKED_AT]))
    if not line.strip(_UNSEEN):
        return ""
    return line if len(line) <= MAX_NAME else line[:MAX_NAME].rstrip() + ELLIPSIS


def is_token(token: str) -> bool:
    """Whether a mention token may stand in a header as it is."""
    return _TOKEN(token) is not None and single_line(token) == token and well_formed(token) is token


def line_of(named: Named, text: str) -> str | None:
    """A message as one line of a block: `- Name (<@U…>): text`; None when it says nothing."""
    said = " ".join(CONTROLS.sub("", well_formed(text.strip()[: 4 * MAX_LINE])).split())
    if not said:
        return None
    said = said if len(said) <= MAX_LINE else said[:MAX_LINE].rstrip() + ELLIPSIS
    headers = headers_of(*named)
    who = "unknown" if headers is None else headers.whole[1:-2]
    return f"- {_COLON('', who)}: {said}"


def context_of(heading: str, lines: Iterable[str]) -> str | None:
    """A block of lines under its heading; None without lines."""
    found = list(lines)
    return "\n".join([heading, *found]) if found else None


_remembered: Final = lru_cache(1024)(_headers)
