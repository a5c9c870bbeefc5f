// Which conversation a mail belongs to: Normalized Message 5.3.1, rulings R6, R74 and R80. Never by its subject.

import { createHash } from "node:crypto";
import { sha256 } from "./canonical.ts";
import { bytesOf } from "./json.ts";
import { Lookups } from "./lookups.ts";
import type { Json, Value } from "./shape.ts";
import { characters } from "./text.ts";

const MOST = 2048; // characters of an id
const MOST_ASKED = 32; // ids that are looked up
const RESERVED = "@mentionable.invalid>"; // ids that are made: no field names one
const CHAR = "(?:[^<>@\\s\\u0000-\\u001f\\u007f\\u0085]|\\ufeff)"; // a byte order mark is no blank
const ANY = new RegExp(`^(?:${CHAR}|@)+$`, "u");
const ONE_AT = new RegExp(`^${CHAR}+@${CHAR}+$`, "u");
const LETTER = /[A-Za-z0-9]|[^\u0000-\u007f]/u;
const PIECES = /<([^<>]*)>|([()])|([^<>()]+|[<>])/gu;
const SEPARATORS = /(?:(?!\ufeff)\s|[\u001c-\u001f\u0085,;])+/u;
const ENCODED = /=\?([^?*]+)(?:\*[^?]*)?\?([bqBQ])\?([^?]*)\?=/g;
const AT_ENDS = /^(?:(?!\ufeff)\s|[\u001c-\u001f\u0085])+|(?:(?!\ufeff)\s|[\u001c-\u001f\u0085])+$/gu;
const FIELD = /^([!-9;-~]+)[ \t]*:(.*)$/su;
const ON_THE_WAY = new Set(
  ("received return-path delivered-to envelope-to original-recipient apparently-to authentication-results " +
    "received-spf dkim-signature domainkey-signature dkim-filter content-length lines status errors-to").split(" "),
);
const ADDED = /^(?:arc|resent|x|list|archived)-/;

/**
 * The thread of the first id that is stored: those of In-Reply-To, then of References from the last one; without any,
 * that which Outlook marks. Else the first id of References, or of In-Reply-To, or the mail's own.
 */
export function emailThread({ raw }: Value, given: Value): string {
  const mail = withCrlf(bytesOf(raw).toString("latin1"));
  const { fields, lines, body } = read(mail);
  const field = (name: string): string => fields.get(name) ?? "";
  const own = idsIn(field("message-id"))[0] ?? madeId(lines, body);
  const people = ["from", "reply-to", "to", "cc"].map(field).join("\n").toLowerCase();
  const mailboxes = new Set(people.match(/[^\s<>,;:"()@]+@[^\s<>,;:"()@]+/gu));
  const isOther = (id: string) => id !== own;
  const answered = idsIn(field("in-reply-to")).filter(isOther).slice(0, MOST_ASKED);
  const parents = answered.filter((id) => !mailboxes.has(id.slice(1, -1).toLowerCase()));
  const chain = idsIn(field("references")).filter(isOther);
  let named = [...new Set([...parents, ...[...chain].reverse()])];
  if (named.length > MOST_ASKED) {
    named = [...named.slice(0, MOST_ASKED - 1), chain[0] ?? (named[MOST_ASKED - 1] as string)];
  }
  const lookups = new Lookups(given.lookups);
  const threadOf = (id: string, counts: (known: Json) => boolean = () => true): string | undefined => {
    const known = lookups.ask(`MESSAGE ${id}`);
    return known && counts(known) && known.thread_id.startsWith("<") ? known.thread_id : undefined; // of mail, that is
  };
  const conversation = named.length ? undefined : conversationOf(field("thread-index"));
  const sender = `@${/[^\s<>,;:"()@]+@[^\s<>,;:"()@]+/u.exec(field("from"))?.[0]}`;
  const isTheirs = (known: Json) => known.sender === given.recipient || known.sender === sender;
  for (const id of named) {
    const thread = threadOf(id);
    if (thread) return thread;
  }
  return (conversation && threadOf(conversation, isTheirs)) ?? chain[0] ?? parents[0] ?? own;
}

/** A mail whose lines all end in LF is one whose lines end in CRLF. */
function withCrlf(bytes: string): string {
  const mail = bytes.replace(/^\u00ef\u00bb\u00bf/, "");
  return mail.includes("\r\n") ? mail : mail.replaceAll("\n", "\r\n");
}

