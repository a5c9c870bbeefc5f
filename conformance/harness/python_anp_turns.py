"""The operations of turns for the worked harness of Python: lanes, prompts, what an agent did and gave back."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import python_anp

import mentionable as m
from mentionable import anp
from mentionable.anp._prompt import HEADINGS

Object = Mapping[str, Any]
Answer = dict[str, Any]
USER = "olivia"


def _facts(given: Object) -> dict[str, anp.Facts]:
    return {id: anp.Facts(**world) for id, world in given.items()}


def _turn(turn: anp.Turn) -> Answer:
    """What a turn begins with."""
    granted = {one.id: {"lease": one.lease, "revision": one.revision} for one in turn.grants}
    known = [one.id for one in turn.facts]
    return {"what": turn.what, "prompt": turn.prompt, "headings": dict(HEADINGS), "grants": granted, "facts": known}


# --- a lane and an event


def _lane(data: Object, id: str, rules: anp.Rules, now: datetime) -> anp.Lane:
    """The lane of an event: a turn runs there, or not; alerts wait."""
    running = None
    if data.get("is_busy"):
        running = anp.RunningTurn(id="t1", deadline=m.format_time(now + rules.turn_ttl))
    others = (f"d{number}" for number in range(data.get("others", 0)))
    return anp.Lane(id=id, version=3, turn=running, waiting=(*others, *data.get("waiting", ())))


def _dispatch(_: str, given: Object, unit: Object) -> Answer:
    """Where an event goes, with what waits in its lane afterwards."""
    event, now = anp.read_notification(unit["event"]), m.parse_time(given["now"])
    rules = python_anp._rules(unit.get("rules", {}))
    facts = anp.Facts(**unit.get("facts", {}))
    lane = _lane(unit.get("lane", {}), anp.lane_of(event, facts=facts, rules=rules), rules, now)
    found = anp.dispatch(lane, event, now=now, facts=facts, rules=rules)
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}}
    (decision,) = found.decisions
    value = {"before": m.encode(event), **m.encode(decision), "waiting": list(found.lane.waiting)}
    return {"value": value, "diagnostics": [note.code for note in (*decision.diagnostics, *found.diagnostics)]}


def _lanes(_: Object, unit: Object) -> Any:
    rules = python_anp._rules(unit.get("rules", {}))
    return {"ids": [anp.lane_of(anp.read_notification(one), rules=rules) for one in unit["events"]]}


# --- the story of a lane


class _Story:
    """A small ledger, and what is done to it step by step."""

    def __init__(self, given: Object, unit: Object) -> None:
        self.begin = m.parse_time(given["now"])
        self.rules = python_anp._rules(unit.get("rules", {}))
        self.unit = unit
        self.ledger = anp.Ledger()
        self.ids: list[str] = []
        self.turns: dict[str, anp.Turn] = {}
        self.lanes: set[str] = set()
        self.seen: list[tuple[dict[str, anp.Notification], dict[str, anp.Lane]]] = []
        for event in unit["events"]:
            self.keep(anp.read_notification(event))
        self.before = self.events()

    def keep(self, event: anp.Notification) -> None:
        self.ids.append(event.id)
        made = anp.Decision(record=event, expected=None, path=(event.status,))
        if not self.ledger.commit(made):
            raise m.UsageError(f"{event.id} cannot be stored")

    def events(self) -> dict[str, anp.Notification]:
        found = {id: self.ledger.get(id) for id in self.ids}
        return {id: event for id, event in found.items() if event is not None}

    def lane_id(self, step: Object) -> str:
        said = {**self.unit, **step}
        return anp.lane_id(said.get("user_id", USER), said.get("session_id"), rules=self.rules)

    def perform(self, step: Object) -> Answer:
        """Does one step and stores it: what came of it. `seen` names the step before which the store was read."""
        self.seen.append((self.events(), {id: self.ledger.lane(id) for id in self.lanes}))
        ((kind, how),) = [(name, how) for name, how in step.items() if name in _STEPS]
        events, lanes = self.seen[step.get("seen", -1)]
        events = {id: event for id, event in events.items() if id not in step.get("lost", ())}
        lane_id = self.lane_id(step)
        if kind == "dispatch":
            facts = _facts(step.get("facts", {})).get(how, anp.Facts())
            lane_id = anp.lane_of(events[how], facts=facts, rules=self.rules)
        lane = lanes.get(lane_id) or anp.Lane(id=lane_id)
        self.lanes.add(lane_id)
        now = self.begin + timedelta(seconds=step.get("at", 0))
        return self.stored(_STEPS[kind](self, how, step, lane, events, now))

    def stored(self, found: Any) -> Answer:
        """Stores what was decided, if that is still what it was decided upon."""
        if isinstance(found, m.Rejected):
            return {"rejected": found.code}
        place = len(self.ledger.outbox)
        if not self.ledger.commit(found):
            return {"conflict": True}
        decisions = found.decisions if isinstance(found, anp.LaneStep) else ()
        changed = decisions or ((found,) if isinstance(found, anp.Decision) else ())
        self.ids += [one.record.id for one in changed if one.record.id not in self.ids]
        answer: Answer = {"paths": {one.record.id: list(one.path) for one in changed}}
        answer["notes"] = [note.code for one in (*decisions, found) for note in one.diagnostics]
        answer["effects"] = [m.encode(one) for one in self.ledger.outbox[place:]]
        if isinstance(found, anp.LaneStep):
            answer |= {"refused": {id: no.code for id, no in found.refused}, "stopped": found.stopped}
            if found.turn is not None:
                self.turns[found.turn.id] = found.turn
        return answer

    def ends(self) -> Answer:
        """How the ledger stands in the end."""
        lane, events = self.ledger.lane(self.lane_id({})), self.events()
        wakes = anp.next_deadline([lane, *events.values()])
        return {
            "before": {id: m.encode(event) for id, event in self.before.items()},
            "records": {id: m.encode(event) for id, event in events.items()},
            "turns": {id: _turn(turn) for id, turn in self.turns.items()},
            "running": lane.turn and lane.turn.id,
            "waiting": list(lane.waiting),
            "wakes": wakes and m.format_time(wakes),
        }


def _begins(story: _Story, how: Object, step: Object, lane: Any, events: Any, now: datetime) -> Any:
    user = {**story.unit, **step}.get("user_id", USER)
    aware = [(place, one) for place, one in enumerate(story.ledger.outbox, 1) if isinstance(one, anp.AgentAware)]
    return anp.begin_turn(
        lane,
        how["turn"],
        user_id=user,
        session_id={**story.unit, **step}.get("session_id"),
        now=now,
        trigger=events[how["trigger"]] if how.get("trigger") else None,
        context=anp.TurnContext(
            events=[one for one in events.values() if one.user_id == user and not one.is_terminal], aware=aware
        ),
        holder=how.get("holder"),
        rules=story.rules,
    )


def _acts(story: _Story, how: Object, step: Object, lane: Any, events: Any, now: datetime) -> Any:
    world = {"facts": _facts(step.get("facts", {})), "rules": story.rules}
    kind = how.get("classification")
    return anp.act(lane, story.turns[how["turn"]], how["name"], kind, events=events, now=now, **world)


def _commits(story: _Story, how: Object, step: Object, lane: Any, events: Any, now: datetime) -> Any:
    return anp.commit_turn(
        lane,
        story.turns[how["turn"]],
        events=events,
        now=now,
        output=how.get("output"),
        acknowledged_ids=how.get("acknowledged_ids", ()),
        narration_id=f"n-{how['turn']}",
        facts=_facts(step.get("facts", {})),
        rules=story.rules,
    )


def _fails(story: _Story, how: Object, step: Object, lane: Any, events: Any, now: datetime) -> Any:
    world = {"facts": _facts(step.get("facts", {})), "rules": story.rules}
    return anp.fail_turn(lane, how["turn"], events=events, now=now, **world)


def _ticks(story: _Story, how: Object, step: Object, lane: Any, events: Any, now: datetime) -> Any:
    return anp.lane_tick(lane, events=events, now=now, facts=_facts(step.get("facts", {})), rules=story.rules)


def _goes(story: _Story, how: str, step: Object, lane: Any, events: Any, now: datetime) -> Any:
    facts = _facts(step.get("facts", {})).get(how, anp.Facts())
    return anp.dispatch(lane, events[how], now=now, facts=facts, rules=story.rules)


def _commands(story: _Story, how: Object, step: Object, lane: Any, events: Any, now: datetime) -> Any:
    """Anything else that happens to an event; a submission replaces the open event with its key."""
    command = python_anp._command(how)
    record = events.get(step.get("of", ""))
    if command.kind == "submit":
        given = command.submission
        key = given.deduplication_key
        same = story.ledger.open(given.user_id, deduplication_key=key) if key is not None else ()
        record = same[0] if same else None
    facts = _facts(step.get("facts", {})).get(step.get("of", ""), anp.Facts())
    return anp.decide(record, command, now=now, facts=facts, rules=story.rules)


_STEPS: dict[str, Callable[..., Any]] = {
    "begin": _begins, "act": _acts, "commit": _commits, "fail": _fails, "lane_tick": _ticks, "dispatch": _goes,
    "command": _commands,
}  # fmt: skip


def _script(_: str, given: Object, unit: Object) -> Answer:
    """Steps one after another, each upon what those before it have stored."""
    story = _Story(given, unit)
    steps = [story.perform(step) for step in unit["steps"]]
    notes = [code for step in steps for code in step.get("notes", ())]
    return {"value": {"steps": steps, **story.ends()}, "diagnostics": notes}


def _commit(_: str, given: Object, unit: Object) -> Answer:
    """The end of the turn t1, while the lane is that of the turn `running`, or nobody's."""
    now = m.parse_time(given["now"])
    events = {one["id"]: anp.read_notification(one) for one in unit["events"]}
    free = anp.Lane(id=anp.lane_id(USER))
    context = anp.TurnContext(events=events.values())
    begun = anp.begin_turn(free, "t1", user_id=USER, now=now, trigger=events[unit["trigger"]], context=context)
    assert isinstance(begun, anp.LaneStep)
    assert begun.turn is not None
    running = unit["running"] and m.replace(begun.lane.turn, id=unit["running"])
    lane, ids = m.replace(begun.lane, turn=running), unit.get("acknowledged_ids", ())
    said = {"output": unit.get("output"), "acknowledged_ids": ids, "narration_id": "n-t1"}
    found = anp.commit_turn(lane, begun.turn, events=events, now=now, **said)
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}}
    return {"value": {"paths": {one.record.id: list(one.path) for one in found.decisions}}}


