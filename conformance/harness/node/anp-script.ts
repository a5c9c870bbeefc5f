// The operations of lanes and turns as the suite asks for them: steps upon a small ledger.

import { codesOf, decide, nowOf, readCommand } from "./anp-decide.ts";
import { readNotification } from "./anp-event.ts";
import { effectForms } from "./anp-effects.ts";
import { beginTurn, dispatch, laneId, laneOf, type LaneStep, newLane } from "./anp-lane.ts";
import { HEADINGS } from "./anp-prompt.ts";
import { isTerminal, isWatched } from "./anp-route.ts";
import { type Decision, Rules } from "./anp-step.ts";
import { act, endTurn, failTurn, tickLane, type World } from "./anp-turn.ts";
import { attemptStep, Misuse, must, Rejected } from "./rejected.ts";
import { type Form, type Json, list, strictly, type Value } from "./shape.ts";
import { microsIn, microsOf, timeText } from "./time.ts";

const USER = "olivia";
/** An event by its id; without an id, none. */
function known(events: Map<string, Value>, id: string | undefined): Value | undefined {
  must(id === undefined || events.has(id));
  return id === undefined ? undefined : events.get(id);
}

const isOpen = ({ status }: Value): boolean => status === "pending" || status === "dispatched";
type Found = LaneStep | Decision;
type Owner = { userId: string; sessionId: string | undefined }; // whose turns they are

/** A command; one that is none is a fault of the case. */
function asCommand(data: Json): Value {
  try {
    return readCommand(data);
  } catch {
    throw new Misuse();
  }
}

/** What became of other events, for the agent; a case leaves out what it does not use. */
const AWARE = { kind: "agent_aware", revision: 1, lease: 1 };
const awareForm = list(effectForms.agent_aware as Form, { whole: true });

/** What a turn begins with, as the suite compares it. */
function begun(turn: Value): Value {
  const granted = turn.grants.map(({ id, lease, revision }: Value) => [id, { lease, revision }]);
  const facts = turn.facts.map(({ id }: Value) => id);
  return { what: turn.what, prompt: turn.prompt, headings: HEADINGS, grants: Object.fromEntries(granted), facts };
}

/** A ledger in memory: it stores all of a step, or nothing where something else was stored since. */
class Ledger {
  events = new Map<string, Value>();
  lanes = new Map<string, Value>();
  outbox: Value[] = [];

  lane(id: string): Value {
    return this.lanes.get(id) ?? newLane(id);
  }

  /** The open event of a user with a key. */
  withKey(userId: string, key: string | undefined): Value | undefined {
    const isSame = (one: Value) => one.user_id === userId && one.deduplication_key === key && isOpen(one);
    return key === undefined ? undefined : [...this.events.values()].find(isSame);
  }

  fits({ record, expected }: Decision): boolean {
    const stored = this.events.get(record.id);
    if (expected === null) {
      return stored === undefined && !(isOpen(record) && this.withKey(record.user_id, record.deduplication_key));
    }
    return ["status", "owner_lease", "version"].every((name) => stored?.[name] === expected[name]);
  }

  commit(found: Found): boolean {
    const decisions = "lane" in found ? found.decisions : [found];
    const ids = new Set(decisions.map(({ record }) => record.id));
    const hasLane = !("lane" in found) || this.lane(found.lane.id).version === found.expected;
    if (!hasLane || ids.size < decisions.length || !decisions.every((one) => this.fits(one))) return false;
    if ("lane" in found) this.lanes.set(found.lane.id, found.lane);
    for (const { record } of decisions) this.events.set(record.id, record);
    this.outbox.push(...found.effects);
    if ("lane" in found) this.outbox.push(...decisions.flatMap(({ effects }) => effects));
    return true;
  }
}

class Script {
  ledger = new Ledger();
  turns = new Map<string, Value>();
  /** What stood in the store before each step. */
  seen: { events: Map<string, Value>; lanes: Map<string, Value> }[] = [];
  begin: bigint;
  rules: Rules;
  unit: Value;

