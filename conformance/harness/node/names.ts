// Names and mention tokens as they may stand in a header, and lines of blocks of context: Message Ingest Contract,
// decisions I3 to I8. Attackers choose names, so they are made harmless where they are written, and at no other place.

import { alike } from "./confusables.ts";
import { beginsLikeOurs, fold, quoteImitations } from "./fold.ts";
import { isText, type Json } from "./shape.ts";
import { characters, cutLine, firstOf, rightStripped, singleLine, squeezed, stripped, wellFormed } from "./text.ts";

const MOST_OF_NAME = 80; // characters of a name in a header
const MOST_OF_TOKEN = 256;
const MOST_OF_LINE = 400; // characters of one message in a block of context
const UNKNOWN = "unknown";
export const THREAD_HEADING = "[Thread context — prior messages in this thread, newest last]";

const BRACKETS = new Map(
  [["[", "("], ["]", ")"], ["<", "\u2039"], [">", "\u203a"]].flatMap(([bracket, put]) =>
    [bracket as string, ...alike(bracket as string)].map((one): [string, string] => [one, put as string]),
  ),
);
const SHOWS_NOTHING = /^[\u200c\u200d\u2800\ufe00-\ufe0f]*$/;
/** What imitates the address that a header may have behind the name. */
const LIKE_A_TOKEN =
  /([(\uff08])(?:(?!\ufeff)[\s\x1c-\x1f\x85\u200c\u200d\ufe00-\ufe0f@\uff20\ufe6b])*[@\uff20\ufe6b]/gu;
const TOKEN = new RegExp(
  `^(?:(?!\\s)[^[\\]\\uff3b\\uff3d\\ufe47\\ufe48\\x00-\\x20\\x7f-\\xa0]){1,${MOST_OF_TOKEN}}$`,
  "u",
);
/** A colon that is no part of an id. */
const COLON = new RegExp(`[:${alike(":").join("")}](?=[^\\p{L}\\p{N}_])`, "gu");
const CONTROLS = /[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Text of somebody else as it may stand in a line: no line breaks, no controls, other brackets. */
export const neutral = (text: string): string =>
  squeezed([...singleLine(wellFormed(text))].map((one) => BRACKETS.get(one) ?? one).join(""));

/** A name that is safe in a header; empty when it shows nothing. */
export function nameOf(name: string): string {
  const line = neutral(firstOf(name, 8 * MOST_OF_NAME)).replace(LIKE_A_TOKEN, "$1");
  if (SHOWS_NOTHING.test(line)) return "";
  const short = cutLine(line, MOST_OF_NAME);
  const folded = fold(short);
  const isOurs = beginsLikeOurs(`${folded}:`) || beginsLikeOurs(`[${folded}`);
  return isOurs ? `\u2039${short}\u203a` : short;
}

export const isMentionToken = (token: string): boolean =>
  TOKEN.test(token) && singleLine(token) === token && token.isWellFormed();

/** Who wrote a text. */
export interface Author {
  name: string;
  token: string;
}
/** The headers of an author: with the token, and without it; and whether a token was refused. */
export interface Headers {
  whole: string;
  own: string;
  isBare: boolean;
}

/** The author that metadata names. */
export function authorIn(members: Json): Author {
  return authorFrom(members.sender_display_name, members.mention_token);
}

export const authorFrom = (name: Json, token: Json): Author =>
  ({ name: isText(name) ? name : "", token: isText(token) ? token : "" });

/** The headers of an author; undefined when the name shows nothing. */
export function headersOf({ name, token }: Author): Headers | undefined {
  const visible = nameOf(name);
  if (!visible) return undefined;
  const isBare = token !== "" && !isMentionToken(token);
  const own = `[${visible}]:`;
  return { whole: isBare || !token ? own : `[${visible} (${token})]:`, own, isBare };
}

/** An author as text, such as `Ash (<@U1>)`. */
export function authorText({ name, token }: Author): string {
  const [visible, safe] = [nameOf(name), isMentionToken(token) ? token : ""];
  return visible && safe ? `${visible} (${safe})` : visible || safe;
}

/** The line that names the subject of a mail; empty when it shows nothing. */
export function subjectLine(subject: string): string {
  const line = neutral(firstOf(subject, 4 * MOST_OF_LINE));
  return SHOWS_NOTHING.test(line) ? "" : `[Subject: ${cutLine(line, MOST_OF_LINE)}]`;
}

/** A message as one line of a block, and whether the message was longer; undefined when it is empty. */
export function blockLine(author: Author, text: string, sharedBy?: Author) {
  const whole = stripped(text);
  const line = squeezed(wellFormed(firstOf(whole, 4 * MOST_OF_LINE)).replace(CONTROLS, ""));
  if (!line) return undefined;
  const quoted = quoteImitations(line);
  const isCut = characters(quoted) > MOST_OF_LINE || characters(whole) > 4 * MOST_OF_LINE;
  const shown = isCut ? `${rightStripped(firstOf(quoted, MOST_OF_LINE))}…` : quoted;
  const shared = sharedBy ? `, shared by ${inLine(sharedBy)}` : "";
  return { text: `- ${inLine(author)}${shared}: ${shown}`, isCut };
}

/** An author in a line of a block, without a colon that would end the name. */
function inLine(author: Author): string {
  const headers = headersOf(author);
  return headers ? headers.whole.slice(1, -2).replace(COLON, "") : UNKNOWN;
}

/** A block of lines under its heading; null without lines. */
export const blockOf = (heading: string, lines: string[]): string | null =>
  lines.length ? [heading, ...lines].join("\n") : null;

/** Text for a block: without controls, and nothing around it; null when nothing is left. */
export const contextText = (text: string): string | null => stripped(wellFormed(text).replace(CONTROLS, "")) || null;

/** `ingest.header`. */
export const attributionHeader = (metadata: Json) => headersOf(authorIn(metadata ?? {}))?.whole ?? null;

/** `ingest.context`. */
export const threadContext = (metadata: Json) => {
  const text = metadata?.thread_context;
  return isText(text) ? contextText(text) : null;
};

