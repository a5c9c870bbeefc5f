"""Mutants of notifications: what the clock does."""

from __future__ import annotations

from typing import Final

from mentionable.anp import _lane, _notification, _present, _step, _watchdog
from tests.mutants._anp import AREA, ONE, decides, edits
from tests.mutants._answers import spoils, takes

DEADLINE: Final = ("anp.next_deadline",)
TICK, ABANDON, ESCALATE = _watchdog.tick, _watchdog.abandon, _watchdog.escalate

# --- when

OWNED: Final = 'return dead(step, "deadline")'
UNWATCHED: Final = "if not record.is_watched:"
decides(
    "passive-escalates",
    "Escalates facts whose deadline passes.",
    (
        TICK,
        UNWATCHED,
        'if not record.is_watched and not (record.delivery_deadline and record.routing.target == "agent"):',
    ),
)
decides(
    "alerts-escalate",
    "Escalates alerts whose deadline passes.",
    (
        TICK,
        UNWATCHED,
        'if not record.is_watched and not (record.delivery_deadline and record.routing.target == "user"):',
    ),
)
NONE: Final = "if record.delivery_deadline is None:"
LONG: Final = "step.now > parse_time(record.created_at) + step.rules.cap"
for _name, _when in (
    ("facts", 'record.routing.row.mode == "passive" and record.status == "dispatched"'),
    ("facts-of-sessions", 'record.routing.row.mode == "passive" and record.routing.address == "session"'),
    ("waiting-facts", 'record.routing.row.mode == "passive" and record.status == "pending"'),
    ("waiting-alerts", 'record.routing.row.mode == "direct" and record.status == "pending"'),
    ("alerts", 'record.routing.row.mode == "direct" and record.status == "dispatched"'),
):
    decides(f"escalates-old-{_name}", f"Escalates {_name} that are old.",
            (TICK, UNWATCHED, f'if record.delivery_deadline is None and {_when} and {LONG}:\n        '
             f'return escalate(step, "deadline")\n    {UNWATCHED}'))  # fmt: skip
decides("escalated-for-ever", "Gives up what was escalated and has no deadline.",
        (TICK, NONE, f'if record.delivery_deadline is None and record.status == "escalated":\n        '
         f'return dead(step, "deadline")\n    {NONE}'))  # fmt: skip
decides("deadlines-of-others", "Leaves the agent's events of other ledgers without a deadline.",
        (TICK, 'if record.status == "escalated":', "if True:"))  # fmt: skip
decides(
    "deadlines-are-exclusive",
    "Lets the moment itself be in time.",
    (TICK, "step.now < parse_time(record.delivery_deadline)", "step.now <= parse_time(record.delivery_deadline)"),
)
decides(
    "deadlines-in-seconds",
    "Counts in whole seconds.",
    (TICK, "step.now < parse", "step.now.timestamp() + 0.5 < parse"),
    (TICK, "parse_time(record.delivery_deadline):", "parse_time(record.delivery_deadline).timestamp():"),
)
edits(ONE, "deadlines-of-the-beginning", "Counts from the beginning, whatever the deadline is by now.",
      (TICK, "step.now < parse_time(record.delivery_deadline)",
       'step.now < parse_time(record.delivery_deadline if record.status == "escalated" else '
       "step.rules.deadline(record, parse_time(record.created_at)))"))  # fmt: skip
decides("clocks-go-back", "Believes a clock that went back.",
        (_step.Step.__init__, "max(now, parse_time(record.changed_at))", "now"))  # fmt: skip
decides("escalated-is-terminal", "Never gives up what was escalated.",
        (TICK, 'return dead(step, "deadline")', "return step.stay()"))  # fmt: skip
decides("escalated-in-a-day", "Gives up what was escalated a day before its time.",
        (TICK, "if step.now < parse_time(record.delivery_deadline):",
         'if record.status == "escalated" and step.now.day > 26:\n        return dead(step, "deadline")\n    '
         "if step.now < parse_time(record.delivery_deadline):"))  # fmt: skip
HALF: Final = 'if record.status == "locked" and record.routing.handler == "system":'
decides("half-done-stays", "Leaves takeovers that were stored half.", (TICK, HALF, "if False:"))
decides("half-done-raises-the-lease", "Raises the lease of a takeover twice.",
        (ESCALATE, "record.owner_lease + (not was_taken)", "record.owner_lease + 1"))  # fmt: skip

# --- how

