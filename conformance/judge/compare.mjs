// Comparing what an implementation said with what a case expects: the same problems in the same words as `_compare.py`.

import { decoded } from "./base64.mjs";
import { FactError } from "./facts-error.mjs";
import { facts } from "./facts.mjs";
import { byCharacter, isNumber, isObject, isText, object, piece, repr, reprBytes, size } from "./values.mjs";

/** @typedef {import("./cases.mjs").Case} Case */
/** @typedef {Map<string, any>} Answer */

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^(([0-9]{4})-([0-9]{2})-([0-9]{2}))T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]{1,9})?Z$/;
const OUTCOMES = ["messages", "value", "facts", "bytes", "rejected"];
const ANSWERS = ["messages", "value", "bytes", "rejected", "skipped", "errored"];
const REMOTE = ["GET ", "TXT "];
const SHOWN = 160;
const WHOLE = 60;
/** Texts up to this length are shown whole; of longer ones, what stands around the first difference. */
const AROUND = 20;

/**
 * What is wrong with an answer to a case, one sentence each; empty when the case passes.
 * @param {Case} one @param {Answer} answer @returns {string[]}
 */
export function judge(one, answer) {
  const { expect, op } = one;
  /** @type {Answer[]} */
  const alternatives = expect.get("any_of") ?? [expect];
  const attempts = alternatives.map((alternative) => against(op, alternative, answer));
  let wrong = attempts.some((attempt) => !attempt.length) ? [] : attempts[0];
  if (alternatives.length > 1) {
    wrong = wrong.map((text) => `none of ${alternatives.length} allowed outcomes; the first one: ${text}`);
  }
  if (expect.has("any_of")) wrong = [...wrong, ...wrongMembers(expect, answer)];
  return [...wrong, ...wrongAsks(expect, answer)];
}

/** What is wrong with an answer before it is compared: it says nothing, or two things at once; else null. @param {Answer} answer */
export function misshapen(answer) {
  const outcomes = ANSWERS.filter((name) => answer.has(name));
  if (outcomes.length === 1) return null;
  return `an answer has exactly one of ${ANSWERS.join(", ")}; this one has ${outcomes.join(", ") || "none"}`;
}

/** Whether an expected rejection leaves its code to the implementation. @param {Answer} rejected */
export const hasOpenCode = (rejected) => isObject(rejected.get("code"));

/** How many exact values an expectation leaves open (`uuid7`, `timestamp`); `json` is not counted. @param {any} value @returns {number} */
export function placeholders(value) {
  if (isObject(value) && value.size === 1 && value.has("$any")) return Number(value.get("$any") !== "json");
  const inside = isObject(value) ? [...value.values()] : Array.isArray(value) ? value : [];
  return inside.reduce((sum, one) => sum + placeholders(one), 0);
}

/**
 * The first place where two JSON values differ, in words, or null. `1` equals `1.0`, `true` does not equal `1`, order counts
 * in arrays and not in objects. `{"$any": …}` stands for a UUIDv7, a UTC timestamp, or any JSON at all.
 * @param {any} expected @param {any} actual @param {string} [at] @returns {string | null}
 */
export function difference(expected, actual, at = "") {
  if (isObject(expected)) {
    if (expected.size === 1 && expected.has("$any")) return wrongPlaceholder(expected.get("$any"), actual, at);
    return wrongObject(expected, actual, at);
  }
  if (Array.isArray(expected)) return wrongArray(expected, actual, at);
  const sameKind = kind(expected) === kind(actual);
  if (sameKind && (isNumber(expected) ? expected == actual : expected === actual)) return null;
  if (sameKind && isText(expected) && Math.max(size(expected), size(actual)) > WHOLE) {
    return `${at || "value"}: ${wrongText(expected, actual)}`;
  }
  return `${at || "value"}: expected ${show(expected)}, got ${show(actual)}`;
}

/** Where two long texts part, with what stands around that place in each. @param {string} expected @param {string} actual */
function wrongText(expected, actual) {
  const [one, other] = [[...expected], [...actual]];
  const shorter = Math.min(one.length, other.length);
  let place = 0;
  while (place < shorter && one[place] === other[place]) place += 1;
  return `differ from character ${place} on: expected ${around(one, place)}, got ${around(other, place)}`;
}

