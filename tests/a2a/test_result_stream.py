import json
from base64 import b64decode
from pathlib import Path

import pytest

from mentionable import (
    ArtifactPart,
    FilePart,
    HttpResponse,
    Limits,
    LinkPart,
    NormalizedResponse,
    ResponseError,
    TextPart,
    ToolCallPart,
    a2a,
    replace,
    split,
)
from mentionable._model.message import Streaming
from mentionable._model.parts import inline
from tests.a2a.questions import NOW, answer, question
from tests.a2a.streams import ASKED, DONE, TASK, WORKING, closed, events, own, piece, read, said, status
from tests.answered import response_in, unplaced

SAMPLES = Path(__file__).parent / "samples"


def text_of(part):
    return b64decode(part.bytes_ref.data_base64).decode()


# what the SDKs send


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("py*.sse")), ids=lambda path: path.stem)
def test_the_streams_of_the_official_sdks_are_read(path):
    body = path.read_bytes()
    kind = path.stem.rpartition("_")[2]
    for size in (len(body), 7):
        stream = a2a.ResultStream(to=ASKED)
        frames = [frame for start in range(0, len(body), size) for frame in stream.feed(body[start : start + size])]
        assert stream.is_complete
        got = response_in(stream.close())
        assert got.status == "ok"
        check_sample(kind, frames, got)


def check_sample(kind, frames, got):
    if kind == "direct":
        assert got.parts == (TextPart(content="direct reply"),)
        assert frames == []
    elif kind == "pay":
        (demand,) = (part.policy for part in got.parts)
        assert (demand.kind, demand.message) == ("payment_required", "Payment is required to generate the image.")
        assert [offer.scheme for offer in demand.accepted_payments] == ["x402.exact"]
        assert got.extra["a2a"]["state"] == "input-required"
    else:
        text, call, made = got.parts
        assert text == TextPart(content="done")
        assert (call.id, call.name, call.args, call.state) == ("call_1", "web_search", {"q": "a2a"}, "running")
        assert (text_of(made), made.name, made.artifact_type) == ("part one part two", "answer", "art-1")
        assert [frame.parts for frame in frames] == [
            (call,),
            (TextPart(content="part one "),),
            (TextPart(content="part two"),),
        ]
        assert [frame.streaming.seq for frame in frames] == [0, 1, 2]
        assert len({frame.streaming.stream_id for frame in frames}) == 1
        assert all(frame.status == "partial" and not frame.streaming.final for frame in frames)


# pieces of artifacts


def test_a_piece_is_appended_to_what_came_before():
    got = closed(
        TASK,
        piece("one ", name="report"),
        piece("two", append=True),
        piece({"text": "*three*", "mediaType": "text/markdown"}, append=True),
        piece({"raw": "aGk="}, "four", append=True),
        DONE,
    )
    assert [(part.mime, text_of(part), part.name) for part in got.parts] == [
        ("text/plain", "one two", "report"),
        ("text/markdown", "*three*", "report"),
        ("application/octet-stream", "hi", "report"),
        ("text/plain", "four", "report"),
    ]


def test_a_boundary_inside_a_piece_stays():
    got = closed(TASK, piece("a", "b"), piece("c", "d", append=True), DONE)
    assert [text_of(part) for part in got.parts] == ["a", "bc", "d"]


def test_a_piece_that_is_not_appended_takes_the_place_of_all_before():
    frames, got = read(
        TASK, piece("Hel", append=True), piece("lo", append=True), piece("Hello", append=False, lastChunk=True), DONE
    )
    assert [text_of(part) for part in got.parts] == ["Hello"]
    assert [frame.parts[0].content for frame in frames] == ["Hel", "lo"]


def test_artifacts_stand_in_the_order_in_which_they_began():
    got = closed(TASK, piece("a", id="r1"), piece("b", id="r2"), piece("A", id="r1"), DONE)
    assert [(text_of(part), part.artifact_type) for part in got.parts] == [("A", "r1"), ("b", "r2")]


