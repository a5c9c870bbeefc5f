// Facts about a trace as it is written: where it stands, how it is written, and what people read of it.

import { decoded } from "./base64.mjs";
import { FactError } from "./facts-error.mjs";
import { Page } from "./facts-html.mjs";
import { loadsBytes } from "./facts-json.mjs";
import { dumps } from "./json.mjs";
import { OtherForm, item, object, partition, piece, repr, same, size, text } from "./values.mjs";

/** @typedef {(value: any) => any} Fact */

const PAYLOAD = /^[A-Za-z0-9+/_-]*={0,2}$/;
const MAX_CHARACTERS = 120;

/** What an address carries: what stands before the payload, the alphabet, whether it is padded, and the response. @param {any} address */
export function traceIn(address) {
  const isData = text(address).startsWith("data:");
  const [before, mark, payload] = partition(address, isData ? "base64," : "#");
  if (!mark || !PAYLOAD.test(payload)) throw new FactError(`${repr(piece(address, 0, 60))} carries no payload`);
  const standard = payload.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  const kinds = [/[-_]/.test(payload) ? "base64url" : "", /[+/]/.test(payload) ? "base64" : ""].filter(Boolean);
  const data = decoded(standard + "=".repeat((4 - (standard.length % 4)) % 4));
  if (data === null) throw new OtherForm();
  return object({
    before: before + mark,
    alphabet: kinds.join(" and ") || "either",
    padded: payload.endsWith("="),
    whole_groups: payload.length % 4 === 0,
    response: loadsBytes(data),
  });
}

/** @param {string} name @returns {Fact} */
const ofTrace = (name) => (value) => {
  const address = item(value, "href");
  return address === null ? null : traceIn(address).get(name);
};

/** How many calls the words stand for: those that are named, and those that are only counted. @param {any} value */
function callsTold(value) {
  const told = text(item(value, "text"));
  const more = /\+([0-9]{1,9}) more/.exec(told);
  return BigInt((told.match(/[✓✗…]/gu) ?? []).length) + BigInt(more?.[1] ?? 0);
}

/** The one anchor of the HTML, and whether it links to the address that was said. @param {any} value */
function anchor(value) {
  const { anchors } = new Page(item(value, "html"));
  if (!anchors.length) return null;
  if (anchors.length > 1) throw new OtherForm();
  const [{ attributes, text: shown }] = anchors;
  const isSame = same(attributes.get("href") ?? null, item(value, "href"));
  return new Map([...attributes, ...object({ href: isSame, text: shown })]);
}

/** @type {{[name: string]: Fact}} */
export const TRACE = {
  address: ofTrace("before"),
  alphabet: ofTrace("alphabet"),
  padded: ofTrace("padded"),
  whole_groups: ofTrace("whole_groups"),
  response: ofTrace("response"),
  fits: (value) => size(item(value, "text")) <= MAX_CHARACTERS,
  calls_told: callsTold,
  anchor,
  text_face: (value) => item(value, "text"),
  html: (value) => item(value, "html"),
  payload: (value) => (item(value, "href") === null ? "" : dumps(traceIn(item(value, "href")).get("response"), { ascii: true })),
};
