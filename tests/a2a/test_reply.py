import json

import pytest

from mentionable import (
    ArtifactPart,
    CarriedPolicy,
    DigestRef,
    Limits,
    NormalizedResponse,
    PushBackHint,
    ResponseError,
    TextPart,
    ToolCallPart,
    UsageError,
    a2a,
    encode,
    replace,
    split,
)
from mentionable._model.message import Streaming
from mentionable._model.parts import inline
from mentionable._model.policy import (
    AcceptedPayment,
    ConsentRequired,
    Forbidden,
    PaymentRequired,
    ServiceUnavailable,
    TooManyRequests,
    Unauthorized,
    UnavailableForLegalReasons,
    UnknownPolicy,
)
from mentionable.a2a._write.dialects import TOOL_EVENTS
from tests.a2a.questions import NOW, WAYS, answer, bare, body_of, events_of, question
from tests.answered import response_in, unplaced

CALL = ToolCallPart(id="c1", name="search", args={})
CHART = ArtifactPart(mime="image/png", bytes_ref=inline(b"hi"), name="chart.png", artifact_type="chart")
BROKEN = ResponseError(code="model_overloaded", message="Try later.", retriable=True)
PAYMENT = PaymentRequired(
    message="Please pay.",
    accepted_payments=(AcceptedPayment(scheme="x", payload={}),),
    url="https://agents.example/pay",
)


def frame(to, *parts, seq=0, final=False, **members):
    place = Streaming(stream_id="s1", seq=seq, final=final)
    return answer(to, *parts, **{"status": "ok" if final else "partial", "streaming": place, **members})


def kinds(events):
    """What each event is, in any dialect."""
    return [event.get("kind") or next(iter(event)) for event in events]


# one message


@pytest.mark.parametrize(
    ("way", "members"),
    [
        ("1.0", {"role": "ROLE_AGENT", "parts": [{"text": "Hello!", "mediaType": "text/markdown"}]}),
        (
            "0.3",
            {
                "kind": "message",
                "role": "agent",
                "parts": [{"kind": "text", "text": "Hello!", "metadata": {"mimeType": "text/markdown"}}],
            },
        ),
        (
            "0.3-rest",
            {"role": "ROLE_AGENT", "content": [{"text": "Hello!", "metadata": {"mimeType": "text/markdown"}}]},
        ),
    ],
)
def test_an_answer_is_a_message_in_the_dialect_of_the_question(way, members):
    out = answer(question(way), "Hello!")
    assert out.message == {"messageId": out.native_id, "contextId": "c1", **members}
    assert out.task is None


@pytest.mark.parametrize(
    ("way", "media_type", "wrap"),
    [
        ("1.0", "application/json", lambda said: {"jsonrpc": "2.0", "id": 7, "result": {"message": said}}),
        ("1.0-rest", "application/a2a+json", lambda said: {"message": said}),
        ("0.3", "application/json", lambda said: {"jsonrpc": "2.0", "id": 7, "result": said}),
        ("0.3-rest", "application/json", lambda said: {"message": said}),
    ],
)
def test_the_response_is_of_the_binding_of_the_question(way, media_type, wrap):
    out = answer(question(way), "Hello!")
    assert body_of(out) == wrap(out.message)
    assert out.response.status == 200
    assert out.response.header("content-type") == media_type
    assert out.response.header("a2a-version") == ("1.0" if way.startswith("1.0") else None)


def test_objects_with_kinds_are_wrapped_in_rest_as_others_are():
    envelope = {"binding": "rest", "dialect": "0.3", "method": None, "id": None}
    asked = replace(bare(), raw={"envelope": envelope, "message": {"messageId": "q1", "contextId": "c1"}})
    out = answer(asked, "Hello!")
    assert body_of(out) == {"message": out.message}
    assert out.message["kind"] == "message"


def test_a_bare_message_is_answered_for_whoever_hands_it_on():
    out = answer(bare(), "Hello!")
    assert out.events == (body_of(out),) == ({"message": out.message},)


def test_a_message_without_a_context_gets_the_thread_for_one():
    asked = question(contextId=None)
    assert answer(asked, "Hello!").message["contextId"] == asked.thread_id == "q1"


