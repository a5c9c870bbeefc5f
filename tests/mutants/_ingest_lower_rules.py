"""Mutants of what providers and frameworks take."""

from __future__ import annotations

import json
from typing import Any, Final

from tests.mutants._answers import spoils, takes
from tests.mutants._ingest import AREA
from tests.mutants._ingest_lower import BESIDE, DIALECTS, blocks, places, writes

TAKEN: Final = "get_sum_k7qbcjke4dnko"
TAKEN_TWICE: Final = f"{TAKEN}_fgz4dsegx6c72"
FRAMEWORKS: Final = ("pydantic-ai", "langchain", "openai-agents")
EVERY: Final = (*DIALECTS, *FRAMEWORKS)


def _replaces(old: str, new: str) -> Any:
    """Writes one word otherwise, wherever it is."""

    def other(value: dict[str, Any]) -> None:
        value["messages"] = json.loads(json.dumps(value["messages"]).replace(json.dumps(old), json.dumps(new)))

    return other


def _without_line(value: dict[str, Any], line: str) -> None:
    """Leaves out a message that is this line alone, or that has it."""
    value["messages"] = [one for one in value["messages"] if line not in json.dumps(one)]


for _dialect in DIALECTS:
    writes(
        f"{_dialect}-unanswered",
        f"Lets a call of {_dialect} have no result.",
        lambda value: _without_line(value, "[The tool has not answered.]"),
        _dialect,
    )
    writes(
        f"{_dialect}-one-id",
        f"Lets two calls of {_dialect} have one id.",
        _replaces("call_1", "c1"),
        _dialect,
    )
for _dialect, _id in (("openai", "c" * 41), ("openai-responses", "c" * 65), ("anthropic", "a.b"), ("bedrock", "a b")):
    writes(
        f"{_dialect}-any-id",
        f"Gives {_dialect} an id in any form.",
        lambda value, id=_id: _replaces("call_1", id)(value),
        _dialect,
    )
for _dialect in EVERY:
    places(
        f"{_dialect}-cut-names",
        f"Writes names of tools for {_dialect} without what they had in them.",
        lambda unit: unit.update(rows=json.loads(json.dumps(unit["rows"]).replace('"get sum"', '"get_sum"'))),
        _dialect,
    )
for _dialect in BESIDE:
    writes(
        f"{_dialect}-agent-last",
        f"Lets the agent of {_dialect} have the last word.",
        lambda value: _without_line(value, "[There is no newer message.]"),
        _dialect,
    )


def _trims(value: dict[str, Any]) -> None:
    value["messages"] = json.loads(json.dumps(value["messages"]).replace("Hello! ", "Hello!"))


writes("agent-trimmed", "Takes blanks off what the agent said.", _trims, *BESIDE)
writes("digest-kept", "Lets a tool have the written name of another one.", _replaces(TAKEN_TWICE, TAKEN))


def _takes(word: str) -> Any:
    """Sees a file that the provider refuses as one that it takes."""

    def change(unit: dict[str, Any]) -> None:
        text = json.dumps(unit["rows"])
        if word in text:
            unit["rows"] = json.loads(text.replace(word, {"http://a": "https://a", "image/bmp": "image/png"}[word]))

    return change


places("any-scheme", "Takes any URL.", _takes("http://a"), "anthropic", "bedrock")
places("any-media-type", "Takes any image.", _takes("image/bmp"), "openai", "openai-responses", "gemini")


def _oldest(value: dict[str, Any]) -> None:
    for message in value["messages"]:
        if isinstance(message.get("content"), list) and len(message["content"]) == 22:
            message["content"].append(message["content"].pop(1))


writes("bedrock-newest-lost", "Leaves out the newest files.", _oldest, "bedrock")
blocks(
    "bedrock-names-raw",
    "Writes names of documents as they are.",
    lambda block: json.loads(json.dumps(block).replace("a b pdf", "a_b.pdf")),
    "bedrock",
)
blocks(
    "bedrock-names-twice",
    "Lets two documents have one name.",
    lambda block: json.loads(json.dumps(block).replace("a b pdf (2)", "a b pdf")),
    "bedrock",
)
blocks(
    "items-without-documents",
    "Gives items no documents but PDFs.",
    lambda block: None if block.get("type") == "input_file" and "csv" in json.dumps(block) else block,
    "openai-responses",
)

# --- frameworks


def _lists(value: dict[str, Any]) -> None:
    """Writes one request for each part."""
    made = []
    for message in value["messages"]:
        parts = message["parts"] if message["kind"] == "request" else [None]
        made += [message] if parts == [None] else [{"kind": "request", "parts": [part]} for part in parts]
    value["messages"] = made


writes("pydantic-ai-split", "Writes a request of pydantic-ai for each part.", _lists, "pydantic-ai")
writes(
    "pydantic-ai-urls",
    "Writes bytes of pydantic-ai as URLs.",
    _replaces("binary", "image-url"),
    "pydantic-ai",
)
writes("langchain-mime", "Writes media types otherwise.", _replaces("mime_type", "mimeType"), "langchain")
writes("langchain-status", "Says of each tool of LangChain that it failed.", _replaces("success", "error"), "langchain")
writes("agents-blocks", "Writes what an agent said as items of its own kind.", _replaces("hm", "hm."), "openai-agents")
writes("framework-calls-lost", "Loses calls.", _replaces("c1", "c9"), *FRAMEWORKS)

# --- histories of frameworks, names of tools


def _named(value: str, _: Any, unit: Any) -> str:
    return unit["name"].replace(" ", "_") if unit["name"] != value else value


spoils(AREA, ("ingest.tool_name",), "tool-name-no-digest", "Gives two tools one name.", _named)
spoils(AREA, ("ingest.tool_name",), "tool-name-as-it-is", "Takes any name of a tool.", lambda _, __, unit: unit["name"])
takes(AREA, ("ingest.tool_name",), "tool-name-empty", "Takes a tool without a name.", lambda *_: "_", "malformed")
spoils(
    AREA,
    ("ingest.read_messages",),
    "read-messages-no-calls",
    "Loses calls and results.",
    lambda value, *_: [row for row in value if "c1" not in json.dumps(row)],
)
spoils(
    AREA,
    ("ingest.read_messages",),
    "read-messages-one-role",
    "Takes everything for the words of a user.",
    lambda value, *_: [{**row, "role": "user"} for row in value],
)
takes(
    AREA, ("ingest.read_messages",), "read-messages-any", "Leaves out what is no message.", lambda *_: [], "malformed"
)
writes("no-names", "Forgets which tool is called.", lambda value: value.get("names", {}).clear())
