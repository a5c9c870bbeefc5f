"""Many events, users, sessions and workers at once, through lanes, turns and a store; and in the end all is told."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from mentionable import Rejected, anp, replace
from tests.anp.host import MINUTE, SESSIONS, World
from tests.anp.invariants import is_shown_again

if TYPE_CHECKING:
    from mentionable.anp import Notification

ROUTES: Final = tuple(anp.ROUTE_TABLE)
WORKERS: Final = ("w1", "w2", None)
SESSION: Final = st.sampled_from(sorted(SESSIONS))
KEY: Final = st.sampled_from([None, None, "k1", "k2"])
PICK: Final = st.integers(0, 999)
LATE: Final = st.sampled_from((False, False, True))
"""Whether somebody decides now and stores later, upon what they have read now."""


class Host(World, RuleBasedStateMachine):
    """Everything that can happen to the host, and what is true after each step."""

    @initialize(
        lanes=st.sampled_from(["user", "session"]), attempts=st.integers(1, 2), kept=st.integers(0, 2),
        first=st.lists(st.tuples(st.sampled_from(ROUTES), SESSION, KEY), min_size=3, max_size=6),
    )  # fmt: skip
    def begin(self, lanes: Any, attempts: int, kept: int, first: list[tuple[Any, str, str | None]]) -> None:
        self.rules = anp.Rules(
            ttl=2 * MINUTE, cap=6 * MINUTE, turn_ttl=5 * MINUTE, system_ttl=30 * MINUTE, attempts=attempts, depth=2,
            lanes=lanes, context_ttl=kept * MINUTE,
        )  # fmt: skip
        for route, session, key in first:
            self.plugin(route, session, key)
        self.goes_on(2)

    # --- plugins

    @rule(
        routes=st.lists(st.sampled_from(ROUTES), min_size=1, max_size=3), session=SESSION, key=KEY,
        depth=st.sampled_from([0, 0, 0, 0, 0, 1, 2]), steps=st.integers(0, 2), late=LATE,
    )  # fmt: skip
    def submit(self, routes: Any, session: str, key: str | None, depth: int, steps: int, late: bool) -> None:
        """Plugins submit some events, which get so many steps further at once."""
        for route in routes:
            self.plugin(route, session, key, depth=depth, late=late)
        self.goes_on(steps)

    @precondition(lambda self: self.given)
    @rule(pick=PICK, user=st.sampled_from(["olivia", "omar"]))
    def submit_again(self, pick: int, user: str) -> None:
        """A plugin does not know whether what it submitted arrived; or another one takes its id."""
        id, submission = self.given[-1 - pick % len(self.given)]
        known = {one.id for one in self.all().values()}
        if user == submission.user_id:  # what was merged is known while its event is open to be merged into
            key = submission.deduplication_key or ""
            known.update(*(one.merged for one in self.ledger.open(user, deduplication_key=key)))
            outcome = self.submits(submission, id)
            assert (isinstance(outcome, Rejected) and outcome.code == "already-submitted") == (id in known)
        elif id in known:
            outcome = self.submits(replace(submission, user_id=user), id)
            assert isinstance(outcome, Rejected)
            assert outcome.code == "wrong-user"

    @precondition(lambda self: self.running())
    @rule(pick=PICK, count=st.integers(1, 3), late=LATE)
    def alert(self, pick: int, count: int, late: bool) -> None:
        """The system has something to say in the middle of a turn."""
        turn = self.running()[pick % len(self.running())]
        session = turn.session_id or ("s3" if turn.user_id == "omar" else "s1")
        for _ in range(count):
            self.plugin(("session" if turn.session_id else "user", "user", "system"), session, None, late=late)
        self.goes_on(1)

    # --- the outbox, and clients

    @precondition(lambda self: self.ledger.outbox)
    @rule(picks=st.lists(PICK, min_size=1, max_size=4), again=st.sampled_from([False, False, False, True]), late=LATE)
    def carry_out(self, picks: list[int], again: bool, late: bool) -> None:
        """Effects in any order, some of them again."""
        for pick in picks:
            some = [*range(len(self.ledger.outbox))] if again else self.left()
            if some:
                self.carries(some[pick % len(some)], late=late)

    @precondition(lambda self: self.acks)
    @rule(pick=PICK, wrong=st.sampled_from([0, 0, 0, 1, -1]), says=st.booleans(), late=LATE)
    def acknowledge(self, pick: int, wrong: int, says: bool, late: bool) -> None:
        """A client says what it has shown, maybe long ago, or something wrong."""
        id, ack = self.acks[-1 - pick % len(self.acks)]
        command = replace(ack, lease=(ack.lease or 0) + wrong, revision=ack.revision if says else None)
        outcome = self.decide(id, command)
        assert not wrong or isinstance(outcome, Rejected)  # 11, 15
        self.offer(outcome, late=late)

    @precondition(lambda self: self.acks)
    @rule(pick=PICK, user=st.sampled_from(["olivia", "omar"]), is_final=st.booleans())
    def cannot_show(self, pick: int, user: str, is_final: bool) -> None:
        """A client says that it could not show something, maybe that of another user."""
        id, ack = self.acks[-1 - pick % len(self.acks)]
        outcome = self.decide(id, anp.DeliveryFailed(lease=ack.lease, user_id=user, is_final=is_final))
        assert ack.user_id == user or isinstance(outcome, Rejected)
        self.offer(outcome)

    @precondition(lambda self: self.ids)
    @rule(pick=PICK, user=st.sampled_from(["olivia", "omar"]), late=LATE)
    def reconnect(self, pick: int, user: str, late: bool) -> None:
        event = self.event(self.ids[pick % len(self.ids)])
        outcome = self.decide(event.id, anp.Reconnect(user_id=user))
        assert isinstance(outcome, Rejected) == (event.user_id != user or event.is_terminal)
        assert isinstance(outcome, Rejected) or is_shown_again(event, outcome)
        self.offer(outcome, late=late)

    # --- the agent

    @rule(session=st.sampled_from([None, *SESSIONS]), holder=st.sampled_from(WORKERS), late=LATE)
    def converse(self, session: str | None, holder: str | None, late: bool) -> None:
        """The user speaks."""
        user = SESSIONS.get(session or "s1", "olivia")
        if user in self.users and session in (None, *self.sessions) and self.ledger.open(user):
            self.begins(user, session, holder=holder, late=late)

    @precondition(lambda self: self.turns)
    @rule(pick=PICK, worker=st.sampled_from(WORKERS[:2]), until=st.integers(1, 9), late=LATE)
    def claim_or_extend(self, pick: int, worker: str, until: int, late: bool) -> None:
        """A worker wants an event for itself, or more time for it."""
        turn = self.some_turn(pick)
        for grant in turn.grants[:2]:
            at = (self.now + until * MINUTE).isoformat()
            command: anp.Command = anp.Extend(lease=grant.lease, until=at, holder=turn.holder)
            if until > 4:
                command = anp.Claim(lease=grant.lease, holder=worker)
            self.offer(self.decide(grant.id, command), late=late)

    @precondition(lambda self: self.turns)
    @rule(pick=PICK, word=st.sampled_from(["internal", "external", None]), late=LATE)
    def act(self, pick: int, word: str | None, late: bool) -> None:
        turn = self.some_turn(pick)
        lane = self.ledger.lane(turn.lane_id)
        step = anp.act(
            lane, turn, "mail", word, events=self.all(), now=self.now, facts=self.all_facts(), rules=self.rules
        )
        if isinstance(step, Rejected):
            return
        told = [one for one in step.all_effects if isinstance(one, anp.MustSurface)]
        assert bool(told) == (word != "internal")
        known = {decision.record.id: decision.record for decision in step.decisions}
        assert all(one.notice is not None or "mail" in known[one.id].actions for one in told)
        self.offer(step, late=late)

    @precondition(lambda self: self.turns)
    @rule(pick=PICK, how=st.sampled_from(["say", "say", "say", "silent", "blank", "fail"]), acks=PICK, late=LATE)
    def end_turn(self, pick: int, how: str, acks: int, late: bool) -> None:
        """A turn ends, maybe one that lost its lane long ago; it acknowledges some of what it was granted, and more."""
        self.ends(self.some_turn(pick), how, acks, late=late)

    # --- the watchdog, the clock and the world

    @rule(minutes=st.sampled_from([0, 1, 1, 2, 6]), most=st.integers(1, 3), late=LATE)
    def time_passes(self, minutes: int, most: int, late: bool) -> None:
        self.now += minutes * MINUTE
        self.watches(most, late=late)

    @precondition(lambda self: any(not event.is_terminal for event in self.all().values()))
    @rule(pick=PICK, order=st.permutations(range(5)))
    def race(self, pick: int, order: list[int]) -> None:
        """Workers, the watchdog and a client decide upon the same event: whoever is first has won, and nobody else."""
        some = [event for event in self.all().values() if not event.is_terminal]
        event = some[pick % len(some)]
        lease = event.owner_lease
        commands: list[anp.Command] = [anp.Tick(), anp.TurnFailed(lease=lease, holder="w1"), anp.Abandon()]
        commands += [anp.Claim(lease=lease, holder=holder) for holder in ("w1", "w2")]
        outcomes = [self.decide(event.id, commands[place]) for place in order[:3]]
        changes = [one for one in outcomes if isinstance(one, anp.Decision) and one.changes]
        assert [self.store(one) for one in changes] == [place == 0 for place in range(len(changes))]

    @precondition(lambda self: self.undecided)
    @rule(pick=PICK)
    def store_late(self, pick: int) -> None:
        """A decision of some time ago is to be stored: only where nothing else was."""
        self.store(self.undecided.pop(pick % len(self.undecided)))

    @precondition(lambda self: len(self.sessions) == len(SESSIONS))
    @rule(session=st.sampled_from(sorted(SESSIONS)))
    def close_session(self, session: str) -> None:
        del self.sessions[session]

    @precondition(lambda self: "omar" in self.users and self.count > 20)
    @rule()
    def user_leaves(self) -> None:
        self.users.discard("omar")

    # --- what is true at any time

    @invariant()
    def one_open_event_has_a_key(self) -> None:
        """12, and what the ledger says is open."""
        events = self.all().values()
        keys = [
            (one.user_id, one.deduplication_key)
            for one in events
            if one.deduplication_key and one.status in ("pending", "dispatched")
        ]
        assert len(set(keys)) == len(keys)
        for user in ("olivia", "omar"):
            is_open = [one.id for one in events if one.user_id == user and not one.is_terminal]
            assert [one.id for one in self.ledger.open(user)] == is_open

    @invariant()
    def the_watchdog_knows_whatever_waits_for_the_clock(self) -> None:
        waiting: list[Notification | anp.Lane] = [one for one in self.all().values() if not one.is_terminal]
        waiting += [self.ledger.lane(id) for id in self.lanes]
        deadline = anp.next_deadline(waiting)
        due = self.ledger.due(self.now, limit=10_000)
        assert bool(due) == (deadline is not None and deadline <= self.now)
        times = [anp.next_deadline([one]) for one in due]
        assert times == sorted(time for time in times if time is not None)
        mine = [anp.next_deadline([one]) for one in waiting]
        assert len(due) == sum(time is not None and time <= self.now for time in mine)
        if due:
            assert times[0] == deadline
        if deadline is not None:
            assert self.ledger.due(deadline, limit=1)
            assert not self.ledger.due(deadline - timedelta(milliseconds=1), limit=1)

    @invariant()
    def alerts_wait_only_while_a_turn_runs(self) -> None:
        """13, and that nothing waits twice."""
        for id in self.lanes:
            lane = self.ledger.lane(id)
            assert not lane.waiting or lane.turn is not None
            assert len(set(lane.waiting)) == len(lane.waiting)

    @invariant()
    def nothing_is_lost(self) -> None:
        """9: somebody looks after whatever is open: a deadline, an effect that was stored, or a lane."""
        outbox = self.ledger.outbox
        left = {outbox[place].id for place in self.left() if isinstance(outbox[place], anp.Dispatch)}
        waiting = {id for lane in self.lanes for id in self.ledger.lane(lane).waiting}
        late = {one.record.id for one in self._late()}
        for event in self.all().values():
            if event.is_terminal or event.is_watched:
                assert event.is_terminal or event.delivery_deadline is not None
            elif event.status == "pending":
                assert event.id in left | waiting | late
            else:
                assert event.id in self.sent

    def teardown(self) -> None:
        """16: the agent falls silent for ever. Clock, watchdog and clients alone bring everything to an end."""
        if not hasattr(self, "rules"):
            return
        self.undecided.clear()
        for _ in range(8):
            for place in self.left():
                if not isinstance(self.ledger.outbox[place], anp.StartTurn):
                    self.carries(place)
            if all(one.is_terminal for one in self.all().values()):
                break
            for seen in self.before_humans():
                ack = anp.acknowledge(seen, user_id=self.event(seen.id).user_id)
                self.offer(self.decide(seen.id, ack))
            for user in sorted(self.users):
                for event in self.ledger.open(user):
                    self.offer(self.decide(event.id, anp.Reconnect(user_id=user)))
                for session in (None, *self.sessions):
                    if session is None or self.sessions[session] == user:
                        self.reads(user, session)
            self.now += 31 * MINUTE
            self.watches(10_000)
        left = [one for one in self.all().values() if not one.is_terminal]
        assert [one for one in left if one.user_id in self.users or one.is_watched] == []


TestHost = Host.TestCase
TestHost.settings = settings(max_examples=2 * settings.default.max_examples, stateful_step_count=60)
