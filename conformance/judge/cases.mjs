// Cases as they lie in the folder: finding the files, reading them strictly, putting `$file` bytes in place. The members of
// a case are as exact as values.mjs keeps them; `../cases.mjs` reads the same files for test frameworks, as plain objects.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { errorText, utf8 } from "./files.mjs";
import { loads } from "./json.mjs";
import { byCharacter, isObject, isText, object, repr } from "./values.mjs";

/**
 * @typedef {{id: string, file: string, path: string, spec: string, op: string, section: string, level: string, tier: string,
 *   why: string, flags: string[], given: Map<string, any>, input: any, expect: Map<string, any>, area: string}} Case
 */

/** The folder that holds `v0.1/`, `schema/`, `keys/` and `harness/`. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The version of the suite. @type {string} */
export const VERSION = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
/** The version of the line protocol. */
export const PROTOCOL = 1;
export const LEVELS = ["MUST", "SHOULD", "MAY"];
export const TIERS = ["published", "project", "hardening"];

const OUTCOMES = ["messages", "value", "facts", "bytes", "rejected", "any_of"];
const SENT = new Set(["id", "section", "level", "tier", "why", "flags", "given", "input"]);
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const DEFAULTS = { now: "2026-11-21T20:56:00Z", entropy: "00".repeat(32), lookups: new Map() };

/** A case file cannot be used: the fault lies in the suite, not in the implementation under test. */
export class CaseError extends Error {}

/** Every case of the suite, or of the case files below `folder`, in order of file name and place in the file. @param {string | null} [folder] */
export function cases(folder = null) {
  /** @type {Map<string, Case>} */
  const byId = new Map();
  for (const [path, document] of caseFiles(folder ?? join(root, "v0.1"))) {
    for (const one of casesOf(document, path)) {
      const before = byId.get(one.id);
      if (before) throw new CaseError(`${one.file}: id ${repr(one.id)} is used already in ${before.file}`);
      byId.set(one.id, one);
    }
  }
  return [...byId.values()];
}

/** The case files below a folder, or the one that `start` is, and what each holds. @param {string} start @returns {Generator<[string, Map<string, any>]>} */
export function* caseFiles(start) {
  for (const path of files(start)) {
    const document = basename(path).startsWith("_") ? null : readJson(path);
    if (isObject(document) && document.has("cases") && document.has("op")) yield [path, document]; // others: for `$file`
  }
}

/** The JSON of a file, read strictly: no member twice, no NaN, UTF-8 only. @param {string} path @returns {any} */
export function readJson(path) {
  try {
    return loads(utf8(bytesOf(path)), { strict: true });
  } catch (error) {
    throw new CaseError(`${path}: ${errorText(error)}`);
  }
}

/** The bytes of a file. A pipe or a device may have no end, so it is none. @param {string} path */
function bytesOf(path) {
  const about = statSync(path);
  if (!about.isFile() && !about.isDirectory()) throw new Error("not a regular file");
  if (about.size > MAX_FILE_BYTES) throw new Error(`larger than ${MAX_FILE_BYTES} bytes`);
  return readFileSync(path);
}

/** What a case of a file gives, with the defaults. @param {Map<string, any>} raw */
export const givenIn = (raw) => new Map([...object(DEFAULTS), ...(raw.get("given") ?? [])]);

/** @param {string} start @returns {string[]} */
function files(start) {
  let about;
  try {
    about = statSync(start);
  } catch {
    throw new CaseError(`no such folder: ${start}`);
  }
  if (!about.isDirectory()) return [join(start)];
  const found = readdirSync(start, { recursive: true, withFileTypes: true }).filter((one) => one.name.endsWith(".json"));
  const paths = found.map((one) => join(one.parentPath ?? one.path, one.name).split(sep));
  return paths.sort(bySegments).map((segments) => segments.join(sep));
}

/** The order of paths: by their segments, not by their text. @param {string[]} one @param {string[]} other */
function bySegments(one, other) {
  const place = one.findIndex((segment, index) => segment !== other[index]);
  if (place < 0 || place >= other.length) return one.length - other.length;
  return byCharacter(one[place], other[place]);
}

/** @param {Map<string, any>} document @param {string} path @returns {Case[]} */
function casesOf(document, path) {
  const inside = relative(root, resolve(path));
  const name = (inside.startsWith("..") || inside === resolve(path) ? resolve(path) : inside).replaceAll(sep, "/");
  const listed = document.get("cases");
  if (!Array.isArray(listed)) throw new CaseError(`${name}: expected an object with \`spec\`, \`op\` and \`cases\``);
  return listed.map((raw) => oneCase(raw, document, name, path));
}

/** @param {any} raw @param {Map<string, any>} document @param {string} name @param {string} path @returns {Case} */
function oneCase(raw, document, name, path) {
  /** @param {Map<string, any>} where @param {string} member */
  const needed = (where, member) => {
    if (!isObject(where) || !where.has(member)) throw new CaseError(`${name}: a case lacks ${repr(member)}`);
    return where.get(member);
  };
  const id = needed(raw, "id");
  const expect = new Map([...raw].filter(([member]) => !SENT.has(member)));
  if (OUTCOMES.filter((member) => expect.has(member)).length !== 1) {
    throw new CaseError(`${name}: ${id} must have exactly one of ${OUTCOMES.join(", ")}`);
  }
  const folder = dirname(path);
  return {
    id,
    file: name,
    path,
    spec: needed(document, "spec"),
    op: needed(document, "op"),
    section: needed(raw, "section"),
    level: needed(raw, "level"),
    tier: raw.get("tier") ?? "project",
    why: needed(raw, "why"),
    flags: raw.get("flags") ?? [],
    given: resolved(givenIn(raw), folder),
    input: resolved(needed(raw, "input"), folder),
    expect: resolved(expect, folder),
    area: id.split("/", 1)[0],
  };
}

/** The value with the bytes of each `{"$file": name}` in its place. @param {any} value @param {string} folder @returns {any} */
function resolved(value, folder) {
  if (Array.isArray(value)) return value.map((one) => resolved(one, folder));
  if (!isObject(value)) return value;
  if (value.size === 1 && value.has("$file")) return object({ $base64: fileBytes(folder, value.get("$file")) });
  return new Map([...value].map(([name, member]) => [name, resolved(member, folder)]));
}

/** A file of the same folder; nothing outside it can be named. @param {string} folder @param {any} name */
function fileBytes(folder, name) {
  const where = basename(folder);
  if (!isText(name) || !name || /[/\\]/.test(name) || name.startsWith(".")) {
    throw new CaseError(`${where}: $file must name a file beside the case file, not ${repr(name)}`);
  }
  try {
    return bytesOf(join(folder, name)).toString("base64");
  } catch (error) {
    throw new CaseError(`${where}: $file ${repr(name)}: ${errorText(error)}`);
  }
}
