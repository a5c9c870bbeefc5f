// The answer on a line of a harness, or what is wrong with the line.

import { utf8 } from "./files.mjs";
import { NotJson, loads } from "./json.mjs";
import { visible } from "./show.mjs";
import { isObject, piece, size } from "./values.mjs";

/** So many objects and arrays may be nested in each other: what compares them calls itself for each. */
const DEPTH = 500;
/** So many characters of a line are shown. */
const SHOWN = 120;
/** So many bytes has a character in UTF-8 at most. */
const MAX_BYTES = 4;
/** A lone surrogate, as encoders write it that do not check. */
const SURROGATE = /\xed[\xa0-\xbf][\x80-\xbf]/;
const LONE_SURROGATE = "a lone surrogate in a line";
const STDOUT = "stdout is for answers, and debug output belongs on stderr";

/** The conversation with the program cannot go on. */
export class Broken extends Error {}

/** The object on a line. @param {Buffer} line @returns {Map<string, any>} */
export function answerOn(line) {
  const [answer, wrong] = read(line);
  if (wrong || !isObject(answer)) throw new Broken(`${wrong || "not a JSON object"}: ${shown(line)} (${STDOUT})`);
  return answer;
}

/** The value of a line, and what is wrong with it: no report can hold a number like 1e400. @param {Buffer} line @returns {[any, string]} */
function read(line) {
  let text = "";
  try {
    text = utf8(line);
    const value = loads(text, { finite: true, depth: DEPTH });
    return [value, /\\u[dD][89a-fA-F]/.test(text) && hasSurrogate(value) ? LONE_SURROGATE : ""];
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    if (text) return [null, "not a line of JSON"];
    return [null, SURROGATE.test(line.toString("latin1")) ? LONE_SURROGATE : "not a line of UTF-8"];
  }
}

/** Whether one of the texts holds a lone surrogate. @param {any} value @returns {boolean} */
function hasSurrogate(value) {
  if (isObject(value)) return [...value].flat().some(hasSurrogate);
  if (Array.isArray(value)) return value.some(hasSurrogate);
  return typeof value === "string" && /\p{Cs}/u.test(value);
}

/** The line, or the beginning of it, as text. @param {Buffer} line */
function shown(line) {
  const text = line.subarray(0, (SHOWN + 1) * MAX_BYTES).toString("utf8").replace(/[\r\n]+$/, "");
  return text ? visible(piece(text, 0, SHOWN)) + (size(text) > SHOWN ? "…" : "") : "an empty line";
}
