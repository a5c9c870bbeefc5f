// Choosing cases on the command line: by id, by operation, by level, by tier.

import { CaseError, LEVELS, TIERS } from "./cases.mjs";
import { close, fits, isGlob } from "./glob.mjs";
import { inALog } from "./show.mjs";
import { piece } from "./values.mjs";

/** @typedef {import("./cases.mjs").Case} Case */

const NEAR = 5;
/** So many characters of a name are compared with names that are known. */
const MAX_CHARACTERS = 100;
/** How alike a name is at least to one that is suggested. */
const MIN_RATIO = 0.6;
/** How alike ids are at least where several are suggested. */
const MIN_RATIO_OF_SEVERAL = 0.5;

/** @typedef {{[name: string]: any, k: string[], op: string[], level: string[], tier: string[]}} Asked */
/** @type {{[option: string]: (one: Case, word: string) => boolean}} */
const FITS = {
  "--level": (one, word) => one.level === word,
  "--tier": (one, word) => one.tier === word,
  "--op": (one, word) => fits(one.op, word),
  "-k": (one, word) => (isGlob(word) ? fits(one.id, word) : one.id.includes(word)),
};

/** Those of the cases that were asked for. @param {Case[]} every @param {Asked} asked */
export function selected(every, asked) {
  for (const [option, test] of Object.entries(FITS)) {
    const wrong = wordsOf(asked, option).find((word) => !every.some((one) => test(one, word)));
    if (wrong !== undefined) throw new CaseError(`${option} ${inALog(wrong)} fits no case${meant(option, wrong, every)}`);
  }
  const chosen = every.filter((one) => isWanted(one, asked));
  if (!chosen.length) throw new CaseError("no case fits all of these options");
  return chosen;
}

/** Whether one word of each option fits a case. @param {Case} one @param {Asked} asked */
function isWanted(one, asked) {
  return Object.entries(FITS).every(([option, test]) => {
    const words = wordsOf(asked, option);
    return !words.length || words.some((word) => test(one, word));
  });
}

/** @param {Asked} asked @param {string} option @returns {string[]} */
const wordsOf = (asked, option) => asked[option.replace(/^-+/, "")];

/** The operation, or the id or beginning of one, that was most likely intended. @param {string} option @param {string} word @param {Case[]} every */
function meant(option, word, every) {
  if (option === "-k") return didYouMean(word, every.flatMap((one) => beginnings(one.id)));
  return option === "--op" ? didYouMean(word, every.map((one) => one.op)) : "";
}

/** An id, and what it begins with: `a`, `a/b`, `a/b/c`. @param {string} id */
const beginnings = (id) => id.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));

/** The name that is written most alike, as the end of a message; nothing where none is. @param {string} wrong @param {string[]} known */
export function didYouMean(wrong, known) {
  const [near] = close(begin(wrong), new Set(known), 1, MIN_RATIO);
  return near ? `; did you mean ${near}?` : "";
}

/** @param {string} name */
const begin = (name) => piece(name, 0, MAX_CHARACTERS);

/** How many cases, levels, tiers, operations and areas these are, in one line. @param {Case[]} chosen */
export function counted(chosen) {
  /** @param {"level" | "tier"} name @param {string[]} all */
  const kinds = (name, all) => {
    const counts = all.map((one) => ({ one, count: chosen.filter((each) => each[name] === one).length }));
    return counts.filter(({ count }) => count).map(({ one, count }) => `${count} ${one}`).join(", ");
  };
  const [ops, areas] = [new Set(chosen.map((one) => one.op)), new Set(chosen.map((one) => one.area))];
  const levels = `${kinds("level", LEVELS)}; ${kinds("tier", TIERS)}`;
  return `${many(chosen.length, "case")} (${levels}) of ${many(ops.size, "operation")} in ${many(areas.size, "area")}`;
}

/** A number with commas. @param {number} count */
export const grouped = (count) => count.toLocaleString("en-US");

/** @param {number} count @param {string} what */
const many = (count, what) => `${grouped(count)} ${what}${count === 1 ? "" : "s"}`;

/** The ids that were most likely intended: those that hold the text, then those that are written alike. @param {string} wrong @param {Iterable<string>} known */
export function nearest(wrong, known) {
  const ids = [...known];
  const holding = ids.filter((one) => wrong && one.includes(wrong)).slice(0, NEAR);
  return holding.length ? holding : close(begin(wrong), ids, NEAR, MIN_RATIO_OF_SEVERAL);
}