# --- what the agent reads and gives back


def _prompt(_: str, given: Object, unit: Object) -> Answer:
    """What stands in the prompt of a turn, and what the agent is granted."""
    events = {one["id"]: anp.read_notification(one) for one in unit["events"]}
    user, session, rules = unit.get("user_id", USER), unit.get("session_id"), python_anp._rules(unit.get("rules", {}))
    aware = [
        (place, m.decode_trusted(anp.AgentAware, {"kind": "agent_aware", "revision": 1, "lease": 1, **one}))
        for place, one in enumerate(unit.get("aware", ()), 1)
    ]
    now, running = m.parse_time(given["now"]), None
    if unit.get("is_busy"):
        running = anp.RunningTurn(id="t0", deadline=m.format_time(now + rules.turn_ttl))
    found = anp.begin_turn(
        anp.Lane(id=anp.lane_id(user, session), version=3, turn=running),
        "t1",
        user_id=user,
        session_id=session,
        now=now,
        trigger=events[unit["trigger"]] if "trigger" in unit else None,
        context=anp.TurnContext(events=list(events.values()), aware=aware),
        holder=unit.get("holder"),
        rules=rules,
    )
    if isinstance(found, m.Rejected) or found.turn is None:
        return {"rejected": {"code": getattr(found, "code", "malformed")}}
    return {"value": _turn(found.turn), "diagnostics": [note.code for note in found.diagnostics]}


