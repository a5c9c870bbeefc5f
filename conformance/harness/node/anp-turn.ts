// Actions during a turn, and its end: first its output is committed, then the waiting alerts go out. Agentic
// Notification Protocol 5.2, 6.4 and 7, decisions N11 to N13, N18 and N31.

import { classify, noticeOf } from "./anp-agent.ts";
import { decide } from "./anp-decide.ts";
import { showsSomething } from "./anp-event.ts";
import { type LaneStep, laneStep, raised } from "./anp-lane.ts";
import { type Decision, refuse, type Rules, Step, turned, withMembers } from "./anp-step.ts";
import { submit } from "./anp-submit.ts";
import { route } from "./anp-system.ts";
import { attempt, must, Rejected } from "./rejected.ts";
import { isText, type Value } from "./shape.ts";
import { characters } from "./text.ts";
import { microsOf } from "./time.ts";

const MOST_ACTIONS = 100;
const MOST_OF_NAME = 256;
const MOST_SESSIONS = 1000;
const MOST_TOLD = 100;

/** What the ledger and the host say when something happens in a lane. */
export interface World {
  events: Map<string, Value>;
  facts: Record<string, Value>;
  rules: Rules;
  now: bigint;
}

/** Decisions about the events of a lane, collected. */
class Decider {
  world: World;
  decisions: Decision[] = [];
  refused: [string, string][] = [];

  constructor(world: World) {
    this.world = world;
  }

  /** The facts of an event. The lane is free for it, whatever the host says. */
  factsOf(id: string): Value {
    return { ...this.world.facts[id], lane_busy: false };
  }

  /** Decides about an event; false when that was refused. */
  decide(id: string, command: Value): boolean {
    const event = this.world.events.get(id);
    must(event !== undefined);
    const { rules, now } = this.world;
    const found = attempt(() => decide(event, command, this.factsOf(id), rules, now), Rejected);
    if (found instanceof Rejected) {
      this.refused.push([id, found.code]);
      return false;
    }
    const changes = found.expected === null || found.record.version !== found.expected.version;
    if (changes || found.effects.length) this.decisions.push(found);
    return true;
  }

  /** Gives the event that started a turn to the system, where the agent still owns it under the lease of the turn. */
  failTrigger({ turn }: Value): void {
    if (!turn?.trigger || !this.world.events.has(turn.trigger)) return;
    const { lease, revision, holder } = turn;
    this.decide(turn.trigger, { kind: "turn_failed", lease, revision, holder });
  }

  /** Frees the lane, and routes the waiting alerts in their order. */
  free(lane: Value, members: Value = {}): LaneStep {
    for (const id of lane.waiting) this.decide(id, { kind: "route" });
    return this.step(raised(lane, { turn: undefined, waiting: [], ...members }), lane.version);
  }

  step(lane: Value, expected: number): LaneStep {
    return laneStep(lane, expected, { decisions: this.decisions, refused: this.refused });
  }
}

const checkRuns = (lane: Value, turnId: string): void => must(lane.turn?.id === turnId, "stale-turn");

/** Whether the agent may call a tool. A refusal forbids it. */
export function act(lane: Value, turn: Value, name: string, classification: Value, world: World): LaneStep {
  must(lane.id === turn.lane_id);
  checkRuns(lane, turn.id);
  must(isText(name) && name !== "" && characters(name) <= MOST_OF_NAME && name.isWellFormed(), "malformed");
  const decider = new Decider(world);
  for (const { id, lease } of turn.grants) {
    const isDone = decider.decide(id, { kind: "action", name, classification, holder: turn.holder, lease });
    if (!isDone && id === turn.trigger) refuse(decider.refused.at(-1)?.[1] as string);
  }
  const effects = decider.decisions.length ? [] : actsAlone(turn, name, classify(classification));
  return { ...decider.step(lane, lane.version), effects };
}

const ofTurn = (turn: Value, kind: string, members: Value): Value =>
  ({ kind, id: turn.id, revision: 1, lease: 1, ...members });

/** The effects of an action for which no event is left. They name the turn. */
function actsAlone(turn: Value, name: string, classification: string): Value[] {
  const allow = ofTurn(turn, "allow", { action: name });
  const audit = ofTurn(turn, "audit", { what: name, classification });
  return classification === "internal" ? [allow, audit] : [allow, surfaced(turn, name), audit];
}

/** Tells people of an action by an event of its own. */
const surfaced = (turn: Value, name: string): Value =>
  ofTurn(turn, "must_surface", { action: name, ...noticeOf(turn, name) });

