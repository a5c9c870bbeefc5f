"""Calls of tools and their results, in every dialect."""

from __future__ import annotations

import pytest

from mentionable import UsageError
from mentionable.ingest import lower

PNG = "iVBORw0KGgo="
URL = "https://files.example/a"
ASK = {"role": "user", "content": "go"}
CALLED = {
    "openai": [
        {
            "role": "assistant",
            "content": "wait",
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "done"},
    ],
    "openai-responses": [
        {"role": "assistant", "content": "wait"},
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": '{"a":1}'},
        {"type": "function_call_output", "call_id": "c1", "output": "done"},
    ],
    "anthropic": [
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "wait"},
                {"type": "tool_use", "id": "c1", "name": "f", "input": {"a": 1}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "done"}]},
    ],
    "gemini": [
        {"role": "model", "parts": [{"text": "wait"}, {"function_call": {"id": "c1", "name": "f", "args": {"a": 1}}}]},
        {
            "role": "user",
            "parts": [{"function_response": {"id": "c1", "name": "f", "response": {"output": "done"}}}],
        },
    ],
    "vercel": [
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "wait"},
                {"type": "tool-call", "toolCallId": "c1", "toolName": "f", "input": {"a": 1}},
            ],
        },
        {
            "role": "tool",
            "content": [
                {
                    "type": "tool-result",
                    "toolCallId": "c1",
                    "toolName": "f",
                    "output": {"type": "text", "value": "done"},
                }
            ],
        },
    ],
}
DIALECTS = tuple(CALLED)


def plain(messages):
    """Messages with each text as a string where it may be one."""
    made = []
    for message in messages:
        content = message.get("content")
        if isinstance(content, list) and len(content) == 1 and content[0].get("type") == "text":
            message = {**message, "content": content[0]["text"]}
        made.append(message)
    return made


def results(rows, dialect):
    """The bodies of all results, and the codes of what was noted."""
    lowered = lower([ASK, *rows], dialect=dialect)
    found = []
    for message in lowered.messages:
        if message.get("role") == "tool" and dialect == "openai":
            found.append(message["content"])
        for block in message.get("parts") or message.get("content") or () if dialect != "openai" else ():
            if isinstance(block, dict):
                found += [block[key] for key in ("output", "function_response") if key in block]
                found += [block["content"]] if block.get("type") == "tool_result" else []
        found += [message["output"]] if "output" in message else []
    return found, [(note.code, note.at) for note in lowered.diagnostics]


