"""The answer on a line of a harness, or what is wrong with the line."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from mentionable_conformance._show import visible
from mentionable_conformance._values import checked

__all__ = ["Broken", "answer_on"]

_SHOWN: Final = 120
"""So many characters of a line are shown."""
_MAX_BYTES: Final = 4
"""So many bytes has a character in UTF-8 at most."""
_SURROGATE: Final = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
"""A lone surrogate, as encoders write it that do not check."""
_STDOUT: Final = "stdout is for answers, and debug output belongs on stderr"


class Broken(Exception):
    """The conversation with the program cannot go on."""


def answer_on(line: bytes) -> dict[str, Any]:
    """The object on a line.

    Raises:
        Broken: There is none.
    """
    try:
        answer = checked(json.loads(line.decode("utf-8"), parse_constant=_no_constant))
    except UnicodeError as error:
        is_lone = isinstance(error, UnicodeEncodeError) or _SURROGATE.search(line)
        what = "a lone surrogate in a line" if is_lone else "not a line of UTF-8"
    except (ValueError, RecursionError):
        what = "not a line of JSON"
    else:
        if isinstance(answer, dict):
            return answer
        what = "not a JSON object"
    raise Broken(f"{what}: {_shown(line)} ({_STDOUT})")


def _shown(line: bytes) -> str:
    """The line, or the beginning of it, as text."""
    text = line[: (_SHOWN + 1) * _MAX_BYTES].decode("utf-8", "replace").rstrip("\r\n")
    if not text:
        return "an empty line"
    return visible(text[:_SHOWN]) + ("…" if len(text) > _SHOWN else "")


def _no_constant(text: str) -> None:
    """NaN and the infinities are not JSON."""
    raise ValueError(text)
