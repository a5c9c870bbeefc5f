"""Which cases pin words that this project wrote for models and people, and no document prescribes. Ruling R66.

Every case file goes through `leveled`: what pins such a word is SHOULD, and of some cases another one leaves the words
open, which is a MUST.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["REDACTED", "SUFFIX", "is_worded", "leveled", "own_words"]

Case = dict[str, Any]

SUFFIX: Final = "-in-any-words"
"""What the name of a case ends in that leaves the words of another one open."""
ANY: Final[Case] = {"$any": "json"}
OUTCOMES: Final = ("messages", "value", "facts")
"""The members of a case that are compared whole."""
REDACTED: Final = "[redacted]"
"""What stands in the place of a secret."""
SENTENCES: Final = (
    "[Channel context — ambient messages not directed at the bot]",
    "[Context — not written by the sender of this message]",
    "[Earlier messages are not shown.]",
    "[There is no newer message.]",
    "[The tool has not answered.]",
    "[Shared: ",
    "[part (",
)
"""What models read of turns and parts."""
FORMS: Final = (
    rf"\A{re.escape(REDACTED)}\Z",
    r"\[[^\[\]\"]+ \([a-z]+/[a-z0-9.*+-]+\)\]",  # a file that can only be named: `[a.pdf (application/pdf)]`
    r"\\?\[(?:image|file|call|sticker|invitation|thread|effect|voice message)[:\]]",  # what text cannot show
    r"\APoll: |\ASubject: |\nOpens |\AChoose\Z|\A/do\n(?s:.*): yes\Z",  # words around links and menus
)
WORDS: Final = re.compile("|".join((*map(re.escape, SENTENCES), *FORMS)))

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
"""What stands where, and beside what, does not depend on the words. The other case stands next to each."""
OPENED_APART: Final = frozenset(
    (
        *(f"connectors/discord-parts/{one}" for one in ("forwarded-whole", "poll-result", "thread", "content-no-text")),
        *(f"connectors/slack-seen/{one}" for one in ("shared-message", "shared-alone", "unfurl", "mail")),
        *(f"connectors/slack-reply/{one}" for one in ("payment", "payment-direct", "payment-and-words")),
        *(f"connectors/slack-reply/{one}" for one in ("consent", "sign-in", "choices-menu")),
        "connectors/slack-history/text-and-file",
        "connectors/bluebubbles-parts/effect",
    )
)
"""Who wrote it, who sees it, and what is lost does not depend on them either. The other cases end the file."""
SHOWN_TWICE: Final = frozenset({"text", "blocks"})
"""The members of a call of Slack that say the same: both are left open as a whole."""


def own_words(words: str) -> tuple[tuple[str, Any, str], ...]:
    """What ends the name, what stands for the words, and the level: SHOULD for the words, MUST for all beside them."""
    return ("", words, "SHOULD"), (SUFFIX, ANY, "MUST")


def leveled(cases: Iterable[Case]) -> Iterator[Case]:
    """The cases, SHOULD where they pin such words, and those that leave the words open."""
    apart = []
    for case in cases:
        yield {**case, "level": "SHOULD"} if case["level"] == "MUST" and is_worded(case) else case
        if case["id"] in OPENED:
            yield _with_open_words(case)
        elif case["id"] in OPENED_APART:
            apart.append(_with_open_words(case))
    yield from apart


def is_worded(case: Case) -> bool:
    """Whether every form of the outcome has such words that did not come in."""
    forms = [{*_words_in([form.get(name) for name in OUTCOMES])} for form in case.get("any_of", (case,))]
    if not all(forms):
        return False
    given = json.dumps(case["input"], ensure_ascii=False)
    return all(any(words not in given for words in form) for form in forms)


def _words_in(value: Any) -> Iterator[str]:
    """Every such word in the texts of a value."""
    if isinstance(value, str):
        yield from (found[0] for found in WORDS.finditer(value))
    elif isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _words_in(member)


def _with_open_words(case: Case) -> Case:
    """The same case, with any text where it has such words."""
    outcomes: Case = {name: _opened(case[name]) for name in (*OUTCOMES, "any_of") if name in case}
    return {**case, **outcomes, "id": f"{case['id']}{SUFFIX}", "level": "MUST"}


def _opened(value: Any) -> Any:
    """A value in which texts with such words may be any."""
    if isinstance(value, list):
        return [_opened(member) for member in value]
    if isinstance(value, dict):
        whole = SHOWN_TWICE if value.keys() >= SHOWN_TWICE and any(_words_in(value)) else ()
        return {name: ANY if name in whole else _opened(one) for name, one in value.items()}
    return ANY if any(_words_in(value)) else value
