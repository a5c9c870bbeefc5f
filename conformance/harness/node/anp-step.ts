// What a decision is, and the few ways to make one: Agentic Notification Protocol 5.

import { fallbackOf, visibleMetadata } from "./anp-event.ts";
import { addressedSession, rowOf, surfaceOf } from "./anp-route.ts";
import { isText, type Value } from "./shape.ts";
import { must, Rejected } from "./rejected.ts";
import { stripped } from "./text.ts";
import { microsIn, microsOf, timeText } from "./time.ts";

const MOST_COUNT = 1_000_000;

/** The times and numbers of a host: times in seconds. */
export class Rules {
  ttl: number;
  urgent: Record<string, number>;
  cap: number;
  systemTtl: number | null;
  attempts: number;
  depth: number;
  contextTtl: number;
  turnTtl: number;
  lanes: string;
  mostFacts: number;
  mostOfFacts: number;

  constructor(given: Value = {}) {
    this.ttl = given.ttl_seconds ?? 120;
    this.urgent = given.urgent_seconds ?? {};
    this.cap = given.cap_seconds ?? 3600;
    this.systemTtl = given.system_ttl_seconds === undefined ? 7 * 86_400 : given.system_ttl_seconds;
    this.attempts = given.attempts ?? 1;
    this.depth = given.depth ?? 3;
    this.contextTtl = given.context_ttl_seconds ?? 0;
    this.turnTtl = given.turn_ttl_seconds ?? 300;
    this.lanes = given.lanes ?? "user";
    this.mostFacts = given.max_facts ?? 100;
    this.mostOfFacts = given.max_fact_characters ?? 131_072;
    const times = [this.ttl, this.cap, ...Object.values(this.urgent), this.systemTtl ?? 1, this.turnTtl];
    must(times.every((time) => time > 0));
    must([this.ttl, ...Object.values(this.urgent)].every((time) => time <= this.cap));
    must([this.attempts, this.depth].every((one) => Number.isInteger(one) && one > 0 && one <= MOST_COUNT));
    must(this.contextTtl >= 0 && this.contextTtl <= this.cap);
  }

  /** Until when the agent must have handled an event that it is handed now. */
  deadline({ metadata }: Value, now: bigint): string {
    const given = isText(metadata.urgency) ? stripped(metadata.urgency) : "";
    const hint = given.replace(/[A-Z]/g, (one) => one.toLowerCase());
    return timeText(now + microsIn(Object.hasOwn(this.urgent, hint) ? (this.urgent[hint] as number) : this.ttl));
  }

  /** A deadline, or the last that there can be for an event. */
  capped({ created_at: created }: Value, deadline: string): string {
    const last = timeText(microsOf(created) + microsIn(this.cap));
    return microsOf(deadline) <= microsOf(last) ? deadline : last;
  }

  /** When a fact that turns have read leaves the prompts. */
  contextEnd(event: Value): string {
    const { context_ttl: hint } = event.metadata;
    const asked = typeof hint === "number" && hint > 0 ? Math.min(hint, this.cap) : 0;
    return this.capped(event, timeText(microsOf(event.changed_at) + microsIn(Math.max(this.contextTtl, asked))));
  }
}

export interface Decision {
  record: Value;
  expected: Value | null;
  path: string[];
  effects: Value[];
  diagnostics: Value[];
}

/** A command on its way to a decision. Time does not run backwards. */
export class Step {
  record: Value;
  command: Value;
  facts: Value;
  rules: Rules;
  now: bigint;

  constructor(record: Value, command: Value, facts: Value, rules: Rules, now: bigint) {
    const before = microsOf(record.changed_at);
    [this.record, this.command, this.facts, this.rules] = [record, command, facts, rules];
    this.now = now > before ? now : before;
  }

  /** Whether the event is addressed to a session that is gone. */
  get hasLostSession(): boolean {
    return addressedSession(this.record) !== undefined && !(this.facts.session_exists ?? true);
  }

