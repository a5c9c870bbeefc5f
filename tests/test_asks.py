from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    Answers,
    AsyncAnswers,
    Failed,
    Fetch,
    Fetched,
    FindAgent,
    FindHistory,
    FindMessage,
    FindMessages,
    HistoricalMessage,
    LookupTxt,
    PlatformCall,
    Sender,
    StoredMessage,
    UsageError,
    UseOnce,
    adrive,
    directory,
    drive,
)
from mentionable._flow.flow import Ask, ask_each
from mentionable._model.base import frozen
from mentionable.flows import Pending, bounded, gather, resume

FETCHED = Fetched(url="https://a.example/x", status=200, content_type="text/plain", body=b"hi")
TURN = HistoricalMessage(role="user", sender=Sender(address="@a@b.example"), parts=(), timestamp="2026-11-21T20:56:00Z")
FETCH = Fetch(url="https://a.example/x", accept="*/*", purpose="test")
ONCE = UseOnce(key="k", binding="b", until=datetime(2026, 11, 21, tzinfo=UTC))
KNOWN = StoredMessage(id="1", thread_id="t", sender="@a@b.example")

RIGHT = [
    (FETCH, FETCHED),
    (LookupTxt(name="a.example"), ()),
    (LookupTxt(name="a.example"), [b"v=DKIM1"]),
    (FindAgent(native_id="x"), None),
    (FindAgent(native_id="x"), "@a@b.example"),
    (FindMessage(native_id="x", recipient="@a@b.example"), None),
    (FindMessage(native_id="x", recipient="@a@b.example"), KNOWN),
    (FindMessages(native_id="x"), {}),
    (FindMessages(native_id="x"), {"@a@b.example": KNOWN}),
    (FindHistory(thread_id="x", recipient="@a@b.example"), ()),
    (FindHistory(thread_id="x", recipient="@a@b.example"), [TURN]),
    (FindHistory(thread_id="x", recipient="@a@b.example"), None),
    (ONCE, "first"),
    (ONCE, "same"),
    (ONCE, "other"),
]
WRONG = [
    (FETCH, None),
    (FETCH, b"body"),
    (LookupTxt(name="a.example"), "v=DKIM1"),
    (LookupTxt(name="a.example"), b"v=DKIM1"),
    (LookupTxt(name="a.example"), ["v=DKIM1"]),
    (LookupTxt(name="a.example"), None),
    (FindAgent(native_id="x"), True),
    (FindMessage(native_id="x", recipient="@a@b.example"), "1"),
    (FindMessages(native_id="x"), None),
    (FindMessages(native_id="x"), {"@a@b.example": None}),
    (FindHistory(thread_id="x", recipient="@a@b.example"), [None]),
    (ONCE, 1),
    (ONCE, True),
    (ONCE, False),
    (ONCE, "free"),
    (ONCE, ["first"]),
    (ONCE, None),
]


@pytest.mark.parametrize(("ask", "answer"), RIGHT)
def test_an_ask_is_the_smallest_flow(ask, answer):
    assert drive(iter(ask), lambda _: answer) is answer


@pytest.mark.parametrize("ask", dict(RIGHT))
def test_every_ask_may_be_answered_failed(ask):
    failed = Failed("no network")
    assert drive(iter(ask), lambda _: failed) is failed
    assert failed.temporary


@pytest.mark.parametrize(("ask", "answer"), WRONG)
def test_a_wrong_answer_is_a_usage_error_that_names_the_ask(ask, answer):
    with pytest.raises(UsageError) as caught:
        drive(iter(ask), lambda _: answer)
    assert str(caught.value).startswith(f"the answer to {ask} must be ")
    assert len(str(caught.value)) < 400


def test_a_coroutine_as_an_answer_says_to_use_adrive():
    async def answer():
        return None

    with pytest.raises(UsageError, match=r"is a coroutine: use adrive\(\)"):
        drive(iter(FindAgent(native_id="x")), lambda _: answer())


@pytest.mark.parametrize("ask", dict(RIGHT))
def test_asks_are_hashable_values(ask):
    assert len({ask, type(ask)(**{name: getattr(ask, name) for name in ask.__slots__})}) == 1


def test_an_ask_for_the_cached_copy_is_another_than_one_past_the_cache():
    assert Fetch(url=FETCH.url, accept="*/*", purpose="test", fresh=True) != FETCH
    assert FindAgent(native_id="x") != LookupTxt(name="x")


def test_a_url_that_may_not_be_fetched_cannot_be_asked_for():
    with pytest.raises(UsageError, match=r"Fetch\.url must be https on the default port of a DNS name"):
        Fetch(url="http://127.0.0.1/", accept="*/*", purpose="test")


