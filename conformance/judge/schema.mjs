// Checking JSON against the suite's own schemas. This checker knows the words of JSON Schema that they use and refuses any
// other word, so that a schema can never demand something that is silently not looked at.

import { join } from "node:path";

import { CaseError, readJson, root } from "./cases.mjs";
import { isEqual, isNumber, isObject, isText, isWhole, repr, size, truthy } from "./values.mjs";

/** @typedef {(value: any, demand: any, rules: Map<string, any>, whole: Map<string, any>, at: string) => string[]} Rule */

const IGNORED = new Set(["$schema", "$id", "$defs", "$comment", "title", "description", "examples", "default"]);
const DEPTH = 100;
/** @type {Map<string, Map<string, any>>} */
const read = new Map();
/** @type {Map<string, RegExp>} */
const patterns = new Map();

/** The schema `case`, `harness`, `report`, `manifest` or `requirements`. @param {string} name */
function schema(name) {
  const known = read.get(name) ?? readJson(join(root, "schema", `${name}.schema.json`));
  read.set(name, known);
  return known;
}

/** What breaks a schema, as `pointer: rule`; `part` names one of its `$defs`. @param {string} name @param {any} value @param {string | null} [part] */
export function problems(name, value, part = null) {
  const whole = schema(name);
  return check(value, part === null ? whole : whole.get("$defs").get(part), whole, "");
}

/** What breaks `rules` (a schema inside `whole`) in `value`. @param {any} value @param {any} rules @param {Map<string, any>} whole @param {string} at @returns {string[]} */
function check(value, rules, whole, at) {
  if (typeof rules === "boolean") return rules ? [] : says(at, "is not allowed");
  if (at.split("/").length - 1 > DEPTH) return [`${[...at].slice(0, 80).join("")}: too deep`];
  /** @type {string[]} */
  const found = [];
  for (const [word, demand] of rules) {
    if (IGNORED.has(word)) continue;
    const rule = RULES.get(word);
    if (!rule) throw new CaseError(`the schema uses ${repr(word)}, which this checker does not know`);
    found.push(...rule(value, demand, rules, whole, at));
  }
  return found;
}

/** One problem. @param {string} at @param {string} rule */
const says = (at, rule) => [`${at || "/"}: ${rule}`];

/** @type {{[name: string]: (value: any) => boolean}} */
const TYPES = {
  object: isObject,
  array: Array.isArray,
  string: isText,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  number: isNumber,
  integer: isWhole,
};

/** Whether a pattern is found. @param {string} pattern @param {string} text */
function matches(pattern, text) {
  const known = patterns.get(pattern) ?? new RegExp(pattern, "u");
  patterns.set(pattern, known);
  return known.test(text);
}

/** @type {Rule} */
function properties(value, demand, _rules, whole, at) {
  if (!isObject(value)) return [];
  return [...demand].flatMap(([name, rules]) => (value.has(name) ? check(value.get(name), rules, whole, `${at}/${name}`) : []));
}

/** @type {Rule} */
function additional(value, demand, rules, whole, at) {
  if (!isObject(value)) return [];
  const [known, forms] = [rules.get("properties"), [...(rules.get("patternProperties")?.keys() ?? [])]];
  const more = [...value].filter(([name]) => !known?.has(name) && !forms.some((form) => matches(form, name)));
  return more.flatMap(([name, member]) => check(member, demand, whole, `${at}/${name}`));
}

/** @type {Rule} */
function patternProperties(value, demand, _rules, whole, at) {
  if (!isObject(value)) return [];
  return [...demand].flatMap(([pattern, rules]) =>
    [...value].flatMap(([name, member]) => (matches(pattern, name) ? check(member, rules, whole, `${at}/${name}`) : [])),
  );
}

/** @param {any} value */
const isSized = (value) => isText(value) || Array.isArray(value) || isObject(value);

/** @type {Rule} */
const least = (value, demand, _rules, _whole, at) =>
  !isSized(value) || size(value) >= demand ? [] : says(at, `must have at least ${demand}`);

/** @type {Rule} */
const most = (value, demand, _rules, _whole, at) =>
  !isSized(value) || size(value) <= demand ? [] : says(at, `must have at most ${demand}`);