  get userExists(): boolean {
    return this.facts.user_exists ?? true;
  }

  /** The decision to store an event that went through these states. */
  to(record: Value, hops: string[], effects: Value[], diagnostics: Value[] = []): Decision {
    const { status, owner_lease, version } = this.record;
    return { record, expected: { status, owner_lease, version }, path: [status, ...hops], effects, diagnostics };
  }

  /** The decision that nothing is to be stored. */
  stay(...effects: Value[]): Decision {
    return this.to(this.record, [], effects);
  }

  /** The event with other members, as it is from now on. */
  change(members: Value): Value {
    const at = { version: this.record.version + 1, changed_at: timeText(this.now) };
    return withMembers(this.record, { ...at, ...members });
  }
}

/** An event with other members; undefined takes one away. */
export const withMembers = (event: Value, members: Value): Value =>
  Object.fromEntries(Object.entries({ ...event, ...members }).filter(([, member]) => member !== undefined));

/** Flags with some turned. */
export const turned = (routing: Value, flags: Value): Value => ({ ...routing, ...flags });

export function refuse(code: string): never {
  throw new Rejected(code);
}

/** Refuses a command that names another lease than the current one, or words that were replaced. */
export function checkLease({ record, command }: Step): void {
  must(command.lease === record.owner_lease, "stale-lease");
  must(command.revision === undefined || command.revision === record.revision, "stale-revision");
}

// Effects: what the host has to do once a decision is stored.

export const effect = (kind: string, record: Value, members: Value = {}): Value => ({
  kind,
  id: record.id,
  revision: record.revision,
  lease: record.owner_lease,
  ...members,
});

const contentOf = ({ user_id, content, session_id, agent_instructions }: Value): Value =>
  ({ user_id, content, session_id, agent_instructions });

/** The event as the system presents it: its content, or after an escalation its fallback. */
export function present(record: Value): Value {
  const { user_id, session_id, origin, actions, status, content } = record;
  return effect("present", record, {
    channel: surfaceOf(record),
    user_id,
    session_id,
    origin,
    content: status === "escalated" ? fallbackOf(record) : content,
    actions: actions.length ? actions : undefined,
    metadata: visibleMetadata(record),
  });
}

/** No device of the person needs to ask for attention any more. */
export function settled(record: Value, how: string): Value {
  const { user_id, session_id } = record;
  return effect("settled", record, { how, surface: surfaceOf(record), user_id, session_id });
}

/** What became of an event, for the agent, who never announces it. */
export const aware = (record: Value, awareness: string): Value =>
  effect("agent_aware", record, {
    awareness,
    user_id: record.user_id,
    content: record.content,
    session_id: addressedSession(record),
  });

export const fact = (record: Value): Value =>
  effect("add_fact", record, { scope: rowOf(record.routing).scope, ...contentOf(record) });

/** An event that the agent handles, for its context. */
export const injected = (record: Value): Value =>
  effect("inject_context", record, {
    scope: rowOf(record.routing).scope,
    must_narrate: record.routing.target === "user",
    ...contentOf(record),
  });

/** The session of an event has ended. */
export const gone = (record: Value): Value => effect("address_demoted", record, { session_id: record.session_id });

/** New words of an event that stands somewhere already. */
export function update(record: Value): Value {
  const { mode } = rowOf(record.routing);
  const channel = mode === "direct" ? surfaceOf(record) : mode === "passive" ? "facts" : "context";
  return effect("update", record, {
    channel, origin: record.origin, metadata: visibleMetadata(record), ...contentOf(record),
  });
}

export const wakeAt = (record: Value): Value => effect("wake_at", record, { at: record.delivery_deadline });
export const startTurn = (record: Value): Value => {
  const { turn, scope } = rowOf(record.routing);
  return effect("start_turn", record, { turn, scope });
};
