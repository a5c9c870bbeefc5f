"""Writes headers that name the author of a turn, and lines of blocks of context.

Attackers can choose names, so they are neutralized here, where a header is written: what is stored stays as it came.

Spec: Message Ingest Contract §What the assembly layer does on your behalf.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from .._text.confusables import LOOKALIKES
from .._text.display_names import ELLIPSIS, INVISIBLE, MAX_READ, is_token, name_of, neutralize
from .._text.fold import quote_imitations
from .._text.headers import UNKNOWN
from .._wire.strict_json import well_formed

MAX_LINE: Final = 400
"""Characters of one message in a block of context; a longer one is cut and ends with an ellipsis."""

_COLON: Final = re.compile(rf"[:{LOOKALIKES[':']}](?=\W)").sub
"""A colon that is no part of an id: with it a name could imitate a line of another author."""

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
    return _cached_headers(name, token) if len(name) + len(token) <= MAX_READ else _headers(name, token)


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
    if not line.strip(INVISIBLE):
        return ""
    return f"[Subject: {line if len(line) <= MAX_LINE else line[:MAX_LINE].rstrip() + ELLIPSIS}]"


class BlockLine(NamedTuple):
    """A message as one line of a block.

    Attributes:
        text: The line.
        is_cut: Whether the message was longer.
    """

    text: str
    is_cut: bool


def line_of(sender: Named, text: str, *, shared_by: Named | None = None) -> BlockLine | None:
    """A message as one line of a block: `- Name (<@U…>): text`; None if it is empty.

    Args:
        sender: Its author.
        text: What they wrote.
        shared_by: Who passed it on.
    """
    text = text.strip()
    line = " ".join(CONTROLS.sub("", well_formed(text[: 4 * MAX_LINE])).split())
    if not line:
        return None
    line = quote_imitations(line)
    is_cut = len(line) > MAX_LINE or len(text) > 4 * MAX_LINE
    line = line[:MAX_LINE].rstrip() + ELLIPSIS if is_cut else line
    shared = "" if shared_by is None else f", shared by {_who(shared_by)}"
    return BlockLine(f"- {_who(sender)}{shared}: {line}", is_cut)


def _who(sender: Named) -> str:
    """An author in a line of a block, without a colon that would end their name."""
    headers = headers_of(*sender)
    return UNKNOWN if headers is None else _COLON("", headers.whole[1:-2])


def context_of(heading: str, lines: Iterable[str]) -> str | None:
    """A block of lines under its heading; None without lines."""
    block = [heading, *lines]
    return "\n".join(block) if len(block) > 1 else None


_cached_headers: Final = lru_cache(1024)(_headers)
