"""Mutants of what the agent reads when a turn begins, and of what it gives back in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mentionable.anp import _lane, _output, _present, _prompt, _route, _system, _turn, _watchdog
from tests.mutants._anp_turns import AREA, TURN
from tests.mutants._answers import spoils, swapped, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants._edits import Edit

PROMPT: Final = ("anp.prompt",)
READS: Final = (*PROMPT, *TURN)
OUTPUT: Final = ("anp.read_output",)


def prompts(
    name: str, rule: str, *edits: Edit, ops: tuple[str, ...] = PROMPT, when: Callable[[Any], bool] | None = None
) -> None:
    """Registers a mutant of prompts."""
    written(AREA, ops, f"prompt-{name}", rule, *edits, when=when)


# --- who stands there

HEARD: Final = _lane._is_heard
OFFERED: Final = _prompt.is_offered
COMPOSE: Final = _prompt.compose
BEGIN: Final = _lane.begin_turn
WHAT: Final = _lane._what
prompts("of-other-users", "Tells one user's events to another.", (HEARD, "event.user_id == user_id and", ""))
IS_HERE: Final = "event.addressed_session in (None, session_id)"
prompts("of-other-sessions", "Tells in one session what belongs to another.", (HEARD, IS_HERE, "True"), ops=READS)
prompts(
    "of-this-session-only",
    "Tells in a session nothing of the user's.",
    (HEARD, IS_HERE, "event.addressed_session == session_id"),
)
prompts(
    "of-no-session", "Tells beyond sessions what belongs to one.", (HEARD, IS_HERE, f"session_id is None or {IS_HERE}")
)
prompts(
    "by-session-id",
    "Leaves what was moved to the user in its old session.",
    (HEARD, IS_HERE, "event.session_id in (None, session_id)"),
)
prompts(
    "foreign-trigger",
    "Begins a turn with one user for the event of another.",
    (BEGIN, "is_theirs = trigger is None or _is_heard(trigger, user_id, session_id)", "is_theirs = True"),
)
prompts(
    "pending",
    "Offers what nobody has sent where it goes.",
    (OFFERED, 'event.status == "dispatched" or', 'event.status in ("dispatched", "pending") or'),
)
prompts(
    "over",
    "Offers what is over.",
    (OFFERED, 'event.status == "dispatched" or', 'event.status in ("dispatched", "delivered", "failed") or'),
)
prompts("claimed-by-others", "Offers what another worker has claimed.", (OFFERED, "event.holder == holder", "True"))
prompts(
    "claimed-by-anybody",
    "Takes a turn without a worker's name for any worker.",
    (OFFERED, "event.holder == holder", "holder in (None, event.holder)"),
)
prompts(
    "claimed-never",
    "Offers nobody what is claimed.",
    (OFFERED, '(event.status == "locked" and event.holder == holder)', "False"),
)
prompts(
    "of-the-system",
    "Offers what the system shows.",
    (OFFERED, 'event.routing.handler == "agent"', 'event.routing.row.mode != "passive"'),
)
prompts(
    "of-the-watchdog",
    "Offers what the watchdog took.",
    (
        OFFERED,
        'return is_free and event.routing.handler == "agent"',
        'return event.status == "escalated" or (is_free and event.routing.handler == "agent")',
    ),
)
prompts(
    "pending-facts",
    "Tells facts that nobody has sent where they go.",
    (COMPOSE, "event.is_fact", 'event.status != "delivered" and event.routing.row.mode == "passive"'),
)
prompts(
    "read-facts",
    "Tells facts again that were read.",
    (COMPOSE, "event.is_fact", 'event.status != "pending" and event.routing.row.mode == "passive"'),
)
prompts("no-facts", "Tells no facts.", (COMPOSE, "event.is_fact", "False"))
prompts("trigger-twice", "Tells the event that started the turn twice.", (COMPOSE, "event.id == trigger.id", "False"))
prompts(
    "trigger-only",
    "Tells the event that started the turn, and no other.",
    (COMPOSE, "if is_offered(event, holder):", "if trigger is None and is_offered(event, holder):"),
)
prompts(
    "nothing-in-conversations",
    "Tells a user who speaks nothing.",
    (COMPOSE, "if is_offered(event, holder):", "if trigger is not None and is_offered(event, holder):"),
)
prompts(
    "proactive-always",
    "Takes every event for one that the human must hear of.",
    (WHAT, '"proactive" if trigger.routing.target == "user" else "internal"', '"proactive"'),
)
prompts(
    "internal-as-submitted",
    "Thinks in silence about what the agent did in public.",
    (WHAT, "trigger.routing.target", "trigger.requested.target"),
)
prompts(
    "conversation-internal",
    "Takes a conversation for a turn of the agent alone.",
    (WHAT, 'return "conversation"', 'return "internal"'),
)

# --- where it stands, and how

P: Final = _prompt.Prompt
LINE: Final = "line = _line(entry)"
prompts(
    "as-submitted",
    "Lets the agent be silent about what it did in public.",
    (P.offer, "event.routing.target", "event.requested.target"),
    ops=READS,
)
prompts(
    "all-narrated",
    "Makes the agent speak of all.",
    (P.offer, '"narrate" if event.routing.target == "user" else "handle"', '"narrate"'),
)
prompts(
    "all-handled",
    "Lets the agent be silent about all.",
    (P.offer, '"narrate" if event.routing.target == "user" else "handle"', '"handle"'),
)
prompts("facts-handled", "Makes the agent handle facts.", (P.inform, '"fact"', '"handle"'))
prompts("facts-granted", "Lets the agent end facts.", (P.inform, "self.facts.append", "self.grants.append"))
prompts("aware-announced", "Makes the agent announce what the user has seen.", (P.tell, "aware.awareness", '"narrate"'))
prompts(
    "aware-untold",
    "Tells the agent nothing of what became of events.",
    (P.tell, "return self._add(aware.awareness, aware.id, aware.content, None)", "return True"),
)
prompts("aware-ids", "Tells the ids of what became of events, and not what they said.", (P.tell, "aware.content", '""'))
prompts("aware-is-shown", "Takes all that became of events for shown.", (P.tell, "aware.awareness", '"shown"'))
for _name, _char in (("next-line", "85"), ("line-separator", "2028"), ("paragraph-separator", "2029")):
    _but = f"{{end: text for end, text in _LINE_ENDS.items() if end != 0x{_char}}}"
    prompts(
        _name, "Takes a line to end where JSON does.", (_prompt._line, "translate(_LINE_ENDS)", f"translate({_but})")
    )
prompts(
    "raw-lines", "Writes the lines of plugins as lines of its own.", (P._add, LINE, LINE + ".replace('\\\\n', '\\n')")
)
prompts("raw-returns", "Writes carriage returns as they are.", (P._add, LINE, LINE + ".replace('\\\\r', '\\r')"))
prompts("raw-feeds", "Writes form feeds as they are.", (P._add, LINE, LINE + ".replace('\\\\f', '\\f')"))
prompts("raw-quotes", "Writes quotation marks as they are.", (P._add, LINE, LINE + ".replace('\\\\\"', '\"')"))
prompts(
    "raw-directives",
    "Writes the lines of directives as lines of its own.",
    (
        P._add,
        LINE,
        LINE + ".replace('\\\\n', '\\n') if 'directive' in entry else _line(entry)",
    ),
)
prompts(
    "raw-awareness",
    "Writes the lines of what was shown as lines of its own.",
    (P._add, LINE, LINE + ".replace('\\\\n', '\\n') if event is None else _line(entry)"),
)
prompts(
    "first-lines",
    "Tells the first line of an event only.",
    (P._add, '"content": content}', '"content": content.splitlines()[0]}'),
)
prompts(
    "no-directives",
    "Keeps to itself what a plugin tells the model.",
    (P._add, "told is not None and told.directive", "False"),
)
prompts(
    "no-hints", "Keeps to itself how a plugin wants it told.", (P._add, "told is not None and told.tone_hint", "False")
)
prompts(
    "directive-for-content",
    "Tells the model what to do, and not about what.",
    (P._add, 'entry["directive"] = told.directive', 'entry["directive"] = entry["content"] = told.directive'),
)
prompts(
    "metadata",
    "Tells the model what is internal.",
    (P._add, LINE, "entry['metadata'] = dict(event.metadata) if event is not None else {}\n    " + LINE),
)
prompts(
    "leases",
    "Grants another lease than that of the event.",
    (_prompt._shown, "event.owner_lease", "event.owner_lease + 1"),
    when=lambda unit: "trigger" in unit,
)
prompts("first-revision", "Grants the first words of an event.", (_prompt._shown, "event.revision", "1"), ops=READS)

prompts(
    "uncut",
    "Gives one event all the room that there is.",
    (P._add, "is_long = len(line) > MOST_IN_ENTRY", "is_long = False"),
)
prompts(
    "too-long",
    "Leaves out what is too long, in each prompt.",
    (
        P._add,
        "is_long = len(line) > MOST_IN_ENTRY",
        "is_long = False\n    if len(line) > MOST_IN_ENTRY:\n        return False",
    ),
)
prompts("ids-cut", "Cuts ids, too.", (P._add, 'member if name == "id" else _start(member)', "_start(member)"))
prompts("cut-unsaid", "Does not say that something was cut.", (P._add, "self.cut += is_long", "pass"))
prompts("asks-for-nothing", "Does not say how events are acknowledged.", (P.text, "[INTRODUCTION, *blocks]", "blocks"))

# --- what it is to know

READ: Final = _turn._read
TELL: Final = _lane._tell


def aware(name: str, rule: str, *edits: Edit, when: Callable[[Any], bool] | None = None) -> None:
    """Registers a mutant of what the agent is to know."""
    written(AREA, TURN, f"aware-{name}", rule, *edits, when=when)


aware(
    "cursor-at-the-start",
    "Takes for read what stood in the prompt of a turn that broke off.",
    (BEGIN, "lane=raised(lane, turn=running)", "lane=raised(lane, turn=running, cursor=turn.cursor)"),
)
aware(
    "cursor-stands",
    "Tells the same again in every turn.",
    (READ, '"cursor": max(lane.cursor, turn.cursor)', '"cursor": lane.cursor'),
)
aware(
    "cursor-of-sessions-stands",
    "Tells the same again in every turn of a session.",
    (READ, "turn.session_cursor > cursors.get(session, 0)", "False"),
)
aware(
    "cursor-runs-ahead",
    "Takes for read what came to pass while a turn ran.",
    (READ, "max(lane.cursor, turn.cursor)", "10**6"),
)
aware(
    "of-others",
    "Tells one user what became of events of another.",
    (TELL, "one.user_id == user_id and ", ""),
)
prompts("aware-of-others", "The same in one prompt.", (TELL, "one.user_id == user_id and ", ""))
aware(
    "one-cursor-for-sessions",
    "Takes for read in one session what was read in another.",
    (TELL, "lane.cursors.get(session_id, 0)", "max(lane.cursors.values(), default=0)"),
)
aware(
    "last-session-only",
    "Remembers how much was read for one session at a time.",
    (READ, "{**dict(list(cursors.items())[1 - MOST_SESSIONS :]), session", "{session"),
)
aware(
    "in-other-sessions",
    "Tells in one session what became of events of another.",
    (TELL, "read.get(one.session_id, place)", "read.get(one.session_id, 0)"),
)
aware(
    "of-dead-sessions",
    "Tells what was moved to the user in its old session only.",
    (_present.aware, "record.addressed_session", "record.session_id"),
)
aware(
    "not-of-sessions",
    "Tells nothing of what became of events of sessions.",
    (TELL, "read.get(one.session_id, place)", "(place if one.session_id else read[None])"),
)
aware("not-shown", "Keeps to itself what was shown.", (_route.route, ', aware(new, "shown")]', "]"))
aware("not-seen", "Keeps to itself what was seen.", (_system.client_ack, '[aware(new, "user_seen")]', "[]"))
aware(
    "not-seen-in-inbox",
    "Keeps to itself what was seen beyond sessions.",
    (_system.client_ack, '[aware(new, "user_seen")]', '[aware(new, "user_seen")] if new.session_id else []'),
)
aware(
    "not-escalated",
    "Keeps to itself what the watchdog took.",
    (_watchdog.escalate, 'effects += [present(new), aware(new, "escalated")]', "effects += [present(new)]"),
)


def _one_cursor(prompt: Any, lane: Any, user_id: str, session_id: str | None, told: Any) -> dict[str | None, int]:
    """One cursor for all sessions."""
    read = max([lane.cursor, *lane.cursors.values()])
    for place, one in told:
        if one.user_id == user_id and place > read and one.session_id in (None, session_id):
            prompt.tell(one)
        read = max(read, place)
    return {None: read, session_id: read}


swapped(
    AREA,
    TURN,
    "aware-one-cursor",
    "Takes for read in one session what was told in another.",
    _lane,
    "_tell",
    _one_cursor,
)

# --- what it gives back


def outputs(name: str, rule: str, *edits: Edit, when: Callable[[Any], bool] | None = None) -> None:
    """Registers a mutant of what an agent gives back."""
    written(AREA, OUTPUT, f"output-{name}", rule, *edits, when=when)


GIVEN: Final = _output.read_output
OBJECT: Final = _output._object_in
SAID: Final = _output._said
IDS: Final = _output._ids
IS_ANSWER: Final = 'isinstance(found, dict) and (not found or "output" in found or "acknowledged_ids" in found)'
IS_ID: Final = "isinstance(found, str) and 0 < len(found) <= _LONGEST_ID and is_text(found)"
NO_TEXT: Final = "if not isinstance(output, (str, type(None))):"

outputs(
    "words-only", "Shows the JSON of an answer to the user.", (OBJECT, "is_answer else None", "False else None"),
    when=lambda unit: isinstance(unit["given"], str),
)  # fmt: skip
outputs(
    "objects-only", "Loses what is no object.", (GIVEN, "return _said(given, (), [])", "return _said(None, (), [])")
)
outputs("texts-only", "Reads answers as text only.", (GIVEN, "given.get(\"output\")", "None"),
        when=lambda unit: unit["given"] and isinstance(unit["given"], dict) and len(unit["given"]) == 2)  # fmt: skip
outputs("null-text-is-words", "Says null.", (OBJECT, 'if inner == "null":', "if False:"))
outputs("null-text-unfenced", "Says null in a fence.", (OBJECT, 'inner == "null"', 'text == "null"'))
outputs("null-begins", "Takes words for nothing that begin like nothing.",
        (OBJECT, 'inner == "null"', 'inner.startswith("null")'))  # fmt: skip
outputs("unfenced", "Shows fences to the user.", (OBJECT, "fenced[1] if fenced else text", "text"))
outputs(
    "unstripped",
    "Takes an answer with blanks around it for words.",
    (OBJECT, "(fenced[1] if fenced else text).strip()", "(fenced[1] if fenced else text)"),
)
outputs("any-object", "Takes any object for an answer.", (OBJECT, IS_ANSWER, "isinstance(found, dict)"))
outputs(
    "empty-object-is-words", "Says an empty object.", (OBJECT, 'not found or "output" in found', '"output" in found')
)
outputs(
    "broken-is-silence",
    "Takes a broken answer for silence.",
    (OBJECT, 'if error.code != "lone-surrogate":', "if True:"),
    (OBJECT, "return None\n        found", "return {'output': None}\n        found"),
)
outputs(
    "halves-are-words",
    "Shows an answer as JSON for half a letter in it.",
    (OBJECT, 'if error.code != "lone-surrogate":', "if True:"),
)
outputs(
    "lists-are-ids",
    "Takes a list for ids.",
    (
        OBJECT,
        'if inner[:1] != "{":',
        "if inner[:1] == '[':\n        return {'acknowledged_ids': json.loads(inner)}\n    if inner[:1] != \"{\":",
    ),
)
outputs(
    "nothing-is-words",
    "Says null where the agent says nothing.",
    (GIVEN, "return AgentOutput(None)", 'return AgentOutput("null")'),
)
outputs(
    "null-is-words",
    "Says null where the agent says nothing.",
    (SAID, NO_TEXT, f"output = 'null' if output is None else output\n    {NO_TEXT}"),
)
outputs("blanks-are-words", "Says blanks.", (SAID, " and shows_something(output)", ""))
outputs("odd-output-is-words", "Shows what is no text.", (SAID, "output = None\n", "output = str(output)\n"))
outputs(
    "odd-output-silently",
    "Does not tell of output that is no text.",
    (SAID, 'notes.append(_unread("/output", "it is no text"))', "pass"),
)
outputs(
    "no-ids",
    "Reads no acknowledgements.",
    (GIVEN, "ids[:MOST_IDS], notes", "(), notes"),
    when=lambda unit: unit["given"] and isinstance(unit["given"], dict),
)
outputs(
    "doubles",
    "Reads an id twice.",
    (GIVEN, 'dict.fromkeys(_ids(given.get("acknowledged_ids"), notes))', '_ids(given.get("acknowledged_ids"), notes)'),
)
outputs("sorted", "Sorts what was acknowledged.", (GIVEN, "tuple(dict.fromkeys(", "tuple(sorted("))
outputs("one-id-is-letters", "Reads an id by its letters.", (IDS, "[given]", "list(given)"))
outputs("no-one-id", "Reads ids in lists only.", (IDS, "[given]", "[]"))
outputs("null-ids-are-one", "Takes no list for one odd id.", (IDS, "[] if given is None else ", ""))
outputs(
    "no-objects-in-ids", "Reads ids as texts only.", (IDS, 'one.get("id") if isinstance(one, Mapping) else one', "one")
)
outputs(
    "numbers-are-ids",
    "Takes numbers for ids.",
    (IDS, IS_ID, f"{IS_ID} or isinstance(found, int)"),
    (IDS, "yield found", "yield str(found)"),
)
outputs("empty-ids", "Takes an empty text for an id.", (IDS, "0 < len(found)", "0 <= len(found)"))
outputs("odd-ids-silently", "Does not tell of what is no id.", (IDS, "elif len(notes) < MOST_IDS:", "elif False:"))
outputs(
    "odd-ids-spoil-all",
    "Reads no id where one is odd.",
    (GIVEN, "ids[:MOST_IDS], notes", "() if notes else ids[:MOST_IDS], notes"),
)
outputs(
    "silence-without-words",
    "Refuses answers without words.",
    (
        GIVEN,
        "notes: list[Diagnostic] = []",
        "notes: list[Diagnostic] = [_unread('/output', 'there is none')] if 'output' not in given else []",
    ),
)
outputs(
    "acknowledged-or-nothing",
    "Takes words without acknowledgements for nothing.",
    (GIVEN, '_said(given.get("output")', '_said(given.get("output") if ids else None'),
)


def _own(answer: Any, _: Any, unit: Any) -> Any:
    """An answer in which the agent said more than it may."""
    more = set(unit["given"] or ()) - {"output", "acknowledged_ids"} if isinstance(unit["given"], dict) else set()
    return {**answer, **{name: unit["given"][name] for name in more}} if more else None


spoils(AREA, OUTPUT, "output-own-members", "Lets the agent say what its lease is.", _own)
