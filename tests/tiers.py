"""What each case of the suite rests on: its tier, derived from `conformance/requirements.json` and the case itself.

`published`: its section is one of the five documents, and a requirement names a sentence that implies it. Of the rest,
what is about hostile input is `hardening`, and every other decision `project`. Spec: ruling R66.
"""

from __future__ import annotations

import json
import re
from fnmatch import translate
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DOCUMENTS", "implied", "is_of_a_document", "with_tiers"]

SUITE: Final = Path(__file__).resolve().parents[1] / "conformance"
DOCUMENTS: Final = ("NM", "PP", "BC", "MI", "ANP")
"""The labels of the five documents."""
HOSTILE: Final = frozenset({"attack", "limits", "security"})
"""The flags of cases about hostile input."""


def with_tiers(text: str) -> str:
    """The text of a case file, each case with its tier behind its level."""
    document = json.loads(text)
    if not isinstance(document, dict) or "cases" not in document or "op" not in document:
        return text
    document["cases"] = [_with_tier(case) for case in document["cases"]]
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def is_of_a_document(section: str) -> bool:
    """Whether a section is one of the five documents."""
    return section.partition(" ")[0] in DOCUMENTS


def implied(case_id: str) -> bool:
    """Whether a sentence that a requirement names implies the case."""
    return _implied().fullmatch(case_id) is not None


def _with_tier(case: Mapping[str, Any]) -> dict[str, Any]:
    written = {}
    for name, value in case.items():
        if name != "tier":
            written[name] = value
        if name == "level":
            written["tier"] = _tier(case)
    return written


def _tier(case: Mapping[str, Any]) -> str:
    if is_of_a_document(case["section"]) and implied(case["id"]):
        return "published"
    return "project" if HOSTILE.isdisjoint(case.get("flags", ())) else "hardening"


@cache
def _implied() -> re.Pattern[str]:
    requirements = json.loads((SUITE / "requirements.json").read_bytes())["requirements"]
    globs = {glob for one in requirements for glob in one.get("sentence", {}).get("implies", ())}
    return re.compile("|".join(translate(glob) for glob in sorted(globs)) or "(?!)")