/** The text around a place, with `…` on each side where there is more. @param {string[]} text @param {number} place */
function around(text, place) {
  const [begin, end] = [Math.max(0, place - AROUND), place + AROUND];
  return `${begin ? "…" : ""}${repr(text.slice(begin, end).join(""))}${end < text.length ? "…" : ""}`;
}

/** @param {Answer} expected @param {any} actual @param {string} at */
function wrongObject(expected, actual, at) {
  if (!isObject(actual)) return `${at || "value"}: expected an object, got ${show(actual)}`;
  for (const [name, member] of expected) {
    if (!actual.has(name)) return `${at}/${pointer(name)}: is missing, expected ${show(member)}`;
  }
  for (const [name, member] of actual) {
    if (!expected.has(name)) return `${at}/${pointer(name)}: is not expected, got ${show(member)}`;
  }
  for (const [name, member] of expected) {
    const problem = difference(member, actual.get(name), `${at}/${pointer(name)}`);
    if (problem) return problem;
  }
  return null;
}

/** @param {any[]} expected @param {any} actual @param {string} at */
function wrongArray(expected, actual, at) {
  if (!Array.isArray(actual)) return `${at || "value"}: expected an array, got ${show(actual)}`;
  for (let index = 0; index < Math.min(expected.length, actual.length); index += 1) {
    const problem = difference(expected[index], actual[index], `${at}/${index}`);
    if (problem) return problem;
  }
  if (expected.length === actual.length) return null;
  return `${at || "value"}: expected ${expected.length} items, got ${actual.length}`;
}

/** @param {any} what @param {any} actual @param {string} at */
function wrongPlaceholder(what, actual, at) {
  if (what === "json") return null;
  if (what === "uuid7" && isText(actual) && UUID7.test(actual)) return null;
  if (what === "timestamp" && isText(actual) && isTimestamp(actual)) return null;
  return `${at || "value"}: expected a ${isText(what) ? what : repr(what)}, got ${show(actual)}`;
}