/** A turn ends. The output of the agent and its acknowledgements count together, or not at all. */
export function endTurn(lane: Value, turn: Value, answer: Value, world: World): LaneStep {
  must(lane.id === turn.lane_id);
  checkRuns(lane, turn.id);
  const { output = null, acknowledged_ids: ids = [], narration_id: narrationId } = answer;
  must(Array.isArray(ids) && ids.every(isText));
  const [decider, acknowledged] = [new Decider(world), new Set<string>(ids)];
  const isSpoken = turn.what === "conversation";
  for (const { id, lease, revision } of turn.grants) {
    decider.decide(id, {
      kind: "commit_turn",
      lease,
      revision,
      output: output ?? undefined,
      acknowledged: acknowledged.has(id),
      is_trigger: id === turn.trigger,
      narration_id: narrationId,
      holder: turn.holder,
    });
  }
  // when an event of the output was lost, its human would be told twice: by the watchdog, and by the agent
  const speaks = output !== null && showsSomething(output) && !isSpoken;
  const lost = decider.refused.filter(([, code]) => code !== "stale-revision").map(([id]) => id);
  const isLost = lost.some((id) => acknowledged.has(id) || id === turn.trigger);
  if (speaks && isLost) return withheld(lane, decider.refused, world);

  // what the agent has read is delivered
  for (const { id, lease, revision } of turn.facts) decider.decide(id, { kind: "context_committed", lease, revision });

  // the narrations of all events become one event
  const isNarration = ({ kind }: Value) => kind === "present_narration";
  const narrations = decider.decisions.flatMap(({ effects }) => effects.filter(isNarration));
  const silent = (effects: Value[]) => effects.filter((one) => !isNarration(one));
  decider.decisions = decider.decisions.map((one) => ({ ...one, effects: silent(one.effects) }));
  const actions: string[] = [...new Set(narrations.flatMap(({ id }) => world.events.get(id).actions as string[]))];
  const isNarrated = narrations.length > 0 && !isSpoken;
  if (isNarrated) decider.decisions.push(narrated(narrations, actions.slice(0, MOST_ACTIONS), turn, decider));
  // in a conversation too: a reply need not say what was done
  const effects = (isNarrated ? actions.slice(MOST_ACTIONS) : actions).map((name) => surfaced(turn, name));

  const granted = turn.grants.map(({ id }: Value) => id);
  const odd = [...acknowledged].filter((id) => !granted.includes(id)).slice(0, MOST_TOLD);
  const diagnostics = odd.map(() => ({ code: "acknowledgement-ignored" }));
  if (speaks && !narrations.length) diagnostics.push({ code: "narration-withheld" });
  return { ...decider.free(lane, cursorsAfter(lane, turn)), effects, diagnostics };
}

/** The turn fails, and its output is not told. */
function withheld(lane: Value, refused: [string, string][], world: World): LaneStep {
  const failed = new Decider(world);
  failed.failTrigger(lane);
  const step = failed.free(lane);
  const isNew = ([id, code]: [string, string]) => !refused.some(([one, other]) => one === id && other === code);
  const all = [...refused, ...step.refused.filter(isNew)];
  return { ...step, refused: all, diagnostics: [{ code: "narration-withheld" }] };
}

/** How much the agent has read after a turn. The session becomes the newest. */
function cursorsAfter(lane: Value, turn: Value): Value {
  const cursors = new Map<string, number>(lane.cursors);
  if (turn.session_id !== undefined && turn.session_cursor > (cursors.get(turn.session_id) ?? 0)) {
    cursors.delete(turn.session_id);
    cursors.set(turn.session_id, turn.session_cursor);
    for (const oldest of [...cursors.keys()].slice(0, -MOST_SESSIONS)) cursors.delete(oldest);
  }
  return { cursor: Math.max(lane.cursor, turn.cursor), cursors };
}

/** Submits and presents the output in one decision, so that nothing comes between it and the turn. */
function narrated(narrations: Value[], actions: string[], turn: Value, decider: Decider): Decision {
  const { events, rules, now } = decider.world;
  const lead = narrations.find(({ id }) => id === turn.trigger) ?? narrations[0];
  const trigger = events.get(turn.trigger ?? lead.id) ?? events.get(lead.id);
  const narration = withMembers(lead.narration, {
    routing: turned(lead.narration.routing, { address: trigger.routing.address }),
    session_id: trigger.session_id,
    depth: Math.max(...narrations.map((one) => one.narration.depth)),
  });
  const command = { kind: "submit", submission: narration, id: lead.narration_id };
  const made = submit(null, command, {}, rules, now);
  const facts = decider.factsOf(trigger.id);
  const routed = route(new Step({ ...made.record, actions }, { kind: "route" }, facts, rules, now));
  const effects = [...made.effects.filter(({ kind }) => kind !== "dispatch"), ...routed.effects];
  return { ...routed, expected: null, effects };
}

/** A turn that failed ends: the system gets the event that started it, other turns get the rest. */
export function failTurn(lane: Value, turnId: string, world: World): LaneStep {
  checkRuns(lane, turnId);
  const decider = new Decider(world);
  decider.failTrigger(lane);
  return decider.free(lane);
}

/** Takes the lane from a turn whose deadline has passed. */
export function tickLane(lane: Value, world: World): LaneStep {
  if (!lane.turn || world.now < microsOf(lane.turn.deadline)) return laneStep(lane, lane.version);
  return { ...failTurn(lane, lane.turn.id, world), stopped: lane.turn.id };
}
