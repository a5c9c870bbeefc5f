"""Histories of frameworks, and names of tools: `conformance/v0.1/ingest/read-messages.json` and `tool-name.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._ingest_rows import MALFORMED, Case, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

messages, names = rows("read-messages"), rows("tool-name")

I16: Final = "D I16"
TOOL: Final = "get sum"
TAKEN: Final = "get_sum_k7qbcjke4dnko"
CALL: Final[Case] = {"tool_name": TOOL, "tool_call_id": "c1"}
RESULT: Final[Case] = {"part_kind": "tool-return", **CALL, "content": "2"}


def request(*parts: Case) -> Case:
    """What a model of pydantic-ai is asked."""
    return {"kind": "request", "parts": list(parts)}


def message(kind: str, content: Any, **more: Any) -> Case:
    """A message of LangChain."""
    return {"type": kind, "data": {"content": content, **more}}


def read() -> Iterator[Case]:
    """Histories as rows."""
    said = {"part_kind": "text", "content": "Let me see."}
    called = {"part_kind": "tool-call", **CALL, "args": {"a": 1}}
    yield messages(
        "pydantic-ai",
        I16,
        "A request is one row for each who speaks in it.",
        {
            "dialect": "pydantic-ai",
            "messages": [
                request(
                    {"part_kind": "system-prompt", "content": "Be brief."},
                    {"part_kind": "user-prompt", "content": "sum"},
                ),
                {"kind": "response", "parts": [said, called]},
                request(RESULT),
            ],
        },
        value=[
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "sum"},
            {"role": "assistant", "content": [said, called]},
            {"role": "tool", "content": [RESULT]},
        ],
    )
    asked = {"type": "tool_call", "id": "c1", "name": TOOL, "args": {"a": 1}}
    returned = {"tool_call_id": "c1", "name": TOOL, "status": "success"}
    yield messages(
        "langchain",
        I16,
        "The types of messages are roles, and calls stand behind the text.",
        {
            "dialect": "langchain",
            "messages": [
                message("system", "Be brief."),
                message("human", "sum"),
                message("ai", "Let me see.", tool_calls=[asked]),
                message("tool", "2", **returned),
            ],
        },
        value=[
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "sum"},
            {"role": "assistant", "content": ["Let me see.", asked]},
            {"role": "tool", "content": "2", **returned},
        ],
    )
    block = {"type": "text", "text": "Let me see."}
    yield messages(
        "langchain-one-block",
        I16,
        "A block that stands alone is content, and calls stand behind it.",
        {"dialect": "langchain", "messages": [message("ai", block, tool_calls=[asked])]},
        value=[{"role": "assistant", "content": [block, asked]}],
        level="SHOULD",
    )
    items = [
        {"role": "user", "content": "sum"},
        {"type": "function_call", "call_id": "c1", "name": TOOL, "arguments": '{"a":1}'},
        {"type": "function_call_output", "call_id": "c1", "output": "2"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "2"}]},
    ]
    yield messages(
        "openai-agents",
        I16,
        "Items of OpenAI are rows as they are.",
        {"dialect": "openai-agents", "messages": items},
        value=items,
    )
    for dialect in ("pydantic-ai", "langchain", "openai-agents"):
        yield messages(
            f"refused-{dialect}",
            I16,
            "What is no message is a mistake, and is not left out.",
            {"dialect": dialect, "messages": [5]},
            **MALFORMED,
        )
    for name, given in (("object", {}), ("text", "")):
        why = "What is no list of messages is a mistake, and no empty conversation."
        yield messages(f"refused-{name}", I16, why, {"dialect": "langchain", "messages": given}, **MALFORMED)
    why = "A word that names no framework is a mistake."
    yield messages("refused-dialect", I16, why, {"dialect": "openai", "messages": []}, **MALFORMED)


def named() -> Iterator[Case]:
    """Names of tools."""
    for variant, why, dialect, name, value in (
        ("taken", "A name that the provider takes stays.", "openai", "get_sum", "get_sum"),
        ("repaired", "Another name gets the characters of the provider and a digest.", "openai", TOOL, TAKEN),
        ("same-for-all", "The digest is of the whole name alone.", "anthropic", TOOL, TAKEN),
        ("like-a-digest", "No two tools have one name.", "openai", TAKEN, f"{TAKEN}_fgz4dsegx6c72"),
        ("dots", "Each provider has characters of its own.", "gemini", "get.sum", "get.sum"),
        ("first-character", "The first character has a rule of its own.", "gemini", "1x", "_1x_ubeomqeqqbdl4"),
        ("other-script", "Letters are ASCII there.", "bedrock", "übung", "_bung_4iabu5fz5ibub"),
        ("framework", "A framework takes any name.", "pydantic-ai", TOOL, TOOL),
    ):
        level = "MUST" if name == value else "SHOULD"
        yield names(variant, I16, why, {"name": name, "dialect": dialect}, value=value, level=level)
    yield names("refused-empty", I16, "A tool has a name.", {"name": "", "dialect": "openai"}, **MALFORMED)


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """Histories and names."""
    note = "The history of a framework is read as rows."
    yield "read-messages", "ingest.read_messages", note, list(read())
    yield "tool-name", "ingest.tool_name", "A tool is declared under the name that a call of it has.", list(named())