@pytest.mark.parametrize("way", WAYS)
def test_tool_calls_name_their_extension(way):
    out = answer(question(way), "Hello!", CALL)
    assert out.message["extensions"] == [TOOL_EVENTS]
    header = "a2a-extensions" if way.startswith("1.0") else "x-a2a-extensions"
    assert out.response.header(header) == TOOL_EVENTS
    plain = answer(question(way), "Hello!")
    assert plain.response.header(header) is None
    assert "extensions" not in plain.message


def test_an_answer_without_parts_says_that_it_has_none():
    out = answer(question())
    assert [part["text"] for part in out.message["parts"]] == [""]


def test_nothing_but_the_parts_goes_out():
    response = replace(NormalizedResponse.to(question(), "Hello!"), extra={"secret": "canary"})
    out = a2a.reply(response, to=question(), now=NOW, entropy=bytes(32))
    assert b"canary" not in out.response.body


def test_other_entropy_gives_other_ids():
    ids = {answer(question(), "Hello!", entropy=bytes([n]) * 32).native_id for n in range(3)}
    assert len(ids) == 3


def test_each_answer_has_an_id_of_its_own():
    asked = question()
    others = [replace(asked, id="m2"), replace(asked, recipient="@other@agents.example"), question(taskId="t1")]
    outs = [
        *[answer(to, "Hello!") for to in (asked, *others)],
        *[answer(asked, *said) for said in ((), ("Bye!",), ("Hello!", "Bye!"), ("Hello!Bye!",), ("Hello!", CALL))],
        answer(asked, TextPart(content="Hello!")),
        answer(asked, TextPart(content="Hello!", extra={"x": 1})),
        answer(asked, "Hello!", status="error"),
        answer(asked, "Hello!", status="error", error=BROKEN),
        answer(asked, "Hello!", CarriedPolicy(policy=PAYMENT)),
        answer(asked, "Hello!", CarriedPolicy(policy=replace(PAYMENT, message="Pay!"))),
        answer(asked, CHART),
    ]
    ids = {out.native_id for out in outs}
    assert len(ids) == len(outs)
    assert answer(asked, "Hello!").native_id in ids


def test_each_frame_has_an_id_of_its_own_in_one_task():
    asked = question(stream=True)
    outs = [frame(asked, "a", seq=seq) for seq in range(3)]
    outs += [frame(asked, "a", seq=3, final=True), frame(asked, "b", seq=2)]
    assert len({out.native_id for out in outs}) == 5
    assert len({next(iter(out.events[-1].values()))["taskId"] for out in outs}) == 1


def test_what_goes_out_is_fresh():
    part = ToolCallPart(id="c1", name="s", args={"q": []}, result=[[]], extra={"x": []})
    for out in (answer(question(), part), answer(question(taskId="t1"), part, CHART), answer(question(), "a", CHART)):
        kept = json.dumps(out.task)
        said = out.message["parts"][0]
        if "data" in said:
            said["data"]["input"]["q"].append(1)
            said["data"]["output"][0].append(1)
            said["metadata"]["mentionable"]["extra"]["x"].append(1)
        said["text"] = "b"
        assert json.dumps(out.task) == kept
    assert (part.args, part.result, part.extra) == ({"q": []}, [[]], {"x": []})


def test_what_cannot_be_carried_is_noted():
    error = replace(BROKEN, extra={"x": 1})
    out = frame(question(stream=True), "a", seq=1, final=True, status="error", error=error, extra={"x": 1})
    assert [note.at for note in out.diagnostics] == ["/extra", "/error/extra"]
    place = Streaming(stream_id="s1", seq=0, final=False, extra={"x": 1})
    out = answer(question(stream=True), "a", status="partial", streaming=place)
    assert [(note.code, note.at) for note in out.diagnostics] == [("part-changed", "/streaming/extra")]
    out = answer(question(), "a", error=BROKEN)
    assert [note.at for note in out.diagnostics] == ["/error"]
    out = answer(question(), "a", CarriedPolicy(policy=PAYMENT, extra={"x": 1}))
    assert [note.at for note in out.diagnostics] == ["/parts/1/extra"]
    assert answer(question(), "a", CALL, CHART).diagnostics == ()


