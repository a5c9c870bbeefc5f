"""Mutants of notifications: where events go."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from mentionable.anp import _agent, _notification, _present, _route, _routing
from tests.mutants import _edits
from tests.mutants._answers import takes

if TYPE_CHECKING:
    from tests.mutants._edits import Values

AREA: Final = "anp"
NOTHING: Final = {"record": {}, "path": [], "expected": None, "effects": [], "responsible": "system"}
"""A decision about nothing, where one should have been refused."""

ONE: Final = ("anp.decide",)
TABLE, CLASSIFY, DECIDE = ("anp.route_table",), ("anp.classify",), ("anp.decide", "anp.story")
ROUTED: Final = (*TABLE, *DECIDE)

edits = partial(_edits.edits, AREA)


def decides(name: str, rule: str, *changes: Any, values: Values | None = None) -> None:
    """Registers a mutant that decides otherwise."""
    edits(DECIDE, name, rule, *changes, values=values)


# --- the table

HONEST: Final = _routing.ROUTE_TABLE
LETTERS: Final = {"u": "user", "s": "session", "a": "agent"}


def _key(word: str) -> Any:
    handler = {"s": "system", "a": "agent"}[word[2]]
    return LETTERS[word[0]], LETTERS[word[1]], handler


def routes(name: str, rule: str, ops: tuple[str, ...] = ROUTED, **rows: Any) -> None:
    """Registers a mutant with other rows: by the letters of the flags, another row, or other members of it."""
    table = dict(HONEST)
    for word, row in rows.items():
        key = _key(word)
        table[key] = HONEST[_key(row)] if isinstance(row, str) else HONEST[key]._replace(**row)
    edits(ops, name, rule, values={(_routing, "ROUTE_TABLE"): table})


routes("a-before-c", "Asks for the inbox before the context of the agent.", uas="uus")
routes("b-before-c", "Shows facts of a session in its chat.", sas="sus")
routes("facts-are-actionable", "Hands facts to the agent as work.", uas="uaa", sas="saa")
routes("facts-are-the-agents", "Makes the agent responsible for facts.", TABLE, uas={"responsible": "agent"})
routes("session-facts-are-the-agents", "The same in a session.", TABLE, sas={"responsible": "agent"})
routes("one-match", "Names one channel where two fit.", TABLE, uas={"matches": ("C",)})
routes("alerts-in-no-inbox", "Shows notices of a user in the chat.", TABLE, uus={"channel": "B", "matches": ("B",)})
routes("alerts-in-no-chat", "Shows notices of a session in the inbox.", TABLE, sus={"channel": "A", "matches": ("A",)})
routes("alerts-hidden", "Hides alerts of a session.", sus="sas")
routes("mediated-hidden", "Never shows what the agent should narrate.", TABLE, uua={"shown_raw": "never"})
routes("mediated-twice", "Shows in the chat what the agent narrates.", TABLE, sua={"shown_raw": "yes"})
routes(
    "may-be-silent", "Lets the agent be silent about what is for the user.", TABLE, uua={"agent_access": "actionable"}
)
routes("no-narration", "Starts an internal turn for what must be narrated.", uua="uaa")
routes("no-narration-in-a-session", "The same in a session.", sua="saa")
routes("speaks-on-work", "Starts a proactive turn for work.", uaa={"turn": "proactive"})
routes("speaks-on-work-in-a-session", "The same in a session.", saa={"turn": "proactive"})
routes("turns-are-global", "Starts all turns beyond all sessions.", sua={"scope": "global"}, saa={"scope": "global"})
routes("facts-are-global", "Remembers facts of a session beyond it.", sas={"scope": "global"})
routes("work-has-no-deadline", "Sets no deadline for work.", uaa={"has_deadline": False}, saa={"has_deadline": False})
routes("facts-have-deadlines", "Sets deadlines for facts.", uas={"has_deadline": True}, sas={"has_deadline": True})
routes("alerts-have-deadlines", "Sets deadlines for alerts.", uus={"has_deadline": True}, sus={"has_deadline": True})
routes("narrations-have-none", "Sets no deadline for what must be narrated.", uua={"has_deadline": False})
for _flag, _lack in (("address", "team"), ("target", "everybody"), ("handler", "plugin"), ("target", None)):
    takes(
        AREA, TABLE, f"guesses-{_flag}{'' if _lack else '-that-is-not-there'}", f"Takes any {_flag}.",
        lambda _, unit: {"channel": "A"}, "malformed", when=lambda unit, f=_flag, w=_lack: unit.get(f) == w,
    )  # fmt: skip

# --- classifications

WORD: Final = 'isinstance(word, str) and word.strip().lower() == "internal"'


def _classifies(name: str, rule: str, new: str) -> None:
    edits((*CLASSIFY, *DECIDE), f"classifies-{name}", rule, (_agent.classify, WORD, new))


_classifies("nothing-as-internal", "Takes a tool that nobody classified as internal.", f"word is None or {WORD}")
_classifies("unknown-as-internal", "Takes an unknown word as internal.", 'word not in (None, "", "external", True)')
_classifies("empty-as-internal", "Takes an empty word as internal.", f'word == "" or {WORD}')
_classifies("beginnings", "Looks at the beginning of the word.", 'str(word).lower().startswith("internal")')
_classifies("exactly", "Knows the word in small letters only.", 'word == "internal"')
_classifies("flags", "Takes a flag for a classification.", f"word is True or {WORD}")
_classifies("lists", "Looks into lists.", f'word == ["internal"] or {WORD}')
_classifies("all-external", "Tells the human of everything.", "False")
_classifies("all-internal", "Tells the human of nothing.", "True")

# --- routing

ROUTE, DEMOTED = _route.route, _route._demoted
FREE: Final = (ROUTE, 'row.mode == "direct" and step.facts.lane_busy', "False")
decides("alerts-interrupt", "Shows alerts in the middle of a turn.", FREE)
decides(
    "facts-wait", "Lets facts wait for the lane.",
    (ROUTE, 'row.mode == "direct" and step.facts', 'row.mode in ("direct", "passive") and step.facts'),
)  # fmt: skip
decides("agents-wait", "Lets what the agent handles wait.",
        (ROUTE, 'row.mode == "direct" and step.facts', 'row.mode != "passive" and step.facts'))  # fmt: skip
decides("waiting-is-dispatched", "Takes what waits as dispatched.",
        (ROUTE, "return step.to(waiting, effects", 'return step.to(waiting, "dispatched", effects'))  # fmt: skip
decides("waiting-keeps-its-address", "Forgets that the session of what waits is gone.",
        (ROUTE, "if routing is not step.record.routing:", "if False:"))  # fmt: skip
decides("waiting-keeps-its-deadline", "Keeps the deadline of what starts no turn and waits.",
        (ROUTE, "routing=routing, delivery_deadline=None", "routing=routing"))  # fmt: skip
decides("routes-twice", "Routes what was routed.", (ROUTE, 'if step.record.status != "pending":', "if False:"))
decides(
    "routes-locked", "Routes what somebody holds.",
    (ROUTE, 'step.record.status != "pending"', 'step.record.status not in ("pending", "locked", "escalated")'),
)  # fmt: skip
decides("no-deadline", "Sets no deadline when it routes.",
        (ROUTE, "step.record.delivery_deadline or step.rules.deadline(step.record, step.now)",
         "step.record.delivery_deadline or step.record.created_at"))  # fmt: skip
decides("deadline-anew", "Sets the deadline anew when it routes.",
        (ROUTE, "step.record.delivery_deadline or step.rules", "step.rules"))  # fmt: skip
decides("deadline-of-the-system", "Keeps the deadline of what starts no turn.",
        (ROUTE, 'members["delivery_deadline"] = None', "pass"))  # fmt: skip
decides("agent-unaware", "Does not tell the agent of what is shown.",
        (ROUTE, '[present(new), aware(new, "shown")]', "[present(new)]"))  # fmt: skip
decides("agent-told-it-was-seen", "Tells the agent that the human has seen what is shown.",
        (ROUTE, 'aware(new, "shown")', 'aware(new, "user_seen")'))  # fmt: skip
decides("agent-alone", "Tells the agent, and shows nothing.",
        (ROUTE, '[present(new), aware(new, "shown")]', '[aware(new, "shown")]'))  # fmt: skip
decides("no-facts", "Forgets facts.", (ROUTE, "effects.append(fact(new))", "pass"))
decides("address-demotion-forgotten", "Routes into sessions that are gone.",
        (DEMOTED, "if step.has_lost_session:", "if False:"))  # fmt: skip
decides("address-demotion-untold", "Does not say that an event went to its user.",
        (DEMOTED, "effects.append(gone(record))", "pass"))  # fmt: skip
decides("all-are-demoted", "Sends every event of a session to its user.",
        (DEMOTED, "if step.has_lost_session:", "if record.session_id is not None:"))  # fmt: skip
decides("address-promoted", "Sends an event back into its session.",
        (DEMOTED, "effects: list[Effect] = []",
         'effects: list[Effect] = []\n    if record.requested.address == "session" and step.facts.session_exists:\n'
         "        routing = record.requested"))  # fmt: skip
decides("drops-the-homeless", "Routes nothing where the session of the user's event is gone.",
        (ROUTE, 'step.record.status != "pending"',
         'step.record.status != "pending" or not (step.facts.session_exists or step.has_lost_session)'))  # fmt: skip
decides("chains-go-on", "Starts turns for ever.", (DEMOTED, "record.depth >= step.rules.depth", "False"))
decides(
    "chains-end-early", "Starts no turn for what came of two.", (DEMOTED, "step.rules.depth:", "step.rules.depth - 1:")
)
decides("chains-end-at-three", "Does not ask the host how long a chain may be.",
        (DEMOTED, "step.rules.depth:", "3:"))  # fmt: skip
decides("chains-end-loudly", "Shows the human what ends a chain.",
        (DEMOTED, 'handler="system")', 'handler="system", target="user")'))  # fmt: skip
OFFERED: Final = _route._offered
for _name, _line in (
    ("grant", "effect(Grant, record),"),
    ("context", "injected(record),"),
    ("turn", "effect(StartTurn, record, turn=row.turn, scope=row.scope),"),
    ("alarm", "effect(WakeAt, record, at=record.delivery_deadline),"),
):
    decides(f"offers-no-{_name}", f"Offers an event without its {_name}.", (OFFERED, _line, ""))
decides("need-not-narrate", "Never says that the agent must narrate.",
        (_present.injected, 'record.routing.target == "user"', "False"))  # fmt: skip
decides("must-narrate-work", "Always says that the agent must narrate.",
        (_present.injected, 'record.routing.target == "user"', "True"))  # fmt: skip
decides("no-instructions", "Tells the model nothing of what the plugin says to it.",
        (_present._told, "record.agent_instructions", "None"))  # fmt: skip
decides("everywhere-the-inbox", "Shows everything in the inbox.",
        values={(_notification, "SURFACES"): {"user": "inbox", "session": "inbox"}})  # fmt: skip
decides("shows-internal-metadata", "Shows what the bus notes for itself.",
        (_present.present, "record.shown_metadata or None", "record.metadata or None"))  # fmt: skip
decides("shows-depths", "Shows the depth of turns.", values={(_notification, "INTERNAL_NAMES"): ()})
decides(
    "shows-fallback",
    "Shows the fallback in place of any words.",
    (_present.present, 'record.fallback if record.status == "escalated" else record.content', "record.fallback"),
)
