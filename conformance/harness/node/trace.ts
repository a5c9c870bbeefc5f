// Traces: Normalized Message 10, decision B10. A whole response in the address of an anchor, or as JSON in a mail.

import { parseStrict } from "./json.ts";
import { must, Rejected } from "./rejected.ts";
import { responseOf } from "./response.ts";
import type { Value } from "./shape.ts";
import { bytesIn, stripped } from "./text.ts";
import { isWebUrl } from "./url.ts";

export const MOST = 64 * 1024; // characters of base64
const MOST_DEPTH = 128; // arrays and objects that are open at once
export const DATA_URI = "data:application/json;base64,";
const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/;
const FOR_URLS = /^[A-Za-z0-9_-]*={0,2}$/;
const AROUND = /^[ \t\n\r\v\f]+|[ \t\n\r\v\f]+$/g;
export const DEFAULT_VIEWER = "https://mentionable.dev/trace";

/** The response in an address, in its payload alone, or in the JSON of a mail. No viewer is ever asked. */
function read(annotation: string) {
  must(bytesIn(annotation) <= 2 * MOST, "trace-too-large");
  must(annotation.isWellFormed(), "trace-malformed");
  const whole = annotation.replace(AROUND, "");
  const bytes = whole.startsWith("{") ? Buffer.from(whole, "utf8") : decoded(payloadIn(whole));
  must(Math.ceil(bytes.length / 3) * 4 <= MOST, "trace-too-large");
  try {
    return responseOf(parseStrict(bytes, { safeIntegers: false, maxDepth: MOST_DEPTH }));
  } catch (error) {
    throw error instanceof Rejected ? new Rejected("trace-malformed") : error;
  }
}

/** `trace.read`. */
export function readTrace({ annotation }: Value) {
  const { value, notes } = read(annotation);
  return { value, diagnostics: notes.map(({ code }) => code) };
}

/** `trace.left_out`: what of a trace did not fit, sorted by JSON pointer. */
export const leftOut = ({ annotation }: Value) =>
  read(annotation).notes.sort((one, other) => Buffer.compare(Buffer.from(one.at), Buffer.from(other.at)));

/** The base64 of an address: what follows the `#` of a web page, or the body of a data: URI. */
function payloadIn(text: string): string {
  if (text.slice(0, DATA_URI.length).toLowerCase() === DATA_URI) return text.slice(DATA_URI.length);
  const at = text.indexOf("#");
  if (at < 0) return text;
  const page = text.slice(0, at);
  must(page === "" || isWebUrl(page), "trace-malformed");
  return text.slice(at + 1);
}

/** The bytes of base64 in one of its two alphabets, padded as a whole or not at all. */
function decoded(payload: string): Buffer {
  const digits = payload.replace(/=+$/, "");
  const isPadded = digits !== payload;
  const fits = digits.length % 4 !== 1 && (!isPadded || payload.length % 4 === 0);
  must(fits && (STANDARD.test(payload) || FOR_URLS.test(payload)), "trace-malformed");
  return Buffer.from(digits, "base64url"); // Node reads both alphabets under this name
}

/** Which viewer traces open in, by the variable of the operator; null for none. A slip is told, and changes nothing. */
export function traceViewer({ value }: Value) {
  const wish = value === null ? DEFAULT_VIEWER : stripped(value);
  if (wish === "" || wish === "none") return { value: { viewer: null }, diagnostics: [] };
  if (wish.startsWith("https://") && isWebUrl(wish)) return { value: { viewer: wish }, diagnostics: [] };
  return { value: { viewer: DEFAULT_VIEWER }, diagnostics: ["trace-viewer-invalid"] };
}