  constructor(unit: Value, about: Value) {
    this.begin = nowOf(about);
    this.rules = new Rules(unit.rules);
    this.unit = unit;
    for (const one of unit.events) {
      const record = readNotification(one);
      must(this.ledger.commit({ record, expected: null, path: [], effects: [], diagnostics: [] }));
    }
  }

  /** Does one step and stores it. */
  perform(step: Value): Value {
    const { ledger, rules } = this;
    this.seen.push({ events: new Map(ledger.events), lanes: new Map(ledger.lanes) });
    const { events, lanes } = this.seen.at(step.seen ?? -1) as (typeof this.seen)[number];
    const left = new Map([...events].filter(([id]) => !(step.lost ?? []).includes(id)));
    const facts = step.facts ?? {};
    const { user_id: userId = USER, session_id: session } = { ...this.unit, ...step };
    const owner = { userId, sessionId: session ?? undefined };
    const id = "dispatch" in step
      ? laneOf(known(left, step.dispatch), facts[step.dispatch] ?? {}, rules)
      : laneId(owner.userId, owner.sessionId, rules);
    const world = { events: left, facts, rules, now: this.begin + microsIn(step.at ?? 0) };
    const done = attemptStep(() => this.stored(this.found(step, lanes.get(id) ?? newLane(id), world, owner)));
    return done instanceof Rejected ? { rejected: done.code } : done;
  }

  /** What comes of a step, before it is stored. */
  found(step: Value, lane: Value, world: World, owner: Owner): Found {
    const { events, facts, rules, now } = world;
    const turnOf = ({ turn }: Value): Value => {
      must(this.turns.has(turn));
      return this.turns.get(turn);
    };
    if ("begin" in step) return this.begins(step.begin, lane, world, owner);
    if ("act" in step) return act(lane, turnOf(step.act), step.act.name, step.act.classification, world);
    if ("commit" in step) {
      const { output, acknowledged_ids } = step.commit;
      const narrationId = `n-${step.commit.turn}`;
      return endTurn(lane, turnOf(step.commit), { output, acknowledged_ids, narration_id: narrationId }, world);
    }
    if ("fail" in step) return failTurn(lane, step.fail.turn, world);
    if ("lane_tick" in step) return tickLane(lane, world);
    if ("dispatch" in step) return dispatch(lane, known(events, step.dispatch), facts[step.dispatch] ?? {}, rules, now);
    const command = asCommand(step.command);
    const { user_id: user, deduplication_key: key } = command.submission ?? {};
    const record = command.kind === "submit" ? this.ledger.withKey(user, key) : events.get(step.of);
    return decide(record ?? null, command, facts[step.of] ?? {}, rules, now);
  }

  begins(how: Value, lane: Value, { events, rules, now }: World, { userId, sessionId }: Owner): LaneStep {
    const aware = this.ledger.outbox.map((one, at): [number, Value] => [at + 1, one]);
    const begin = {
      turnId: how.turn,
      userId,
      sessionId,
      trigger: known(events, how.trigger || undefined),
      events: [...events.values()].filter((one) => one.user_id === userId && !isTerminal(one)),
      aware: aware.filter(([, { kind }]) => kind === "agent_aware"),
      holder: how.holder ?? undefined,
    };
    return beginTurn(lane, begin, rules, now);
  }

  stored(found: Found): Value {
    const place = this.ledger.outbox.length;
    if (!this.ledger.commit(found)) return { conflict: true };
    const isStep = "lane" in found;
    const decisions = isStep ? found.decisions : [found];
    const notes = [...(isStep ? decisions : []), found].flatMap(({ diagnostics }) => codesOf(diagnostics));
    const paths = Object.fromEntries(decisions.map(({ record, path }) => [record.id, path]));
    const answer = { paths, notes, effects: this.ledger.outbox.slice(place) };
    if (!isStep) return answer;
    if (found.turn) this.turns.set(found.turn.id, found.turn);
    return { ...answer, refused: Object.fromEntries(found.refused), stopped: found.stopped ?? null };
  }