def _output(_: str, given: Object, unit: Object) -> Answer:
    found = anp.read_output(unit["given"])
    value = {"output": found.output, "acknowledged_ids": list(found.acknowledged_ids)}
    return {"value": value, "diagnostics": [note.code for note in found.diagnostics]}


def _actions(_: Object, unit: Object) -> Any:
    actions = anp.Actions()
    for name, classification in unit["declared"]:
        actions.declare(name, classification)
    return [actions.classify(name) for name in unit["called"]]


# --- what goes out, and comes back


def _what(unit: Object) -> Any:
    """What is to go out: an effect, an event as it is stored, a presentation, or an event to submit."""
    if "record" in unit:
        return anp.read_notification(unit["record"])
    if "submission" in unit:
        return anp.read_submission(unit["submission"])
    return m.decode(anp.Effect if "effect" in unit else anp.Presentation, unit.get("effect", unit.get("shown")))


def _shown(_: Object, unit: Object) -> Any:
    found = anp.presentation(_what(unit))
    return found and {**m.encode(found), "told": found.actions_text()}


def _received(_: Object, unit: Object) -> Any:
    """What a client does with one presentation after another, and with what was settled."""
    kept: dict[str, anp.Seen] = {}
    did: list[Any] = []
    for one in unit["shown"]:
        before = kept.get(one["id"])
        if one.get("kind") == "settled":
            found = anp.receive_settled(m.decode(anp.Settled, one), before)
        else:
            found = anp.receive_presentation(m.decode(anp.Presentation, one), before)
        kept[one["id"]] = found.seen
        did.append([found.showing, found.ack and [found.ack.lease, found.ack.revision]])
    return did


