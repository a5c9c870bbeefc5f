"""What goes out in v0.3 obeys the schema that A2A published for it."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import NormalizedResponse, Rejected, ResponseError, a2a, replace, split
from tests.a2a.carried import sendable
from tests.a2a.questions import NOW, body_of, events_of, question, request

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "a2a_v0.3.0.schema.json").read_bytes())
EVENTS = {
    "message": "Message",
    "task": "Task",
    "status-update": "TaskStatusUpdateEvent",
    "artifact-update": "TaskArtifactUpdateEvent",
}
ASKED = question("0.3")
OF_TASK = question("0.3", taskId="t1")
STREAMED = question("0.3", stream=True)


def judge(name):
    schema = {"$ref": f"#/definitions/{name}", "definitions": SCHEMA["definitions"]}
    return jsonschema.Draft7Validator(schema).validate


JUDGES = {name: judge(name) for name in [*EVENTS.values(), "SendMessageResponse", "SendStreamingMessageResponse"]}


def check(out):
    JUDGES["Message"](out.message)
    for event in out.events:
        JUDGES[EVENTS[event["kind"]]](event)
    if out.task is not None:
        JUDGES["Task"](out.task)


@pytest.mark.uncounted
@given(st.sampled_from([ASKED, OF_TASK, STREAMED]), sendable(), st.booleans())
def test_answers_obey_it(to, sent, fails):
    parts, blobs = sent
    response = NormalizedResponse.to(to, *parts)
    if fails:
        error = ResponseError(code="x", message="No.", retriable=True)
        response = replace(response, status="error", error=error)
    out = a2a.reply(response, to=to, now=NOW, entropy=bytes(32), blobs=blobs)
    check(out)
    if to is STREAMED:
        for event in events_of(out.response.body):
            JUDGES["SendStreamingMessageResponse"](event)
    else:
        JUDGES["SendMessageResponse"](body_of(out))


@pytest.mark.uncounted
@given(sendable())
def test_frames_obey_it(sent):
    parts, blobs = sent
    for frame in split(NormalizedResponse.to(STREAMED, *parts), stream_id="s1", text_chars=3):
        check(a2a.reply(frame, to=STREAMED, now=NOW, entropy=bytes(32), blobs=blobs))


@pytest.mark.parametrize(("stream", "name"), [(False, "SendMessageRequest"), (True, "SendStreamingMessageRequest")])
def test_calls_obey_it(stream, name):
    asked = a2a.call(ASKED, url="https://other.example/a2a", entropy=bytes(32), dialect="0.3", stream=stream)
    judge(name)(json.loads(asked.body))


def test_refusals_obey_it():
    refused = a2a.error_response(Rejected(code="part-unsupported"), request=request("0.3"))
    judge("JSONRPCErrorResponse")(json.loads(refused.body))


def test_a_wrong_answer_would_be_seen():
    with pytest.raises(jsonschema.ValidationError):
        JUDGES["Message"]({"kind": "message", "messageId": "a1", "role": "ROLE_AGENT", "parts": []})
