import asyncio
import logging
import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mentionable import (
    HistoricalMessage,
    NormalizedResponse,
    Sender,
    TextPart,
    ToolCallPart,
    UnanswerableError,
    plain_text,
    replace,
)
from recorder import ALICE, Recorder, answered, come, idle, message, play, talk
from sqlalchemy import func, select, update

from mentionable_host import Agent
from mentionable_host.agents.history import turns_before
from mentionable_host.store import messages
from mentionable_host.store.database import StoreUnavailable
from mentionable_host.store.tables import jobs
from mentionable_host.store.tables import messages as table

EARLY = "2026-11-27T11:00:00Z"


def agent_of(function):
    agent = Agent()
    agent.on_message(function)
    return agent


def stored(host, id="m1"):
    with host.database.engine.connect() as db:
        return db.execute(select(func.count()).where(table.c.role == "assistant", table.c.id == id)).scalar()


def state_of(host, key="answer m1"):
    with host.database.engine.connect() as db:
        return db.execute(select(jobs.c.state).where(jobs.c.key == key)).scalar()


def said(host, function, text="Hi"):
    """What one message gets."""

    async def story(host):
        await talk(host, text)
        return await answered(host, seconds=0)

    return play(host, story)


def test_an_agent_may_be_a_plain_function(make_host):
    host = make_host(Recorder, agent=agent_of(lambda message, context: f"You wrote: {context.text}"))

    assert plain_text(said(host, None)) == "You wrote: Hi"


def test_an_agent_may_be_a_plain_generator(make_host):
    def answer(message, context):
        yield "It "
        yield "rains."

    host = make_host(Recorder, agent=agent_of(answer))

    assert plain_text(said(host, None)) == "It rains."
    assert [frame.streaming.seq for frame in host.transports["email"].frames] == [0, 1, 2]


async def _yields_a_number(message, context):
    yield 42


async def _returns_a_table(message, context):
    return {"text": "Hi"}


async def _forgets_await(message, context):
    return asyncio.sleep(0)


@pytest.mark.parametrize(
    ("function", "said_in_the_log"),
    [
        (_yields_a_number, "an agent yields text or parts, as ToolCallPart, not int"),
        (_returns_a_table, "an iterator or None, not dict"),
        (_forgets_await, "not coroutine: is an await missing?"),
    ],
)
@pytest.mark.filterwarnings("ignore:coroutine 'sleep' was never awaited")
def test_what_is_no_answer_is_said_to_who_wrote_the_program(make_host, caplog, function, said_in_the_log):
    response = said(make_host(Recorder, agent=agent_of(function)), None)

    assert "Something went wrong here" in plain_text(response)
    assert said_in_the_log in caplog.text


def test_a_streamed_answer_is_stored_whole_with_its_tool_calls(make_host):
    async def answer(message, context):
        yield "I look. "
        yield ToolCallPart(id="c1", name="forecast", args={"place": "Lund"})
        yield ToolCallPart(id="c1", name="forecast", args={"place": "Lund"}, result="rain")
        yield "It rains."

    response = said(make_host(Recorder, agent=agent_of(answer)), None)

    assert [part.kind for part in response.parts] == ["text", "tool_call", "text"]
    assert response.parts[1].state == "ok"


@pytest.mark.parametrize("nothing", [None, "", "  "])
def test_an_agent_may_say_nothing(make_host, nothing):
    host = make_host(Recorder, agent=agent_of(lambda message, context: nothing))

    assert said(host, None) is None
    assert state_of(host) == "done"
    assert host.transports["email"].silent == ["m1"]


def test_a_generator_that_yields_nothing_says_nothing(make_host):
    async def answer(message, context):
        for piece in ():
            yield piece

    assert said(make_host(Recorder, agent=agent_of(answer)), None) is None


def test_an_exception_is_said_in_words_and_logged_whole(make_host, caplog):
    def answer(message, context):
        raise KeyError("the secret cause")

    response = said(make_host(Recorder, agent=agent_of(answer)), None)

    assert (response.status, response.error.code) == ("error", "agent-failed")
    assert "secret" not in plain_text(response)
    assert "the secret cause" in caplog.text


