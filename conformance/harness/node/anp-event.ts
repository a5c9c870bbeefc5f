// Events: as a plugin submits one, and as a ledger keeps it. Agentic Notification Protocol 2, 3, 4 and 8.

import { count, moment, name, ordinal } from "./leaves.ts";
import { must } from "./rejected.ts";
import {
  isObject, isText, isWithin, type Json, leaf, list, maybe, type Members, needed, object, oneOf, record, strictly,
  type Value,
} from "./shape.ts";
import { characters, firstOf, singleLine, stripped } from "./text.ts";
import { utcTime } from "./time.ts";

export const MOST_CHARACTERS = 65_536;
const MOST_OF_NAME = 256;
const MOST_DEPTH = 64;
const MOST_OF_WORD = 64;
const TARGETS = { human: "user" };
const ENDS = { dead_letter: "failed", "dead-letter": "failed" };
const STATUSES = ["pending", "dispatched", "locked", "delivered", "escalated", "failed"];

/** Whether people see anything of a text. */
export const showsSomething = (value: string): boolean => /[^\u200c\u200d\u2800\ufe00-\ufe0f ]/.test(singleLine(value));

const content = leaf((value) => isText(value) && characters(value) <= MOST_CHARACTERS && showsSomething(value));
export const modelText = leaf((value) => isText(value) && characters(value) <= MOST_CHARACTERS);
export const shortName = leaf((value) => isText(value) && value !== "" && characters(value) <= MOST_OF_NAME);

const WORDS: Record<string, string[]> = {
  address: ["session", "user"],
  target: ["user", "agent"],
  handler: ["system", "agent"],
};
export const routing = record({
  address: needed(oneOf(...(WORDS.address as string[]))),
  target: needed(oneOf(...(WORDS.target as string[]))),
  handler: needed(oneOf(...(WORDS.handler as string[]))),
});
export const instructions = record({ directive: maybe(modelText), tone_hint: maybe(modelText) });
export const origin = oneOf("plugin", "agent", "system");

/** An event of a session has a session. */
const hasSession = ({ routing: flags, session_id: session }: Value) =>
  flags.address === "session" && session === undefined ? [] : undefined;
/** What the watchdog has taken over is for the user, and the system handles it. */
const isTakenWhole = ({ status, routing: { target, handler } }: Value) => {
  const isTaken = status === "escalated" || (status === "locked" && handler === "system");
  return isTaken && (target !== "user" || handler !== "system") ? [] : undefined;
};

const SUBMITTED: Members = {
  content: needed(content),
  user_id: needed(shortName),
  routing: needed(routing),
  session_id: maybe(shortName),
  deduplication_key: maybe(shortName),
  metadata: maybe(object),
  agent_instructions: maybe(instructions),
  delivery_deadline: maybe(moment),
  origin: maybe(origin),
  causation_id: maybe(name),
  depth: maybe(count),
};
/** The members of a submission that this version does not know. */
export const unknownIn = (event: Value): Value =>
  Object.fromEntries(Object.entries(event).filter(([one]) => !Object.hasOwn(SUBMITTED, one)));
const isShallow = (event: Value) => (isWithin(MOST_DEPTH, [event.metadata ?? null, unknownIn(event)]) ? undefined : []);

export const submission = record(SUBMITTED, { rules: [hasSession, isShallow] });

const STORED: Members = {
  id: needed(name),
  content: needed(content),
  user_id: needed(shortName),
  routing: needed(routing),
  requested: needed(routing),
  status: needed(oneOf(...STATUSES)),
  created_at: needed(moment),
  changed_at: needed(moment),
  owner_lease: needed(ordinal),
  revision: needed(ordinal),
  version: needed(ordinal),
  metadata: needed(object),
  session_id: maybe(shortName),
  deduplication_key: maybe(name),
  agent_instructions: maybe(instructions),
  ack_at: maybe(moment),
  delivery_deadline: maybe(moment),
  holder: maybe(name),
  origin: needed(origin),
  causation_id: maybe(name),
  depth: needed(count),
  actions: needed(list(name)),
  merged: needed(list(name)),
  failures: needed(count),
  outcome: maybe(oneOf("seen", "read", "narrated", "spoke", "vetoed")),
  escalation: maybe(oneOf("deadline", "silence", "failed", "no_route")),
};
export const EVENT_MEMBERS = Object.keys(STORED);
const notification = record(STORED, { rules: [hasSession, isTakenWhole] });

/** What a ledger that does not keep these members means. */
export const usual = (): Value => ({
  owner_lease: 1,
  revision: 1,
  version: 1,
  metadata: {},
  origin: "plugin",
  depth: 0,
  actions: [],
  merged: [],
  failures: 0,
});

/** An event with its words as the specification spells them, its times in one form, and without nulls. */
function spelled(data: Json, userId?: string): Value {
  must(isObject(data) && (userId === undefined || isText(userId)));
  const event = Object.fromEntries(Object.entries<Json>(data).filter(([, member]) => member !== null));
  if (userId !== undefined) {
    event.user_id ??= userId;
    must(event.user_id === userId);
  }
  for (const one of ["routing", "requested"]) if (isObject(event[one])) event[one] = spelledFlags(event[one]);
  if ("status" in event) event.status = word(event.status, STATUSES, ENDS);
  for (const one of ["created_at", "changed_at", "ack_at", "delivery_deadline"]) {
    if (isText(event[one])) event[one] = utcTime(event[one]) ?? utcTime(`${event[one]}Z`) ?? event[one];
  }
  return event;
}

const spelledFlags = (flags: Json): Json =>
  Object.fromEntries(
    Object.entries<Json>(flags).map(([flag, value]) => [
      flag,
      word(value, Object.hasOwn(WORDS, flag) ? (WORDS[flag] as string[]) : [], flag === "target" ? TARGETS : {}),
    ]),
  );

/** The word of the specification: written in any case, behind the name of an enumeration, or as a synonym. */
function word(value: Json, words: string[], synonyms: Record<string, string>): Json {
  if (!isText(value) || characters(value) > MOST_OF_WORD) return value;
  const bare = stripped(value).split(".").at(-1)?.replace(/[A-Z]/g, (one) => one.toLowerCase()) ?? "";
  const found = Object.hasOwn(synonyms, bare) ? (synonyms[bare] as string) : bare;
  return words.includes(found) ? found : value;
}

/** `anp.read_submission`. What only the host says, no plugin says. */
export function readSubmission({ data, user_id: userId, cause: given }: Value): Value {
  const cause = given === undefined ? undefined : readNotification(given);
  const event = spelled(data, userId);
  must(!["origin", "causation_id", "depth"].some((one) => one in event));
  if (cause) Object.assign(event, { causation_id: cause.id, depth: cause.depth + 1 });
  return strictly(submission, event);
}

/** An event from a ledger, this implementation's or another's. */
export function readNotification(data: Json, userId?: string): Value {
  const event = spelled(data, userId);
  const known = { requested: event.routing, changed_at: event.created_at, ...usual(), ...event };
  return strictly(notification, known);
}

/** The text for people where the agent should have spoken. */
export function fallbackOf({ metadata, content: whole }: Value): string {
  const { fallback_text: given } = metadata;
  const short = isText(given) ? firstOf(given, MOST_CHARACTERS) : "";
  return showsSomething(short) ? short : whole;
}

/** The metadata for clients. */
export function visibleMetadata({ metadata }: Value): Value | undefined {
  const kept = Object.entries(metadata).filter(([one]) => !one.startsWith("_") && one !== "turn_depth");
  return kept.length ? Object.fromEntries(kept) : undefined;
}

