"""Mutants of lanes: where events go while a turn runs, in which order alerts come out, and who gets a lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mentionable.anp import _decide, _lane, _prompt, _route, _submit, _system, _turn
from tests.mutants._anp_turns import AREA, TURN, has
from tests.mutants._answers import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants._edits import Edit

SENT: Final = ("anp.dispatch", *TURN)
LANE: Final = ("anp.lane", *TURN)


def lanes(
    name: str, rule: str, *edits: Edit, ops: tuple[str, ...] = SENT, when: Callable[[Any], bool] | None = None
) -> None:
    """Registers a mutant of lanes."""
    written(AREA, ops, f"lane-{name}", rule, *edits, when=when)


# --- where an event goes

DISPATCH: Final = _lane.dispatch
ROUTE: Final = _route.route
lanes(
    "ignored", "Shows alerts in the middle of a turn.", (DISPATCH, "lane_busy=lane.turn is not None", "lane_busy=False")
)
lanes(
    "always-busy",
    "Lets an alert wait for nobody.",
    (DISPATCH, "lane_busy=lane.turn is not None", "lane_busy=True"),
    ops=("anp.dispatch",),
)
lanes("chat-only", "Lets only alerts of sessions wait.", (ROUTE, 'row.mode == "direct" and', 'row.channel == "B" and'))
lanes("inbox-only", "Lets only alerts of users wait.", (ROUTE, 'row.mode == "direct" and', 'row.channel == "A" and'))
for _mode in ("mediated", "autonomous", "passive"):
    lanes(
        f"{_mode}-waits",
        f"Lets {_mode} events wait for the turn that runs.",
        (ROUTE, 'row.mode == "direct" and', f'row.mode in ("direct", "{_mode}") and'),
    )
lanes(
    "last-in-first-out",
    "Puts an alert before those that wait.",
    (DISPATCH, "(*lane.waiting, event.id)", "(event.id, *lane.waiting)"),
)
lanes(
    "one-waits",
    "Forgets the alerts that wait when another comes.",
    (DISPATCH, "(*lane.waiting, event.id)", "(event.id,)"),
)
lanes("waits-twice", "Lets an alert wait twice.", (DISPATCH, " or event.id in lane.waiting", ""))
lanes(
    "undemoted-queue",
    "Lets an alert wait for a session that is gone.",
    (ROUTE, "if routing is not step.record.routing:", "if False:"),
    ops=("anp.dispatch",),
)
lanes(
    "watched-queue",
    "Watches an alert that waits.",
    (ROUTE, "step.change(routing=routing, delivery_deadline=None)", "step.change(routing=routing)"),
)
lanes(
    "undemoted",
    "Shows an alert in a session that is gone.",
    (_route._demoted, "if step.has_lost_session:", "if False:"),
)
lanes(
    "sent-again",
    "Sends an event again where it is.",
    (
        ROUTE,
        'if step.record.status != "pending":',
        'if step.record.status != "pending" and step.record.status != "dispatched":',
    ),
)
lanes(
    "sent-after-takeover",
    "Sends what was escalated where it came from.",
    (ROUTE, 'if step.record.status != "pending":', 'if step.record.status == "dispatched":'),
    ops=("anp.dispatch",),
)
lanes(
    "sent-after-its-end",
    "Takes what is over for what can be sent.",
    (
        _decide.decide,
        "record.is_terminal and command.__class__ is not Action",
        'record.is_terminal and command.kind not in ("action", "route")',
    ),
    ops=("anp.dispatch",),
)
lanes(
    "endless-chains",
    "Starts a turn at the end of any chain.",
    (_route._demoted, "record.depth >= step.rules.depth", "False"),
    ops=("anp.dispatch",),
)

# --- in which order

ENDED: Final = _turn._ended
FLUSH: Final = "for id in lane.waiting:\n        world.decide(id, Route())"
lanes(
    "flushed-backwards",
    "Shows the last alert first.",
    (ENDED, "for id in lane.waiting:", "for id in reversed(lane.waiting):"),
    ops=TURN,
)
lanes(
    "flushed-by-name",
    "Shows alerts in the order of their names.",
    (ENDED, "for id in lane.waiting:", "for id in sorted(lane.waiting):"),
    ops=TURN,
)
lanes("never-flushed", "Loses the alerts that waited.", (ENDED, "for id in lane.waiting:", "for id in ():"), ops=TURN)
lanes(
    "flushed-after-the-next",
    "Lets alerts wait for another turn.",
    (ENDED, FLUSH, "pass"),
    (ENDED, "waiting=()", "waiting=lane.waiting"),
    ops=TURN,
)
lanes(
    "flushed-with-words",
    "Shows alerts behind turns that changed an event only.",
    (ENDED, "for id in lane.waiting:", "for id in lane.waiting if world.decisions else ():"),
    ops=TURN,
)
lanes(
    "flushed-with-commits",
    "Shows alerts behind turns that ended well only.",
    (ENDED, "for id in lane.waiting:", "for id in lane.waiting if members else ():"),
    ops=TURN,
)
lanes(
    "flushed-before-words",
    "Shows alerts before the words that the turn said.",
    (
        ENDED,
        FLUSH,
        f"before = list(world.decisions)\n    world.decisions.clear()\n    {FLUSH}\n    world.decisions += before",
    ),
    ops=TURN,
)
lanes(
    "flushed-one",
    "Shows one alert behind a turn.",
    (ENDED, "for id in lane.waiting:", "for id in lane.waiting[:1]:"),
    ops=TURN,
)
lanes(
    "keeps-the-names", "Keeps alerts in line that were shown.", (ENDED, "waiting=()", "waiting=lane.waiting"), ops=TURN
)
lanes(
    "old-words",
    "Shows the words that an alert had when it began to wait.",
    (
        _submit._merged,
        "content=given.content",
        "content=given.content if record.status != 'pending' else record.content",
    ),
    ops=TURN,
)
lanes(
    "seen-while-waiting",
    "Takes an alert for seen that waits.",
    (_system.client_ack, 'if record.status == "pending":', "if False:"),
    (_system.client_ack, "if not record.is_shown:", 'if not (record.is_shown or record.status == "pending"):'),
    ops=TURN,
)
lanes(
    "unseen-after-waiting",
    "Takes no acknowledgement of what has waited.",
    (_system.client_ack, "if not record.is_shown:", "if not record.is_shown or record.version > 1:"),
    ops=TURN,
    when=lambda unit: (
        any(step.get("command", {}).get("kind") == "client_ack" for step in unit["steps"])
        and has("dispatch")(unit)
        and has("commit")(unit)
    ),
)

# --- whose lane

NAMED: Final = _lane.lane_id
SESSION: Final = "f\"session:{quote(user_id, safe='')}:{quote(session_id, safe='')}\""
lanes(
    "session-by-default",
    "Gives each session a lane that nobody asked for.",
    (NAMED, 'rules.lanes == "session" and', ""),
    ops=LANE,
)
lanes(
    "user-always", "Gives no session a lane of its own.", (NAMED, 'rules.lanes == "session" and', "False and"), ops=LANE
)
lanes(
    "unquoted",
    "Lets the id of one lane be that of another.",
    (NAMED, SESSION, 'f"session:{user_id}:{session_id}"'),
    ops=LANE,
)
ESCAPED: Final = "':'.join(['session', *(one.replace(':', '%3A') for one in (user_id, session_id))])"
lanes(
    "escaped-in-part",
    "Escapes colons in ids, and not what escapes them.",
    (NAMED, SESSION, ESCAPED),
    ops=LANE,
)
lanes(
    "one-prefix",
    "Lets a user have the lane of somebody's session.",
    (NAMED, SESSION, 'f"user:{user_id}:{session_id}"'),
    (NAMED, "f\"user:{quote(user_id, safe='')}\"", 'f"user:{user_id}"'),
    ops=LANE,
)
lanes(
    "of-a-session-id",
    "Gives sessions of one name one lane, whoever's they are.",
    (NAMED, SESSION, 'f"session:{session_id}"'),
    ops=LANE,
)
lanes(
    "one-for-all",
    "Has one lane for everybody.",
    (NAMED, "return f\"user:{quote(user_id, safe='')}\"", 'return "user:"'),
    ops=LANE,
)
lanes(
    "of-dead-sessions",
    "Gives what was moved to the user the lane of its old session.",
    (_lane.lane_of, "event.addressed_session", "event.session_id"),
    ops=LANE,
)
lanes(
    "of-lost-sessions",
    "Sends what is for a session that is gone through the lane of that session.",
    (_lane.lane_of, "event.addressed_session if facts.session_exists else None", "event.addressed_session"),
    ops=SENT,
)
lanes(
    "of-nobodys-sessions",
    "Gives events of sessions the lane of the user where sessions have lanes.",
    (_lane.lane_of, "event.addressed_session", "None"),
    ops=LANE,
)

lanes(
    "of-forgotten-triggers",
    "Keeps a lane whose turn hangs and whose event nobody has any more.",
    (_turn._fail_trigger, " and running.trigger in world.events", ""),
    ops=TURN,
)
FAILS: Final = (_turn._fail_trigger, "revision=running.revision, ", "")
lanes("fails-new-words", "Takes new words from a turn that broke down over the old ones.", FAILS, ops=TURN)
lanes(
    "fails-first-words",
    "Takes every turn for one that read the first words.",
    (_lane.begin_turn, "revision=trigger.revision if trigger is not None else None", "revision=1"),
    ops=TURN,
)

# --- who gets it

BEGIN: Final = _lane.begin_turn
lanes(
    "shared",
    "Lets two turns run in one lane.",
    (BEGIN, "if lane.turn is not None:", "if False:"),
    ops=(*TURN, "anp.prompt"),
)
lanes(
    "needless-turns",
    "Begins turns for what needs none any more.",
    (BEGIN, "no = None if trigger is None else _needless(trigger, holder)", "no = None"),
    ops=TURN,
)
lanes(
    "turns-of-terminal",
    "Begins turns for what is over.",
    (_lane._needless, "if trigger.is_terminal:", "if False:"),
    (_lane._needless, "if is_offered(trigger, holder):", "if trigger.is_terminal or is_offered(trigger, holder):"),
    ops=TURN,
)
lanes(
    "turns-of-escalated",
    "Begins turns for what the watchdog took.",
    (
        _lane._needless,
        "if is_offered(trigger, holder):",
        'if trigger.status == "escalated" or is_offered(trigger, holder):',
    ),
    ops=TURN,
)
lanes(
    "turns-of-claimed",
    "Begins turns for what another worker has claimed.",
    (_prompt.is_offered, "event.holder == holder", "event.holder is not None"),
    ops=(*TURN, "anp.prompt"),
)
lanes(
    "turn-time",
    "Gives a turn the time of an event.",
    (BEGIN, "after(now, rules.turn_ttl)", "after(now, rules.ttl)"),
    ops=TURN,
)
lanes(
    "never-free",
    "Keeps a lane when its turn has ended.",
    (ENDED, "turn=None", "turn=lane.turn"),
    ops=TURN,
    when=has("begin", least=2),
)
lanes(
    "waits-for-all",
    "Lets the lane of a user wait for turns in sessions that have their own.",
    (DISPATCH, "lane_busy=lane.turn is not None", 'lane_busy=lane.turn is not None or rules.lanes == "session"'),
    ops=TURN,
)
