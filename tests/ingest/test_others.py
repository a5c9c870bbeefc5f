"""Threads with several agents, as one of them should hear them."""

import pytest

from mentionable.ingest._others import Others, voice_of

OWN, THEIRS = {"sender_id": "bot:a"}, {"sender_id": "bot:b"}
SAID = {"role": "assistant", "content": "hi"}


@pytest.mark.parametrize("metadata", [None, {}, OWN, {"sender_id": ""}, {"sender_id": 7}])
def test_what_the_agent_said_is_its_own(metadata):
    assert Others("bot:a").heard(SAID, metadata) is SAID


@pytest.mark.parametrize("role", ["user", "system", "tool"])
def test_only_agents_speak_as_agents(role):
    row = {"role": role, "content": "hi"}
    assert Others("bot:a").heard(row, THEIRS) is row


@pytest.mark.parametrize(
    ("row", "heard"),
    [
        (SAID, {"role": "user", "content": "hi"}),
        ({**SAID, "role": "model", "name": "b"}, {"role": "user", "content": "hi", "name": "b"}),
        ({"type": "message", "content": "hi"}, {"role": "user", "content": "hi", "type": "message"}),
        ({"role": "model", "parts": [{"text": "hi"}]}, {"role": "user", "parts": [{"text": "hi"}]}),
        ({**SAID, "tool_calls": [{"type": "function", "id": "c"}]}, {"role": "user", "content": "hi"}),
        ({**SAID, "tool_calls": None}, {"role": "user", "content": "hi"}),
        ({**SAID, "content": ""}, None),
        ({**SAID, "content": None}, None),
        ({**SAID, "content": None, "tool_calls": [{"type": "function", "id": "c"}]}, None),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}, None),
        ({"role": "model", "parts": [{"text": "hm", "thought": True}]}, None),
        (
            {"role": "assistant", "content": [{"type": "tool_result", "tool_use_id": "c"}, "hi"]},
            {"role": "user", "content": ["hi"]},
        ),
        ({"type": "function_call", "call_id": "c"}, None),
    ],
)
def test_of_others_the_words_are_heard(row, heard):
    assert Others("bot:a").heard(row, THEIRS) == heard


def test_what_is_hidden_is_not_heard():
    assert Others("bot:a").heard(SAID, {**THEIRS, "hidden": True}) is None
    assert Others("bot:a").heard(SAID, {**THEIRS, "hidden": 1}) is not None
    assert Others("bot:a").heard(SAID, {**OWN, "hidden": True}) is SAID


CALLS = {
    "openai": (
        {**SAID, "tool_calls": [{"type": "function", "id": "c"}]},
        {"role": "tool", "tool_call_id": "c", "content": "1"},
    ),
    "openai-responses": ({"type": "function_call", "call_id": "c"}, {"type": "function_call_output", "call_id": "c"}),
    "anthropic": (
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c"}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]},
    ),
    "vercel": (
        {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c"}]},
        {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c"}]},
    ),
    "gemini": (
        {"role": "model", "parts": [{"function_call": {"id": "c", "name": "x"}}]},
        {"role": "user", "parts": [{"function_response": {"id": "c", "name": "x"}}]},
    ),
    "gemini-in-camels": (
        {"role": "model", "parts": [{"functionCall": {"name": "c"}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "c"}}]},
    ),
}


@pytest.mark.parametrize(("call", "result"), CALLS.values(), ids=CALLS)
def test_what_tools_of_others_returned_is_left_out(call, result):
    others = Others("bot:a")
    assert others.heard(result, None) == result
    others.heard(call, THEIRS)
    assert others.heard(result, None) is None
    assert others.heard({"role": "user", "content": "hi"}, None) == {"role": "user", "content": "hi"}


@pytest.mark.parametrize(("call", "result"), CALLS.values(), ids=CALLS)
def test_a_tool_that_the_agent_called_too_is_its_own(call, result):
    others = Others("bot:a")
    others.heard(call, THEIRS)
    assert others.heard(call, OWN) == call
    assert others.heard(result, None) == result


def test_words_beside_results_of_others_stay():
    others = Others("bot:a")
    others.heard(CALLS["anthropic"][0], THEIRS)
    blocks = [{"type": "tool_result", "tool_use_id": "c"}, {"type": "tool_result", "tool_use_id": "d"}, "hi"]
    row = {"role": "user", "content": blocks}
    assert others.heard(row, None) == {"role": "user", "content": blocks[1:]}
    assert len(row["content"]) == 3
    assert others.heard({"role": "user", "content": []}, None) == {"role": "user", "content": []}


@pytest.mark.parametrize(
    "block",
    [7, None, {"type": "tool_use"}, {"type": ["tool_use"]}, {"type": "tool_use", "id": ["c"]}, {"functionCall": "c"}],
)
def test_odd_calls_are_no_words_of_anybodys_that_break_anything(block):
    others = Others("bot:a")
    others.heard({"role": "assistant", "content": [block], "tool_calls": [block]}, THEIRS)
    assert others.heard({"role": "tool", "content": [block], "tool_call_id": ["c"]}, None) is not None


@pytest.mark.parametrize(
    ("metadata", "voice"),
    [
        ({"sender_display_name": "B", **THEIRS}, "B"),
        ({"sender_display_name": " ", **THEIRS}, "bot:b"),
        ({"sender_display_name": "\u200d", **THEIRS}, "bot:b"),
        ({"sender_display_name": 7, **THEIRS}, "bot:b"),
        (THEIRS, "bot:b"),
    ],
)
def test_an_agent_without_a_name_is_called_by_its_id(metadata, voice):
    assert voice_of(metadata) == voice
