// A case as people read it: what it is for, what goes in, what must come out, and what a harness makes of it.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { CaseError, givenIn, readJson, root } from "./cases.mjs";
import { hasOpenCode } from "./compare.mjs";
import { source } from "./documents.mjs";
import { fits } from "./glob.mjs";
import { run } from "./run.mjs";
import { grouped, nearest } from "./select.mjs";
import { asJson, asText, inALog, visible } from "./show.mjs";
import { isObject, repr, size, words } from "./values.mjs";

/** @typedef {import("./cases.mjs").Case} Case */
/** @typedef {import("./run.mjs").Harness} Harness */

const WIDTH = 110;
const NAMES = 11;
const ID = 200;
/** @type {{[member: string]: string}} */
const HEADINGS = {
  messages: "These messages must come out",
  value: "This value must come out",
  facts: "Of what comes out these facts must hold",
  bytes: "These bytes must come out",
  rejected: "It must be refused with this code",
  any_of: "One of these must come out",
  verdict: "With this verdict",
  candidate: "With this receipt for a policy",
  diagnostics: "With these diagnostics, in any order",
  must_not_ask: "None of this may be asked",
  max_asks: "So many questions may go to the network",
};
const OPEN_CODE = "It must be refused; the code is the implementation's own";

/** The case of an id. Without one it is said which were most likely intended, or why the case was withdrawn. @param {string} id @param {Case[]} every */
export function caseNamed(id, every) {
  const found = every.find((one) => one.id === id);
  if (found) return found;
  const withdrawn = readJson(join(root, "withdrawn.json")).get("withdrawn");
  if (withdrawn.has(id)) throw new CaseError(`${id} was withdrawn: ${withdrawn.get(id)}`);
  const near = nearest(id, every.map((one) => one.id));
  const names = near.length ? `; did you mean${near.map((one) => `\n  ${one}`).join("")}` : "";
  throw new CaseError(`no case has the id ${repr(visible([...id].slice(0, ID).join("")))}${names}`);
}

/** All that there is to know about a case. Long texts and files are cut unless it is to be `full`. @param {Case} one @param {boolean} full */
export function explained(one, full) {
  /** @type {Map<string, any>} */
  const raw = readJson(one.path).get("cases").find((/** @type {Map<string, any>} */ each) => each.get("id") === one.id);
  const expected = Object.entries(HEADINGS).filter(([name]) => raw.has(name));
  const blocks = [
    head(one),
    block("Given", asJson(givenIn(raw), full)),
    block("Input", asJson(raw.get("input"), full)),
    ...files(raw, dirname(one.path), full),
    ...expected.map(([name, heading]) => member(name, heading, raw.get(name), full)),
    ...requirements(one),
  ];
  return blocks.join("\n\n");
}

/** One member of what is expected. @param {string} name @param {string} heading @param {any} want @param {boolean} full */
const member = (name, heading, want, full) =>
  name === "rejected" && hasOpenCode(want) ? OPEN_CODE : block(heading, asJson(want, full));

/** What the document says, where that implies the case. @param {Map<string, any> | undefined} said @param {string} id @returns {string[]} */
function sentence(said, id) {
  if (!said?.get("implies").some((/** @type {string} */ pattern) => fits(id, pattern))) return [];
  return wrapped(visible(`The document, at ${said.get("at")}: ${said.get("says")}`), WIDTH - 4, "  ");
}

/** @param {Case} one */
function head(one) {
  const where = source(one.section);
  const rows = [
    ["section", where.title === one.section ? one.section : `${one.section}: ${where.title}`],
    ["", where.url],
    ["", where.text],
    ["level", one.level],
    ["tier", one.tier],
    ["why", one.why],
    ["flags", one.flags.join(", ")],
    ["operation", one.op],
    ["file", one.file],
  ];
  const lines = rows.flatMap(([name, text]) => (text ? wrapped(visible(text), WIDTH, `  ${String(name).padEnd(NAMES)}`) : []));
  return [one.id, ...lines].join("\n");
}

/** A text in lines of a width, the first of them after `first`, the others below it. @param {string} text @param {number} width @param {string} first */
function wrapped(text, width, first) {
  const indent = " ".repeat(first.length);
  const lines = [];
  let line = first;
  let isEmpty = true;
  for (const word of words(text)) {
    if (!isEmpty && size(line) + 1 + size(word) > width) {
      lines.push(line);
      [line, isEmpty] = [indent, true];
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return isEmpty ? lines : [...lines, line];
}

/** @param {string} heading @param {string[]} lines */
const block = (heading, lines) => [heading, ...lines.map((line) => `  ${line}`)].join("\n");

/** Each file that the case names, with its size and what it holds. @param {any} raw @param {string} folder @param {boolean} full */
function files(raw, folder, full) {
  return [...new Set(named(raw))].map((name) => {
    const data = readFileSync(join(folder, name));
    return block(`File ${name} (${grouped(data.length)} bytes)`, asText(data, full).map((line) => `| ${line}`));
  });
}

/** The names of all files in a value. @param {any} value @returns {string[]} */
function named(value) {
  if (isObject(value)) return value.size === 1 && value.has("$file") ? [value.get("$file")] : [...value.values()].flatMap(named);
  return Array.isArray(value) ? value.flatMap(named) : [];
}

/** The demands that the case serves, by the patterns of `requirements.json`. @param {Case} one */
function requirements(one) {
  /** @type {Map<string, any>[]} */
  const listed = readJson(join(root, "requirements.json")).get("requirements");
  const serves = listed.filter((each) => each.get("cases").some((/** @type {string} */ pattern) => fits(one.id, pattern)));
  const lines = serves.flatMap((each) => [
    `${each.get("id")} (${each.get("level")}, ${each.get("section")})`,
    ...wrapped(visible(each.get("demand")), WIDTH - 4, "  "),
    ...sentence(each.get("sentence"), one.id),
  ]);
  return lines.length ? [block("It serves", lines)] : [];
}

/**
 * What a harness answers to a case and what is wrong with that, as `run` says it; and the result.
 * @param {Case} one @param {Harness} harness @param {boolean} full
 */
export async function tried(one, harness, full) {
  /** @type {Map<string, any> | null} */
  let answer = null;
  const report = await run([one], {
    start: () => harness.start(),
    stop: () => harness.stop(),
    perform: async (seq, asked) => (answer = await harness.perform(seq, asked)),
  });
  const [result] = report.results;
  const blocks = [];
  if (answer !== null) {
    const members = [.../** @type {Map<string, any>} */ (answer)].filter(([name]) => name !== "seq");
    blocks.push(block(`${inALog(report.implementation.title)} answers`, asJson(new Map(members), full)));
  }
  const detail = result.detail ? `: ${inALog(result.detail)}` : "";
  return /** @type {const} */ ([[...blocks, `${result.outcome.toUpperCase()}${detail}`].join("\n\n"), result]);
}