HOPS: Final = '{"pending": ("dispatched", "locked"), "dispatched": ("locked",)}'
decides("pending-is-locked-at-once", "Skips dispatched.", (ESCALATE, '("dispatched", "locked")', '("locked",)'))
decides(
    "pending-waits",
    "Waits until what was submitted is routed.",
    (TICK, OWNED, f'return step.stay() if record.status == "pending" else {OWNED[7:]}'),
)
decides(
    "claimed-waits",
    "Waits for the worker that has it.",
    (TICK, OWNED, f'return step.stay() if record.status == "locked" else {OWNED[7:]}'),
)
decides("takes-without-a-lock", "Does not lock what a worker has.",
        (ESCALATE, '() if was_taken else ("locked",)', "()"))  # fmt: skip
edits(
    ONE,
    "lease-stays",
    "Escalates under the same lease.",
    (ESCALATE, "owner_lease=record.owner_lease + (not was_taken),", ""),
)
edits(ONE, "lease-jumps", "Raises the lease by two.", (ESCALATE, "+ (not was_taken)", "+ 2 * (not was_taken)"))
edits(ONE, "handler-stays", "Leaves the event to the agent.", (ESCALATE, ', handler="system")', ")"))
decides("target-stays", "Does not promote what the agent was to do.",
        (ESCALATE, 'target="user", handler', "target=record.routing.target, handler"))  # fmt: skip
edits(
    ONE,
    "rewrites-what-was-asked",
    "Changes the flags as submitted.",
    (ESCALATE, "routing=routing,", "routing=routing,\n        requested=routing,"),
)
decides("holder-stays", "Leaves the worker in the event.", (ESCALATE, "holder=None,", ""))
edits(ONE, "reasons-alike", "Does not say why it was taken.", (ESCALATE, "record.escalation or reason", '"deadline"'))
edits(ONE, "no-reason", "Does not say why it was taken.", (ESCALATE, "escalation=record.escalation or reason,", ""))
WAIT: Final = "after(step.now, wait) if wait is not None and can_end else None"
edits(ONE, "no-system-deadline", "Gives the human no time and for ever.", (ESCALATE, WAIT, "None"))
edits(
    ONE,
    "week-for-all",
    "Does not ask the host how long it waits.",
    (ESCALATE, "wait = step.rules.system_ttl", "wait = type(step.rules)().system_ttl"),
)
decides("escalation-queues", "Lets an escalation wait for the lane.",
        (ESCALATE, "effects += [present(new)", 'effects += [effect(WakeAt, new, at="2026-11-21T21:00:00Z")] if '
         "step.facts.lane_busy else [present(new)"))  # fmt: skip
edits(
    ONE,
    "unfenced",
    "Does not stop the turn that was too late.",
    (ESCALATE, "[] if was_taken else [effect(FenceTurn, record)]", "[]"),
)
edits(
    ONE,
    "fences-the-new-lease",
    "Stops whoever has the new lease.",
    (
        ESCALATE,
        "    if step.has_lost_session:\n",
        "    effects = [effect(FenceTurn, new)] if effects else []\n    if step.has_lost_session:\n",
    ),
)
edits(
    ONE, "agent-untold", "Does not tell the agent that it was too late.", (ESCALATE, ', aware(new, "escalated")]', "]")
)
edits(
    ONE,
    "without-an-alarm",
    "Sets no alarm for what was escalated.",
    (ESCALATE, "if new.delivery_deadline is not None:", "if False:"),
)
decides(
    "escalates-into-dead-chats",
    "Shows what was escalated in a chat that is gone.",
    (ESCALATE, '"user" if step.has_lost_session else record.routing.address', "record.routing.address"),
)
edits(ONE, "escalates-to-the-inbox", "Shows all that was escalated in the inbox.",
      (ESCALATE, '"user" if step.has_lost_session else record.routing.address', '"user"'))  # fmt: skip
decides("demotes-pending-silently", "Does not say that the session is gone.",
        (ESCALATE, "    if step.has_lost_session:\n        effects.append(gone(new))\n", ""))  # fmt: skip
FALLBACK: Final = _notification.Notification.fallback
edits(
    ONE,
    "fallback-ignored",
    "Shows the content where a fallback is given.",
    (_present.present, 'record.fallback if record.status == "escalated" else record.content', "record.content"),
)
edits(ONE, "fallback-of-blanks", "Shows a blank fallback.", (FALLBACK, "if shows_something(text)", "if text"))
edits(
    ONE,
    "fallback-of-anything",
    "Shows any fallback as text.",
    (
        FALLBACK,
        'text[:MOST_CHARACTERS] if isinstance(text, str) else ""',
        'str(text) if text is not None else ""',
    ),
)
edits(ONE, "fallback-uncut", "Shows a fallback of any length.", (FALLBACK, "text[:MOST_CHARACTERS]", "text"))
edits(
    ONE,
    "fallback-dropped",
    "Shows the content in place of a long fallback.",
    (FALLBACK, "if isinstance(text, str) else", "if isinstance(text, str) and len(text) <= MOST_CHARACTERS else"),
)
edits(
    ONE,
    "actions-hidden",
    "Does not show what the agent did.",
    (_present.present, "actions=record.actions or None,", ""),
)
edits(
    ONE,
    "internals-escalated",
    "Shows internal metadata with what was escalated.",
    (
        _present.present,
        "record.shown_metadata or None",
        'record.metadata if record.status == "escalated" else record.shown_metadata',
    ),
)