def test_the_words_of_an_error_stay_exact():
    error = replace(BROKEN, message="a\r\nb")
    out = answer(question(), status="error", error=error)
    assert response_in(a2a.result(out.response, to=question())).error == error


def test_an_answer_is_no_larger_than_a_body_may_be():
    few = a2a.Settings(limits=Limits(a2a_bytes=400))
    for to in (question(), question(stream=True)):
        response = NormalizedResponse.to(to, "a" * 400)
        with pytest.raises(UsageError, match="parts: a body of"):
            a2a.reply(response, to=to, now=NOW, entropy=bytes(32), settings=few)
        assert a2a.reply(NormalizedResponse.to(to, "a"), to=to, now=NOW, entropy=bytes(32), settings=few)


# tasks


@pytest.mark.parametrize("way", WAYS)
def test_a_question_of_a_task_is_answered_by_the_task(way):
    out = answer(question(way, taskId="t1"), "Hello!")
    assert out.message["taskId"] == out.task["id"] == "t1"
    assert out.task["contextId"] == "c1"
    assert out.task["status"]["message"] == out.message
    assert out.task["status"]["state"] == ("completed" if way == "0.3" else "TASK_STATE_COMPLETED")
    assert out.task["status"]["timestamp"] == "2026-11-21T20:56:00Z"
    assert "artifacts" not in out.task
    body = body_of(out)
    assert body.get("result", body) == (out.task if way == "0.3" else {"task": out.task})


def test_a_hint_names_another_task():
    out = answer(question(taskId="t1"), "Hello!", push_back=PushBackHint(thread_ref="t9"))
    assert out.message["taskId"] == out.task["id"] == "t9"
    assert answer(question(), "Hello!", push_back=PushBackHint(thread_ref="")).task is None


def test_a_task_that_says_nothing_has_no_message():
    assert "message" not in answer(question(taskId="t1")).task["status"]


def test_artifacts_at_the_end_are_artifacts_of_the_task():
    middle = replace(CHART, name=None)
    out = answer(question(), "Here:", middle, "and", CHART, middle)
    assert len(out.message["parts"]) == 5
    assert len(out.task["status"]["message"]["parts"]) == 3
    first, second = out.task["artifacts"]
    assert first == {
        "artifactId": first["artifactId"],
        "name": "chart.png",
        "parts": [
            {
                "raw": "aGk=",
                "filename": "chart.png",
                "mediaType": "image/png",
                "metadata": {"mentionable": {"kind": "artifact", "artifact_type": "chart", "complete": True}},
            }
        ],
    }
    assert "name" not in second
    assert first["artifactId"] != second["artifactId"]


@pytest.mark.parametrize("way", ["0.3", "0.3-rest"])
def test_artifacts_have_their_names_in_older_dialects(way):
    out = answer(question(way), CHART, replace(CHART, artifact_type="a2a.data", mime="application/json"))
    assert [artifact["name"] for artifact in out.task["artifacts"]] == ["chart.png", "chart.png"]
    assert "message" not in out.task["status"]


def test_a_task_that_is_made_has_an_id_of_the_question():
    asked = question()
    first, second = (answer(asked, CHART, entropy=bytes([n]) * 32).task["id"] for n in range(2))
    assert first == second != answer(replace(asked, id="other"), CHART).task["id"]


def test_a_part_of_a_task_that_has_no_bytes_is_named_by_its_place():
    missing = replace(CHART, bytes_ref=DigestRef(digest="0" * 64))
    with pytest.raises(UsageError, match=r"parts\[1\]\.bytes_ref"):
        answer(question(), "Here:", missing)


# errors


@pytest.mark.parametrize("way", WAYS)
def test_an_error_is_a_failed_task_that_says_why(way):
    out = answer(question(way), status="error", error=BROKEN)
    said = out.task["status"]["message"]
    assert out.task["status"]["state"] in ("failed", "TASK_STATE_FAILED")
    assert [part["text"] for part in said.get("parts") or said["content"]] == ["Try later."]
    hints = {"code": "model_overloaded", "retriable": True, "in_text": True}
    assert said["metadata"] == {"mentionable": {"error": hints}}
    assert out.message["metadata"] == said["metadata"]
    assert out.response.status == 200


