// The cases as their files hold them: walking the folder, filling in defaults, putting `$file` bytes in place.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const DEFAULTS = { now: "2026-11-21T20:56:00Z", entropy: "00".repeat(32), lookups: {} };

/** Every case of the suite in the folder `root`, in the order of files and of places in them. `parse` reads JSON. */
export function* casesIn(root, parse = JSON.parse) {
  const paths = readdirSync(join(root, "v0.1"), { recursive: true }).map((path) => path.replaceAll("\\", "/"));
  for (const path of paths.sort()) {
    if (!path.endsWith(".json") || path.split("/").at(-1).startsWith("_")) continue;
    const file = `v0.1/${path}`;
    const { spec, op, cases } = parse(readFileSync(join(root, file), "utf8"));
    if (op === undefined || cases === undefined) continue; // other JSON is material for `$file`
    for (const { id, section, level, tier = "project", why, flags = [], given = {}, input, ...expect } of cases) {
      const inputs = resolved({ given: { ...DEFAULTS, ...given }, input, expect }, dirname(join(root, file)));
      yield { id, file, spec, op, section, level, tier, why, flags, ...inputs };
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
