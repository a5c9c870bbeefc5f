// Text as people see it: how long it is, and one line of it that shows what it holds.

import { stripped } from "./url.ts";

const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
/** What shows nothing and hides, turns or carries other characters. Joiners stay: scripts and emoji need them. */
const INVISIBLE = new RegExp(
  "[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u202a-\\u202e" +
    "\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]+",
  "gu",
);

/** How many characters a text has: half a pair of UTF-16 is none. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The first characters of a text. */
export const firstOf = (text: string, most: number): string =>
  text.length <= most ? text : [...text].slice(0, most).join("");

export const bytesIn = (text: string): number => Buffer.byteLength(text, "utf8");

/** A text as one line: no controls, and nothing invisible that turns or hides characters. */
export const singleLine = (text: string): string => stripped(text.replace(CONTROLS, " ").replace(INVISIBLE, ""));

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** A text as HTML has it, between tags and inside of quotes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => ESCAPES[one] as string);