def test_a_piece_without_anything_in_it_gives_no_frame():
    frames, got = read(TASK, piece(), DONE)
    assert (frames, got.parts) == ((), ())


def test_a_line_end_in_two_pieces_is_one():
    got = closed(TASK, piece("a\r"), piece("\nb", append=True), DONE)
    assert text_of(got.parts[0]) == "a\nb"


def test_links_and_files_in_pieces_are_what_they_are_elsewhere():
    link = {"data": {"url": "https://a.example/"}, "metadata": {"mentionable": {"kind": "link"}}}
    frames, got = read(TASK, piece(link, {"url": "https://f.example/a.pdf", "filename": "a.pdf"}), DONE)
    assert got.parts == frames[0].parts
    assert got.parts[0] == LinkPart(url="https://a.example/")
    assert isinstance(got.parts[1], ArtifactPart)


def test_a_call_is_brought_up_to_date_by_later_pieces():
    call = {"type": "tool-call", "toolCallId": "c1", "toolName": "search", "input": {"q": 1}}
    done = {"type": "tool-result", "toolCallId": "c1", "output": 2}
    got = closed(TASK, piece({"data": call}), piece({"data": done}, append=True), DONE)
    assert got.parts == (ToolCallPart(id="c1", name="search", args={"q": 1}, result=2),)


# what is said of the task


def test_a_status_takes_the_place_of_the_one_before():
    got = closed(TASK, WORKING, status("TASK_STATE_WORKING", "still…"), status("TASK_STATE_COMPLETED", "Done."))
    assert (got.parts, got.status) == ((TextPart(content="Done."),), "ok")


@pytest.mark.parametrize("last", ["Hello!", "Hello!Bye!"])
def test_text_that_only_repeats_an_artifact_is_left_out(last):
    got = closed(TASK, piece("Hel"), piece("lo!", append=True), piece("Bye!", id="r2"), status("completed", last))
    assert [part.kind for part in got.parts] == ["artifact", "artifact"]


@pytest.mark.parametrize("last", [("Hello",), ("Hello!", {"raw": "aGk="}), ("",)])
def test_text_that_says_more_stays(last):
    got = closed(TASK, piece("Hello!"), status("completed", *last))
    assert len(got.parts) == 1 + len(last)


def test_an_error_keeps_its_words_even_if_they_were_said_before():
    got = closed(TASK, piece("No paper."), status("failed", "No paper."))
    assert got.error == ResponseError(code="a2a:failed", message="No paper.", retriable=False)
    assert len(got.parts) == 2


def test_a_message_after_a_task_is_the_last_word():
    got = closed(TASK, WORKING, piece("chart"), {"message": said("Here it is.")}, status("failed"))
    assert [part.kind for part in got.parts] == ["text", "artifact"]
    assert (got.status, got.extra) == ("ok", {"a2a": {"task_id": "t1", "context_id": "c1"}})


def test_a_task_says_how_everything_stands():
    task = {**TASK["task"], "status": {"state": "completed", "message": said("Done.")}}
    task["artifacts"] = [{"artifactId": "r1", "parts": [{"text": "new"}]}]
    frames, got = read(TASK, piece("old"), {"task": task})
    assert [part.content for part in frames[0].parts] == ["old"]
    assert len(frames) == 1
    assert (got.parts[0], text_of(got.parts[1])) == (TextPart(content="Done."), "new")


@pytest.mark.parametrize(
    ("event", "is_complete"),
    [
        (status("completed"), True),
        (status("failed"), True),
        (status("canceled"), True),
        (status("rejected"), True),
        (status("input-required", "Which?"), True),
        (status("auth-required", "Who?"), False),
        (status("auth-required", "Who?", final=True), True),
        (status("auth-required", "Pay.", metadata={"mentionable": {"policy": {"kind": "x"}}}), True),
        (status("input-required", "Which?", final=False), True),
        (status("working", "…"), False),
        (status("working", "…", final=True), True),
        (piece("a", lastChunk=True), False),
        ({"message": said("x")}, True),
        ({"kind": "status-update", "taskId": "t1", "status": {"state": "completed"}, "final": True}, True),
    ],
)
def test_the_last_word_is_known(event, is_complete):
    stream = a2a.ResultStream(to=ASKED)
    stream.feed(events(TASK, event))
    assert stream.is_complete is is_complete


