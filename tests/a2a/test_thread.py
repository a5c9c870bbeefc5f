import pytest


@pytest.mark.parametrize(
    ("members", "task_id", "thread", "noted"),
    [
        ({"taskId": "t1", "contextId": "c1"}, None, "t1", []),
        ({"taskId": None, "contextId": "c1"}, "t9", "t9", []),
        ({"taskId": "t1"}, "t1", "t1", []),
        ({"taskId": None, "contextId": "c1"}, None, "c1", ["thread-from-context"]),
        ({"taskId": None}, None, "m1", ["thread-from-message"]),
    ],
)
def test_the_thread_is_the_task_else_what_is_known(take, message, codes, members, task_id, thread, noted):
    got = take(message(**members), task_id=task_id)
    assert got.message.thread_id == thread
    assert codes(got) == noted


def test_the_task_of_the_host_must_be_that_of_the_message(take, message, task):
    got = take(message(taskId="t1"), task_id="t2")
    assert (got.code, got.problems[0].at) == ("task-mismatch", "/taskId")
    assert take(task(), task_id="t2").code == "task-mismatch"
    assert take({"message": message(), "task": task()}, task_id="t2").code == "task-mismatch"
    assert take({"message": message(taskId="t2"), "task": task()}).problems[0].at == "/message/taskId"


def test_the_context_of_the_task_must_be_that_of_the_message(take, message, task):
    got = take({"message": message(contextId="c2"), "task": task()})
    assert (got.code, got.problems[0].at) == ("task-mismatch", "/message/contextId")
    assert take({"message": message(contextId="c1"), "task": task()}).message.thread_id == "t1"


@pytest.mark.parametrize("state", ["input-required", "TASK_STATE_AUTH_REQUIRED"])
def test_a_message_to_a_waiting_task_answers_its_status_message(take, message, task, state):
    got = take({"message": message(), "task": task(state)})
    assert got.message.in_reply_to == "s1"
    assert got.message.thread_id == "t1"


def test_no_other_message_answers_anything(take, message, task):
    assert take({"message": message(), "task": task("working")}).message.in_reply_to is None
    assert take({"message": message(), "task": task("input-required", text=None)}).message.in_reply_to is None
    assert take(message()).message.in_reply_to is None
    assert take(task("input-required")).message.in_reply_to is None
