// The manifest: every case with its file and a digest of its meaning. A checkout has no `manifest.json`; the packages
// have one, and `npm pack` makes theirs with this program: `node manifest.mjs write`, afterwards `remove`.

import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

import { casesIn } from "./cases.mjs";

const PROTOCOL = 1;
const NUMBER = "$number";

/** The manifest of the suite in the folder `root`, computed from its files. */
export function manifestOf(root) {
  const cases = [...casesIn(root, parseExactly)].sort((one, other) => byCodePoint(one.id, other.id));
  const distinct = (name) => [...new Set(cases.map((one) => one[name]))].sort(byCodePoint);
  return {
    suite: JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version,
    protocol: PROTOCOL,
    specs: distinct("spec"),
    documents: cited(cases, JSON.parse(readFileSync(join(root, "documents.json"), "utf8")).documents),
    ops: distinct("op"),
    count: cases.length,
    cases: Object.fromEntries(
      cases.map(({ id, file, level, tier, ...rest }) => [id, { file, level, tier, sha256: digest({ id, level, ...rest }) }]),
    ),
  };
}

/** The same as the text of `manifest.json`. */
export const manifestText = (root) => `${JSON.stringify(manifestOf(root), null, 1)}\n`;

/** SHA-256 over what a case means; `why`, `section`, `tier` and `flags` are not part of it. */
function digest({ id, spec, op, level, given, input, expect }) {
  return createHash("sha256").update(sortedText([id, spec, op, level, given, input, expect])).digest("hex");
}

/** The documents that the sections of these cases are of, each with how many of them. */
function cited(cases, documents) {
  const counts = new Map();
  for (const { section } of cases) {
    const word = section.split(" ")[0];
    const label = /^R\d+$/.test(word) ? "R" : word; // rulings are written together: `R13`
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return documents.filter((one) => counts.has(one.label)).map((one) => ({ ...one, cases: counts.get(one.label) }));
}

/** JSON in which each number is `{[NUMBER]: its text}`, since a double would not keep 1.0 or 2 ** 53 + 1. */
function parseExactly(text) {
  if (text.includes(NUMBER)) throw new Error(`a case holds ${NUMBER}, which stands for a number here`);
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : JSON.stringify({ [NUMBER]: token }),
  );
  return JSON.parse(marked);
}

/** ASCII JSON with sorted members and without blanks: the text that is hashed. */
function sortedText(value) {
  if (typeof value === "string") return asciiText(value);
  if (Array.isArray(value)) return `[${value.map(sortedText).join(",")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  if (NUMBER in value) return numberText(value[NUMBER]);
  const names = Object.keys(value).sort(byCodePoint);
  return `{${names.map((name) => `${asciiText(name)}:${sortedText(value[name])}`).join(",")}}`;
}

const asciiText = (text) =>
  JSON.stringify(text).replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A whole number with all its digits; any other as Python writes a float: 1.0, 1e-05, 1e+16. */
function numberText(text) {
  if (!/[.eE]/.test(text)) return BigInt(text).toString();
  const number = Number(text);
  if (!Number.isFinite(number)) return String(number);
  if (number === 0) return Object.is(number, -0) ? "-0.0" : "0.0";
  const [digits, exponent] = number.toExponential().split("e");
  if (exponent >= -4 && exponent < 16) return Number.isInteger(number) ? `${number}.0` : String(number);
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

/** The order of Unicode code points, in which Python sorts. That of UTF-16 differs beyond U+FFFF. */
function byCodePoint(one, other) {
  const [left, right] = [[...one], [...other]];
  const place = left.findIndex((character, index) => character !== right[index]);
  if (place < 0) return left.length - right.length;
  return place < right.length ? left[place].codePointAt(0) - right[place].codePointAt(0) : 1;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(argv[1]);
  const path = join(root, "manifest.json");
  if (argv[2] === "write") writeFileSync(path, manifestText(root));
  else if (argv[2] === "remove") rmSync(path, { force: true });
  else throw new Error("usage: node manifest.mjs write|remove");
}
