// JSON values as this judge keeps them, and what can be asked of them. An object is a Map, which keeps the order of its
// members whatever their names are; a whole number is a BigInt and any other a Number, so that 1 and 1.0 stay two things
// and no digit is lost. Texts are counted in characters, not in halves of them. All is as the judge in Python has it.

/** @typedef {null | boolean | bigint | number | string | Value[] | Map<string, any>} Value */

/** A fact needs a member that is not there. */
export class Missing extends Error {}

/** A value is of another form than the question needs. */
export class OtherForm extends Error {}

const WHITE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const BLANKS = new RegExp(`[${WHITE}]+`, "u");
const AFTER = new RegExp(`(?<![${WHITE}])[${WHITE}]+$`, "u"); // each run of blanks is looked at once
const AROUND = new RegExp(`^[${WHITE}]+|${AFTER.source}`, "gu");
const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/u;
const SURROGATES = /[\ud800-\udfff]/;
const HIDDEN = /[\p{C}\p{Z}]/u;

export const isObject = (/** @type {any} */ value) => value instanceof Map;
export const isText = (/** @type {any} */ value) => typeof value === "string";
export const isNumber = (/** @type {any} */ value) => typeof value === "bigint" || typeof value === "number";

/** An object of these members. @param {{[name: string]: any}} members */
export const object = (members) => new Map(Object.entries(members));

/** The member of an object that must be there. @param {any} value @param {string} name */
export function item(value, name) {
  if (!(value instanceof Map)) throw new OtherForm();
  if (!value.has(name)) throw new Missing(repr(name));
  return value.get(name);
}

/** The member of an object, or what stands for it. @param {any} value @param {string} name @param {any} [otherwise] */
export function get(value, name, otherwise = null) {
  if (!(value instanceof Map)) throw new OtherForm();
  return value.has(name) ? value.get(name) : otherwise;
}

/** What stands at a place, counted from the end when it is negative. @param {any} value @param {number} place */
export function at(value, place) {
  if (value instanceof Map) throw new Missing(String(place));
  const items = typeof value === "string" ? [...value] : value;
  if (!Array.isArray(items)) throw new OtherForm();
  const found = items.at(place);
  if (found === undefined) throw new OtherForm();
  return found;
}

/** Everything in a value, one after the other: items, names of members, or characters. @param {any} value */
export function each(value) {
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return [...value.keys()];
  if (typeof value === "string") return [...value];
  throw new OtherForm();
}

/** The members of an object. @param {any} value @returns {[string, any][]} */
export function members(value) {
  if (!(value instanceof Map)) throw new OtherForm();
  return [...value];
}

/** The text that a value must be. @param {any} value @returns {string} */
export function text(value) {
  if (typeof value !== "string") throw new OtherForm();
  return value;
}

/** The items of the array that a value must be. @param {any} value @returns {any[]} */
export function items(value) {
  if (!Array.isArray(value)) throw new OtherForm();
  return value;
}

/** Whether something stands in a value. @param {any} value @param {any} sought */
export function holds(value, sought) {
  if (value instanceof Map) return value.has(hashable(sought));
  if (Array.isArray(value)) return value.some((one) => same(one, sought));
  return text(value).includes(text(sought));
}

/** @param {any} value */
function hashable(value) {
  if (value instanceof Map || Array.isArray(value)) throw new OtherForm();
  return value;
}

/** How many items, members or characters there are. @param {any} value */
export function size(value) {
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map) return value.size;
  return SURROGATES.test(text(value)) ? [...value].length : value.length;
}

/** Characters of a text. @param {string} value @param {number} begin @param {number} [end] */
export const piece = (value, begin, end) =>
  SURROGATES.test(value) ? [...value].slice(begin, end).join("") : value.slice(begin, end);

/** Whether a value says anything. @param {any} value */
export function truthy(value) {
  if (value instanceof Map) return value.size > 0;
  if (Array.isArray(value)) return value.length > 0;
  return Boolean(value);
}

/** Equality as facts need it, where true is 1. @param {any} one @param {any} other @returns {boolean} */
export function same(one, other) {
  if (typeof one === "boolean") return same(BigInt(one), other);
  if (typeof other === "boolean") return same(one, BigInt(other));
  if (isNumber(one) && isNumber(other)) return one == other; // a BigInt and a Number are compared by what they are worth
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, place) => same(value, other[place]));
  }
  if (one instanceof Map && other instanceof Map) {
    return one.size === other.size && [...one].every(([name, value]) => other.has(name) && same(value, other.get(name)));
  }
  return one === other;
}

/** Equality of JSON: 1 equals 1.0, true does not equal 1. @param {any} one @param {any} other @returns {boolean} */
export function isEqual(one, other) {
  if (isNumber(one) && isNumber(other)) return one == other;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, place) => isEqual(value, other[place]));
  }
  if (one instanceof Map && other instanceof Map) {
    return one.size === other.size && [...one].every(([name, value]) => other.has(name) && isEqual(value, other.get(name)));
  }
  return one === other;
}

