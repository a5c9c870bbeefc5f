"""The times in a text: Discord shows `<t:1795294560:R>` to each person in words and in their own time zone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Final

from ...._model.parts import Part, TextPart
from ...._wire.time import EPOCH, format_time
from .._markdown import BACKTICKS, outside_code
from .parts import BY_DISCORD, NO_VIEW, text_part

_TIMES: Final = re.compile(BACKTICKS + r"|<t:(?P<seconds>-?[0-9]{1,12})(?::[tTdDfFRsS])?>")
_MAX_TIMES: Final = 100


def times_in(parts: Sequence[Part]) -> tuple[Part, ...]:
    """A part that says which times the texts of a message show; none where they show no time."""
    moments: dict[str, str] = {}

    def read(token: re.Match[str]) -> str:
        if len(moments) < _MAX_TIMES:
            with suppress(OverflowError):  # then Discord shows the token itself
                moments[token[0]] = format_time(EPOCH + timedelta(seconds=int(token["seconds"])))
        return token[0]

    for part in parts:
        if isinstance(part, TextPart) and "<t:" in part.content:
            outside_code(part.content, _TIMES, read)
    if not moments:
        return ()
    lines = [f"{token} is {moment[:10]} {moment[11:19]} UTC" for token, moment in moments.items()]
    return (text_part("\n".join(lines), NO_VIEW, by=BY_DISCORD),)
