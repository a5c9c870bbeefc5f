// A run as JSON, JUnit XML, Markdown and a badge, and as a terminal shows it: byte for byte what the judge in Python writes.

import { LEVELS, PROTOCOL, TIERS, VERSION } from "./cases.mjs";
import { dumps } from "./json.mjs";
import { needsAttention } from "./run.mjs";
import { inALog, visible } from "./show.mjs";
import { byCharacter, object, partition, piece, words } from "./values.mjs";

/** @typedef {import("./run.mjs").Report} Report */
/** @typedef {import("./run.mjs").Result} Result */

const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const MARKDOWN_ROWS = 200;
const CELL = 600;

/** @param {Map<string, number>} counts */
const whole = (counts) => new Map([...counts].map(([name, count]) => [name, BigInt(count)]));

/** @param {string[]} names @param {(name: string) => any} member */
const each = (names, member) => new Map(names.map((name) => [name, member(name)]));

/** The whole report; `report.schema.json` describes it. @param {Report} report */
export function asJson(report) {
  const who = report.implementation;
  const document = object({
    suite: VERSION,
    protocol: BigInt(PROTOCOL),
    specs: [...new Set(report.results.map((one) => one.case.spec))].sort(byCharacter),
    implementation: new Map([...object({ name: who.name, version: who.version, language: who.language }), ...who.more]),
    ops: [...who.ops].sort(byCharacter),
    strict: report.strict,
    ok: report.ok,
    counts: each(LEVELS, (level) => whole(report.counts(level))),
    tiers: each(TIERS, (tier) => each(LEVELS, (level) => whole(report.counts(level, tier)))),
    stale_expected_failures: report.stale,
    unknown_ops: report.unknownOps,
    results: report.results.map(member),
  });
  return `${dumps(document, { indent: 2 })}\n`;
}

/** One case in the JSON report. @param {Result} result */
function member(result) {
  const { id, op, level, tier, section } = result.case;
  const { outcome, breaks, detail } = result;
  const seconds = Number(result.seconds.toFixed(6));
  return object({ id, op, level, tier, section, outcome, breaks, detail, placeholders: BigInt(result.placeholders), seconds });
}

/** JUnit XML, one test case a case that was asked, for the pages that continuous integration shows. @param {Report} report */
export function junit(report) {
  const results = report.results.filter((one) => report.wasAsked(one));
  const count = (/** @type {(one: Result) => boolean} */ test) => results.filter(test).length;
  const seconds = results.reduce((sum, one) => sum + one.seconds, 0);
  const failures = count((one) => one.breaks && one.outcome !== "error");
  const errors = count((one) => one.breaks && one.outcome === "error");
  const skipped = count((one) => one.outcome !== "pass" && !one.breaks);
  const undeclared = report.results.length - results.length;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="mentionable-conformance" tests="${results.length}" failures="${failures}" errors="${errors}" ` +
      `skipped="${skipped}" time="${seconds.toFixed(3)}">`,
    `  <properties><property name="undeclared" value="${undeclared}"/></properties>`,
    ...results.map(testcase),
    "</testsuite>",
  ];
  return `${lines.join("\n")}\n`;
}

/** One case in the JUnit report. @param {Result} result */
function testcase(result) {
  const { level, tier, section, why, id } = result.case;
  const [area, , name] = partition(id, "/");
  const head = `  <testcase classname=${attribute(area)} name=${attribute(name)} time=${attribute(result.seconds.toFixed(3))}`;
  if (result.outcome === "pass") return `${head}/>`;
  const kind = !result.breaks ? "skipped" : result.outcome === "error" ? "error" : "failure";
  const note = xml(`${result.outcome} (${level}, ${tier}, ${section}): ${result.detail}`);
  return `${head}><${kind} message=${attribute(note)}>${escape(xml(why))}</${kind}></testcase>`;
}

/** A summary for people: counts by tier and level, then what needs attention. @param {Report} report */
export function markdown(report) {
  const lines = [
    `# ${code(report.implementation.title)}: ${report.ok ? "conformant" : "not conformant"}`,
    "",
    `Suite ${VERSION}, ${report.judged} of ${report.results.length} cases judged.`,
    "",
    "| tier | level | pass | fail | error | expected failure | unexpected pass | skipped |",
    "|---|---|---|---|---|---|---|---|",
  ];
  for (const tier of TIERS) {
    for (const level of LEVELS) {
      const counts = [...report.counts(level, tier).values()];
      if (counts.some(Boolean)) lines.push(`| ${tier} | ${level} | ${counts.join(" | ")} |`);
    }
  }
  const open = report.results.filter((one) => one.outcome !== "pass" && one.outcome !== "skip");
  if (open.length) lines.push("", "| case | level | tier | section | outcome | detail |", "|---|---|---|---|---|---|");
  lines.push(...open.slice(0, MARKDOWN_ROWS).map(row));
  if (open.length > MARKDOWN_ROWS) lines.push("", `… and ${open.length - MARKDOWN_ROWS} more.`);
  if (report.stale.length) lines.push("", `Expected failures that name no case: ${report.stale.map(code).join(", ")}`);
  if (report.unknownOps.length) {
    lines.push("", `Declared, but unknown to the suite: ${report.unknownOps.map(code).join(", ")}`);
  }
  return `${lines.join("\n")}\n`;
}