def test_an_error_beside_parts_keeps_its_words_apart():
    out = answer(question(), "So far.", status="error", error=BROKEN)
    said = out.task["status"]["message"]
    assert [part["text"] for part in said["parts"]] == ["So far."]
    hints = {"code": "model_overloaded", "retriable": True, "message": "Try later."}
    assert said["metadata"] == {"mentionable": {"error": hints}}


def test_an_error_without_a_reason_says_so():
    said = answer(question(), status="error").task["status"]["message"]
    assert [part["text"] for part in said["parts"]] == ["The agent could not answer."]
    assert answer(question(), "x", status="error").message["metadata"] == {"mentionable": {"error": {}}}


# policies


@pytest.mark.parametrize(
    ("policy", "state"),
    [
        (PAYMENT, "input-required"),
        (Unauthorized(message="Who are you?", auth_challenges=()), "auth-required"),
        (ConsentRequired(message="May I?", state="s" * 22, return_to="https://agents.example/"), "auth-required"),
        (Forbidden(message="No."), "rejected"),
        (UnavailableForLegalReasons(message="No."), "rejected"),
        (TooManyRequests(message="Slowly."), "failed"),
        (ServiceUnavailable(message="Later."), "failed"),
        (UnknownPolicy(kind="odd", message="Hm."), "failed"),
    ],
)
def test_a_policy_is_a_state_of_the_task(policy, state):
    out = answer(question("0.3"), CarriedPolicy(policy=policy))
    assert out.task["status"]["state"] == state
    assert out.task["status"]["message"]["metadata"] == {"mentionable": {"policy": encode(policy)}}


def test_a_policy_is_readable_too():
    out = answer(question(), "First:", CarriedPolicy(policy=PAYMENT))
    said = out.task["status"]["message"]
    assert [part["text"] for part in said["parts"]] == ["First:", "Please pay.\nhttps://agents.example/pay"]
    out = answer(question(), CarriedPolicy(policy=Forbidden(message="No.")))
    assert [part["text"] for part in out.message["parts"]] == ["No."]


# streams


@pytest.mark.parametrize("way", WAYS)
def test_a_message_answers_a_stream_in_one_event(way):
    out = answer(question(way, stream=True), "Hello!")
    (event,) = events_of(out.response.body)
    assert event.get("result", event) == out.events[0] == (out.message if way == "0.3" else {"message": out.message})
    assert out.response.header("content-type") == "text/event-stream"


@pytest.mark.parametrize("way", WAYS)
def test_a_task_answers_a_stream_in_several_events(way):
    out = answer(question(way, stream=True), "Here:", CHART, CHART)
    task, first, second, last = out.events
    names = ["task", "artifact-update", "artifact-update", "status-update"]
    assert kinds(out.events) == (
        names if way == "0.3" else ["task", "artifactUpdate", "artifactUpdate", "statusUpdate"]
    )
    task, first, second, last = (event if way == "0.3" else next(iter(event.values())) for event in out.events)
    assert task["status"]["state"] in ("working", "TASK_STATE_WORKING")
    assert first["artifact"] == out.task["artifacts"][0]
    assert second["lastChunk"] is True
    assert last["status"] == out.task["status"]
    assert last.get("final") == (None if way.startswith("1.0") else True)
    assert {event.get("taskId", event.get("id")) for event in (task, first, second, last)} == {out.task["id"]}


@pytest.mark.parametrize("way", WAYS)
def test_frames_are_one_artifact_in_pieces(way):
    asked = question(way, stream=True)
    whole = NormalizedResponse.to(asked, "Hello!", CALL)
    frames = [a2a.reply(one, to=asked, now=NOW, entropy=bytes(32)) for one in split(whole, stream_id="s1")]
    events = [event if way == "0.3" else next(iter(event.values())) for out in frames for event in out.events]
    task, first, second, last = events
    assert frames[0].task == task
    assert frames[1].task is None
    assert first["artifact"]["artifactId"] == "s1"
    assert first["artifact"]["metadata"] == {
        "mentionable": {"streaming": {"stream_id": "s1", "seq": 0, "final": False}}
    }
    assert ("append" in first, "lastChunk" in first) == (False, False)
    assert (second["append"], second["lastChunk"]) == (True, True)
    assert second["artifact"]["extensions"] == [TOOL_EVENTS]
    assert last["status"]["state"] in ("completed", "TASK_STATE_COMPLETED")
    assert "message" not in last["status"]
    assert last.get("final") == (None if way.startswith("1.0") else True)