@pytest.mark.parametrize("source", DIALECTS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_call_and_its_result_go_from_every_dialect_to_every_other(source, dialect):
    go = {"role": "user", "parts": [{"text": "go"}]} if dialect == "gemini" else ASK
    lowered = lower([ASK, *CALLED[source]], dialect=dialect)
    assert plain(lowered.messages) == [go, *CALLED[dialect]]
    assert lowered.diagnostics == ()


def called(arguments):
    function = {"name": "f", "arguments": arguments}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": function}]}


@pytest.mark.parametrize(
    ("arguments", "made"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        (None, {}),
        ({"a": 1}, {"a": 1}),
        ("[1]", {"arguments": "[1]"}),
        ("nope", {"arguments": "nope"}),
        ('{"a": 1, "a": 2}', {"arguments": '{"a": 1, "a": 2}'}),
        ('{"a": "\\ud800"}', {"arguments": '{"a": "\\ud800"}'}),
        ("\ud800", {"arguments": "?"}),
        ("[" * 1000, {"arguments": "[" * 1000}),
        ([1], {"arguments": "[1]"}),
    ],
)
def test_arguments_that_are_no_object_become_one_where_one_is_needed(arguments, made):
    for dialect, block in (("anthropic", "input"), ("vercel", "input")):
        (found,) = lower([ASK, called(arguments)], dialect=dialect).messages[1]["content"]
        assert found[block] == made
    (part,) = lower([ASK, called(arguments)], dialect="gemini").messages[1]["parts"]
    assert part["function_call"]["args"] == made


@pytest.mark.parametrize(
    ("arguments", "text"), [("nope", "nope"), (None, "{}"), ("", "{}"), ({"a": "é"}, '{"a":"é"}'), ("\ud800", "?")]
)
def test_arguments_are_text_where_text_is_needed(arguments, text):
    row = {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": arguments}]}
    assert lower([row]).messages[0]["tool_calls"][0]["function"]["arguments"] == text
    assert lower([row], dialect="openai-responses").messages[0]["arguments"] == text


def test_a_custom_tool_stays_one_in_chat_and_takes_its_text_elsewhere():
    call = {"id": "c", "type": "custom", "custom": {"name": "f", "input": "x = 1"}}
    rows = [ASK, {"role": "assistant", "content": None, "tool_calls": [call]}]
    assert lower(rows).messages[1]["tool_calls"] == [call]
    assert lower(rows, dialect="anthropic").messages[1]["content"][0]["input"] == {"arguments": "x = 1"}


def test_a_call_that_is_none_becomes_a_line():
    row = {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]}
    lowered = lower([row])
    assert lowered.messages[0]["content"] == [{"type": "text", "text": "[part (tool_call)]"}]
    assert [(note.code, note.at) for note in lowered.diagnostics] == [("part-unsupported", "/0/tool_calls/0")]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_result_without_its_call_is_left_out_and_noted(dialect):
    rows = [
        {"role": "tool", "tool_call_id": "c1", "content": "early"},
        *CALLED["openai"],
        {"role": "tool", "tool_call_id": "c1", "content": "again"},
        {"role": "tool", "content": "whose"},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c9", "content": "x"}, "and"]},
    ]
    found, noted = results(rows, dialect)
    assert len(found) == 1
    assert noted == [("turn-dropped", at) for at in ("/1", "/4", "/5", "/6/content/0")]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_call_without_a_result_gets_one_that_says_so(dialect):
    lowered = lower([ASK, CALLED["openai"][0]], dialect=dialect)
    result = {**CALLED["anthropic"][1]["content"][0], "content": "[The tool has not answered.]", "is_error": True}
    answered = [ASK, CALLED["openai"][0], {"role": "user", "content": [result]}]
    assert lowered.messages == lower(answered, dialect=dialect).messages
    assert [(note.code, note.at) for note in lowered.diagnostics] == [("call-unanswered", "/1/tool_calls/0")]


def test_a_result_comes_right_after_the_turn_that_called():
    late = [ASK, CALLED["openai"][0], {"role": "user", "content": "hurry"}, CALLED["openai"][1]]
    assert [message["role"] for message in lower(late).messages] == ["user", "assistant", "tool", "user"]
    content = lower(late, dialect="anthropic").messages[2]["content"]
    assert [block["type"] for block in content] == ["tool_result", "text"]
    mixed = [{"type": "text", "text": "and"}, {"type": "tool_result", "tool_use_id": "c1", "content": "done"}]
    lowered = lower([ASK, CALLED["openai"][0], {"role": "user", "content": mixed}])
    assert [message["role"] for message in lowered.messages] == ["user", "assistant", "tool", "user"]


def test_calls_without_ids_are_told_by_name_and_order():
    rows = [
        {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}} for name in ("f", "g", "f")]},
        {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"output": n}}} for n in ("1", "2")]},
        {"role": "tool", "tool_name": "g", "content": "3"},
    ]
    calls, *answers = lower(rows).messages
    assert [call["id"] for call in calls["tool_calls"]] == ["call_1", "call_2", "call_3"]
    assert [(one["tool_call_id"], one["content"]) for one in answers] == [
        ("call_1", "1"),
        ("call_3", "2"),
        ("call_2", "3"),
    ]
    _, same, answered = lower(rows, dialect="gemini").messages
    assert same["parts"] == rows[0]["parts"]
    assert answered["parts"][:2] == rows[1]["parts"]
    assert answered["parts"][2] == {"function_response": {"name": "g", "response": {"output": "3"}}}


def test_an_id_that_is_used_twice_means_the_last_turn_that_has_it():
    def call(name):
        return {"type": "tool_use", "id": "c", "name": name, "input": {}}

    def answer(text):
        return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": text}]}

    rows = [{"role": "assistant", "content": [call(name)]} for name in "fg"] + [answer("1")]
    unanswered = "[The tool has not answered.]"
    assert [message.get("content") for message in lower(rows).messages] == [None, unanswered, None, "1"]
    rows = [{"role": "assistant", "content": [call("f"), call("g")]}, answer("1"), answer("2"), answer("3")]
    lowered = lower(rows, dialect="vercel")
    assert [(part["toolName"], part["output"]["value"]) for part in lowered.messages[1]["content"]] == [
        ("f", "1"),
        ("g", "2"),
    ]
    assert [note.at for note in lowered.diagnostics] == ["/3/content/0"]


def test_a_name_finds_calls_that_have_ids_too():
    rows = [
        *CALLED["openai"][:1],
        {"role": "tool", "name": "f", "content": "1"},
        {"role": "tool", "name": "f", "content": 2},
    ]
    with pytest.raises(UsageError, match=r"rows\[2\]\.content"):
        lower(rows)
    rows[2] = {"role": "tool", "name": "f", "content": "2"}
    lowered = lower(rows)
    assert lowered.messages[1] == {"role": "tool", "tool_call_id": "c1", "content": "1", "name": "f"}
    assert [note.code for note in lowered.diagnostics] == ["turn-dropped"]
    answered = [CALLED["openai"][0], {"role": "tool", "tool_call_id": "c1", "content": "1"}, rows[2]]
    assert [note.at for note in lower(answered).diagnostics] == ["/2"]


