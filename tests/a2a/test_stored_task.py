"""What is stored of a task: opened by a question, brought on by answers and frames, shown in every dialect."""

import json
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    CarriedPolicy,
    HttpResponse,
    InlineRef,
    LinkPart,
    NormalizedResponse,
    ResponseError,
    Settings,
    StoredTask,
    Streaming,
    TextPart,
    ToolCallPart,
    UsageError,
    Verdict,
    a2a,
    decode_trusted,
    dumps,
    replace,
    split,
)
from mentionable._flow.settings import Limits
from mentionable._model.parts import ArtifactPart, DigestRef
from mentionable.policy import AuthChallenge, Forbidden, Unauthorized
from tests.a2a.carried import sendable
from tests.a2a.questions import NOW, WAYS, bare, body_of, events_of, question
from tests.answered import response_in

LATER = NOW + timedelta(seconds=5)
UNSIGNED = Verdict(method="none", verified=False, code="unsigned")


def sent(response, to, task, *, blobs=None, now=LATER, **facts):
    """The answer, and what is stored after it."""
    out = a2a.reply(response, to=to, now=now, entropy=bytes(32), task=task, blobs=blobs or {}, **facts)
    assert isinstance(out.stored_task, StoredTask)
    return out, out.stored_task


def shown(task, to=None):
    """The answer in a task that a client asks for, as it reads it."""
    asked = a2a.ReceivedOperation(
        operation=a2a.GetTask(task_id=task.id), caller=task.owner, verdict=UNSIGNED, dialect="1.0", id=7
    )
    return response_in(a2a.result(a2a.operation_response(asked, task), to=to or bare()))


# -- opening


@pytest.mark.parametrize("way", list(WAYS))
def test_a_question_opens_a_task_with_itself_in_the_history(way):
    to = question(way, metadata={"x": 1, "mentionable": {"y": 2}}, extensions=["https://e.example/1"])
    task = a2a.open_task(to, now=NOW)
    assert (task.id, task.context_id, task.owner, task.state) == (a2a.task_id_of(to), "c1", None, "submitted")
    (turn,) = task.history
    assert turn == {
        "messageId": "q1",
        "contextId": "c1",
        "taskId": task.id,
        "role": "ROLE_USER",
        "parts": [{"text": "Hi"}],
        "metadata": {"x": 1},
        "extensions": ["https://e.example/1"],
    }


def test_a_task_belongs_to_who_asks():
    by_address = bare(caller=a2a.Caller(subject="alice@a.example"))
    assert a2a.open_task(by_address, now=NOW).owner == "@alice@a.example"
    by_name = bare(caller=a2a.Caller(subject="user 7"))
    assert a2a.open_task(by_name, now=NOW).owner == "user 7"


def test_the_task_of_the_host_or_of_the_message_is_the_one():
    assert a2a.open_task(bare(task_id="t7"), now=NOW).id == "t7"
    assert a2a.task_id_of(question(taskId="t1")) == "t1"


def test_a_message_with_nothing_in_it_or_without_its_native_form_is_a_turn():
    to = replace(bare(), parts=(), raw=None)
    (turn,) = a2a.open_task(to, now=NOW).history
    assert (turn["messageId"], turn["parts"][0]["text"]) == (to.id, "")


def test_files_beside_the_message_go_into_the_history():
    digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    part = ArtifactPart(mime="text/plain", bytes_ref=DigestRef(digest=digest))
    to = replace(bare(), parts=(part,))
    (turn,) = a2a.open_task(to, now=NOW, blobs={digest: b"hello"}).history
    assert turn["parts"][0]["raw"] == "aGVsbG8="


def test_only_a_message_over_a2a_opens_a_task():
    with pytest.raises(UsageError, match="received via a2a"):
        a2a.open_task(replace(bare(), received_via="email"), now=NOW)
    with pytest.raises(UsageError, match="StoredTask"):
        a2a.open_task(bare(), task={"id": "t1"}, now=NOW)
    with pytest.raises(UsageError, match="another one"):
        a2a.open_task(question(taskId="t1"), task=a2a.open_task(question(taskId="t2"), now=NOW), now=NOW)


# -- states


