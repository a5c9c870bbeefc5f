// The words of the command line, read.

import { LEVELS, TIERS } from "./cases.mjs";
import { inALog } from "./show.mjs";

/** What was asked cannot be meant. */
export class UsageError extends Error {}

/**
 * @typedef {{do: string, help: string, command: string[], id: string, k: string[], op: string[], level: string[], tier: string[],
 *   cases: string | null, strict: boolean, validate: boolean, full: boolean, fix: boolean, timeout: number,
 *   expectedFailures: string | null, reports: Map<string, any>}} Options
 */

const MAX_SECONDS = 3600;
const CHOOSING = ["-k", "--op", "--level", "--tier", "--cases"];
const TALKING = ["--validate", "--timeout"];
const REPORTS = ["--junit", "--json", "--markdown", "--badge", "--html"];
const PATHS = [...REPORTS, "--cases", "--expected-failures"];
/** @type {{[command: string]: string[]}} */
const TAKES = {
  run: [...CHOOSING, ...TALKING, ...REPORTS, "--strict", "--expected-failures", "--fix"],
  list: CHOOSING,
  explain: ["--cases", "--full", ...TALKING],
};
const FLAGS = new Set(["--validate", "--strict", "--fix", "--full"]);
const HELP = `usage: mentionable-conformance run [options] -- command of the harness
       mentionable-conformance list [options]
       mentionable-conformance explain ID [options] [-- command of the harness]

Judge an implementation of Mentionable.

choosing cases; all but the last may stand more than once:
  -k ID                      only ids that this fits: a glob, or a part of an id
  --op OP                    only cases of this operation, or of those that a glob fits
  --level LEVEL              only cases of this level: MUST, SHOULD or MAY
  --tier TIER                only cases of this tier: published, project or hardening
  --cases DIR                cases from here instead of the suite's own
run:
  --strict                   a failing SHOULD fails the run too
  --validate                 check cases and every line against the schemas
  --timeout SECONDS          for each case (10)
  --expected-failures FILE   ids known to fail, each with \`# why\`
  --fix                      rewrite the file of expected failures
  --json FILE, --junit FILE, --markdown FILE, --html FILE, --badge FILE
                             write a report
explain:
  --full                     show long texts and files as a whole
--version                    print the version of the suite`;

/** What the words ask for. @param {string[]} words @returns {Options} */
export function options(words) {
  const place = words.includes("--") ? words.indexOf("--") : words.length;
  const [name, ...given] = words.slice(0, place);
  const asked = nothing(words.slice(place + 1));
  if (name === "--version") return { ...asked, do: "version" };
  if (name === "--help" || name === "-h" || given.includes("--help") || given.includes("-h")) return { ...asked, do: "help" };
  if (!Object.hasOwn(TAKES, name ?? "")) throw new UsageError(`a command is needed: ${either(Object.keys(TAKES))}`);
  asked.do = name;
  const rest = taken(asked, TAKES[name], given);
  const takesCommand = name !== "list";
  if (name === "explain" && rest.length) asked.id = /** @type {string} */ (rest.shift());
  if (name === "explain" && !asked.id) throw new UsageError("the following arguments are required: ID");
  if (rest.length && takesCommand && !rest[0].startsWith("-")) {
    throw new UsageError(`put the harness command after --: ${name} … -- ${rest.join(" ")}`);
  }
  if (rest.length || (asked.command.length && !takesCommand)) {
    throw new UsageError(`unrecognized arguments: ${(rest.length ? rest : asked.command).join(" ")}`);
  }
  const isNamed = Boolean(asked.command[0]);
  if (place < words.length && !isNamed) throw new UsageError("no harness command stands after --");
  if (asked.fix && asked.expectedFailures === null) throw new UsageError("--fix needs --expected-failures FILE");
  if (name === "run" && !isNamed) throw new UsageError("put the harness command after --: run … -- COMMAND");
  return asked;
}

/** @param {string[]} command @returns {Options} */
function nothing(command) {
  const chosen = { k: [], op: [], level: [], tier: [], cases: null };
  const flags = { strict: false, validate: false, full: false, fix: false };
  return { do: "", help: HELP, command, id: "", ...chosen, ...flags, timeout: 10, expectedFailures: null, reports: new Map() };
}

/** Fill in what the options say; what is none of them is left. @param {Options} asked @param {string[]} known @param {string[]} words */
function taken(asked, known, words) {
  const left = [];
  const queue = [...words];
  while (queue.length) {
    const word = /** @type {string} */ (queue.shift());
    const [name, inside] = split(word);
    if (!known.includes(name)) {
      left.push(word);
    } else if (FLAGS.has(name)) {
      if (inside !== null) throw new UsageError(`argument ${name}: ignored explicit argument '${inside}'`);
      set(asked, name, "");
    } else {
      const value = inside ?? queue.shift();
      if (value === undefined || (inside === null && /^-[^ ]/.test(value))) {
        throw new UsageError(`argument ${name}: expected one argument`);
      }
      set(asked, name, value);
    }
  }
  return left;
}

/** An option and the value that is written with it: `--op=x`, `-kx`. @param {string} word @returns {[string, string | null]} */
function split(word) {
  if (/^-k./.test(word)) return ["-k", word.slice(2).replace(/^=/, "")];
  const place = word.startsWith("--") ? word.indexOf("=") : -1;
  return place < 0 ? [word, null] : [word.slice(0, place), word.slice(place + 1)];
}

/** @param {Options} asked @param {string} name @param {string} value */
function set(asked, name, value) {
  if (PATHS.includes(name) && !value) throw new UsageError(`argument ${name}: must not be empty`);
  if (REPORTS.includes(name)) asked.reports.set(name.slice(2), value);
  else if (name === "-k") asked.k.push(value);
  else if (name === "--op") asked.op.push(value);
  else if (name === "--level") asked.level.push(oneOf(LEVELS, name, value, value.toUpperCase()));
  else if (name === "--tier") asked.tier.push(oneOf(TIERS, name, value, value.toLowerCase()));
  else if (name === "--cases") asked.cases = value;
  else if (name === "--expected-failures") asked.expectedFailures = value;
  else if (name === "--timeout") asked.timeout = seconds(value);
  else if (name === "--validate") asked.validate = true;
  else if (name === "--strict") asked.strict = true;
  else if (name === "--full") asked.full = true;
  else asked.fix = true;
}

/** @param {string[]} known @param {string} name @param {string} value @param {string} word */
function oneOf(known, name, value, word) {
  if (known.includes(word)) return word;
  throw new UsageError(`argument ${name}: must be ${either(known)}, not ${inALog(value)}`);
}

/** These names as a choice: `a, b or c`. @param {string[]} names */
const either = (names) => `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;

/** A positive number of seconds. @param {string} text */
function seconds(text) {
  const value = /^[0-9]*\.?[0-9]+$/.test(text) ? Number(text) : 0;
  if (value > 0 && value <= MAX_SECONDS) return value;
  throw new UsageError(`argument --timeout: must be more than 0 and at most ${MAX_SECONDS}`);
}