@pytest.mark.parametrize("in_thread", [False, True])
def test_an_agent_that_calls_exit_ends_its_turn_and_nothing_else(make_host, in_thread, caplog):
    def leaves(message, context):
        raise SystemExit(3)

    async def leaves_too(message, context):
        leaves(message, context)

    host = make_host(Recorder, agent=agent_of(leaves if in_thread else leaves_too))

    assert said(host, None).error.code == "agent-failed"
    assert "the agent called exit()" in caplog.text


def test_an_agent_that_gives_a_number_is_told_what_to_give(make_host, caplog):
    response = said(make_host(Recorder, agent=agent_of(lambda message, context: 7)), None)

    assert response.error.code == "agent-failed"
    assert "not int" in caplog.text


def test_an_agent_that_takes_too_long_is_stopped(make_host):
    async def answer(message, context):
        await asyncio.Event().wait()

    host = make_host(Recorder, agent=agent_of(answer), own={"seconds": 0.05})
    response = said(host, None)

    assert (response.error.code, response.error.retriable) == ("timeout", True)


def test_a_plain_function_that_hangs_keeps_nothing_up(make_host):
    hanging = threading.Event()

    def answer(message, context):
        hanging.wait(20)

    began = time.monotonic()
    response = said(make_host(Recorder, agent=agent_of(answer), own={"seconds": 0.05}), None)
    hanging.set()

    assert response.error.code == "timeout"
    assert time.monotonic() - began < 10


def test_a_transport_shows_that_the_agent_works(make_host):
    host = make_host(Recorder)
    said(host, None)

    assert host.transports["email"].worked == ["m1"]


def test_a_transport_that_cannot_show_anything_does_not_stop_the_answer(make_host, caplog):
    class Mute(Recorder):
        async def working(self, *, to):
            raise OSError("no connection")

    assert plain_text(said(make_host(Mute), None)) == "You wrote: Hi"


def test_that_a_full_disk_shows_nothing_is_a_line_in_the_log(make_host, caplog):
    class Full(Recorder):
        async def working(self, *, to):
            raise StoreUnavailable("database or disk is full")

    assert plain_text(said(make_host(Full), None)) == "You wrote: Hi"
    assert [(one.levelname, one.exc_info) for one in caplog.records if "disk is full" in one.message] == [
        ("WARNING", None)
    ]


def test_the_agent_sees_what_it_answered_to_a_message_that_came_just_before(make_host):
    seen, begun = {}, asyncio.Event()

    async def answer(message, context):
        seen[message.id] = [(turn.role, plain_text(turn)) for turn in context.history]
        begun.set()
        await asyncio.sleep(0)
        return f"Answer to {context.text}"

    async def story(host):
        for number in range(1, 5):
            await talk(host, f"Question {number}", id=f"m{number}")

    play(make_host(Recorder, agent=agent_of(answer)), story)

    assert seen["m1"] == []
    assert seen["m4"] == [
        turn
        for number in range(1, 4)
        for turn in (("user", f"Question {number}"), ("assistant", f"Answer to Question {number}"))
    ]


def test_a_message_that_is_tried_again_later_holds_up_no_other(make_host):
    async def story(host):
        await talk(host, "Second", id="m2")
        return await answered(host, "m1", seconds=0), await answered(host, "m2", seconds=0)

    host = make_host(Recorder)

    async def stored_before():
        await come(host, "First", id="m1")
        await host.database.write(lambda db: db.execute(update(jobs).values(due=jobs.c.due + 60, tries=1)))

    asyncio.run(stored_before())
    first, second = play(host, story)

    assert first is None
    assert plain_text(second) == "You wrote: Second"


def test_turns_of_two_conversations_run_at_once(make_host):
    both, count = asyncio.Event(), 0

    async def answer(message, context):
        nonlocal count
        count += 1
        if count == 2:
            both.set()
        await both.wait()
        return "met"

    async def story(host):
        await come(host, "a", id="m1", thread="t1")
        await come(host, "b", id="m2", thread="t2")
        return await answered(host, "m1"), await answered(host, "m2")

    assert all(play(make_host(Recorder, agent=agent_of(answer)), story))


def test_the_agent_sees_no_more_turns_than_the_configuration_says(make_host):
    seen = []

    async def answer(message, context):
        seen.append(len(context.history))
        return "yes"

    async def story(host):
        for number in range(4):
            await come(host, f"q{number}", id=f"m{number}")
            await answered(host, f"m{number}")

    play(make_host(Recorder, agent=agent_of(answer), own={"history": 3}), story)

    assert seen == [0, 2, 3, 3]


