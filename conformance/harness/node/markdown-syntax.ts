// The marks of Markdown: what must be escaped in text, and how links and code are written.

import { BLANK, stripped } from "./text.ts";

const SYNTAX = /[\\`*[\]]|<(?=[A-Za-z/!?]|$)|&(?=[#0-9A-Za-z]{1,33}(?:;|$)|$)|~(?=~|$)|^~|_+/g;
const MARK_ENDS = `(?=[${BLANK}]|$)`;
const LINE_SYNTAX = new RegExp(
  `^(?:#{1,6}${MARK_ENDS}|[-+]${MARK_ENDS}|([0-9]{1,9})[.)]${MARK_ENDS}|>|[=|]|-(?=[-:|])|:(?=-))`,
);
const REFERENCE = /&(?=[#0-9A-Za-z]+;)/g;
const MAILBOX = /^mailto:([A-Za-z0-9.!#$%'*+/=?^_{}~-]+@[A-Za-z0-9.-]+)$/i;
const LETTER = /[\p{L}\p{N}]/u;

/** A text with a backslash before everything that Markdown could read as syntax within a line. */
export function escapedText(text: string): string {
  return text.replace(SYNTAX, (mark, at: number) => {
    if (!mark.startsWith("_")) return `\\${mark}`;
    const [before, after] = [text.slice(0, at), text.slice(at + mark.length)];
    const isInWord = LETTER.test([...before].at(-1) ?? "") && LETTER.test([...after][0] ?? "");
    return isInWord ? mark : "\\_".repeat(mark.length);
  });
}

/** The same for a whole line, whose beginning may make it a heading, an item or a quotation. */
export const escapedLine = (text: string): string => guardedLine(escapedText(text));

/** A line of Markdown, with a backslash where its beginning would be read as the mark of a block. */
export function guardedLine(line: string): string {
  const found = LINE_SYNTAX.exec(line);
  if (found === null) return line;
  const at = found[1]?.length ?? 0;
  return `${line.slice(0, at)}\\${line.slice(at)}`;
}

/** Lines with their breaks marked, or as paragraphs where empty lines are between them. */
export const paragraphs = (lines: string): string =>
  lines.split(/\n{2,}/).map((one) => one.split("\n").map(guardedLine).join("\\\n")).join("\n\n");

/** A link as it stands in round brackets. */
export function destination(link: string): string {
  const written = link.replace(REFERENCE, "&amp;");
  return /[()]/.test(link) ? `<${written}>` : written;
}

/** A link whose text is its address; `visible` is its Markdown. */
export function autolink(link: string, visible: string): string {
  const mailbox = MAILBOX.exec(link);
  if (mailbox) return `<${mailbox[1]}>`;
  const isMail = /^mailto:/i.test(link);
  const isBracketed = isMail || link.search(REFERENCE) >= 0;
  return isBracketed ? `[${visible || escapedText(isMail ? link.slice(7) : link)}](${destination(link)})` : `<${link}>`;
}

/** The most backticks at once. */
export const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Code between as many backticks as it takes. */
export function codeSpan(text: string): string {
  const marks = "`".repeat(longestRun(text) + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${marks}${space}${text}${space}${marks}`;
}

/** Text between marks of emphasis, which stand next to its words. */
export function marked(text: string, mark: string): string {
  const words = stripped(text);
  if (!words) return text;
  const start = text.indexOf(words);
  return `${text.slice(0, start)}${mark}${words}${mark}${text.slice(start + words.length)}`;
}
