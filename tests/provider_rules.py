"""The tables of docs/how-to/ingest.md: what each provider takes, as `lower` has it in `mentionable/ingest/_rules.py`.

`python tests/regenerate.py providers` writes the page.
"""

from __future__ import annotations

from string import ascii_letters, digits
from typing import TYPE_CHECKING, Final

from mentionable.ingest._rules import RULES, FileRule, Rules, TurnRule, WordRule
from tests.marks import between_marks
from tests.packages import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE: Final = ROOT / "docs" / "how-to" / "ingest.md"

KINDS: Final = {
    "image/*": "images of unknown type, by URL",
    "application/octet-stream": "files of unknown type, by URL",
}
"""Media type → what it says to a reader."""


def rows() -> Iterator[str]:
    """A row for each provider and each rule that it has."""
    for dialect, rules in RULES.items():
        for subject, says, source in _rules(rules):
            where = f"[page]({source})" if source.startswith("https://") else f"its error “{source}”"
            yield f"| `{dialect}` | {subject} | {says} | {where} |"


def _rules(rules: Rules) -> Iterator[tuple[str, str, str]]:
    if rules.names is not None:
        yield "names of tools", _word(rules.names), rules.names.source
    if rules.ids is not None:
        yield "ids of calls", _word(rules.ids), rules.ids.source
    for rule in rules.files:
        yield f"{rule.kind} files", _file(rule), rule.source
    if rules.turns.alternates:
        yield "turns", _turns(rules.turns), rules.turns.source


def _word(rule: WordRule) -> str:
    says = [f"{rule.max_length} characters"]
    if rule.characters:
        says.append(_characters(rule.characters))
    if rule.first:
        says.append(f"the first: {_characters(rule.first)}")
    return "; ".join(says)


def _characters(characters: str) -> str:
    others = "".join(one for one in characters if one not in ascii_letters + digits)
    named = "letters, digits, " if set(digits) <= set(characters) else "letters, "
    return f"{named}`{others}`" if " " not in others else f"{named}blanks, `{others.replace(' ', '')}`"


def _file(rule: FileRule) -> str:
    types = [KINDS.get(one) or (f"`{one}*`" if one.endswith("/") else f"`{one}`") for one in rule.types]
    says = [", ".join(types), f"by bytes or {', '.join(rule.schemes)}" if rule.schemes else "by bytes"]
    if rule.max_bytes is not None:
        says.append(f"{rule.max_bytes:,} bytes each")
    if rule.max_total is not None:
        says.append(f"{rule.max_total:,} bytes together")
    if rule.max_count is not None:
        says.append(f"{rule.max_count:,} in a request")
    return "; ".join(says)


def _turns(rule: TurnRule) -> str:
    says = ["user and assistant alternate", "system text is a parameter"]
    says += ["a user is first"] if rule.user_first else []
    says += ["a user is last"] if rule.user_last else []
    says += [] if rule.takes_blank else ["no blank texts"]
    return "; ".join(says)


def page() -> str:
    """docs/how-to/ingest.md with the table as it is."""
    lines = ["", "| `dialect` | what | takes | source |", "| --- | --- | --- | --- |", *rows(), ""]
    return between_marks(PAGE.read_text(), "providers", lines)
