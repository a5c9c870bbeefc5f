"""Histories of frameworks become rows, and rows histories, without loss."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import UsageError
from mentionable.ingest import assemble, lower, read_messages
from tests.ingest.others import PDF, PNG, URL

FRAMEWORKS = ("pydantic-ai", "langchain", "openai-agents")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(str.strip)
FILES = st.sampled_from(
    [
        {"type": "file", "mediaType": "image/png", "data": PNG},
        {"type": "file", "mediaType": "application/pdf", "data": PDF},
        {"type": "image_url", "image_url": {"url": URL}},
    ]
)
BLOCKS = TEXTS.map(lambda text: {"type": "text", "text": text}) | FILES
NAMES = TEXTS | st.sampled_from(["f", "get weather"])


@st.composite
def conversations(draw):
    """Rows as a program stores them: people, an agent, calls and their results."""
    rows = [{"role": "system", "content": text} for text in draw(st.lists(TEXTS, max_size=1))]
    for number in range(draw(st.integers(1, 3))):
        rows.append({"role": "user", "content": draw(TEXTS | st.lists(BLOCKS, min_size=1, max_size=3))})
        calls = [
            {"type": "tool_use", "id": f"c{number}{at}", "name": name, "input": {"q": name}}
            for at, name in enumerate(draw(st.lists(NAMES, max_size=2)))
        ]
        texts = [{"type": "text", "text": text} for text in draw(st.lists(TEXTS, min_size=not calls, max_size=1))]
        rows.append({"role": "assistant", "content": [*texts, *calls]})
        if calls:
            results = [
                {
                    "type": "tool_result",
                    "tool_use_id": call["id"],
                    "content": draw(TEXTS),
                    **draw(st.sampled_from([{}, {"is_error": True}])),
                }
                for call in calls
            ]
            rows.append({"role": "user", "content": results})
    return rows


@given(conversations(), st.sampled_from(FRAMEWORKS))
def test_what_is_written_is_read_back_and_written_again(rows, framework):
    tools = {block["name"] for row in rows for block in row["content"] if "name" in block}
    lowered = lower(rows, dialect=framework, tools=tools)
    again = read_messages(json.loads(json.dumps(lowered.messages)), dialect=framework)
    assert lower(again, dialect=framework, tools=tools) == lowered


@given(conversations(), st.sampled_from(FRAMEWORKS[:2]), st.sampled_from(["anthropic", "gemini", "vercel"]))
def test_a_history_says_to_a_provider_what_its_rows_say(rows, framework, dialect):
    history = lower(rows, dialect=framework).messages
    through = lower(read_messages(history, dialect=framework), dialect=dialect)
    assert without_form(through.messages) == without_form(lower(rows, dialect=dialect).messages)
    assert through.system == lower(rows, dialect=dialect).system


def without_form(value):
    """Messages without the difference between a string and a block of text."""
    text = json.dumps(value, sort_keys=True)
    messages = json.loads(text)
    for message in messages:
        if isinstance(message.get("content"), str):
            message["content"] = [{"type": "text", "text": message["content"]}]
        for block in message.get("content", []):
            if isinstance(block.get("content"), str):
                block["content"] = [{"type": "text", "text": block["content"]}]
    return messages


ROWS = [
    # LangChain
    ("langchain", {"type": "human", "data": {"content": "hi", "name": "bob", "additional_kwargs": {}}},
     {"role": "user", "content": "hi", "name": "bob"}),
    ("langchain", {"type": "system", "data": {"content": "hi"}}, {"role": "system", "content": "hi"}),
    ("langchain", {"type": "system", "data": {"content": "hi", "additional_kwargs": {"__openai_role__": "developer"}}},
     {"role": "developer", "content": "hi"}),
    ("langchain", {"type": "AIMessageChunk", "data": {"content": "hi"}}, {"role": "assistant", "content": "hi"}),
    ("langchain", {"type": "chat", "data": {"content": "hi", "role": "assistant"}},
     {"role": "assistant", "content": "hi"}),
    ("langchain", {"type": "chat", "data": {"content": "hi", "role": "critic"}}, {"role": "user", "content": "hi"}),
    ("langchain", {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"],
                   "kwargs": {"content": "hi", "type": "human"}}, {"role": "user", "content": "hi"}),
    ("langchain", {"type": "ai", "content": "hi"}, {"role": "assistant", "content": "hi"}),
    ("langchain", {"type": "ai", "data": {"content": "", "tool_calls": [{"name": "f", "args": {}, "id": "c"}]}},
     {"role": "assistant", "content": [{"name": "f", "args": {}, "id": "c", "type": "tool_call"}]}),
    ("langchain", {"type": "ai", "data": {"content": "hm", "tool_calls": None,
                                          "invalid_tool_calls": [{"name": "f", "args": "{", "id": "c"}]}},
     {"role": "assistant", "content": ["hm", {"name": "f", "args": "{", "id": "c", "type": "invalid_tool_call"}]}),
    ("langchain", {"type": "ai", "data": {"content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}],
                                          "tool_calls": [{"name": "f", "args": {}, "id": "c"}]}},
     {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]}),
    ("langchain", {"type": "human", "data": {"content": [{"type": []}, {"type": {}}]}},
     {"role": "user", "content": [{"type": []}, {"type": {}}]}),
    ("langchain", {"type": "tool", "data": {"content": "1", "tool_call_id": "c", "name": "f", "status": "error"}},
     {"role": "tool", "content": "1", "tool_call_id": "c", "status": "error", "name": "f"}),
    # pydantic-ai
    ("pydantic-ai", {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": ["hi"]}]},
     {"role": "user", "content": ["hi"]}),
    ("pydantic-ai", {"kind": "request", "instructions": "be kind", "parts": []},
     {"role": "system", "content": "be kind"}),
    ("pydantic-ai", {"kind": "request", "parts": [{"part_kind": "retry-prompt", "content": "again"}]},
     {"role": "user", "content": "again"}),
    ("pydantic-ai", {"kind": "request", "parts": [{"part_kind": "retry-feedback", "content": [{"loc": []}]}]},
     {"role": "system", "content": [{"part_kind": "retry-feedback", "content": [{"loc": []}]}]}),
    ("pydantic-ai", {"kind": "request", "parts": [{"part_kind": "text", "content": "obey"}]},
     {"role": "user", "content": [{"part_kind": "text", "content": "obey"}]}),
    ("pydantic-ai", {"kind": "response", "parts": [{"part_kind": "text", "content": "hi"}]},
     {"role": "assistant", "content": [{"part_kind": "text", "content": "hi"}]}),
    # OpenAI Agents
    ("openai-agents", {"role": "user", "content": "hi"}, {"role": "user", "content": "hi"}),
    ("openai-agents", {"type": "function_call_output", "call_id": "c", "output": "1"},
     {"type": "function_call_output", "call_id": "c", "output": "1"}),
    ("openai-agents", {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": "x"},
     {"role": "assistant", "content": None,
      "tool_calls": [{"type": "custom", "id": "c", "custom": {"name": "f", "input": "x"}}]}),
    ("openai-agents", {"type": "custom_tool_call_output", "call_id": "c", "output": "1"},
     {"type": "function_call_output", "call_id": "c", "output": "1"}),
    ("openai-agents", {"type": "web_search_call", "id": "w"},
     {"role": "assistant", "content": [{"type": "web_search_call", "id": "w"}]}),
]  # fmt: skip


@pytest.mark.parametrize(("framework", "message", "row"), ROWS)
def test_a_message_becomes_a_row(framework, message, row):
    assert read_messages([message], dialect=framework) == (row,)
    assert assemble(read_messages([message], dialect=framework)).rows == (row,)


@pytest.mark.parametrize(("content", "blocks"), [({}, [{}]), (0, [0]), ("a", ["a"]), (None, []), ("", [])])
def test_content_of_any_kind_stands_before_the_calls(content, blocks):
    call = {"type": "tool_call", "id": "c", "name": "f", "args": {}}
    message = {"type": "ai", "data": {"content": content, "tool_calls": [call]}}
    assert read_messages([message], dialect="langchain") == ({"role": "assistant", "content": [*blocks, call]},)


def test_instructions_that_stay_the_same_are_read_once():
    def request(text):
        return {"kind": "request", "instructions": text, "parts": [{"part_kind": "user-prompt", "content": "hi"}]}

    rows = read_messages([request("a"), request("a"), request(None), request("b")], dialect="pydantic-ai")
    assert [row["content"] for row in rows if row["role"] == "system"] == ["a", "b"]


def test_what_only_the_framework_knows_stays_for_it_and_is_named_elsewhere():
    messages = [
        {"kind": "request", "parts": [{"part_kind": "instruction-digest", "digest": "x"}]},
        {"kind": "response", "parts": [{"part_kind": "builtin-tool-call", "tool_name": "web"}]},
    ]
    rows = read_messages(messages, dialect="pydantic-ai")
    assert list(lower(rows, dialect="pydantic-ai").messages) == messages
    assert "instruction-digest" in json.dumps(lower(rows, dialect="openai").messages)
    noted = lower(rows, dialect="anthropic").diagnostics
    assert [(note.code, note.at) for note in noted] == [("part-unsupported", f"/{at}/content/0") for at in (0, 1)]
    hosted = read_messages([{"type": "file_search_call", "id": "w"}], dialect="openai-agents")
    lowered = lower(hosted, dialect="openai-agents")
    assert lowered.messages == ({"role": "assistant", "content": "[part (file_search_call)]"},)
    assert [note.code for note in lowered.diagnostics] == ["part-unsupported"]


@pytest.mark.parametrize(
    ("messages", "framework", "words"),
    [
        ([], "crewai", "dialect"),
        (5, "langchain", "messages:"),
        ({}, "langchain", "messages:"),
        ("", "pydantic-ai", "messages:"),
        (b"", "openai-agents", "messages:"),
        ([5], "langchain", r"messages\[0\]: "),
        ([{"type": "remove", "data": {}}], "langchain", r"messages\[0\]\.type"),
        ([{"kind": "reply"}], "pydantic-ai", r"messages\[0\]\.kind"),
        ([{"kind": "request", "parts": 5}], "pydantic-ai", r"messages\[0\]\.parts"),
        ([{"kind": "request", "parts": [5]}], "pydantic-ai", r"messages\[0\]\.parts"),
        ([{"type": "human", "data": {"content": {1}}}], "langchain", r"messages\[0\]: "),
    ],
)
def test_what_is_no_history_is_named(messages, framework, words):
    with pytest.raises(UsageError, match=words):
        read_messages(messages, dialect=framework)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inside: (
        st.lists(inside, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                ["type", "data", "kwargs", "kind", "parts", "content", "role", "tool_calls", "part_kind", "id"]
            ),
            inside
            | st.sampled_from(["human", "ai", "tool", "request", "response", "text", "tool-call", "user-prompt"]),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=3), st.sampled_from(FRAMEWORKS))
def test_whatever_a_history_holds_only_a_usage_error_comes_of_it(messages, framework):
    with suppress(UsageError):
        json.dumps(lower(read_messages(messages, dialect=framework)).messages).encode()


def test_nothing_that_came_in_is_shared():
    message = {"type": "human", "data": {"content": [{"type": "text", "text": "hi"}]}}
    (row,) = read_messages([message], dialect="langchain")
    row["content"][0]["text"] = "changed"
    assert message["data"]["content"][0]["text"] == "hi"
