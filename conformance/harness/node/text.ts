// Text as people see it: how long it is, and one line of it that shows what it holds.


const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
/** What shows nothing and hides, turns or carries other characters. Joiners stay: scripts and emoji need them. */
const INVISIBLE = new RegExp(
  "[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u202a-\\u202e" +
    "\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1bca0}-\\u{1bca3}" +
    "\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]+",
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

/** A text with a question mark in place of each lone surrogate. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "?");

/** A text as one line: no controls, and nothing invisible that turns or hides characters. */
export const singleLine = (text: string): string => stripped(text.replace(CONTROLS, " ").replace(INVISIBLE, ""));

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text as HTML has it, between tags and inside of double quotes. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => ESCAPES[one] as string);

/** White space as most languages but this one have it: separators of ASCII belong to it, a byte order mark does not. */
export const BLANK = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const BLANKS = new RegExp(`[${BLANK}]+`, "u");
const LEADING = new RegExp(`^[${BLANK}]+`, "u");
const TRAILING = new RegExp(`[${BLANK}]+$`, "u");

/** A text whose runs of blanks are one blank, with none around it. */
export const squeezed = (text: string): string => text.split(BLANKS).filter(Boolean).join(" ");
export const leftStripped = (text: string): string => text.replace(LEADING, "");
export const rightStripped = (text: string): string => text.replace(TRAILING, "");
export const stripped = (text: string): string => leftStripped(rightStripped(text));

const LINE = /[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]|$)/y;

/** The lines of a text with their ends, wherever a program may break one. */
export function linesOf(text: string): string[] {
  const lines = [];
  for (LINE.lastIndex = 0; LINE.lastIndex < text.length; ) lines.push((LINE.exec(text) as RegExpExecArray)[0]);
  return lines;
}

/** A line without its end. */
export const withoutEnd = (line: string): string => line.replace(/(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])$/, "");

/** A line, cut to so many characters; what is missing shows as an ellipsis. */
export const cutLine = (line: string, most: number): string =>
  characters(line) <= most ? line : `${rightStripped(firstOf(line, most))}…`;
