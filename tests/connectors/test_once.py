"""One event gives one turn: under every interleaving of deliveries, after every crash, and over a shared database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from mentionable import (
    Answers,
    HistoryPolicy,
    HttpRequest,
    Received,
    Rejected,
    StoredMessage,
    Used,
    UseOnce,
    decode_trusted,
    drive,
    dumps,
    replace,
)
from mentionable.connectors import Claimed, slack
from mentionable.testing.lookups import use_in
from tests.connectors.slack_workspace import AGENT, ALICE, NOW, SETTINGS, event_unit, mention, said

MENTION = event_unit(mention())
AS_MESSAGE = event_unit(said("<@UBOT> hello", channel="C1", channel_type="channel"), event_id="Ev2")
EDIT = event_unit(
    {
        "type": "message",
        "subtype": "message_changed",
        "channel": "C1",
        "message": {**mention(), "type": "message", "edited": {"user": "U1", "ts": "1795294501.000000"}},
        "previous_message": {**mention("hello"), "type": "message"},
    },
    event_id="Ev3",
)
DELIVERIES = {
    "the same event twice": (MENTION, MENTION),
    "a mention as two events": (MENTION, AS_MESSAGE),
    "a mention that was edited into a message": (MENTION, EDIT),
    "the same event three times": (MENTION, MENTION, MENTION),
    "two events, one of them twice": (MENTION, AS_MESSAGE, MENTION),
}
SHORT = replace(SETTINGS, history=HistoryPolicy(max_messages=0))
Step = Generator[Any, Any, None]
"""A delivery as a program handles it: it yields before each thing that others may see or that may fail."""


class Node:
    """A program with several processes, its database, and what its agent was asked."""

    def __init__(self) -> None:
        self.used: dict[str, str] = {}
        self.queue: dict[str, bytes] = {}
        self.rows: dict[tuple[str, str], StoredMessage] = {}
        self.turns: list[str] = []

    def answer(self, ask: Any) -> Any:
        answers = Answers(
            find_agent=lambda _: AGENT,
            find_message=lambda one: self.rows.get((one.native_id, one.recipient)),
            use_once=lambda one: use_in(self.used, one),
            call_api=lambda _: {"ok": True, "user": ALICE},
        )
        return answers(ask)

    def through(self, flow: Any) -> Generator[Any, Any, Any]:
        """Goes through a flow; each ask is answered at once, as by one atomic statement, when it is this one's turn."""
        try:
            batch = next(flow)
            while True:
                answers = []
                for ask in batch:
                    yield ask
                    answers.append(self.answer(ask))
                batch = flow.send(tuple(answers))
        except StopIteration as stop:
            return stop.value

    def claim_and_queue(self, request: HttpRequest) -> Step:
        """What docs/how-to/connect-slack.md says: claim, and queue under the key, whether it is new or not."""
        got = yield from self.through(slack.claim(request, now=NOW, settings=SHORT))
        if isinstance(got, Claimed):
            yield "queue"
            self.queue.setdefault(got.key or "", dumps(got))

    def claim_and_queue_when_new(self, request: HttpRequest) -> Step:
        got = yield from self.through(slack.claim(request, now=NOW, settings=SHORT))
        if isinstance(got, Claimed) and got.is_new:
            yield "queue"
            self.queue[f"{len(self.queue)}"] = dumps(got)

    def in_one_transaction(self, request: HttpRequest) -> Step:
        """The claim and the queue in one transaction: a crash undoes both."""
        yield "transaction"
        for _ in self.claim_and_queue_when_new(request):
            pass

    def receive(self, request: HttpRequest) -> Step:
        """One stage: the agent is asked for what did not come before."""
        got = yield from self.through(slack.receive(request, now=NOW, entropy=bytes(32), settings=SHORT))
        if isinstance(got, Received) and not got.redelivered:
            yield "turn"
            self.take(got)

    def receive_again(self, request: HttpRequest) -> Step:
        """One stage for a program that asks its store, and not `redelivered`, whether its agent has the message."""
        got = yield from self.through(slack.receive(request, now=NOW, entropy=bytes(32), settings=SHORT))
        if isinstance(got, Received):
            yield "turn"
            if (got.native_id, got.message.recipient) not in self.rows:
                self.take(got)

    def take(self, got: Received) -> None:
        self.rows |= got.to_store
        self.turns.append(got.native_id)

    def work(self) -> Step:
        """Completes what is queued; the turn and the end of the row are one transaction."""
        for key in list(self.queue):
            row = decode_trusted(Claimed, self.queue[key])
            got = yield from self.through(slack.complete(row, now=NOW, entropy=bytes(32), settings=SHORT))
            yield "turn"
            if isinstance(got, Received):
                self.take(got)
            del self.queue[key]


Program = Callable[[Node, HttpRequest], Step]


def schedules(program: Program, requests: tuple[HttpRequest, ...]) -> Iterator[Node]:
    """The node after every interleaving of these deliveries, each played from the beginning."""
    pending: list[tuple[int, ...]] = [()]
    while pending:
        order = pending.pop()
        node = Node()
        running = [program(node, request) for request in requests]
        for number in order:
            next(running[number], None)
        ready = [number for number, step in enumerate(running) if step.gi_frame is not None]
        if not ready:
            yield node
        pending += [(*order, number) for number in ready]


