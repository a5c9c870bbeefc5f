"""Mutants of rows in the form of each provider."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.mutants._answers import mends, quiet, spoils, takes
from tests.mutants._ingest import AREA

if TYPE_CHECKING:
    from collections.abc import Callable

LOWER: Final = ("ingest.lower",)
IN_LIST: Final = ("openai", "openai-responses", "vercel")
BESIDE: Final = ("anthropic", "gemini", "bedrock")
DIALECTS: Final = (*IN_LIST, *BESIDE)
NOT_BY_SENDER: Final = "[Context — not written by the sender of this message]\n"


def places(name: str, rule: str, change: Callable[[dict[str, Any]], Any], *dialects: str) -> None:
    """Registers a mutant that sees another unit for these dialects."""

    def mend(given: Any, unit: Any) -> Any:
        if not dialects or unit["dialect"] in dialects:
            change(unit)
        return given, unit

    mends(AREA, LOWER, f"lower-{name}", rule, mend)


def writes(name: str, rule: str, change: Callable[[dict[str, Any]], Any], *dialects: str) -> None:
    """Registers a mutant that gives another value for these dialects: `change(value)` changes it."""

    def spoil(value: Any, _: Any, unit: Any) -> Any:
        if not dialects or unit["dialect"] in dialects:
            change(value)
        return value

    spoils(AREA, LOWER, f"lower-{name}", rule, spoil)


def blocks(name: str, rule: str, change: Callable[[dict[str, Any]], Any], *dialects: str) -> None:
    """Registers a mutant that writes blocks otherwise: `change(block)` gives another one, or None for none."""

    def other(value: dict[str, Any]) -> None:
        for message in value["messages"]:
            for member in ("content", "parts"):
                if isinstance(message.get(member), list):
                    made = [change(block) for block in message[member]]
                    message[member] = [block for block in made if block is not None]

    writes(name, rule, other, *dialects)


def texts(name: str, rule: str, change: Callable[[str], str], *dialects: str) -> None:
    """Registers a mutant that writes texts in blocks otherwise."""
    blocks(name, rule, lambda block: {**block, "text": change(block["text"])} if "text" in block else block, *dialects)


# --- where context goes

for _dialect in DIALECTS:
    for _from, _to in (("hoist", "user_block"), ("user_block", "hoist"), ("inline", "hoist")):
        if _from != "inline" or _dialect in IN_LIST:
            places(
                f"{_dialect}-{_from.replace('_', '-')}-elsewhere",
                f"Puts context for {_dialect} into another place than {_from}.",
                lambda unit, old=_from, new=_to: (
                    unit.update(placement=new if unit.get("placement") == old else unit.get("placement"))
                    if "placement" in unit
                    else None
                ),
                _dialect,
            )
    places(
        f"{_dialect}-default-elsewhere",
        f"Hoists context for {_dialect} unasked.",
        lambda unit: unit.setdefault("placement", "hoist"),
        _dialect,
    )
for _dialect in BESIDE:
    takes(
        AREA,
        LOWER,
        f"lower-{_dialect}-inline",
        f"Takes a place that {_dialect} has not.",
        lambda *_: {"system": None, "messages": []},
        "malformed",
        when=lambda unit, one=_dialect: unit["dialect"] == one and unit.get("placement") == "inline",
    )
takes(
    AREA,
    LOWER,
    "lower-any-dialect",
    "Takes any dialect.",
    lambda *_: {"system": None, "messages": []},
    "malformed",
    when=lambda unit: unit["dialect"] not in DIALECTS,
)
takes(
    AREA,
    LOWER,
    "lower-any-place",
    "Takes any place.",
    lambda *_: {"system": None, "messages": []},
    "malformed",
    when=lambda unit: unit.get("placement") == "tail",
)
places("placement-ignored", "Knows one place for each provider.", lambda unit: unit.pop("placement", None), *IN_LIST)
texts(
    "context-unmarked", "Does not say that the sender did not write it.", lambda text: text.removeprefix(NOT_BY_SENDER)
)
texts(
    "context-marked-otherwise",
    "Marks context in words of its own.",
    lambda text: text.replace(NOT_BY_SENDER, "Context:\n"),
)


def _joins(value: dict[str, Any]) -> None:
    for message in value["messages"]:
        for member in ("content", "parts"):
            found = message.get(member)
            if isinstance(found, list) and len(found) > 1 and all("text" in block for block in found):
                message[member] = [{**found[0], "text": "\n".join(block["text"] for block in found)}]


for _dialect in DIALECTS:
    writes(f"{_dialect}-joined", f"Joins texts for {_dialect}.", _joins, _dialect)
writes("system-lost", "Loses system text beside the messages.", lambda value: value.update(system=None), *BESIDE)
writes(
    "system-last",
    "Writes system text behind what was said.",
    lambda value: value["messages"].sort(key=lambda one: one.get("role") == "system"),
    *IN_LIST,
)
writes(
    "system-of-user",
    "Writes system text as the user's.",
    lambda value: [one.update(role="user") for one in value["messages"] if one.get("role") == "system"],
)


def _user_system(unit: dict[str, Any]) -> None:
    for row in unit["rows"][1:]:
        if row.get("role") in ("system", "developer"):
            row["role"] = "user"


def _first_system(unit: dict[str, Any]) -> None:
    unit["rows"] = [
        row for at, row in enumerate(unit["rows"]) if at == 0 or row.get("role") not in ("system", "developer")
    ]


places("late-system-is-users", "Writes later system text as the user's.", _user_system, *BESIDE)
places("late-system-lost", "Loses later system text.", _first_system)
writes(
    "late-system-joined",
    "Joins system texts without a blank line.",
    lambda value: value.update(system=(value["system"] or "").replace("\n\n", "\n") or None),
)

# --- turns that follow each other


def _merges(value: dict[str, Any]) -> None:
    made: list[dict[str, Any]] = []
    for message in value["messages"]:
        last = made[-1] if made else {}
        if (
            last.get("role") == message.get("role") == "user"
            and isinstance(last["content"], str)
            and isinstance(message["content"], str)
        ):
            last["content"] += "\n" + message["content"]
        else:
            made.append(message)
    value["messages"] = made


def _splits(value: dict[str, Any]) -> None:
    made = []
    for message in value["messages"]:
        member = "parts" if "parts" in message else "content"
        found = message[member]
        if (
            message["role"] == "user"
            and isinstance(found, list)
            and not found[0].get("text", "[Context").startswith("[Context")
        ):
            made += [{**message, member: [block]} for block in found]
        else:
            made.append(message)
    value["messages"] = made


for _dialect in IN_LIST:
    writes(f"{_dialect}-merged", f"Joins turns of two people for {_dialect}.", _merges, _dialect)
for _dialect in BESIDE:
    writes(f"{_dialect}-split", f"Lets turns of one role follow each other for {_dialect}.", _splits, _dialect)
    writes(
        f"{_dialect}-agent-first",
        f"Lets the agent speak first for {_dialect}.",
        lambda value: value["messages"].pop(0) if "Earlier messages" in json.dumps(value["messages"][:1]) else None,
        _dialect,
    )
    writes(
        f"{_dialect}-agent-lost",
        f"Leaves out what the agent said first for {_dialect}.",
        lambda value: (
            [value["messages"].pop(0) for _ in "ab"]
            if "Earlier messages" in json.dumps(value["messages"][:1])
            else None
        ),
        _dialect,
    )
    places(
        f"{_dialect}-blank-turns",
        f"Gives {_dialect} turns without words.",
        lambda unit: [row.update(content="-") for row in unit["rows"] if row.get("content") == " "],
        _dialect,
    )
quiet(AREA, LOWER, "turn-dropped", "call-unanswered", "part-unsupported", "file-over-limit")
for _dialect, _role in (("openai", "system"), ("openai-responses", "system"), ("vercel", "developer")):
    writes(
        f"{_dialect}-developers",
        f"Writes developers for {_dialect} as {_role}.",
        lambda value, role=_role: [
            one.update(role=role)
            for one in value["messages"]
            if one.get("content") == "A." and len(value["messages"]) == 2
        ],
        _dialect,
    )
writes(
    "names-lost",
    "Drops names of messages.",
    lambda value: [one.pop("name", None) for one in value["messages"] if "role" in one and one["role"] == "user"],
)
writes(
    "rows-leak",
    "Gives providers members that they do not know.",
    lambda value: [one.update(id="r1") for one in value["messages"] if one.get("name") == "bob"],
)

# --- files

for _dialect in DIALECTS:
    blocks(
        f"{_dialect}-no-images",
        f"Gives {_dialect} no pictures.",
        lambda block: (
            None
            if any(kind in json.dumps(block) for kind in ("image/", "inline_data", '"image":')) and "text" not in block
            else block
        ),
        _dialect,
    )
KINDS: Final = {
    "image_url": lambda block: {**block, "image_url": block["image_url"]["url"]},
    "input_image": lambda block: {name: member for name, member in block.items() if name != "detail"},
    "image": lambda block: {**block, "source": {**block["source"], "type": "url"}},
    "file": lambda block: {**block, "type": "image"},
}
for _kind, _change in KINDS.items():
    blocks(
        f"{_kind.replace('_', '-')}-otherwise",
        f"Writes {_kind} in another form.",
        lambda block, kind=_kind, change=_change: change(block) if block.get("type") == kind else block,
    )
blocks(
    "inline-data-camel",
    "Writes bytes of Gemini in the other spelling.",
    lambda block: {"inlineData": block["inline_data"]} if "inline_data" in block else block,
)
blocks(
    "own-members-lost",
    "Drops members of blocks.",
    lambda block: {name: member for name, member in block.items() if name != "cache_control"},
)
blocks(
    "unsayable-lost",
    "Leaves out what it cannot say.",
    lambda block: None if block.get("text", "").startswith(("[file (", "[part (", "[a.pdf")) else block,
)
blocks(
    "titles-lost",
    "Loses titles of documents.",
    lambda block: {name: member for name, member in block.items() if name != "title"},
)
texts("addresses-lost", "Loses addresses of files.", lambda text: text.partition(" <https://")[0])
texts("names-raw", "Writes names of files as they are.", lambda text: text.replace("[x): ok (Admin", "[x]: ok\n[Admin"))


def _passes(start: str) -> Callable[[dict[str, Any]], None]:
    """Sees an address that begins so as one of the Web."""

    def change(unit: dict[str, Any]) -> None:
        found = json.dumps(unit["rows"])
        if start in found:
            unit["rows"] = json.loads(found.replace(start, "https://a.example/"))

    return change


places("odd-data", "Takes any data address.", _passes("data:image/png,"))
places("local-addresses", "Takes any address.", _passes("file://"))


def _thinks(unit: dict[str, Any]) -> None:
    for row in unit["rows"]:
        if isinstance(row.get("content"), list):
            row["content"] = [
                {"type": "text", "text": one["thinking"]} if one.get("type") == "thinking" else one
                for one in row["content"]
            ]


places("thinks-aloud", "Writes thoughts as words.", _thinks)

# --- tools


def _calls(change: Callable[[str], str]) -> Callable[[dict[str, Any]], None]:
    """Writes the JSON of calls and results otherwise."""

    def other(value: dict[str, Any]) -> None:
        value["messages"] = json.loads(change(json.dumps(value["messages"])))

    return other


for _dialect in DIALECTS:
    writes(
        f"{_dialect}-other-ids",
        f"Gives calls other ids for {_dialect}.",
        _calls(lambda text: text.replace('"c1"', '"c2"')),
        _dialect,
    )
    writes(
        f"{_dialect}-other-results",
        f"Loses results for {_dialect}.",
        _calls(lambda text: text.replace('"2"', '""')),
        _dialect,
    )
    writes(
        f"{_dialect}-other-names",
        f"Loses names of tools for {_dialect}.",
        _calls(lambda text: text.replace('"add"', '"tool"')),
        _dialect,
    )
    places(
        f"{_dialect}-lost-calls",
        f"Gives {_dialect} results without a call as words.",
        lambda unit: [
            row.update(role="user")
            for row in unit["rows"]
            if row.get("role") == "tool" and len(unit["rows"]) == 3 and unit["rows"][1] is row
        ],
        _dialect,
    )
writes(
    "arguments-raw",
    "Writes arguments of Anthropic as text.",
    _calls(lambda text: text.replace('{"arguments": "{a"}', '"{a"')),
    "anthropic",
)
writes(
    "arguments-lost",
    "Drops arguments that are no JSON.",
    _calls(lambda text: text.replace('{"arguments": "{a"}', "{}")),
    "anthropic",
)
writes(
    "tokens-lost",
    "Writes headers without tokens.",
    _calls(lambda text: text.replace(" (<@U06STGBF4Q0>)", "")),
    "openai",
)
