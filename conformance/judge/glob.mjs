// Names that are sought: by a glob, or by what was most likely intended.

import { byCharacter } from "./values.mjs";

/** @type {Map<string, RegExp>} */
const made = new Map();

/** Whether a text has a wildcard in it. @param {string} pattern */
export const isGlob = (pattern) => /[*?[]/.test(pattern);

/** Whether a glob fits the whole of a name: `*`, `?`, `[abc]` and `[!abc]`. @param {string} name @param {string} pattern */
export function fits(name, pattern) {
  const known = made.get(pattern) ?? new RegExp(`^${translated(pattern)}$`, "su");
  made.set(pattern, known);
  return known.test(name);
}

/** @param {string} pattern */
function translated(pattern) {
  const found = pattern.match(/\[!?\]?[^\]]*\]|[^]/gu) ?? [];
  return found.map(one).join("");
}

/** @param {string} piece */
function one(piece) {
  if (piece === "*") return ".*";
  if (piece === "?") return ".";
  if (piece.length < 3 || !piece.startsWith("[")) return piece.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const [, not, inside] = /** @type {RegExpExecArray} */ (/^\[(!?)([^]*)\]$/u.exec(piece));
  const kept = inside.replace(/(.)-(.)/gsu, (range, low, high) => (byCharacter(low, high) > 0 ? "" : range));
  if (!kept) return not ? "." : "(?!)";
  return `[${not && "^"}${kept.replace(/[\\^[\]]/g, "\\$&")}]`;
}

/**
 * The names that are written most alike, the best first.
 * @param {string} wrong @param {Iterable<string>} known @param {number} most @param {number} cutoff
 */
export function close(wrong, known, most, cutoff) {
  const scored = [...known].map((name) => ({ name, score: ratio(name, wrong) })).filter((one) => one.score >= cutoff);
  scored.sort((left, right) => right.score - left.score || byCharacter(right.name, left.name));
  return scored.slice(0, most).map((one) => one.name);
}

/** How much of two texts is the same, from 0 to 1: twice the common pieces by both lengths. @param {string} one @param {string} other */
function ratio(one, other) {
  const [left, right] = [[...one], [...other]];
  if (!left.length && !right.length) return 1;
  const bound = (2 * Math.min(left.length, right.length)) / (left.length + right.length);
  return bound < 0.5 ? bound : (2 * common(left, right)) / (left.length + right.length);
}

/** How many characters the longest common piece has, and those before and after it. @param {string[]} one @param {string[]} other @returns {number} */
function common(one, other) {
  let [best, from, to] = [0, 0, 0];
  let before = new Array(other.length + 1).fill(0);
  for (let left = 0; left < one.length; left += 1) {
    const now = new Array(other.length + 1).fill(0);
    for (let right = 0; right < other.length; right += 1) {
      if (one[left] !== other[right]) continue;
      now[right + 1] = before[right] + 1;
      if (now[right + 1] > best) [best, from, to] = [now[right + 1], left - before[right], right - before[right]];
    }
    before = now;
  }
  if (!best) return 0;
  const rest = common(one.slice(0, from), other.slice(0, to));
  return best + rest + common(one.slice(from + best), other.slice(to + best));
}
