from base64 import b64decode

import pytest

from mentionable import ArtifactPart, InlineRef, LinkPart, TextPart, ToolCallPart, UrlRef
from mentionable.a2a import RemoteAgent


@pytest.mark.parametrize(
    "state",
    [
        "completed",
        "unknown",
        "input-required",
        "TASK_STATE_FAILED",
        "TASK_STATE_AUTH_REQUIRED",
        "TASK_STATE_CANCELLED",
        8,
        "3",
    ],
)
def test_states_of_all_dialects_are_known(take, task, state):
    assert take(task(state)).message.thread_id == "t1"


@pytest.mark.parametrize("state", [None, "", "done", "TASK_STATE_UNSPECIFIED", 0, 9, True, ["completed"]], ids=repr)
def test_an_unknown_state_is_rejected(take, task, state):
    got = take(task(state))
    assert (got.code, got.problems[0].at) == ("unknown-value", "/status/state")


@pytest.mark.parametrize(
    ("members", "code", "at"),
    [
        ({"id": None}, "missing-member", "/id"),
        ({"id": 7}, "wrong-type", "/id"),
        ({"status": "completed"}, "wrong-type", "/status"),
        ({"contextId": 7}, "wrong-type", "/contextId"),
        ({"artifacts": {}}, "wrong-type", "/artifacts"),
        ({"history": "none"}, "wrong-type", "/history"),
        ({"artifacts": ["a"]}, "wrong-type", "/artifacts/0"),
        ({"artifacts": [{"parts": [{"text": "a"}]}]}, "missing-member", "/artifacts/0/artifactId"),
        ({"artifacts": [{"artifactId": "a", "name": 7, "parts": []}]}, "wrong-type", "/artifacts/0/name"),
        ({"artifacts": [{"artifactId": "a"}]}, "missing-member", "/artifacts/0/parts"),
        ({"artifacts": [{"artifactId": "a", "parts": {"text": "a"}}]}, "wrong-type", "/artifacts/0/parts"),
        ({"id": "x" * 3000}, "id-too-long", "/id"),
        ({"artifacts": [{"artifactId": "a", "parts": [{"raw": "*"}]}]}, "bad-base64", "/artifacts/0/parts/0"),
    ],
)
def test_a_broken_task_is_rejected(take, task, members, code, at):
    got = take({"kind": "task", **task(), **members})
    assert (got.code, got.problems[0].at) == (code, at)


def test_a_broken_status_message_rejects_the_task(take, task):
    broken = task()
    broken["status"]["message"]["role"] = "?"
    assert take(broken).problems[0].at == "/status/message/role"
    broken["status"]["message"].update(role="agent", parts=[{"raw": "*"}])
    assert take(broken).problems[0].at == "/status/message/parts/0"


@pytest.mark.parametrize(
    ("member", "at"), [("taskId", "/status/message/taskId"), ("contextId", "/status/message/contextId")]
)
def test_a_status_message_of_another_task_or_context_is_rejected(take, task, member, at):
    odd = task()
    odd["status"]["message"][member] = "other"
    got = take(odd)
    assert (got.code, got.problems[0].at) == ("task-mismatch", at)


def test_a_result_says_its_status_and_then_its_artifacts(take, task):
    artifacts = [
        {
            "artifactId": "a1",
            "name": "answer",
            "parts": [{"text": "one", "mediaType": "text/markdown"}, {"text": "two"}],
        },
        {"artifactId": "a2", "parts": [{"url": "https://f.example/a.pdf", "filename": "a.pdf"}, {"data": 1}]},
    ]
    got = take(task(artifacts=artifacts), caller=RemoteAgent(address="@peer@agents.example"))
    status, one, two, file, data = got.message.parts
    assert status == TextPart(content="done")
    assert one == ArtifactPart(
        mime="text/markdown", bytes_ref=InlineRef(data_base64="b25l"), name="answer", artifact_type="a1"
    )
    assert b64decode(two.bytes_ref.data_base64) == b"two"
    assert (file.name, file.artifact_type, file.bytes_ref) == ("a.pdf", "a2", UrlRef(url="https://f.example/a.pdf"))
    assert (data.mime, data.artifact_type) == ("application/json", "a2")