/** @type {Rule} */
function unique(value, demand, _rules, _whole, at) {
  const fits = !truthy(demand) || !Array.isArray(value) || new Set(value.map(repr)).size === value.length;
  return fits ? [] : says(at, "must not hold an item twice");
}

/** @type {Rule} */
function ref(value, demand, _rules, whole, at) {
  return check(value, demand === "#" ? whole : whole.get("$defs").get(demand.replace(/^#\/\$defs\//, "")), whole, at);
}

/** The attempt with the fewest problems. @param {string[][]} tries */
const nearest = (tries) => tries.reduce((best, one) => (one.length < best.length ? one : best));

/** @type {Rule} */
function anyOf(value, demand, _rules, whole, at) {
  const tries = demand.map((/** @type {any} */ rules) => check(value, rules, whole, at));
  return tries.some((/** @type {string[]} */ one) => !one.length) ? [] : nearest(tries);
}

/** @type {Rule} */
function oneOf(value, demand, _rules, whole, at) {
  /** @type {string[][]} */
  const tries = demand.map((/** @type {any} */ rules) => check(value, rules, whole, at));
  const count = tries.filter((one) => !one.length).length;
  if (count === 1) return [];
  const names = choice(demand);
  if (names.length) {
    const held = names.filter((name) => isObject(value) && value.has(name));
    return says(at, `must have exactly one of ${names.join(", ")}, has ${held.join(", ") || "none"}`);
  }
  return [...says(at, `must fit exactly one of ${tries.length} shapes, fits ${count}`), ...(count ? [] : nearest(tries))];
}

/** The names among which a `oneOf` lets one member be chosen, when that is all it says. @param {any[]} demand @returns {string[]} */
function choice(demand) {
  const lists = demand.map((rules) => (isObject(rules) && rules.size === 1 && rules.get("required")) || []);
  return lists.every((names) => names.length === 1) ? lists.map(([name]) => name) : [];
}

/** @type {Map<string, Rule>} */
const RULES = new Map(
  Object.entries({
    type: (value, demand, _rules, _whole, at) => {
      const names = isText(demand) ? [demand] : demand;
      return names.some((/** @type {string} */ name) => TYPES[name](value)) ? [] : says(at, `must be ${names.join(" or ")}`);
    },
    const: (value, demand, _rules, _whole, at) => (isEqual(value, demand) ? [] : says(at, `must be ${repr(demand)}`)),
    enum: (value, demand, _rules, _whole, at) =>
      demand.some((/** @type {any} */ one) => isEqual(value, one)) ? [] : says(at, `must be one of ${repr(demand)}`),
    pattern: (value, demand, _rules, _whole, at) =>
      !isText(value) || matches(demand, value) ? [] : says(at, `must match ${demand}`),
    properties,
    required: (value, demand, _rules, _whole, at) =>
      demand.flatMap((/** @type {string} */ name) => (!isObject(value) || value.has(name) ? [] : says(at, `needs ${name}`))),
    additionalProperties: additional,
    patternProperties,
    propertyNames: (value, demand, _rules, whole, at) =>
      isObject(value) ? [...value.keys()].flatMap((name) => check(name, demand, whole, `${at}/${name}`)) : [],
    items: (value, demand, _rules, whole, at) =>
      Array.isArray(value) ? value.flatMap((one, index) => check(one, demand, whole, `${at}/${index}`)) : [],
    minimum: (value, demand, _rules, _whole, at) =>
      !isNumber(value) || value >= demand ? [] : says(at, `must be at least ${repr(demand)}`),
    minLength: least,
    minItems: least,
    minProperties: least,
    maxLength: most,
    maxItems: most,
    uniqueItems: unique,
    $ref: ref,
    allOf: (value, demand, _rules, whole, at) => demand.flatMap((/** @type {any} */ rules) => check(value, rules, whole, at)),
    anyOf,
    oneOf,
    not: (value, demand, _rules, whole, at) => (check(value, demand, whole, at).length ? [] : says(at, "must not fit the forbidden shape")),
  }),
);
