// The content of a row under its header, whatever the dialect of its blocks: Message Ingest Contract, decisions I6, I7,
// I10 and I19.

import { CONTENTS } from "./agent-view.ts";
import { quoteImitations, quoteStart } from "./fold.ts";
import type { Form } from "./ingest-metadata.ts";
import { markdownOf } from "./ingest-message.ts";
import { withNames } from "./mentions.ts";
import { type Headers, subjectLine } from "./names.ts";
import { isObject, isText, type Json, VALUE_DEPTH } from "./shape.ts";
import { must } from "./rejected.ts";

/** Whatever is in brackets in one line: a header never has two. */
const ANY_SPEAKER = /^\[[^\]\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+\]:(?!\ufeff)[\s\x1c-\x1f\x85]/u;

/** The options of assembly. */
export interface Style {
  guard: "own" | "any";
  multimodal: "prefix" | "skip";
  context: "plain" | "quoted";
  repeats: "keep" | "drop";
  quotes: boolean;
}
/** How the text of a turn is to be read, and what is around it. */
export interface Written {
  headers: Headers | undefined;
  subject: string | null;
  form: Form;
  attached: string;
}

/** The text of a block of text; undefined for any other block. */
export function textIn(block: Json): string | undefined {
  if (!isObject(block) || !isText(block.text)) return undefined;
  const { type } = block;
  const isOfText = type === undefined || type === null ? block.thought !== true : TEXTS.includes(type);
  return isOfText ? block.text : undefined;
}
const TEXTS = ["text", "input_text", "output_text"];

const isSomething = (kind: Json): boolean =>
  typeof kind === "object" && kind !== null ? Object.keys(kind).length > 0 : Boolean(kind);

/** A block of text in the dialect of its siblings. */
function textBlock(text: string, siblings: Json[]): Json {
  const kinds = siblings.filter(isObject).map((block) => block.type);
  if (kinds.some((kind) => isText(kind) && kind.startsWith("input_") && kind !== "input_audio")) {
    return { type: "input_text", text };
  }
  return kinds.length && !kinds.some(isSomething) ? { text } : { type: "text", text };
}

const joined = (text: string, attached: string): string => [text, attached].filter(Boolean).join("\n\n");

/** Text or blocks that begin with a header; content that has it already is unchanged. */
export function attributed(content: Json, written: Written, style: Style): Json {
  if (isText(content)) return underHeader(content, written, style);
  const hasPrefix = style.multimodal === "prefix" && written.headers !== undefined;
  // providers want results of tools first
  const results = content.findIndex((block: Json) => !isObject(block) || block.type !== "tool_result");
  const place = results < 0 ? content.length : results;
  const text = textIn(content[place]);
  const prefixed = hasPrefix && text !== undefined ? place : -1;
  const blocks = content.map((block: Json, at: number) => (at === prefixed ? block : readBlock(block, written, style)));
  if (prefixed >= 0) blocks[place] = { ...blocks[place], text: underHeader(text as string, written, style) };
  else if (hasPrefix) blocks.splice(place, 0, textBlock(underHeader("", written, style), content));
  else if (written.attached) {
    blocks.splice(text === undefined ? place : place + 1, 0, textBlock(written.attached, content));
  }
  return blocks;
}

/** A text under its header, with the subject before it, and with its attachments. */
function underHeader(given: string, written: Written, style: Style): string {
  const { headers, subject, form, attached } = written;
  const isSaid = given === subject || given.startsWith(`${subject}\n`) || given.startsWith(`${subject}\r`);
  const hasSubject = !subject || isSaid;
  const text = markdownOf(form, given);
  const own = ownHeader(text, headers, style.guard);
  const body = own + bodyOf(text.slice(own.length), written, style);
  if (!headers || own) return joined(body, attached);
  const line = hasSubject ? "" : subjectLine(subject as string);
  const whole = joined(line && body ? `${line}\n${body}` : line || body, attached);
  return whole ? `${headers.whole} ${whole}` : headers.whole;
}

/** Markdown without its header as a model reads it. */
function bodyOf(text: string, { headers, form }: Written, style: Style): string {
  const safe = style.quotes ? quoteImitations(text) : headers ? text : quoteStart(text);
  return withNames(safe, form.mentions);
}

/** A block with its text as a model reads it; a block may be a bare string (Gemini). */
function readBlock(block: Json, written: Written, style: Style): Json {
  const typed = isText(block) ? block : textIn(block);
  if (typed === undefined) return block;
  const text = bodyOf(markdownOf(written.form, typed), written, style);
  return isText(block) ? text : { ...block, text };
}

/** The header with which a text begins already, as far as it is trusted, with the blank behind it. */
function ownHeader(text: string, headers: Headers | undefined, guard: Style["guard"]): string {
  const any = guard === "any" ? ANY_SPEAKER.exec(text) : null;
  if (any) return any[0];
  const own = headers ? [headers.whole, headers.own] : [];
  const behind = (header: string) => text.slice(header.length, header.length + 1);
  const found = own.find((header) => text.startsWith(header) && [" ", ""].includes(behind(header)));
  return found === undefined ? "" : text.slice(0, found.length + 1);
}

/** Blocks, and the blocks in them, without metadata. Arguments and output of tools are data, and stay. */
export function withoutMetadata(blocks: Json[], depth = 0): Json[] {
  must(depth <= VALUE_DEPTH);
  return blocks.map((block) => {
    if (!isObject(block)) return block;
    const { _metadata: _, ...copy } = block;
    for (const name of CONTENTS) if (Array.isArray(copy[name])) copy[name] = withoutMetadata(copy[name], depth + 1);
    return copy;
  });
}

/** What a row contains: a text or blocks. */
export const contentOf = (row: Json): Json => [row.content, row.parts].find((one) => one?.length) ?? "";

/** The text of a row. */
export function textOf(row: Json): string {
  const content = contentOf(row);
  const blocks = isText(content) ? [content] : content;
  const texts = blocks.map((one: Json) => (isText(one) ? one : textIn(one)));
  return texts.filter(isText).join("\n");
}
