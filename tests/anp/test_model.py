"""The model check as a test, with rules that are wrong: each is found by the invariant that it breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

import pytest

from mentionable import Rejected, anp, format_time, replace
from tests.anp import model
from tests.anp.alphabet import submission
from tests.anp.events import NOW, decided
from tests.anp.invariants import INVARIANTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.anp.invariants import Outcome

SOON: Final = format_time(NOW + model.MINUTE)


def _refused_rows(old: anp.Notification, command: Any, code: str) -> Iterator[int]:
    """The rows of the transition table that a refusal is an example of."""
    is_agents = old.responsible == "agent"
    if code == "already-terminal":
        yield 28
    elif code == "stale-lease":
        yield 27
        if is_agents and isinstance(command, anp.Action):
            yield 13
    elif code == "wrong-owner":
        if is_agents and isinstance(command, anp.ClientAck):
            yield 30
        if old.status == "dispatched" and isinstance(command, anp.CommitTurn) and command.acknowledged:
            yield 29


def _rows(old: anp.Notification, command: Any, outcome: anp.Decision) -> Iterator[int]:
    """The rows that a decision is an example of."""
    kinds = {effect.kind for effect in outcome.effects}
    if "address_demoted" in kinds:
        yield 8
    for number, kind, fits in ROWS:
        if command.kind == kind and fits(old, outcome.record, outcome):
            yield number


ROWS: Final[tuple[tuple[int, str, Callable[[Any, Any, Any], bool]], ...]] = (
    (2, "submit", lambda old, new, made: made.expected is not None and new.revision > old.revision),
    (3, "submit", lambda old, new, made: made.expected is None and old.status not in ("pending", "dispatched")),
    (4, "route", lambda old, new, made: new.status == "pending" and made.effects[-1].kind == "queue"),
    (5, "route", lambda old, new, made: made.effects[-1].kind == "agent_aware"),
    (6, "route", lambda old, new, made: made.effects[-1].kind == "add_fact"),
    (7, "route", lambda old, new, made: [one.kind for one in made.effects][-3:]
        == ["inject_context", "start_turn", "wake_at"]),
    (9, "client_ack", lambda old, new, made: (old.status, new.status) == ("dispatched", "delivered")),
    (10, "delivery_failed", lambda old, new, made: old.status == new.status == "dispatched"),
    (10, "reconnect", lambda old, new, made: old.status == "pending" and [one.kind for one in made.effects]
        == ["dispatch"]),
    (11, "context_committed", lambda old, new, made: new.outcome == "read"),
    (12, "claim", lambda old, new, made: made.path == ("dispatched", "locked")),
    (14, "action", lambda old, new, made: len(made.effects) == 2 and old.responsible == "agent" and new == old),
    (15, "action", lambda old, new, made: (old.routing.target, new.routing.target) == ("agent", "user")),
    (16, "action", lambda old, new, made: len(made.effects) == 3 and old.routing.target == "user"),
    (17, "commit_turn", lambda old, new, made: new.outcome == "narrated"),
    (18, "commit_turn", lambda old, new, made: new.escalation == "silence"),
    (19, "commit_turn", lambda old, new, made: new.outcome in ("vetoed", "spoke")),
    (20, "commit_turn", lambda old, new, made: new == old and old.routing.target == "agent"),
    (21, "turn_failed", lambda old, new, made: new.escalation == "failed"),
    (22, "tick", lambda old, new, made: made.path[-2:] == ("locked", "escalated")),
    (23, "client_ack", lambda old, new, made: (old.status, new.status) == ("escalated", "delivered")),
    (24, "delivery_failed", lambda old, new, made: new.status == "failed"),
    (25, "tick", lambda old, new, made: (old.status, new.status) == ("escalated", "failed")),
    (26, "abandon", lambda old, new, made: new.status == "failed"),
    (31, "extend", lambda old, new, made: new.delivery_deadline == SOON),
)  # fmt: skip


class Watched:
    """What the exploration came by."""

    def __init__(self) -> None:
        self.rows: set[int] = set()
        self.commands: set[str] = set()
        self.effects: set[str] = set()
        self.refusals: dict[str, set[str]] = {}
        self.escalations: set[str] = set()
        self.reasons: set[str] = set()

    def __call__(self, old: anp.Notification | None, command: anp.Command, outcome: Outcome) -> None:
        if isinstance(outcome, Rejected):
            self.rows.update(_refused_rows(old, command, outcome.code) if old else ())
            self.refusals.setdefault(command.kind, set()).add(outcome.code)
            return
        if outcome.record.escalation is not None:
            self.escalations.add(outcome.record.escalation)
        self.reasons.update(one.reason for one in outcome.effects if isinstance(one, anp.DeadLetter))
        self.commands.add(command.kind)
        self.effects.update(effect.kind for effect in outcome.effects)
        self.rows.update(_rows(old, command, outcome) if old else (1,))


@pytest.fixture(scope="module")
def watched():
    return Watched()


@pytest.fixture(scope="module")
def models(watched):
    return model.explored(watched)


def test_every_invariant_holds_on_every_way(models, say):
    for line in model.figures(models):
        say(line)
    assert [(one.route, fault) for one in models for fault in one.broken.values()] == []
    assert sum(one.stuck for one in models) == 0


def test_the_figures_stay_in_their_order_of_magnitude(models):
    assert {one.route[:3] for one in models} == set(anp.ROUTE_TABLE)
    assert 20_000 < sum(one.states for one in models) < 50_000
    assert 150_000 < sum(one.transitions for one in models) < 500_000


def test_only_what_the_system_owned_from_the_start_waits_for_a_user_who_is_gone(models):
    assert {one.route[1:] for one in models if one.parked} == {("user", "system", 0), ("user", "agent", 3)}


def test_every_command_effect_and_row_is_exercised(models, watched):
    assert watched.commands == {one.kind for one in get_args(anp.Command)}
    assert watched.effects == {one.kind for one in get_args(anp.Effect)}
    assert watched.rows == set(range(1, 32))  # row 32 is of lanes


def test_every_reason_and_every_refusal_is_exercised(models, watched):
    assert watched.escalations == {"deadline", "silence", "failed", "no_route"}
    assert watched.reasons == {"presentation", "deadline", "no_route"}
    assert watched.refusals["submit"] == {"wrong-user", "already-submitted"}
    assert watched.refusals["reconnect"] == {"wrong-user", "already-terminal", "unknown-notification"}
    assert watched.refusals["delivery_failed"] == {
        "already-terminal", "stale-lease", "transition-refused", "unknown-notification", "wrong-user",
    }  # fmt: skip
    assert {"stale-revision", "stale-lease", "wrong-holder", "wrong-owner"} <= watched.refusals["turn_failed"]


# --- wrong rules

MEDIATED: Final = ("user", "user", "agent", 0)
AUTONOMOUS: Final = ("user", "agent", "agent", 0)
DIRECT: Final = ("user", "user", "system", 0)
CHAT: Final = ("session", "user", "system", 0)
PASSIVE: Final = ("user", "agent", "system", 0)
WITHHELD: Final = ("session", "user", "agent", model.RULES.depth)


def now_stored(old: anp.Notification, *path: Any, effects: tuple[anp.Effect, ...] = (), **members: Any) -> anp.Decision:
    """A decision as the library would make it, of whatever members."""
    new = replace(old, version=old.version + 1, **members)
    expected = anp.Expected(status=old.status, owner_lease=old.owner_lease, version=old.version)
    return anp.Decision(record=new, expected=expected, path=(old.status, *path), effects=effects)


def with_members(decision: anp.Decision, **members: Any) -> anp.Decision:
    return replace(decision, record=replace(decision.record, **members))


def shown(old: anp.Notification) -> anp.Present:
    return anp.Present(
        id=old.id, revision=old.revision, lease=old.owner_lease, channel="inbox", user_id="olivia", content="x"
    )


def escalates(outcome: Outcome) -> bool:
    return isinstance(outcome, anp.Decision) and outcome.path[-1] == "escalated" != outcome.path[0]


def is_agents(old: anp.Notification) -> bool:
    return old.responsible == "agent"


def escalation_keeps_the_lease(old, command, facts, outcome):
    return with_members(outcome, owner_lease=1) if escalates(outcome) else outcome


def escalation_waits_for_the_lane(old, command, facts, outcome):
    is_held = facts.lane_busy and isinstance(command, anp.Tick) and escalates(outcome)
    return now_stored(old, delivery_deadline=SOON) if is_held else outcome


def the_agent_acts_under_the_lease_that_counts_now(old, command, facts, outcome):
    if isinstance(command, anp.CommitTurn) and command.speaks and old.status == "escalated":
        return now_stored(old, "delivered", status="delivered", outcome="narrated")
    return outcome


def new_words_for_a_locked_event(old, command, facts, outcome):
    if isinstance(command, anp.Submit) and command.id == "e2" and old.status == "locked":
        return now_stored(old, revision=old.revision + 1, delivery_deadline=SOON)
    return outcome


def the_passive_escalates(old, command, facts, outcome):
    if isinstance(command, anp.Tick) and old.status == "dispatched" and old.routing.row.mode == "passive":
        members = {"owner_lease": 2, "escalation": "deadline", "status": "escalated", "delivery_deadline": SOON}
        return now_stored(old, "locked", "escalated", routing=replace(old.routing, target="user"), **members)
    return outcome


def a_client_acknowledges_what_the_agent_owns(old, command, facts, outcome):
    if isinstance(command, anp.ClientAck) and command.lease == 1 and is_agents(old):
        return now_stored(old, *["locked"][: old.status == "dispatched"], "delivered", status="delivered")
    return outcome


def what_a_late_turn_says_is_shown(old, command, facts, outcome):
    if isinstance(command, anp.CommitTurn) and command.speaks and old.status == "escalated" and command.lease == 1:
        told = anp.PresentNarration(
            id=old.id, revision=old.revision, lease=2, narration_id="n1", narration=submission(DIRECT)
        )
        return replace(decided(old, anp.Reconnect(user_id="olivia")), effects=(told,))
    return outcome


def the_agent_may_extend_for_ever(old, command, facts, outcome):
    if isinstance(command, anp.Extend) and outcome_code(outcome) == "deadline-refused":
        return now_stored(old, delivery_deadline=command.until)
    return outcome


def an_action_changes_what_has_ended(old, command, facts, outcome):
    if isinstance(command, anp.Action) and old.is_terminal and isinstance(outcome, anp.Decision):
        return now_stored(old, routing=replace(old.routing, target="user"), actions=("send_mail",))
    return outcome


def silence_delivers(old, command, facts, outcome):
    if isinstance(command, anp.CommitTurn) and escalates(outcome):
        return now_stored(old, *outcome.path[1:-1], "delivered", status="delivered", outcome="vetoed")
    return outcome


def the_human_sees_the_raw_event_too(old, command, facts, outcome):
    if isinstance(command, anp.Route) and any(isinstance(one, anp.Grant) for one in getattr(outcome, "effects", ())):
        return replace(outcome, effects=(*outcome.effects, shown(outcome.record)))
    return outcome


def narrated_after_it_was_shown(old, command, facts, outcome):
    if isinstance(command, anp.CommitTurn) and outcome_code(outcome) == "stale-lease" and old.status == "escalated":
        return what_a_late_turn_says_is_shown(old, command, facts, outcome)
    return outcome


def the_session_comes_back(old, command, facts, outcome):
    if isinstance(outcome, anp.Decision) and old.session_id and old.routing.address == "user" and outcome.changes:
        return with_members(outcome, routing=replace(outcome.record.routing, address="session"))
    return outcome


def an_alert_in_the_middle_of_a_turn(old, command, facts, outcome):
    if isinstance(command, anp.Route) and facts.lane_busy and isinstance(outcome, anp.Decision):
        return replace(decided(old, command), expected=outcome.expected)
    return outcome


def the_version_stays(old, command, facts, outcome):
    return with_members(outcome, version=old.version) if isinstance(outcome, anp.Decision) else outcome


def nobody_looks_after_it(old, command, facts, outcome):
    if isinstance(command, anp.Route) and isinstance(outcome, anp.Decision) and is_agents(outcome.record):
        return with_members(outcome, delivery_deadline=None)
    return outcome


def it_escalates_twice(old, command, facts, outcome):
    return replace(outcome, path=(*outcome.path, "escalated")) if escalates(outcome) else outcome


def what_came_before_comes_again(old, command, facts, outcome):
    is_again = isinstance(command, anp.Submit) and command.id in old.merged and not old.is_terminal
    return now_stored(old, revision=old.revision + 1) if is_again else outcome


def anybody_may_submit_under_any_id(old, command, facts, outcome):
    if outcome_code(outcome) == "wrong-user" and isinstance(command, anp.Submit):
        return now_stored(old, revision=old.revision + 1)
    return outcome


def what_waits_is_not_dispatched_again(old, command, facts, outcome):
    if isinstance(command, anp.Reconnect) and old.status == "pending" and isinstance(outcome, anp.Decision):
        return replace(outcome, effects=())
    return outcome


def a_client_of_another_user_cannot_show_it(old, command, facts, outcome):
    if isinstance(command, anp.DeliveryFailed) and outcome_code(outcome) == "wrong-user":
        return decided(old, replace(command, user_id=None), facts=facts) if old.is_presented else outcome
    return outcome


def a_turn_that_read_old_words_fails_the_new(old, command, facts, outcome):
    if isinstance(command, anp.TurnFailed) and outcome_code(outcome) == "stale-revision" and is_agents(old):
        return decided(old, replace(command, revision=None, holder=old.holder), rules=model.RULES)
    return outcome


def an_old_client_delivers(old, command, facts, outcome):
    if isinstance(command, anp.ClientAck) and old.status == "escalated" and outcome_code(outcome) == "stale-lease":
        return decided(old, replace(command, lease=2, revision=None))
    return outcome


def other_devices_are_not_told(old, command, facts, outcome):
    if isinstance(command, anp.ClientAck) and isinstance(outcome, anp.Decision):
        return replace(outcome, effects=tuple(one for one in outcome.effects if not isinstance(one, anp.Settled)))
    return outcome


def what_is_open_counts_as_settled(old, command, facts, outcome):
    if isinstance(command, anp.Reconnect) and isinstance(outcome, anp.Decision) and old.is_presented:
        gone = anp.Settled(
            id=old.id, revision=old.revision, lease=old.owner_lease, how="seen", surface="inbox", user_id="olivia"
        )
        return replace(outcome, effects=(*outcome.effects, gone))
    return outcome


def the_agent_skips_the_lock(old, command, facts, outcome):
    if isinstance(outcome, anp.Decision) and outcome.path == ("dispatched", "locked", "delivered"):
        return replace(outcome, path=("dispatched", "delivered"))
    return outcome


def another_worker_ends_the_turn(old, command, facts, outcome):
    if isinstance(command, anp.TurnFailed) and outcome_code(outcome) == "wrong-holder":
        return decided(old, replace(command, holder=old.holder), rules=model.RULES)
    return outcome


def a_lost_session_keeps_its_alerts(old, command, facts, outcome):
    if isinstance(command, anp.Reconnect) and isinstance(outcome, anp.Decision):
        return decided(old, command)
    return outcome


def the_watchdog_sleeps_over_the_second_deadline(old, command, facts, outcome):
    return decided(old, anp.Reconnect(user_id="olivia")) if isinstance(command, anp.Tick) else outcome


def what_was_read_is_over_at_once(old, command, facts, outcome):
    if isinstance(command, anp.ContextCommitted) and isinstance(outcome, anp.Decision):
        return now_stored(old, "delivered", status="delivered", outcome="read")
    return outcome


def what_was_read_stays_for_ever(old, command, facts, outcome):
    if isinstance(command, anp.ContextCommitted) and isinstance(outcome, anp.Decision):
        return decided(old, anp.Tick())
    return outcome


def outcome_code(outcome: Outcome) -> str | None:
    return outcome.code if isinstance(outcome, Rejected) else None


WRONG: Final = [
    (another_worker_ends_the_turn, "1", MEDIATED),
    (a_client_acknowledges_what_the_agent_owns, "1", MEDIATED),
    (an_action_changes_what_has_ended, "2", AUTONOMOUS),
    (escalation_keeps_the_lease, "3", MEDIATED),
    (the_session_comes_back, "4", CHAT),
    (it_escalates_twice, "5", AUTONOMOUS),
    (silence_delivers, "6", MEDIATED),
    (a_client_acknowledges_what_the_agent_owns, "6", MEDIATED),
    (what_a_late_turn_says_is_shown, "7", AUTONOMOUS),
    (the_passive_escalates, "8", PASSIVE),
    (nobody_looks_after_it, "9", MEDIATED),
    (the_human_sees_the_raw_event_too, "10", AUTONOMOUS),
    (the_agent_acts_under_the_lease_that_counts_now, "11", MEDIATED),
    (what_a_late_turn_says_is_shown, "11", MEDIATED),
    (new_words_for_a_locked_event, "12", MEDIATED),
    (an_alert_in_the_middle_of_a_turn, "13", DIRECT),
    (the_version_stays, "14", DIRECT),
    (an_old_client_delivers, "15", MEDIATED),
    (escalation_waits_for_the_lane, "16", MEDIATED),
    (the_watchdog_sleeps_over_the_second_deadline, "16", MEDIATED),
    (the_agent_skips_the_lock, "legal-edge", MEDIATED),
    (the_agent_may_extend_for_ever, "cap", MEDIATED),
    (what_came_before_comes_again, "once", MEDIATED),
    (anybody_may_submit_under_any_id, "1", DIRECT),
    (a_client_of_another_user_cannot_show_it, "1", MEDIATED),
    (a_turn_that_read_old_words_fails_the_new, "11", MEDIATED),
    (what_waits_is_not_dispatched_again, "contract", DIRECT),
    (a_lost_session_keeps_its_alerts, "16", CHAT),
    (a_lost_session_keeps_its_alerts, "contract", WITHHELD),
    (other_devices_are_not_told, "settled", DIRECT),
    (what_is_open_counts_as_settled, "settled", CHAT),
    (what_was_read_is_over_at_once, "context", PASSIVE),
    (what_was_read_stays_for_ever, "context", PASSIVE),
    (what_was_read_stays_for_ever, "16", PASSIVE),
]


@pytest.mark.parametrize(("rule", "invariant", "route"), WRONG, ids=lambda one: getattr(one, "__name__", None))
def test_a_wrong_rule_is_found(rule, invariant, route):
    def decide(record, command, *, now, facts, rules):
        outcome = anp.decide(record, command, now=now, facts=facts, rules=rules)
        return outcome if record is None else rule(record, command, facts, outcome)

    found = model.Model(route, decide, until=invariant).run().broken
    assert invariant in found
    assert found[invariant].way[0] == "submit"


@pytest.mark.parametrize("route", [CHAT, WITHHELD, ("session", "user", "agent", 0)], ids=str)
def test_a_client_that_leaves_it_in_the_chat_of_a_session_that_is_gone_is_found(route):
    def receive(shown, seen):
        got = anp.receive_presentation(shown, seen)
        is_moved = seen is not None and (shown.lease, shown.revision) == (seen.lease, seen.revision)
        return replace(got, showing="repeat", seen=seen) if is_moved else got

    assert {"16", "contract"} & model.Model(route, receive=receive).run().broken.keys()


def test_a_client_that_goes_back_to_older_words_is_found():
    def receive(shown, seen):
        return anp.receive_presentation(shown, None)

    assert "15" in model.Model(DIRECT, receive=receive, until="15").run().broken


def test_a_client_that_shows_what_was_settled_is_found():
    def receive(shown, seen):
        return anp.receive_presentation(shown, seen if seen is None or seen.settled is None else None)

    def decide(record, command, **members):
        outcome = anp.decide(record, command, **members)
        return what_is_open_counts_as_settled(record, command, None, outcome) if record is not None else outcome

    assert "settled" in model.Model(DIRECT, decide, receive=receive, until="settled").run().broken


def test_for_every_invariant_there_is_a_wrong_rule():
    assert {invariant for _, invariant, _ in WRONG} == set(INVARIANTS)