NO = CarriedPolicy(policy=Forbidden(message="No."))
STATES = ["input-required", "auth-required", "working", "completed", "canceled", "failed", "rejected"]


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("state", STATES)
def test_an_answer_leaves_its_task_in_any_state(way, state):
    to = question(way)
    task = a2a.open_task(to, now=NOW)
    out, stored = sent(a2a.with_state(NormalizedResponse.to(to, "So."), state), to, task)
    assert (stored.state, stored.updated_at) == (state, "2026-11-21T20:56:05Z")
    got = response_in(a2a.result(out.response, to=to))
    assert (got.extra["a2a"]["state"], got.extra["a2a"]["task_id"]) == (state, task.id)
    assert (got.status == "error") == (state in ("canceled", "failed", "rejected"))
    assert out.diagnostics == ()
    without = a2a.reply(a2a.with_state(NormalizedResponse.to(to, "So."), state), to=to, now=NOW, entropy=bytes(32))
    assert response_in(a2a.result(without.response, to=to)).parts == got.parts


def test_a_state_must_be_one_that_an_answer_can_have():
    with pytest.raises(UsageError, match="state is one of"):
        a2a.with_state(NormalizedResponse.to(bare(), "x"), "submitted")


@pytest.mark.parametrize(
    ("response", "state"),
    [
        ({"status": "error", "extra": {"a2a": {"state": "canceled"}}}, "canceled"),
        ({"status": "error", "extra": {"a2a": {"state": "completed"}}}, "failed"),
        ({"status": "error", "error": ResponseError(code="x", message="No.", retriable=False)}, "failed"),
        ({"extra": {"a2a": {"state": "submitted", "task_id": "theirs"}}}, "working"),
        ({"extra": {"a2a": {"state": "unknown"}}}, "completed"),
        ({"extra": {"a2a": {"state": 7}}}, "completed"),
        ({"extra": {"a2a": []}}, "completed"),
        (
            {"parts": (CarriedPolicy(policy=Forbidden(message="No.")),), "extra": {"a2a": {"state": "completed"}}},
            "rejected",
        ),
        ({"parts": (CarriedPolicy(policy=Forbidden(message="No.")),)}, "rejected"),
    ],
)
def test_a_state_that_comes_from_elsewhere_must_fit_the_answer(response, state):
    to = question()
    _, stored = sent(replace(NormalizedResponse.to(to, "So."), **response), to, a2a.open_task(to, now=NOW))
    assert stored.state == state


# -- a conversation in one task


def test_a_task_goes_on_with_what_was_asked_in_its_history():
    first = question(messageId="q1")
    out, stored = sent(
        a2a.with_state(NormalizedResponse.to(first, "Which day?"), "input-required"),
        first,
        a2a.open_task(first, now=NOW),
    )
    second = question(messageId="q2", taskId=stored.id)
    opened = a2a.open_task(second, task=stored, now=LATER)
    assert (opened.state, opened.message) == ("submitted", None)
    assert [turn["messageId"] for turn in opened.history] == ["q1", out.native_id, "q2"]
    assert a2a.open_task(second, task=opened, now=LATER).history == opened.history  # sent again
    out, done = sent(NormalizedResponse.to(second, "Monday it is."), second, opened)
    assert (done.state, done.id, done.context_id) == ("completed", stored.id, "c1")
    with pytest.raises(UsageError, match="completed"):
        a2a.open_task(question(messageId="q3", taskId=done.id), task=done, now=LATER)
    with pytest.raises(UsageError, match="completed"):
        sent(NormalizedResponse.to(second, "Again."), second, done)
    assert body_of(out)["result"]["task"]["history"] == list(done.history)


def test_a_message_to_a_task_at_work_leaves_it_at_work():
    first = question(messageId="q1")
    _, working = sent(a2a.with_state(NormalizedResponse.to(first), "working"), first, a2a.open_task(first, now=NOW))
    second = question(messageId="q2", taskId=working.id)
    opened = a2a.open_task(second, task=working, now=LATER)
    assert (opened.state, len(opened.history)) == ("working", 2)
    stream = question(stream=True, messageId="q2", taskId=working.id)
    out, _ = sent(NormalizedResponse.to(stream, "Done."), stream, opened)
    assert [next(iter(event)) for event in out.events] == ["task", "statusUpdate"]


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize(("length", "shown_turns"), [(None, 1), (0, None), (5, 1)])
def test_as_much_of_the_history_as_the_client_wants_goes_along(way, length, shown_turns):
    to = question(way)
    to = replace(to, raw={**to.raw, "envelope": {**to.raw["envelope"], "configuration": {"historyLength": length}}})
    out, stored = sent(NormalizedResponse.to(to, "So."), to, a2a.open_task(to, now=NOW))
    of_old = way.startswith("0.3")
    expected = None if shown_turns is None and not of_old else 1  # 0 says all of it in v0.3
    assert len(out.task.get("history", [])) == (expected or 0)
    assert len(stored.history) == 1


