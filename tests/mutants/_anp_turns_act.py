"""Mutants of what an agent does in a turn: which tools it may call, and what the human hears of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mentionable.anp import _actions, _agent, _decide, _present, _turn
from tests.mutants._anp_turns import AREA, TURN
from tests.mutants._answers import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants._edits import Edit

REGISTRY: Final = ("anp.actions",)


def acts(
    name: str, rule: str, *edits: Edit, ops: tuple[str, ...] = TURN, when: Callable[[Any], bool] | None = None
) -> None:
    """Registers a mutant of what is done in turns."""
    written(AREA, ops, f"act-{name}", rule, *edits, when=when)


# --- what a tool is

CLASSIFY: Final = _agent.classify
IS_INTERNAL: Final = 'isinstance(word, str) and word.strip().lower() == "internal"'
EITHER: Final = (*TURN, *REGISTRY)
acts(
    "unclassified-is-internal",
    "Takes a tool that nobody classified for harmless.",
    (CLASSIFY, IS_INTERNAL, f"word is None or {IS_INTERNAL}"),
)
acts(
    "empty-is-internal",
    "Takes an empty word for harmless.",
    (CLASSIFY, IS_INTERNAL, f'word == "" or {IS_INTERNAL}'),
    ops=EITHER,
)
acts(
    "unknown-is-internal",
    "Takes a word that nobody knows for harmless.",
    (CLASSIFY, IS_INTERNAL, 'bool(word) and word.lower() != "external"'),
    ops=EITHER,
)
acts(
    "small-letters-only",
    "Knows the word in small letters only.",
    (CLASSIFY, IS_INTERNAL, 'word == "internal"'),
    ops=EITHER,
)
acts("all-external", "Takes every tool for one that people see.", (CLASSIFY, IS_INTERNAL, "False"), ops=EITHER)
acts(
    "all-internal",
    "Takes every tool for harmless.",
    (CLASSIFY, IS_INTERNAL, "isinstance(word, str) or word is None"),
    ops=REGISTRY,
)
acts(
    "undeclared-is-internal",
    "Takes a tool that nobody declared for harmless.",
    (_actions.Actions.classify, '"external"', '"internal"'),
    ops=REGISTRY,
)
acts(
    "undeclared-is-like",
    "Finds a tool by the beginning of its name.",
    (
        _actions.Actions.classify,
        'self._known.get(name, "external")',
        'next((kind for known, kind in self._known.items() if name.lower().startswith(known)), "external")',
    ),
    ops=REGISTRY,
)
acts(
    "declared-anew",
    "Lets a tool be declared otherwise.",
    (_actions.Actions.declare, "self._known.setdefault(name, kind) != kind", "self._known.update({name: kind})"),
    ops=REGISTRY,
)

# --- what is allowed

ACTION: Final = _agent.action
ACT: Final = _turn.act
acts(
    "internal-unaudited",
    "Notes no action that nobody need be told of.",
    (
        ACTION,
        "return step.stay(effect(Allow, record, action=name), audit)",
        "return step.stay(effect(Allow, record, action=name))",
    ),
)
acts(
    "external-unaudited",
    "Notes no action that people can see.",
    (ACTION, "effect(MustSurface, new, action=name), audit])", "effect(MustSurface, new, action=name)])"),
)
acts(
    "unsurfaced",
    "Lets people find out by themselves.",
    (ACTION, "effect(MustSurface, new, action=name), audit])", "audit])"),
)
acts(
    "always-surfaced",
    "Tells people of what they need not know.",
    (
        ACTION,
        "return step.stay(effect(Allow, record, action=name), audit)",
        "return step.stay(effect(Allow, record, action=name), effect(MustSurface, record, action=name), audit)",
    ),
)
acts(
    "internal-promotes",
    "Turns an event to the user after any action.",
    (ACTION, 'if kind == "internal":', 'if kind == "internal" and record.is_terminal:'),
)
acts("forgotten", "Forgets what the agent did.", (ACTION, "(*record.actions, name)", "record.actions"))
acts("last-remembered", "Remembers the last action only.", (ACTION, "(*record.actions, name)", "(name,)"))
acts(
    "repeated",
    "Lists an action as often as it was done.",
    (ACTION, "record.actions if is_told else ", ""),
)
acts(
    "unshown", "Does not show what the agent did.", (_present.present, "actions=record.actions or None", "actions=None")
)
acts(
    "not-promoted",
    "Leaves an event to the agent after an action that people see.",
    (ACTION, 'turned(record.routing, target="user")', "record.routing"),
)
acts(
    "handler-promoted",
    "Takes an event from the agent after an action that people see.",
    (ACTION, 'turned(record.routing, target="user")', 'turned(record.routing, target="user", handler="system")'),
)
acts(
    "session-left",
    "Moves an event from its session after an action that people see.",
    (ACTION, 'turned(record.routing, target="user")', 'turned(record.routing, target="user", address="user")'),
)
CHANGE: Final = "step.change(routing=routing, actions=actions)"
acts(
    "lease-raised",
    "Raises the lease after an action that people see.",
    (ACTION, CHANGE, "step.change(routing=routing, actions=actions, owner_lease=record.owner_lease + 1)"),
)
acts(
    "deadline-dropped",
    "Watches an event no more after an action that people see.",
    (ACTION, CHANGE, "step.change(routing=routing, actions=actions, delivery_deadline=None)"),
)
acts(
    "holder-dropped",
    "Takes an event from its worker after an action that people see.",
    (ACTION, CHANGE, 'step.change(routing=routing, actions=actions, holder=None, status="dispatched")'),
)

# --- whom it concerns

GRANTS: Final = "for grant in turn.grants:"
acts(
    "trigger-only",
    "Lets only the event that started the turn tell of an action.",
    (ACT, GRANTS, "for grant in [one for one in turn.grants if one.id == turn.trigger]:"),
)
OTHERS: Final = (
    "others = [one for one in events.values() if one.routing.handler == 'agent' and one.status == 'dispatched']\n"
    "    others = [one for one in others if turn.grants and one.id not in {grant.id for grant in turn.grants}]\n"
    "    more = [evolve(turn.grants[0], id=one.id, lease=one.owner_lease) for one in others]\n"
    "    for grant in (*turn.grants, *more):"
)
acts("every-event", "Promotes events that were not in the turn.", (ACT, GRANTS, OTHERS))
PROMOTED_FACTS: Final = (
    "for read in turn.facts:\n"
    "        step = Step(events[read.id], None, NOTHING_SPECIAL, rules, now)\n"
    "        made = step.change(routing=evolve(step.record.routing, target='user'))\n"
    "        world.decisions.append(step.to(made, effects=[]))\n"
    "    return world.step"
)
acts("facts-promoted", "Promotes facts.", (ACT, "return world.step", PROMOTED_FACTS))
acts(
    "denied-by-trigger",
    "Lets a tool run for an event that is lost.",
    (ACT, "and grant.id == turn.trigger", "and False"),
)
acts("denied-by-any", "Forbids tools because of an event that stood beside.", (ACT, "and grant.id == turn.trigger", ""))
acts(
    "unfenced-internal",
    "Does not look at the lease where nobody sees the tool.",
    (ACTION, "no = _not_granted(step)", 'no = None if kind == "internal" else _not_granted(step)'),
)
acts(
    "unheld",
    "Lets a worker act for what another has claimed.",
    (ACT, "evolve(asked, lease=grant.lease)", "evolve(asked, lease=grant.lease, holder=events[grant.id].holder)"),
)

# --- what is told otherwise

ALONE: Final = _turn._acts_alone
acts(
    "alone-untold",
    "Tells nobody of an action outside any event.",
    (ALONE, "return allow, _must_surface(turn, name), audit", "return allow, audit"),
)
acts(
    "alone-internal-told",
    "Tells of what nobody need know, outside any event.",
    (ALONE, 'if kind == "internal":', "if False:"),
)
acts(
    "alone-denied",
    "Forbids all tools outside any event.",
    (
        ACT,
        "world = _World(events, facts, rules, now)",
        "world = _World(events, facts, rules, now)\n    if not turn.grants:\n        return refused('wrong-owner')",
    ),
)
acts(
    "alone-in-inbox",
    "Tells of an action in the inbox, always.",
    (_turn._must_surface, "session_id=turn.session_id", "session_id=None"),
)
acts(
    "terminal-denied",
    "Forbids all tools after the end of an event.",
    (_decide.decide, " and command.__class__ is not Action", ""),
)
acts("terminal-changed", "Promotes an event that is over.", (ACTION, "if record.is_terminal or (", "if ("))
MANY: Final = "record.is_terminal or (len(record.actions) >= MOST_ACTIONS and not is_told)"
acts(
    "many-hidden",
    "Hides what an event cannot keep any more.",
    (ACTION, MANY, "record.is_terminal"),
    (ACTION, "(*record.actions, name)", "(*record.actions, name)[:MOST_ACTIONS]"),
)
acts("many-told-twice", "Tells by a notice what the event keeps.", (ACTION, " and not is_told", ""))
acts(
    "terminal-untold",
    "Tells nobody of an action after the end of its event.",
    (ACTION, "_noticed(record, name), audit)", "audit)"),
)
acts(
    "terminal-internal-told",
    "Tells of what nobody need know, after the end of an event.",
    (ACTION, 'if kind == "internal":', 'if kind == "internal" and not record.is_terminal:'),
)
acts(
    "terminal-in-inbox",
    "Tells of an action in the inbox when its event is over.",
    (_agent._noticed, "session_id=record.addressed_session", "session_id=None"),
)
acts(
    "terminal-unfenced",
    "Does not look at the lease when an event is over.",
    (ACTION, "no = _not_granted(step)", "no = None if record.is_terminal else _not_granted(step)"),
)
NOTICE: Final = _agent.action_notice
acts(
    "notice-without-cause",
    "Does not say what an action was for.",
    (NOTICE, "causation_id=cause.id if cause else None", "causation_id=None"),
)
acts(
    "notice-without-name",
    "Does not say what the agent did.",
    (NOTICE, "content=sentence_of([action])", 'content="The agent did something."'),
    (NOTICE, '{"action": action}', "None"),
)
acts("notice-to-agent", "Tells the agent of what the agent did.", (NOTICE, 'target="user"', 'target="agent"'))
NAMED: Final = "not isinstance(given, str) or not 1 <= len(given) <= LONGEST_NAME or not is_text(given)"
for _name, _rule, _when in (
    ("misnamed", "Falls over a name that is none.", "False"),
    ("unnamed", "Falls over a tool without a name.", NAMED.replace("1 <= len", "0 <= len")),
    ("long-names", "Falls over a long name.", NAMED.replace("<= LONGEST_NAME", "<= 10**6")),
    ("numbers", "Falls over a name that is no text.", f"isinstance(given, str) and ({NAMED})"),
):
    acts(f"falls-over-{_name}", _rule, (ACT, NAMED, _when))
acts("short-names", "Knows short names only.", (ACT, NAMED, NAMED.replace("<= LONGEST_NAME", "<= 64")))
acts(
    "misnamed-only-in-events",
    "Looks at names only where an event is there.",
    (
        ACT,
        f"if {NAMED}:",
        f"if not turn.grants and ({NAMED}):\n        return world.step(lane, lane.version)\n    if {NAMED}:",
    ),
)