def test_a_frame_is_told_to_a_host_too():
    out = frame(bare(), "Hel")
    assert kinds(out.events) == ["task", "artifactUpdate"]
    assert out.message["parts"] == [{"text": "Hel", "mediaType": "text/markdown"}]


def test_an_empty_frame_is_an_event_all_the_same():
    out = frame(question(stream=True))
    assert out.events[1]["artifactUpdate"]["artifact"]["parts"][0]["text"] == ""


def test_a_status_of_work_is_not_final():
    from mentionable.a2a._write.dialects import V03
    from mentionable.a2a._write.objects import Place, status_update, write_status

    status = write_status("working", V03, message=None, time="2026-11-21T20:56:00Z")
    assert status_update(Place("c1", "t1"), status, V03, is_final=False)["final"] is False


def test_a_stream_may_end_in_an_error():
    out = frame(question(stream=True), seq=3, final=True, status="error", error=BROKEN)
    piece, last = out.events
    assert piece["artifactUpdate"]["lastChunk"] is True
    status = last["statusUpdate"]["status"]
    assert status["state"] == "TASK_STATE_FAILED"
    assert status["message"]["parts"] == [{"text": "Try later."}]
    assert status["message"]["metadata"]["mentionable"]["error"]["code"] == "model_overloaded"


def test_a_stream_may_end_in_a_policy():
    out = frame(question(stream=True), "Hm.", CarriedPolicy(policy=PAYMENT), seq=1, final=True)
    piece, last = out.events
    assert len(piece["artifactUpdate"]["artifact"]["parts"]) == 1
    assert last["statusUpdate"]["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"


# your fault


@pytest.mark.parametrize(
    ("to", "members", "reason"),
    [
        (question(), {"reply_to": "x"}, "reply_to"),
        (question(), {"status": "partial"}, "streaming: a partial response"),
        (question(stream=True), {"streaming": Streaming(stream_id="s", seq=0, final=False)}, "status: a frame"),
        (
            question(),
            {"status": "partial", "streaming": Streaming(stream_id="s", seq=0, final=False)},
            "streaming: the client takes no stream",
        ),
        (question(), {"push_back": PushBackHint(channel="email")}, "with mail.reply"),
    ],
)
def test_a_response_that_cannot_go_out_is_refused(to, members, reason):
    with pytest.raises(UsageError, match=reason):
        answer(to, "Hello!", **members)


def test_a_message_that_came_another_way_is_answered_elsewhere():
    with pytest.raises(UsageError, match="email"):
        answer(replace(bare(), received_via="email"), "Hello!")


def test_what_goes_out_is_json_without_nulls():
    def has_null(value):
        if isinstance(value, dict):
            return any(member is None or has_null(member) for member in value.values())
        return isinstance(value, list) and any(map(has_null, value))

    for way in WAYS:
        for stream in (False, True):
            out = answer(question(way, stream=stream), "a", TextPart(content="b"), CHART)
            for made in (out.message, out.task, *out.events):
                assert not has_null(json.loads(json.dumps(made)))


@pytest.mark.parametrize("way", WAYS)
def test_a_stream_has_no_line_end_that_only_some_readers_see(way):
    asked = question(way, stream=True)
    said = "a\x85b\u2028c\u2029d é"
    body = answer(asked, said).response.body
    text = body.decode()
    assert text.splitlines() == text.split("\n")[:-1]
    assert "é" in text
    stream = a2a.ResultStream(to=asked)
    stream.feed(body)
    assert unplaced(stream.close()) == NormalizedResponse.to(asked, said)


@pytest.mark.parametrize("way", WAYS)
def test_a_question_says_whether_it_wants_a_stream(way):
    assert a2a.wants_stream(question(way, stream=True))
    assert not a2a.wants_stream(question(way))