def test_a_fetch_gives_the_request_to_transmit():
    request = FETCH.request
    assert (request.method, request.url, request.header("accept")) == ("GET", FETCH.url, "*/*")


def two_rounds():
    """Asks for two agents at once, then for what the first one answered."""
    first, second = yield from gather(FindAgent(native_id="a"), FindAgent(native_id="b"))
    third = yield from FindAgent(native_id=f"{first}+{second}")
    return first, second, third


def echo(ask):
    return f"<{ask.native_id}>"


EXPECTED = ("<a>", "<b>", "<<a>+<b>>")


def test_drive_answers_batch_after_batch():
    assert drive(two_rounds(), echo) == EXPECTED


def test_drive_answers_a_batch_at_once_in_a_thread_pool():
    meet = threading.Barrier(2, timeout=10)

    def answer(ask):
        if ask.native_id in "ab":
            meet.wait()  # passes only when both asks are being answered
        return echo(ask)

    with ThreadPoolExecutor(2) as pool:
        assert drive(two_rounds(), answer, map=pool.map) == EXPECTED


def test_drive_turns_the_errors_that_are_named_into_failed():
    def answer(_):
        raise ConnectionError("no route")

    assert drive(iter(FindAgent(native_id="a")), answer, catch=OSError) == Failed("ConnectionError: no route")
    with pytest.raises(ConnectionError):
        drive(iter(FindAgent(native_id="a")), answer, catch=(KeyError, ValueError))


def test_an_answer_that_raises_stop_iteration_does_not_end_the_batch():
    with pytest.raises(RuntimeError, match="raised StopIteration"):
        drive(two_rounds(), lambda _: next(iter(())))


class Closing:
    """A flow that tells whether it was closed."""

    def __init__(self):
        self.closed = False

    def flow(self):
        try:
            yield (FindAgent(native_id="a"),)
            yield (FindAgent(native_id="b"),)
        finally:
            self.closed = True


def test_drive_closes_the_flow_when_an_answer_raises():
    closing = Closing()
    with pytest.raises(KeyError):
        drive(closing.flow(), lambda _: {}["x"])
    assert closing.closed


def test_bounded_closes_its_flow_when_it_is_closed():
    closing = Closing()
    flow = bounded(closing.flow(), remote=1)
    next(flow)
    flow.close()
    assert closing.closed


async def echo_later(ask):
    await asyncio.sleep(0)
    return echo(ask)


def test_adrive_answers_in_turn_by_default():
    assert asyncio.run(adrive(two_rounds(), echo_later)) == EXPECTED


def test_adrive_answers_a_batch_at_once_under_asyncio():
    async def main():
        waiting: set[str] = set()
        met = asyncio.Event()

        async def answer(ask):
            if ask.native_id in "ab":
                waiting.add(ask.native_id)
                if len(waiting) == 2:
                    met.set()
                await asyncio.wait_for(met.wait(), 10)
            return echo(ask)

        return await adrive(two_rounds(), answer, gather=asyncio.gather)

    assert asyncio.run(main()) == EXPECTED


async def nursery_gather(*answers):
    """What `asyncio.gather` does, under trio."""
    results = [None] * len(answers)

    async def run(index, answer):
        results[index] = await answer

    async with trio.open_nursery() as nursery:
        for index, answer in enumerate(answers):
            nursery.start_soon(run, index, answer)
    return results


def test_adrive_answers_a_batch_at_once_under_trio():
    async def main():
        waiting: set[str] = set()
        met = trio.Event()

        async def answer(ask):
            if ask.native_id in "ab":
                waiting.add(ask.native_id)
                if len(waiting) == 2:
                    met.set()
                with trio.fail_after(10):
                    await met.wait()
            return echo(ask)

        return await adrive(two_rounds(), answer, gather=nursery_gather)

    assert trio.run(main) == EXPECTED


def test_adrive_turns_the_errors_that_are_named_into_failed_and_closes_the_flow():
    async def answer(_):
        raise ConnectionError("no route")

    failed = asyncio.run(adrive(iter(FindAgent(native_id="a")), answer, catch=OSError))
    assert failed == Failed("ConnectionError: no route")
    closing = Closing()
    with pytest.raises(ConnectionError):
        asyncio.run(adrive(closing.flow(), answer))
    assert closing.closed


def test_advance_goes_as_far_as_it_can_and_begins_anew():
    known = {}
    asked = []
    while isinstance(got := resume(two_rounds(), known), Pending):
        asked.append([ask.native_id for ask in got.asks])
        known |= {ask: echo(ask) for ask in got.asks}
    assert got == EXPECTED
    assert asked == [["a", "b"], ["<a>+<b>"]]


