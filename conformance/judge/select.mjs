// Choosing cases on the command line: by id, by operation, by level, by tier.

import { CaseError, LEVELS, TIERS } from "./cases.mjs";
import { close, fits, isGlob } from "./glob.mjs";

/** @typedef {import("./cases.mjs").Case} Case */

const NEAR = 5;

/** Those of the cases that were asked for. @param {Case[]} every @param {{k: string[], op: string[], level: string[], tier: string[]}} asked */
export function selected(every, asked) {
  const chosen = every.filter(
    (one) =>
      (!asked.level.length || asked.level.includes(one.level)) &&
      (!asked.tier.length || asked.tier.includes(one.tier)) &&
      (!asked.op.length || asked.op.some((pattern) => fits(one.op, pattern))) &&
      (!asked.k.length || asked.k.some((pattern) => (isGlob(pattern) ? fits(one.id, pattern) : one.id.includes(pattern)))),
  );
  if (!chosen.length) throw new CaseError("no case matches");
  return chosen;
}

/** How many cases, levels, tiers, operations and areas these are, in one line. @param {Case[]} chosen */
export function counted(chosen) {
  /** @param {"level" | "tier"} name @param {string[]} all */
  const kinds = (name, all) => {
    const counts = all.map((one) => `${grouped(chosen.filter((each) => each[name] === one).length)} ${one}`);
    return counts.filter((one) => !one.startsWith("0 ")).map((one) => one.replaceAll(",", "")).join(", ");
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
  return holding.length ? holding : close([...wrong].slice(0, 200).join(""), ids, NEAR, 0.5);
}
