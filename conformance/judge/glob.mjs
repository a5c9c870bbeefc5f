// Names that are sought: by a glob, or by what was most likely intended.

import { byCharacter } from "./values.mjs";

/** Whether a text has a wildcard in it. @param {string} pattern */
export const isGlob = (pattern) => /[*?[]/.test(pattern);

/** What one character may be; `*` where any number of any characters may be. @typedef {"*" | ((one: string) => boolean)} Token */

/** @type {Map<string, Token[]>} */
const read = new Map();

/** Whether a glob fits the whole of a name: `*`, `?`, `[abc]` and `[!abc]`. @param {string} name @param {string} pattern */
export function fits(name, pattern) {
  const tokens = read.get(pattern) ?? tokensOf([...pattern]);
  read.set(pattern, tokens);
  const characters = [...name];
  let [place, at] = [0, 0];
  let [star, begun] = [-1, 0]; // where the last `*` stands, and up to where it reaches: no earlier one has to reach further
  while (place < characters.length) {
    const token = tokens[at];
    if (token === "*") {
      [star, begun] = [at, place];
      at += 1;
    } else if (token !== undefined && token(characters[place])) {
      place += 1;
      at += 1;
    } else if (star >= 0) {
      begun += 1;
      [place, at] = [begun, star + 1];
    } else {
      return false;
    }
  }
  return tokens.slice(at).every((token) => token === "*");
}

/** @param {string[]} pattern @returns {Token[]} */
function tokensOf(pattern) {
  /** @type {Token[]} */
  const tokens = [];
  for (let place = 0; place < pattern.length; place += 1) {
    const one = pattern[place];
    const first = place + (pattern[place + 1] === "!" ? 2 : 1);
    const end = one === "[" ? pattern.indexOf("]", first + 1) : -1; // a `]` that comes first is one of the characters
    if (end >= 0) {
      tokens.push(among(pattern.slice(place + 1, end)));
      place = end;
    } else {
      tokens.push(one === "*" ? one : one === "?" ? () => true : (character) => character === one);
    }
  }
  return tokens;
}

/** Whether a character is among these: `a-z` are all from `a` to `z`, and after `!` all others. @param {string[]} listed */
function among(listed) {
  /** @type {string[][]} */
  let ranges = [];
  for (let place = 0; place < listed.length; place += 1) {
    const isRange = listed[place + 1] === "-" && place + 2 < listed.length && (place > 0 || listed[0] !== "!");
    ranges.push(isRange ? [listed[place], listed[place + 2]] : [listed[place]]);
    if (isRange) place += 2;
  }
  ranges = ranges.filter(([low, high = low]) => byCharacter(low, high) <= 0);
  const isOther = ranges[0]?.[0] === "!"; // also where that comes first because a range before it has nothing in it
  if (isOther) ranges.splice(0, 1, ...ranges[0].slice(1).flatMap((high) => [["-"], [high]]));
  const isIn = (/** @type {string} */ one) =>
    ranges.some(([low, high = low]) => byCharacter(low, one) <= 0 && byCharacter(one, high) <= 0);
  return (/** @type {string} */ one) => isIn(one) !== isOther;
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
