import pytest

from mentionable import replace
from mentionable.a2a._write.dialects import V03, V03_REST, V1
from mentionable.a2a._write.question import question_of
from tests.a2a.questions import bare, question


@pytest.mark.parametrize(
    ("way", "dialect", "binding"),
    [
        ("1.0", V1, "jsonrpc"),
        ("1.0-rest", V1, "rest"),
        ("0.3", V03, "jsonrpc"),
        ("0.3-rest", V03_REST, "rest"),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_a_question_is_known_by_what_was_kept_of_it(way, dialect, binding, stream):
    asked = question_of(question(way, stream=stream))
    assert asked == (dialect, binding, stream, 7 if binding == "jsonrpc" else None, "c1", None, None)


def test_a_bare_message_has_no_binding():
    assert question_of(bare()) == (V1, None, False, None, "c1", None, None)


@pytest.mark.parametrize(("way", "dialect"), [("1.0", V1), ("0.3", V03)])
def test_a_mixture_is_answered_in_the_dialect_of_its_method(way, dialect):
    parts = [{"kind": "text", "text": "Hi"}] if way == "1.0" else [{"text": "Hi"}]
    asked = question(way, parts=parts)
    assert asked.raw["envelope"]["dialect"] == "mixed"
    assert question_of(asked).dialect is dialect


def test_a_mixture_without_a_method_is_answered_in_the_newer_dialect():
    asked = bare({"messageId": "q1", "role": "user", "parts": [{"text": "Hi"}]})
    assert question_of(asked).dialect is V1


def place_of(message):
    asked = question_of(message)
    return asked.context_id, asked.task_id


@pytest.mark.parametrize(
    ("members", "task_id", "place"),
    [
        ({}, None, ("c1", None)),
        ({"taskId": "t1"}, None, ("c1", "t1")),
        ({"contextId": None}, None, ("q1", None)),
        ({}, "t2", ("c1", "t2")),
        ({"contextId": None}, "t2", ("t2", "t2")),
    ],
)
def test_the_task_is_the_message_s_or_the_host_s(members, task_id, place):
    assert place_of(question(task_id=task_id, **members)) == place


def test_both_spellings_of_ids_are_known():
    said = {"message_id": "q1", "context_id": "c1", "task_id": "t1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
    assert place_of(bare(said)) == ("c1", "t1")
    del said["task_id"], said["context_id"]
    assert place_of(bare(said)) == ("q1", None)


def test_the_task_beside_a_message_counts():
    said = {"messageId": "q1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
    task = {"id": "t1", "contextId": "c2", "status": {"state": "TASK_STATE_WORKING"}}
    assert place_of(bare({"message": said, "task": task})) == ("c2", "t1")


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        {},
        {"envelope": [], "message": "x", "task": 7},
        {"message": {"taskId": "t1", "task_id": "t2"}, "task": {"id": "t3", "context_id": "c1", "contextId": "c2"}},
        {"envelope": {"binding": "mail", "dialect": [], "method": {}, "id": {}}},
    ],
)
def test_without_anything_kept_the_answer_is_a_bare_one_to_the_thread(raw):
    asked = replace(bare(), raw=raw)
    assert question_of(asked) == (V1, None, False, None, asked.thread_id, None, None)


def test_an_unknown_method_and_ids_of_another_type_count_for_nothing():
    envelope = {"binding": "jsonrpc", "dialect": "2.0", "method": "Sing", "id": "x"}
    asked = replace(bare(), raw={"envelope": envelope, "message": {"contextId": 7, "taskId": "", "messageId": "c1"}})
    assert question_of(asked) == (V1, "jsonrpc", False, "x", "c1", None, None)
