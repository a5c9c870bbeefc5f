"""What holds for every input: a documented outcome, the same each time, in linear time, without the host's secrets."""

import copy
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import (
    CODES,
    Answers,
    HttpRequest,
    NormalizedMessage,
    Received,
    Rejected,
    Settings,
    a2a,
    decode,
    decode_trusted,
    drive,
    encode,
)
from mentionable._flow.settings import HistoryPolicy, Limits
from tests.linearity import steps_grow_linearly, time_grows_linearly

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.json"))
DOCUMENTS = [json.loads(path.read_bytes()) for path in SAMPLES]
FACTS = {"recipient": "@helper@agents.example", "now": datetime(2026, 11, 21, 20, 56, tzinfo=UTC), "entropy": bytes(32)}
CANARY = "canary-7f3a"


def received(unit):
    return drive(a2a.receive(unit, **FACTS), Answers())


def posted(body):
    return received(HttpRequest(method="POST", url="https://agents.example/helper", body=body))


def check(got):
    """The outcome is a documented one, and a message in it is a valid value that survives its own JSON."""
    if isinstance(got, Rejected):
        assert got.code in CODES
        assert CODES[got.code].kind != "note"
        return
    assert isinstance(got, Received)
    assert all(note.code in CODES for note in got.diagnostics)
    written = encode(got.message)
    json.dumps(written, allow_nan=False)
    assert decode_trusted(NormalizedMessage, written) == got.message
    assert decode(NormalizedMessage, written).sender.verified is False
    assert not got.message.sender.verified


@given(st.binary(max_size=200))
def test_any_bytes_have_a_documented_outcome(body):
    check(posted(body))


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10),
    st.sampled_from([2**53 - 1, 2**53, 2**60, 1e300]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(
        ["", "text", "data", "file", "ROLE_USER", "user", "aGk=", "***", "https://a.example/", "tool-result"]
    ),
    st.text(max_size=5),
)
NAMES = st.sampled_from(
    [
        "kind",
        "type",
        "text",
        "url",
        "raw",
        "data",
        "file",
        "bytes",
        "uri",
        "fileWithBytes",
        "fileWithUri",
        "content",
        "parts",
        "role",
        "messageId",
        "message_id",
        "taskId",
        "contextId",
        "metadata",
        "mentionable",
        "mimeType",
        "mediaType",
        "toolCallId",
        "toolName",
        "input",
        "output",
        "error",
        "status",
        "state",
        "message",
        "artifacts",
        "history",
        "id",
        "name",
        "artifactId",
        "timestamp",
        "recipient_capabilities",
        "agent_chain",
        "hop",
        "max_hops",
        "is_final",
        "size_bytes",
        "durationMs",
        "duration_ms",
        "filename",
        "tool_results",
        "task",
        "result",
        "params",
        "jsonrpc",
        "method",
        "token",
    ]
)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=8
)


def spots(value, found):
    """Every container inside a document, with each of its keys or indices."""
    if isinstance(value, (dict, list)):
        found += [(value, key) for key in (value if isinstance(value, dict) else range(len(value)))]
        for item in value.values() if isinstance(value, dict) else value:
            spots(item, found)
    return found


@st.composite
def mutated(draw):
    """A sample with up to three of its values replaced, removed, doubled or joined by another member."""
    document = copy.deepcopy(draw(st.sampled_from(DOCUMENTS)))
    for _ in range(draw(st.integers(1, 3))):
        places = spots(document, [])
        if not places:
            break
        container, key = places[draw(st.integers(0, len(places) - 1))]
        change = draw(st.sampled_from(["replace", "remove", "add", "double"]))
        if change == "replace":
            container[key] = draw(JSON)
        elif change == "remove":
            del container[key]
        elif isinstance(container, list):
            container.append(copy.deepcopy(container[key]) if change == "double" else draw(JSON))
        else:
            container[draw(NAMES)] = draw(JSON)
    return document


@given(mutated())
def test_any_mutation_of_a_sample_has_a_documented_outcome(document):
    if isinstance(document, dict):
        before = copy.deepcopy(document)
        check(received(document))
        assert document == before
    check(posted(json.dumps(document).encode()))


