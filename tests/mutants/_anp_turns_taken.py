"""Mutants of turns: what becomes of words about an event that was taken from the agent meanwhile."""

from __future__ import annotations

from typing import Final

from mentionable.anp import _turn
from tests.mutants._anp_turns import turns

COMMIT: Final = _turn.commit_turn
TAKEN: Final = _turn._is_taken
WITHHELD: Final = _turn._withheld
WHEN: Final = "if speaks and any("
WHOSE: Final = "(id in acknowledged or id == turn.trigger)"
THROWN: Final = "return _withheld(lane, world)"

NARRATED: Final = _turn._narrated
turns(
    "narrated-where-it-belongs",
    "Says what it says where the first event lives that it tells of, not where the turn was started.",
    (NARRATED, "world.events.get(turn.trigger or lead.id, world.events[lead.id])", "world.events[lead.id]"),
)
turns(
    "narrated-of-the-first-depth",
    "Counts how long the chain of the first event is, not of the longest.",
    (NARRATED, "max(one.narration.depth or 0 for one in narrations)", "lead.narration.depth"),
)
turns(
    "taken-is-told",
    "Says what it says of one event beside the words of the system about it.",
    (COMMIT, WHEN, "if False and any("),
)
turns(
    "taken-is-told-by-its-turn",
    "Lets a turn speak whose own event was taken.",
    (TAKEN, WHOSE, "id in acknowledged"),
)
turns(
    "taken-is-told-by-others",
    "Lets a turn speak as long as its own event was not taken.",
    (TAKEN, WHOSE, "id == turn.trigger"),
)
turns(
    "taken-bystander-silences",
    "Throws a turn away for an event that it does not speak of.",
    (TAKEN, WHOSE, "True"),
)
turns(
    "taken-undoes-silence",
    "Throws away what was decided in silence.",
    (COMMIT, WHEN, "if any("),
)
turns(
    "taken-undoes-blanks",
    "Takes blanks for words about an event that was taken.",
    (
        COMMIT,
        "output is not None and shows_something(output) and not is_spoken",
        "output is not None and not is_spoken",
    ),
)
turns(
    "taken-undoes-answers",
    "Throws away what was decided in a conversation, though its answer has reached the user.",
    (COMMIT, "shows_something(output) and not is_spoken", "shows_something(output)"),
)
turns(
    "renewed-is-taken",
    "Takes an event with newer words for one that was taken.",
    (TAKEN, 'no.code != "stale-revision" and ', ""),
)
for _name, _codes in (
    ("escalated", ("already-terminal", "wrong-holder")),
    ("seen", ("stale-lease", "wrong-holder")),
    ("claimed", ("stale-lease", "already-terminal")),
):
    turns(
        f"taken-is-told-when-{_name}",
        f"Speaks of an event that was {_name} meanwhile.",
        (TAKEN, 'no.code != "stale-revision"', f"no.code in {_codes}"),
    )
turns(
    "taken-keeps-its-own",
    "Leaves the event of a turn that was thrown away to its deadline.",
    (WITHHELD, "_fail_trigger(lane, failed)", "pass"),
)
turns(
    "taken-keeps-the-lane",
    "Keeps the lane when a turn was thrown away.",
    (COMMIT, THROWN, "step = _withheld(lane, world)\n        return evolve(step, lane=lane, expected=lane.version)"),
)
turns(
    "taken-is-read",
    "Takes facts for read by a turn that was thrown away.",
    (
        COMMIT,
        THROWN,
        "step, more = _withheld(lane, world), _World(events, facts, rules, now)\n"
        "        for one in turn.facts:\n"
        "            more.decide(one.id, ContextCommitted(lease=one.lease))\n"
        "        return evolve(step, decisions=(*step.decisions, *more.decisions))",
    ),
)
turns(
    "taken-is-known",
    "Takes for known what stood in the prompt of a turn that was thrown away.",
    (
        COMMIT,
        THROWN,
        "step = _withheld(lane, world)\n        return evolve(step, lane=evolve(step.lane, **_read(lane, turn)))",
    ),
)
turns(
    "taken-counts-in-part",
    "Counts in silence what a turn acknowledged that was thrown away.",
    (
        COMMIT,
        THROWN,
        "world.decisions = _taken_out(world.decisions)[0]\n"
        "        return evolve(_ended(lane, world), notes=(_WITHHELD,))",
    ),
)
turns(
    "taken-hides-why",
    "Does not say what was refused when a turn is thrown away.",
    (WITHHELD, "refused=tuple(dict.fromkeys((*world.refused, *step.refused)))", "refused=step.refused"),
)
