"""Mutants of assembly: which rows get headers, and which headers in a text are believed."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, Any, Final

from tests.mutants._answers import mends, quiet, spoils, takes
from tests.mutants._ingest import AREA

if TYPE_CHECKING:
    from collections.abc import Callable

OP: Final = ("ingest.assemble",)


def sees(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that sees other rows: `change(row)` changes each that is an object."""

    def mend(given: Any, unit: Any) -> Any:
        for row in unit["rows"]:
            if isinstance(row, dict) and "stored" not in row:
                change(row)
        return given, unit

    mends(AREA, OP, f"assemble-{name}", rule, mend)


def says(name: str, rule: str, change: Callable[[str], str]) -> None:
    """Registers a mutant that changes what people said before it looks at it."""

    def other(row: dict[str, Any]) -> None:
        if row.get("role") == "user" and isinstance(row.get("content"), str):
            row["content"] = change(row["content"])

    sees(name, rule, other)


def member(row: dict[str, Any], name: str) -> Any:
    """A member of the metadata of a row."""
    found = row.get("_metadata")
    return found.get(name) if isinstance(found, dict) else None


# --- which rows


def _live(given: Any, unit: Any) -> Any:
    rows = unit["rows"]
    if any(row.get("role") == "assistant" for row in rows[:-1] if isinstance(row, dict)):
        rows[-1].pop("_metadata", None)
    return given, unit


mends(AREA, OP, "assemble-live-turn-raw", "Leaves the turn to answer as it is.", _live)


def _first_speaks(given: Any, unit: Any) -> Any:
    people = [row for row in unit["rows"] if isinstance(row, dict) and member(row, "sender_display_name")]
    for row in people[1:]:
        row["_metadata"]["sender_display_name"] = people[0]["_metadata"]["sender_display_name"]
    return given, unit


mends(AREA, OP, "assemble-one-speaker", "Takes all turns for those of one person.", _first_speaks)
sees(
    "nobody-is-unknown",
    "Calls turns of nobody unknown.",
    lambda row: (
        row.setdefault("_metadata", {"sender_display_name": "unknown"})
        if row.get("role") == "user" and isinstance(row.get("content"), str)
        else None
    ),
)
sees(
    "no-name-is-unknown",
    "Calls who has no name unknown.",
    lambda row: (
        row["_metadata"].setdefault("sender_display_name", "unknown")
        if isinstance(row.get("_metadata"), dict) and row.get("role") == "user" and member(row, "passive") is not True
        else None
    ),
)
quiet(AREA, OP, "mention-token-refused", "metadata-ignored", "metadata-near-miss", "turn-dropped", "context-trimmed")
quiet(AREA, OP, "part-unsupported", "prefix-baked")

# --- what was said

says("strips", "Strips what was said.", lambda text: text.strip() or text)
says(
    "sanitises",
    "Takes controls and joiners out of what was said.",
    lambda text: re.sub("[\x00\u200d\u202e\u2028]", "", text),
)
says("cuts", "Cuts what was said.", lambda text: text[:400])
says("unescapes", "Reads what was said as HTML.", html.unescape)
says(
    "reads-json",
    "Reads what was said as JSON.",
    lambda text: str(json.loads(text)) if text[:1] in ("{", '["') or text[:2] == '["' else text,
)
says("blanks-are-nothing", "Takes blanks for nothing.", lambda text: "" if text.isspace() else text)

# --- what is no row

for _name, _is_wrong in {
    "objects": lambda row: not isinstance(row, dict),
    "roles": lambda row: isinstance(row, dict) and "role" not in row,
    "role-numbers": lambda row: isinstance(row, dict) and row.get("role") == 5,
    "numbers": lambda row: isinstance(row, dict) and row.get("content") == 5,
    "contents": lambda row: isinstance(row, dict) and isinstance(row.get("content"), dict),
    "parts": lambda row: isinstance(row, dict) and isinstance(row.get("parts"), dict),
    "metadata-texts": lambda row: isinstance(row, dict) and isinstance(row.get("_metadata"), str),
    "metadata-lists": lambda row: isinstance(row, dict) and isinstance(row.get("_metadata"), list),
}.items():
    takes(
        AREA,
        OP,
        f"assemble-any-{_name}",
        f"Leaves out rows with wrong {_name}.",
        lambda _, unit: unit["rows"][:1],
        "malformed",
        when=lambda unit, is_wrong=_is_wrong: any(map(is_wrong, unit["rows"])),
    )
for _name in ("guard", "multimodal", "context", "repeats", "agent"):
    takes(
        AREA,
        OP,
        f"assemble-any-{_name}",
        f"Takes any word for {_name}.",
        lambda *_: [],
        "malformed",
        when=lambda unit, name=_name: name in unit,
    )

# --- headers in a text

LEGACY: Final = "row.get(LEGACY) is True"
sees(
    "legacy-all",
    "Takes all rows for old ones where one is.",
    lambda row: (
        row.update(_legacy=True)
        if member(row, "sender_display_name") == "Bob" and row.get("content") == "[Robert]: hi"
        else None
    ),
)

# --- lines that look like headers


def _pattern(found: str) -> Callable[[str], str]:
    """Quoting by another pattern."""
    return lambda text: re.sub(found, "> ", text)


# --- what is quoted, and how a text is written

_WRITTEN: Final = ("ingest.assemble", "prompt.render")


def _typed(name: str, rule: str, change: Callable[[str], str]) -> None:
    """Registers a mutant that changes every text of people in what comes out."""

    def spoil(value: Any, *_: Any) -> Any:
        return json.loads(
            json.dumps(value),
            object_hook=lambda found: {
                key: change(text) if key in ("content", "text") and isinstance(text, str) else text
                for key, text in found.items()
            },
        )

    spoils(AREA, _WRITTEN, f"assemble-{name}", rule, spoil)


def _unquoted(pattern: str) -> Callable[[str], str]:
    return lambda text: re.sub(rf"(?m)(^|(?<=: ))> (?={pattern})", "", text)


_typed("fold-ascii-only", "Compares only what is ASCII.", _unquoted(r"[^\n]*[^\x00-\x7f]"))
_typed("fold-no-roles", "Quotes no names of roles.", _unquoted(r"\W*(?i:system|assistant|human|user)\b"))
_typed("fold-no-templates", "Quotes no marks of chat templates.", _unquoted(r"[^\n]*<\|"))
_typed("fold-no-entities", "Reads no entities.", _unquoted("&"))
_typed("fold-no-markup", "Sees no header behind marks of Markdown.", _unquoted(r"[*#`|-]"))
_typed("fold-no-tags", "Sees no header behind tags of HTML.", _unquoted("<[a-z!]"))
_typed("fold-no-own-lines", "Quotes no lines of the library.", _unquoted(r"\[(?:Thread|Notifications|\d)"))
_typed(
    "quotes-all",
    "Quotes every line.",
    lambda text: re.sub(r"(?m)\n(?!> )", "\n> ", text) if text.startswith("[Bob]: ") else text,
)
_typed("mention-bare", "Shows a mention without its token.", lambda text: re.sub(r"(›) \(<[^)]*\)", r"\1", text))
_typed(
    "mention-spliced",
    "Writes names as if they had been typed.",
    lambda text: re.sub(r"‹([^›]*)› \([^)]*\)", r"\1", text),
)
_typed("others-unquoted", "Leaves the words of others unquoted.", lambda text: re.sub(r"(?<=\]:\n)> ", "", text))
_typed("mrkdwn-raw", "Shows the markup of Slack as it is stored.", lambda text: text.replace("**hi**", "*hi*"))
