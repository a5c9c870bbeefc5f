"""The short way reads what is usual to the same result as the general one, and leaves everything else to it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Received
from mentionable.a2a._read import history as _history
from mentionable.a2a._read import parts as _parts
from mentionable.a2a._read.parts import read_common_parts

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.json"))
LINK = {"url": "https://files.example/a.pdf", "filename": "a.pdf", "mediaType": "application/pdf"}
FILE = {"uri": "https://files.example/a.pdf", "name": "a.pdf", "mimeType": "application/pdf"}
START = {"toolCallId": "c1", "toolName": "search", "input": {"q": "a"}}

USUAL = (
    {"text": "hi"},
    {"text": "a\r\nb\0c"},
    {"text": "a\0b"},
    {"kind": "text", "text": "hi"},
    LINK,
    {**LINK, "mediaType": "Text/HTML; charset=x", "filename": "../b.html"},
    {**LINK, "mediaType": "?"},
    {"kind": "file", "file": FILE},
    {"data": START},
    {"data": START, "mediaType": "application/json"},
    {"kind": "data", "data": START},
    {"data": {**START, "input": None}},
    {"data": {**START, "input": {"password": "x"}}},
)
UNUSUAL = (
    "hi",
    {},
    {"text": 7},
    {"text": "hi", "mediaType": "text/markdown"},
    {"text": "hi", "kind": "file"},
    {"text": "hi", "url": "https://files.example/"},
    {"text": "hi", "kind": "text", "metadata": {"a": 1}},
    {"text": "hi", "kind": "text", "raw": "aGk="},
    {"url": LINK["url"], "filename": "a.pdf"},
    {**LINK, "url": "ftp://files.example/"},
    {**LINK, "url": 7},
    {**LINK, "filename": None},
    {**LINK, "filename": 7},
    {**LINK, "mediaType": 7},
    {**LINK, "metadata": {"mentionable": {"size_bytes": 7}}},
    {"url": LINK["url"], "filename": "a.pdf", "raw": "aGk="},
    {"kind": "file", "file": "a"},
    {"kind": "file", "file": {"uri": FILE["uri"]}},
    {"kind": "file", "file": {**FILE, "name": 7}},
    {"kind": "file", "file": {**FILE, "bytes": "aGk="}},
    {"kind": "video", "file": FILE},
    {"data": {"a": 1}},
    {"data": {**START, "type": "tool-result", "output": 1}},
    {"data": {**START, "toolCallId": 7}},
    {"data": {**START, "toolCallId": ""}},
    {"data": {**START, "toolName": 7}},
    {"data": {**START, "toolName": ""}},
    {"data": {"toolCallId": "c1", "toolName": "search", "args": 1}},
    {"data": START, "text": "hi"},
    {"data": START, "kind": "file"},
    {"data": START, "metadata": {"mentionable": {"duration_ms": 7}}},
    {"data": [START]},
    {"raw": "aGk="},
)


@pytest.fixture(scope="session")
def generally(take):
    """The outcome without the short way."""

    def read(unit, **facts):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(_parts, "_read_common", lambda parts, start, *rest: start)
            patched.setattr(_history, "_read_common", lambda messages, start, *rest: start)
            return take(unit, **facts)

    return read


def shown(got):
    """All that an outcome says."""
    if isinstance(got, Received):
        return got.messages, got.native_id, got.blobs, got.diagnostics
    return got.code, got.problems


@pytest.mark.parametrize("part", USUAL, ids=json.dumps)
def test_usual_parts_are_read_the_short_way(take, message, generally, part):
    assert len(read_common_parts([part])) == 1
    assert shown(take(message(part, "end"))) == shown(generally(message(part, "end")))


@pytest.mark.parametrize("part", UNUSUAL, ids=json.dumps)
def test_other_parts_are_left_to_the_general_way(take, message, generally, part):
    assert read_common_parts([part, {"text": "end"}]) is None
    unit = {**message("a"), "parts": [{"text": "a"}, part, {"text": "b"}, part]}
    assert shown(take(unit)) == shown(generally(unit))


def test_a_second_start_of_a_call_changes_its_name_and_arguments_on_both_ways(take, message, generally):
    again = {"data": {**START, "toolName": "find", "input": {}}}
    (call,) = read_common_parts([{"data": START}, again])
    assert (call.name, call.args) == ("find", {})
    assert shown(take(message({"data": START}, again))) == shown(generally(message({"data": START}, again)))


TURN = {"messageId": "h1", "role": "ROLE_USER", "parts": [{"text": "hi"}], "taskId": "t1", "contextId": "c1"}
TURNS = (
    TURN,
    {**TURN, "kind": "message"},
    {**TURN, "role": "agent"},
    {**TURN, "contextId": ""},
    {**TURN, "metadata": {"mentionable": {"timestamp": "2026-11-21T20:00:00Z"}}},
    {**TURN, "kind": "message", "metadata": {"token": "x"}},
    {**TURN, "referenceTaskIds": ["t0"]},
    {**TURN, "messageId": ""},
    {**TURN, "messageId": 7},
    {**TURN, "messageId": "x" * 3000},
    {**TURN, "messageId": "s1"},
    {**TURN, "contextId": "x" * 3000},
    {**TURN, "contextId": 7},
    {**TURN, "role": "nobody"},
    {**TURN, "role": 1},
    {**TURN, "taskId": "other"},
    {**TURN, "parts": []},
    {**TURN, "parts": "hi"},
    {**TURN, "parts": [{"text": "hi"}] * 1001},
    {**TURN, "parts": [{"text": "hi"}, {"kind": "video"}]},
    {**TURN, "parts": [{"text": "hi"}, {"raw": "*"}]},
    {"messageId": "h1", "role": "ROLE_USER", "parts": [{"text": "hi"}]},
    "hi",
)


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: json.dumps(turn)[:150])
def test_turns_are_read_alike_on_both_ways(take, task, generally, turn):
    unit = task(history=[{**TURN, "messageId": "h0"}, turn, TURN])
    assert shown(take(unit)) == shown(generally(unit))


ENDED = {"data": {**START, "output": {"found": 1}, "durationMs": 7}}
STARTS = ({"data": START}, {"data": {**START, "input": None}}, {"data": {**START, "toolName": "find"}}, ENDED)
PARTS = st.lists(st.sampled_from(USUAL) | st.sampled_from(STARTS) | st.sampled_from(UNUSUAL), max_size=4)
NAMES = st.sampled_from(["h0", "h1", "h2"])


@st.composite
def tasks(draw):
    """The members of a task whose history and artifacts are made of usual and of other parts."""
    messages = st.builds(lambda name, parts: {**TURN, "messageId": name, "parts": parts}, NAMES, PARTS)
    artifacts = st.builds(lambda name, parts: {"artifactId": name, "parts": parts}, NAMES, PARTS)
    return {
        "history": draw(st.lists(messages | st.sampled_from(TURNS), max_size=4)),
        "artifacts": draw(st.lists(artifacts, max_size=3)),
    }


@given(members=tasks())
def test_tasks_are_read_alike_on_both_ways(take, task, generally, members):
    unit = task(**members)
    assert shown(take(unit)) == shown(generally(unit))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_samples_are_read_alike_on_both_ways(take, generally, sample):
    body = sample.read_bytes()
    assert shown(take(body)) == shown(generally(body))
