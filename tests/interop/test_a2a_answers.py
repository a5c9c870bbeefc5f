"""What is written here for A2A the SDKs read strictly, and write again as it was."""

from __future__ import annotations

import json
from base64 import b64decode
from contextlib import suppress

import pytest

from mentionable import HttpResponse, NormalizedResponse, a2a, dumps, encode, replace, split
from tests.a2a.carried import canonical
from tests.a2a.questions import WAYS, bare, events_of, question
from tests.answered import unplaced
from tests.interop.batches import BLOBS, NOW, answers_to, any_answers, any_parts, differences

FLOOR = 13_000
QUESTIONS = {(way, stream): question(way, stream=stream) for way in WAYS for stream in (False, True)}
ALL = pytest.mark.parametrize("way", list(WAYS))

READERS = {"1.0": "1.0", "1.0-rest": "1.0", "0.3": "0.3", "0.3-rest": "0.3-rest"}
EVENTS = {
    "task": "Task",
    "message": "Message",
    "status-update": "TaskStatusUpdateEvent",
    "artifact-update": "TaskArtifactUpdateEvent",
}


def sent(response, to, blobs=BLOBS):
    return a2a.reply(response, to=to, now=NOW, entropy=bytes(32), blobs=blobs)


def units_of(out, way, *, stream):
    """Everything that an answer is written in, each with what it is for the types of the SDK."""
    reader = READERS[way]
    units = [[reader, "Message", out.message]]
    if out.task is not None:
        units.append([reader, "Task", out.task])
    for event in out.events:
        units.append([reader, EVENTS[event["kind"]] if reader == "0.3" else "StreamResponse", event])
    for body in events_of(out.response.body) if stream else [json.loads(out.response.body)]:
        if reader == "0.3":
            units.append([reader, f"Send{'Streaming' * stream}MessageSuccessResponse", body])
        elif not stream:
            units.append([reader, "SendMessageResponse", body.get("result", body)])
        else:
            units.append([reader, "StreamResponse", body.get("result", body)])
    return units


def doubles(document):
    """The same with every number as the double that both SDKs keep it as: one writes 1 as 1.0, one 1e22 in digits."""
    if isinstance(document, dict):
        return {name: doubles(member) for name, member in document.items()}
    if isinstance(document, list):
        return [doubles(item) for item in document]
    return float(document) if type(document) is int else document


def assert_lossless(read, units):
    """What was written is written again: nothing lost, nothing added, nothing of another type."""
    for (_, name, document), again in zip(units, read, strict=True):
        assert list(differences(doubles(again), doubles(document), name)) == []


def frames_of(response, to, blobs, text_chars=5):
    """The same answer frame by frame."""
    return [sent(frame, to, blobs) for frame in split(response, stream_id="s1", text_chars=text_chars)]


@ALL
def test_every_kind_of_answer_is_read_by_the_sdk_for_python(other_python, count, way):
    units = []
    for stream in (False, True):
        to = QUESTIONS[way, stream]
        for response in answers_to(to).values():
            units += units_of(sent(response, to), way, stream=stream)
            if stream and "policy" not in {part.kind for part in response.parts}:
                for out in frames_of(response, to, BLOBS):
                    units += units_of(out, way, stream=True)
    assert_lossless(other_python("a2a.read", units=units), units)
    count(len(units))


@ALL
def test_any_answer_is_read_by_the_sdk_for_python(other_python, count, way):
    """Those that hypothesis makes: odd texts, names and JSON, unknown members, any policy at the end."""
    units = []
    for number, response in enumerate(any_answers(QUESTIONS[way, False])):
        stream = number % 2 == 1
        units += units_of(sent(response, QUESTIONS[way, stream]), way, stream=stream)
    assert_lossless(other_python("a2a.read", units=units), units)
    count(len(units))


@pytest.mark.parametrize("way", ["1.0", "1.0-rest"])
def test_any_answer_is_read_by_the_sdk_for_javascript(node, count, way):
    units = []
    for stream in (False, True):
        to = QUESTIONS[way, stream]
        made = [*answers_to(to).values(), *any_answers(to)]
        for response in made:
            units += units_of(sent(response, to), way, stream=stream)
    assert_lossless(node("a2ajs.read", units=units), units)
    count(len(units))


# What a reader makes of it is what was meant: it is given to `a2a.result` in the place of what was sent.


def expected(response, blobs):
    """What the asker has in the end: what A2A can carry."""
    error = response.error if response.status == "error" else None
    if error is not None and all(part.kind == "artifact" for part in response.parts):
        error = replace(error, message=error.message.replace("\r\n", "\n").replace("\0", ""))
    parts = tuple(canonical(part, blobs, sets_apart=False) for part in response.parts)
    return replace(response, parts=parts, error=error, extra={})