def test_the_agent_sees_all_that_came_before_however_much_came_after(make_host):
    host = make_host(Recorder)
    for number in range(30):
        asyncio.run(come(host, str(number), id=f"m{number}"))
    with host.database.engine.connect() as db:
        turns = turns_before(db, message("3", id="m3", host=host), number=4, limit=5)

    assert [plain_text(turn) for turn in turns] == ["0", "1", "2"]


def test_the_agent_reads_no_more_of_a_long_conversation_than_it_sees(make_host, monkeypatch):
    read, real = [], messages._entry
    host = make_host(Recorder, own={"history": 5})
    for number in range(60):
        asyncio.run(come(host, str(number), id=f"m{number}"))
    monkeypatch.setattr(messages, "_entry", lambda row: read.append(1) or real(row))
    with host.database.engine.connect() as db:
        turns = turns_before(db, message("59", id="m59", host=host), number=60, limit=5)

    assert [plain_text(turn) for turn in turns] == ["54", "55", "56", "57", "58"]
    assert len(read) < 20


def test_the_message_that_the_agent_gets_has_the_turns_before_it(make_host):
    seen = []
    host = make_host(Recorder, agent=agent_of(lambda message, context: seen.append((message, context)) or "Yes."))

    async def story(host):
        for number in range(2):
            await come(host, f"Question {number}", id=f"m{number}")
            await idle(host)

    play(host, story)
    message, context = seen[1]
    assert [plain_text(turn) for turn in message.history] == ["Question 0", "Yes."]
    assert [*message.history] == context.history
    assert seen[0][0].history is None


def test_callers_without_an_address_do_not_see_what_others_wrote(make_host):
    seen, nobody = [], Sender(address="@anonymous@rest.invalid")

    async def answer(message, context):
        seen.append(len(context.history))
        return "yes"

    async def story(host):
        for number in range(2):
            await talk(host, "a secret", id=f"m{number}", sender=nobody, via="rest")

    play(make_host(Recorder, agent=agent_of(answer)), story)

    assert seen == [0, 0]


def test_a_canceled_turn_has_no_answer(make_host):
    begun = asyncio.Event()

    async def answer(message, context):
        begun.set()
        await asyncio.Event().wait()

    async def story(host):
        await come(host, "Count to a billion.")
        await begun.wait()
        was_canceled = await host.cancel_turn("m1")
        await idle(host)
        return was_canceled, await host.cancel_turn("m1")

    host = make_host(Recorder, agent=agent_of(answer))

    assert play(host, story) == (True, False)
    assert (stored(host), host.transports["email"].written) == (0, [])


def test_a_turn_may_be_canceled_from_another_process(make_host):
    begun = asyncio.Event()

    async def answer(message, context):
        begun.set()
        await asyncio.Event().wait()

    host = make_host(Recorder, agent=agent_of(answer))
    other = make_host(Recorder)

    async def story(host):
        await come(host, "Count to a billion.")
        await begun.wait()
        was_canceled = await other.cancel_turn("m1")
        await idle(host)
        return was_canceled

    assert play(host, story)
    assert stored(host) == 0


def test_turns_that_a_platform_tells_of_are_not_told_twice(make_host):
    host = make_host(Recorder)
    asyncio.run(come(host, "First", id="a"))
    asyncio.run(come(host, "Second", id="b"))
    told = HistoricalMessage(role="user", id="a", sender=ALICE, parts=(TextPart(content="First"),), timestamp=EARLY)
    before = replace(message("Third", id="c", host=host), history=(told,))
    with host.database.engine.connect() as db:
        turns = turns_before(db, before, number=99, limit=10)

    assert [(turn.id, plain_text(turn)) for turn in turns] == [("a", "First"), ("b", "Second")]


def test_a_turn_that_ended_cannot_be_canceled(make_host):
    async def story(host):
        await talk(host, "Hi")
        return await host.cancel_turn("m1"), await host.cancel_turn("other")

    host = make_host(Recorder)

    assert play(host, story) == (False, False)
    assert stored(host) == 1


