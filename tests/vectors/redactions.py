"""The cases of secrets that nobody is given, whatever stands in their place.

Each is another case that pins `[redacted]`, which is a word of this project: here the member may also be left
out. Ruling R66.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors import file_beside
from tests.vectors._own_words import REDACTED, SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Case = dict[str, Any]
NOTE: Final = "A secret is handed on to nobody: its member has another word, or is left out."
OUTCOMES: Final = ("messages", "value")
ABSENT: Final = object()
WORDED: Final = {
    "a2a/verify-received": "no-token-in-raw-typed",
    "activitypub/raw": "evidence-redacted-typed",
    "email/raw": "secrets-redacted-typed",
    "identity/a2a": "raw-typed history-raw-typed",
    "identity/profile": "secrets",
    "policy/wire-a2a-receipt": "secret-in-raw-typed signature-in-raw-typed mandate-in-raw-typed",
    "rest/beside": "parts-secret",
}
"""Where the other cases are, and their names."""


def files() -> Iterator[tuple[Path, str]]:
    """One file beside each file of the others."""
    for where, names in WORDED.items():
        yield file_beside(where, names, SUFFIX, NOTE, _opened)


def _opened(other: Case) -> Case:
    """The case with each form that a secret may be left out in."""
    (outcome,) = (name for name in OUTCOMES if name in other)
    kept = {name: member for name, member in other.items() if name not in ("tier", outcome)}
    forms = [{outcome: _with(other[outcome], instead)} for instead in (REDACTED, ABSENT)]
    return {**kept, "level": "MUST", "any_of": forms}


def _with(value: Any, instead: Any) -> Any:
    """A value in which the members that had the word have something else, or are not there."""
    if isinstance(value, list):
        return [_with(item, instead) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {name: instead if member == REDACTED else _with(member, instead) for name, member in value.items()}
    return {name: member for name, member in kept.items() if member is not ABSENT}
