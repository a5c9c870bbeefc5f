"""A host in memory that trusts nobody: what it stores, sends and is told is held against what must be true of it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from mentionable import Rejected, anp
from tests.anp.events import NOW
from tests.anp.invariants import has_sunk, is_edge, is_safe, is_shown_again, of_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mentionable.anp import Notification

MINUTE: Final = timedelta(minutes=1)
SESSIONS: Final = {"s1": "olivia", "s2": "olivia", "s3": "omar"}

WORK: Final = (anp.Dispatch, anp.StartTurn, anp.MustSurface, anp.WakeAt, anp.Present, anp.Update, anp.Settled)
"""The effects for which this host has something to do."""

NEEDLESS: Final = ("already-terminal", "wrong-owner", "wrong-holder")


class World:
    """A host with a ledger, an outbox, a clock, clients, workers that race, and an agent that is not to be trusted."""

    rules: anp.Rules

    def __init__(self) -> None:
        super().__init__()
        self.ledger = anp.Ledger()
        self.now = NOW
        self.ids: list[str] = []
        self.lanes: set[str] = set()
        self.sessions = dict(SESSIONS)
        self.users = {"olivia", "omar"}
        self.carried: set[int] = set()
        self.aware: list[tuple[int, anp.AgentAware]] = []
        self.sent: set[str] = set()
        self.undecided: list[anp.Decision | anp.LaneStep] = []
        self.turns: list[anp.Turn] = []
        self.given: list[tuple[str, anp.Submission]] = []
        self.screen: dict[str, anp.Seen] = {}
        self.acks: list[tuple[str, anp.ClientAck]] = []
        self.leases: dict[str, set[int]] = {}
        self.count = 0

    # --- what a host is made of

    def event(self, id: str) -> Notification:
        found = self.ledger.get(id)
        assert found is not None
        return found

    def all(self) -> dict[str, Notification]:
        return {id: self.event(id) for id in self.ids}

    def facts(self, event: Notification) -> anp.Facts:
        return anp.Facts(
            session_exists=event.session_id is None or event.session_id in self.sessions,
            user_exists=event.user_id in self.users,
        )

    def new_id(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def decide(self, id: str, command: anp.Command) -> anp.Decision | Rejected:
        event = self.event(id)
        return anp.decide(event, command, now=self.now, facts=self.facts(event), rules=self.rules)

    def offer(self, change: anp.Decision | anp.LaneStep | Rejected, *, late: bool = False) -> bool:
        """Stores what was decided, or keeps it until something else may be stored; whether it is stored."""
        if isinstance(change, Rejected):
            return False
        if late:
            self.undecided.append(change)
            return False
        return self.store(change)

    def store(self, change: anp.Decision | anp.LaneStep) -> bool:
        """The compare-and-set of the ledger, held against one of our own."""
        decisions = change.decisions if isinstance(change, anp.LaneStep) else (change,)
        before = {one.record.id: self.ledger.get(one.record.id) for one in decisions}
        outbox = len(self.ledger.outbox)
        fits = all(self._fits(one, before[one.record.id]) for one in decisions)
        lane = None
        if isinstance(change, anp.LaneStep):
            lane = self.ledger.lane(change.lane.id)
            fits = fits and lane.version == change.expected
        assert self.ledger.commit(change) == fits
        effects = change.all_effects if isinstance(change, anp.LaneStep) else change.effects
        assert tuple(self.ledger.outbox[outbox:]) == (effects if fits else ())  # 14
        for one in decisions:
            if not fits:
                assert self.ledger.get(one.record.id) is before[one.record.id]
                continue
            self._holds(before[one.record.id], one)
            if before[one.record.id] is None:
                self.ids.append(one.record.id)
        if fits:
            for place, effect in enumerate(effects, outbox):
                self._emitted(effect)
                if not isinstance(effect, WORK):
                    self.carried.add(place)
                if isinstance(effect, anp.AgentAware):
                    self.aware.append((place + 1, effect))
                if isinstance(effect, (anp.Present, anp.AddFact)):
                    self.sent.add(effect.id)
            if lane is not None and isinstance(change, anp.LaneStep):
                self._serial(lane, change)
        return fits

    def _fits(self, decision: anp.Decision, stored: Notification | None) -> bool:
        if decision.expected is not None:
            return stored is not None and stored.version == decision.expected.version
        key = decision.record.deduplication_key
        twins = self.ledger.open(decision.record.user_id, deduplication_key=key) if key else ()
        return stored is None and not twins

    def _holds(self, old: Notification | None, decision: anp.Decision) -> None:
        """2, 3, 4, 5, 9 and the legal edges."""
        new = decision.record
        assert [name for name, holds in of_record(new, self.rules.cap) if not holds] == []
        if old is None:
            assert new.routing == new.requested or new.origin == "agent"
            return
        assert is_safe(old, decision)
        assert not old.is_terminal or new == old
        assert new.owner_lease >= old.owner_lease
        assert new.requested == old.requested
        assert has_sunk(old.routing, new.routing)
        assert all(is_edge(old, *edge) for edge in zip(decision.path, decision.path[1:], strict=False))
        if new.routing.address != old.routing.address and old.status == new.status == "dispatched":
            assert is_shown_again(old, decision)
        if new.outcome == "seen" and new != old:
            assert self.screen[new.id].lease == new.owner_lease

    def _emitted(self, effect: anp.Effect) -> None:
        """6, 7 and 10: the human is shown an event in one way, and not by the system while the agent handles it."""
        assert not isinstance(effect, anp.PresentNarration)
        if isinstance(effect, (anp.Present, anp.Update)) and effect.channel in ("inbox", "chat"):
            self.leases.setdefault(effect.id, set()).add(effect.lease)
            event = self.event(effect.id)
            assert event.routing.handler == "system"
            assert event.routing.target == "user"
            assert event.outcome != "narrated"
            assert len(self.leases[effect.id]) == 1

    def _serial(self, lane: anp.Lane, step: anp.LaneStep) -> None:
        """13: no alert inside a turn, and what waited comes before the next one, in order."""
        self.lanes.add(lane.id)
        shown = [one.id for one in step.all_effects if isinstance(one, anp.Present)]
        if step.turn is not None:
            assert not lane.waiting
            self.turns.append(step.turn)
        elif step.lane.turn is not None:
            assert not shown
            assert step.lane.waiting[: len(lane.waiting)] == lane.waiting
        elif lane.turn is not None:
            assert [id for id in shown if id in lane.waiting] == [id for id in lane.waiting if id in shown]
            assert all(self.event(id).status != "pending" for id in lane.waiting)

    # --- plugins, the outbox and clients

    def plugin(self, route: Any, session: str, key: str | None, *, depth: int = 0, late: bool = False) -> None:
        address, target, handler = route
        submission = anp.Submission(
            content=f"Event {self.count}.",
            user_id=SESSIONS[session],
            routing=anp.Routing(address=address, target=target, handler=handler),
            session_id=session,
            deduplication_key=key,
            depth=depth,
        )
        self.given.append((self.new_id("e"), submission))
        self.submits(submission, self.given[-1][0], late=late)

    def submits(self, submission: anp.Submission, id: str, *, late: bool = False) -> anp.Decision | Rejected:
        key = submission.deduplication_key
        found = self.ledger.get(id) or next(
            iter(self.ledger.open(submission.user_id, deduplication_key=key) if key else ()), None
        )
        outcome = anp.decide(found, anp.Submit(submission=submission, id=id), now=self.now, rules=self.rules)
        self.offer(outcome, late=late)
        return outcome

    def goes_on(self, steps: int) -> None:
        for _ in range(steps):
            for place in self.left():
                self.carries(place)

    def left(self) -> list[int]:
        """The effects that nobody has carried out yet."""
        return [place for place in range(len(self.ledger.outbox)) if place not in self.carried]

    def carries(self, place: int, *, late: bool = False) -> None:
        effect = self.ledger.outbox[place]
        self.carried.add(place)
        if isinstance(effect, anp.Dispatch):
            event = self.event(effect.id)
            facts = self.facts(event)
            lane = self.ledger.lane(anp.lane_of(event, facts=facts, rules=self.rules))
            step = anp.dispatch(lane, event, now=self.now, facts=facts, rules=self.rules)
            assert not isinstance(step, Rejected) or event.status != "pending"
            self._again_unless(self.offer(step, late=late) or isinstance(step, Rejected), place)
        elif isinstance(effect, anp.StartTurn):
            event = self.event(effect.id)
            begun = self.begins(event.user_id, event.addressed_session, trigger=event, late=late)
            self._again_unless(begun, place)
        elif isinstance(effect, anp.MustSurface) and effect.notice is not None and effect.notice_id is not None:
            self.submits(effect.notice, effect.notice_id)
        elif isinstance(effect, anp.WakeAt):
            self.offer(self.decide(effect.id, anp.Tick()), late=late)
        elif isinstance(effect, anp.Settled):
            self.settles(effect)
        else:
            shown = anp.presentation(effect)
            if shown is not None:
                self.presents(shown)

    def _again_unless(self, done: bool, place: int) -> None:
        """What could not be stored or has to wait is to be carried out again."""
        if not done:
            self.carried.discard(place)

    def presents(self, shown: anp.Presentation) -> None:
        """A client shows something, as it is told to; or there is none."""
        if shown.user_id not in self.users or (shown.surface == "chat" and shown.session_id not in self.sessions):
            self.offer(self.decide(shown.id, anp.DeliveryFailed(lease=shown.lease)))
            return
        before = self.screen.get(shown.id)
        got = anp.receive_presentation(shown, before)
        self.screen[shown.id] = got.seen
        if got.ack is not None:
            self.acks.append((shown.id, got.ack))
        if before is None or before.settled is not None:
            is_new = before is None or shown.lease > before.lease
            assert got.showing == ("show" if is_new else "stale")
            return
        here, there = ((one.lease, one.revision) for one in (shown, before))
        has_moved = here == there and (before.surface, shown.surface) == ("chat", "inbox")  # its chat is gone
        assert (got.showing == "replace") == (here > there or has_moved)
        assert got.showing == "replace" or got.seen == before

    def settles(self, settled: anp.Settled) -> None:
        """A client is told that nothing more comes under a lease."""
        before = self.screen.get(settled.id)
        got = anp.receive_settled(settled, before)
        self.screen[settled.id] = got.seen
        assert got.ack is None
        is_later = before is None or before.lease < settled.lease
        is_open = before is not None and before.lease == settled.lease and before.settled is None
        assert (got.showing == "settle") == (is_later or is_open)
        assert got.showing == "settle" or got.seen == before

    def before_humans(self) -> list[anp.Seen]:
        """What stands where a human can see it."""
        sessions = {id: self.event(id).session_id for id in self.screen}
        return [one for one in self.screen.values() if one.surface == "inbox" or sessions[one.id] in self.sessions]

    # --- the agent

    def running(self) -> list[anp.Turn]:
        """The turns that have a lane."""
        ids = {lane.turn.id for id in self.lanes if (lane := self.ledger.lane(id)).turn is not None}
        return [turn for turn in self.turns if turn.id in ids]

    def begins(
        self, user: str, session: str | None, *, trigger: Notification | None = None, late: bool = False,
        holder: str | None = None,
    ) -> bool:  # fmt: skip
        """Begins a turn; whether there is nothing left to do about it."""
        lane = self.ledger.lane(anp.lane_id(user, session, rules=self.rules))
        step = anp.begin_turn(
            lane, self.new_id("t"), user_id=user, session_id=session, trigger=trigger,
            context=anp.TurnContext(events=self.ledger.open(user), aware=self.aware),
            holder=holder, now=self.now, rules=self.rules,
        )  # fmt: skip
        if isinstance(step, Rejected):
            assert (step.code == "lane-busy") == (lane.turn is not None)
            assert step.code in (*NEEDLESS, "lane-busy")
            return step.code != "lane-busy"
        assert step.turn is not None
        for one in (*step.turn.grants, *step.turn.facts):  # nobody hears of what is another's
            event = self.event(one.id)
            assert (event.user_id, event.addressed_session or session) == (user, session)
            assert event.responsible == ("agent" if one in step.turn.grants else "system")
            assert event.holder in (None, holder)
        return self.offer(step, late=late)

    def some_turn(self, pick: int) -> anp.Turn:
        """One that runs, or else one of the last."""
        some = self.running() if pick % 8 else self.turns[-3:]
        some = some or self.turns[-3:]
        return some[pick % len(some)]

    def all_facts(self) -> dict[str, anp.Facts]:
        return {id: self.facts(event) for id, event in self.all().items()}

    def ends(self, turn: anp.Turn, how: str, acks: int, *, late: bool = False) -> None:
        given: dict[str, Any] = {
            "events": self.all(), "now": self.now, "facts": self.all_facts(), "rules": self.rules,
        }  # fmt: skip
        lane = self.ledger.lane(turn.lane_id)
        runs = lane.turn is not None and lane.turn.id == turn.id
        if how == "fail":
            step = anp.fail_turn(lane, turn.id, **given)
        else:
            listed = [one.id for place, one in enumerate(turn.grants) if acks >> place & 1] + self.ids[:1]
            step = anp.commit_turn(
                lane, turn, output={"say": "Look!", "blank": " \n"}.get(how), acknowledged_ids=listed,
                narration_id=self.new_id("n"), **given,
            )  # fmt: skip
        assert isinstance(step, Rejected) != runs  # a turn that lost its lane says nothing
        if how == "fail" and lane.turn is not None and not isinstance(step, Rejected):
            self.has_failed(lane.turn, step)
        self.offer(step, late=late)

    def has_failed(self, turn: anp.RunningTurn, step: anp.LaneStep) -> None:
        """What a turn that broke off was begun for goes to the system, unless others have it or its words are newer."""
        event = self.ledger.get(turn.trigger) if turn.trigger is not None else None
        if event is not None and event.responsible == "agent" and event.holder in (None, turn.holder):
            has_failed = event.id in [one.record.id for one in step.decisions if one.record.escalation == "failed"]
            assert has_failed == (event.revision == turn.revision)

    def reads(self, user: str, session: str | None) -> None:
        """A turn in which the agent does nothing."""
        count = len(self.turns)
        if self.begins(user, session) and len(self.turns) > count:
            self.ends(self.turns[-1], "silent", 0)

    # --- the watchdog

    def watches(self, most: int, *, late: bool = False) -> None:
        """Whatever is due comes a step further each time it is looked at."""
        for one in self.ledger.due(self.now, limit=most):
            if isinstance(one, anp.Lane):
                step = anp.lane_tick(one, events=self.all(), now=self.now, facts=self.all_facts(), rules=self.rules)
                assert step.lane.turn is None
                assert one.turn is not None
                assert step.stopped == one.turn.id
                self.has_failed(one.turn, step)
                self.offer(step, late=late)
            else:
                outcome = self.decide(one.id, anp.Tick())
                assert isinstance(outcome, anp.Decision)
                assert outcome.record.status in ("escalated", "failed")
                self.offer(outcome, late=late)

    def _late(self) -> Sequence[anp.Decision]:
        steps = [one.decisions if isinstance(one, anp.LaneStep) else (one,) for one in self.undecided]
        return [one for some in steps for one in some]
