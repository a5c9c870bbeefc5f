"""Mutants of reading HTML to text and to Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.suite_cases import every_case

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
AREA = "text"


def reads(name: str, rule: str, change: Callable[[str], str], *, ops: str = "text.", central: bool = False) -> None:
    """Registers a mutant that changes the HTML before it is read."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        return honest(op, given, {**unit, "html": change(unit["html"])} if op.startswith(ops) else unit)

    wrong.__name__ = name
    mutant(AREA, rule, central=central)(wrong)


def gives(name: str, rule: str, change: Callable[[str], str], *, ops: str = "text.", central: bool = False) -> None:
    """Registers a mutant that gives another text."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        return {"value": change(answer["value"])} if "value" in answer and op.startswith(ops) else answer

    wrong.__name__ = name
    mutant(AREA, rule, central=central)(wrong)


if any(case.area == AREA for case in every_case()):
    gives("adds-a-line-end", "Ends every text with a line end.", lambda text: text + "\n", central=True)
    gives("one-line", "Makes one line of all.", lambda text: text.replace("\n", " "), central=True)
    gives(
        "lists-lose-marks",
        "Loses the marks of lists.",
        lambda text: re.sub(r"(?m)^(\s*)(?:[-*•]|\d+\.) ", r"\1", text),
        central=True,
    )
    reads(
        "runs-scripts",
        "Shows scripts and styles as text.",
        lambda html: re.sub(r"(?i)<(/?)(script|style)\b", r"<\1span", html),
    )
    reads("ignores-breaks", "Does not know br.", lambda html: re.sub(r"(?i)<br\s*/?>", "", html))
    reads("ignores-paragraphs", "Does not know p.", lambda html: re.sub(r"(?i)</?p\b[^>]*>", "", html), central=True)
    reads("reads-comments", "Shows comments.", lambda html: re.sub(r"<!--|-->", "", html))
    reads("drops-entities", "Does not know entities.", lambda html: re.sub(r"&(#?\w+);", r"\1", html), central=True)
    reads("drops-pictures", "Does not know pictures.", lambda html: re.sub(r"(?i)<img\b[^>]*>", "", html))
    reads("drops-links", "Does not know links.", lambda html: re.sub(r"(?i)</?a\b[^>]*>", "", html), central=True)
    reads(
        "drops-emphasis",
        "Does not know emphasis.",
        lambda html: re.sub(r"(?i)</?(?:em|strong|b|i)\b[^>]*>", "", html),
        central=True,
    )
    reads(
        "drops-code", "Does not know code.", lambda html: re.sub(r"(?i)</?(?:pre|code)\b[^>]*>", "", html), central=True
    )
    reads(
        "drops-quotes",
        "Does not know quotations.",
        lambda html: re.sub(r"(?i)</?blockquote\b[^>]*>", "", html),
        central=True,
    )