def as_result(document):
    """What was read, as a response over JSON-RPC."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": document}).encode()
    return HttpResponse(status=200, headers={"content-type": "application/json"}, body=body)


def as_stream(events):
    """What was read of a stream, as one over JSON-RPC."""
    lines = [json.dumps({"jsonrpc": "2.0", "id": 1, "result": event}) for event in events]
    body = "".join(f"data: {line}\n\n" for line in lines).encode()
    return HttpResponse(status=200, headers={"content-type": "text/event-stream"}, body=body)


def carried(to):
    """Answers without a policy, with the bytes that they need."""
    plain = [(response, BLOBS) for response in answers_to(to).values() if "policy" not in kinds_of(response)]
    return plain + [(NormalizedResponse.to(to, *parts), blobs) for parts, blobs in any_parts()]


def has_bytes(response):
    return any(b'"data_base64"' in dumps(part) or b'"digest"' in dumps(part) for part in response.parts)


def kinds_of(response):
    return {part.kind for part in response.parts}


def by_value(response):
    """The response, encoded, its numbers as doubles, those in the bytes of JSON that travels as data too."""
    found = doubles(encode(response))
    for part in found["parts"]:
        if part.get("artifact_type") == "a2a.data" and "data_base64" in part["bytes_ref"]:
            data = b64decode(part["bytes_ref"]["data_base64"])
            with suppress(ValueError):
                part["bytes_ref"] = doubles(json.loads(data))
    return found


def assert_same(got, wanted):
    assert isinstance(got, NormalizedResponse), got
    differing = list(differences(by_value(got), by_value(wanted)))
    assert differing == []


def assert_meant(read, made, to):
    for document, (response, blobs) in zip(read, made, strict=True):
        assert_same(unplaced(a2a.result(as_result(document), to=to)), expected(response, blobs))


@pytest.mark.parametrize("way", ["1.0", "1.0-rest", "0.3"])
def test_what_an_sdk_reads_is_the_answer(other_python, node, count, way):
    """The one for JavaScript gives an event of v0.3 as one of v1.0."""
    to = QUESTIONS[way, False]
    made = carried(to)
    units = []
    for response, blobs in made:
        (event,) = sent(response, to, blobs).events
        units.append([READERS[way], EVENTS[event["kind"]] if way == "0.3" else "StreamResponse", event])
    assert_meant(other_python("a2a.read", units=units), made, to)
    assert_meant(node("a2ajs.read", units=units), made, to)
    count(2 * len(units))


@ALL
def test_what_the_sdk_for_python_converts_to_the_newer_version_is_the_answer(other_python, count, way):
    to = QUESTIONS[way, False]
    made = carried(to)
    if way == "0.3-rest":  # it expects base64 of base64 there, and the SDK for JavaScript does not
        made = [(response, blobs) for response, blobs in made if not has_bytes(response)]
    results = [json.loads(sent(response, to, blobs).response.body) for response, blobs in made]
    read = other_python("a2a.convert", version=READERS[way], results=[body.get("result", body) for body in results])
    assert_meant(read, made, to)
    count(len(made))


@ALL
def test_what_an_sdk_reads_of_frames_is_the_answer(other_python, node, count, way):
    to = QUESTIONS[way, True]
    made = carried(to)
    streams = [[event for out in frames_of(response, to, blobs) for event in out.events] for response, blobs in made]
    reader = READERS[way]
    units = [
        [reader, EVENTS[event["kind"]] if reader == "0.3" else "StreamResponse", event]
        for events in streams
        for event in events
    ]
    readers = [other_python("a2a.read", units=units)]
    if reader != "0.3-rest":  # the SDK for JavaScript has no reader for one event of it
        readers.append(node("a2ajs.read", units=units))
    for read in readers:
        left = iter(read)
        for events, (response, blobs) in zip(streams, made, strict=True):
            apart = replace(response, parts=tuple(canonical(part, blobs, sets_apart=True) for part in response.parts))
            again = as_stream([next(left) for _ in events])
            wanted = expected(apart, blobs)
            assert_same(unplaced(a2a.result(again, to=to)), wanted)
        count(len(units))


# the asking side


def test_what_is_asked_is_read_by_the_sdks(other_python, node, count):
    asked = bare()
    made = [(replace(asked, parts=response.parts), blobs) for response, blobs in carried(asked)]
    for dialect in WAYS:
        units = []
        for number, (message, blobs) in enumerate(made):
            stream = number % 2 == 1
            facts = {"url": "https://b.example/a2a", "entropy": bytes(32), "dialect": dialect, "stream": stream}
            body = json.loads(a2a.call(message, **facts, context=a2a.CallContext(blobs=blobs), task_id="t1").body)
            if dialect == "0.3":
                units.append(["0.3", f"Send{'Streaming' * stream}MessageRequest", body])
            else:
                units.append([READERS[dialect], "SendMessageRequest", body.get("params", body)])
        assert_lossless(other_python("a2a.read", units=units), units)
        count(len(units))
        if READERS[dialect] == "1.0":
            assert_lossless(node("a2ajs.read", units=units), units)
            count(len(units))


# The comparison above is worth something: what no version has does not pass it.


@pytest.mark.parametrize(
    "spoil",
    [
        lambda message: {**message, "colour": "red"},
        lambda message: {**message, "role": "robot"},
        lambda message: {**message, "messageId": 7},
        lambda message: {**message, "metadata": {"big": 2**53 + 1} if "kind" not in message else []},
        lambda message: {**message, "extensions": [], "parts": [{"kind": "text"}], "content": [{}]},
    ],
    ids=["unknown-member", "unknown-role", "id-of-another-type", "odd-metadata", "no-content"],
)
@pytest.mark.parametrize("reader", ["1.0", "0.3", "0.3-rest"])
def test_what_does_not_fit_is_not_read_as_if_it_did(other_python, count, spoil, reader):
    spoilt = spoil(sent(NormalizedResponse.to(QUESTIONS[reader, False], "Hello!"), QUESTIONS[reader, False]).message)
    (read,) = other_python("a2a.read", units=[[reader, "Message", spoilt]])
    assert read != spoilt
    count()
