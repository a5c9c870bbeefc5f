"""One conversation is one thread, however many tasks it takes; the store of tasks says what a message goes on with."""

from datetime import UTC, datetime

import pytest

from mentionable import Answers, Failed, NormalizedResponse, Received, StoredTask, a2a, replace
from mentionable.a2a import Caller

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
ALICE, BOB = Caller(subject="alice@a.example"), Caller(subject="bob@b.example")


class Store:
    """What a host keeps: messages, and tasks."""

    def __init__(self, *tasks):
        self.rows, self.tasks = {}, {task.id: task for task in tasks}

    def keep(self, got):
        for place, row in got.to_store.items():
            if row.replaces(self.rows.get(place)):
                self.rows[place] = row

    @property
    def answers(self):
        return Answers(
            find_message=lambda ask: self.rows.get((ask.native_id, ask.recipient)),
            find_task=lambda ask: self.tasks.get(ask.task_id),
        )


@pytest.fixture
def turn(take, message):
    """One turn: what is received, and stored."""

    def one(store, number, caller=ALICE, settings=a2a.Settings(), **members):  # noqa: B008 - frozen
        facts = {name: members.pop(name) for name in ("task_id", "context_id") if name in members}
        unit = message(**{"messageId": f"m{number}", "taskId": None, **members})
        got = take(unit, caller=caller, answers=store.answers, settings=settings, **facts)
        if isinstance(got, Received):
            store.keep(got)
        return got

    return one


def test_a_conversation_that_names_nothing_at_first_is_one_thread(turn):
    store = Store()
    first = turn(store, 1).message
    answer = a2a.reply(NormalizedResponse.to(first, "Yes?"), to=first, now=NOW, entropy=bytes(32))
    context = answer.message["contextId"]
    assert [turn(store, n, contextId=context).message.thread_id for n in (2, 3)] == [first.thread_id] * 2


def test_another_task_in_a_context_joins_the_thread_of_the_first(turn):
    store = Store()
    assert turn(store, 1, contextId="c1", task_id="t1").message.thread_id == "t1"
    second = turn(store, 2, contextId="c1", task_id="t2").message
    assert second.thread_id == "t1"
    answer = a2a.reply(NormalizedResponse.to(second, "Yes?"), to=second, now=NOW, entropy=bytes(32))
    assert (answer.task["id"], answer.task["contextId"]) == ("t2", "c1")
    assert turn(store, 3, taskId="t2").message.thread_id == "t1"  # by the task alone


def test_the_host_may_name_the_context(turn):
    store = Store()
    first = turn(store, 1, context_id="c7").message
    assert first.thread_id == "c7"
    answer = a2a.reply(NormalizedResponse.to(first, "Yes?"), to=first, now=NOW, entropy=bytes(32))
    assert answer.message["contextId"] == "c7"
    assert turn(store, 2, contextId="c7", task_id="t1").message.thread_id == "c7"
    refused = turn(store, 3, contextId="c8", context_id="c7")
    assert (refused.code, refused.problems[0].at) == ("task-mismatch", "/contextId")


def test_nobody_joins_the_conversation_of_somebody_else(turn):
    store = Store()
    turn(store, 1, contextId="c1", task_id="t1")
    assert turn(store, 1, caller=BOB, contextId="c1", task_id="t2").message.thread_id == "t2"
    assert turn(store, 2, caller=BOB, taskId="t1").message.thread_id == "t1"  # a name, and nothing is known under it


STORED = StoredTask(
    id="t1",
    context_id="c1",
    owner="@alice@a.example",
    state="input-required",
    updated_at="2026-11-21T20:00:00Z",
    message={"messageId": "a1", "role": "ROLE_AGENT", "parts": [{"text": "Which day?"}]},
)
STORES = a2a.Settings(stored_tasks=True)


def test_a_message_goes_on_with_a_stored_task(turn):
    got = turn(Store(STORED), 2, settings=STORES, taskId="t1")
    assert (got.message.thread_id, got.message.in_reply_to) == ("t1", "a1")
    assert got.message.raw["envelope"]["context_id"] == "c1"
    answer = a2a.reply(NormalizedResponse.to(got.message, "Monday."), to=got.message, now=NOW, entropy=bytes(32))
    assert (answer.task["id"], answer.task["contextId"]) == ("t1", "c1")


def test_a_message_to_a_task_at_work_answers_nothing(turn):
    working = replace(STORED, state="working")
    assert turn(Store(working), 2, settings=STORES, taskId="t1").message.in_reply_to is None
    assert turn(Store(replace(STORED, message=None)), 2, settings=STORES, taskId="t1").message.in_reply_to is None