def test_what_comes_after_the_last_word_counts_for_nothing():
    stream = a2a.ResultStream(to=ASKED)
    assert stream.feed(events(TASK, status("completed", "Done."), piece("late"), {"error": {}})) == ()
    assert stream.feed(b"data: {\n\n") == ()
    assert response_in(stream.close()).parts == (TextPart(content="Done."),)


def test_a_task_that_waits_for_authorization_may_go_on():
    waits = status("auth-required", "Who?")
    assert closed(TASK, waits, piece("Rain."), DONE).parts[0].kind == "artifact"
    got = closed(TASK, waits)
    assert (got.status, got.parts) == ("ok", (TextPart(content="Who?"),))
    assert got.extra == {"a2a": {"state": "auth-required", "task_id": "t1", "context_id": "c1"}}


def test_a_stream_that_breaks_off_gives_what_came():
    got = closed(TASK, WORKING, piece("one "))
    assert got.status == "partial"
    assert [text_of(part) for part in got.parts[1:]] == ["one "]
    assert got.extra["a2a"]["state"] == "working"
    assert closed(piece("one")).extra["a2a"]["state"] == "working"


def test_data_in_the_wrapper_of_v0_3_rest_is_unwrapped():
    rest = {"taskId": "t1", "status": {"state": "TASK_STATE_WORKING"}, "final": False}
    wrapped = piece({"data": {"data": {"a": 1}}})
    assert text_of(closed(TASK, {"statusUpdate": rest}, wrapped).parts[0]) == '{"a":1}'
    assert text_of(closed(TASK, WORKING, wrapped).parts[1]) == '{"data":{"a":1}}'


def test_pings_and_empty_events_are_skipped():
    stream = a2a.ResultStream(to=ASKED)
    stream.feed(b": ping\n\ndata:\n\ndata:  \n\n" + events({"message": said("x")}))
    assert response_in(stream.close()).parts == (TextPart(content="x"),)


# frames of this library


def test_frames_are_put_together_as_frames():
    frames, got = read(TASK, own("Hel", seq=0), own("lo", seq=1.0, append=True), own("!", seq=5, append=True), DONE)
    assert (got.parts, got.status) == ((TextPart(content="Hello!"),), "ok")
    assert [frame.streaming for frame in frames] == [
        Streaming(stream_id="s1", seq=seq, final=False) for seq in (0, 1, 5)
    ]


def test_a_frame_that_is_late_or_came_before_counts_for_nothing():
    frames, got = read(TASK, own("a", seq=0), own("b", seq=2), own("b", seq=2), own("x", seq=1), own("c", seq=3), DONE)
    assert got.parts == (TextPart(content="abc"),)
    assert len(frames) == 3


def test_a_call_that_ended_does_not_change():
    ended = {"type": "tool-result", "toolCallId": "c1", "toolName": "s", "input": {}, "output": 1}
    got = closed(TASK, own({"data": ended}, seq=0), own({"data": {**ended, "output": 2}}, seq=1), DONE)
    assert got.code == "frame-refused"


def test_a_stream_whose_beginning_is_missing_is_read_as_pieces():
    got = closed(TASK, own("b", seq=4, append=True), own("c", seq=5, append=True), DONE)
    assert got.parts == (TextPart(content="bc"),)


def test_a_task_that_holds_the_frames_of_an_answer_is_that_answer():
    artifact = own("Hello!", seq=3)["artifactUpdate"]["artifact"]
    task = {**TASK["task"], "status": {"state": "completed"}, "artifacts": [artifact]}
    assert closed({"task": task}).parts == (TextPart(content="Hello!"),)
    response = response_in(a2a.result(HttpResponse(status=200, body=json.dumps(task).encode()), to=ASKED))
    assert response.parts == (TextPart(content="Hello!"),)


