// Blocks of no provider: the readers of all dialects make them, and the writers of all dialects take them. Message
// Ingest Contract, decision I16.

import { imitates } from "./fold.ts";
import { neutral } from "./names.ts";
import { must } from "./rejected.ts";
import { isObject, isText, isWellFormed, isWithin, type Json, VALUE_DEPTH } from "./shape.ts";
import { firstOf, wellFormed } from "./text.ts";
import { isWebUrl } from "./url.ts";

const MOST_OF_NAME = 255; // characters of a name in a line that replaces a file

export interface Block {
  is: "text" | "file" | "call" | "result" | "thought" | "opaque" | "break";
  at: string;
  type: string;
  /** The dialects that take it as it came. */
  dialects: string[];
  source: Json;
}
export interface Text extends Block {
  is: "text";
  text: string;
}
/** An image, a document or a recording: at most one of `data`, `text` and `url` is there. */
export interface File extends Block {
  is: "file";
  mediaType: string;
  data?: string | undefined;
  text?: string | undefined;
  url?: string | undefined;
  name?: string | undefined;
}
export interface Call extends Block {
  is: "call";
  id: string;
  name: string;
  args: Json;
}
/** The result of a call: a text, blocks, or any other JSON. */
export interface Result extends Block {
  is: "result";
  id: string;
  name: string;
  output: Json;
  blocks?: Block[] | undefined;
  isError: boolean;
}
export type Any = Block | Text | File | Call | Result;

export const isTextBlock = (block: Block): block is Text => block.is === "text";
export const isFile = (block: Block): block is File => block.is === "file";
export const isCall = (block: Block): block is Call => block.is === "call";
export const isResult = (block: Block): block is Result => block.is === "result";

export const opaque = (at: string, type: string, source: Json, dialects: string[] = []): Block =>
  ({ is: "opaque", at, type, dialects, source });
export const thought = (at: string, type: string, source: Json, dialects: string[] = []): Block =>
  ({ is: "thought", at, type, dialects, source });
/** Text that came as a string, or that is written here. */
export const textBlock = (text: string, at: string): Text =>
  ({ is: "text", at, type: "", dialects: [], source: {}, text: wellFormed(text) });

/** The first of these members that is text. */
export function textIn(block: Json, ...names: string[]): string | undefined {
  const found = names.map((name) => block[name]).find(isText);
  return found === undefined ? undefined : wellFormed(found);
}
/** The first of these members that is an object; an empty one when there is none. */
export const objectIn = (block: Json, ...names: string[]): Json =>
  names.map((name) => block[name]).find(isObject) ?? {};
export const hasMembers = (value: Json): boolean => Object.keys(value).length > 0;

/** A copy of JSON of a host's own: every provider must be able to read it. */
export function fresh(value: Json): Json {
  must(isWithin(VALUE_DEPTH, value) && isWellFormed(value));
  return structuredClone(value);
}

/** JSON of a host's own as text. */
export const jsonText = (value: Json): string => JSON.stringify(fresh(value));

/** A block as it came, without the members that no model gets. */
export const copied = ({ source }: Block): Json =>
  fresh(Object.fromEntries(Object.entries<Json>(source).filter(([name]) => !name.startsWith("_"))));

/** Text of others on one line, short, and without what could imitate a header. */
export const label = (text: string): string => neutral(firstOf(text, MOST_OF_NAME));

/** The line that replaces a block. */
export function placeholder(block: Block): string {
  if (!isFile(block)) return `[part (${label(block.type) || "unknown"})]`;
  const line = `[${label(block.name ?? "") || "file"} (${label(block.mediaType)})]`;
  const where = block.url && isWebUrl(block.url) ? ` <${block.url}>` : "";
  return (imitates(line) ? `[file ${line.slice(1)}` : line) + where;
}
