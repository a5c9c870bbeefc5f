import pytest

from mentionable import UNSET, ArtifactPart, ToolCallPart


@pytest.fixture
def calls(take, message):
    """The tool calls, as (id, name, args, state, result or error), of a message with these data parts."""

    def read(*data, metadata=None):
        parts = [{"data": one} if metadata is None else {"data": one, "metadata": metadata} for one in data]
        got = take(message(*parts))
        assert all(isinstance(part, ToolCallPart) for part in got.message.parts)
        return [
            (part.id, part.name, part.args, part.state, part.error.message if part.error else part.result)
            for part in got.message.parts
        ]

    return read


CALL = {"toolCallId": "c1", "toolName": "search", "input": {"q": "a"}}


@pytest.mark.parametrize(
    ("data", "state", "ending"),
    [
        (CALL, "running", UNSET),
        ({**CALL, "output": {"hits": 3}}, "ok", {"hits": 3}),
        ({**CALL, "output": None}, "running", UNSET),
        ({**CALL, "type": "tool-call"}, "running", UNSET),
        ({**CALL, "type": "tool-call", "output": None}, "running", UNSET),
        ({**CALL, "type": "tool-input-start"}, "running", UNSET),
        ({**CALL, "type": "tool-input-available"}, "running", UNSET),
        ({**CALL, "type": "tool-result", "output": [1]}, "ok", [1]),
        ({**CALL, "type": "tool-result", "output": None}, "ok", None),
        ({**CALL, "type": "tool-result"}, "ok", None),
        ({**CALL, "type": "tool-result", "result": "r"}, "ok", "r"),
        ({**CALL, "type": "tool-output-available", "output": 7}, "ok", 7),
        ({**CALL, "type": "tool-error", "error": {"message": "boom"}}, "failed", "boom"),
        ({**CALL, "type": "tool-error", "error": "boom"}, "failed", "boom"),
        ({**CALL, "type": "tool-error", "error": {"code": 7}}, "failed", '{"code":7}'),
        ({**CALL, "type": "tool-error"}, "failed", "the tool failed"),
        ({**CALL, "type": "tool-output-error", "errorText": "boom"}, "failed", "boom"),
        ({**CALL, "error": "boom", "output": 1}, "failed", "boom"),
        ({**CALL, "type": "tool-result", "error": {"message": "boom"}, "output": 1}, "failed", "boom"),
    ],
)
def test_the_type_says_how_far_a_call_is(calls, data, state, ending):
    assert calls(data) == [("c1", "search", {"q": "a"}, state, ending)]


@pytest.mark.parametrize(
    ("output", "state", "ending"),
    [
        ({"type": "text", "value": "hi"}, "ok", "hi"),
        ({"type": "json", "value": {"a": 1}}, "ok", {"a": 1}),
        ({"type": "content", "value": [1]}, "ok", [1]),
        ({"type": "json", "value": None, "providerOptions": {}}, "ok", None),
        ({"type": "error-text", "value": "boom"}, "failed", "boom"),
        ({"type": "error-json", "value": {"message": "boom"}}, "failed", "boom"),
        ({"type": "execution-denied", "reason": "no"}, "failed", "no"),
        ({"type": "execution-denied"}, "failed", "execution denied"),
        ({"type": "json"}, "ok", {"type": "json"}),
        ({"type": "point", "value": 1}, "ok", {"type": "point", "value": 1}),
        ({"type": "json", "value": 1, "more": 2}, "ok", {"type": "json", "value": 1, "more": 2}),
        ({"type": 7, "value": 1}, "ok", {"type": 7, "value": 1}),
    ],
)
def test_outputs_of_prompts_are_unwrapped(calls, output, state, ending):
    data = {"type": "tool-result", "toolCallId": "c1", "toolName": "search", "output": output}
    assert calls(data) == [("c1", "search", {}, state, ending)]


def test_an_output_beside_its_input_is_never_unwrapped(calls):
    output = {"type": "json", "value": 1}
    assert calls({**CALL, "type": "tool-result", "output": output})[0][4] == output


def test_events_of_one_call_are_one_part_where_the_first_stood(take, message):
    result = {"type": "tool-result", "toolCallId": "c1", "output": 7}
    got = take(message({"data": CALL}, "between", {"data": result}))
    assert [part.kind for part in got.message.parts] == ["tool_call", "text"]
    assert got.message.parts[0] == ToolCallPart(id="c1", name="search", args={"q": "a"}, result=7)


def test_different_ids_are_different_calls(calls):
    assert [call[0] for call in calls(CALL, {**CALL, "toolCallId": "c2"})] == ["c1", "c2"]


def test_a_call_that_has_ended_never_runs_again(calls):
    ended = {**CALL, "type": "tool-result", "output": 7}
    assert calls(ended, {**CALL, "type": "tool-call", "input": {"q": "b"}}) == [("c1", "search", {"q": "b"}, "ok", 7)]
    failed = {**CALL, "type": "tool-error", "error": "boom"}
    assert calls(failed, CALL)[0][3:] == ("failed", "boom")