def test_frames_and_artifacts_stand_side_by_side():
    got = closed(TASK, own("Hel", seq=0), piece("chart"), own("lo", seq=1), status("completed", "Hello"))
    assert got.parts[0] == TextPart(content="Hello")
    assert text_of(got.parts[1]) == "chart"


def test_a_line_end_in_two_frames_is_one():
    got = closed(TASK, own("a\r", seq=0), own("\nb", seq=1), DONE)
    assert got.parts == (TextPart(content="a\nb"),)


@pytest.mark.parametrize("hints", [{"streaming": 7}, {"streaming": {}}, {"streaming": {"seq": -1}}])
def test_frames_that_say_no_place_are_pieces(hints):
    got = closed(TASK, piece("a", metadata={"mentionable": hints}), DONE)
    assert len(got.parts) == 1


def test_a_whole_answer_told_as_a_stream_is_read_back():
    asked = question(stream=True)
    parts = (
        TextPart(content="Here:"),
        ArtifactPart(mime="image/png", bytes_ref=inline(b"hi")),
        FilePart.of(b"x", mime="text/plain", name="a.txt"),
        ArtifactPart(mime="text/plain", bytes_ref=inline(b"hi"), name="a", artifact_type="b"),
        ArtifactPart(mime="text/plain", bytes_ref=inline(b"hi")),
    )
    out = answer(asked, *parts)
    assert unplaced(a2a.result(out.response, to=asked)) == NormalizedResponse(reply_to=asked.id, parts=parts)


# what cannot be read


@pytest.mark.parametrize(
    ("made", "code"),
    [
        ([], "not-a-message"),
        ([{"jsonrpc": "2.0", "id": 1, "error": {"code": -32603}}], "peer-error"),
        ([{"x": 1}, {"error": {"code": -32001}}], "not-a-message"),
        ([status("dancing")], "unknown-value"),
        ([piece(id="")], "missing-member"),
    ],
)
def test_a_stream_in_which_nothing_can_be_read_is_rejected(made, code):
    stream = a2a.ResultStream(to=ASKED)
    stream.feed(events(*made))
    got = stream.close()
    assert got.code == code
    assert stream.close() is got


@pytest.mark.parametrize(
    ("made", "code", "at"),
    [
        ({"x": 1}, "not-a-message", ""),
        (7, "wrong-type", ""),
        (status("dancing"), "unknown-value", "/statusUpdate/status/state"),
        ({"statusUpdate": {"taskId": "t2", "status": {"state": "working"}}}, "task-mismatch", "/statusUpdate/taskId"),
        (
            {"statusUpdate": {"contextId": "c2", "status": {"state": "working"}}},
            "task-mismatch",
            "/statusUpdate/contextId",
        ),
        ({"message": said("x", taskId="t2")}, "task-mismatch", "/message/taskId"),
        ({"artifactUpdate": {"artifact": {"parts": []}}}, "missing-member", "/artifactUpdate/artifact/artifactId"),
        ({"artifactUpdate": {"artifact": {"artifactId": "r1"}}}, "missing-member", "/artifactUpdate/artifact/parts"),
        (
            {"artifactUpdate": {"artifact": {"artifactId": "r1", "parts": 7}}},
            "wrong-type",
            "/artifactUpdate/artifact/parts",
        ),
        (piece(id="r1", name=7), "wrong-type", "/artifactUpdate/artifact/name"),
        (piece({"text": 7}), "wrong-type", "/artifactUpdate/artifact/parts/0/text"),
        (own({"text": 7}, seq=0), "wrong-type", "/artifactUpdate/artifact/parts/0/text"),
        (piece({"kind": "iframe"}), "part-unsupported", "/artifactUpdate/artifact/parts/0"),
        ({"task": {**TASK["task"], "artifacts": [{"artifactId": "r1"}]}}, "missing-member", "/task/artifacts/0/parts"),
        ({"task": {**TASK["task"], "artifacts": 7}}, "wrong-type", "/task/artifacts"),
        ({"task": {**TASK["task"], "history": {}}}, "wrong-type", "/task/history"),
        ({"task": {**TASK["task"], "contextId": 7}}, "wrong-type", "/task/contextId"),
        ({"task": {**TASK["task"], "id": "t2"}}, "task-mismatch", "/task/id"),
    ],
)
def test_what_cannot_be_read_costs_itself_and_is_named(made, code, at):
    stream = a2a.ResultStream(to=ASKED)
    frames = stream.feed(events(TASK, piece("Rain."), made, status("completed", "It will.")))
    got = stream.close()
    assert frames[0].parts == (TextPart(content="Rain."),)
    assert got.response.status == "ok"
    assert got.response.parts[0] == TextPart(content="It will.")
    assert (code, f"/events/2{at}") in [(one.code, one.at) for one in got.diagnostics]
    assert len(got.diagnostics) == 1


