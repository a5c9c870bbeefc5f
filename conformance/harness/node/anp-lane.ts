// Lanes: turns of the agent one after another, and the alerts of the system between them. Agentic Notification Protocol
// 6.4 and 8, decisions N20 to N22.

import { decide } from "./anp-decide.ts";
import { Prompt, isOffered } from "./anp-prompt.ts";
import { addressedSession, isTerminal } from "./anp-route.ts";
import { type Decision, refuse, type Rules } from "./anp-step.ts";
import { must } from "./rejected.ts";
import type { Value } from "./shape.ts";
import { microsIn, timeText } from "./time.ts";
import { percentEncoded } from "./url.ts";

const MOST_WAITING = 1000;

/** What is to be stored at once: a lane, and decisions upon events. Only then come the effects. */
export interface LaneStep {
  lane: Value;
  expected: number;
  decisions: Decision[];
  effects: Value[];
  refused: [id: string, code: string][];
  turn?: Value;
  stopped?: string;
  diagnostics: Value[];
}

export const laneStep = (lane: Value, expected: number, members: Partial<LaneStep> = {}): LaneStep =>
  ({ lane, expected, decisions: [], effects: [], refused: [], diagnostics: [], ...members });

export const newLane = (id: string): Value =>
  ({ id, version: 0, turn: undefined, waiting: [], cursor: 0, cursors: new Map() });
/** A lane with other members, as it is from now on. */
export const raised = (lane: Value, members: Value): Value => ({ ...lane, version: lane.version + 1, ...members });


/** The id of a lane: that of a user, or where the rules say so of one session of theirs. */
export function laneId(userId: string, sessionId: string | undefined, rules: Rules): string {
  const user = percentEncoded(userId);
  const isOfSession = rules.lanes === "session" && sessionId !== undefined;
  return isOfSession ? `session:${user}:${percentEncoded(sessionId)}` : `user:${user}`;
}

/** The lane of an event, by where it is addressed now; where its session is gone, that of the user. */
export const laneOf = (event: Value, facts: Value, rules: Rules): string =>
  laneId(event.user_id, (facts.session_exists ?? true) ? addressedSession(event) : undefined, rules);

/** The event goes where its flags say, or waits in its lane until the turn there ends. */
export function dispatch(lane: Value, event: Value, facts: Value, rules: Rules, now: bigint): LaneStep {
  must(lane.id === laneOf(event, facts, rules));
  const decision = decide(event, { kind: "route" }, { ...facts, lane_busy: lane.turn !== undefined }, rules, now);
  const waits = decision.record.status === "pending" && !lane.waiting.includes(event.id);
  if (!waits) return laneStep(lane, lane.version, { decisions: [decision] });
  if (lane.waiting.length >= MOST_WAITING) refuse("lane-full");
  const queued = raised(lane, { waiting: [...lane.waiting, event.id] });
  return laneStep(queued, lane.version, { decisions: [decision] });
}

/** What a turn begins with. */
export interface Begin {
  turnId: string;
  userId: string;
  sessionId?: string;
  trigger?: Value;
  events: Value[];
  aware: [place: number, effect: Value][];
  holder?: string;
}

/** A turn begins: it gets the lane, a prompt, and a grant for each event in it. */
export function beginTurn(lane: Value, begin: Begin, rules: Rules, now: bigint): LaneStep {
  const { turnId, userId, sessionId, trigger, holder } = begin;
  const isVisible = (event: Value) =>
    event.user_id === userId && [undefined, sessionId].includes(addressedSession(event));
  must(lane.id === laneId(userId, sessionId, rules) && (!trigger || isVisible(trigger)));
  if (lane.turn) refuse("lane-busy");
  if (trigger) checkNeed(trigger, holder);

  const prompt = new Prompt(rules);
  prompt.add(trigger, begin.events.filter(isVisible), holder);
  // the cursors say how far the agent has read, so nothing is announced twice
  const read = new Map<string | undefined, number>([[undefined, lane.cursor]]);
  if (sessionId !== undefined) read.set(sessionId, lane.cursors.get(sessionId) ?? 0);
  for (const [place, one] of begin.aware) {
    if (one.user_id !== userId || place <= (read.get(one.session_id) ?? place)) continue;
    if (!prompt.tell(one)) break;
    read.set(one.session_id, place);
  }
  must([turnId, userId, sessionId, holder].every((name) => name !== "")); // who is nobody has no name
  const turn = {
    id: turnId,
    lane_id: lane.id,
    user_id: userId,
    what: !trigger ? "conversation" : trigger.routing.target === "user" ? "proactive" : "internal",
    prompt: prompt.text,
    session_id: sessionId,
    trigger: trigger?.id,
    grants: prompt.grants,
    facts: prompt.facts,
    cursor: read.get(undefined),
    session_cursor: sessionId === undefined ? 0 : read.get(sessionId),
    holder,
  };
  const running = {
    id: turnId,
    deadline: timeText(now + microsIn(rules.turnTtl)),
    trigger: trigger?.id,
    lease: trigger?.owner_lease,
    revision: trigger?.revision,
    holder,
  };
  return laneStep(raised(lane, { turn: running }), lane.version, { turn, diagnostics: prompt.diagnostics });
}

/** Refuses a turn for an event that needs none any more. */
function checkNeed(trigger: Value, holder: string | undefined): void {
  if (isTerminal(trigger)) refuse("already-terminal");
  if (isOffered(trigger, holder)) return;
  refuse(trigger.status === "locked" && trigger.routing.handler === "agent" ? "wrong-holder" : "wrong-owner");
}