def _clouded(given: Object, unit: Object) -> Any:
    """CloudEvents of several things."""
    facts = {"source": unit.get("source", "/hosts/1"), "at": m.parse_time(unit["at"]) if "at" in unit else None}
    made = [anp.cloud_event(_what(one), id=one.get("id"), **facts) for one in unit["what"]]
    return {"events": m.encode(tuple(made)), "headers": [one.headers for one in made]}


def _unclouded(given: Object, unit: Object) -> Any:
    """A CloudEvent from anyone, as JSON or as a request; with `as`, what it brings."""
    request = unit.get("request")
    body = unit.get("event")
    if request is not None:
        data = request.get("body", "")
        data = data.encode() if isinstance(data, str) else b64decode(data["$base64"])
        body = m.HttpRequest(method="POST", url="https://agents.example/events", headers=request["headers"], body=data)
    event = anp.read_cloud_event(body)
    if unit.get("as") == "submission":
        return m.encode(anp.submission_of(event, user_id=unit.get("user_id")))
    return m.encode(anp.presentation_of(event) if unit.get("as") == "presentation" else event)


def _pushed(given: Object, unit: Object) -> Any:
    """Messages of Web Push for several things."""
    facts: dict[str, Any] = {"now": m.parse_time(given["now"]), "secret": None}
    if "ttl_seconds" in unit:
        facts["ttl"] = timedelta(seconds=unit["ttl_seconds"])
    if "most" in unit:
        facts["max_bytes"] = unit["most"]
    made = [anp.to_web_push(_what(one), **facts) for one in unit["what"]]
    return [
        {"ttl": one.ttl, "urgency": one.urgency, "topic": one.topic, "payload": one.payload.decode()} for one in made
    ]


def _said(_: Object, unit: Object) -> Any:
    """The command that a message of a client means."""
    return m.encode(anp.command_of(anp.client_message(unit["data"]), user_id=unit["user_id"]))


def _streamed(_: Object, unit: Object) -> Any:
    """An item of a stream in both framings, and what a reader makes of each."""
    item = anp.read_web_socket(json.dumps(unit["item"]))
    event, frame = anp.to_event_stream(item), anp.to_web_socket(item)
    (read,) = anp.StreamReader().feed(event)
    return {
        "sse": event.decode(), "read": _item(read), "frame": frame, "back": _item(anp.read_web_socket(frame)),
    }  # fmt: skip


def _item(item: anp.StreamItem) -> Any:
    place = {} if item.place is None else {"place": item.place}
    return {**place, "event": item.name, "data": item.data}


def _resumed(_: Object, unit: Object) -> Any:
    return anp.resume(unit["last_event_id"], oldest=unit["oldest"], newest=unit["newest"])


PURE: dict[str, Callable[[Object, Any], Any]] = {
    "anp.lane": _lanes, "anp.actions": _actions, "anp.presentation": _shown, "anp.receive_presentation": _received,
    "anp.cloudevent": _clouded, "anp.read_cloudevent": _unclouded, "anp.web_push": _pushed,
    "anp.client_message": _said, "anp.stream": _streamed, "anp.resume": _resumed,
}  # fmt: skip
DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {
    "anp.dispatch": _dispatch, "anp.turn": _script, "anp.commit_turn": _commit,
    "anp.prompt": _prompt, "anp.read_output": _output,
}  # fmt: skip
