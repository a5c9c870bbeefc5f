// Facts about notifications: what a decision changed, which way it went, what is to be done, what people were shown.

import { FactError } from "./facts-error.mjs";
import { loadsText } from "./facts-json.mjs";
import { dumps } from "./json.mjs";
import { each, get, holds, isEqual, item, items, keyOf, members, sorted, text, truthy } from "./values.mjs";

/** @typedef {(value: any) => any} Fact */

/** What an event is compared by. */
const RECORD = (
  "id content user_id session_id deduplication_key metadata agent_instructions routing requested status owner_lease " +
  "revision created_at ack_at delivery_deadline holder origin causation_id depth"
).split(" ");

/** The effects that are compared, and by which members. @type {Map<string, string[]>} */
const EFFECTS = new Map(
  Object.entries({
    audit: "classification",
    queue: "",
    address_demoted: "session_id",
    present: "channel user_id session_id content revision lease",
    update: "channel user_id session_id content agent_instructions revision lease",
    add_fact: "scope user_id session_id content agent_instructions",
    grant: "id lease",
    inject_context: "scope must_narrate user_id session_id content agent_instructions",
    start_turn: "turn scope",
    wake_at: "at",
    agent_aware: "awareness session_id",
    allow: "action",
    must_surface: "action",
    present_narration: "narration_id",
    fence_turn: "id lease",
    dead_letter: "",
  }).map(([kind, names]) => [kind, names.split(" ").filter(Boolean)]),
);

/** Members of programs in the cases, which no specification knows. */
const KEPT = ["app"];
/** What an event that comes of another is compared by. */
const CHILD = "content user_id session_id routing deduplication_key origin causation_id depth".split(" ");

/** Whether a member says nothing. @param {any} value */
const saysNothing = (value) => value === null || isEqual(value, 0n) || (typeof value === "object" && !truthy(value));

/** These members of an object, but those that say nothing. @param {any} from @param {string[]} names */
export function compact(from, names) {
  return new Map(names.filter((name) => !saysNothing(get(from, name))).map((name) => [name, from.get(name)]));
}

/** What an event is compared by; nothing of none. @param {any} event */
export const record = (event) => compact(truthy(event) ? event : new Map(), RECORD);

/** The members of these that are others than before, as they are now; null for those that are gone. @param {any} before @param {any} after @param {string[]} [names] */
export function changes(before, after, names = RECORD) {
  const [one, other] = [record(before), record(after)];
  return new Map(names.filter((name) => !isEqual(get(one, name), get(other, name))).map((name) => [name, get(other, name)]));
}

/** @param {any} effect */
const kindOf = (effect) => text(item(effect, "kind"));

/** The effects in an array, each of which says its kind. @param {any} value @returns {any[]} */
export function effectsIn(value) {
  items(value).forEach(kindOf);
  return value;
}

/** @param {any} value */
const effectsOf = (value) => effectsIn(item(value, "effects"));

/** @param {any} value */
const known = (value) => effectsOf(value).filter((effect) => EFFECTS.has(kindOf(effect)));

/** What is to be done, in the order of the alphabet: only the order of alerts and turns matters. @param {any} value */
const kinds = (value) => sorted(known(value).map(kindOf));

/** @param {any} value @param {string} kind */
function one(value, kind) {
  const found = effectsOf(value).filter((effect) => kindOf(effect) === kind);
  if (found.length > 1) throw new FactError(`there are ${found.length} effects of the kind ${kind}`);
  return found[0] ?? null;
}

/** The one effect of a kind, by its members; null where there is none. @param {string} kind @returns {Fact} */
const effect = (kind) => (value) => {
  const found = one(value, kind);
  if (found === null) return null;
  const isOfASession = get(found, "channel") !== "inbox" && get(found, "scope") !== "global";
  const names = /** @type {string[]} */ (EFFECTS.get(kind)).filter((name) => name !== "session_id" || isOfASession);
  return new Map(names.filter((name) => get(found, name) !== null).map((name) => [name, found.get(name)]));
};

/** @param {string} kind @param {string} name @returns {Fact} */
const member = (kind, name) => (value) => {
  const found = one(value, kind);
  return found === null ? null : get(found, name);
};