def test_of_two_endings_the_last_counts(calls):
    ended, failed = {**CALL, "output": 7}, {**CALL, "error": "boom"}
    assert calls(ended, failed)[0][3:] == ("failed", "boom")
    assert calls(failed, ended)[0][3:] == ("ok", 7)


def test_a_result_without_its_call_has_an_unknown_name(calls):
    assert calls({"type": "tool-result", "toolCallId": "c1", "output": 1}) == [("c1", "unknown", {}, "ok", 1)]
    assert calls({"toolCallId": "c1", "toolName": 7, "args": [1]}) == [("c1", "unknown", [1], "running", UNSET)]


def test_unknown_tool_events_show_nothing_and_fail_nothing(take, message):
    delta = {"type": "tool-input-delta", "toolCallId": "c1", "inputTextDelta": "{"}
    got = take(message({"data": delta}))
    assert got.message.parts == ()
    assert got.diagnostics == ()


@pytest.mark.parametrize(
    "data",
    [
        {"toolCallId": 7, "toolName": "x"},
        {"toolCallId": "", "toolName": "x"},
        {"toolCallId": "c1"},
        {"toolCallId": "c1", "type": "receipt", "toolName": "x"},
        {"toolCallId": "c1", "type": 7, "toolName": "x"},
        {"type": "tool-call", "toolName": "x"},
        {"tool_results": []},
        {"tool_results": "none"},
        {"tool_results": [{"toolCallId": "c1"}, {"name": "x"}]},
        {"tool_results": [7]},
        {"id": "c1", "name": "x", "args": {}},
    ],
)
def test_data_that_reports_no_call_stays_data(take, message, data):
    assert isinstance(take(message({"data": data})).message.parts[0], ArtifactPart)


@pytest.mark.parametrize("key", ["adk_type", "a2a/type"])
def test_the_pair_of_adk_is_one_call(take, message, key):
    call = {"data": {"id": "c1", "name": "search", "args": {"q": 1}}, "metadata": {key: "function_call"}}
    answer = {"data": {"id": "c1", "name": "search", "response": {"r": 1}}, "metadata": {key: "function_response"}}
    got = take(message(call, answer))
    assert got.message.parts == (ToolCallPart(id="c1", name="search", args={"q": 1}, result={"r": 1}),)


def test_an_adk_call_without_an_id_stays_data(take, message):
    call = {"data": {"id": None, "name": 7}, "metadata": {"adk_type": "function_call"}}
    assert isinstance(take(message(call)).message.parts[0], ArtifactPart)
    named = {"data": {"id": "c1", "name": 7}, "metadata": {"adk_type": "function_call"}}
    assert take(message(named)).message.parts[0].name == "unknown"


def test_other_metadata_makes_no_call(take, message):
    part = {"data": {"id": "c1"}, "metadata": {"adk_type": ["function_call"]}}
    assert isinstance(take(message(part)).message.parts[0], ArtifactPart)


def test_results_of_langgraph_are_calls(calls):
    results = [
        {"toolCallId": "c1", "name": "search", "status": "success", "content": "found"},
        {"toolCallId": "c2", "name": 7, "status": "error", "content": "boom"},
    ]
    assert calls({"tool_results": results}) == [
        ("c1", "search", {}, "ok", "found"),
        ("c2", "unknown", {}, "failed", "boom"),
    ]


def test_times_of_a_call_are_read_from_the_metadata_or_beside_it(take, message):
    hints = {"mentionable": {"duration_ms": 412.0, "started_at": "2026-11-21T20:00:00Z"}}
    part = take(message({"data": CALL, "metadata": hints})).message.parts[0]
    assert (part.duration_ms, part.started_at) == (412, "2026-11-21T20:00:00Z")
    beside = {**CALL, "durationMs": 1.5, "startedAt": "2026-11-21T20:00:00Z"}
    part = take(message({"data": beside})).message.parts[0]
    assert (part.duration_ms, part.started_at) == (1.5, "2026-11-21T20:00:00Z")


@pytest.mark.parametrize(
    "odd",
    [
        {"durationMs": -1, "startedAt": "now"},
        {"durationMs": True, "startedAt": 7},
        {"durationMs": -0.5},
        {"durationMs": 2**53},
        {"durationMs": 1e300},
    ],
)
def test_times_that_are_none_are_ignored(take, message, odd):
    part = take(message({"data": {**CALL, **odd}})).message.parts[0]
    assert (part.duration_ms, part.started_at) == (None, None)


def test_later_events_bring_times_and_keep_earlier_ones(take, message):
    first = {**CALL, "startedAt": "2026-11-21T20:00:00Z"}
    last = {**CALL, "output": 1, "durationMs": 5}
    part = take(message({"data": first}, {"data": last})).message.parts[0]
    assert (part.duration_ms, part.started_at) == (5, "2026-11-21T20:00:00Z")
    part = take(message({"data": last}, {"data": first})).message.parts[0]
    assert (part.duration_ms, part.started_at) == (5, "2026-11-21T20:00:00Z")
