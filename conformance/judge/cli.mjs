#!/usr/bin/env node
// The command line: `run`, `list` and `explain`, with the options, the words and the exit statuses of the judge in Python.

import { closeSync, lstatSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import process, { argv, exit, stderr, stdout } from "node:process";

import { options, UsageError } from "./arguments.mjs";
import { CaseError, VERSION, caseFiles, cases, readJson } from "./cases.mjs";
import { ExpectedFailures, ExpectedFailuresError } from "./expected.mjs";
import { caseNamed, explained, tried } from "./explain.mjs";
import { errorText, utf8 } from "./files.mjs";
import { BadHarness, ProcessHarness } from "./harness.mjs";
import { html } from "./html.mjs";
import { asJson, badge, junit, markdown, summary } from "./report.mjs";
import { against, run } from "./run.mjs";
import { problems } from "./schema.mjs";
import { counted, didYouMean, selected } from "./select.mjs";
import { inALog } from "./show.mjs";
import { piece } from "./values.mjs";

/** @typedef {import("./cases.mjs").Case} Case */
/** @typedef {import("./arguments.mjs").Options} Options */
/** @typedef {import("./run.mjs").Report} Report */

const [OK, FAILED, UNUSABLE, INTERRUPTED] = [0, 1, 2, 130];
/** A place in an answer: visible ASCII without `#`, so that no name in an answer writes a line of a list. */
const PLACE = /^(?:messages|value|bytes|rejected|verdict|diagnostics|asks)(?:\/[!"$-9;-~]*)?(?=: )/;
const REASON = 80;
/** @type {{[name: string]: (report: Report) => string}} */
const REPORTS = { junit, json: asJson, markdown, badge, html };

/** Run a command and give its exit status: 0 as it should be, 1 a case is not, 2 none passed or could be judged. @param {string[]} words */
async function main(words) {
  try {
    const asked = options(words);
    if (asked.do === "version") return say(VERSION);
    if (asked.do === "help") return say(asked.help);
    return await COMMANDS[asked.do](asked);
  } catch (error) {
    if (error instanceof UsageError) return complain(`error: ${error.message}`);
    if (error instanceof BadHarness) return complain(inALog(error.message));
    if (error instanceof CaseError || error instanceof ExpectedFailuresError) return complain(error.message);
    const { path, code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === undefined) throw error;
    return complain(`${path ?? "cannot write"}: ${errorText(error)}`);
  }
}

/** @param {string} text */
function complain(text) {
  stderr.write(`mentionable-conformance: ${text}\n`);
  return UNUSABLE;
}

/** @param {string} text */
function say(text) {
  stdout.write(`${text}\n`);
  return OK;
}

/** @param {Options} asked */
async function runCommand(asked) {
  for (const path of asked.reports.values()) clear(path);
  const every = readCases(asked);
  const chosen = selected(every, asked);
  if (asked.validate) checkFiles(chosen);
  const listed = asked.expectedFailures;
  const expected = listed === null ? new ExpectedFailures() : readListed(listed, asked.fix);
  const harness = new ProcessHarness(asked.command, { timeout: asked.timeout, validate: asked.validate });
  let known = every;
  let report = await run(chosen, harness, { expected, strict: asked.strict, known });
  if (asked.cases !== null && (asked.fix || report.stale.length || report.unknownOps.length)) {
    known = [...every, ...cases()]; // read only where it is needed: that takes longer than most runs of own cases
    report = against(report, expected, known);
  }
  for (const [name, path] of asked.reports) writeFileSync(path, REPORTS[name](report));
  say(summary(report));
  warn(report.unknownOps, known.map((one) => one.op));
  if (!report.passed) {
    return complain(report.judged ? "no case passed" : "the harness declares no operation of these cases");
  }
  if (asked.fix && listed !== null) {
    const text = fixed(report, expected, known);
    writeFileSync(listed, text);
    const ids = ExpectedFailures.read(text).size;
    return say(`${listed}: ${ids} id${ids === 1 ? "" : "s"} written; with this list the run passes`);
  }
  return report.ok ? OK : FAILED;
}

/**
 * Remove the report of an earlier run: where nothing can be judged, it would be taken for that of this run. What could not
 * be written is better known before the run than after it. @param {string} path
 */
function clear(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile() && !found.isDirectory()) return; // a pipe or a terminal
  closeSync(openSync(path, "w"));
  if (lstatSync(path).isSymbolicLink()) return;
  try {
    rmSync(path);
  } catch {
    // it is empty at least
  }
}

/** The expected failures in a file. With `fix` it is made where there is none. @param {string} path @param {boolean} fix */
function readListed(path, fix) {
  if (fix) closeSync(openSync(path, "a"));
  let text;
  try {
    text = utf8(readFileSync(path));
  } catch (error) {
    throw new ExpectedFailuresError(`${path}: ${errorText(error)}`);
  }
  return ExpectedFailures.read(text);
}

/** Say which declared operations the suite does not know, and what may have been intended. @param {string[]} unknown @param {string[]} known */
function warn(unknown, known) {
  for (const op of unknown) {
    complain(`warning: the suite has no operation ${inALog(op)}${didYouMean(op, known)}`);
  }
}

/** The file of expected failures as this run would have it. @param {Report} report @param {ExpectedFailures} expected @param {Case[]} known */
function fixed(report, expected, known) {
  const failed = report.results.filter((one) => one.breaks && one.outcome !== "xpass");
  const passed = report.results.filter((one) => one.outcome === "xpass").map((one) => one.case.id);
  const reasons = new Map(failed.map((one) => [one.case.id, reason(one)]));
  return expected.fixed(reasons, passed, known.map((one) => one.id));
}

/** A short reason for the list: where the answer is wrong, without the values, or that there is none. @param {import("./run.mjs").Result} result */
function reason(result) {
  if (result.outcome === "error") return "no answer yet";
  const place = PLACE.exec(result.detail);
  return place ? `wrong at ${piece(place[0], 0, REASON)}` : "wrong answer";
}

/** The cases. Those of others are checked: one with the level `Must` would never fail a run. @param {Options} asked */
function readCases(asked) {
  if (asked.cases !== null) for (const [path, document] of caseFiles(asked.cases)) checkFile(path, document);
  const every = cases(asked.cases);
  if (!every.length) throw new CaseError(`${asked.cases}: no case file`);
  return every;
}

/** Check the files of these cases. @param {Case[]} chosen */
function checkFiles(chosen) {
  for (const path of new Set(chosen.map((one) => one.path))) checkFile(path, readJson(path));
}

/** Check what a file of cases holds against `case.schema.json`. @param {string} path @param {any} document */
function checkFile(path, document) {
  const [wrong] = problems("case", document);
  if (wrong) throw new CaseError(`${path}: ${inALog(wrong)}`);
}

/** @param {Options} asked */
async function listCommand(asked) {
  const chosen = selected(readCases(asked), asked);
  const rows = chosen.map((one) => `${one.level.padEnd(6)} ${one.tier.padEnd(9)} ${one.op.padEnd(24)} ${one.id}`);
  stderr.write(`${counted(chosen)}\n`);
  return say(rows.join("\n"));
}

/** @param {Options} asked */
async function explainCommand(asked) {
  const one = caseNamed(asked.id, readCases(asked));
  if (asked.validate) checkFiles([one]);
  say(explained(one, asked.full));
  if (!asked.command.length) return OK;
  const harness = new ProcessHarness(asked.command, { timeout: asked.timeout, validate: asked.validate });
  const [text, result] = await tried(one, harness, asked.full);
  say(`\n${text}`);
  return result.outcome === "pass" ? OK : result.outcome === "skip" ? UNUSABLE : FAILED;
}

/** @type {{[name: string]: (asked: Options) => Promise<number>}} */
const COMMANDS = { run: runCommand, list: listCommand, explain: explainCommand };

process.once("SIGINT", () => {
  complain("interrupted");
  exit(INTERRUPTED);
});
stdout.on("error", () => {}); // when the reader has gone, as `head` does, the rest is dropped
const status = await main(argv.slice(2));
stdout.write("", () => exit(status));
