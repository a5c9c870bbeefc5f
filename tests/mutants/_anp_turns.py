"""Mutants of turns: what an agent says and acknowledges, what it is granted, and how its turns end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from mentionable.anp import _agent, _commands, _decide, _store, _turn, _watchdog
from mentionable.anp import _present as _presented
from tests.mutants._answers import mends, quiet, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants._edits import Edit

AREA: Final = "anp"
TURN: Final = ("anp.turn",)


def turns(name: str, rule: str, *edits: Edit, when: Callable[[Any], bool] | None = None) -> None:
    """Registers a mutant of turns: the library with these edits."""
    written(AREA, TURN, f"turn-{name}", rule, *edits, when=when)


def has(*kinds: str, least: int = 1) -> Callable[[Any], bool]:
    """Whether a script has so many steps of one of these kinds."""
    return lambda unit: sum(kind in step for step in unit["steps"] for kind in kinds) >= least


# --- grants and leases

COMMIT: Final = _turn.commit_turn
ACT: Final = _turn.act
AT_ONCE: Final = "for read in turn.facts:"
FORCED: Final = (
    "for id in acknowledged - {grant.id for grant in turn.grants}:\n"
    "        if id in events and not events[id].is_terminal:\n"
    "            step = Step(events[id], None, NOTHING_SPECIAL, rules, now)\n"
    "            world.decisions.append(step.to(step.change(status='delivered'), 'delivered', effects=[]))\n    "
)
turns(
    "current-lease",
    "Checks what the agent acknowledges against the lease that counts now.",
    (COMMIT, "lease=grant.lease", "lease=events[grant.id].owner_lease"),
)
turns(
    "acts-under-current-lease",
    "Checks an action against the lease that counts now.",
    (ACT, "lease=grant.lease", "lease=events[grant.id].owner_lease"),
)
turns(
    "ungranted-delivers",
    "Delivers whatever the agent acknowledges, granted or not.",
    (COMMIT, AT_ONCE, FORCED + AT_ONCE),
)
turns(
    "guessed-delivers",
    "Delivers what the agent owns and acknowledges, whether or not it stood in the prompt.",
    (
        COMMIT,
        AT_ONCE,
        FORCED.replace("in events and", "in events and events[id].routing.handler == 'agent' and") + AT_ONCE,
    ),
)
turns(
    "escalated-delivers",
    "Lets an agent end what the watchdog took.",
    (COMMIT, AT_ONCE, FORCED.replace("not events[id].is_terminal", "events[id].status == 'escalated'") + AT_ONCE),
)
quiet(AREA, TURN, "acknowledgement-ignored", "narration-withheld")
turns(
    "reports-all",
    "Reports every acknowledgement as one of nothing.",
    (_turn._odd, "acknowledged - {grant.id for grant in turn.grants}", "acknowledged"),
    when=lambda unit: not any("narrate" in str(step) for step in unit["steps"]) and len(unit["steps"]) < 4,
)
turns("any-revision", "Takes what was said of old words for new ones.", (COMMIT, "revision=grant.revision,", ""))
turns(
    "any-revision-of-facts",
    "Takes a fact for read whose old words were.",
    (COMMIT, ", revision=read.revision", ""),
)
turns(
    "anybody-commits",
    "Lets a worker end what another has claimed.",
    (COMMIT, "holder=turn.holder", "holder=events[grant.id].holder"),
)
turns(
    "holder-forgotten",
    "Forgets which worker a turn is.",
    (COMMIT, "holder=turn.holder", "holder=None"),
    (ACT, "holder=turn.holder", "holder=None"),
)
written(
    AREA,
    (*TURN, "anp.commit_turn"),
    "turn-stale-commits",
    "Lets a turn end that has lost its lane.",
    (COMMIT, "no = _fenced(lane, turn)", "no = None"),
)
written(
    AREA,
    ("anp.commit_turn",),
    "turn-own-commits-refused",
    "Takes the turn that has the lane for one that lost it.",
    (COMMIT, "no = _fenced(lane, turn)", "no = refused('stale-turn')"),
)
turns("stale-acts", "Lets a turn act that has lost its lane.", (ACT, "no = _fenced(lane, turn)", "no = None"))
turns(
    "stale-fails",
    "Lets a turn break off that has lost its lane.",
    (_turn.fail_turn, "no = _not_running(lane, turn_id)", "no = None"),
)
turns(
    "late-is-refused",
    "Refuses what comes after the deadline, whoever owns the event.",
    (
        _agent.commit_turn,
        'if record.routing.target == "user":',
        "if step.now >= parse_time(record.delivery_deadline or '9999-12-31T00:00:00Z'):\n"
        "        return refused('stale-lease')\n    if record.routing.target == \"user\":",
    ),
)
turns(
    "late-turn-is-refused",
    "Refuses what a turn says after its time, though nobody took its lane.",
    (
        COMMIT,
        "if no is not None:",
        "if lane.turn is not None and now >= parse_time(lane.turn.deadline):\n        return refused('stale-turn')\n"
        "    if no is not None:",
    ),
)
turns(
    "ended-again",
    "Lets what is delivered or failed be changed.",
    (_decide.decide, "record.is_terminal and command.__class__ is not Action", "False"),
)
turns(
    "blind-store-of-lanes",
    "Stores a lane whatever is stored.",
    (_store.Ledger.commit, "self.lane(one.lane.id).version == one.expected", "True"),
)
turns(
    "blind-store-of-events",
    "Stores an event whatever is stored.",
    (_store.Ledger._fits, "(stored.status, stored.owner_lease, stored.version) == (", "True or () == ("),
)
DOUBLES: Final = (
    "if len(list(acknowledged_ids)) > len(set(acknowledged_ids)):\n        return refused('malformed')\n    "
)
turns(
    "doubles-refused",
    "Refuses an id that stands twice among those acknowledged.",
    (COMMIT, "world, acknowledged =", DOUBLES + "world, acknowledged ="),
)

# --- words and silence

ENDS: Final = _agent.commit_turn
SPEAKS: Final = 'return _delivered(step, "narrated") if command.speaks else escalate(step, "silence")'
turns("silence-delivers", "Takes silence for delivery.", (ENDS, SPEAKS, 'return _delivered(step, "narrated")'))
turns(
    "silence-waits",
    "Lets what the human was promised wait for its deadline.",
    (ENDS, SPEAKS, SPEAKS.replace('escalate(step, "silence")', "step.stay()")),
)
turns(
    "silent-acknowledgement-delivers",
    "Takes an acknowledgement without words for delivery to a human.",
    (ENDS, SPEAKS, SPEAKS.replace("if command.speaks", "if command.speaks or command.acknowledged")),
)
turns(
    "blanks-are-words",
    "Takes blanks for something said.",
    (_commands.CommitTurn.speaks, "self.output is not None and shows_something(self.output)", "bool(self.output)"),
)
turns(
    "words-need-an-acknowledgement",
    "Takes what the agent says for nothing where it does not list the id too.",
    (COMMIT, "is_trigger=grant.id == turn.trigger", "is_trigger=False"),
)
turns(
    "words-are-for-all",
    "Takes what the agent says for said of all that stood in its prompt.",
    (COMMIT, "is_trigger=grant.id == turn.trigger", "is_trigger=True"),
)
turns(
    "all-acknowledged",
    "Takes all that stood in the prompt for acknowledged.",
    (COMMIT, "acknowledged=grant.id in acknowledged", "acknowledged=True"),
)
turns(
    "only-the-trigger",
    "Ends only the event that started the turn.",
    (COMMIT, "acknowledged=grant.id in acknowledged", "acknowledged=grant.id in acknowledged & {turn.trigger}"),
)
turns(
    "bystanders-taken",
    "Takes every event that the human was promised from an agent that is silent.",
    (ENDS, "command.is_trigger)", "command.is_trigger or not command.speaks)"),
)
turns(
    "unacknowledged-vetoed",
    "Takes silence without an acknowledgement for a veto.",
    (ENDS, "if not command.acknowledged:", "if False:"),
)
turns(
    "unacknowledged-spoke",
    "Takes words without an acknowledgement for an answer to an event that is offered again.",
    (ENDS, "if not command.acknowledged:", "if not command.acknowledged and not command.speaks:"),
)
turns(
    "unacknowledged-taken",
    "Takes an event from the agent that it did not acknowledge in its first turn.",
    (ENDS, "return step.stay()\n    return _delivered", 'return escalate(step, "silence")\n    return _delivered'),
)
turns(
    "no-veto",
    "Forbids silence to an agent that acknowledges.",
    (
        ENDS,
        'return _delivered(step, "spoke" if command.speaks else "vetoed")',
        'return _delivered(step, "spoke") if command.speaks else escalate(step, "silence")',
    ),
)
turns(
    "veto-stays",
    "Offers again what the agent has vetoed.",
    (
        ENDS,
        'return _delivered(step, "spoke" if command.speaks else "vetoed")',
        'return _delivered(step, "spoke") if command.speaks else step.stay()',
    ),
)
turns(
    "spoke-is-a-veto",
    "Notes a veto where the agent spoke.",
    (ENDS, '"spoke" if command.speaks else "vetoed"', '"vetoed"'),
)
turns(
    "unlocked-delivery",
    "Delivers from dispatched at once, though workers may contend.",
    (_agent._delivered, '("locked", "delivered")', '("delivered",)'),
    when=lambda unit: len(unit["events"]) == 1,
)
turns(
    "locked-twice",
    "Locks a second time what a worker has claimed.",
    (_agent._delivered, '("delivered",) if step.record.status == "locked" else', ""),
)
turns(
    "autonomous-is-not-narrated",
    "Keeps back what the agent says of what was for itself.",
    (_agent._delivered, "if step.command.speaks else []", 'if outcome == "narrated" else []'),
)

# --- narrations

NARRATES: Final = _agent._narration
EACH: Final = (
    "world.decisions += [_narrated([evolve(one, narration_id=one.narration_id + '+' * n)], actions, turn, world)"
    " for n, one in enumerate(narrations)]"
)
turns(
    "narrated-for-each",
    "Submits what the agent said once for each event.",
    (COMMIT, "world.decisions.append(_narrated(narrations, actions[:MOST_ACTIONS], turn, world))", EACH),
)
turns(
    "conversation-narrated",
    "Shows the answer to the user as an event, too.",
    (COMMIT, "if narrations and not is_spoken:", "if narrations:"),
)
turns(
    "never-narrated",
    "Loses what the agent said.",
    (COMMIT, "if narrations and not is_spoken:", "if False:"),
    when=lambda unit: len(unit["events"]) == 1,
)
turns(
    "narrated-by-agent",
    "Gives the words of the agent to the agent.",
    (NARRATES, 'handler="system"', 'handler="agent"'),
    when=lambda unit: len(unit["events"]) == 1,
)
turns(
    "narrated-in-inbox",
    "Shows the words of the agent in the inbox, always.",
    (_turn._narrated, "address=trigger.routing.address", 'address="user"'),
)
turns(
    "narrated-by-plugin", "Says that a plugin said what the agent did.", (NARRATES, 'origin="agent"', 'origin="plugin"')
)
turns(
    "narrated-without-cause",
    "Forgets what an agent's words are about.",
    (NARRATES, "causation_id=record.id", "causation_id=None"),
)
turns(
    "narrated-without-depth",
    "Does not count how deep the agent's words are.",
    (NARRATES, "depth=record.depth + 1", "depth=record.depth"),
)
turns(
    "narrated-at-depth-one",
    "Counts the agent's words as the first of a chain, always.",
    (NARRATES, "depth=record.depth + 1", "depth=1"),
)
turns(
    "narrated-content",
    "Shows the words of the plugin as those of the agent.",
    (NARRATES, "content=step.command.output", "content=record.content"),
    when=lambda unit: len(unit["events"]) == 1,
)
turns(
    "narrated-into-dead-sessions",
    "Speaks into a session that is gone.",
    (_turn._narrated, "world.facts_of(trigger.id)", "NOTHING_SPECIAL"),
)
turns(
    "facts-forgotten",
    "Does not look whether a session still exists when a turn ends.",
    (_turn._World.facts_of, "self.facts.get(id, NOTHING_SPECIAL)", "NOTHING_SPECIAL"),
)
turns(
    "seen-by-itself",
    "Notes that a human saw what the agent has only said.",
    (_agent._delivered, "outcome=outcome)", "outcome=outcome, ack_at=step.record.changed_at)"),
)

# --- facts

READ: Final = "world.decide(read.id, ContextCommitted(lease=read.lease, revision=read.revision))"
EVERY_FACT: Final = (
    "for one in world.events.values():\n"
    "        if one.routing.row.mode == 'passive' and one.status == 'dispatched':\n"
    "            world.decide(one.id, ContextCommitted(lease=one.owner_lease))\n    "
)
turns("facts-stay", "Never delivers a fact.", (COMMIT, AT_ONCE, "for read in ():"))
turns(
    "facts-need-words",
    "Delivers facts only with turns that say something.",
    (COMMIT, AT_ONCE, "for read in turn.facts if output else ():"),
)
turns(
    "facts-need-acknowledgements",
    "Wants facts acknowledged.",
    (COMMIT, AT_ONCE, "for read in [one for one in turn.facts if one.id in acknowledged]:"),
)
turns(
    "facts-unread",
    "Delivers every fact with every turn that ends.",
    (_turn._ended, "for id in lane.waiting:", EVERY_FACT + "for id in lane.waiting:"),
)
turns(
    "facts-in-silence",
    "Shows a fact to the human where the agent was silent.",
    (
        COMMIT,
        READ,
        "step = Step(events[read.id], None, NOTHING_SPECIAL, rules, now)\n"
        "        from mentionable.anp._present import present\n"
        "        world.decisions.append(step.to(step.change(status='delivered', outcome='read'), 'delivered',"
        " effects=[] if output else [present(step.record)]))",
    ),
)

# --- turns that break off or hang

FAILS: Final = _turn._fail_trigger
RUNNING: Final = "running is not None and running.trigger is not None and running.trigger in world.events"
turns(
    "broken-turn-loses",
    "Leaves the event of a broken turn to its deadline.",
    (FAILS, RUNNING, "False"),
)
turns(
    "broken-turn-takes-all",
    "Takes all events from an agent whose turn broke off.",
    (
        FAILS,
        f"if {RUNNING}:",
        "for one in list(world.events.values()):\n"
        "        if one.routing.handler == 'agent' and one.id != (running.trigger if running else None):\n"
        "            world.decide(one.id, TurnFailed(lease=one.owner_lease, holder=one.holder))\n"
        f"    if {RUNNING}:",
    ),
)
turns(
    "broken-turn-is-nobody", "Forgets which worker's turn broke off.", (FAILS, "holder=running.holder", "holder=None")
)
turns(
    "broken-turn-takes-twice",
    "Takes what the watchdog took already.",
    (_agent.turn_failed, "_not_granted(step) or escalate(step", "escalate(step"),
)
turns(
    "broken-turn-goes-on",
    "Leaves the lane to a turn that broke off.",
    (_turn.fail_turn, "return _ended(lane, world)", "return evolve(_ended(lane, world), lane=lane)"),
)
turns(
    "takeover-unseen",
    "Takes a locked event over without a takeover.",
    (_watchdog.escalate, '() if was_taken else ("locked",)', "()"),
)
turns(
    "lane-never-times-out",
    "Has no time-out of turns.",
    (_turn.lane_tick, "now < parse_time(lane.turn.deadline)", "True"),
)
turns(
    "lane-times-out-late",
    "Takes a lane only after its time.",
    (_turn.lane_tick, "now < parse_time", "now <= parse_time"),
)
turns(
    "lane-times-out-early",
    "Takes a lane whenever somebody looks.",
    (_turn.lane_tick, "now < parse_time(lane.turn.deadline)", "False"),
)
turns("lane-times-out-nobody", "Expects a turn where none runs.", (_turn.lane_tick, "lane.turn is None or", ""))
turns(
    "time-out-unsaid",
    "Does not say which turn lost its lane.",
    (_turn.lane_tick, "stopped=lane.turn.id", "stopped=None"),
)
turns(
    "time-out-keeps-turn",
    "Leaves the event to a turn that lost its lane.",
    (_turn.lane_tick, "_fail_trigger(lane, world)\n    return", "return"),
)
turns(
    "escalation-hides",
    "Waits with what was escalated for the turn that hangs.",
    (_watchdog.escalate, "effects += [present(new), aware(new", "effects += [aware(new"),
    when=lambda unit: any("tick" in str(step.get("command")) for step in unit["steps"]),
)
turns(
    "escalation-presents-anyway",
    "Shows an event again that was escalated before.",
    (_watchdog.escalate, "effects += [present(new),", "effects += [present(new), present(new),"),
    when=lambda unit: any("tick" in str(step.get("command")) for step in unit["steps"]),
)
turns(
    "unfenced",
    "Lets the turn run that loses its event.",
    (_watchdog.escalate, "[] if was_taken else [effect(FenceTurn, record)]", "[]"),
)
turns(
    "lease-stays",
    "Keeps the lease when the watchdog takes an event.",
    (_watchdog.escalate, "record.owner_lease + (not was_taken)", "record.owner_lease"),
)
turns(
    "raw-content",
    "Shows the content where other words are meant for it.",
    (_presented.present, 'record.fallback if record.status == "escalated" else record.content', "record.content"),
)
ADDRESS: Final = 'address = "user" if step.has_lost_session else record.routing.address'
turns(
    "escalates-into-dead-sessions",
    "Shows what was escalated in a session that is gone.",
    (_watchdog.escalate, ADDRESS, "address = record.routing.address"),
)
turns(
    "escalates-to-inbox",
    "Shows what was escalated in the inbox, always.",
    (_watchdog.escalate, ADDRESS, 'address = "user"'),
)


def _one_user(given: Any, unit: Any) -> Any:
    """A host that does not tell users apart."""
    return given, json.loads(json.dumps(unit).replace('"ash"', '"olivia"'))


mends(AREA, (*TURN, "anp.prompt", "anp.lane"), "turn-one-user", "Does not tell users apart.", _one_user)