def test_ids_that_anthropic_does_not_take_become_others():
    def call(id):
        return {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "f", "input": {}}]}

    def answer(id):
        return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": id}]}

    rows = [ASK]
    for id in ("call_1", "call_1", "a.b", "é"):
        rows += [call(id), answer(id)]
    messages = lower(rows, dialect="anthropic").messages
    ids = [message["content"][0]["id"] for message in messages if message["role"] == "assistant"]
    assert ids == ["call_1", "call_2", "call_3", "call_4"]
    assert [message["content"][0]["tool_use_id"] for message in messages[2::2]] == ids
    assert [message["content"][0]["content"] for message in messages[2::2]] == ["call_1", "call_1", "a.b", "é"]


BLOCKS = [
    {"type": "text", "text": "see"},
    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
]


def answered(content, **more):
    call = {"type": "tool_use", "id": "c1", "name": "f", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": content, **more}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


def test_a_result_may_hold_files_where_the_dialect_lets_it():
    rows = answered(BLOCKS)
    line = "[file (image/png)]"
    noted = [("part-unsupported", "/2/content/0/content/1")]
    assert results(rows, "anthropic") == ([BLOCKS], [])
    assert results(rows, "openai") == ([[BLOCKS[0], {"type": "text", "text": line}]], noted)
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"}
    assert results(rows, "openai-responses") == ([[{"type": "input_text", "text": "see"}, image]], [])
    (gemini,), gemini_noted = results(rows, "gemini")
    assert (gemini["response"], gemini_noted) == ({"output": ["see", line]}, noted)
    data = {"type": "file-data", "data": PNG, "mediaType": "image/png"}
    assert results(rows, "vercel") == ([{"type": "content", "value": [BLOCKS[0], data]}], [])


def test_files_in_results_go_to_vercel_by_url_and_with_names():
    files = [
        {"type": "image", "source": {"type": "url", "url": URL}},
        {"type": "document", "title": "t", "source": {"type": "text", "data": "é"}},
        {"type": "image", "source": {"type": "file", "file_id": "f"}},
    ]
    (output,), noted = results(answered(files), "vercel")
    assert output["value"] == [
        {"type": "file-url", "url": URL, "mediaType": "image/*"},
        {"type": "file-data", "data": "w6k=", "mediaType": "text/plain", "filename": "t"},
        {"type": "text", "text": "[file (image/*)]"},
    ]
    assert noted == [("part-unsupported", "/2/content/0/content/2")]


def test_a_result_with_files_goes_from_items_and_from_vercel_to_anthropic():
    parts = [{"type": "text", "text": " "}, {"type": "file-data", "data": PNG, "mediaType": "image/png"}]
    result = {"type": "tool-result", "toolCallId": "c1", "toolName": "f", "output": {"type": "content", "value": parts}}
    rows = [answered("")[0], {"role": "tool", "content": [result]}]
    assert results(rows, "anthropic") == ([[BLOCKS[1]]], [])
    assert results(rows, "vercel") == ([result["output"]], [])
    lines = [{"type": "input_text", "text": "see"}]
    rows = [answered("")[0], {"type": "function_call_output", "call_id": "c1", "output": lines}]
    assert results(rows, "openai-responses") == ([lines], [])
    assert results(rows, "gemini")[0][0]["response"] == {"output": "see"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_result_of_nothing_is_an_empty_text(dialect):
    (found,), noted = results(answered([]), dialect)
    empty = {
        "openai": "",
        "openai-responses": "",
        "anthropic": [],
        "gemini": {"id": "c1", "name": "f", "response": {"output": ""}},
        "vercel": {"type": "content", "value": []},
    }
    assert (found, noted) == (empty[dialect], [])


def test_a_tool_that_failed_says_so_where_the_dialect_lets_it():
    rows = answered("bad", is_error=True)
    assert results(rows, "vercel")[0] == [{"type": "error-text", "value": "bad"}]
    assert results(rows, "gemini")[0][0]["response"] == {"error": "bad"}
    assert results(rows, "openai")[0] == ["bad"]
    assert results(answered(BLOCKS[:1], is_error=True), "vercel")[0] == [{"type": "error-json", "value": ["see"]}]
    failed = {
        "type": "tool-result",
        "toolCallId": "c1",
        "toolName": "f",
        "output": {"type": "error-json", "value": {"e": 1}},
    }
    rows = [answered("")[0], {"role": "tool", "content": [failed]}]
    (message,) = lower([ASK, *rows], dialect="anthropic").messages[2]["content"]
    assert message == {"type": "tool_result", "tool_use_id": "c1", "content": '{"e":1}', "is_error": True}
    assert results(rows, "gemini")[0][0]["response"] == {"error": {"e": 1}}


def test_json_stays_json_where_the_dialect_has_it():
    answer = {"functionResponse": {"id": "c1", "name": "f", "response": {"a": [1]}}}
    rows = [answered("")[0], {"role": "user", "parts": [answer]}]
    assert results(rows, "vercel")[0] == [{"type": "json", "value": {"a": [1]}}]
    assert results(rows, "openai-responses")[0] == ['{"a":[1]}']
    listed = {"type": "tool-result", "toolCallId": "c1", "toolName": "f", "output": {"type": "json", "value": [1]}}
    rows = [answered("")[0], {"role": "tool", "content": [listed]}]
    assert results(rows, "gemini")[0][0]["response"] == {"output": [1]}
    mapped = {**listed, "output": {"type": "json", "value": {"a": 1}}}
    rows = [answered("")[0], {"role": "tool", "content": [mapped]}]
    assert results(rows, "gemini")[0][0]["response"] == {"a": 1}


SCREEN = {
    "id": "m",
    "role": "assistant",
    "parts": [
        {"type": "step-start"},
        {"type": "text", "text": "a"},
        {"type": "tool-f", "toolCallId": "c1", "state": "output-available", "input": {}, "output": "1"},
        {"type": "tool-f", "toolCallId": "c2", "state": "output-available", "input": {}, "output": "2"},
        {"type": "text", "text": "b"},
        {"type": "step-start"},
        {"type": "dynamic-tool", "toolName": "g", "toolCallId": "c3", "state": "output-error", "input": {}},
        {"type": "step-start"},
    ],
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_steps_of_an_agent_become_turns(dialect):
    roles = [message.get("role", message.get("type")) for message in lower([ASK, SCREEN], dialect=dialect).messages]
    chat = ["user", "assistant", "tool", "tool", "assistant", "assistant", "tool"]
    assert roles == {
        "openai": chat,
        "openai-responses": [
            "user", "assistant", "function_call", "function_call", "function_call_output", "function_call_output",
            "assistant", "function_call", "function_call_output",
        ],
        "anthropic": ["user", "assistant", "user", "assistant", "user"],
        "gemini": ["user", "model", "user", "model", "user"],
        "vercel": ["user", "assistant", "tool", "assistant", "assistant", "tool"],
    }[dialect]  # fmt: skip


def test_a_turn_of_steps_alone_says_nothing():
    lowered = lower([{"role": "assistant", "parts": [{"type": "step-start"}]}])
    assert [note.code for note in lowered.diagnostics] == ["turn-dropped"]


def test_a_result_inside_a_turn_stays_there_in_vercel_alone():
    call = CALLED["vercel"][0]["content"][1]
    result = CALLED["vercel"][1]["content"][0]
    row = {"role": "assistant", "content": [call, result, {"type": "text", "text": "so"}]}
    assert lower([ASK, row], dialect="vercel").messages == (ASK, row)
    assert [message["role"] for message in lower([ASK, row]).messages] == ["user", "assistant", "tool", "assistant"]


def test_a_tool_message_of_vercel_keeps_its_options_and_its_approvals():
    options = {"x": {"y": 1}}
    called, result = CALLED["vercel"]
    approval = {"type": "tool-approval-response", "approvalId": "a", "approved": True}
    rows = [ASK, called, {**result, "providerOptions": options}, {"role": "tool", "content": [approval]}]
    assert list(lower(rows, dialect="vercel").messages) == rows
    noted = lower([*rows, {"role": "tool", "content": [{"type": "text", "text": "x"}]}], dialect="vercel").diagnostics
    assert [(note.code, note.at) for note in noted] == [("part-unsupported", "/4/content/0"), ("turn-dropped", "/4")]
    for dialect in ("openai", "openai-responses", "anthropic", "gemini"):
        assert [note.code for note in lower(rows, dialect=dialect).diagnostics] == ["turn-dropped"]


def test_items_of_one_turn_are_one_turn():
    rows = [
        {"role": "assistant", "content": "wait"},
        *[{"type": "function_call", "call_id": id, "name": "f", "arguments": "{}"} for id in ("c1", "c2")],
        *[{"type": "function_call_output", "call_id": id, "output": id} for id in ("c1", "c2")],
    ]
    assert [message["role"] for message in lower(rows).messages] == ["assistant", "tool", "tool"]
    assert lower(rows).messages[0]["content"] == "wait"
    assert list(lower(rows, dialect="openai-responses").messages) == rows


def test_a_conversation_may_end_with_items():
    rows = [{"role": "assistant", "content": "wait"}, {"type": "reasoning", "id": "r", "summary": []}]
    assert list(lower(rows, dialect="openai-responses").messages) == rows


def test_what_json_cannot_carry_is_named():
    with pytest.raises(UsageError, match=r"rows\[0\]\.content\[0\]: "):
        lower([{"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {"a": {1}}}]}])
