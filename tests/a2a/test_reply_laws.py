"""What goes out is what our own reader gives back: whole answers, in every dialect and binding, and streams."""

import json

from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    Answers,
    DigestRef,
    NormalizedResponse,
    Rejected,
    ResponseError,
    TextPart,
    a2a,
    drive,
    replace,
    split,
)
from mentionable._model.parts import inline
from tests.a2a.carried import canonical, sendable
from tests.a2a.questions import FACTS, NOW, WAYS, question
from tests.answered import unplaced

OTHER = a2a.RemoteAgent(address="@other@agents.example")

QUESTIONS = {(way, stream): question(way, stream=stream) for way in WAYS for stream in (False, True)}
OF_TASK = {(way, stream): question(way, stream=stream, taskId="t1") for way in WAYS for stream in (False, True)}
CASES = [*QUESTIONS.values(), *OF_TASK.values()]
STREAMED = [to for (_, stream), to in [*QUESTIONS.items(), *OF_TASK.items()] if stream]

words = st.text(max_size=9) | st.sampled_from(["a\r\nb", "a\0b", ""])
errors = st.builds(ResponseError, code=st.text(max_size=5), message=words, retriable=st.booleans())


def expected(response, blobs):
    """What the asker has in the end."""
    parts = tuple(canonical(part, blobs, sets_apart=False) for part in response.parts)
    return replace(response, parts=parts)


@given(st.sampled_from(CASES), sendable())
def test_an_answer_is_read_back_equal(to, sent):
    parts, blobs = sent
    response = NormalizedResponse.to(to, *parts)
    out = a2a.reply(response, to=to, now=NOW, entropy=bytes(32), blobs=blobs)
    assert unplaced(a2a.result(out.response, to=to)) == expected(response, blobs)


@given(st.sampled_from(CASES), sendable(), st.none() | errors)
def test_an_error_is_read_back_equal(to, sent, error):
    parts, blobs = sent
    response = replace(NormalizedResponse.to(to, *parts), status="error", error=error)
    out = a2a.reply(response, to=to, now=NOW, entropy=bytes(32), blobs=blobs)
    assert unplaced(a2a.result(out.response, to=to)) == expected(response, blobs)


@given(st.sampled_from(CASES), sendable())
def test_the_parts_reach_a_receiver_equal(to, sent):
    parts, blobs = sent
    out = a2a.reply(NormalizedResponse.to(to, *parts), to=to, now=NOW, entropy=bytes(32), blobs=blobs)
    wanted = tuple(canonical(part, blobs, sets_apart=True) for part in parts)
    for unit in filter(None, (out.message, out.task)):
        got = drive(
            a2a.receive(json.loads(json.dumps(unit)), caller=OTHER, **FACTS),
            Answers(),
        )
        assert got.message.parts == wanted
        assert got.blobs == {digest: blobs[digest] for digest in got.blobs}


@given(st.sampled_from(CASES), sendable())
def test_what_does_not_come_back_equal_is_noted(to, sent):
    parts, blobs = sent
    out = a2a.reply(NormalizedResponse.to(to, *parts), to=to, now=NOW, entropy=bytes(32), blobs=blobs)
    got = drive(a2a.receive(out.message, caller=OTHER, **FACTS), Answers()).message.parts
    changed = {f"/parts/{place}" for place, (a, b) in enumerate(zip(parts, got, strict=True)) if a != b}
    assert {"/".join(note.at.split("/")[:3]) for note in out.diagnostics} == changed
    assert {note.code for note in out.diagnostics} <= {"part-changed"}


