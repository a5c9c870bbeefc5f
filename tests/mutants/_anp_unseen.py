"""Mutants of notifications: what a human sees nothing of, and takes for words."""

from __future__ import annotations

from typing import Final

from mentionable.anp import _commands, _notification, _output, _turn
from tests.mutants._anp import DECIDE, edits

SEES: Final = _notification.shows_something
WORDS: Final = ("anp.read_output",)
TURNS: Final = ("anp.turn",)
SUBMITTED: Final = ("anp.read_submission", *DECIDE)
ALL: Final = (*SUBMITTED, *WORDS, *TURNS)


def _blank(text: str) -> bool:
    """Whether a text is more than blanks."""
    return bool(text.strip())


# --- at each place where words come in

edits(
    SUBMITTED,
    "unseen-is-submitted",
    "Takes events that say what nobody can see.",
    values={(_notification, "shows_something"): _blank},
)
edits(
    DECIDE,
    "unseen-is-a-fallback",
    "Shows a fallback that nobody can see.",
    (_notification.Notification.fallback, "shows_something(text)", "text.strip()"),
)
edits(
    (*DECIDE, *TURNS),
    "unseen-is-said",
    "Takes words that nobody can see for a narration.",
    (_commands.CommitTurn.speaks, "shows_something(self.output)", "bool(self.output.strip())"),
)
edits(
    WORDS,
    "unseen-is-output",
    "Reads words that nobody can see as an answer.",
    (_output._said, "shows_something(output)", "output.strip()"),
)
edits(
    TURNS,
    "unseen-withholds",
    "Throws a turn away whose words nobody can see.",
    (_turn.commit_turn, "shows_something(output)", "output.strip() != ''"),
)

# --- what is seen

EACH: Final = (
    ("fillers", "Takes fillers for letters.", "start.isascii() and start.isalnum()", "start.isalnum()"),
    ("joiners", "Takes joiners for something that is seen.", ".strip(_JOINERS)", ""),
    (
        "widthless",
        "Takes characters without a width for something that is seen.",
        "one_line(text).strip(_JOINERS)",
        "text.translate(dict.fromkeys(map(ord, '\\u115f\\u3164\\uffa0'))).strip().strip(_JOINERS)",
    ),
)
for _name, _rule, _old, _new in EACH:
    edits(ALL, f"sees-{_name}", _rule, (SEES, _old, _new))
for _name, _rule, _more in (
    ("blank-patterns", "Takes a pattern without a dot for a picture.", ".replace('\\u2800', '')"),
    (
        "shapes",
        "Takes marks for another shape for something that is seen.",
        ".translate(dict.fromkeys(range(0xFE00, 0xFE0E)))",
    ),
):
    edits(ALL, f"sees-{_name}", _rule, (SEES, "strip(_JOINERS)", f"strip(_JOINERS{_more})"))
edits(
    ALL,
    "sees-letters-only",
    "Takes pictures for nothing.",
    (SEES, "bool(one_line(text).strip(_JOINERS))", "any(map(str.isalnum, one_line(text)))"),
)
edits(
    ALL,
    "sees-the-first-letter",
    "Takes words for nothing that begin with what nobody can see.",
    (SEES, "one_line(text).strip(_JOINERS)", "one_line(start).strip(_JOINERS)"),
)
edits(
    WORDS,
    "unseen-is-cut",
    "Changes words of which a part cannot be seen.",
    (_output._said, "well_formed(output) if", "well_formed(output).strip('\\u200b\\ufe0f') if"),
)