def test_artifacts_keep_the_types_of_their_own(take, task):
    own = {"data": 1, "metadata": {"mentionable": {"artifact_type": "score"}}}
    plain = {"raw": "aGk=", "metadata": {"mentionable": {"kind": "artifact"}}}
    got = take(task(artifacts=[{"artifactId": "a1", "name": "n", "parts": [own, plain]}]))
    assert [(part.name, part.artifact_type) for part in got.message.parts[1:]] == [("n", "score"), ("n", "a1")]


def test_tool_calls_and_links_in_artifacts_stay_what_they_are(take, task):
    call = {"toolCallId": "c1", "toolName": "search", "input": {}}
    link = {"data": {"url": "https://a.example/"}, "metadata": {"mentionable": {"kind": "link"}}}
    artifacts = [
        {"artifactId": "a1", "parts": [{"data": call}, link]},
        {"artifactId": "a2", "parts": [{"data": {**call, "output": 1}}]},
    ]
    got = take(task(artifacts=artifacts))
    assert got.message.parts[1:] == (
        ToolCallPart(id="c1", name="search", args={}, result=1),
        LinkPart(url="https://a.example/"),
    )


def test_an_artifact_without_parts_is_fine(take, task):
    assert len(take(task(artifacts=[{"artifactId": "a1", "parts": []}])).message.parts) == 1


def test_a_task_that_says_nothing_gives_a_message_without_parts(take, task):
    got = take(task("TASK_STATE_SUBMITTED", text=None), caller=RemoteAgent(address="@peer@agents.example"))
    assert got.message.parts == ()
    assert got.native_id == "@peer@agents.example t1"


def test_refused_parts_of_artifacts_are_named_with_their_place(take, task):
    artifacts = [{"artifactId": "a1", "parts": [{"text": "a"}, {"url": "ftp://a.example/"}]}]
    got = take(task(artifacts=artifacts))
    assert [(note.code, note.at) for note in got.diagnostics] == [("url-refused", "/artifacts/0/parts/1")]
    odd = task()
    odd["status"]["message"]["parts"].append({"kind": "iframe"})
    assert take({"task": odd}).diagnostics[0].at == "/task/status/message/parts/1"


def test_all_artifacts_together_have_no_more_parts_than_a_message_may_have(take, task):
    artifacts = [{"artifactId": name, "parts": [{"text": "x"}] * 500} for name in ("a1", "a2")]
    got = take(task(artifacts=artifacts))
    assert (got.code, got.problems[0].at) == ("too-many-parts", "/artifacts/1/parts")


@pytest.mark.parametrize("wrapped", [False, True])
def test_v0_3_rest_is_recognised_by_its_files(take, task, wrapped):
    rest_file = {"file": {"fileWithUri": "https://f.example/a"}}
    unit = task(text=None, artifacts=[{"artifactId": "a1", "parts": [rest_file, {"data": {"data": {"a": 1}}}]}])
    got = take({"task": unit} if wrapped else unit)
    assert b64decode(got.message.parts[1].bytes_ref.data_base64) == b'{"a":1}'


def test_data_that_may_be_wrapped_is_left_so_with_a_note(take, task, codes):
    unit = task(text=None, artifacts=[{"artifactId": "a1", "parts": [{"data": {"data": {"a": 1}}}]}])
    got = take(unit)
    assert b64decode(got.message.parts[0].bytes_ref.data_base64) == b'{"data":{"a":1}}'
    assert codes(got) == ["dialect-unsure"]


def test_secrets_in_metadata_are_marked_for_raw(take, task):
    secret = {"metadata": {"token": "x"}}
    for unit in (task(**secret), task(artifacts=[{"artifactId": "a1", "parts": [], **secret}])):
        assert "'x'" not in repr(take(unit).message.raw)


def test_names_of_artifacts_have_no_path(take, task):
    artifacts = [{"artifactId": "a1", "name": name, "parts": [{"text": "a"}]} for name in ("../../a\u202e", "../", "")]
    assert [part.name for part in take(task(artifacts=artifacts)).message.parts[1:]] == ["a", None, None]


SECRET = {"token": "canary"}


