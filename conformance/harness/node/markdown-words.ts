// Words of a platform as Markdown: what is no markup there is escaped where Markdown would take it for markup, and
// nothing else is.

import { BLANK } from "./text.ts";

const LIKE_A_MENTION = /<(?:[@#][A-Z][A-Z0-9]{1,31}|!subteam\^[A-Z0-9]{1,32})>/;
/** What looks like a token, or will if what follows this piece of a text ends it. */
const MAY_BEGIN_ONE = /<(?:$|[@#](?:$|[A-Z][A-Z0-9]{0,31}(?:>|$))|!(?:$|subteam\^[A-Z0-9]{0,32}(?:>|$)))/y;
const AFTER_BACKSLASH = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const SPECIAL = /[\\*_~`&<\]]/g;
const REFERENCE = /&(?:[A-Za-z][A-Za-z0-9]{0,31}|#[0-9]{1,7}|#[Xx][0-9A-Fa-f]{1,6});/y;
const BLANKS = new RegExp(`^[${BLANK}]$`, "u");
const ALNUM = /^[\p{L}\p{N}]$/u;
const LETTER = /^\p{L}$/u;

/** Whether typed text has what would be taken for a token. */
export const looksLikeMention = (text: string): boolean => LIKE_A_MENTION.test(text);
export const isAlnum = (sign: string): boolean => ALNUM.test(sign);
export const isBlank = (sign: string): boolean => BLANKS.test(sign);

/** A text with a backslash before each character that Markdown would take for markup. */
export function markdownWords(text: string): string {
  return text.replace(SPECIAL, (sign, at: number) => {
    MAY_BEGIN_ONE.lastIndex = at;
    if (sign === "<" && MAY_BEGIN_ONE.test(text)) return "&lt;";
    return isMarkup(text, at) ? `\\${sign}` : sign;
  });
}

const before = (text: string, at: number): string => [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? "";
const after = (text: string, at: number): string => [...text.slice(at + 1, at + 3)][0] ?? "";

/** Whether a special character may be markup. At the ends of a text anything may stand beside it. */
function isMarkup(text: string, at: number): boolean {
  const [last, next] = [before(text, at), after(text, at)];
  const isBetweenBlanks = isBlank(last) && isBlank(next);
  switch (text[at]) {
    case "\\":
      return next !== "" && AFTER_BACKSLASH.includes(next);
    case "*":
      return !isBetweenBlanks;
    case "_":
      return !(isAlnum(last) && isAlnum(next)) && !isBetweenBlanks;
    case "~":
      return last === "~" || next === "~";
    case "&":
      REFERENCE.lastIndex = at;
      return REFERENCE.test(text);
    case "<":
      return LETTER.test(next) || ["", "/", "!", "?"].includes(next);
    case "]":
      return ["", "(", "[", ":"].includes(next);
    default:
      return true;
  }
}

/** Whether the text of a link is another than its address, with or without the scheme. */
export function hasLabel(url: string, text: string): boolean {
  const separator = url.includes("://") ? "://" : ":";
  return text !== "" && text !== url && text !== url.slice(url.indexOf(separator) + separator.length);
}

/** A link as Markdown; without a label of its own it is its address. */
export function markdownLink(url: string, text: string): string {
  const target = url.replaceAll("(", "%28").replaceAll(")", "%29").replace(new RegExp(REFERENCE.source, "g"), "\\$&");
  if (hasLabel(url, text)) return `[${markdownWords(text)}](${target})`;
  const label = text || url.replace(/^mailto:/, "");
  return label === url ? `<${url}>` : markdownWords(label);
}

/** A line that has no title and no rule on the platform, escaped where it would be one in Markdown. */
export function markdownLine(line: string): string {
  const isTitle = /^#{1,6}(?![^ \t])/.test(line);
  const isRule = /^[-=|: \t]+$/.test(line) && /[-=]/.test(line);
  return isTitle || isRule ? `\\${line.replace(/^[ \t]+/, "")}` : line;
}