def test_advance_asks_only_for_what_is_missing():
    assert resume(two_rounds(), {FindAgent(native_id="a"): "<a>"}) == Pending((FindAgent(native_id="b"),))


def test_advance_checks_the_answers_it_was_given():
    with pytest.raises(UsageError, match="must be '@agent@domain' or None"):
        resume(two_rounds(), {FindAgent(native_id="a"): 1, FindAgent(native_id="b"): 2})


def recorded(flow, answer=echo):
    """What a flow comes to, and the batches that it asked."""
    batches = []

    def all_of(function, batch):
        batches.append([ask.native_id if isinstance(ask, FindAgent) else ask.name for ask in batch])
        return [function(ask) for ask in batch]

    return drive(flow, answer, map=all_of), batches


def chain(*names):
    """Asks one name after the other."""
    answers = []
    for name in names:
        answers.append((yield from FindAgent(native_id=name)))
    return tuple(answers)


def test_each_goes_forward_with_all_flows_and_asks_nothing_twice_in_a_batch():
    got, batches = recorded(gather(chain("a", "b"), chain("a"), chain(), chain("c", "d", "e")))
    assert got == (("<a>", "<b>"), ("<a>",), (), ("<c>", "<d>", "<e>"))
    assert batches == [["a", "c"], ["b", "d"], ["e"]]


def test_each_of_nothing_asks_nothing():
    assert recorded(gather()) == ((), [])
    assert recorded(gather(chain())) == (((),), [])


def test_both_takes_flows_of_different_kinds():
    assert recorded(gather(chain("a"), FindAgent(native_id="b"))) == ((("<a>",), "<b>"), [["a", "b"]])


def test_an_error_in_one_flow_is_an_error_of_each():
    def broken():
        yield from FindAgent(native_id="x")
        raise KeyError("x")

    with pytest.raises(KeyError):
        recorded(gather(chain("a", "b"), broken()))


names = st.lists(st.sampled_from("abc"), max_size=4)


@given(st.lists(names, max_size=4))
def test_each_gives_what_the_flows_give_alone(plans):
    got, batches = recorded(gather(*[chain(*plan) for plan in plans]))
    assert got == tuple(recorded(chain(*plan))[0] for plan in plans)
    assert len(batches) == max(map(len, plans), default=0)
    assert all(len(set(batch)) == len(batch) for batch in batches)


@given(names)
def test_bounded_changes_no_result_and_asks_nothing_twice(plan):
    got, batches = recorded(bounded(chain(*plan), remote=0))
    assert got == recorded(chain(*plan))[0]
    asked = [name for batch in batches for name in batch]
    assert asked == list(dict.fromkeys(plan))


def lookups(*names):
    answers = []
    for name in names:
        answers.append((yield from LookupTxt(name=name)))
    return answers


@given(st.integers(0, 5), names)
def test_bounded_goes_to_the_network_only_so_often(remote, plan):
    got, batches = recorded(bounded(lookups(*plan), remote=remote), answer=lambda ask: [ask.name.encode()])
    allowed = list(dict.fromkeys(plan))[:remote]
    assert [name for batch in batches for name in batch] == allowed
    for name, answer in zip(plan, got, strict=True):
        if name in allowed:
            assert answer == [name.encode()]
        else:
            assert isinstance(answer, Failed)
            assert not answer.temporary
            assert answer.reason == "the budget of look-ups is spent"


def test_bounded_asks_once_what_one_batch_names_twice():
    def twice():
        answers = yield (FindAgent(native_id="a"), FindAgent(native_id="a"), LookupTxt(name="x"))
        return answers

    got, batches = recorded(bounded(twice(), remote=0))
    assert got == ("<a>", "<a>", Failed("the budget of look-ups is spent", temporary=False))
    assert batches == [["a"]]


def test_a_directory_compares_addresses_without_case_and_iris_exactly():
    find = directory({"helper@agents.example": "@helper@agents.example", "https://a.example/Actor": "@b@c.example"})
    for native_id in ("Helper@AGENTS.example", "acct:helper@agents.example", "@helper@agents.example"):
        assert find(FindAgent(native_id=native_id)) == "@helper@agents.example"
    assert find(FindAgent(native_id="https://a.example/Actor")) == "@b@c.example"
    assert find(FindAgent(native_id="https://a.example/actor")) is None