/** Whether the text is RFC 3339 in UTC, and a time that exists. @param {string} text */
function isTimestamp(text) {
  const found = TIMESTAMP.exec(text);
  if (found === null) return false;
  const [, day, year, , , hour, minute, second] = found;
  if (Number(year) < 1 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}

/** What an answer lacks against one allowed outcome, and against what that outcome carries with it. @param {string} op @param {Answer} expect @param {Answer} answer @returns {string[]} */
function against(op, expect, answer) {
  const shape = misshapen(answer);
  if (shape) return [shape];
  const outcome = OUTCOMES.find((name) => expect.has(name)) ?? "";
  const given = /** @type {string} */ (ANSWERS.find((name) => answer.has(name)));
  const [want, got] = [expect.get(outcome), answer.get(given)];
  if (given !== (outcome === "facts" ? "value" : outcome)) {
    return [`expected ${wanted(outcome, want)}, got ${given} ${show(got)}`];
  }
  if (outcome === "facts") return [...wrongFacts(op, want, got), ...wrongMembers(expect, answer)];
  const compare = outcome === "bytes" ? wrongBytes : outcome === "rejected" ? wrongRejection : difference;
  const problem = compare(want, got, outcome);
  return [...(problem ? [problem] : []), ...wrongMembers(expect, answer)];
}

/** An expected outcome in words. @param {string} outcome @param {any} want */
const wanted = (outcome, want) =>
  outcome === "rejected" && hasOpenCode(want) ? "rejected with a code, any text" : `${outcome} ${show(want)}`;

/** Compare bytes, given as base64. @param {any} expected @param {any} actual @param {string} at */
function wrongBytes(expected, actual, at) {
  const want = decoded(isObject(expected) ? expected.get("$base64") : expected);
  const got = decoded(actual);
  if (got === null || want === null) return `${at}: expected base64, got ${show(actual)}`;
  if (want.equals(got)) return null;
  const shorter = Math.min(want.length, got.length);
  let place = 0;
  while (place < shorter && want[place] === got[place]) place += 1;
  const shown = reprBytes(got.subarray(place, place + 40));
  return `${at}: ${got.length} bytes, expected ${want.length}; they differ from byte ${place} on: ${shown}`;
}

/** Every fact that is another. @param {string} op @param {Answer} expected @param {any} value */
function wrongFacts(op, expected, value) {
  try {
    const actual = facts(op, value, expected);
    const each = [...expected].map(([name, want]) =>
      difference(object({ [name]: want }), actual.has(name) ? object({ [name]: actual.get(name) }) : new Map(), "facts"),
    );
    return each.filter((one) => one !== null);
  } catch (error) {
    if (error instanceof FactError) return [error.message];
    throw error;
  }
}

/** Compare a rejection: the code and nothing else, for the wording is free. An open code still has to be one. @param {any} expected @param {any} actual @param {string} at */
function wrongRejection(expected, actual, at) {
  const got = isObject(actual) ? (actual.get("code") ?? null) : actual;
  const want = expected.get("code");
  if (hasOpenCode(expected)) {
    return isObject(actual) && isText(got) && got !== "" ? null : `${at}: expected a code, any text, got ${show(got)}`;
  }
  return got === want ? null : `${at}: expected code ${show(want)}, got ${show(got)}`;
}

/** Verdict, member by member, candidate, and diagnostics, as often as each code came; where they are expected. @param {Answer} expect @param {Answer} answer */
function wrongMembers(expect, answer) {
  /** @type {(string | null)[]} */
  const wrong = [];
  if (expect.has("verdict")) {
    const verdict = answer.get("verdict") ?? null;
    if (!isObject(verdict)) return [`verdict: expected one, got ${show(verdict)}`];
    for (const [name, want] of expect.get("verdict")) {
      wrong.push(difference(want, verdict.get(name) ?? null, `verdict/${name}`));
    }
  }
  if (expect.has("candidate")) {
    wrong.push(difference(expect.get("candidate"), answer.get("candidate") ?? null, "candidate"));
  }
  const problems = wrong.filter((one) => one !== null);
  if (!expect.has("diagnostics")) return problems;
  const [want, got] = [expect.get("diagnostics"), answer.has("diagnostics") ? answer.get("diagnostics") : []];
  if (!Array.isArray(got) || !got.every(isText)) {
    return [...problems, `diagnostics: expected a list of codes, got ${show(got)}`];
  }
  const [missing, more] = [without(want, got), without(got, want)];
  if (missing.length) problems.push(`diagnostics: missing ${missing.join(", ")}`);
  if (more.length) problems.push(`diagnostics: not expected ${more.join(", ")}`);
  return problems;
}

/** What is in the one list and not in the other, as often, sorted. @param {string[]} one @param {string[]} other */
function without(one, other) {
  const rest = [...one];
  for (const code of other) if (rest.includes(code)) rest.splice(rest.indexOf(code), 1);
  return rest.sort(byCharacter);
}

/** Questions that must not be asked, and the number of questions that go to the network. @param {Answer} expect @param {Answer} answer */
function wrongAsks(expect, answer) {
  if (!expect.has("must_not_ask") && !expect.has("max_asks")) return [];
  const asks = answer.get("asks");
  if (!Array.isArray(asks) || !asks.every(isText)) {
    return ["asks: this case needs the list of questions that were asked, and there is none"];
  }
  /** @type {string[]} */
  const patterns = expect.get("must_not_ask") ?? [];
  const forbidden = asks.filter((ask) => patterns.some((pattern) => forbids(pattern, ask)));
  const wrong = forbidden.map((ask) => `asks: ${repr(ask)} must not be asked`);
  const remote = asks.filter((ask) => REMOTE.some((start) => ask.startsWith(start))).length;
  if (expect.has("max_asks") && remote > expect.get("max_asks")) {
    wrong.push(`asks: ${remote} went to the network, at most ${expect.get("max_asks")} may`);
  }
  return wrong;
}

/** Whether an entry of `must_not_ask` means this ask: the same text, or, ending in `*`, the same beginning. @param {string} pattern @param {string} ask */
const forbids = (pattern, ask) => (pattern.endsWith("*") ? ask.startsWith(pattern.slice(0, -1)) : ask === pattern);

/** The JSON type: booleans are not numbers, whole numbers are. @param {any} value */
function kind(value) {
  if (value === null) return "null";
  if (isObject(value)) return "object";
  if (Array.isArray(value)) return "array";
  return isNumber(value) ? "number" : typeof value;
}

/** A member name as a JSON Pointer segment. @param {string} name */
const pointer = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** A value, short enough for one line. @param {any} value */
export function show(value) {
  const text = repr(value);
  return size(text) <= SHOWN ? text : `${piece(text, 0, SHOWN)}…`;
}
