// What the writers of all dialects share.

import {
  type Any, type Block, type Call, copied, type File, fresh, isCall, isFile, isTextBlock, jsonText, placeholder,
  type Result, textIn,
} from "./lower-block.ts";
import { ANY_IMAGE } from "./lower-files.ts";
import { parseText } from "./json.ts";
import { joinedTexts, type Turn } from "./lower-turns.ts";
import { readOrNone } from "./rejected.ts";
import { isObject, isText, type Json } from "./shape.ts";
import { bytesIn, stripped, wellFormed } from "./text.ts";

const EARLIER = "[Earlier messages are not shown.]";
const NOTHING_NEWER = "[There is no newer message.]";

export abstract class Writer {
  abstract dialect: string;
  /** By role, the types of blocks that are taken as they came; null for all. */
  abstract native: Record<string, string[] | null>;
  refused: Map<string, string>;
  codes: string[] = [];

  constructor(refused: Map<string, string>) {
    this.refused = refused;
  }

  /** A file as a block; undefined where the dialect takes none of its kind. */
  abstract file(file: File, role: string): Json | undefined;
  abstract call(call: Call): Json;
  /** A turn as messages; none when it is empty. */
  abstract messages(turn: Turn): Json[];

  text(text: string, _role: string): Json {
    return { type: "text", text };
  }

  /** A block that is of this dialect already. */
  own(block: Block): Json {
    return copied(block);
  }

  /** All messages, as the provider takes them. */
  finished(messages: Json[]): Json[] {
    return messages;
  }

  write(turns: Turn[]): Json[] {
    const written = turns.flatMap((turn) => {
      const messages = this.messages(turn);
      if (!messages.length) this.codes.push("turn-dropped");
      return messages;
    });
    return this.finished(written);
  }

  /** A call or a result as it came where it is of this dialect, else as it is written; both under its ids. */
  withIds(block: Call | Result, ids: Json, write: () => Json): Json {
    return { ...(this.isNative(block) ? copied(block) : write()), ...ids };
  }

  isNative(block: Block): boolean {
    return block.dialects.includes(this.dialect);
  }

  /** Blocks in the dialect: its own as they are, and a line of text for those that have no form in it. */
  blocks(blocks: Any[], role: string): Json[] {
    return blocks.flatMap((block) => this.block(block, role));
  }

  block(block: Any, role: string): Json[] {
    if (isCall(block) && role === "assistant") return [this.call(block)];
    const refusal = isFile(block) ? this.refused.get(block.at) : undefined;
    if (refusal) {
      this.codes.push(refusal);
      return [this.text(placeholder(block), role)];
    }
    const allowed = Object.hasOwn(this.native, role) ? (this.native[role] as string[] | null) : [];
    const isPrivate = isCall(block) || block.is === "thought";
    const isTaken = allowed === null ? role === "assistant" || !isPrivate : allowed.includes(block.type);
    if (this.isNative(block) && isTaken) return [this.own(block)];
    if (isTextBlock(block)) return [this.text(block.text, role)];
    const file = isFile(block) ? this.file(block, role) : undefined;
    if (file !== undefined) return [file];
    this.codes.push("part-unsupported");
    return block.is === "thought" ? [] : [this.text(placeholder(block), role)];
  }

  /** A turn as one text. */
  systemText(turn: Turn): string {
    return joinedTexts(turn.blocks.map((block) => {
      if (isTextBlock(block)) return block.text;
      this.codes.push("part-unsupported");
      return block.is === "thought" ? "" : placeholder(block);
    }));
  }

  /** The output of a tool: blocks, or text. */
  output({ blocks, output }: Result): Json {
    if (blocks) return this.blocks(blocks, "tool");
    return isText(output) ? output : jsonText(output);
  }
}

/** The arguments of a call as the text of a JSON object; text of a model stays as it is. */
export const argumentsText = ({ args }: Call): string =>
  isText(args) ? args || "{}" : (args ?? null) === null ? "{}" : jsonText(args);

/** The arguments of a call as an object; anything else is its one argument. */
export function argumentsObject({ args = null }: Call): Json {
  if (isObject(args)) return fresh(args);
  if (args === null || args === "") return {};
  if (!isText(args)) return { arguments: jsonText(args) };
  const text = wellFormed(args);
  // A model may write broken JSON.
  const parsed = readOrNone(() => parseText(text, { maxBytes: bytesIn(args), safeIntegers: false }));
  return isObject(parsed) ? parsed : { arguments: text };
}

/** The bytes of a file in base64, also of one that came as text. */
export const dataOf = ({ text, data }: File): string | undefined =>
  text === undefined ? data : Buffer.from(text, "utf8").toString("base64");
export const dataUrl = (file: File): string => `data:${file.mediaType};base64,${dataOf(file)}`;
export const urlOf = (file: File): string | undefined => file.url || (file.data ? dataUrl(file) : undefined);
/** Whether a file is an image. One with bytes needs its exact media type. */
export const isImage = ({ mediaType, data }: File): boolean =>
  mediaType.startsWith("image/") && (data === undefined || mediaType !== ANY_IMAGE);

/** Some members of a row, where they are text. */
export const knownIn = (row: Json, ...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, textIn(row, name)]).filter(([, text]) => text !== undefined));

export const isBlank = ({ text }: Json): boolean => isText(text) && !stripped(text);

/** Messages of which the first and the last are a user's. */
export function betweenUsers(messages: Json[], member: string, line: (text: string) => Json): Json[] {
  const userLine = (text: string) => ({ role: "user", [member]: [line(text)], isString: true });
  const [first, last] = [messages[0], messages.at(-1)];
  const before = first && first.role !== "user" ? [userLine(EARLIER)] : [];
  const behind = last && last.role !== "user" ? [userLine(NOTHING_NEWER)] : [];
  return [...before, ...messages, ...behind];
}

/** Consecutive messages of one role as one; results of tools come first in it. */
export function merged(messages: Json[], member: string, isResult: (block: Json) => boolean): Json[] {
  const runs: Json[] = [];
  for (const message of messages) {
    const last = runs.at(-1);
    if (last?.role === message.role) {
      runs[runs.length - 1] = { ...last, [member]: [...last[member], ...message[member]], isString: false };
    } else runs.push(message);
  }
  return runs.map((run) => {
    const [results, others] = [run[member].filter(isResult), run[member].filter((block: Json) => !isResult(block))];
    return { ...run, [member]: [...results, ...others] };
  });
}