def test_a_turn_is_not_begun_that_was_canceled_before(make_host):
    runs = []

    host = make_host(Recorder, agent=agent_of(lambda message, context: runs.append(1)))
    asyncio.run(come(host, "Hi"))
    asyncio.run(host.cancel_turn("m1"))
    play(host, idle)

    assert runs == []


def test_a_turn_whose_process_was_killed_runs_again_and_answers_once(make_host):
    runs = []

    def answer(message, context):
        runs.append(message.id)
        return "yes"

    async def killed(host):
        await come(host, "Hi")
        await host.database.write(lambda db: db.execute(update(jobs).values(state="running", tries=1)))

    host = make_host(Recorder, agent=agent_of(answer))
    asyncio.run(killed(host))
    play(host, idle)
    asyncio.run(host.database.write(lambda db: db.execute(update(jobs).values(state="waiting", payload=b"1"))))
    again = make_host(Recorder, agent=agent_of(answer))
    play(again, idle)

    assert (runs, stored(host)) == (["m1"], 1)
    assert (host.transports["email"].stored, again.transports["email"].stored) == (["m1"], [])


def test_an_answer_that_cannot_be_said_here_is_replaced_by_words(make_host):
    async def answer(message, context):
        await context.ask_consent("May I?", scope="all")

    class Public(Recorder):
        def __init__(self, host):
            super().__init__(host)
            self.refuses_demands = True

    response = said(make_host(Public, agent=agent_of(answer)), None)

    assert (plain_text(response), response.error.code) == ("I cannot say this here.", "no-private-way")


def test_an_answer_for_which_there_is_no_way_ends_the_job(make_host):
    class Gone(Recorder):
        async def reply(self, response, *, to):
            raise UnanswerableError("gone", "nobody is there any more")

    host = make_host(Gone)

    assert said(host, None) is None
    assert state_of(host) == "dead"
    assert (host.transports["email"].silent, host.transports["email"].failed) == ([], ["m1"])


def boom(error):
    def raises(message, context):
        raise error

    return raises


async def half(message, context):
    yield "It "
    raise RuntimeError("in the middle")


WHATEVER = st.one_of(
    st.text(max_size=5).map(lambda text: lambda message, context: text),
    st.sampled_from([None, 0, b"bytes", [], {}, object()]).map(lambda value: lambda message, context: value),
    st.lists(st.one_of(st.text(max_size=3), st.none(), st.integers()), max_size=3).map(
        lambda pieces: lambda message, context: iter(pieces)
    ),
    st.sampled_from([ValueError("x"), asyncio.CancelledError(), StopIteration(), GeneratorExit(), TimeoutError()]).map(
        boom
    ),
    st.just(lambda message, context: NormalizedResponse(reply_to="other", parts=())),
    st.just(lambda message, context: NormalizedResponse.to(message, "a", status="partial")),
    st.just(lambda message, context: NormalizedResponse.to(message, *[TextPart(content="a")] * 5)),
    st.just(half),
)


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(functions=st.lists(WHATEVER, min_size=4, max_size=12))
def test_whatever_an_agent_does_there_is_one_answer_or_none(make_host, tmp_path, functions, caplog):
    caplog.set_level(logging.CRITICAL)
    for file in tmp_path.glob("host.db*"):
        file.unlink()
    host = make_host(Recorder, agent=agent_of(lambda message, context: functions[int(context.text)](message, context)))

    async def story(host):
        for number in range(len(functions)):
            await talk(host, str(number), id=f"m{number}", thread=f"t{number}")

    play(host, story)

    for number in range(len(functions)):
        assert state_of(host, f"answer m{number}") == "done"
        assert stored(host, f"m{number}") in (0, 1)
    assert len(host.transports["email"].stored) == sum(stored(host, f"m{number}") for number in range(len(functions)))


def test_an_agent_learns_whether_others_write_in_the_conversation(make_host):
    agent, groups = Agent(), []

    @agent.on_message
    async def answer(message, context):
        groups.append(context.is_group)
        return "Yes."

    async def story(host):
        await talk(host, "Is anyone here?")
        await talk(host, "Still?", id="m2")
        await talk(host, "Me, too.", id="m3", sender=replace(ALICE, address="@bob@b.example"))

    play(make_host(Recorder, agent=agent), story)

    assert groups == [False, False, True]
