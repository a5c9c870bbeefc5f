"""What goes out is what our own reader gives back: whole answers, in every dialect and binding, and streams."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Answers, NormalizedResponse, Rejected, ResponseError, a2a, drive, evolve, split
from tests.a2a.carried import canonical, sendable
from tests.a2a.questions import FACTS, NOW, WAYS, question

QUESTIONS = {(way, stream): question(way, stream=stream) for way in WAYS for stream in (False, True)}
OF_TASK = {(way, stream): question(way, stream=stream, taskId="t1") for way in WAYS for stream in (False, True)}
CASES = [*QUESTIONS.values(), *OF_TASK.values()]
STREAMED = [to for (_, stream), to in [*QUESTIONS.items(), *OF_TASK.items()] if stream]

errors = st.builds(ResponseError, code=st.text(max_size=5), message=st.text(max_size=9), retriable=st.booleans())


def expected(response, blobs):
    """What the asker has in the end."""
    error = response.error
    if error is not None:
        error = evolve(error, message=error.message.replace("\r\n", "\n").replace("\0", ""))
        if any(part.kind != "artifact" for part in response.parts):
            error = response.error
    parts = tuple(canonical(part, blobs, sets_apart=False) for part in response.parts)
    return evolve(response, parts=parts, error=error)


@given(st.sampled_from(CASES), sendable())
def test_an_answer_is_read_back_equal(to, sent):
    parts, blobs = sent
    response = NormalizedResponse.to(to, *parts)
    out = a2a.reply(response, to=to, now=NOW, entropy=bytes(32), blobs=blobs)
    assert a2a.result(out.response, to=to) == expected(response, blobs)


@given(st.sampled_from(CASES), sendable(), st.none() | errors)
def test_an_error_is_read_back_equal(to, sent, error):
    parts, blobs = sent
    response = evolve(NormalizedResponse.to(to, *parts), status="error", error=error)
    out = a2a.reply(response, to=to, now=NOW, entropy=bytes(32), blobs=blobs)
    assert a2a.result(out.response, to=to) == expected(response, blobs)


@given(st.sampled_from(CASES), sendable())
def test_the_parts_reach_a_receiver_equal(to, sent):
    parts, blobs = sent
    out = a2a.reply(NormalizedResponse.to(to, *parts), to=to, now=NOW, entropy=bytes(32), blobs=blobs)
    wanted = tuple(canonical(part, blobs, sets_apart=True) for part in parts)
    for unit in filter(None, (out.message, out.task)):
        got = drive(a2a.receive(json.loads(json.dumps(unit)), peer="@other@agents.example", **FACTS), Answers())
        assert got.message.parts == wanted
        assert got.blobs == {digest: blobs[digest] for digest in got.blobs}


@given(st.sampled_from(STREAMED), sendable(), st.none() | errors, st.integers(1, 4), st.data())
def test_a_stream_of_frames_is_put_together_equal(to, sent, error, text_chars, data):
    parts, blobs = sent
    whole = evolve(NormalizedResponse.to(to, *parts), status="ok" if error is None else "error", error=error)
    wanted = expected(whole, blobs)
    whole = evolve(whole, parts=tuple(canonical(part, blobs, sets_apart=True) for part in parts))
    body = b"".join(
        a2a.reply(frame, to=to, now=NOW, entropy=bytes(32), blobs=blobs).response.body
        for frame in split(whole, stream_id="s1", text_chars=text_chars)
    )
    cuts = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=6)))
    stream = a2a.ResultStream(to=to)
    for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True):
        stream.feed(body[start:end])
    assert stream.is_complete
    if error is not None:
        wanted = evolve(wanted, error=evolve(error, message=error.message.replace("\r\n", "\n").replace("\0", "")))
    assert stream.close() == wanted


@given(st.sampled_from(STREAMED), sendable(), st.integers(1, 4))
def test_frames_that_a_server_put_together_are_read_back_equal(to, sent, text_chars):
    parts, blobs = sent
    wanted = tuple(canonical(part, blobs, sets_apart=True) for part in parts)
    task = None
    for frame in split(NormalizedResponse.to(to, *wanted), stream_id="s1", text_chars=text_chars):
        for event in a2a.reply(frame, to=to, now=NOW, entropy=bytes(32), blobs=blobs).events:
            task = put_together(task, event)
    for kept in (task, {**task, "kind": "task"}):
        got = drive(a2a.receive(json.loads(json.dumps(kept)), peer="@other@agents.example", **FACTS), Answers())
        assert got.message.parts == wanted
        event = f"data: {json.dumps({'task': kept})}\n\n".encode()
        stream = a2a.ResultStream(to=to)
        stream.feed(event)
        assert stream.close().parts == tuple(canonical(part, blobs, sets_apart=False) for part in parts)


def put_together(task, event):
    """A task as a server keeps it: artifacts with all their parts, the last status."""
    event = event.get("statusUpdate") or event.get("artifactUpdate") or event.get("task") or event
    if "artifact" in event:
        new = event["artifact"]
        if not event.get("append"):
            return {**task, "artifacts": [new]}
        (known,) = task["artifacts"]
        return {**task, "artifacts": [{**known, **new, "parts": known["parts"] + new["parts"]}]}
    return event if "id" in event else {**task, "status": event["status"]}


@given(st.sampled_from(STREAMED), sendable(), st.data())
def test_where_a_stream_breaks_off_nothing_fails(to, sent, data):
    parts, blobs = sent
    whole = NormalizedResponse.to(to, *parts)
    body = b"".join(
        a2a.reply(frame, to=to, now=NOW, entropy=bytes(32), blobs=blobs).response.body
        for frame in split(whole, stream_id="s1")
    )
    stream = a2a.ResultStream(to=to)
    stream.feed(body[: data.draw(st.integers(0, len(body)))])
    got = stream.close()
    assert isinstance(got, Rejected) or got.status in ("partial", "ok")
    assert stream.close() is got


@pytest.mark.parametrize("to", CASES[:3])
def test_the_same_inputs_give_the_same_answer(to):
    response = NormalizedResponse.to(to, "Hello!")
    first, second = (a2a.reply(response, to=to, now=NOW, entropy=bytes(32)) for _ in range(2))
    assert first == second