/** @param {Result} result */
function row({ case: { id, level, tier, section }, outcome, detail }) {
  return `| ${code(id)} | ${level} | ${tier} | ${code(section)} | ${outcome} | ${code(detail)} |`;
}

/**
 * A badge for an endpoint, such as `v0.1 published 412/412, project 80/81`: the MUST cases of each tier. Where none was
 * judged, it is grey. @param {Report} report
 */
export function badge(report) {
  const scores = TIERS.map((tier) => {
    const counts = report.counts("MUST", tier);
    const of = (/** @type {string} */ outcome) => counts.get(outcome) ?? 0;
    const judged = [...counts.values()].reduce((sum, one) => sum + one, 0) - of("skip");
    return { tier, judged, passed: of("pass") + of("xpass") };
  });
  const all = scores.every((one) => one.passed === one.judged);
  const color = !report.ok ? "red" : all ? "brightgreen" : "yellow";
  const shown = scores.filter((one) => one.judged).map((one) => `${one.tier} ${one.passed}/${one.judged}`);
  const [message, tint] = shown.length ? [`v0.1 ${shown.join(", ")}`, color] : ["v0.1 no MUST case", "lightgrey"];
  return `${dumps(object({ schemaVersion: 1n, label: "mentionable", message, color: tint }), { ascii: true })}\n`;
}

/** What a terminal shows: every case that needs attention, then one line of counts. @param {Report} report */
export function summary(report) {
  const lines = report.results.filter(needsAttention).map(({ case: one, outcome, detail }) => {
    return `${outcome.toUpperCase().padEnd(5)} ${one.level.padEnd(6)} ${one.tier.padEnd(9)} ${visible(one.id)}: ${inALog(detail)}`;
  });
  lines.push(...report.stale.map((pattern) => `STALE expected failure ${inALog(pattern)}: names no case`));
  const counts = [...report.counts()].filter(([, count]) => count).map(([outcome, count]) => `${count} ${outcome}`);
  lines.push(`${inALog(report.implementation.title)}: ${report.ok ? "ok" : "FAILED"} (${counts.join(", ")})`);
  return lines.join("\n");
}

/** Text without the characters XML cannot hold. @param {string} text */
const xml = (text) => text.replace(NOT_XML, "\ufffd");

/** @param {string} text */
const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The text as the value of an attribute, in its quotes. @param {string} text */
function attribute(text) {
  const shown = escape(text).replaceAll("\n", "&#10;").replaceAll("\r", "&#13;").replaceAll("\t", "&#9;");
  if (!shown.includes('"')) return `"${shown}"`;
  return shown.includes("'") ? `"${shown.replaceAll('"', "&quot;")}"` : `'${shown}'`;
}

/** Text in which nothing acts, no link, image, mention or bar of a table: as code. Nothing, where there is none. @param {string} text */
function code(text) {
  const cell = piece(visible(words(text).join(" ")), 0, CELL).replaceAll("`", "'").replaceAll("|", "\u00a6");
  return cell ? `\`${cell}\`` : "";
}