def test_a_directory_refuses_what_is_no_agent_and_what_is_ambiguous():
    with pytest.raises(UsageError, match="not an agent address of the form @agent@domain: 'helper'"):
        directory({"helper@agents.example": "helper"})
    with pytest.raises(UsageError, match=r"two agents under 'A@b.example'"):
        directory({"a@b.example": "@a@b.example", "A@b.example": "@c@b.example"})
    directory({"a@b.example": "@a@b.example", "A@b.example": "@a@b.example"})


def test_an_ask_must_say_of_which_type_its_answer_is():
    with pytest.raises(AttributeError, match="_types"):
        Ask()._fits(None)


@given(st.lists(st.sampled_from("abcd").map(lambda name: FindAgent(native_id=name)), unique=True))
def test_different_plain_asks_in_one_batch_are_what_each_gives_for_them(asks):
    assert recorded(ask_each(asks)) == recorded(gather(*asks))


def test_plain_asks_check_their_answers_too():
    for asks in ([FindAgent(native_id="a")], [FindAgent(native_id="a"), FindAgent(native_id="b")]):
        with pytest.raises(UsageError, match="must be '@agent@domain' or None"):
            drive(ask_each(asks), lambda _: 1)


@pytest.mark.parametrize("answers", [(), (None,), (None, None, None)])
def test_plain_asks_need_as_many_answers(answers):
    flow = ask_each([FindAgent(native_id="a"), FindAgent(native_id="b")])
    next(flow)
    with pytest.raises(UsageError, match=f"2 asks need as many answers, not {len(answers)}"):
        flow.send(answers)


def test_a_flow_runs_once():
    flow = iter(FindAgent(native_id="helper"))
    assert drive(flow, lambda ask: None) is None
    with pytest.raises(UsageError, match="this flow has ended"):
        drive(flow, lambda ask: None)
    with pytest.raises(UsageError, match="this flow has ended"):
        asyncio.run(adrive(flow, AsyncAnswers()))


def test_adrive_tells_when_an_answer_is_not_awaitable():
    with pytest.raises(UsageError, match="is not awaitable: use drive"):
        asyncio.run(adrive(iter(FindAgent(native_id="helper")), lambda ask: None))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Fetched(url="https://a.example/", status="200", content_type="", body=b""),
        lambda: Fetched(url="https://a.example/", status=200, content_type=None, body=b""),
        lambda: Fetched(url="https://a.example/", status=200, content_type="", body="text"),
        lambda: StoredMessage(id=5, thread_id="t", sender="@a@b.example"),
    ],
    ids=["status", "content type", "body", "id"],
)
def test_an_answer_of_the_wrong_shape_cannot_be_built(make):
    with pytest.raises(UsageError, match="expected"):
        make()


def test_adrive_leaves_nothing_unawaited_when_an_answer_raises():
    async def answer(ask):
        raise OSError("no network")

    flow = gather(FindAgent(native_id="a"), FindAgent(native_id="b"))
    with pytest.raises(OSError, match="no network"):
        asyncio.run(adrive(flow, answer))


def test_advance_tells_when_a_flow_has_ended():
    flow = iter(FindAgent(native_id="helper"))
    drive(flow, lambda ask: None)
    with pytest.raises(UsageError, match="this flow has ended"):
        resume(flow, {})


@pytest.mark.parametrize(
    ("verified", "before", "answer"),
    [(True, None, True), (None, None, True), (True, False, True), (True, True, False), (None, False, False)],
)
def test_a_stored_row_makes_room_for_what_is_only_now_proven(verified, before, answer):
    def known(verified, sender="@a@a.example"):
        return StoredMessage(id="m1", thread_id="t1", sender=sender, verified=verified)

    assert known(verified).replaces(None)
    assert known(verified).replaces(None if before is None else known(before)) == answer
    assert not known(True).replaces(known(False, "@b@b.example"))


# --- calls of a platform


@frozen
class Ring(PlatformCall):
    """A platform with one method."""

    whom: str

    @property
    def name(self):
        return f"ring {self.whom}"


@frozen
class Nameless(PlatformCall):
    """A call whose author forgot to name it."""


@pytest.mark.parametrize("said", [{"ok": True}, [{"id": 1}], Failed("down")])
def test_a_call_is_answered_with_what_the_platform_says(said):
    assert drive(iter(Ring(whom="alice")), Answers(call_api=lambda ask: said)) == said


def test_anything_else_is_no_answer():
    with pytest.raises(UsageError, match="JSON object or array"):
        drive(iter(Ring(whom="alice")), Answers(call_api=lambda ask: "ok"))


def test_every_kind_of_call_has_a_name():
    assert Ring(whom="alice").name == "ring alice"
    with pytest.raises(NotImplementedError):
        _ = Nameless().name
