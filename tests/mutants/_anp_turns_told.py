"""Mutants of turns: what the human is told of that the agent did, and out of what its words came."""

from __future__ import annotations

from itertools import count
from typing import Final

from mentionable.anp import _actions, _agent, _turn
from tests.mutants._anp_turns import AREA, TURN, turns
from tests.mutants._answers import swapped

COMMIT: Final = _turn.commit_turn
NARRATED: Final = _turn._narrated
ACTIONS: Final = _turn._actions_of
ALL: Final = "dict.fromkeys(action for one in narrations for action in world.events[one.id].actions)"
OF_THOSE: Final = "_actions_of(narrations, world)"

# --- beside what it says

turns("told-alone", "Shows what the agent says without what it did.", (NARRATED, "actions=actions)", "actions=())"))
turns("told-of-the-first", "Tells only what the agent did about the first event.",
      (ACTIONS, ALL, "world.events[narrations[0].id].actions if narrations else ()"))  # fmt: skip
turns("told-of-the-last", "Tells only what the agent did about the last event.",
      (ACTIONS, ALL, "world.events[narrations[-1].id].actions if narrations else ()"))  # fmt: skip
turns(
    "told-of-all-in-the-prompt",
    "Shows with what the agent says what it did about events of which it says nothing.",
    (COMMIT, f"actions = {OF_THOSE}", "actions = _actions_of(list(turn.grants), world)"),
)
turns("told-twice", "Tells of an action as often as events have it.", (ACTIONS, "dict.fromkeys(", "list("))
turns(
    "told-once",
    "Shows what the agent did the first time only.",
    (
        NARRATED,
        "return evolve(shown, expected=None",
        "shown = evolve(shown, record=changed(shown.record, actions=()))\n    return evolve(shown, expected=None",
    ),
)

turns("told-in-part", "Forgets what finds no room beside what it says.", (COMMIT, "actions[MOST_ACTIONS:]", "()"))

# --- out of what it came

LEAD: Final = "next((one for one in narrations if one.id == turn.trigger), narrations[0])"
turns(
    "narrated-for-its-turn",
    "Takes the event that started the turn for the cause of words about another.",
    (NARRATED, "depth=max(", "causation_id=turn.trigger,\n        depth=max("),
)
turns("narrated-for-the-last", "Takes the last event for the cause of all.", (NARRATED, LEAD, "narrations[-1]"))
turns(
    "narrated-without-its-session",
    "Forgets the session of the event that started the turn.",
    (NARRATED, "session_id=trigger.session_id", "session_id=lead.narration.session_id or 's0'"),
)

# --- by notices

EACH: Final = "for action in actions)"
turns("answered-alone", "Tells nobody what it did about what an answer ends.", (COMMIT, EACH, "for action in ())"))
turns(
    "answered-in-inbox",
    "Tells of what it did in the inbox, whatever session the answer is in.",
    (COMMIT, "_must_surface(turn, action)", "_must_surface(evolve(turn, session_id=None), action)"),
)
turns("answered-for-the-first", "Tells of the first action only.", (COMMIT, EACH, "for action in actions[:1])"))
turns(
    "answered-for-all",
    "Tells of actions for events that the answer does not end.",
    (COMMIT, EACH, "for action in dict.fromkeys(a for one in turn.grants for a in world.events[one.id].actions))"),
)
turns(
    "answered-in-silence",
    "Tells of an action by a notice where the system shows it.",
    (COMMIT, EACH, "for action in dict.fromkeys(a for one in world.decisions for a in one.record.actions))"),
)

# --- which of them are the same

NAME: Final = _actions.notice_id
COUNT: Final = count()
for _name, _module in (("turns", _turn), ("events", _agent)):
    swapped(
        AREA, TURN, f"turn-notices-of-{_name}-anew", "Gives a notice another id each time.", _module, "notice_id",
        lambda *_: f"n{next(COUNT)}",
    )  # fmt: skip
turns("notices-of-a-tool", "Gives all notices of a tool one id.", (NAME, "whose, action", "action"))
turns("notices-of-a-turn", "Gives all notices of a turn or an event one id.", (NAME, "whose, action", "whose"))
turns(
    "notices-of-the-turn",
    "Gives notices for several events the id of one.",
    (_agent._noticed, "notice_id(record.id, name)", "notice_id(record.user_id, name)"),
)
