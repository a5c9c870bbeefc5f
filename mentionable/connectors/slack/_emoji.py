"""Emoji: the names that Slack has for them, and the codes that they have in texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ..._errors.exceptions import UsageError
from ..._flow.settings import check_kind

_WORD: Final = "[a-z0-9_+'-]{1,100}"
EMOJI: Final = re.compile(f":{_WORD}:")
"""The code of an emoji in a text."""

_is_name: Final = re.compile(f"{_WORD}(?:::skin-tone-[2-6])?").fullmatch
_NAMES: Final[Mapping[str, str]] = {
    "👀": "eyes",
    "👍": "+1",
    "👎": "-1",
    "✅": "white_check_mark",
    "❌": "x",
    "⏳": "hourglass_flowing_sand",
    "🎉": "tada",
    "❤": "heart",
    "🙏": "pray",
    "🤔": "thinking_face",
    "🔥": "fire",
    "🚀": "rocket",
    "⚠": "warning",
    "👋": "wave",
    "💯": "100",
    "😄": "smile",
    "🔧": "wrench",
    "📌": "pushpin",
    "❓": "question",
    "🛑": "octagonal_sign",
}
"""Emoji that other platforms name by the character, and Slack by a word."""

_VARIATION: Final = "\ufe0f"


def emoji_name(emoji: str) -> str:
    """The name by which Slack knows an emoji.

    Raises:
        UsageError: It is none that is known here.
    """
    check_kind(emoji, str, "emoji")
    bare = emoji.removesuffix(_VARIATION)
    name = _NAMES.get(bare) or (bare[1:-1] if len(bare) > 1 and bare[0] == bare[-1] == ":" else bare)
    if not _is_name(name):
        raise UsageError("emoji is the name by which Slack knows it, such as eyes")
    return name
