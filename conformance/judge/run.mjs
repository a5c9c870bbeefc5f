// Running cases through a harness, and what the outcome of each means for the whole.

import { judge, misshapen, placeholders } from "./compare.mjs";
import { ExpectedFailures } from "./expected.mjs";
import { said } from "./harness.mjs";
import { byCharacter, isObject, object, piece, size, words } from "./values.mjs";

/** @typedef {import("./cases.mjs").Case} Case */
/** @typedef {import("./harness.mjs").Implementation} Implementation */
/** @typedef {{start(): Promise<Implementation>, perform(seq: number, one: Case): Promise<Map<string, any>>, stop(): Promise<void>}} Harness */
/**
 * What became of one case: `pass`, `fail` (another answer), `error` (no answer), `skip`; `xfail` or `xpass` when it was
 * expected to fail. `breaks` says whether it alone makes the run fail.
 * @typedef {{case: Case, outcome: string, detail: string, seconds: number, placeholders: number, breaks: boolean}} Result
 */

const DETAIL = 2000;
const UNJUDGED = "the answer cannot be compared: something in it is of a form that no judge expects";
const OUTCOMES = ["pass", "fail", "error", "xfail", "xpass", "skip"];

/** Whether people should look at it: it breaks the run, or its failure was not expected. @param {Result} result */
export const needsAttention = (result) => result.breaks || result.outcome === "fail" || result.outcome === "error";

/** A whole run. */
export class Report {
  /** @param {{implementation: Implementation, strict: boolean, results: Result[], stale: string[], unknownOps: string[]}} run */
  constructor({ implementation, strict, results, stale, unknownOps }) {
    this.implementation = implementation;
    this.strict = strict;
    this.results = results;
    /** Expected failures that name no case. */
    this.stale = stale;
    /** Operations that the harness declares and no case of the suite uses. */
    this.unknownOps = unknownOps;
  }

  /** Whether a case passed, and everything is as it should be, or as it was expected to be. */
  get ok() {
    return this.passed > 0 && !this.stale.length && !this.results.some((one) => one.breaks);
  }

  /** How many cases passed. */
  get passed() {
    return this.results.filter((one) => one.outcome === "pass" || one.outcome === "xpass").length;
  }

  /** How many cases were not skipped. */
  get judged() {
    return this.results.filter((one) => one.outcome !== "skip").length;
  }

  /** Whether a case was asked: it was not where the harness does not declare its operation. @param {Result} result */
  wasAsked(result) {
    return result.outcome !== "skip" || this.implementation.ops.has(result.case.op);
  }

  /** How many cases came out how, for one level or for all, of one tier or of all. @param {string | null} [level] @param {string | null} [tier] */
  counts(level = null, tier = null) {
    const counts = new Map(OUTCOMES.map((outcome) => [outcome, 0]));
    for (const { case: one, outcome } of this.results) {
      if ((level ?? one.level) === one.level && (tier ?? one.tier) === one.tier) {
        counts.set(outcome, Number(counts.get(outcome)) + 1);
      }
    }
    return counts;
  }
}

/**
 * Judge an implementation. A failing MUST breaks the run, a failing SHOULD only when it is `strict`, a failing MAY never; no
 * answer at all breaks it at every level. `known` are all cases of the suite, when `cases` are only some of them.
 * @param {Case[]} cases @param {Harness} harness
 * @param {{expected?: ExpectedFailures, strict?: boolean, known?: Case[]}} [how]
 */
export async function run(cases, harness, { expected = new ExpectedFailures(), strict = false, known = cases } = {}) {
  const implementation = await harness.start();
  /** @type {Result[]} */
  const results = [];
  try {
    for (const [index, one] of cases.entries()) {
      const before = performance.now();
      const isDeclared = implementation.ops.has(one.op);
      const answer = isDeclared ? await harness.perform(index + 1, one) : undeclared(one.op);
      const seconds = isDeclared ? (performance.now() - before) / 1000 : 0;
      results.push(judged(one, answer, seconds, isDeclared, expected, strict));
    }
  } finally {
    await harness.stop();
  }
  return against({ implementation, strict, results }, expected, known);
}

/**
 * A report that says what none of these cases has: expected failures, and operations of the harness.
 * @param {{implementation: Implementation, strict: boolean, results: Result[]}} run
 * @param {ExpectedFailures} expected @param {Case[]} known
 */
export function against({ implementation, strict, results }, expected, known) {
  const ops = new Set(known.map((one) => one.op));
  return new Report({
    implementation,
    strict,
    results,
    stale: expected.stale(known.map((one) => one.id)),
    unknownOps: [...implementation.ops].filter((op) => !ops.has(op)).sort(byCharacter),
  });
}

/** @param {string} op */
const undeclared = (op) => object({ skipped: object({ why: `${op} is not declared` }) });

/**
 * The outcome of one case.
 * @param {Case} one @param {Map<string, any>} answer @param {number} seconds @param {boolean} isDeclared
 * @param {ExpectedFailures} expected @param {boolean} strict @returns {Result}
 */
function judged(one, answer, seconds, isDeclared, expected, strict) {
  let counts = one.level === "MUST" || (strict && one.level === "SHOULD");
  let [outcome, detail] = found(one, answer, isDeclared, counts);
  if (outcome === "error") counts = true;
  const why = expected.why(one.id);
  if (why !== null && (outcome === "fail" || outcome === "error")) {
    [outcome, counts] = ["xfail", false];
  } else if (why !== null && outcome === "pass") {
    [outcome, counts] = ["xpass", true];
    detail = `expected to fail (${why}), but it passes: take it off the list`;
  }
  const breaks = counts && (outcome === "fail" || outcome === "error" || outcome === "xpass");
  return { case: one, outcome, detail, seconds, placeholders: placeholders(one.expect), breaks };
}

/** What came out, and why, before it is asked what was expected to fail. @param {Case} one @param {Map<string, any>} answer @param {boolean} isDeclared @param {boolean} counts */
function found(one, answer, isDeclared, counts) {
  const shape = misshapen(answer);
  if (shape) return ["fail", shape];
  if (answer.has("errored")) return ["error", sentence(answer.get("errored"), "message")];
  if (answer.has("skipped")) {
    const why = sentence(answer.get("skipped"), "why");
    const mayNot = counts && isDeclared;
    return mayNot ? ["fail", `a ${one.level} case of a declared operation cannot be skipped (${why})`] : ["skip", why];
  }
  const problems = problemsOf(one, answer);
  return problems.length ? ["fail", short(problems.join("; "))] : ["pass", ""];
}

/** What is wrong with an answer. One that a judge is not made for ends no run: the other cases go on. @param {Case} one @param {Map<string, any>} answer */
function problemsOf(one, answer) {
  try {
    return judge(one, answer);
  } catch {
    return [UNJUDGED]; // whatever it is, no answer passes by it
  }
}

/** The sentence inside `errored` or `skipped`, however it was given. @param {any} value @param {string} member */
function sentence(value, member) {
  const inside = isObject(value) && value.has(member) ? value.get(member) : value;
  return short(words(said(inside)).join(" "));
}

/** As much of a detail as reports hold. @param {string} detail */
const short = (detail) => (size(detail) <= DETAIL ? detail : `${piece(detail, 0, DETAIL)}…`);
