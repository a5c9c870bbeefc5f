// Values as people read them in a terminal: JSON broken where it is long, long texts shortened, nothing that acts.

import { NotJson, dumps } from "./json.mjs";
import { utf8 } from "./files.mjs";
import { escaped, isObject, isText, isVisible, piece, size, strip } from "./values.mjs";

/** Where what CI systems take for a command begins: `::error::`, `##[error]`, `##vso[`. */
const COMMAND = /^ ?(?=::)|(?<=#)(?=#[a-z]*\[)/g;
const WIDTH = 110;
/** So many characters of a text are shown. */
const TEXT = 300;
/** So many lines of a value are shown. */
const LINES = 100;
/** What is nested deeper stands on one line. */
const DEEP = 24;
const SHOWN_BYTES = 32;

/** The text with every character that a terminal acts on, or that cannot be seen, written as an escape. @param {string} text */
export function visible(text) {
  if (/^[ -~]*$/.test(text)) return text;
  return [...text].map((one) => (isVisible(one) ? one : escaped(one))).join("");
}

/** The visible text, without a command to the CI system that keeps the log. @param {string} text */
export const inALog = (text) => visible(strip(text)).replace(COMMAND, "\\");

/** A value as lines of JSON; what fits stands on one line. Not `full`: long texts and long values are cut. @param {any} value @param {boolean} full */
export const asJson = (value, full) => some(broken(full ? value : shortened(value), "", ""), full);

/** Bytes as lines of text, where they are UTF-8; else the first of them in hex. @param {Buffer} data @param {boolean} full */
export function asText(data, full) {
  try {
    const shown = utf8(data).replace(/\n$/, "").split("\n").map((line) => visible(line.replace(/\r+$/, "")));
    return some(shown.map((line) => (full || size(line) <= TEXT ? line : `${piece(line, 0, TEXT)}…`)), full);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    const hex = (data.subarray(0, SHOWN_BYTES).toString("hex").match(/../g) ?? []).join(" ");
    return [data.length > SHOWN_BYTES ? `${hex} …` : hex];
  }
}

/** All lines, or so many and how many are missing. @param {string[]} listed @param {boolean} full */
function some(listed, full) {
  const more = listed.length - LINES;
  if (full || more <= 0) return listed;
  return [...listed.slice(0, LINES), `… (${more.toLocaleString("en-US")} more lines: --full shows them)`];
}

/** The value with its long texts cut. @param {any} value @returns {any} */
function shortened(value) {
  if (isText(value)) {
    const count = size(value);
    return count <= TEXT ? value : `${piece(value, 0, TEXT)}… (${count.toLocaleString("en-US")} characters)`;
  }
  if (isObject(value)) return new Map([...value].map(([name, member]) => [name, shortened(member)]));
  return Array.isArray(value) ? value.map(shortened) : value;
}

/** The lines of a value, the first of them after `before`, which is indented already. @param {any} value @param {string} before @param {string} indent @returns {string[]} */
function broken(value, before, indent) {
  const line = before + visible(dumps(value));
  const isSimple = Array.isArray(value) ? !value.length : !isObject(value) || !value.size;
  if (isSimple || size(line) <= WIDTH || indent.length >= 2 * DEEP) return [line];
  const inner = `${indent}  `;
  const [open, close] = isObject(value) ? "{}" : "[]";
  /** @type {[string, any][]} */
  const items = isObject(value)
    ? [...value].map(([name, member]) => [`${dumps(name)}: `, member])
    : value.map((/** @type {any} */ one) => ["", one]);
  const lines = items.flatMap(([name, member], /** @type {number} */ index) => {
    const each = broken(member, inner + visible(name), inner);
    return index < items.length - 1 ? [...each.slice(0, -1), `${each.at(-1)},`] : each;
  });
  return [before + open, ...lines, indent + close];
}
