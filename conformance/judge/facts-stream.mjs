// Facts about the frames into which an implementation splits a response: any split is right that adds up.

import { OtherForm, at, distinct, each, holds, item, members, piece, same, size, sorted, text } from "./values.mjs";

/** @typedef {(frames: any) => any} Fact */

/** @param {any} frames */
const partsOf = (frames) => each(frames).map((frame) => each(item(frame, "parts")));

/** @param {any} part */
const isCall = (part) => item(part, "kind") === "tool_call";

/** What the frames add up to. @param {any} frames */
function whole(frames) {
  /** @type {any[]} */
  const parts = [];
  /** @type {Map<any, number>} */
  const places = new Map();
  for (const frame of partsOf(frames)) {
    frame.forEach((part, index) => {
      const isKnown = isCall(part) && places.has(key(part));
      if (isKnown) {
        parts[Number(places.get(key(part)))] = part;
      } else if (!index && parts.length && continues(parts.at(-1), part)) {
        const [before, more] = [item(parts.at(-1), "content"), item(part, "content")];
        parts[parts.length - 1] = new Map([...parts.at(-1), ["content", added(before, more)]]);
      } else {
        if (isCall(part)) places.set(key(part), parts.length);
        parts.push(part);
      }
    });
  }
  const last = members(at(frames, -1)).filter(([name]) => name !== "streaming");
  return new Map([...last, ["parts", parts]]);
}

/** @param {any} part */
function key(part) {
  const id = item(part, "id");
  distinct([id]); // an object names nothing
  return typeof id === "boolean" ? Number(id) : typeof id === "bigint" ? Number(id) : id;
}

/** @param {any} one @param {any} other */
function added(one, other) {
  if (typeof one === "string" && typeof other === "string") return one + other;
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  const [left, right] = [one, other].map((value) => (typeof value === "boolean" ? BigInt(value) : value));
  if (typeof left === "bigint" && typeof right === "bigint") return left + right;
  if (left === null || right === null || typeof left === "object" || typeof right === "object") throw new OtherForm();
  if (typeof left === "string" || typeof right === "string") throw new OtherForm();
  return Number(left) + Number(right);
}

/** @param {any} last @param {any} first */
function continues(last, first) {
  const isPlain = [last, first].every(
    (part) => members(part).length === 3 && ["kind", "mime", "content"].every((name) => part.has(name)),
  );
  return isPlain && same(last.get("mime"), first.get("mime"));
}

/** @param {any} frames */
function numbers(frames) {
  const found = each(frames).map((frame) => item(item(frame, "streaming"), "seq"));
  if (!same(at(found, 0), 0n)) return false;
  return found.slice(1).every((number, place) => isLess(found[place], number));
}

/** @param {any} one @param {any} other */
const isLess = (one, other) => !same(one, other) && sorted([one, other])[0] === one;

/** What each call goes through. @param {any} frames */
function states(frames) {
  const found = new Map();
  for (const part of partsOf(frames).flat()) {
    if (!isCall(part)) continue;
    const state = holds(part, "error") ? "failed" : holds(part, "result") ? "ok" : "running";
    found.set(key(part), [...(found.get(key(part)) ?? []), state]);
  }
  return found;
}

/** @type {{[name: string]: Fact}} */
export const STREAM = {
  whole,
  numbers_rise_from_0: numbers,
  final_is_last: (frames) => {
    const marks = each(frames).map((frame) => item(item(frame, "streaming"), "final"));
    return marks.length > 0 && marks.every((mark, place) => same(mark, place === marks.length - 1));
  },
  partial_before_final: (frames) => slice(frames).every((frame) => item(frame, "status") === "partial"),
  stream_ids: (frames) => sorted(distinct(each(frames).map((frame) => item(item(frame, "streaming"), "stream_id")))),
  replies_to: (frames) => sorted(distinct(each(frames).map((frame) => item(frame, "reply_to")))),
  calls: states,
  longest_text: (frames) => {
    const texts = partsOf(frames).flat().filter((part) => item(part, "kind") === "text");
    return BigInt(Math.max(0, ...texts.map((part) => size(item(part, "content")))));
  },
  several: (frames) => size(frames) > 1,
};

/** All frames but the last. @param {any} frames */
function slice(frames) {
  if (frames instanceof Map) throw new OtherForm();
  return Array.isArray(frames) ? frames.slice(0, -1) : [...piece(text(frames), 0, -1)];
}