# --- nobody is left

ENDS: Final = "can_end = step.facts.user_exists"
decides("shows-to-nobody", "Shows it to a user who is gone.", (ESCALATE, ENDS, "can_end = True"))
for _status in ("pending", "dispatched", "locked"):
    decides(f"shows-{_status}-to-nobody", f"Escalates what is {_status} to a user who is gone.",
            (ESCALATE, ENDS, f'can_end = step.facts.user_exists or record.status == "{_status}"'))  # fmt: skip
decides("leaves-turns-of-nobody", "Lets the agent work for nobody.",
        (ESCALATE, "[] if was_taken else [effect(FenceTurn, record)]",
         "[] if was_taken or not step.facts.user_exists else "
         "[effect(FenceTurn, record)]"))  # fmt: skip
for _name, _when in (
    ("agents", 'record.routing.handler == "agent"'),
    ("escalated", 'record.status == "escalated" and record.routing.address == "user"'),
    ("sessions", 'record.routing.address == "session"'),
    ("taken", 'record.status == "locked"'),
):
    decides(f"gives-up-{_name}", "Gives up what somebody could be shown.",
            (ABANDON, "if step.facts.user_exists:", f"if step.facts.user_exists and not ({_when}):"))  # fmt: skip
decides("keeps-escalated-for-nobody", "Keeps what was escalated for nobody.",
        (ABANDON, 'return dead(step, "no_route")', "return step.stay()"))  # fmt: skip
decides("keeps-taken-for-nobody", "Keeps what the watchdog has for nobody.",
        (ABANDON, 'record.status != "locked" and record', "record"))  # fmt: skip
decides("nobody-is-late", "Takes a user who is gone for an agent that was late.",
        (ABANDON, 'escalate(step, "no_route")', 'escalate(step, "deadline")'))  # fmt: skip
for _name, _when in (
    ("alerts", 'record.routing.row.mode == "direct" and record.status == "dispatched"'),
    ("facts", 'record.routing.row.mode == "passive"'),
    ("waiting", 'record.status == "pending"'),
):
    decides(
        f"gives-up-{_name}-of-nobody",
        f"Gives up {_name} of a user who is gone.",
        (ABANDON, 'if record.status != "locked" and', f'if not ({_when}) and record.status != "locked" and'),
    )

# --- the next deadline

WATCHED: Final = _notification.Notification.is_watched
RIGHT: Final = 'not self.is_terminal and (self.routing.handler == "agent" or self.status in ("locked", "escalated"))'


def _waits(name: str, rule: str, new: str) -> None:
    edits(DEADLINE, f"next-{name}", rule, (WATCHED, RIGHT, new))


_waits("of-anything", "Wakes for facts and alerts.", "not self.is_terminal")
_waits("of-alerts", "Wakes for alerts.", f'{RIGHT} or self.status == "pending"')
_waits("of-what-ended", "Wakes for what has ended.", f'{RIGHT} or self.status == "delivered"')
_waits("of-the-dead", "Wakes for dead letters.", f'{RIGHT} or self.status == "failed"')
for _status in ("pending", "locked", "escalated"):
    _waits(f"without-{_status}", f"Does not wake for what is {_status}.", f'({RIGHT}) and self.status != "{_status}"')
_waits("without-half-done", "Does not wake for takeovers that were stored half.",
       RIGHT.replace('self.status in ("locked", "escalated")', 'self.status == "escalated"'))  # fmt: skip
edits(DEADLINE, "next-is-last", "Wakes for the last.", (_lane.next_deadline, "min(", "max("))
edits(DEADLINE, "next-is-now", "Wakes at once where nothing waits.",
      (_lane.next_deadline, "default=None", 'default=parse_time("2026-11-21T20:56:00Z")'))  # fmt: skip
spoils(AREA, DEADLINE, "next-in-zones", "Compares times as texts.",
       lambda _, __, unit: min((one["delivery_deadline"] for one in unit["records"]), default=None)
       if "+02:00" in str(unit) else None)  # fmt: skip
takes(AREA, DEADLINE, "next-of-nothing", "Takes what is no event.", lambda *_: None, "malformed")