def test_a_message_without_a_task_asks_for_none(turn):
    store = Store()
    store.tasks = None  # to ask would fail
    assert turn(store, 1, settings=STORES, contextId="c1").message.thread_id == "c1"


@pytest.mark.parametrize(
    ("members", "caller", "code", "at"),
    [
        ({"taskId": "t2"}, ALICE, "task-not-found", "/taskId"),
        ({"taskId": "t1"}, BOB, "task-not-found", "/taskId"),
        ({"taskId": "t1"}, None, "task-not-found", "/taskId"),
        ({"taskId": "t1", "contextId": "c2"}, ALICE, "task-mismatch", "/contextId"),
        ({"taskId": "t9"}, ALICE, "task-ended", "/taskId"),
    ],
)
def test_a_task_that_is_not_there_or_not_theirs_or_over_is_refused(turn, members, caller, code, at):
    ended = replace(STORED, id="t9", state="completed")
    got = turn(Store(STORED, ended), 2, caller=caller, settings=STORES, **members)
    assert (got.code, got.problems[0].at) == (code, at)


def test_the_task_of_another_is_refused_as_one_that_does_not_exist(turn):
    theirs = turn(Store(STORED), 2, caller=BOB, settings=STORES, taskId="t1")
    assert theirs == turn(Store(), 2, caller=BOB, settings=STORES, taskId="t1")


def test_the_message_that_ended_a_task_may_come_again(turn):
    store = Store(STORED)
    ending = turn(store, 2, settings=STORES, taskId="t1")
    store.tasks["t1"] = replace(STORED, state="completed")
    again = turn(store, 2, settings=STORES, taskId="t1")
    assert again.redelivered == (again.message,)
    assert again.message.id == ending.message.id
    assert turn(store, 3, settings=STORES, taskId="t1").code == "task-ended"


def test_without_an_answer_about_the_task_the_client_tries_again(take, message):
    answers = Answers(find_task=lambda ask: Failed("down"))
    got = take(message(), settings=STORES, answers=answers)
    assert (got.code, got.temporary) == ("lookup-failed", True)


def test_what_the_agent_that_was_called_answers_is_no_request_for_a_task(take, task):
    got = take(task(), settings=STORES, caller=a2a.RemoteAgent(address="@peer@agents.example"))
    assert got.aliases == ()


def test_a_task_that_the_host_alone_names_is_not_asked_for(turn):
    assert turn(Store(), 1, settings=STORES, task_id="t1", contextId="c1").message.thread_id == "t1"


NAMELESS = (None, Caller(subject="@anonymous@a2a.invalid"))


@pytest.mark.parametrize("caller", NAMELESS)
def test_callers_without_a_name_join_no_conversation(turn, caller):
    store = Store()
    got = turn(store, 1, caller=caller, contextId="c1", task_id="secret")
    assert got.aliases == ()
    assert turn(store, 2, caller=caller, contextId="c1").message.thread_id == "c1"


def test_callers_whose_names_are_no_addresses_are_told_apart(turn):
    store = Store()
    turn(store, 1, caller=Caller(subject="bob"), contextId="c1", task_id="t1")
    assert turn(store, 2, caller=Caller(subject="carol"), contextId="c1", task_id="t2").message.thread_id == "t2"
    assert turn(store, 3, caller=Caller(subject="bob"), contextId="c1", task_id="t3").message.thread_id == "t1"


IDS = (
    "c1",
    " c1",
    "c1 ",
    "context c1",
    "task c1",
    "context @alice@a.example c1",
    "a c1",
    "\x00",
    "\n",
    "%20",
    "x" * 2048,
)
SUBJECTS = ("@alice@a.example", "bob@b.example", "bob", "bob a", "bob%20a", "context", "@", "\x00")


def test_no_two_messages_tasks_or_contexts_of_anybody_share_an_id(turn):
    # Over all senders, kinds and ids: each place of the store is of one of them.
    places = {}
    for subject in SUBJECTS:
        for one in IDS:
            unit = turn(Store(), 1, caller=Caller(subject=subject), messageId=one, taskId=one, contextId=one)
            task, context = unit.aliases
            for place, owner in (
                (unit.native_id, (subject, one, 0)),
                (task, (subject, one, 1)),
                (context, (subject, one, 2)),
            ):
                assert places.setdefault(place, owner) == owner


def test_no_id_of_a_message_makes_it_one_that_came_again(turn):
    store = Store()
    first = turn(store, 1, contextId="c1", taskId="t1")
    for one in ("context c1", "task t1", *first.aliases):
        got = turn(store, 2, messageId=one)
        assert (got.redelivered, got.message.thread_id) == ((), one)
