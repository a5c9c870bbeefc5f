"""Threads with several agents, as one of them sees them."""

import pytest

from mentionable.ingest._others import AgentView, agent_name

OWN, THEIRS = {"sender_id": "bot:a"}, {"sender_id": "bot:b"}
TURN = {"role": "assistant", "content": "hi"}


@pytest.mark.parametrize("metadata", [None, {}, OWN, {"sender_id": ""}, {"sender_id": 7}])
def test_what_the_agent_said_is_its_own(metadata):
    assert AgentView("bot:a").of(TURN, metadata) is TURN


@pytest.mark.parametrize("role", ["user", "system", "tool"])
def test_only_agents_speak_as_agents(role):
    row = {"role": role, "content": "hi"}
    assert AgentView("bot:a").of(row, THEIRS) is row


@pytest.mark.parametrize(
    ("row", "turn"),
    [
        (TURN, {"role": "user", "content": "hi"}),
        ({**TURN, "role": "model", "name": "b"}, {"role": "user", "content": "hi", "name": "b"}),
        ({"type": "message", "content": "hi"}, {"role": "user", "content": "hi", "type": "message"}),
        ({"role": "model", "parts": [{"text": "hi"}]}, {"role": "user", "parts": [{"text": "hi"}]}),
        ({**TURN, "tool_calls": [{"type": "function", "id": "c"}]}, {"role": "user", "content": "hi"}),
        ({**TURN, "tool_calls": None}, {"role": "user", "content": "hi"}),
        ({**TURN, "content": ""}, None),
        ({**TURN, "content": None}, None),
        ({**TURN, "content": None, "tool_calls": [{"type": "function", "id": "c"}]}, None),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}, None),
        ({"role": "model", "parts": [{"text": "hm", "thought": True}]}, None),
        (
            {"role": "assistant", "content": [{"type": "tool_result", "tool_use_id": "c"}, "hi"]},
            {"role": "user", "content": ["hi"]},
        ),
        ({"type": "function_call", "call_id": "c"}, None),
    ],
)
def test_a_row_of_another_agent_is_a_user_turn_with_its_text(row, turn):
    assert AgentView("bot:a").of(row, THEIRS) == turn


def test_a_hidden_turn_of_another_agent_is_left_out():
    assert AgentView("bot:a").of(TURN, {**THEIRS, "hidden": True}) is None
    assert AgentView("bot:a").of(TURN, {**THEIRS, "hidden": 1}) is not None
    assert AgentView("bot:a").of(TURN, {**OWN, "hidden": True}) is TURN


HIDDEN = {"hidden": True}
ROWS = {
    "user": {"role": "user", "content": "hi"},
    "user-blocks": {"role": "user", "content": [{"type": "text", "text": "hi"}]},
    "user-gemini": {"role": "user", "parts": [{"text": "hi"}]},
    "system": {"role": "system", "content": "hi"},
    "developer": {"role": "developer", "content": "hi"},
    "tool": {"role": "tool", "tool_call_id": "c", "content": "1"},
    "tool-item": {"type": "function_call_output", "call_id": "c", "output": "1"},
    "tool-blocks": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]},
    "tool-vercel": {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c"}]},
    "tool-gemini": {"role": "user", "parts": [{"functionResponse": {"name": "c"}}]},
    "assistant": {"role": "assistant", "content": "hi"},
    "model": {"role": "model", "parts": [{"text": "hi"}]},
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("passive", [True, False])
def test_a_hidden_row_of_any_role_reaches_no_other_agent(row, passive):
    assert AgentView("bot:a").of(row, {**THEIRS, **HIDDEN, "passive": passive}) is None
    assert AgentView("bot:a").of(row, {**THEIRS, **HIDDEN, "recipient_id": "bot:c"}) is None


@pytest.mark.parametrize("row", [row for name, row in ROWS.items() if name not in ("assistant", "model")])
def test_a_hidden_row_without_a_writer_reaches_no_agent(row):
    assert AgentView("bot:a").of(row, HIDDEN) is None


@pytest.mark.parametrize("row", [row for name, row in ROWS.items() if name not in ("assistant", "model")])
@pytest.mark.parametrize("member", ["sender_id", "recipient_id"])
def test_a_hidden_row_reaches_the_agent_that_wrote_it_or_that_it_is_for(row, member):
    assert AgentView("bot:a").of(row, {**HIDDEN, member: "bot:a"}) == row


CALLS = {
    "openai": (
        {**TURN, "tool_calls": [{"type": "function", "id": "c"}]},
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
    others = AgentView("bot:a")
    assert others.of(result, None) == result
    others.of(call, THEIRS)
    assert others.of(result, None) is None
    assert others.of({"role": "user", "content": "hi"}, None) == {"role": "user", "content": "hi"}


@pytest.mark.parametrize(("call", "result"), CALLS.values(), ids=CALLS)
def test_a_tool_that_the_agent_called_too_is_its_own(call, result):
    others = AgentView("bot:a")
    others.of(call, THEIRS)
    assert others.of(call, OWN) == call
    assert others.of(result, None) == result


@pytest.mark.parametrize(("call", "result"), CALLS.values(), ids=CALLS)
def test_a_hidden_result_of_an_own_call_stays_with_its_call(call, result):
    own = AgentView("bot:a")
    own.of(call, OWN)
    assert own.of(result, HIDDEN) == result
    assert own.of(result, HIDDEN) is None


def test_a_hidden_result_without_an_id_is_of_no_own_call():
    own = AgentView("bot:a")
    own.of({**TURN, "tool_calls": [{"type": "function"}]}, OWN)
    assert own.of({"role": "tool", "content": "1"}, HIDDEN) is None


def test_hidden_words_beside_an_own_result_are_left_out():
    own = AgentView("bot:a")
    own.of(CALLS["anthropic"][0], OWN)
    blocks = [{"type": "tool_result", "tool_use_id": "d"}, {"type": "tool_result", "tool_use_id": "c"}, "hi"]
    row = {"role": "user", "content": blocks, "parts": "hi", "cache": 1}
    assert own.of(row, {**THEIRS, **HIDDEN}) == {"role": "user", "content": blocks[1:2], "cache": 1}


def test_words_beside_results_of_others_stay():
    others = AgentView("bot:a")
    others.of(CALLS["anthropic"][0], THEIRS)
    blocks = [{"type": "tool_result", "tool_use_id": "c"}, {"type": "tool_result", "tool_use_id": "d"}, "hi"]
    row = {"role": "user", "content": blocks}
    assert others.of(row, None) == {"role": "user", "content": blocks[1:]}
    assert len(row["content"]) == 3
    assert others.of({"role": "user", "content": []}, None) == {"role": "user", "content": []}


@pytest.mark.parametrize(
    "block",
    [7, None, {"type": "tool_use"}, {"type": ["tool_use"]}, {"type": "tool_use", "id": ["c"]}, {"functionCall": "c"}],
)
def test_odd_calls_are_no_words_of_anybodys_that_break_anything(block):
    others = AgentView("bot:a")
    others.of({"role": "assistant", "content": [block], "tool_calls": [block]}, THEIRS)
    assert others.of({"role": "tool", "content": [block], "tool_call_id": ["c"]}, None) is not None


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
    assert agent_name(metadata) == voice