def crashes(program: Program, request: HttpRequest) -> Iterator[Node]:
    """The node after a crash of a delivery at each of its steps."""
    steps = sum(1 for _ in program(Node(), request)) + 1
    for last in range(steps):
        node = Node()
        step = program(node, request)
        for _ in range(last):
            next(step)
        step.close()
        yield node


def finish(node: Node) -> list[str]:
    """What the agent was asked once the queue is worked off."""
    for _ in node.work():
        pass
    return node.turns


TWO_STAGES = [Node.claim_and_queue, Node.claim_and_queue_when_new, Node.in_one_transaction]


@pytest.mark.uncounted
@pytest.mark.parametrize("program", TWO_STAGES)
@pytest.mark.parametrize("deliveries", DELIVERIES.values(), ids=list(DELIVERIES))
def test_two_stages_give_one_turn_in_any_order(program, deliveries):
    counts = [len(finish(node)) for node in schedules(program, deliveries)]
    assert set(counts) == {1}
    assert len(counts) >= 2


@pytest.mark.uncounted
@pytest.mark.parametrize("deliveries", [DELIVERIES["the same event twice"], DELIVERIES["a mention as two events"]])
def test_one_stage_gives_one_turn_in_any_order(deliveries):
    counts = [len(node.turns) for node in schedules(Node.receive, deliveries)]
    assert set(counts) == {1}
    assert len(counts) > 100


def test_after_a_crash_at_any_step_a_retry_is_queued_under_its_key():
    for node in crashes(Node.claim_and_queue, MENTION):
        drive_all(node.claim_and_queue(MENTION))
        assert len(finish(node)) == 1


def test_after_a_crash_a_transaction_of_claim_and_queue_gives_one_turn():
    for node in crashes(Node.in_one_transaction, MENTION):
        drive_all(node.in_one_transaction(MENTION))
        assert len(finish(node)) == 1


def test_a_claim_that_is_queued_only_when_it_is_new_needs_a_transaction():
    counts = []
    for node in crashes(Node.claim_and_queue_when_new, MENTION):
        drive_all(node.claim_and_queue_when_new(MENTION))
        counts.append(len(finish(node)))
    assert counts == [1, 1, 0]  # the last crash is between the claim and the queue


def test_after_a_crash_of_the_worker_at_any_ask_the_turn_is_made_once():
    whole = Node()
    drive_all(whole.claim_and_queue(MENTION))
    steps = sum(1 for _ in whole.work())
    assert steps > 3
    for last in range(steps):
        node = Node()
        drive_all(node.claim_and_queue(MENTION))
        worker = node.work()
        for _ in range(last):
            next(worker)
        worker.close()
        assert len(finish(node)) == 1


def test_after_a_crash_one_stage_needs_the_store_to_know_whether_a_turn_was_made():
    by_flag, by_store = [], []
    for program, counts in ((Node.receive, by_flag), (Node.receive_again, by_store)):
        for node in crashes(program, MENTION):
            drive_all(program(node, MENTION))
            counts.append(len(node.turns))
    assert set(by_store) == {1}
    assert 0 in by_flag


def drive_all(step: Step) -> None:
    for _ in step:
        pass


WORKERS = 6


@pytest.mark.parametrize("deliveries", [(MENTION,) * WORKERS, (MENTION, AS_MESSAGE, EDIT) * (WORKERS // 3)])
def test_of_threads_that_share_a_database_one_makes_the_turn(tmp_path, deliveries):
    path, start = tmp_path / "connector.db", Barrier(WORKERS)
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE used (key TEXT PRIMARY KEY, binding TEXT NOT NULL) WITHOUT ROWID")
        made.execute("CREATE TABLE queue (key TEXT PRIMARY KEY, row BLOB NOT NULL) WITHOUT ROWID")
    made.close()

    def deliver(request: HttpRequest) -> Claimed | Rejected:
        base = sqlite3.connect(path, isolation_level=None, timeout=60)

        def use_once(ask: UseOnce) -> Used:
            put = "INSERT INTO used VALUES (?, ?) ON CONFLICT (key) DO NOTHING"
            if base.execute(put, (ask.key, ask.binding)).rowcount:
                return "first"
            ((binding,),) = base.execute("SELECT binding FROM used WHERE key = ?", (ask.key,))
            return "same" if binding == ask.binding else "other"

        start.wait()
        got: Any = drive(slack.claim(request, now=NOW, settings=SHORT), Answers(use_once=use_once))
        if isinstance(got, Claimed) and got.type == "message":
            base.execute("INSERT INTO queue VALUES (?, ?) ON CONFLICT (key) DO NOTHING", (got.key, dumps(got)))
        base.close()
        return got

    with ThreadPoolExecutor(WORKERS) as pool:
        got = list(pool.map(deliver, deliveries))
    turns = [one for one in got if isinstance(one, Claimed) and one.type == "message" and one.is_new]
    with sqlite3.connect(path) as made:
        rows = made.execute("SELECT row FROM queue").fetchall()
    made.close()
    assert (len(turns), len(rows)) == (1, 1)
    assert decode_trusted(Claimed, rows[0][0]).native_id == turns[0].native_id