/** Whether a value is a whole number: 1 and 1.0 are, true is not. @param {any} value */
export const isWhole = (value) => typeof value === "bigint" || Number.isInteger(value);

/** The place of the first item that is the same. @param {any[]} items @param {any} sought */
export function placeOf(items, sought) {
  const place = items.findIndex((one) => same(one, sought));
  if (place < 0) throw new OtherForm();
  return BigInt(place);
}

/** The values without those that came before; none of them is an object or an array. @param {Iterable<any>} values */
export function distinct(values) {
  const seen = new Map();
  for (const value of values) {
    const key = keyOf(value);
    if (!seen.has(key)) seen.set(key, value);
  }
  return [...seen.values()];
}

/** A text that values have in common when they are the same; none of them is an object or an array. @param {any} value */
export function keyOf(value) {
  if (value === null) return "null";
  return typeof value === "boolean" || isNumber(value) ? `n${numberKey(value)}` : `t${hashable(value)}`;
}

/** @param {any} value */
const numberKey = (value) => (Number.isInteger(value) || typeof value !== "number" ? BigInt(value) : value);

/** The order of characters, which that of their halves is not beyond U+FFFF. @param {string} one @param {string} other */
export function byCharacter(one, other) {
  if (one === other) return 0;
  if (!SURROGATES.test(one) && !SURROGATES.test(other)) return one < other ? -1 : 1;
  const [left, right] = [[...one], [...other]];
  const place = left.findIndex((character, index) => character !== right[index]);
  if (place < 0) return left.length - right.length;
  if (place >= right.length) return 1;
  return Number(left[place].codePointAt(0)) - Number(right[place].codePointAt(0));
}

/** @param {any} one @param {any} other @returns {number} */
function order(one, other) {
  if (typeof one === "string" && typeof other === "string") return byCharacter(one, other);
  if (Array.isArray(one) && Array.isArray(other)) {
    const place = one.findIndex((value, index) => index >= other.length || !same(value, other[index]));
    return place >= 0 && place < other.length ? order(one[place], other[place]) : one.length - other.length;
  }
  const [left, right] = [one, other].map((value) => (typeof value === "boolean" ? BigInt(value) : value));
  if (!isNumber(left) || !isNumber(right)) throw new OtherForm();
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The values in order; those of two kinds have none. @param {Iterable<any>} values @returns {any[]} */
export const sorted = (values) => [...values].sort(order);

/** The words of a text. @param {string} value */
export const words = (value) => strip(value).split(BLANKS).filter(Boolean);

/** Without white space at both ends. @param {string} value */
export const strip = (value) => value.replace(AROUND, "");

/** Without white space at its end. @param {string} value */
export const stripEnd = (value) => value.replace(AFTER, "");

/** The lines of a text, whatever ends them. @param {string} value */
export function lines(value) {
  const found = value.split(LINE_END);
  if (found.at(-1) === "") found.pop();
  return found;
}

/** What stands before a mark, the mark, and what follows it. @param {string} value @param {string} mark */
export function partition(value, mark) {
  const place = value.indexOf(mark);
  return place < 0 ? [value, "", ""] : [value.slice(0, place), mark, value.slice(place + mark.length)];
}

/** Whether a character can be seen. @param {string} character */
export const isVisible = (character) => character === " " || !HIDDEN.test(character);

/** A character as an escape. @param {string} character */
export function escaped(character) {
  const number = Number(character.codePointAt(0));
  const [mark, digits] = number < 256 ? ["x", 2] : number < 65536 ? ["u", 4] : ["U", 8];
  return `\\${mark}${number.toString(16).padStart(Number(digits), "0")}`;
}

/** A whole number with all its digits; any other with a point or an exponent. @param {bigint | number} value */
export function numberText(value) {
  if (typeof value === "bigint") return value.toString();
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [digits, exponent] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 16) return Number.isInteger(value) ? `${BigInt(value)}.0` : String(value);
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

/** A value in one line, as details show it: texts in quotes, `None`, `True`. @param {any} value @returns {string} */
export function repr(value) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  if (value instanceof Map) return `{${[...value].map(([name, one]) => `${repr(name)}: ${repr(one)}`).join(", ")}}`;
  return numberText(value);
}

/** @type {{[character: string]: string}} */
const SHORT = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** @param {string} value */
function quoted(value) {
  const mark = value.includes("'") && !value.includes('"') ? '"' : "'";
  if (/^[ !#-&(-[\]-~]*$/.test(value)) return mark + value + mark;
  let shown = "";
  for (const one of value) shown += SHORT[one] ?? (one === mark ? `\\${one}` : isVisible(one) ? one : escaped(one));
  return mark + shown + mark;
}

/** Bytes in one line. @param {Uint8Array} data */
export function reprBytes(data) {
  const read = Buffer.from(data).toString("latin1");
  const mark = read.includes("'") && !read.includes('"') ? '"' : "'";
  let shown = "";
  for (const one of read) shown += SHORT[one] ?? (one === mark ? `\\${one}` : one >= " " && one <= "~" ? one : escaped(one));
  return `b${mark}${shown}${mark}`;
}
