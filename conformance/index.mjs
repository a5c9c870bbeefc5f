// The conformance cases of the Mentionable protocol, for test frameworks of JavaScript. Nothing is fetched.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds `v0.1/`, `schema/`, `keys/`, `harness/` and `manifest.json`. */
export const root = dirname(fileURLToPath(import.meta.url));

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), "utf8"));

/** Every case with its file and the digest of its meaning; the versions of suite, line protocol and documents. */
export const manifest = readJson("manifest.json");

const DEFAULTS = { now: "2026-11-21T20:56:00Z", entropy: "00".repeat(32), lookups: {} };

/** Every case, ready to be given to an implementation, in the order of files and of places in them. */
export function* cases() {
  const files = [...new Set(Object.values(manifest.cases).map((one) => one.file))].sort();
  for (const file of files) {
    const { spec, op, cases: listed } = readJson(...file.split("/"));
    for (const { id, section, level, why, flags = [], given = {}, input, ...expect } of listed) {
      const inputs = resolved({ given: { ...DEFAULTS, ...given }, input, expect }, dirname(join(root, file)));
      yield { id, file, spec, op, section, level, why, flags, ...inputs };
    }
  }
}

/** The value with the bytes of each `{"$file": name}` in its place, as `{"$base64": …}`. */
function resolved(value, folder) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolved(item, folder));
  const names = Object.keys(value);
  if (names.length === 1 && names[0] === "$file") {
    return { $base64: readFileSync(join(folder, value.$file)).toString("base64") };
  }
  return Object.fromEntries(names.map((name) => [name, resolved(value[name], folder)]));
}
