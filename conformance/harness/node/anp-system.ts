// What becomes of an event that the system owns, and what the watchdog does: Agentic Notification Protocol 5 and 6.

import { isFact, isPresented, isWatched, rowOf } from "./anp-route.ts";
import {
  aware, checkLease, type Decision, effect, fact, gone, injected, present, refuse, settled, startTurn, type Step,
  turned, wakeAt,
} from "./anp-step.ts";
import type { Value } from "./shape.ts";
import { microsIn, microsOf, timeText } from "./time.ts";

/** The event goes where its flags say: to the user when its session is gone, to the system at the end of a chain. */
export function route(step: Step): Decision {
  const { record, rules } = step;
  if (record.status !== "pending") refuse("transition-refused");
  const effects: Value[] = [];
  let { routing } = record;
  if (step.hasLostSession) {
    routing = turned(routing, { address: "user" });
    effects.push(gone(record));
  }
  if (routing.handler === "agent" && record.depth >= rules.depth) {
    routing = turned(routing, { handler: "system" });
    effects.push(effect("turn_withheld", record, { depth: record.depth }));
  }
  const { mode, has_deadline: hasDeadline } = rowOf(routing);
  if (mode === "direct" && step.facts.lane_busy) {
    const isKept = routing === record.routing;
    const waiting = isKept ? record : step.change({ routing, delivery_deadline: undefined });
    return step.to(waiting, [], [...effects, effect("queue", waiting)]);
  }
  const deadline = hasDeadline ? (record.delivery_deadline ?? rules.deadline(record, step.now)) : undefined;
  const next = step.change({ routing, status: "dispatched", delivery_deadline: deadline });
  if (mode === "direct") effects.push(present(next), aware(next, "shown"));
  else if (mode === "passive") effects.push(fact(next));
  else effects.push(effect("grant", next), injected(next), startTurn(next), wakeAt(next));
  return step.to(next, ["dispatched"], effects);
}

/** People have seen it. */
export function clientAck(step: Step): Decision {
  const { record, command, now } = step;
  checkLease(step);
  if (record.status === "pending") refuse("transition-refused");
  if (record.routing.handler === "agent") refuse("wrong-owner");
  if (!isPresented(record)) refuse("transition-refused");
  const next = step.change({ status: "delivered", ack_at: timeText(now), outcome: "seen" });
  const how = command.how === "clicked" ? "acknowledged" : "seen";
  return step.to(next, ["delivered"], [settled(next, how), aware(next, "user_seen")]);
}

/** It could not be presented. Only an escalated event ever fails. */
export function deliveryFailed(step: Step): Decision {
  const { record, command, rules } = step;
  checkLease(step);
  if (!isPresented(record)) refuse("transition-refused");
  if (step.hasLostSession) return moved(step);
  if (record.status === "dispatched") return step.stay(); // it waits for a client to come back
  const failures = record.failures + 1;
  if (command.is_final || failures >= rules.attempts) return dead(step, "presentation", failures);
  const next = step.change({ failures });
  return step.to(next, [], [present(next)]);
}

/** A client is back: what is not acknowledged is presented again, as it is now. */
export function reconnect(step: Step): Decision {
  const { record } = step;
  if (step.hasLostSession && (isPresented(record) || isFact(record))) return moved(step);
  if (record.status === "pending") return step.stay(effect("dispatch", record));
  return isPresented(record) ? step.stay(present(record)) : step.stay();
}

/** It stood in a session that is gone: it goes to the inbox, or to what the agent knows beyond all sessions. */
function moved(step: Step): Decision {
  const next = step.change({ routing: turned(step.record.routing, { address: "user" }) });
  return step.to(next, [], [gone(next), isPresented(next) ? present(next) : fact(next)]);
}

/** The agent has read a passive event. Within its time in prompts it stays. */
export function contextCommitted(step: Step): Decision {
  checkLease(step);
  if (!isFact(step.record)) refuse("transition-refused");
  if (step.now < microsOf(step.rules.contextEnd(step.record))) return step.stay();
  return step.to(step.change({ status: "delivered", outcome: "read" }), ["delivered"], []);
}

/** An escalated event fails: no device can acknowledge it any more. */
function dead(step: Step, reason: string, failures = step.record.failures): Decision {
  const next = step.change({ status: "failed", failures });
  return step.to(next, ["failed"], [settled(next, "withdrawn"), effect("dead_letter", next, { reason })]);
}

/** Time has passed. A deadline has passed from its own moment on. */
export function tick(step: Step): Decision {
  const { record } = step;
  if (!isWatched(record)) return step.stay();
  // a takeover that somebody stored half done
  if (record.status === "locked" && record.routing.handler === "system") return escalate(step, "deadline");
  if (record.delivery_deadline === undefined) {
    if (record.status === "escalated") return step.stay();
    const next = step.change({ delivery_deadline: step.rules.deadline(record, step.now) });
    return step.to(next, [], [wakeAt(next)]);
  }
  if (step.now < microsOf(record.delivery_deadline)) return step.stay(wakeAt(record));
  return record.status === "escalated" ? dead(step, "deadline") : escalate(step, "deadline");
}

/** No user is left to present it to. */
export function abandon(step: Step): Decision {
  const { record } = step;
  if (step.userExists) refuse("route-exists");
  if (record.status === "escalated") return dead(step, "no_route");
  if (record.status !== "locked" && record.routing.handler === "system") refuse("transition-refused");
  return escalate(step, "no_route");
}

/** The watchdog takes the event over and the system presents it: one decision, with no state in between. */
export function escalate(step: Step, reason: string): Decision {
  const { record, rules } = step;
  const wasTaken = record.routing.handler === "system";
  const ways: Record<string, string[]> = { pending: ["dispatched", "locked"], dispatched: ["locked"] };
  const taken = ways[record.status] ?? (wasTaken ? [] : ["locked"]);
  const effects = wasTaken ? [] : [effect("fence_turn", record)];
  if (!wasTaken && record.status !== "pending") effects.push(settled(record, "escalated"));
  const address = step.hasLostSession ? "user" : record.routing.address;
  const canEnd = step.userExists;
  const wait = canEnd ? rules.systemTtl : null;
  const next = step.change({
    routing: turned(record.routing, { address, target: "user", handler: "system" }),
    status: canEnd ? "escalated" : "failed",
    owner_lease: record.owner_lease + (wasTaken ? 0 : 1),
    holder: undefined,
    escalation: record.escalation ?? reason,
    delivery_deadline: wait === null ? undefined : timeText(step.now + microsIn(wait)),
  });
  if (step.hasLostSession) effects.push(gone(next));
  if (!canEnd) {
    effects.push(effect("dead_letter", next, { reason: "no_route" }));
    return step.to(next, [...taken, "failed"], effects);
  }
  effects.push(present(next), aware(next, "escalated"));
  if (next.delivery_deadline !== undefined) effects.push(wakeAt(next));
  return step.to(next, [...taken, "escalated"], effects);
}
