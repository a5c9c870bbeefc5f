// A run as one page of HTML: no script, nothing that is fetched, the same bytes for the same outcomes. What a harness says
// is escaped, and the policy of the page allows its one style sheet and nothing else.

import { createHash } from "node:crypto";

import { LEVELS, TIERS, VERSION } from "./cases.mjs";
import { source } from "./documents.mjs";
import { needsAttention } from "./run.mjs";
import { grouped } from "./select.mjs";
import { visible } from "./show.mjs";
import { STYLE } from "./style.mjs";
import { byCharacter } from "./values.mjs";

/** @typedef {import("./run.mjs").Report} Report */
/** @typedef {import("./run.mjs").Result} Result */

/** So many cases that need attention are shown with what is wrong; of more, the ids are. */
const SHOWN = 500;
const PASSED = ["pass", "xpass"];
/** @type {{[outcome: string]: string}} */
const WORDS = {
  fail: "answered wrongly",
  error: "not answered",
  xfail: "expected to fail",
  xpass: "passed against expectation",
  skip: "skipped",
  pass: "passed",
};

/** The page: what needs attention with what is wrong, tiers and areas by levels, and the rest folded by areas. @param {Report} report */
export function html(report) {
  const name = text(report.implementation.title);
  const tiers = new Set(report.results.map((one) => one.case.tier));
  const areas = [...new Set(report.results.map((one) => one.case.area))].sort(byCharacter);
  const quiet = report.results.filter((one) => !needsAttention(one));
  const asked = quiet.filter((one) => report.wasAsked(one));
  const lines = [
    ...head(name),
    ...verdict(report, name),
    ...attention(report.results.filter(needsAttention)),
    ...table(report.results, "tier", TIERS.filter((tier) => tiers.has(tier))),
    ...table(report.results, "area", areas),
    ...["xfail", "pass", "skip"].flatMap((outcome) => folded(asked.filter((one) => one.outcome === outcome), WORDS[outcome])),
    ...undeclared(quiet.filter((one) => !report.wasAsked(one))),
    "</main>",
    "</body>",
    "</html>",
  ];
  return `${lines.join("\n")}\n`;
}

/** @param {string} one */
const escape = (one) =>
  one.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#x27;");

/** Text of others, as text and nothing else. @param {string} one */
const text = (one) => escape(one.split("\n").map(visible).join("\n"));

/** @param {string} name */
function head(name) {
  const digest = createHash("sha256").update(STYLE).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
  return [
    "<!DOCTYPE html>",
    '<html lang="en" xmlns="http://www.w3.org/1999/xhtml">',
    "<head>",
    '<meta charset="utf-8" />',
    `<meta http-equiv="Content-Security-Policy" content="${escape(policy)}" />`,
    '<meta name="viewport" content="width=device-width, initial-scale=1" />',
    '<meta name="referrer" content="no-referrer" />',
    '<meta name="color-scheme" content="light dark" />',
    `<title>${name}: conformance to Mentionable</title>`,
    `<style>${STYLE}</style>`,
    "</head>",
    "<body>",
    "<main>",
  ];
}

/** The heading, and how it went in a few sentences. @param {Report} report @param {string} name */
function verdict(report, name) {
  const [kind, word] = report.ok ? ["good", "✓ conformant"] : ["bad", "✗ not conformant"];
  const counts = [...report.counts()].filter(([, count]) => count);
  const shown = counts.map(([outcome, count]) => `${grouped(count)} ${WORDS[outcome]}`).join(", ");
  const judged = `${grouped(report.judged)} of ${grouped(report.results.length)} cases judged.`;
  const sentences = [
    `Suite ${VERSION}, ${judged}`,
    ...(report.implementation.language ? [`Written in ${text(report.implementation.language)}.`] : []),
    ...(report.strict ? ["A failing SHOULD counts, too."] : []),
    "<code>mentionable-conformance explain ID</code> says what a case is.",
  ];
  return [
    `<h1>${name}: conformance to Mentionable</h1>`,
    `<p><strong class="${kind}">${word}</strong> (${shown}).</p>`,
    `<p class="soft">${sentences.join(" ")} <a href="#tiers">Tiers</a>, <a href="#areas">areas</a></p>`,
    ...(report.stale.length ? [`<p>Expected failures that name no case: ${codes(report.stale)}.</p>`] : []),
    ...(report.unknownOps.length ? [`<p>Declared, but unknown to the suite: ${codes(report.unknownOps)}.</p>`] : []),
  ];
}

/** @param {string[]} texts */
const codes = (texts) => texts.map((one) => `<code>${text(one)}</code>`).join(", ");

