// The conformance cases of the Mentionable protocol, for test frameworks of JavaScript. Nothing is fetched.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { casesIn } from "./cases.mjs";
import { judge as judged } from "./judge/compare.mjs";
import { loads } from "./judge/json.mjs";
import { manifestOf } from "./manifest.mjs";

/** The folder that holds `v0.1/`, `schema/`, `keys/` and `harness/`. */
export const root = dirname(fileURLToPath(import.meta.url));

const packed = join(root, "manifest.json");

/** Every case with its file and the digest of its meaning; the versions of suite, line protocol and documents. */
export const manifest = existsSync(packed) ? JSON.parse(readFileSync(packed, "utf8")) : manifestOf(root);

/** Every case, ready to be given to an implementation, in the order of files and of places in them. */
export const cases = () => casesIn(root);

/** What is wrong with an answer to a case, one sentence each; empty when the case passes. */
export const judge = ({ op, expect }, answer) =>
  judged({ op, expect: loads(JSON.stringify(expect)) }, loads(JSON.stringify(answer)));