/** The event that is to be submitted for an effect. @param {string} kind @param {string} name @returns {Fact} */
const child = (kind, name) => (value) => {
  const found = member(kind, name)(value);
  return found === null ? null : compact(found, CHILD);
};

/** Which event, revision and lease the effects name. @param {any} value */
function keys(value) {
  const found = new Map();
  for (const effect of known(value)) {
    const key = ["id", "revision", "lease"].map((name) => item(effect, name));
    const seen = JSON.stringify(key.map(keyOf));
    if (!found.has(seen)) found.set(seen, key);
  }
  return sorted(found.values());
}

/** The effects of a kind, each as a list of these members. @param {any[]} effects @param {string} kind @param {string[]} names */
export const told = (effects, kind, names) =>
  effects.filter((one) => kindOf(one) === kind).map((one) => names.map((name) => get(one, name)));

/** @type {{[name: string]: Fact}} */
export const DECISION = {
  path: (value) => item(value, "path"),
  changed: (value) => changes(item(value, "before"), item(value, "record")),
  record: (value) => record(item(value, "record")),
  responsible: (value) => item(value, "responsible"),
  expected: (value) => {
    const expected = item(value, "expected");
    return truthy(expected) ? compact(expected, ["status", "owner_lease"]) : expected;
  },
  effects: kinds,
  keys,
  is_dispatched: (value) => effectsOf(value).some((one) => kindOf(one) === "dispatch"),
  ...Object.fromEntries([...EFFECTS.keys()].map((kind) => [kind, effect(kind)])),
  shown_actions: member("present", "actions"),
  shown_metadata: member("present", "metadata"),
  updated_metadata: member("update", "metadata"),
  narration: child("present_narration", "narration"),
  notice: child("must_surface", "notice"),
  outcome: (value) => get(item(value, "record"), "outcome"),
  escalation: (value) => get(item(value, "record"), "escalation"),
  settled: (value) => {
    const found = effectsOf(value).filter((one) => kindOf(one) === "settled");
    return found.map((one) => [item(one, "how"), item(one, "lease")]);
  },
};

/** An item of a stream: the lines before its data, what a reader makes of both framings, and the frame itself. @type {{[name: string]: Fact}} */
export const STREAM_ITEM = {
  lines: (value) => sorted(text(item(value, "sse")).split("\n").filter((line) => line && !line.startsWith("data:"))),
  sse: (value) => item(value, "read"),
  frame: (value) => loadsText(item(value, "frame")),
  back: (value) => item(value, "back"),
};

/** @param {any} value @returns {any[]} */
const steps = (value) => each(item(value, "steps"));

/** The way that something went, in one text. @param {any} way */
export const wayOf = (way) => each(way).map(text).join(" > ");

/** @param {string} kind @param {string[]} names @returns {Fact} */
const toldIn = (kind, ...names) => (value) => {
  const taken = steps(value).filter((step) => !holds(step, "rejected"));
  return told(taken.flatMap(effectsOf), kind, names);
};

/** @type {{[name: string]: Fact}} */
export const STORY = {
  paths: (value) =>
    steps(value).map((step) => (holds(step, "rejected") ? item(step, "rejected") : wayOf(item(step, "path")))),
  effects: (value) => steps(value).map((step) => (holds(step, "effects") ? kinds(step).join(" ") : null)),
  statuses: (value) => new Map(members(item(value, "records")).map(([name, one]) => [name, item(one, "status")])),
  records: (value) => new Map(members(item(value, "records")).map(([name, one]) => [name, record(one)])),
  presented: toldIn("present", "id", "channel", "content", "lease"),
  updated: toldIn("update", "id", "channel", "content", "revision"),
  aware: toldIn("agent_aware", "id", "awareness"),
  turns: toldIn("start_turn", "id", "turn", "scope"),
  fenced: toldIn("fence_turn", "id", "lease"),
  surfaced: toldIn("must_surface", "id", "action"),
  shown_actions: toldIn("present", "id", "actions"),
  unchanged: (value) => dumps(item(value, "begin")) === dumps(item(value, "records")),
};

/** An event as it was read. @type {{[name: string]: Fact}} */
export const NOTIFICATION = {
  record: (value) => record(item(value, "record")),
  keeps: (value) => new Map(members(item(value, "record")).filter(([name]) => KEPT.includes(name))),
};
