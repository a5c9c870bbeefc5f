"""Writes headers that name the author of a turn, and lines of blocks of context.

Attackers can choose names, so they are neutralized here, where a header is written: what is stored stays as it came.

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

_MAX_READ: Final = 8 * MAX_NAME
"""Characters of a name that are read at most, so that a name of megabytes takes no longer than another."""

_LIKE_A_TOKEN: Final = re.compile(r"([(\uff08])[\s\u200c\u200d\ufe00-\ufe0f@\uff20\ufe6b]*[@\uff20\ufe6b]").sub
"""In a name: text that imitates the address which a header may have after the name."""

_TOKEN: Final = re.compile(rf"[^\s\[\]\uff3b\uff3d\ufe47\ufe48\x00-\x20\x7f-\xa0]{{1,{MAX_TOKEN}}}").fullmatch

_COLON: Final = re.compile(r":(?=\W)").sub
"""A colon that is no part of an id: with it a name could imitate a line of another author."""

_INVISIBLE: Final = "\u200c\u200d\u2800" + "".join(map(chr, range(0xFE00, 0xFE10)))
"""Characters of names that show nothing alone: joiners, variation selectors, the empty braille cell."""

CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]++")
"""Controls and bidirectional marks, without line breaks and tabs."""


class Named(NamedTuple):
    """The author of a message, from metadata or from the message.

    Attributes:
        name: Their name; empty if the metadata has none.
        token: Their mention token on their platform; empty if there is none.
    """

    name: str
    token: str = ""


class Headers(NamedTuple):
    """The headers of an author.

    Attributes:
        whole: With name and token.
        own: With the name only.
        is_bare: Whether the token was left out because it is unsafe in a header.
    """

    whole: str
    own: str
    is_bare: bool


def named_in(members: Mapping[str, Any]) -> Named:
    """The author that metadata names."""
    name, token = members.get("sender_display_name"), members.get("mention_token")
    return Named(name if isinstance(name, str) else "", token if isinstance(token, str) else "")


def headers_in(members: Mapping[str, Any]) -> Headers | None:
    """The headers of the author that metadata names; None if the name has no visible character.

    This is called for every turn of a conversation, so it makes no `Named`.
    """
    name, token = members.get("sender_display_name"), members.get("mention_token")
    return headers_of(name if isinstance(name, str) else "", token if isinstance(token, str) else "")


def headers_of(name: str, token: str) -> Headers | None:
    """The headers of an author; None if the name has no visible character."""
    return _cached_headers(name, token) if len(name) + len(token) <= _MAX_READ else _headers(name, token)


def _headers(name: str, token: str) -> Headers | None:
    visible = name_of(name)
    if not visible:
        return None
    is_bare = token != "" and not is_token(token)
    own = f"[{visible}]:"
    return Headers(own if is_bare or not token else f"[{visible} ({token})]:", own, is_bare)


def subject_line(subject: str) -> str:
    """The line of a model that names the subject of a mail; empty if the subject has no visible character."""
    line = neutralize(subject[: 4 * MAX_LINE])
    if not line.strip(_INVISIBLE):
        return ""
    return f"[Subject: {line if len(line) <= MAX_LINE else line[:MAX_LINE].rstrip() + ELLIPSIS}]"


def name_of(name: str) -> str:
    """A name that is safe in a header: one line, no brackets, at most 80 characters."""
    line = _LIKE_A_TOKEN(r"\1", neutralize(name[:_MAX_READ]))
    if not line.strip(_INVISIBLE):
        return ""
    return line if len(line) <= MAX_NAME else line[:MAX_NAME].rstrip() + ELLIPSIS


def is_token(token: str) -> bool:
    """Whether a mention token is safe in a header."""
    return _TOKEN(token) is not None and single_line(token) == token and well_formed(token) is token


def line_of(sender: Named, text: str) -> str | None:
    """A message as one line of a block: `- Name (<@U…>): text`; None if it is empty."""
    line = " ".join(CONTROLS.sub("", well_formed(text.strip()[: 4 * MAX_LINE])).split())
    if not line:
        return None
    line = line if len(line) <= MAX_LINE else line[:MAX_LINE].rstrip() + ELLIPSIS
    headers = headers_of(*sender)
    who = "unknown" if headers is None else headers.whole[1:-2]
    return f"- {_COLON('', who)}: {line}"


def context_of(heading: str, lines: Iterable[str]) -> str | None:
    """A block of lines under its heading; None without lines."""
    block = [heading, *lines]
    return "\n".join(block) if len(block) > 1 else None


_cached_headers: Final = lru_cache(1024)(_headers)
