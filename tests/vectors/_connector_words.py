"""Which cases of connectors pin words that this project wrote for people, and no document prescribes. Ruling R66."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._answer_rows import ANY
from tests.vectors._own_words import SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["leveled"]

Case = dict[str, Any]

WORDS: Final = re.compile(
    r"\\?\[(?:image|file|call|sticker|invitation|thread|effect|voice message)[:\]]"
    r"|^Poll: |^Subject: |\nOpens |^Choose$|^/do\n.*: yes$",
    re.DOTALL,
)
"""Labels of what text cannot show, and words around links and menus."""
OPENED: Final = frozenset(
    (
        *(f"connectors/discord-parts/{one}" for one in ("forwarded-whole", "poll-result", "thread", "content-no-text")),
        *(f"connectors/slack-seen/{one}" for one in ("shared-message", "shared-alone", "unfurl", "mail")),
        *(f"connectors/slack-reply/{one}" for one in ("payment", "payment-direct", "payment-and-words")),
        *(f"connectors/slack-reply/{one}" for one in ("consent", "sign-in", "choices-menu")),
        "connectors/slack-history/text-and-file",
        "connectors/bluebubbles-parts/effect",
    )
)
"""The cases of which more than the words counts: who wrote it, who sees it, what is lost."""
SHOWN: Final = ("content", "text", "blocks")
"""The members of parts and calls in which words for people stand."""


def leveled(cases: Iterable[Case]) -> Iterator[Case]:
    """The cases, SHOULD where they pin such words; behind them those that leave the words open."""
    opened = []
    for case in cases:
        if not _has_words(case.get("value")) or case["level"] != "MUST":
            yield case
            continue
        yield {**case, "level": "SHOULD"}
        if case["id"] in OPENED:
            opened.append({**case, "id": f"{case['id']}{SUFFIX}", "value": _opened(case["value"])})
    yield from opened


def _has_words(value: Any) -> bool:
    """Whether a text in a value is of these words."""
    if isinstance(value, str):
        return WORDS.search(value) is not None
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(_has_words, members))


def _opened(value: Any) -> Any:
    """A value in which such words may be any."""
    if isinstance(value, list):
        return [_opened(one) for one in value]
    if not isinstance(value, dict):
        return value
    is_worded = any(_has_words(value.get(name)) for name in SHOWN)
    return {name: ANY if is_worded and name in SHOWN else _opened(one) for name, one in value.items()}