def test_a_broken_part_of_the_last_message_costs_itself():
    stream = a2a.ResultStream(to=ASKED)
    stream.feed(events(TASK, status("completed", {"text": 7}, "It will.", {"url": "file:///etc/passwd"})))
    got = stream.close()
    assert got.response.parts == (TextPart(content="It will."),)
    at = "/events/1/statusUpdate/status/message/parts"
    assert [(one.code, one.at) for one in got.diagnostics] == [
        ("wrong-type", f"{at}/0/text"),
        ("url-refused", f"{at}/2"),
    ]


@pytest.mark.parametrize("last", [b"data: [DONE]\n\n", b"data: {\n\n", b"data: {"])
def test_what_is_no_event_at_the_end_costs_itself(last):
    stream = a2a.ResultStream(to=ASKED)
    stream.feed(events(TASK, piece("Rain.")) + last)
    got = stream.close()
    assert (got.response.status, len(got.response.parts)) == ("partial", 1)
    assert [(one.code, one.at) for one in got.diagnostics] == [("invalid-json", "/events/2")]
    assert got.raw["events"][2] == last[6:].decode().strip()


@pytest.mark.parametrize("before", [[TASK, piece("Rain.")], [TASK, status("auth-required", "Who?")]])
def test_an_error_after_content_ends_the_stream(before):
    stream = a2a.ResultStream(to=ASKED)
    stream.feed(events(*before, {"error": {"code": -32603, "message": "Out of paper."}}, DONE))
    assert stream.is_complete
    got = stream.close()
    assert (got.response.status, len(got.response.parts)) == ("partial", 1)
    (error,) = got.diagnostics
    assert (error.code, error.at) == ("peer-error", "/events/2/error")
    assert "Out of paper." in error.detail


def test_the_limits_hold():
    few = Limits(parts=2)
    many = [TASK, piece("a"), piece({"raw": "aGk="}, append=True), piece({"raw": "aGk="}, append=True), DONE]
    assert closed(*many, limits=few).code == "too-many-parts"
    assert closed(TASK, *[piece(id=f"r{n}") for n in range(3)], DONE, limits=few).code == "too-many-parts"
    texts = [TASK, *[piece("a", append=True) for _ in range(9)], DONE]
    assert text_of(closed(*texts, limits=few).parts[0]) == "a" * 9
    stream = a2a.ResultStream(to=ASKED, settings=a2a.Settings(limits=Limits(a2a_bytes=100)))
    stream.feed(b": ping\n" * 20)
    assert stream.is_complete
    assert response_in(stream.close()).code == "too-large"


def test_what_was_replaced_does_not_count():
    few = Limits(parts=2)
    whole = {**TASK["task"], "artifacts": [piece("a", {"raw": "aGk="})["artifactUpdate"]["artifact"]]}
    assert len(closed(*[{"task": whole}] * 3, DONE, limits=few).parts) == 2
    assert len(closed(TASK, *[piece("a", {"raw": "aGk="})] * 3, DONE, limits=few).parts) == 2
    assert closed(TASK, own("a", seq=0), piece("b", {"raw": "aGk="}, id="s1"), DONE, limits=few).status == "ok"