def test_what_is_stored_is_bounded():
    to = question()
    task = a2a.open_task(to, now=NOW)
    turns = tuple({"messageId": f"h{n}", "role": "ROLE_USER", "parts": [{"text": "é" * 50}]} for n in range(30))
    long = replace(task, history=turns)
    few = Settings(limits=Limits(parts=4))
    _, stored = sent(NormalizedResponse.to(to, "So."), to, long, settings=few)
    assert [turn["messageId"] for turn in stored.history] == ["h26", "h27", "h28", "h29"]
    none = Settings(limits=Limits(parts=0))
    assert a2a.open_task(to, task=replace(long, state="input-required"), now=NOW, settings=none).history == ()
    small = Settings(limits=Limits(a2a_bytes=2_000))
    _, stored = sent(NormalizedResponse.to(to, "So."), to, long, settings=small)
    assert 0 < len(stored.history) < 30
    assert len(json.dumps([stored.message, *stored.history], ensure_ascii=False).encode()) < 2_200
    assert stored.history[-1]["messageId"] == "h29"


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("stream", [False, True])
def test_the_client_gets_as_much_of_a_large_history_as_fits(way, stream):
    to = question(way, stream=stream)
    turns = [{"messageId": f"h{n}", "role": "ROLE_USER", "parts": [{"text": "x" * 300}]} for n in range(9)]
    task, few = replace(a2a.open_task(to, now=NOW), history=tuple(turns)), Settings(limits=Limits(a2a_bytes=4_000))
    out, _ = sent(NormalizedResponse.to(to, "y" * 2_500), to, task, settings=few)
    assert len(out.response.body) <= 4_000
    result = events_of(out.response.body)[0] if stream else body_of(out)
    result = result.get("result", result)
    shown = result.get("task", result).get("history", [])
    assert 0 < len(shown) < 9
    assert shown[-1]["messageId"] == "h8"


# -- frames


@pytest.mark.parametrize("way", list(WAYS))
def test_a_stream_shows_the_task_first_and_stores_each_frame(way):
    to = question(way, stream=True)
    task = a2a.open_task(to, now=NOW)
    whole = NormalizedResponse.to(to, "One two three.", LinkPart(url="https://a.example/"))
    body, updates = b"", []
    for frame in split(whole, stream_id="s1", text_chars=5):
        out, task = sent(frame, to, task)
        body += out.response.body
        updates += out.updates
    streamed = HttpResponse(status=200, headers={"content-type": "text/event-stream"}, body=body)
    assert response_in(a2a.result(streamed, to=to)).parts == whole.parts
    first, *_, last = events_of(body)
    first, last = first.get("result", first), last.get("result", last)
    assert (first.get("task") or first)["id"] == task.id
    if way == "0.3":
        assert last["final"]
    assert [next(iter(update)) for update in updates] == ["statusUpdate", *["artifactUpdate"] * 4, "statusUpdate"]
    assert task.artifacts[0]["parts"][0]["text"] == "One two three."


@pytest.mark.uncounted
@given(st.sampled_from(list(WAYS)), sendable(), st.booleans())
def test_the_task_after_its_frames_says_what_the_whole_answer_says(way, drawn, stream):
    """Equal is what a client reads of it. A whole answer is in the status, that of frames in one artifact."""
    parts, blobs = drawn
    to = question(way, stream=stream)
    whole = NormalizedResponse.to(to, *parts)
    opened = a2a.open_task(to, now=NOW)
    _, at_once = sent(whole, to, opened, blobs=blobs)
    task = opened
    for frame in split(whole, stream_id="s1", text_chars=3):
        _, task = sent(frame, to, task, blobs=blobs)
    assert decode_trusted(StoredTask, dumps(task)) == task
    assert (task.state, task.history) == (at_once.state, at_once.history)
    assert shown(task).parts == shown(at_once).parts


