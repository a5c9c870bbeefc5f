// The documents that demands are written in: what a label such as `NM 5.3.1` stands for, and where to read it.

import { join } from "node:path";

import { readJson, root } from "./cases.mjs";
import { partition, strip } from "./values.mjs";

const RFC_PAGE = "https://www.rfc-editor.org/rfc/rfc";
/** @type {{documents: Map<string, Map<string, any>>, decisions: Map<string, string>} | null} */
let listed = null;

function known() {
  if (listed === null) {
    const read = readJson(join(root, "documents.json"));
    const documents = read.get("documents").map((/** @type {Map<string, any>} */ one) => [one.get("label"), one]);
    listed = { documents: new Map(documents), decisions: read.get("decisions") };
  }
  return listed;
}

/** @param {string} part */
const sectionOf = (part) => (part ? `, section ${part}` : "");

/**
 * What the `section` of a case or a requirement stands for. A label that is not known stands for itself.
 * @param {string} section @returns {{title: string, url: string | null, text: string | null}}
 */
export function source(section) {
  const [first, , rest] = partition(section, " ");
  const [label, place] = /^R\p{Nd}+$/u.test(first) ? ["R", first.slice(1)] : [first, rest]; // rulings are written together
  const document = known().documents.get(label);
  if (document === undefined) return { title: section, url: null, text: null };
  if (label === "RFC") {
    const [number, , part] = partition(place, " ");
    return { title: `RFC ${number}${sectionOf(part)}`, url: `${RFC_PAGE}${number}${part && `#section-${part}`}`, text: null };
  }
  if (label === "R" || label === "D") {
    const text = label === "D" ? (known().decisions.get(place) ?? null) : null;
    return { title: document.get("title"), url: null, text };
  }
  const version = document.get("version") ?? "";
  const part = strip(place.startsWith(version) ? place.slice(version.length) : place); // A2A names the version in front
  const name = `${document.get("title")}${version && ` ${version.startsWith("0.") ? "v" : ""}${version}`}`;
  return { title: `${name}${sectionOf(part)}`, url: document.get("url") ?? null, text: null };
}
