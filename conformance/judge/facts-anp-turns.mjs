// Facts about turns of an agent: what stood in its prompt, what it was allowed, and what became of every event.

import { DECISION, changes, compact, effectsIn, record, told, wayOf } from "./facts-anp.mjs";
import { loadsText } from "./facts-json.mjs";
import { NotJson, dumps, loads } from "./json.mjs";
import { OtherForm, at, each, get, holds, isObject, item, items, lines, members, placeOf, same, size, strip, text, truthy } from "./values.mjs";

/** @typedef {(value: any) => any} Fact */
/** @typedef {{[name: string]: Fact}} Facts */

/** @type {Facts} */
export const DISPATCH = { ...DECISION, waiting: (value) => item(value, "waiting") };

/** For each event the place of the first one in the same lane. @type {Facts} */
export const LANES = {
  lanes: (value) => parted(items(item(value, "ids")).map(text)),
};

/** For each the place of the first one that is the same. @param {any[]} items */
const parted = (items) => items.map((one) => placeOf(items, one));

/** An object of the members of another, each made into something else. @param {any} value @param {(one: any) => any} made */
const mapped = (value, made) => new Map(members(value).map(([id, one]) => [id, made(one)]));

// ------------------------------------------------------------------------------------------------------------ prompts

/** Every line below a heading with the section that it stands in. @param {any} value @returns {[any, string][]} */
function sectioned(value) {
  const headings = new Map(members(item(value, "headings")).map(([name, line]) => [text(line), name]));
  let section = null;
  /** @type {[any, string][]} */
  const found = [];
  for (const line of lines(text(item(value, "prompt")))) {
    if (headings.has(line)) section = headings.get(line);
    else if (section !== null && strip(line)) found.push([section, line]);
  }
  return found;
}

/** @param {string} line */
function entryIn(line) {
  try {
    const entry = loads(line, { constants: true });
    return isObject(entry) && entry.has("id") ? entry : null;
  } catch (error) {
    if (error instanceof NotJson) return null;
    throw error;
  }
}

/** @param {any} value @returns {[any, Map<string, any>][]} */
function entries(value) {
  const found = sectioned(value).map(([section, line]) => /** @type {[any, any]} */ ([section, entryIn(line)]));
  return found.filter(([, entry]) => entry !== null);
}

/** The ids that stand in each section. @param {any} value */
function sections(value) {
  const found = new Map();
  for (const [section, entry] of entries(value)) found.set(section, [...(found.get(section) ?? []), entry.get("id")]);
  return found;
}

/** A member of every entry that has it, by its id. @param {string} name @returns {Fact} */
const ofEntries = (name) => (value) =>
  new Map(entries(value).filter(([, entry]) => entry.has(name)).map(([, entry]) => [text(entry.get("id")), entry.get(name)]));

/** @type {Facts} */
export const TURN_PROMPT = {
  what: (value) => item(value, "what"),
  sections,
  strays: (value) => sectioned(value).filter(([, line]) => entryIn(line) === null).map(([, line]) => line),
  contents: ofEntries("content"),
  directives: ofEntries("directive"),
  tone_hints: ofEntries("tone_hint"),
  granted: (value) => mapped(item(value, "grants"), (grant) => item(grant, "lease")),
  revisions: (value) => mapped(item(value, "grants"), (grant) => item(grant, "revision")),
  known: (value) => item(value, "facts"),
  prompt: (value) => item(value, "prompt"),
};

// ------------------------------------------------------------------------------------------------------------ scripts

/** @param {any} value @returns {any[]} */
const steps = (value) => each(item(value, "steps"));

/** What came of each step: `ok`, the code of the refusal, or `conflict` where something else was stored. @param {any} step */
function resultOf(step) {
  const rejected = get(step, "rejected");
  return truthy(rejected) ? rejected : truthy(get(step, "conflict")) ? "conflict" : "ok";
}

/** For each step the events that went on, and their ways. @param {any} value @returns {Map<string, string>[]} */
function paths(value) {
  const ways = steps(value).map((step) => members(get(step, "paths", new Map())));
  return ways.map((step) => new Map(step.filter(([, way]) => size(way) > 1).map(([id, way]) => [id, wayOf(way)])));
}

/** Of each event that was there at the beginning, the members that are others in the end. @param {any} value */
function changed(value) {
  const found = members(item(value, "before")).map(([id, before]) => {
    const known = record(before);
    const after = item(item(value, "records"), id);
    const names = [...new Set([...known.keys(), ...record(after).keys()])];
    return /** @type {[string, Map<string, any>]} */ ([id, changes(before, after, names)]);
  });
  return new Map(found.filter(([, all]) => all.size));
}

/** The events that were not there at the beginning. @param {any} value */
function made(value) {
  const fresh = members(item(value, "records")).filter(([id]) => !holds(item(value, "before"), id));
  return new Map(fresh.map(([id, event]) => [id, record(event)]));
}

/** @param {any} value @returns {any[]} */
const effects = (value) => steps(value).flatMap((step) => effectsIn(get(step, "effects", [])));
/** @param {any} value @param {string} kind */
const ofKind = (value, kind) => effects(value).filter((one) => item(one, "kind") === kind);
/** The effects of a kind in order, each as a list of these members. @param {string} kind @param {string[]} names @returns {Fact} */
const toldOf = (kind, ...names) => (value) => told(effects(value), kind, names);