/** The first field of each name in small letters, unfolded; all of them as lines in one form; and the body. */
function read(mail: string) {
  const end = /\n\r?\n/.exec(mail);
  const bytes = Buffer.from(mail.slice(0, end?.index ?? mail.length), "latin1");
  const head = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replaceAll("\r\n", "\n");
  const fields = new Map<string, string>();
  const lines: string[] = [];
  for (const raw of head.replace(/\n(?=[ \t])/g, "").split("\n")) {
    const [, name, text = ""] = FIELD.exec(raw) ?? [];
    const key = name?.toLowerCase();
    if (!key) continue;
    const value = text.replace(/[\r\0]/g, " ");
    if (!fields.has(key)) fields.set(key, value);
    const line = value.replace(AT_ENDS, "").replace(/[ \t]+/g, " ");
    if (!ON_THE_WAY.has(key) && !ADDED.test(key)) lines.push(`${key}:${line}\n`);
  }
  return { fields, lines, body: end ? mail.slice(end.index + end[0].length) : "" };
}

/** The ids in a field, each with its brackets, as programs of all times have written them. */
function idsIn(value: string): string[] {
  const pieces = [...decoded(value).matchAll(PIECES)];
  const inBrackets = bracketed(pieces, false);
  const found = inBrackets.length ? inBrackets : bracketed(pieces, true);
  return (found.length ? found : bare(decoded(value)))
    .map((id) => `<${id}>`)
    .filter((id) => !id.endsWith(RESERVED) && characters(id) <= MOST);
}

/** What is in brackets: outside comments, unless nothing is there; without an @ only where no words stand beside it. */
function bracketed(pieces: RegExpExecArray[], inComments: boolean): string[] {
  let depth = 0;
  let hasWords = false;
  const found: string[] = [];
  for (const [, inside = "", parenthesis, other] of pieces) {
    if (parenthesis) depth = parenthesis === "(" ? depth + 1 : Math.max(depth - 1, 0);
    else if (depth && !inComments) continue;
    else if (other !== undefined) hasWords ||= LETTER.test(other);
    else if (ANY.test(inside)) found.push(...(LETTER.test(inside) ? [inside] : []));
    else if (ONE_AT.test(inside.replace(/[ \t]/g, ""))) found.push(inside.replace(/[ \t]/g, ""));
  }
  return hasWords ? found.filter((id) => id.includes("@")) : found;
}

/** Words of the form local@domain, which count where nothing is in brackets. */
function bare(value: string): string[] {
  const words = value.split(SEPARATORS).map((word) => word.replace(/^[<>()"']+|[<>()"']+$/g, ""));
  return words.filter((word) => ONE_AT.test(word));
}

/** A field with its encoded words decoded. */
function decoded(value: string): string {
  return value.replace(ENCODED, (word: string, charset: string, encoding: string, text: string) => {
    const char = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
    const quoted = text.replaceAll("_", " ").replace(/=([0-9A-Fa-f]{2})/g, char);
    const bytes = encoding.toLowerCase() === "b" ? Buffer.from(text, "base64") : Buffer.from(quoted, "latin1");
    try {
      return new TextDecoder(charset).decode(bytes);
    } catch {
      return word;
    }
  });
}

/** The id that all mails of a conversation in Outlook share: made of the first 22 bytes of their mark. */
function conversationOf(value: string): string | undefined {
  const text = value.replace(/\s/g, "");
  const index = Buffer.from(text, "base64");
  const replies = (index.length - 22) / 5;
  if (index.toString("base64") !== text || index[0] !== 1 || !Number.isInteger(replies) || replies < 0 || replies > 100)
    return undefined;
  return `<thread-index.${sha256(index.subarray(0, 22)).slice(0, 32)}${RESERVED}`;
}

/** A mail that has no id gets one of what its author wrote, so that it is the same when it comes again. */
function madeId(lines: string[], body: string): string {
  const text = Buffer.from(body.replace(/[\r\n]+$/, ""), "latin1");
  const digest = createHash("sha256").update(`${lines.join("")}\n`).update(text).digest("hex");
  return `<${digest.slice(0, 32)}${RESERVED}`;
}