  /** How the ledger stands in the end. */
  ends(before: Value): Value {
    const lane = this.ledger.lane(laneId(this.unit.user_id ?? USER, this.unit.session_id, this.rules));
    const watched = [...this.ledger.events.values()].filter(isWatched).map((one) => one.delivery_deadline);
    const times = [...watched, lane.turn?.deadline].filter((one) => one !== undefined).map(microsOf);
    const wakes = times.length ? timeText(times.reduce((one, other) => (one < other ? one : other))) : null;
    const turns = Object.fromEntries([...this.turns].map(([id, turn]) => [id, begun(turn)]));
    const records = Object.fromEntries(this.ledger.events);
    return { before, records, turns, running: lane.turn?.id ?? null, waiting: lane.waiting, wakes };
  }
}

/** `anp.turn`. */
export function turnScript(unit: Value, about: Value) {
  const script = new Script(unit, about);
  const before = Object.fromEntries(script.ledger.events);
  const steps = unit.steps.map((step: Value) => script.perform(step));
  const diagnostics = steps.flatMap((step: Value) => step.notes ?? []);
  return { value: { steps, ...script.ends(before) }, diagnostics };
}

/** `anp.dispatch`: where an event goes, with what waits in its lane afterwards. */
export function dispatched({ event: given, lane: around = {}, facts = {}, rules: hostRules }: Value, about: Value) {
  const [event, rules, now] = [readNotification(given), new Rules(hostRules), nowOf(about)];
  const others = Array.from({ length: around.others ?? 0 }, (_, number) => `d${number}`);
  const turn = around.is_busy ? { id: "t1", deadline: timeText(now + microsIn(rules.turnTtl)) } : undefined;
  const lane = { ...newLane(laneOf(event, facts, rules)), turn, waiting: [...others, ...(around.waiting ?? [])] };
  const found = dispatch(lane, event, facts, rules, now);
  const [decision] = found.decisions as [Decision];
  const value = { before: event, ...decision, waiting: found.lane.waiting };
  return { value, diagnostics: codesOf(decision.diagnostics) };
}

/** `anp.lane`. */
export function lanesOf({ events, rules: hostRules }: Value) {
  const rules = new Rules(hostRules);
  return { ids: events.map((one: Json) => laneOf(readNotification(one), {}, rules)) };
}

/** `anp.prompt`. */
export function turnPrompt(unit: Value, about: Value) {
  const { events: given, trigger, aware = [], session_id: sessionId, user_id: userId = USER, holder } = unit;
  const [rules, now] = [new Rules(unit.rules), nowOf(about)];
  const events = new Map<string, Value>(given.map((one: Json) => [one.id, readNotification(one)]));
  const turn = unit.is_busy ? { id: "t0" } : undefined;
  const lane = { ...newLane(laneId(userId, sessionId, rules)), turn };
  const outcomes = strictly(awareForm, aware.map((one: Json) => ({ ...AWARE, ...one })));
  const begin = {
    turnId: "t1",
    userId,
    sessionId,
    holder,
    trigger: known(events, trigger),
    events: [...events.values()],
    aware: outcomes.map((one: Value, at: number): [number, Value] => [at + 1, one]),
  };
  const found = beginTurn(lane, begin, rules, now);
  return { value: begun(found.turn), diagnostics: codesOf(found.diagnostics) };
}

/** `anp.commit_turn`: the turn `t1` ends while another, or none, has the lane. */
export function committedTurn(unit: Value, about: Value) {
  const [rules, now] = [new Rules(), nowOf(about)];
  const events = new Map<string, Value>(unit.events.map((one: Json) => [one.id, readNotification(one)]));
  must(events.has(unit.trigger) && unit.running !== "");
  const trigger = events.get(unit.trigger);
  const begin = { turnId: "t1", userId: USER, trigger, events: [...events.values()], aware: [] };
  const { lane, turn } = beginTurn(newLane(laneId(USER, undefined, rules)), begin, rules, now);
  const running = unit.running ? { ...lane.turn, id: unit.running } : undefined;
  const answer = { output: unit.output, acknowledged_ids: unit.acknowledged_ids, narration_id: "n-t1" };
  const found = endTurn({ ...lane, turn: running }, turn, answer, { events, facts: {}, rules, now });
  return { value: { paths: Object.fromEntries(found.decisions.map(({ record, path }) => [record.id, path])) } };
}
