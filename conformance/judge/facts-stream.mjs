// Facts about the frames into which an implementation splits a response: any split is right that adds up.

import { FactError } from "./facts-error.mjs";
import { at, distinct, get, holds, isEqual, isWhole, item, items, members, size, sorted, text } from "./values.mjs";

/** @typedef {(value: any) => any} Fact */

/** What a frame need not say, but not otherwise than the last one. */
const SHARED = ["agent", "thread_id"];

/** The parts of each frame. @param {any} value @returns {any[][]} */
const partsOf = (value) => items(value).map((frame) => items(item(frame, "parts")));

/** The frames, each with an array of parts. @param {any} value @returns {any[]} */
const framesOf = (value) => (partsOf(value), value);

/** @param {any} part */
const isCall = (part) => item(part, "kind") === "tool_call";
/** @param {any} part */
const idOf = (part) => text(item(part, "id"));
/** @param {any} part */
const contentOf = (part) => text(item(part, "content"));

/** What the frames add up to. @param {any} value */
function whole(value) {
  /** @type {any[]} */
  const parts = [];
  /** @type {Map<number, string[]>} */
  const texts = new Map();
  /** @type {Map<string, number>} */
  const places = new Map();
  const frames = framesOf(value);
  for (const frame of frames) {
    for (const name of SHARED) {
      const isOther = holds(frame, name) && !isEqual(item(frame, name), get(at(value, -1), name));
      if (isOther) throw new FactError(`a frame has another ${name} than the last one`);
    }
    item(frame, "parts").forEach((/** @type {any} */ part, /** @type {number} */ index) => {
      const known = isCall(part) ? places.get(idOf(part)) : undefined;
      const last = parts.length - 1;
      if (known !== undefined) {
        parts[known] = part;
      } else if (!index && parts.length && continues(parts[last], part)) {
        const begun = texts.get(last) ?? [contentOf(parts[last])];
        begun.push(contentOf(part));
        texts.set(last, begun);
      } else {
        if (isCall(part)) places.set(idOf(part), parts.length);
        parts.push(part);
      }
    });
  }
  for (const [place, pieces] of texts) parts[place] = new Map([...parts[place], ["content", pieces.join("")]]);
  const kept = members(at(value, -1)).filter(([name]) => name !== "streaming");
  return new Map([...kept, ["parts", parts]]);
}

/** @param {any} last @param {any} first */
function continues(last, first) {
  const isPlain = [last, first].every(
    (part) => members(part).length === 3 && ["kind", "mime", "content"].every((name) => part.has(name)),
  );
  return isPlain && ["kind", "mime"].every((name) => isEqual(last.get(name), first.get(name)));
}

/** @param {any} value @param {string} name */
const marks = (value, name) => framesOf(value).map((frame) => item(item(frame, "streaming"), name));

/** @param {any} value */
function numbers(value) {
  const found = marks(value, "seq");
  const first = at(found, 0);
  return found.every(isWhole) && isEqual(first, 0n) && found.slice(1).every((number, place) => found[place] < number);
}

/** What each call goes through. @param {any} value */
function states(value) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const part of partsOf(value).flat()) {
    if (!isCall(part)) continue;
    const state = holds(part, "error") ? "failed" : holds(part, "result") ? "ok" : "running";
    const before = found.get(idOf(part));
    if (before) before.push(state);
    else found.set(idOf(part), [state]);
  }
  return found;
}

/** @param {any} value */
function longestText(value) {
  const texts = partsOf(value).flat().filter((part) => item(part, "kind") === "text");
  return BigInt(texts.reduce((longest, part) => Math.max(longest, size(contentOf(part))), 0));
}

/** @type {{[name: string]: Fact}} */
export const STREAM = {
  whole,
  numbers_rise_from_0: numbers,
  final_is_last: (value) => {
    const found = marks(value, "final");
    return found.length > 0 && found.every((mark, place) => isEqual(mark, place === found.length - 1));
  },
  partial_before_final: (value) => framesOf(value).slice(0, -1).every((frame) => item(frame, "status") === "partial"),
  stream_ids: (value) => sorted(distinct(marks(value, "stream_id").map(text))),
  replies_to: (value) => sorted(distinct(framesOf(value).map((frame) => text(item(frame, "reply_to"))))),
  calls: states,
  longest_text: longestText,
  several: (value) => framesOf(value).length > 1,
};
