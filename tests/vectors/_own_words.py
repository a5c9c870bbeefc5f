"""Which cases pin words that this project wrote for models and people, and no document prescribes. Ruling R66."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["SUFFIX", "level_of", "own_words", "with_open_words"]

Case = dict[str, Any]

SUFFIX: Final = "-in-any-words"
"""What the name of a case ends in that leaves the words of another one open."""
SENTENCES: Final = (
    "[Channel context — ambient messages not directed at the bot]",
    "[Context — not written by the sender of this message]",
    "[Earlier messages are not shown.]",
    "[There is no newer message.]",
    "[The tool has not answered.]",
    "[Shared: ",
    "[part (",
)
LABEL: Final = re.compile(r"\[[^\[\]\"]+ \([a-z]+/[a-z0-9.*+-]+\)\]")
"""A file that can only be named: `[a.pdf (application/pdf)]`."""


DIALECTS: Final = ("openai", "openai-responses", "vercel", "anthropic", "gemini", "bedrock")
OPENED: Final = frozenset(
    (
        *(f"ingest/ambient/{one}" for one in ("one-block", "above-last-turn", "after-last-turn", "no-turn")),
        "ingest/ambient/no-thread-of-their-own",
        *(f"ingest/lower/{one}-default" for one in ("anthropic", "gemini", "bedrock")),
        *(f"ingest/lower/{one}-agent-first" for one in ("anthropic", "gemini", "bedrock")),
        *(f"ingest/lower-rules/{one}-unanswered-call" for one in DIALECTS),
        *(f"ingest/lower-rules/{one}-agent-last" for one in ("anthropic", "gemini", "bedrock")),
        "ingest/lower-files/pdf-by-url-openai",
    )
)
"""What stands where, and beside what, does not depend on the words."""


def own_words(words: str) -> tuple[tuple[str, Any, str], ...]:
    """What ends the name, what stands for the words, and the level: SHOULD for the words, MUST for all beside them."""
    return ("", words, "SHOULD"), (SUFFIX, {"$any": "json"}, "MUST")


def level_of(unit: Any, outcome: Mapping[str, Any]) -> str:
    """SHOULD for an outcome that has such words and did not get them, else MUST."""
    given, found = (json.dumps(one, ensure_ascii=False) for one in (unit, outcome))
    named = [*(one for one in SENTENCES if one in found), *LABEL.findall(found)]
    return "SHOULD" if any(one not in given for one in named) else "MUST"


def with_open_words(cases: Iterable[Case]) -> Iterator[Case]:
    """The cases, and behind some of them the same with all such words left open, which is a MUST again."""
    for case in cases:
        yield case
        if case["id"] in OPENED:
            yield {**_opened(case), "id": f"{case['id']}{SUFFIX}", "level": "MUST"}


def _opened(found: Any) -> Any:
    """A copy of an outcome, or of a case without its input, in which texts with such words are left open."""
    if isinstance(found, str):
        return {"$any": "json"} if level_of("", {"text": found}) == "SHOULD" else found
    if isinstance(found, list):
        return [_opened(one) for one in found]
    if isinstance(found, dict):
        return {name: one if name == "input" else _opened(one) for name, one in found.items()}
    return found
