// Text as Slack sends it as Markdown: links in readable form, mentions as tokens, its markup as that of Markdown.

import {
  hasLabel, isAlnum, isBlank, looksLikeMention, markdownLine, markdownLink, markdownWords,
} from "./markdown-words.ts";
import { singleLine } from "./text.ts";
import { isWebUrl } from "./url.ts";

const FENCE = "```";
const JOINER = "\u2060";
const ENTITY = /<[^<>\n]+>/g;
const ATOM = /<[^<>\n]+>|`[^`\n]+`/g;
const MARKS = /[*_~]/g;
const MARKUP = ["code", "open"]; // kinds of tokens that plain text would lose
const MARKDOWN_OF: Record<string, string> = { "*": "**", _: "_", "~": "~~" };
const BULLET = /^( *)[\u2022\u25e6\u25aa]\ufe0e?[ \t]+/;
const MAIL_LINK = /^mailto:[^\s<>()|\\]{1,320}$/;
const QUOTE = /^(?:&gt;|>)((?:&gt;|>){2})? ?/;
const MENTION = /^(?:@[UW][A-Z0-9]{1,31}|#[CDG][A-Z0-9]{1,31}|!subteam\^S[A-Z0-9]{1,31})$/;

/** A piece of a line. A mark may open, close, or do either, before its partner is known. */
interface Token {
  kind: "text" | "code" | "mention" | "link" | "open" | "close" | "either";
  text: string;
  target: string;
}
const token = (kind: Token["kind"], text: string, target = ""): Token => ({ kind, text, target });
const isMark = ({ kind }: Token): boolean => kind === "open" || kind === "close" || kind === "either";

/** A line, or a block of code with all its lines. */
interface Block {
  code: string | null;
  tokens: Token[];
  isQuoted: boolean;
}

/** Text without the three escapes of Slack. */
const unescapedText = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

function blocksOf(text: string): Block[] {
  const pieces = text.split(FENCE);
  if (pieces.length % 2 === 0) pieces.push(pieces.splice(-2).join(FENCE)); // the last fence opens nothing
  return pieces.flatMap((piece, number) => {
    if (number % 2) return [{ code: piece, tokens: [], isQuoted: false }];
    const begun = number ? piece.replace(/^\n/, "") : piece; // text behind code begins a line of its own
    const lines = number + 1 < pieces.length ? begun.replace(/\n$/, "") : begun;
    return lines || pieces.length === 1 ? linesIn(lines) : [];
  });
}

function linesIn(text: string): Block[] {
  let isAllQuoted = false;
  return text.split("\n").map((line) => {
    const quote = QUOTE.exec(line);
    isAllQuoted ||= quote?.[1] !== undefined;
    const tokens = matched([...tokensIn(quote ? line.slice(quote[0].length) : line)]);
    return { code: null, tokens, isQuoted: isAllQuoted || quote !== null };
  });
}

function* tokensIn(line: string): Generator<Token> {
  let end = 0;
  for (const { 0: found, index } of line.matchAll(ATOM)) {
    yield* marksIn(line, end, index);
    yield found.startsWith("`") ? token("code", found.slice(1, -1)) : entity(found.slice(1, -1));
    end = index + found.length;
  }
  yield* marksIn(line, end, line.length);
}

const isJoined = (sign: string): boolean => isAlnum(sign) || sign === JOINER;

/** Text between two atoms, cut at the marks in it. */
function* marksIn(line: string, start: number, end: number): Generator<Token> {
  let at = start;
  for (const { 0: mark, index } of line.slice(start, end).matchAll(MARKS)) {
    const place = start + index;
    const before = [...line.slice(Math.max(0, place - 2), place)].at(-1) ?? " ";
    const after = [...line.slice(place + 1, place + 3)][0] ?? " ";
    const opens = !isJoined(before) && !isBlank(after) && after !== mark;
    const closes = !isJoined(after) && !isBlank(before) && before !== mark;
    if (!opens && !closes) continue;
    yield token("text", line.slice(at, place));
    yield token(opens && closes ? "either" : opens ? "open" : "close", mark);
    at = place + 1;
  }
  yield token("text", line.slice(at, end));
}

/** The tokens, with pairs of marks as `open` and `close`. Marks without a partner are text. */
function matched(tokens: Token[]): Token[] {
  const partners = partnersOf(tokens);
  const found: Token[] = [];
  tokens.forEach((one, index) => {
    if (!isMark(one) && one.kind !== "text") found.push(one);
    else if (partners.has(index)) found.push(token(partners.get(index) as Token["kind"], one.text));
    else if (one.text) {
      const last = found.at(-1);
      if (last?.kind === "text") found[found.length - 1] = token("text", last.text + one.text);
      else found.push(token("text", one.text));
    }
  });
  return found;
}