@given(JSON)
def test_any_json_has_a_documented_outcome(document):
    check(posted(json.dumps({"message": document}).encode()))
    check(received({"messageId": "m", "role": "user", "parts": [document]}))
    check(received({"id": "t", "status": {"state": "working"}, "history": [document], "artifacts": document}))


@given(mutated(), st.data())
def test_a_secret_anywhere_stays_out_of_raw(document, data):
    objects = [container for container, _ in spots(document, []) if isinstance(container, dict)]
    if not objects:
        return
    objects[data.draw(st.integers(0, len(objects) - 1))]["Authorization"] = CANARY
    for got in (received(document), posted(json.dumps(document).encode())):
        if isinstance(got, Received):
            assert CANARY not in json.dumps(got.message.raw)
            assert CANARY not in repr(got.diagnostics)
        else:
            assert CANARY not in repr(got)


@given(mutated())
@settings(max_examples=30)
def test_the_same_input_gives_the_same_outcome(document):
    body = json.dumps(document).encode()
    assert posted(body) == posted(body)


@pytest.mark.parametrize(
    ("make", "in_c"),
    [
        pytest.param(lambda n: [{"text": "a"}] * n, False, id="texts"),
        pytest.param(lambda n: [{"raw": "aGk="}] * n, False, id="files"),
        pytest.param(lambda n: [{"raw": "aGkA" * n}], True, id="one-file"),
        pytest.param(lambda n: [{"raw": "-_-_" * n}], True, id="url-safe"),
        pytest.param(
            lambda n: [{"data": {"toolCallId": "c", "toolName": "t", "input": k}} for k in range(n)],
            False,
            id="one-call",
        ),
        pytest.param(
            lambda n: [{"data": {"tool_results": [{"toolCallId": str(k)} for k in range(n)]}}], False, id="results"
        ),
        pytest.param(lambda n: [{"text": "a", "metadata": {"k" * n: "Bearer " * n}}], True, id="names"),
        pytest.param(lambda n: [{"text": "a\r\n\0" * n, "mediaType": "text/plain;" * n}], True, id="text"),
        pytest.param(lambda n: [{"url": "https://a.example/" + "a" * n, "filename": "/" * n}], True, id="urls"),
        pytest.param(lambda n: [{"kind": "iframe"}] * n + [{"text": "a"}], False, id="unknown"),
    ],
)
def test_reading_parts_is_linear(make, in_c):
    def read(body):
        wide = Settings(limits=Limits(parts=1 << 22))
        request = HttpRequest(method="POST", url="https://agents.example/helper", body=body)
        return drive(a2a.receive(request, settings=wide, **FACTS), Answers())

    def body(size):
        return json.dumps({"messageId": "m", "role": "user", "parts": make(size)}).encode()

    assert isinstance(read(body(3)), Received)
    steps_grow_linearly(read, body)
    if in_c:  # where the work is inside C, the count of steps does not see it
        time_grows_linearly(read, body)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda k: {"messageId": str(k), "role": "user", "parts": [{"text": "a"}]}, id="turns"),
        pytest.param(lambda k: {"messageId": "same", "role": "user", "parts": [{"text": "a"}]}, id="repeats"),
        pytest.param(lambda k: {"messageId": str(k)}, id="broken"),
        pytest.param(
            lambda k: {"messageId": str(k), "role": "user", "parts": [{"text": "a"}, {"kind": "x"}]}, id="odd"
        ),
    ],
)
def test_reading_history_is_linear(make):
    wide = Settings(history=HistoryPolicy(max_messages=1 << 22, max_chars=1 << 30))

    def read(body):
        request = HttpRequest(method="POST", url="https://agents.example/helper", body=body)
        return drive(a2a.receive(request, settings=wide, **FACTS), Answers())

    def body(size):
        status = {"state": "working"}
        return json.dumps({"id": "t", "status": status, "history": [make(k) for k in range(size)]}).encode()

    assert isinstance(read(body(3)), Received)
    steps_grow_linearly(read, body)