def test_frames_may_go_on_in_the_background():
    to = question()
    task = a2a.open_task(to, now=NOW)
    frames = split(NormalizedResponse.to(to, "One", "Two"), stream_id="s1")
    with pytest.raises(UsageError, match="takes no stream"):
        a2a.reply(frames[0], to=to, now=NOW, entropy=bytes(32))
    for frame in frames:
        _, task = sent(frame, to, task)
    assert task.state == "completed"


def test_an_agent_that_breaks_leaves_its_frames_and_says_so():
    to = question(stream=True)
    frames = split(NormalizedResponse.to(to, "One", LinkPart(url="https://a.example/")), stream_id="s1")
    _, task = sent(frames[0], to, a2a.open_task(to, now=NOW))
    out, task = sent(NormalizedResponse.failed(to, "It broke.", code="x"), to, task)
    assert (task.state, len(task.artifacts)) == ("failed", 1)
    assert [next(iter(event)) for event in out.events] == ["statusUpdate"]


def test_a_frame_without_parts_shows_that_the_agent_is_at_work():
    to = question(stream=True)
    task = a2a.open_task(to, now=NOW)
    for seq, text in enumerate([None, None, "One", None]):
        place = Streaming(stream_id="s1", seq=seq, final=seq == 3)
        parts = () if text is None else (TextPart(content=text),)
        status = "ok" if place.final else "partial"
        _, task = sent(NormalizedResponse(reply_to=to.id, parts=parts, status=status, streaming=place), to, task)
    assert shown(task).parts == (TextPart(content="One"),)


def test_calls_and_policies_end_a_stream_too():
    to = question(stream=True)
    call = ToolCallPart(id="c1", name="search", args={"q": 1}, result=[1])
    policy = Unauthorized(message="Who are you?", auth_challenges=(AuthChallenge(scheme="Bearer"),))
    whole = NormalizedResponse.to(to, call, policy)
    task = a2a.open_task(to, now=NOW)
    for frame in split(whole, stream_id="s1"):
        _, task = sent(frame, to, task)
    assert (task.state, shown(task).parts[0]) == ("auth-required", call)


def test_an_artifact_that_comes_again_replaces_the_first():
    to = question()
    task = replace(a2a.open_task(to, now=NOW), artifacts=({"artifactId": "a0", "parts": [{"text": "old"}]},))
    part = ArtifactPart(mime="text/plain", bytes_ref=InlineRef(data_base64="aGVsbG8="))
    out, stored = sent(NormalizedResponse.to(to, part), to, task)
    assert stored.artifacts[0]["artifactId"] == "a0"
    assert len(stored.artifacts) == 2
    _, again = sent(NormalizedResponse.to(to, part), to, replace(stored, state="working"))
    assert again.artifacts == stored.artifacts
    assert out.updates[0]["artifactUpdate"]["lastChunk"]


def test_the_host_may_tell_of_a_state_itself():
    to = question()
    canceled = a2a.open_task(to, now=NOW).canceled(now=LATER)
    update = a2a.status_update(canceled)
    assert update["statusUpdate"]["status"] == {"state": "TASK_STATE_CANCELED", "timestamp": "2026-11-21T20:56:05Z"}
    said = replace(canceled, message={"messageId": "a1", "role": "ROLE_AGENT", "parts": [{"text": "Bye."}]})
    assert a2a.status_update(said)["statusUpdate"]["status"]["message"]["messageId"] == "a1"


# -- what the client takes


