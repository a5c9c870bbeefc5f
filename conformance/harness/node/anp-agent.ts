// What becomes of an event that the agent owns: Agentic Notification Protocol 5 and 6.

import { showsSomething } from "./anp-event.ts";
import { addressedSession, isTerminal } from "./anp-route.ts";
import { checkLease, type Decision, effect, refuse, type Step, turned, wakeAt } from "./anp-step.ts";
import { escalate } from "./anp-system.ts";
import { uuidOf } from "./ids.ts";
import { isText, type Json, type Value } from "./shape.ts";
import { singleLine, stripped } from "./text.ts";
import { microsOf } from "./time.ts";

const NOTICE = "anp.action.notice";
const MOST_ACTIONS = 100; // names of actions that an event keeps; each further one has a notice of its own
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** `anp.classify`: everything but `internal`, in any case, is external. */
export const classify = (word: Json): string =>
  isText(word) && stripped(word).replace(/[A-Z]/g, (one) => one.toLowerCase()) === "internal" ? "internal" : "external";

/** Refuses whoever may not act for the event: another lease, another owner, another worker. */
function checkGrant(step: Step): void {
  const { record, command } = step;
  checkLease(step);
  if (record.status === "pending") refuse("transition-refused");
  if (record.routing.handler !== "agent") refuse("wrong-owner");
  const isHeld = record.status === "locked" || record.holder !== undefined;
  if (isHeld && record.holder !== command.holder) refuse("wrong-holder");
}

/** A worker takes the event. */
export function claim(step: Step): Decision {
  checkGrant(step);
  if (step.record.status === "locked") return step.stay();
  return step.to(step.change({ status: "locked", holder: step.command.holder }), ["locked"], []);
}

/** The agent is about to call a tool. */
export function action(step: Step): Decision {
  const { record, command } = step;
  checkGrant(step);
  const { name } = command;
  const classification = classify(command.classification);
  const audit = effect("audit", record, { what: name, classification });
  const allow = (event: Value) => effect("allow", event, { action: name });
  if (classification === "internal") return step.stay(allow(record), audit);
  const isListed = record.actions.includes(name);
  if (isTerminal(record) || (record.actions.length >= MOST_ACTIONS && !isListed)) {
    return step.stay(allow(record), noticed(step, name), audit);
  }
  const isKnown = isListed && record.routing.target === "user";
  const actions = isListed ? record.actions : [...record.actions, name];
  const next = isKnown ? record : step.change({ routing: turned(record.routing, { target: "user" }), actions });
  return step.to(next, [], [allow(next), effect("must_surface", next, { action: name }), audit]);
}

/** What tells people of an action when its event cannot any more. */
function noticed({ record }: Step, name: string): Value {
  const whose = { id: record.id, user_id: record.user_id, session_id: addressedSession(record) };
  return effect("must_surface", record, { action: name, ...noticeOf(whose, name, record) });
}

/** The event that tells people of an action of an event, or of a turn. */
export function noticeOf({ id, user_id, session_id }: Value, name: string, cause?: Value): Value {
  const notice = {
    content: actionsText([name]),
    user_id,
    routing: { address: session_id === undefined ? "user" : "session", target: "user", handler: "system" },
    session_id,
    metadata: { action: name },
    origin: "system",
    causation_id: cause?.id,
    depth: cause && cause.depth + 1,
  };
  // the same for the same tool of the same event or turn
  return { notice, notice_id: uuidOf(NOTICE, "", id, name) };
}

/** What the agent did, in a sentence; empty when there is nothing to tell. */
export function actionsText(actions: string[]): string {
  const names = actions.map((one) => {
    if (!showsSomething(one)) return "an unnamed tool";
    const line = singleLine(one);
    return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
  });
  if (!names.length) return "";
  const [last, before] = [names.at(-1) as string, names.slice(0, -1).join(", ")];
  return `The agent used ${before ? `${before} and ${last}` : last}.`;
}

const speaks = ({ output }: Value): boolean => output !== undefined && showsSomething(output);

/** A turn ended: output and acknowledgement count at once. */
export function commitTurn(step: Step): Decision {
  checkGrant(step);
  const { record, command } = step;
  if (record.routing.target === "user") {
    if (!command.acknowledged && !command.is_trigger) return step.stay();
    return speaks(command) ? delivered(step, "narrated") : escalate(step, "silence");
  }
  if (!command.acknowledged) return step.stay(); // it is offered again in the next turn
  return delivered(step, speaks(command) ? "spoke" : "vetoed");
}

function delivered(step: Step, outcome: string): Decision {
  const hops = step.record.status === "locked" ? ["delivered"] : ["locked", "delivered"];
  const next = step.change({ status: "delivered", outcome });
  return step.to(next, hops, speaks(step.command) ? [narration(next, step.command)] : []);
}

/** The output as an event of its own, presented and acknowledged like any other. */
function narration(record: Value, { output, narration_id }: Value): Value {
  const event = {
    content: output,
    user_id: record.user_id,
    routing: turned(record.routing, { target: "user", handler: "system" }),
    session_id: record.session_id,
    origin: "agent",
    causation_id: record.id,
    depth: record.depth + 1,
  };
  return effect("present_narration", record, { narration_id, narration: event });
}

/** The turn broke off. */
export function turnFailed(step: Step): Decision {
  checkGrant(step);
  return escalate(step, "failed");
}

/** The agent needs longer. */
export function extend(step: Step): Decision {
  checkGrant(step);
  const { record, command, rules } = step;
  const isPast = microsOf(command.until) <= step.now;
  if (isPast || rules.capped(record, command.until) !== command.until) refuse("deadline-refused");
  const next = step.change({ delivery_deadline: command.until });
  return step.to(next, [], [wakeAt(next)]);
}
