// Mentions as a model reads them: the name of who is mentioned, and the token that mentions them: ruling R62.

import { alike } from "./confusables.ts";
import { nameOf } from "./names.ts";
import { isObject, isText, type Json } from "./shape.ts";
import { stripped } from "./text.ts";

const MOST = 1000; // names of one text
/** What could end the name, or make a role of it. */
const COLONS = [":", ...alike(":")].map((one): [string, string] => [one, "-"]);
const ENDS = new Map([["\u2039", "("], ["\u203a", ")"], ...COLONS]);
const LINE_ENDS = "\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029";
/** A mention of Slack or Discord, with or without the backslashes of Markdown. */
const TOKEN = new RegExp(
  "\\\\?<(?:\\\\?[@#!](?:!|&|subteam\\\\?\\^)?[A-Za-z0-9][A-Za-z0-9_\\-]{0,63}" +
    `|/[^<>${LINE_ENDS}:]{1,100}:[0-9]{1,20})(?:\\|[^<>|${LINE_ENDS}]{0,200})?\\\\?>`,
  "gu",
);
const SIGNS: Record<string, string> = { "#": "#", "/": "/" };

/** A mention as a model reads it: `@‹Ash› (<@U1>)`. */
function mentionText(name: string, token: string): string {
  const line = stripped([...nameOf(name.replace(/^[@#/ ]+/, ""))].map((one) => ENDS.get(one) ?? one).join(""));
  return line ? `${SIGNS[token[1] as string] ?? "@"}\u2039${line}\u203a (${token})` : token;
}

/** A text with the name of who is mentioned before each token that has a known name. */
export function withNames(text: string, mentions: Record<string, string> | null): string {
  if (!mentions || !text.includes("<") || !Object.keys(mentions).length) return text;
  const nameFor = (token: string) => (Object.hasOwn(mentions, token) ? mentions[token] : undefined);
  return text.replace(TOKEN, (found) => {
    const token = found.replaceAll("\\", "");
    const short = token.split("|", 1)[0] as string;
    const closed = `${short.replace(/>$/, "")}>`;
    const name = nameFor(found) || nameFor(token) || nameFor(`${short}>`);
    return name ? mentionText(name, closed) : found;
  });
}

/** The names of what a text mentions, as a connector noted them. */
export function mentionsIn({ mentions }: Json): Record<string, string> {
  if (!isObject(mentions)) return {};
  return Object.fromEntries(Object.entries<Json>(mentions).slice(0, MOST).filter(([, name]) => isText(name)));
}