@pytest.mark.parametrize(
    ("modes", "mime"),
    [
        (["text/plain"], "text/plain"),
        (["application/json"], "text/markdown"),
        (["text/markdown", "text/html"], "text/markdown"),
        (["text/*"], "text/markdown"),
        (["text"], "text/markdown"),
        (["*/*"], "text/markdown"),
        ([], "text/markdown"),
        (None, "text/markdown"),
        ([7], "text/markdown"),
        (["text/markdown"], "text/markdown"),
    ],
)
def test_a_client_that_takes_no_markdown_gets_plain_text(modes, mime):
    to = question()
    to = replace(
        to, raw={**to.raw, "envelope": {**to.raw["envelope"], "configuration": {"acceptedOutputModes": modes}}}
    )
    out = a2a.reply(NormalizedResponse.to(to, "**So.**"), to=to, now=NOW, entropy=bytes(32))
    (part,) = response_in(a2a.result(out.response, to=to)).parts
    assert part == TextPart(content="**So.**", mime=mime)
    assert [(one.code, one.at) for one in out.diagnostics] == (
        [("part-changed", "/parts/0")] if modes in (["text/plain"], ["application/json"]) else []
    )


def test_a_stored_task_is_trimmed_and_canceled():
    task = a2a.open_task(question(), now=NOW)
    assert task.trimmed(None) is task.trimmed(1) is task
    assert task.trimmed(0).history == ()
    with pytest.raises(UsageError, match="task-not-cancelable"):
        task.canceled(now=NOW).canceled(now=NOW)


def test_a_file_that_the_client_does_not_take_goes_out_and_is_named():
    to = question()
    envelope = {**to.raw["envelope"], "configuration": {"acceptedOutputModes": ["text/plain", "application/json"]}}
    to = replace(to, raw={**to.raw, "envelope": envelope})
    file = ArtifactPart(mime="image/png", bytes_ref=InlineRef(data_base64="aGVsbG8="))
    call = ToolCallPart(id="c1", name="search", args={})
    out = a2a.reply(replace(NormalizedResponse.to(to), parts=(file, call)), to=to, now=NOW, entropy=bytes(32))
    assert [(one.at, one.detail) for one in out.diagnostics] == [("/parts/0", "the client does not take image/png")]


def test_a_message_with_the_id_of_another_one_is_not_lost():
    first = question(messageId="m1")
    asks = a2a.with_state(NormalizedResponse.to(first, "Which day?"), "input-required")
    _, stored = sent(asks, first, a2a.open_task(first, now=NOW))
    again = question(messageId="m1", taskId=stored.id, parts=[{"text": "Monday"}])
    opened = a2a.open_task(again, task=stored, now=LATER)
    assert [turn["parts"][0]["text"] for turn in opened.history] == ["Hi", "Which day?", "Monday"]
    repeated = a2a.open_task(replace(first, raw=question(messageId="m1", taskId=stored.id).raw), task=stored, now=LATER)
    assert [turn["parts"][0]["text"] for turn in repeated.history] == ["Hi", "Which day?"]


ASKED = {"messageId": "q1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}


def test_a_task_goes_on_for_its_owner_alone():
    alice = bare({**ASKED, "taskId": "t1"}, caller=a2a.Caller(subject="alice@a.example"))
    bob = bare({**ASKED, "taskId": "t1"}, caller=a2a.Caller(subject="bob@b.example"))
    with pytest.raises(UsageError, match="another caller"):
        a2a.open_task(bob, task=a2a.open_task(alice, now=NOW), now=NOW)
    other = a2a.open_task(question(), now=NOW)
    with pytest.raises(UsageError, match="another one"):
        a2a.reply(NormalizedResponse.to(bob), to=bob, now=NOW, entropy=bytes(32), task=other)


def test_what_a_canceled_task_asked_stays_in_its_history():
    to = question()
    asks = a2a.with_state(NormalizedResponse.to(to, "Which day?"), "input-required")
    _, stored = sent(asks, to, a2a.open_task(to, now=NOW))
    canceled = stored.canceled(now=LATER)
    assert canceled.message is None
    assert [turn["parts"][0]["text"] for turn in canceled.history] == ["Hi", "Which day?"]
    assert canceled.messages == canceled.history
    with pytest.raises(UsageError, match="0 or more"):
        canceled.trimmed(-1)


def test_work_that_is_too_large_to_be_sent_is_not_stored():
    to = question()
    task, few = a2a.open_task(to, now=NOW), Settings(limits=Limits(a2a_bytes=5_000))
    frames = split(NormalizedResponse.to(to, "x" * 9_000), stream_id="s1", text_chars=1_500)
    for frame in frames[:3]:
        _, task = sent(frame, to, task, settings=few)
    with pytest.raises(UsageError, match="at most 5000"):
        sent(frames[3], to, task, settings=few)
