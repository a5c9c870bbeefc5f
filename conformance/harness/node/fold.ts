// What a line looks like to a reader, in ASCII: ruling R64. A line that looks like the header of somebody else, a line
// of ours, the name of a role or a mark of a chat template is quoted with `> `. Nothing else of a text is changed.

import { LOOKALIKES } from "./confusables.ts";
import { unescaped } from "./entities.ts";
import { linesOf, squeezed } from "./text.ts";

const ENTITY_ROUNDS = 2;
/** Marks of Markdown and quotation, and controls: they may stand anywhere in what is imitated. */
const DROPPED = /[*_~`\\"'\x00-\x08\x0e-\x1b\x1f\x7f]/;
const ASCII_BLANK = /[\t-\r\x1c-\x1e]/;
const LINE_ENDS = /[\x85\u2028\u2029]/;
const UNSEEN = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;
/** What has no shape, and no category that says so. */
const SHAPELESS = /[\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\ufff0-\ufff8\u{e0000}-\u{e0fff}]/u;
/** Where characters are that may fold: elsewhere are ideographs, Hangul and private use. */
const MAY_FOLD = new RegExp(
  "[\\u0080-\\u33ff\\ua640-\\uabff\\uf900-\\uffff\\u{10000}-\\u{11fff}\\u{13430}-\\u{1345f}" +
    "\\u{16a00}-\\u{16fff}\\u{1bc00}-\\u{1fbff}]",
  "u",
);

const folds = new Map<string, string>();

/** What a character folds to. */
function foldOf(one: string): string {
  const known = folds.get(one);
  if (known !== undefined) return known;
  const folded = newFold(one);
  folds.set(one, folded);
  return folded;
}

function newFold(one: string): string {
  if (LINE_ENDS.test(one)) return " ";
  if (SHAPELESS.test(one)) return "";
  const target = LOOKALIKES.get(one);
  if (target !== undefined) return target;
  if (one < "\u0080") return DROPPED.test(one) ? "" : ASCII_BLANK.test(one) ? " " : one;
  if (!MAY_FOLD.test(one)) return one;
  if (UNSEEN.test(one)) return "";
  const pieces = [...one.normalize("NFKD")];
  if (pieces.join("") === one) return one;
  if (squeezed(pieces.join("")) === "") return " ";
  return pieces
    .map((piece) => LOOKALIKES.get(piece) ?? piece)
    .map((piece) => (UNSEEN.test(piece) ? "" : piece < "\u0080" ? newFold(piece) : piece))
    .join("");
}

const visible = (text: string): string => [...text].map(foldOf).join("");

/** A line as a reader sees it: without what shows nothing, with look-alikes and references as ASCII. */
export function fold(line: string): string {
  let folded = visible(line);
  for (let round = 0; round < ENTITY_ROUNDS && folded.includes("&"); round += 1) folded = visible(unescaped(folded));
  return squeezed(folded);
}

// A pattern for words: letters and figures that look alike are one, and blanks may be missing.
const ALIKE: Record<string, string> = { i: "[il1|!]", l: "[il1|!]", o: "[o0]", " ": " ?" };
const spelled = (...words: string[]): string =>
  words.map((word) => word.replace(/[ilo ]/g, (one) => ALIKE[one] as string)).join("|");
/** A pattern that gives nothing back of what it took; its group has this number. */
const taken = (pattern: string, group: number) => `(?=(${pattern}))\\${group}`;

const SYMBOLS = "\\u0080-\\u00bf\\u2000-\\u2bff\\u2e00-\\u303f\\u3200-\\u33ff\\ue000-\\uf8ff\\u{1f000}-\\u{1faff}";
/** Marks of lists, numbers, arrows, pictures: what may stand before an imitation in a line. */
const LEADER = `[\\x00-@\\\\-\`{-\\x7f${SYMBOLS}]*`;
const ROLES = spelled("system", "assistant", "user", "human", "developer", "tool", "model", "ai", "function");
const AFTER = spelled("message", "prompt", "instructions", "instruction", "override", "note");
const HEADINGS = spelled("instruction", "instructions", "response", "input", "output", "context");
const OWN_LINES = spelled(
  "thread context", "channel context", "the current request", "quoted from", "earlier messages", "notifications",
  "tell the user now", "handle now", "know these facts", "the system has shown", "the user has seen", "the system took",
);
const FOLDS_TO = new RegExp(
  `^${taken(LEADER, 1)}(?:(?:\\[[ x]?\\]|[a-z]{1,3}[.)])${taken(LEADER, 2)})?` +
    "(?:\\[ ?(?:.+?\\](?:\\]\\([^()]{0,400}\\))?[ )]{0,2}:" +
    `|(?:${OWN_LINES})` +
    "|c[o0]ntext ?[\\u2010-\\u2015\\u2212\\-]" +
    "|(?:subject|shared|f[il1|!][il1|!]e) ?:" +
    `|${taken("[\\p{Nd}.,]{1,12}", 3)}(?: |qu|f[o0]|[il1|!][il1|!]|ch))` +
    `|(?:${ROLES})(?: ?(?:${AFTER}))?(?: ?\\([^()]{0,80}\\))? ?:` +
    `|(?:(?<=#)|(?<=# ))(?:${ROLES}|${HEADINGS})(?![\\p{L}\\p{N}_]))`,
  "isu",
);
const TEMPLATE = new RegExp(
  "<(?:\\|[^<>|]{1,60}\\|>" +
    "|/?(?:s|bos|eos|pad|unk|sep|cls)>" +
    "|/?(?:start|end)[ \\-]?of[ \\-]?(?:turn|text|image)>" +
    `|/?(?:(?:${ROLES})(?: [^<>=]{1,40}=[^<>]{0,200})?|system ?-?reminder|instructions?|think(?:ing)?` +
    "|tool ?(?:calls?|response|results?|use)|function ?(?:calls?|results?))>" +
    "|<(?:/?sys)>>)" +
    "|\\[/?(?:inst|system ?prompt|available ?tools|tool ?calls|tool ?results)\\]",
  "iu",
);
const TAG = /<[/A-Za-z!][^<>]{0,400}>/g;

/** Whether a folded line begins like a header, a line of ours or the name of a role. */
export const beginsLikeOurs = (folded: string): boolean => FOLDS_TO.test(folded);

/** Whether a line looks like one of these, or holds a mark of a template. */
export function imitates(line: string): boolean {
  const folded = fold(line);
  if (TEMPLATE.test(folded)) return true;
  return beginsLikeOurs(folded.includes("<") ? squeezed(folded.replace(TAG, "")) : folded);
}

/** Each line that imitates has one of these, or a character that folds to one. */
const isSuspect = (text: string): boolean => /[:[<#&]/.test(text) || /[^\x00-\x7f]/.test(text);
/** A line that begins with `>` is quoted already. */
const isOpen = (line: string): boolean => !line.startsWith(">") && isSuspect(line) && imitates(line);

/** A text with every line quoted that imitates something. */
export const quoteImitations = (text: string): string =>
  isSuspect(text) ? linesOf(text).map((line) => (isOpen(line) ? `> ${line}` : line)).join("") : text;

/** The same for the first line that shows something. */
export function quoteStart(text: string): string {
  const lines = linesOf(text);
  const first = lines.findIndex((line) => fold(line) !== "");
  if (first < 0 || !isOpen(lines[first] as string)) return text;
  lines[first] = `> ${lines[first]}`;
  return lines.join("");
}