@pytest.mark.parametrize(
    "members",
    [
        {"kind": SECRET},
        {"artifacts": [{"artifactId": "a1", "parts": [], "description": SECRET}]},
        {"artifacts": [{"artifactId": "a1", "parts": [], "extensions": [SECRET]}]},
        {"history": [{"messageId": "h", "role": "user", "parts": [{"text": "a"}], "kind": SECRET}]},
        {"history": [{"messageId": "h", "role": "user", "parts": [{"text": "a", "mediaType": SECRET}]}]},
    ],
    ids=str,
)
def test_secrets_in_members_of_another_type_are_marked_for_raw(take, task, members):
    assert "canary" not in repr(take({"task": task(**members)}).message.raw)


def test_secrets_in_a_time_of_another_type_are_marked_for_raw(take, task):
    odd = task()
    odd["status"]["timestamp"] = SECRET
    assert "canary" not in repr(take(odd).message.raw)


def test_secrets_in_a_usual_turn_with_an_unusual_kind_are_marked_for_raw(take, task):
    turn = {"messageId": "h", "role": "user", "parts": [{"text": "a"}], "taskId": "t1", "contextId": "c1"}
    assert "canary" not in repr(take(task(history=[{**turn, "kind": SECRET}])).message.raw)


def test_secrets_in_artifacts_beside_a_message_are_marked_for_raw(take, task, message):
    artifacts = [{"artifactId": "a1", "parts": [{"data": SECRET}]}]
    got = take({"message": message(), "task": task("working", artifacts=artifacts)})
    assert "canary" not in repr(got.message.raw)


def test_an_artifact_that_says_all_about_itself_is_taken_at_its_word(take, task):
    hints = {"kind": "artifact", "complete": True}
    whole = {"raw": "aGk=", "metadata": {"mentionable": hints}}
    typed = {"data": {"a": 1}, "metadata": {"mentionable": {**hints, "artifact_type": "a2a.data"}}}
    parts = [whole, {"text": "one"}, typed]
    got = take(task(text=None, artifacts=[{"artifactId": "a1", "name": "n", "parts": parts}] * 2))
    assert [(part.name, part.artifact_type) for part in got.message.parts] == [
        (None, None),
        ("n", "a1"),
        (None, "a2a.data"),
    ] * 2


def test_an_answer_that_was_sent_in_frames_is_no_artifact(take, task):
    hints = {"mentionable": {"streaming": {"stream_id": "s1", "seq": 1, "final": True}}}
    artifact = {"artifactId": "s1", "parts": [{"text": "Hello!"}], "metadata": hints}
    assert take(task(text=None, artifacts=[artifact])).message.parts == (TextPart(content="Hello!"),)
    other = {**artifact, "metadata": {"mentionable": {"streaming": True}}}
    assert [part.kind for part in take(task(text=None, artifacts=[other])).message.parts] == ["artifact"]


def test_a_call_is_found_again_behind_text_that_was_joined(take, task):
    hints = {"mentionable": {"streaming": {"stream_id": "s1", "seq": 3, "final": True}}}
    call = {"toolCallId": "c1", "toolName": "search", "input": {}}
    piece = {"text": "b", "metadata": {"mentionable": {"continues": True}}}
    streamed = {"artifactId": "s1", "parts": [{"text": "a"}, piece, piece, {"data": call}], "metadata": hints}
    later = {"artifactId": "r1", "parts": [{"text": "x"}, {"data": {**call, "output": 1}}]}
    first, second, third = take(task(text=None, artifacts=[streamed, later])).message.parts
    assert first == TextPart(content="abb")
    assert second == ToolCallPart(id="c1", name="search", args={}, result=1)
    assert third.kind == "artifact"


def test_text_that_goes_on_with_nothing_stands_alone(take, task):
    hints = {"mentionable": {"streaming": {"stream_id": "s1", "seq": 3, "final": True}}}
    piece = {"text": "b", "metadata": {"mentionable": {"continues": True}}}
    other = {**piece, "mediaType": "text/markdown"}
    got = take(task(text=None, artifacts=[{"artifactId": "s1", "parts": [piece, other], "metadata": hints}]))
    assert got.message.parts == (TextPart(content="b"), TextPart(content="b", mime="text/markdown"))