@given(st.sampled_from(CASES), sendable(), st.none() | errors, st.sampled_from([{}, {"x": 1}]))
def test_a_response_is_read_back_equal_unless_it_is_noted(to, sent, error, extra):
    parts, blobs = sent
    if error is not None:
        error = replace(error, extra=extra)
    response = replace(
        NormalizedResponse.to(to, *parts), status="ok" if error is None else "error", error=error, extra=extra
    )
    out = a2a.reply(response, to=to, now=NOW, entropy=bytes(32), blobs=blobs)
    got = unplaced(a2a.result(out.response, to=to))
    # Bytes that were named by their digest are inside; who receives, and has a place for them, names them so again.
    inside = replace(response, parts=tuple(bytes_inside(part, blobs) for part in parts))
    assert (got == inside) == (out.diagnostics == ())


def bytes_inside(part, blobs):
    """A file or artifact with its bytes inside, where they are in `blobs`."""
    reference = getattr(part, "bytes_ref", None)
    if isinstance(reference, DigestRef) and reference.url is None:
        return replace(part, bytes_ref=inline(blobs[reference.digest]))
    return part


@given(st.sampled_from(STREAMED), sendable(), st.none() | errors, st.integers(1, 4), st.data())
def test_a_stream_of_frames_is_put_together_equal(to, sent, error, text_chars, data):
    parts, blobs = sent
    whole = replace(NormalizedResponse.to(to, *parts), status="ok" if error is None else "error", error=error)
    wanted = expected(whole, blobs)
    whole = replace(whole, parts=tuple(canonical(part, blobs, sets_apart=True) for part in parts))
    body = b"".join(
        a2a.reply(frame, to=to, now=NOW, entropy=bytes(32), blobs=blobs).response.body
        for frame in split(whole, stream_id="s1", text_chars=text_chars)
    )
    cuts = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=6)))
    stream = a2a.ResultStream(to=to)
    for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True):
        stream.feed(body[start:end])
    assert stream.is_complete
    assert unplaced(stream.close()) == wanted


@given(st.sampled_from(STREAMED), sendable(), st.integers(1, 4))
def test_frames_that_a_server_put_together_are_read_back_equal(to, sent, text_chars):
    parts, blobs = sent
    wanted = tuple(canonical(part, blobs, sets_apart=True) for part in parts)
    task = None
    for frame in split(NormalizedResponse.to(to, *wanted), stream_id="s1", text_chars=text_chars):
        for event in a2a.reply(frame, to=to, now=NOW, entropy=bytes(32), blobs=blobs).events:
            task = put_together(task, event)
    for kept in (task, {**task, "kind": "task"}):
        got = drive(
            a2a.receive(json.loads(json.dumps(kept)), caller=OTHER, **FACTS),
            Answers(),
        )
        assert got.message.parts == wanted
        event = f"data: {json.dumps({'task': kept})}\n\n".encode()
        stream = a2a.ResultStream(to=to)
        stream.feed(event)
        assert unplaced(stream.close()).parts == tuple(canonical(part, blobs, sets_apart=False) for part in parts)


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
    fed = data.draw(st.integers(0, len(body)))
    stream = a2a.ResultStream(to=to)
    stream.feed(body[:fed])
    is_complete, closed = stream.is_complete, stream.close()
    assert stream.close() is closed
    got = unplaced(closed)
    if isinstance(got, Rejected):
        assert got.code in ("not-a-message", "invalid-json", "not-utf8")  # nothing came, or half an event at the end
        assert fed < len(body)
        return
    assert (got.status == "ok") == (fed >= len(body) - 1)  # the last event counts without its blank line
    assert is_complete == (fed == len(body))
    assert len(got.parts) <= len(whole.parts)
    assert text_of(expected(whole, blobs).parts).startswith(text_of(got.parts))


def text_of(parts):
    return "".join(part.content for part in parts if isinstance(part, TextPart))


def test_the_same_inputs_give_the_same_answer_everywhere():
    out = a2a.reply(NormalizedResponse.to(CASES[0], "Hello!"), to=CASES[0], now=NOW, entropy=bytes(32))
    assert out.native_id == "01a1ffe4-ff00-76bd-9a7a-d5628ed9e95c"
