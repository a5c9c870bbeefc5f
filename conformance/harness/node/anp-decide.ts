// The one function that says what becomes of an event: Agentic Notification Protocol 5 to 7.

import { action, claim, commitTurn, extend, turnFailed } from "./anp-agent.ts";
import { modelText, readNotification, shortName, showsSomething, submission } from "./anp-event.ts";
import { isTerminal, isWatched, responsibleFor } from "./anp-route.ts";
import { type Decision, refuse, Rules, Step } from "./anp-step.ts";
import { submit } from "./anp-submit.ts";
import { abandon, clientAck, contextCommitted, deliveryFailed, reconnect, route, tick } from "./anp-system.ts";
import { moment, name, text, yesOrNo } from "./leaves.ts";
import { attemptStep, Rejected } from "./rejected.ts";
import { byKind, leaf, maybe, needed, nullable, oneOf, record, strictly } from "./shape.ts";
import type { Json, Members, RuleOf, Value } from "./shape.ts";
import { microsIn, microsOf, timeText, utcTime } from "./time.ts";

const integer = leaf((value) => Number.isInteger(value));
const lease = { lease: maybe(integer) };
const revision = { revision: maybe(integer) };
const holder = { holder: maybe(name) };
/** Words of a turn have an id for the event that they become. */
const wordsHaveId: RuleOf = ({ kind, output, narration_id: id }) =>
  kind === "commit_turn" && output !== undefined && showsSomething(output) && id === undefined ? [] : undefined;

const COMMANDS: Record<string, Members> = {
  submit: { submission: needed(submission), id: needed(shortName) },
  route: {},
  client_ack: { ...lease, user_id: needed(name), ...revision, how: maybe(oneOf("rendered", "clicked")) },
  delivery_failed: { ...lease, user_id: maybe(name), is_final: nullable(yesOrNo) },
  reconnect: { user_id: needed(name) },
  context_committed: { ...lease, ...revision },
  claim: { ...lease, holder: needed(name) },
  action: { name: needed(shortName), ...lease, classification: maybe(text), ...holder },
  commit_turn: {
    ...lease,
    output: maybe(modelText),
    acknowledged: nullable(yesOrNo),
    is_trigger: nullable(yesOrNo),
    narration_id: maybe(name),
    ...revision,
    ...holder,
  },
  turn_failed: { ...lease, ...revision, ...holder },
  extend: { ...lease, until: needed(moment), ...holder },
  tick: {},
  abandon: {},
};
const commandForm = byKind(
  Object.fromEntries(
    Object.entries(COMMANDS).map(([kind, members]) => [kind, record(members, { rules: [wordsHaveId] })]),
  ),
);

/** A command; members that its kind has not say nothing. */
export function readCommand(data: Json): Value {
  const { kind, ...members } = strictly(commandForm, data);
  const known = Object.entries(members).filter(([one]) => Object.hasOwn(COMMANDS[kind] as Members, one));
  return { kind, ...Object.fromEntries(known) };
}

const DECIDES: Record<string, (step: Step) => Decision> = {
  route, client_ack: clientAck, delivery_failed: deliveryFailed, reconnect, context_committed: contextCommitted, claim,
  action, commit_turn: commitTurn, turn_failed: turnFailed, extend, tick, abandon,
};

/** What becomes of an event when something happens to it. A refusal is thrown. */
export function decide(event: Value | null, command: Value, facts: Value, rules: Rules, now: bigint): Decision {
  if (command.kind === "submit") return submit(event, command, facts, rules, now);
  if (event === null) refuse("unknown-notification");
  // a stranger learns nothing of an event but that it is not theirs
  if ((command.user_id ?? event.user_id) !== event.user_id) refuse("wrong-user");
  if (isTerminal(event) && command.kind !== "action") refuse("already-terminal");
  return (DECIDES[command.kind] as (step: Step) => Decision)(new Step(event, command, facts, rules, now));
}

export const nowOf = ({ now }: Value): bigint => microsOf(utcTime(now) as string);
export const codesOf = (diagnostics: Value[]): string[] => diagnostics.map(({ code }) => code);

/** `anp.decide`. */
function decided({ record: given, command, facts = {}, rules }: Value, about: Value) {
  const before = given && readNotification(given);
  const found = decide(before, readCommand(command), facts, new Rules(rules), nowOf(about));
  const value = { before, ...found, responsible: responsibleFor(found.record) };
  return { value, diagnostics: codesOf(found.diagnostics) };
}

/** The event that a step is about. A submission finds its own: by its id, or the last of its user with its key. */
function eventFor(events: Map<string, Value>, step: Value, command: Value): Value | null {
  if (command.kind !== "submit") return events.get(step.of ?? [...events.keys()][0]) ?? null;
  const { user_id: user, deduplication_key: key } = command.submission;
  const isSame = (one: Value) => key !== undefined && one.user_id === user && one.deduplication_key === key;
  return events.get(command.id) ?? [...events.values()].findLast(isSame) ?? null;
}

/** The command that submits what an effect of the last decision holds. */
function follow(effects: Value[], what: string): Value {
  const kind = what === "narration" ? "present_narration" : "must_surface";
  const found = effects.find((one) => one.kind === kind) as Value;
  const [event, id] = what === "narration" ? [found.narration, found.narration_id] : [found.notice, found.notice_id];
  return { kind: "submit", submission: event, id };
}

/** `anp.story`: one command after another; each sees what those before it have stored. */
function story({ records = [], steps, rules: given }: Value, about: Value) {
  const rules = new Rules(given);
  const events = new Map<string, Value>(records.map((one: Json) => [one.id, readNotification(one)]));
  const begin = Object.fromEntries(events);
  let effects: Value[] = [];
  const results = steps.map((step: Value) => {
    const found = attemptStep(() => {
      const command = readCommand("follow" in step ? plain(follow(effects, step.follow)) : step.command);
      const before = eventFor(events, step, command);
      return { before, ...decide(before, command, step.facts ?? {}, rules, nowOf(about) + microsIn(step.at ?? 0)) };
    });
    if (found instanceof Rejected) return { rejected: found.code };
    events.set(found.record.id, found.record);
    effects = found.effects;
    return found;
  });
  const diagnostics = results.flatMap((step: Value) => codesOf(step.diagnostics ?? []));
  return { value: { begin, steps: results, records: Object.fromEntries(events) }, diagnostics };
}

/** JSON without members that are undefined. */
const plain = (value: Value): Json => JSON.parse(JSON.stringify(value));

/** `anp.next_deadline`: the earliest of those that the watchdog watches. */
function nextDeadline({ records }: Value): string | null {
  const watched = records.map((one: Json) => readNotification(one)).filter(isWatched);
  const deadlines = watched.map((one: Value) => one.delivery_deadline);
  const times = deadlines.filter((one: Value) => one !== undefined).map(microsOf);
  return times.length ? timeText(times.reduce((one: bigint, other: bigint) => (one < other ? one : other))) : null;
}

export const decisionValues = { "anp.next_deadline": nextDeadline };
export const decisionAnswers = { "anp.decide": decided, "anp.story": story };