/** Every case that failed, those that break the run first. @param {Result[]} results */
function attention(results) {
  if (!results.length) return [];
  const rank = (/** @type {Result} */ one) => Number(!one.breaks) * LEVELS.length + LEVELS.indexOf(one.case.level);
  const ordered = [...results].sort((one, other) => rank(one) - rank(other));
  return [
    `<section aria-labelledby="attention"><h2 id="attention">Needs attention (${grouped(results.length)})</h2>`,
    ...ordered.slice(0, SHOWN).flatMap(article),
    "</section>",
    ...folded(ordered.slice(SHOWN), "more that need attention"),
  ];
}

/** @param {Result} result */
function article(result) {
  const { case: one, outcome, breaks } = result;
  const { title, url } = source(one.section);
  const linked = url ? `<a href="${escape(url)}">${text(title)}</a>` : text(title);
  const counts = breaks ? "" : " It does not fail the run.";
  return [
    `<article id="${text(one.id)}"${breaks ? "" : ' class="mild"'}>`,
    `<h3><code>${text(one.id)}</code></h3>`,
    `<p>${one.level}, ${one.tier}, ${WORDS[outcome]}, in <code>${text(one.op)}</code>.${counts}</p>`,
    `<p>${text(one.why)} <span class="soft">${text(one.section)}: ${linked}</span></p>`,
    `<pre>${text(result.detail)}</pre>`,
    "</article>",
  ];
}

/** Tiers or areas by levels: how many passed of those that were judged. @param {Result[]} results @param {"tier" | "area"} what @param {string[]} names */
function table(results, what, names) {
  const title = what[0].toUpperCase() + what.slice(1);
  const heads = [title, ...LEVELS, "Skipped"].map((name) => `<th scope="col">${name}</th>`).join("");
  const rows = [...names, ""].map((name) => {
    const named = name ? results.filter((one) => one.case[what] === name) : results;
    const judged = named.filter((one) => one.outcome !== "skip");
    const cells = LEVELS.map((level) => cell(judged.filter((one) => one.case.level === level))).join("");
    const [opened, closed] = name ? ["", ""] : ["</tbody><tfoot>", "</tfoot>"];
    const row = `<th scope="row">${text(name) || "All"}</th>${cells}<td>${named.length - judged.length || "–"}</td>`;
    return `${opened}<tr>${row}</tr>${closed}`;
  });
  return [
    `<section aria-labelledby="${what}s"><h2 id="${what}s">${title}s and levels</h2><div class="wide"><table>`,
    `<caption>Passed of judged</caption><thead><tr>${heads}</tr></thead><tbody>`,
    ...rows,
    "</table></div></section>",
  ];
}

/** @param {Result[]} judged */
function cell(judged) {
  if (!judged.length) return "<td>–</td>";
  const passed = judged.filter((one) => PASSED.includes(one.outcome)).length;
  const score = `${grouped(passed)}/${grouped(judged.length)}`;
  return passed === judged.length ? `<td>${score}</td>` : `<td class="bad">${score} ✗</td>`;
}

/** The ids of cases, folded by their areas. @param {Result[]} results @param {string} word */
function folded(results, word) {
  if (!results.length) return [];
  const areas = [...new Set(results.map((one) => one.case.area))].sort(byCharacter);
  const details = areas.map((area) => {
    const ids = results.filter((one) => one.case.area === area).map((one) => one.case.id);
    const items = ids.map((one) => `<li><code>${text(one)}</code></li>`).join("");
    return `<details><summary>${text(area)} (${grouped(ids.length)})</summary><ul>${items}</ul></details>`;
  });
  return [`<section><h2>${word[0].toUpperCase()}${word.slice(1)} (${grouped(results.length)})</h2>`, ...details, "</section>"];
}

/** The operations that the harness does not declare, folded. @param {Result[]} results */
function undeclared(results) {
  if (!results.length) return [];
  /** @type {Map<string, number>} */
  const ops = new Map();
  for (const { case: one } of results) ops.set(one.op, (ops.get(one.op) ?? 0) + 1);
  const sorted = [...ops].sort(([one], [other]) => byCharacter(one, other));
  const items = sorted.map(([op, count]) => `<li><code>${text(op)}</code> (${grouped(count)})</li>`).join("");
  return [
    `<section><h2>Not asked: operations that the harness does not declare (${grouped(results.length)})</h2>`,
    `<details><summary>operations (${grouped(ops.size)})</summary><ul>${items}</ul></details>`,
    "</section>",
  ];
}