def test_frames_count_as_pieces_do():
    few = Limits(parts=3)
    call = {"data": {"type": "tool-call", "toolCallId": "c1", "toolName": "s", "input": {}}}
    frames = [own("a", "b", seq=0), own("c", call, seq=1), own(call, seq=2)]
    assert len(closed(TASK, *frames, DONE, limits=few).parts) == 3
    assert closed(TASK, *frames, own("c", seq=3), DONE, limits=few).code == "too-many-parts"
    assert closed(TASK, *frames, own("c", seq=0, id="s2"), DONE, limits=few).code == "too-many-parts"
    assert closed(TASK, *frames, piece("c"), DONE, limits=few).code == "too-many-parts"
    assert closed(TASK, *[own(seq=0, id=f"s{n}") for n in range(4)], DONE, limits=few).code == "too-many-parts"
    assert closed(TASK, *frames, status("completed", "more"), limits=few).code == "too-many-parts"


def test_a_relayed_stream_is_the_stream():
    asked = question(stream=True)
    whole = NormalizedResponse.to(asked, "Hello, world!")
    stream = a2a.ResultStream(to=asked)
    for frame in split(whole, stream_id="s1", text_chars=4):
        for received in stream.feed(a2a.reply(frame, to=asked, now=NOW, entropy=bytes(32)).response.body):
            assert received == replace(frame, status="partial", streaming=replace(frame.streaming, final=False))
    assert unplaced(stream.close()) == whole


def test_a_message_of_a_status_that_is_elsewhere_or_none_is_named():
    odd = status("completed", "It will.")
    odd["statusUpdate"]["status"]["message"] |= {"taskId": "t2", "contextId": "c2"}
    for made, named in (
        (odd, [("task-mismatch", "/taskId"), ("task-mismatch", "/contextId")]),
        ({"statusUpdate": {"taskId": "t1", "status": {"state": "completed", "message": 7}}}, [("wrong-type", "")]),
    ):
        stream = a2a.ResultStream(to=ASKED)
        stream.feed(events(TASK, made))
        got = stream.close()
        at = "/events/1/statusUpdate/status/message"
        assert [(one.code, one.at) for one in got.diagnostics] == [(code, f"{at}{place}") for code, place in named]
        assert got.response.status == "ok"


def test_a_task_with_too_much_in_it_is_rejected():
    few = Limits(parts=2)
    much = status("completed", "a", "b", "c")
    assert closed(TASK, much, limits=few).code == "too-many-parts"
    assert closed(TASK, much, limits=few).problems[0].at.startswith("/events/1/statusUpdate/status/message")
    whole = {**TASK["task"], "artifacts": [piece(*[{"raw": "aGk="}] * 3)["artifactUpdate"]["artifact"]]}
    assert closed({"task": whole}, limits=few).code == "too-many-parts"


def test_what_is_no_message_in_a_history_is_no_progress():
    turns = [said("Will it?", role="ROLE_USER"), {"role": "ROLE_AGENT", "parts": [7] * 3}, said("Rain.")]
    task = {**TASK["task"], "status": {"state": "completed"}, "history": turns}
    assert closed({"task": task}).parts == (TextPart(content="Rain."),)
    assert closed({"task": task}, limits=Limits(parts=2)).parts == (TextPart(content="Rain."),)


def test_the_history_of_an_answer_is_read_when_somebody_looks():
    turns = [said("Will it?", role="ROLE_USER", messageId="q1"), {"role": "ROLE_AGENT"}, said("Yes.", messageId="a0")]
    stream = a2a.ResultStream(to=ASKED)
    stream.feed(events({"task": {**TASK["task"], "status": {"state": "completed"}, "history": turns}}))
    got = stream.close()
    assert [(turn.role, turn.parts[0].content, turn.id) for turn in got.history] == [
        ("user", "Will it?", "q1"),
        ("assistant", "Yes.", "a0"),
    ]
    assert [(one.code, one.at) for one in got.diagnostics] == [("history-turn-dropped", "/events/0/task/history/1")]
    assert got.history is got.history
