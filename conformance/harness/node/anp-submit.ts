// An event comes in: as one of its own, or in place of an open one with the same key. Agentic Notification Protocol 7.

import { EVENT_MEMBERS, unknownIn, usual } from "./anp-event.ts";
import { rowOf } from "./anp-route.ts";
import { type Decision, effect, refuse, type Rules, startTurn, Step, update, wakeAt, withMembers } from "./anp-step.ts";
import { must } from "./rejected.ts";
import { isSameJson } from "./stream.ts";
import type { Value } from "./shape.ts";
import { timeText } from "./time.ts";

const MOST_MERGED = 32; // submissions that an event remembers, so that a repeated one does not bring old words back

export function submit(record: Value | null, command: Value, facts: Value, rules: Rules, now: bigint): Decision {
  const { submission, id } = command;
  if (record === null) return created(command, rules, now);
  if (record.id === id && record.user_id !== submission.user_id) refuse("wrong-user");
  if (record.id === id || record.merged.includes(id)) refuse("already-submitted");
  must(record.user_id === submission.user_id && record.deduplication_key === (submission.deduplication_key ?? ""));
  const isOpen = record.status === "pending" || record.status === "dispatched";
  return isOpen ? merged(new Step(record, command, facts, rules, now), submission) : created(command, rules, now);
}

/** A new event. */
function created({ submission, id }: Value, rules: Rules, now: bigint): Decision {
  const at = timeText(now);
  const { content, user_id, routing, session_id, deduplication_key, agent_instructions, causation_id } = submission;
  const members = {
    ...usual(), id, content, user_id, routing, requested: routing, status: "pending", created_at: at, changed_at: at,
    metadata: submission.metadata ?? {}, session_id, deduplication_key, agent_instructions, causation_id,
    origin: submission.origin ?? "plugin", depth: submission.depth ?? 0, ...asideIn(unknownIn(submission)),
  };
  const event = withMembers(members, {});
  // from here on: an event that is never routed escalates, too
  const deadline = rowOf(routing).has_deadline ? until(event, submission, rules, now) : undefined;
  const record = withMembers(event, { delivery_deadline: deadline });
  const effects = [effect("audit", record, { what: "submitted" }), effect("dispatch", record)];
  return { record, expected: null, path: ["pending"], effects, diagnostics: [] };
}

/** Unknown members; those with the name of a member of the event go under `submitted`. */
function asideIn(unknown: Value): Value {
  const own = Object.keys(unknown).filter((name) => EVENT_MEMBERS.includes(name));
  if (!own.length) return unknown;
  const aside = [...own, ...("submitted" in unknown ? ["submitted"] : [])];
  const kept = Object.entries(unknown).filter(([name]) => !aside.includes(name));
  const submitted = Object.fromEntries(aside.sort().map((name) => [name, unknown[name]]));
  return { ...Object.fromEntries(kept), submitted };
}

/** The unknown members of an event, as they are taken away: those of newer words come in their place. */
function gone(record: Value): Value {
  const unknown = Object.keys(record).filter((name) => !EVENT_MEMBERS.includes(name));
  return Object.fromEntries(unknown.map((name) => [name, undefined]));
}

/** New words for an open event. Who has the old ones gets the new, and can settle nothing by the old. */
function merged(step: Step, submission: Value): Decision {
  const { record, rules, now, command } = step;
  const { has_deadline: hasDeadline, turn } = rowOf(record.routing);
  const depth = submission.depth ?? 0;
  const changed = step.change({
    content: submission.content,
    metadata: submission.metadata ?? {},
    agent_instructions: submission.agent_instructions ?? record.agent_instructions,
    revision: record.revision + 1,
    merged: [...record.merged, command.id].slice(-MOST_MERGED),
    depth: Math.max(depth, record.depth),
    causation_id: depth > record.depth ? submission.causation_id : record.causation_id,
    ...gone(record),
    ...asideIn(unknownIn(submission)),
  });
  const next = hasDeadline ? { ...changed, delivery_deadline: until(changed, submission, rules, now) } : changed;
  const effects: Value[] = [];
  if (record.status !== "pending") {
    effects.push(update(next));
    if (turn !== null && next.depth < rules.depth) effects.push(startTurn(next));
  }
  if (hasDeadline) effects.push(wakeAt(next));
  const isElsewhere =
    !isSameJson(submission.routing, record.requested) || submission.session_id !== record.session_id;
  return step.to(next, [], effects, isElsewhere ? [{ code: "routing-kept" }] : []);
}

/** Until when the agent must have handled it: as the plugin says, else as the host has it. */
const until = (record: Value, submission: Value, rules: Rules, now: bigint): string =>
  rules.capped(record, submission.delivery_deadline ?? rules.deadline(record, now));
