"""What is written for a provider satisfies every rule of its table, whatever was stored."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import UsageError
from mentionable.ingest import ModelDialect, lower, tool_name
from mentionable.ingest._neutral import SAME_FORM
from mentionable.ingest._rules import RULES, fits
from tests.ingest.others import BEDROCK, LANGCHAIN, PYDANTIC_AI
from tests.ingest.provider_rules import broken_rules
from tests.ingest.test_lower import BLOCKS, OURS, PDF, PNG

DIALECTS = get_args(ModelDialect)
MANY = settings(max_examples=max(150, settings.default.max_examples))
NAMES = st.text(max_size=90) | st.sampled_from(["f", "get weather", "ä", "a.b", "-x", "9", "x" * 64, "x" * 65])
IDS = st.text(max_size=70) | st.sampled_from(["c", "call_1", "a.b", "", "x" * 65, "fc|1"])
ARGUMENTS = st.sampled_from([{}, {"a": 1}, "{}", "no JSON", None])
CALLS = st.builds(
    lambda id, name, arguments: {"type": "tool_use", "id": id, "name": name, "input": arguments}, IDS, NAMES, ARGUMENTS
)
ANSWERS = st.builds(
    lambda id, text: {"type": "tool_result", "tool_use_id": id, "content": text}, IDS, st.text(max_size=3)
)
ALL_BLOCKS = st.sampled_from([*BLOCKS, *[block for block, _, _ in BEDROCK + LANGCHAIN + PYDANTIC_AI]])
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["system", "user", "assistant", "assistant", "tool"]),
            "content": st.text(max_size=5) | st.lists(ALL_BLOCKS | CALLS | ANSWERS, max_size=5),
        },
        optional={"_assembled": st.sampled_from(["turn", "thread_context"])},
    ),
    max_size=7,
)


@MANY
@given(ROWS, st.sampled_from(DIALECTS))
def test_what_is_written_breaks_no_rule(rows, dialect):
    assert list(broken_rules(lower(rows, dialect=dialect), dialect)) == []


# -- nothing is lost

CANARIES = st.integers(0, 10**6).map(lambda number: f"canary{number:07}x")


def encoded(canary):
    return b64encode(canary.encode()).decode()


def words(canary):
    data = encoded(canary)
    return st.sampled_from(
        [
            {"type": "text", "text": canary},
            {"text": canary},
            {"type": "input_text", "text": canary},
            {"part_kind": "text", "content": canary},
            {"type": "file", "mediaType": "application/pdf", "data": data, "filename": canary},
            {"type": "file", "mediaType": "application/zip", "data": data, "filename": canary},
            {"type": "image_url", "image_url": {"url": f"https://files.example/{canary}"}},
            {"type": "image", "url": f"http://files.example/{canary}"},
            {"document": {"format": "txt", "name": canary, "source": {"bytes": data}}},
            {"kind": "document-url", "url": f"https://files.example/{canary}"},
            {"type": "tool_use", "id": canary, "name": f"tool {canary}", "input": {"a": canary}},
            {"type": "tool_result", "tool_use_id": "lost", "content": canary},
        ]
    )


@MANY
@given(st.data(), st.lists(CANARIES, unique=True, min_size=1, max_size=6), st.sampled_from(DIALECTS))
def test_every_text_and_file_is_written_or_named_by_a_diagnostic(data, canaries, dialect):
    rows, at = [], {}
    for canary in canaries:
        role = data.draw(st.sampled_from(["system", "user", "assistant"]))
        at[canary] = f"/{len(rows)}/content/0"
        rows.append({"role": role, "content": [data.draw(words(canary))]})
    lowered = lower(rows, dialect=dialect)
    written = json.dumps([lowered.messages, lowered.system])
    named = {note.at for note in lowered.diagnostics}
    for canary in canaries:
        assert canary in written or encoded(canary) in written or at[canary] in named


# -- names of tools


@given(st.lists(NAMES.filter(bool), unique=True), st.sampled_from(DIALECTS))
def test_no_two_tools_have_one_name(names, dialect):
    written = [tool_name(name, dialect=dialect) for name in names]
    written += [tool_name(name, dialect=dialect) for name in written if name not in names]
    assert len(set(written)) == len(written)
    assert all(fits(name, RULES[SAME_FORM.get(dialect, dialect)].names) for name in written)


@given(NAMES.filter(bool), st.sampled_from(DIALECTS))
def test_the_names_lead_from_a_call_back_to_its_tool(name, dialect):
    row = {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": name, "input": {}}]}
    written = tool_name(name, dialect=dialect)
    assert lower([row], dialect=dialect).names == {written: name}
    assert lower([], dialect=dialect, tools=[name]).names == {written: name}


def test_a_name_that_a_provider_takes_stays():
    for dialect in DIALECTS:
        assert tool_name("get_weather", dialect=dialect) == "get_weather"


@pytest.mark.parametrize(
    ("name", "dialect", "written"),
    [
        ("get weather", "openai", "get_weather_"),
        ("a.b", "anthropic", "a_b_"),
        ("a.b", "gemini", "a.b"),
        ("9lives", "gemini", "_9lives_"),
        ("x" * 65, "bedrock", "x" * 50 + "_"),
        ("9" * 65, "gemini", "_" + "9" * 49 + "_"),
        ("get weather", "vercel", "get weather"),
    ],
)
def test_another_name_gets_a_digest(name, dialect, written):
    found = tool_name(name, dialect=dialect)
    assert found == written if written[-1] != "_" else found[:-13] == written


def test_a_name_that_ends_like_a_digest_is_not_the_name_of_another_tool():
    taken = tool_name("get weather")
    assert tool_name(taken) != taken
    assert tool_name(taken).startswith(f"{taken}_"[:50])


@pytest.mark.parametrize("name", ["", None, 5])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(UsageError, match="name"):
        tool_name(name)


def test_a_lone_surrogate_in_a_name_is_replaced():
    assert tool_name("f\ud800", dialect="vercel") == "f?"


@pytest.mark.parametrize("tools", ["f", [""], [5]])
def test_tools_that_are_none_are_refused(tools):
    with pytest.raises(UsageError, match="name"):
        lower([], tools=tools)


def test_a_dialect_that_is_none_is_refused():
    with pytest.raises(UsageError, match="dialect"):
        tool_name("f", dialect="cohere")


# -- ids of calls


@pytest.mark.parametrize(("dialect", "length"), [("openai", 40), ("openai-responses", 64), ("bedrock", 64)])
def test_an_id_that_is_too_long_becomes_another_at_the_call_and_its_result(dialect, length):
    rows = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c" * size, "name": "f", "input": {}}]}
        for size in (length, length + 1)
    ]
    written = json.dumps(lower(rows, dialect=dialect).messages)
    assert written.count("c" * length) == 2
    assert written.count('"call_1"') == 2


def test_a_native_call_has_its_new_name_and_its_new_id_where_they_are():
    call = {"function_call": {"id": "c", "name": "get weather", "args": {}}, "thought_signature": "c2ln"}
    answer = {"function_response": {"id": "c", "name": "get weather", "response": {"output": "1"}}}
    rows = [{"role": "model", "parts": [call, call]}, {"role": "user", "parts": [answer, answer]}]
    _, called, answered = lower(rows, dialect="gemini").messages
    name = tool_name("get weather", dialect="gemini")
    assert [part["function_call"]["name"] for part in called["parts"]] == [name, name]
    assert [part["thought_signature"] for part in called["parts"]] == ["c2ln", "c2ln"]
    assert [part["function_call"]["id"] for part in called["parts"]] == ["c", "call_1"]
    assert [part["function_response"]["id"] for part in answered["parts"]] == ["c", "call_1"]
    custom = {"id": "c", "type": "custom", "custom": {"name": "a b", "input": "x"}}
    chat = {"role": "assistant", "content": None, "tool_calls": [custom, {**custom, "custom": None, "function": {}}]}
    assert lower([chat]).messages[0]["tool_calls"][0]["custom"]["name"] == tool_name("a b")


def test_a_call_that_waits_for_approval_stays_open():
    call = {"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": {}}
    request = {"type": "tool-approval-request", "approvalId": "a", "toolCallId": "c"}
    rows = [{"role": "user", "content": "go"}, {"role": "assistant", "content": [call, request]}]
    assert list(lower(rows, dialect="vercel").messages) == rows
    assert lower(rows, dialect="vercel").diagnostics == ()


@pytest.mark.parametrize("dialect", [one for one in DIALECTS if one != "vercel"])
@pytest.mark.parametrize("waits", ["approval", "provider"])
def test_no_other_provider_knows_a_call_that_waits(dialect, waits):
    call = {
        "type": "tool-call",
        "toolCallId": "c",
        "toolName": "f",
        "input": {},
        "providerExecuted": waits != "approval",
    }
    request = {"type": "tool-approval-request", "approvalId": "a", "toolCallId": "c"}
    rows = [{"role": "user", "content": "go"}, {"role": "assistant", "content": [call, request]}]
    lowered = lower([rows[0], {**rows[1], "content": [call, request][: 1 + (waits == "approval")]}], dialect=dialect)
    assert "call-unanswered" in [note.code for note in lowered.diagnostics]
    assert list(broken_rules(lowered, dialect)) == []


def test_no_text_of_gemini_brings_the_result_of_a_call_along():
    answer = {"id": "c", "name": "pay", "response": {"output": "done"}}
    lowered = lower([{"role": "user", "content": [{"text": "hi", "functionResponse": answer}]}], dialect="gemini")
    (message,) = lowered.messages
    assert message == {"role": "user", "parts": [{"text": "hi"}]}
    assert [note.code for note in lowered.diagnostics] == ["turn-dropped"]


# -- files


def image(number=0, data=PNG):
    return {"type": "file", "mediaType": "image/png", "data": data, "filename": f"{number}.png"}


def test_of_too_many_files_the_newest_are_written():
    rows = [{"role": "user", "content": [image(number) for number in range(3)]} for _ in range(7)]
    lowered = lower(rows, dialect="bedrock")
    (message,) = lowered.messages
    assert [list(block) for block in message["content"]] == [["text"]] + [["image"]] * 20
    assert [(note.code, note.at) for note in lowered.diagnostics] == [("file-over-limit", "/0/content/0")]


def test_a_file_that_is_too_large_becomes_a_line():
    large = "AAAA" * 1_250_001
    lowered = lower([{"role": "user", "content": [image(data=large), image(1)]}], dialect="bedrock")
    assert lowered.messages[0]["content"][0] == {"text": "[0.png (image/png)]"}
    (note,) = lowered.diagnostics
    assert (note.code, note.at) == ("file-over-limit", "/0/content/0")
    assert note.detail == "3,750,003 bytes; of the kind image a file may have 3,750,000"


def test_files_that_are_too_large_together_become_lines_from_the_oldest():
    rows = [{"role": "user", "content": [OURS | {"data": "AAAA" * 6_000_000}]} for _ in range(2)]
    lowered = lower(rows, dialect="anthropic")
    assert [block["type"] for block in lowered.messages[0]["content"]] == ["text", "document"]
    assert [note.at for note in lowered.diagnostics] == ["/0/content/0"]


def test_text_counts_by_its_bytes():
    text = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "é" * 16_000_001}}
    lowered = lower([{"role": "user", "content": [text, "hi"]}], dialect="anthropic")
    assert [note.code for note in lowered.diagnostics] == ["file-over-limit"]


@pytest.mark.parametrize(
    ("block", "dialect"),
    [
        ({"type": "image", "source": {"type": "url", "url": "http://files.example/a"}}, "anthropic"),
        ({"type": "image", "source": {"type": "url", "url": "https://files.example/a"}}, "bedrock"),
        ({"type": "image_url", "image_url": {"url": "data:image/bmp;base64,AAAA"}}, "openai"),
        ({"inline_data": {"mime_type": "application/zip", "data": "AAAA"}}, "gemini"),
        ({"video": {"format": "mp4", "source": {"bytes": "AAAA"}}}, "bedrock"),
        (
            {"type": "input_file", "filename": "a.zip", "file_data": f"data:application/zip;base64,{PDF}"},
            "openai-agents",
        ),
    ],
)
def test_a_file_of_the_dialect_that_its_provider_does_not_take_becomes_a_line(block, dialect):
    lowered = lower([{"role": "user", "content": [block]}], dialect=dialect)
    assert [(note.code, note.at) for note in lowered.diagnostics] == [("part-unsupported", "/0/content/0")]
    assert ("[a.zip (" if "filename" in block else "[file (") in json.dumps(lowered.messages)


def test_items_take_documents_of_other_kinds():
    csv = {"type": "file", "mediaType": "text/csv", "data": "w6k=", "filename": "a.csv"}
    tagged = {"type": "file", "mediaType": "text/csv", "data": {"type": "text", "text": "é"}}
    lowered = lower([{"role": "user", "content": [csv, tagged]}], dialect="openai-agents")
    data = "data:text/csv;base64,w6k="
    assert lowered.messages[0]["content"] == [
        {"type": "input_file", "filename": "a.csv", "file_data": data},
        {"type": "input_file", "filename": "file", "file_data": data},
    ]


# -- Bedrock


def test_documents_of_bedrock_have_names_of_their_own():
    files = [{"type": "file", "mediaType": "application/pdf", "data": PDF, "filename": name} for name in
             ("ä/b.pdf", "a  b.pdf", "a b pdf", "", "(1) [x]-y" + "z" * 300)]  # fmt: skip
    (message,) = lower([{"role": "user", "content": files}], dialect="bedrock").messages
    names = [block["document"]["name"] for block in message["content"][:-1]]
    assert names == ["b pdf", "a b pdf", "a b pdf (2)", "document", ("(1) [x]-y" + "z" * 300)[:192]]
    assert message["content"][-1] == {"text": "[The message has no text.]"}


def test_many_documents_of_one_name_are_counted_on():
    document = {"document": {"name": "a", "source": {"s3Location": {"uri": "s3://bucket/a"}}}}
    (message,) = lower([{"role": "user", "content": [document] * 5_000}], dialect="bedrock").messages
    assert message["content"][-2]["document"]["name"] == "a (5000)"


def test_a_result_of_nothing_says_so_in_bedrock():
    call = {"type": "tool_use", "id": "c", "name": "f", "input": {}}
    for output, content in [
        ("", [{"text": "[The tool has no output.]"}]),
        ([], [{"text": "[The tool has no output.]"}]),
        ("a", [{"text": "a"}]),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": " "}], [{"text": "a"}]),
    ]:
        result = {"type": "tool_result", "tool_use_id": "c", "content": output, "is_error": True}
        rows = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
        *_, last = lower(rows, dialect="bedrock").messages
        assert last["content"] == [{"toolResult": {"toolUseId": "c", "content": content, "status": "error"}}]


def test_json_stays_json_in_bedrock_where_it_is_an_object():
    for value, content in [({"a": 1}, {"json": {"a": 1}}), ([1], {"text": "[1]"})]:
        call = {"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": {}}
        output = {"type": "json", "value": value}
        result = {"type": "tool-result", "toolCallId": "c", "toolName": "f", "output": output}
        rows = [{"role": "assistant", "content": [call]}, {"role": "tool", "content": [result]}]
        *_, last = lower(rows, dialect="bedrock").messages
        assert last["content"][0]["toolResult"]["content"] == [content]


def test_an_agent_shows_no_files_in_bedrock():
    lowered = lower([{"role": "assistant", "content": [image()]}], dialect="bedrock")
    assert lowered.messages[1]["content"] == [{"text": "[0.png (image/png)]"}]
