"""Discord's Markdown as Markdown that others can read: mentions, emoji and times become words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from ...._model.base import EMPTY_DICT, frozen
from ...._text.media import single_line
from ...._text.plain_text import clean
from ...._wire.time import format_time
from ..._members import line_of, object_of

_BACKTICKS: Final = r"`++"
_MARKS: Final = re.compile(
    _BACKTICKS + r"|<(?:(?P<kind>@[!&]?|#)(?P<id>[0-9]{1,20})|a?:(?P<emoji>[A-Za-z0-9_]{1,32}):[0-9]{1,20}"
    r"|t:(?P<time>-?[0-9]{1,12})(?::[tTdDfFRsS])?|/(?P<command>[^<>:\n]{1,100}):[0-9]{1,20})>"
)
_SPECIAL: Final = re.compile(r"[\\`*<>\[\]~|]")
_MAX_NAME: Final = 100
"""What Discord lets people, roles and channels be called."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@frozen
class Names:
    """The names of the ids in a text.

    Attributes:
        users: User id → name.
        roles: Role id → name.
        channels: Channel id → name.
    """

    users: Mapping[str, str] = EMPTY_DICT
    roles: Mapping[str, str] = EMPTY_DICT
    channels: Mapping[str, str] = EMPTY_DICT


def readable(text: str, names: Names) -> str:
    """A text of Discord in which mentions, emoji and times are words, and all else is as it was written.

    Code is unchanged, as on Discord. Other users chose the names, so all markup in them is escaped.
    """
    text = clean(text)
    return outside_code(text, _MARKS, lambda mark: _words(mark, names)) if "<" in text else text


def outside_code(text: str, pattern: re.Pattern[str], words: Callable[[re.Match[str]], str]) -> str:
    """The text with each mark outside of code replaced; `pattern` matches runs of backticks, too."""
    marks = list(pattern.finditer(text))
    code_end_of = _ends_of_code(marks)
    pieces: list[str] = []
    end = code_end = 0
    for mark in marks:
        if mark.start() < code_end:
            continue
        if mark[0][0] == "`":
            code_end = code_end_of(mark)
            continue
        pieces += text[end : mark.start()], words(mark)
        end = mark.end()
    return "".join([*pieces, text[end:]])


def _ends_of_code(marks: list[re.Match[str]]) -> Callable[[re.Match[str]], int]:
    """A function from a run of backticks to the end of its code: the next run of its kind; 0 when there is none.

    Call it for one run after the other, in the order of the text.
    """
    runs: dict[int, list[re.Match[str]]] = {}
    for mark in reversed(marks):
        if mark[0][0] == "`":
            runs.setdefault(min(len(mark[0]), 3), []).append(mark)

    def end_of(opening: re.Match[str]) -> int:
        same = runs[min(len(opening[0]), 3)]
        while same and same[-1].start() <= opening.start():
            same.pop()
        return same[-1].end() if same else 0

    return end_of


def _words(mark: re.Match[str], names: Names) -> str:
    """The text that replaces a mark."""
    kind = mark["kind"]
    if kind is not None:
        return _mention(kind, mark["id"], names)
    if mark["emoji"] is not None:
        return f":{mark['emoji']}:"
    if mark["command"] is not None:
        return f"/{escape_name(mark['command'])}"
    try:
        moment = format_time(_EPOCH + timedelta(seconds=int(mark["time"])))
        return f"{moment[:10]} {moment[11:16]} UTC"
    except OverflowError:
        return mark[0]


def _mention(kind: str, id: str, names: Names) -> str:
    """A mention by its name, or by its kind and id where the name is not known."""
    table, sign, unnamed = {
        "@&": (names.roles, "@", "role"),
        "#": (names.channels, "#", "channel"),
    }.get(kind, (names.users, "@", "user"))
    name = table.get(id)
    is_short = name is not None and 0 < len(name) <= _MAX_NAME  # one name may replace every mark of a text
    return f"{sign}{escape_name(name)}" if name and is_short else f"{sign}{unnamed}:{id}"


def escape_name(name: str) -> str:
    """A name as text that is no markup."""
    return _SPECIAL.sub(r"\\\g<0>", single_line(name))


def quoted(text: str) -> str:
    """A text as a quote."""
    return "\n".join([f"> {line}" for line in text.split("\n")])


def names_in(table: object) -> dict[str, str]:
    """The names in a table of objects of Discord by id."""
    names = {id: line_of(object_of(value).get("name")) for id, value in object_of(table).items()}
    return {id: name for id, name in names.items() if name}