/** The marks that have a partner, and whether they open or close. */
function partnersOf(tokens: Token[]): Map<number, "open" | "close"> {
  const opened = new Map<string, number>();
  const partners = new Map<number, "open" | "close">();
  tokens.forEach((one, index) => {
    if (!isMark(one)) return;
    const opener = opened.get(one.text);
    if (opener !== undefined && one.kind !== "open") {
      partners.set(opener, "open").set(index, "close");
      // those that opened later and did not close stay text
      for (const [mark, place] of [...opened]) if (place >= opener) opened.delete(mark);
    } else if (opener === undefined && one.kind !== "close") opened.set(one.text, index);
  });
  return partners;
}

/** What stands between `<` and `>`: a mention or a link. */
function entity(inside: string): Token {
  const bar = inside.indexOf("|");
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = singleLine(unescapedText(bar < 0 ? "" : inside.slice(bar + 1)));
  const sign = target.slice(0, 1);
  if (MENTION.test(target)) return token("mention", label, target);
  const bare = (text: string) => (text.startsWith(sign) ? text.slice(1) : text);
  if (sign === "@" || sign === "#") return token("text", sign + bare(label || target.slice(1)));
  if (sign === "!") return token("text", special(target.slice(1), label));
  const url = unescapedText(target);
  return isWebUrl(url) || MAIL_LINK.test(url) ? token("link", label, url) : token("text", label || url);
}

/** The text of `<!here>`, of a group of users, or of a date. */
function special(target: string, label: string): string {
  const [kind, ...others] = target.split("^");
  const rest = others.join("^");
  if (kind === "date") return label || (others[0] ?? "");
  return `@${(label || rest || (kind as string)).replace(/^@/, "")}`;
}

/** Whether a block has markup that plain text would lose. */
const isMarked = ({ code, tokens }: Block): boolean =>
  code !== null ||
  tokens.some(({ kind, text, target }) => MARKUP.includes(kind) || (kind === "link" && hasLabel(target, text)));

/** Text as its author typed it: plain text when it has no markup of Slack, else Markdown. */
export function readMrkdwn(text: string): string {
  const blocks = blocksOf(text);
  const hasTypedToken = text.includes("&lt;") && looksLikeMention(unescapedText(text.replaceAll("<", "")));
  const isMarkdown = hasTypedToken || blocks.some(isMarked);
  return blocks.map((block) => (block.code === null ? written(block, isMarkdown) : codeBlock(block.code))).join("\n");
}

const codeBlock = (code: string): string => `${FENCE}\n${verbatim(code).replace(/^\n+|\n+$/g, "")}\n${FENCE}`;

function written({ tokens, isQuoted }: Block, isMarkdown: boolean): string {
  const [first, ...others] = tokens;
  const bullet = isMarkdown && first?.kind === "text" ? BULLET.exec(first.text) : null;
  const rest = bullet && first ? [token("text", first.text.slice(bullet[0].length)), ...others] : tokens;
  const text = rest.map((one) => writtenToken(one, isMarkdown)).join("");
  return (isQuoted ? "> " : "") + (bullet ? `${bullet[1]}- ` : "") + (isMarkdown ? markdownLine(text) : text);
}

function writtenToken({ kind, text, target }: Token, isMarkdown: boolean): string {
  switch (kind) {
    case "text":
      return isMarkdown ? markdownWords(unescapedText(text)) : unescapedText(text);
    case "code":
      return `\`${verbatim(text)}\``;
    case "mention":
      return isMarkdown && target.startsWith("!") ? `\\<${target}>` : `<${target}>`;
    case "link":
      return isMarkdown ? markdownLink(target, text) : text || target.replace(/^mailto:/, "");
    default:
      return MARKDOWN_OF[text] as string;
  }
}

/** Text inside of code, where Slack keeps links and mentions as entities. */
function verbatim(text: string): string {
  const pieces: string[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ENTITY)) {
    const one = entity(found.slice(1, -1));
    const shown = one.kind === "mention" ? `<${one.target}>` : one.text || one.target;
    pieces.push(unescapedText(text.slice(end, index)), shown);
    end = index + found.length;
  }
  const rest = unescapedText(text.slice(end));
  return pieces.length ? [...pieces, rest].join("").replaceAll("`", "'") : rest;
}