/** The actions that were noted, each once. @param {any} value */
function audited(value) {
  const noted = ofKind(value, "audit").filter((one) => truthy(get(one, "classification")));
  const audits = noted.map((one) => [item(one, "what"), item(one, "classification")]);
  return audits.filter((one, place) => audits.findIndex((other) => same(one, other)) === place);
}

const NOTICE = ["user_id", "session_id", "routing", "causation_id"];
/** The effects that bring an event to tell the human of an action. @param {any} value */
const withNotice = (value) => ofKind(value, "must_surface").filter((one) => truthy(get(one, "notice")));

/** @param {string} name @returns {Fact} */
const ofRecords = (name) => (value) => mapped(item(value, "records"), (event) => get(event, name));

/** @type {Facts} */
export const SCRIPT = {
  results: (value) => steps(value).map(resultOf),
  paths,
  last: (value) => at(paths(value), -1),
  changed,
  made,
  statuses: ofRecords("status"),
  leases: ofRecords("owner_lease"),
  outcomes: (value) => {
    const ended = members(item(value, "records")).filter(([, one]) => truthy(get(one, "outcome")));
    return new Map(ended.map(([id, one]) => [id, one.get("outcome")]));
  },
  refused: (value) => steps(value).map((step) => get(step, "refused", new Map())),
  presented: toldOf("present", "id", "channel", "content"),
  chats: toldOf("present", "id", "session_id"),
  shown_actions: toldOf("present", "id", "actions"),
  aware: toldOf("agent_aware", "id", "awareness"),
  fenced: toldOf("fence_turn", "id", "lease"),
  surfaced: toldOf("must_surface", "action"),
  demoted: toldOf("address_demoted", "id", "session_id"),
  audited,
  notices: (value) => withNotice(value).map((one) => compact(item(one, "notice"), NOTICE)),
  notice_ids: (value) => parted(withNotice(value).map((one) => item(one, "notice_id"))),
  said: (value) => dumps(ofKind(value, "must_surface").map((one) => get(one, "notice"))),
  running: (value) => item(value, "running"),
  waiting: (value) => item(value, "waiting"),
  wakes: (value) => item(value, "wakes"),
  stopped: (value) => steps(value).map((step) => get(step, "stopped")).filter(truthy),
  ...Object.fromEntries(
    Object.entries(TURN_PROMPT).map(([name, fact]) => [name, (/** @type {any} */ value) => mapped(item(value, "turns"), fact)]),
  ),
};

// -------------------------------------------------------------------------------------------------- what goes out

/** @param {any} value @returns {any[]} */
const events = (value) => each(item(value, "events"));
/** @param {string} name @returns {Fact} */
const ofEvents = (name) => (value) => events(value).map((one) => get(one, name));
/** @param {string} name @returns {Fact} */
const ofData = (name) => (value) => events(value).map((one) => get(item(one, "data"), name));

/** `ids` says which CloudEvents have the same one. @type {Facts} */
export const CLOUD_EVENTS = {
  ids: (value) => parted(events(value).map((one) => item(one, "id"))),
  ...Object.fromEntries(
    ["specversion", "type", "source", "subject", "time", "datacontenttype"].map((name) => [`${name}s`, ofEvents(name)]),
  ),
  event_ids: ofData("id"),
  contents: ofData("content"),
  named: ofEvents("id"),
  headers: (value) => item(value, "headers"),
};

const TOPIC = /^[A-Za-z0-9_-]{1,32}$/;
/** So many bytes a push service takes. */
const MAX_BYTES = 3993;

/** @param {any} one */
const payload = (one) => loadsText(item(one, "payload"));
/** @param {string} name @returns {Fact} */
const ofPayloads = (name) => (value) => each(value).map((one) => get(payload(one), name));

/** @param {any} value */
function longest(value) {
  const sizes = each(value).map((one) => Buffer.byteLength(text(item(one, "payload"))));
  if (!sizes.length) throw new OtherForm();
  return BigInt(sizes.reduce((one, other) => Math.max(one, other)));
}

/** Whether a topic tells what nobody else is to know. @param {any} one */
function isLeaking(one) {
  return ["id", "user_id"].some((name) => text(item(one, "topic")).includes(text(item(payload(one), name))));
}

/** `topics` says which messages have the same one: those that replace each other while they wait. @type {Facts} */
export const PUSHES = {
  ttls: (value) => each(value).map((one) => item(one, "ttl")),
  urgencies: (value) => each(value).map((one) => item(one, "urgency")),
  topics: (value) => parted(each(value).map((one) => item(one, "topic"))),
  are_topics: (value) => each(value).every((one) => TOPIC.test(text(item(one, "topic")))),
  leaks: (value) => each(value).some(isLeaking),
  longest,
  fits: (value) => longest(value) <= MAX_BYTES,
  cut: ofPayloads("cut"),
  kept: (value) => each(value).map((one) => ["id", "revision", "lease"].map((name) => item(payload(one), name))),
  contents: ofPayloads("content"),
  actions: ofPayloads("actions"),
  metadata: ofPayloads("metadata"),
};
