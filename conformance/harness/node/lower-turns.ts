// Rows, whatever program stored them, as turns of one form; and where blocks of context go.

import {
  type Any, type Block, isCall, isResult, isTextBlock, opaque, textBlock, textIn, thought,
} from "./lower-block.ts";
import { chatResult, readBlock } from "./lower-read.ts";
import { chatCall } from "./lower-read-calls.ts";
import { must } from "./rejected.ts";
import { isObject, isText, type Json } from "./shape.ts";
import { stripped } from "./text.ts";

export const ROLES: Record<string, string> = {
  system: "system", developer: "developer", user: "user", assistant: "assistant", model: "assistant", tool: "tool",
};
export const ITEMS = ["function_call", "function_call_output", "reasoning"]; // of the Responses API, without a role
const HOST = ["system", "developer"];
const CONTEXTS = ["thread_context", "ambient"];
const CONTEXT_LINE = "[Context — not written by the sender of this message]";

/** One message of a role. */
export interface Turn {
  role: string;
  at: string;
  blocks: Any[];
  /** Whether its content came as a string. */
  isString: boolean;
  isContext: boolean;
  row: Json;
}

/** Rows in order. An item of an assistant goes into the turn before it, where that is the assistant's. */
export function readTurns(rows: Json[], form: string): Turn[] {
  must(Array.isArray(rows));
  const turns: Turn[] = [];
  rows.forEach((row, index) => {
    const turn = turnOf(row, index, form);
    const last = turns.at(-1);
    if (!("role" in row) && turn.role === "assistant" && last?.role === "assistant") last.blocks.push(...turn.blocks);
    else turns.push(...steps(turn, form));
  });
  return turns;
}

function turnOf(row: Json, index: number, form: string): Turn {
  must(isObject(row) && !("_metadata" in row));
  const at = `/${index}`;
  if (!("role" in row) && ITEMS.includes(row.type)) return item(row, at);
  must(isText(row.role) && Object.hasOwn(ROLES, row.role));
  const role = ROLES[row.role] as string;
  const hasParts = row.parts?.length > 0 || (!("content" in row) && "parts" in row);
  const member = hasParts ? "parts" : "content";
  const content = row[member] ?? null;
  must(content === null || isText(content) || Array.isArray(content));
  let blocks = blocksOf(content, `${at}/${member}`);
  if (role === "tool" && (isText(row.tool_call_id) || !Array.isArray(content))) blocks = [chatResult(row, at)];
  else if (role === "assistant") blocks.push(...otherMembers(row, at, form));
  if (role !== "assistant") blocks = blocks.filter(({ is }) => is !== "break");
  const isContext = role === "system" && CONTEXTS.includes(row._assembled);
  return { role, at, blocks, isString: isText(content), isContext, row };
}

function blocksOf(content: Json, at: string): Any[] {
  if (content === null) return [];
  if (isText(content)) return [textBlock(content, at)];
  return content.flatMap((block: Json, index: number) => {
    must(isText(block) || isObject(block));
    return isText(block) ? [textBlock(block, `${at}/${index}`)] : readBlock(block, `${at}/${index}`);
  });
}

function item(row: Json, at: string): Turn {
  const isReasoning = row.type === "reasoning";
  const blocks = isReasoning ? [thought(at, row.type, row, ["openai-responses"])] : readBlock(row, at);
  const role = blocks[0]?.is === "result" ? "tool" : "assistant";
  return { role, at, blocks, isString: false, isContext: false, row: {} };
}

/** Blocks of an assistant's other members: calls, and for other dialects a refusal and a recording. */
function otherMembers(row: Json, at: string, form: string): Any[] {
  const blocks: Any[] = [];
  const refusal = textIn(row, "refusal");
  if (refusal && form !== "openai") blocks.push(textBlock(refusal, `${at}/refusal`));
  if (isObject(row.audio) && form !== "openai") blocks.push(opaque(`${at}/audio`, "audio", {}));
  const calls = row.tool_calls ?? [];
  must(Array.isArray(calls) && calls.every(isObject));
  return [...blocks, ...calls.flatMap((call: Json, index: number) => chatCall(call, `${at}/tool_calls/${index}`))];
}

/** Whether a result in a turn of an assistant may stay there. */
export const stays = (block: Block, form: string): boolean => form === "vercel" && block.type === "tool-result";

/** The turn of an agent, split at its steps: results go between two of them. */
function steps(turn: Turn, form: string): Turn[] {
  if (turn.role !== "assistant" || !turn.blocks.some((block) => block.is === "break" || isResult(block))) return [turn];
  const found: Any[][] = [[]];
  let [isAnswered, isEnded] = [false, false];
  for (const block of turn.blocks) {
    if (block.is === "break") {
      isEnded = true;
      continue;
    }
    if (isEnded || (isAnswered && !isCall(block) && !isResult(block))) {
      found.push([]);
      isAnswered = isEnded = false;
    }
    isAnswered ||= isResult(block) && !stays(block, form);
    found.at(-1)?.push(block);
  }
  const some = found.filter((blocks) => blocks.length);
  return (some.length ? some : [[]]).map((blocks) => ({ ...turn, blocks, isString: turn.isString && !some.length }));
}

/** Texts with blank lines between them, without blank ones. */
export const joinedTexts = (texts: string[]): string => texts.filter((text) => stripped(text)).join("\n\n");

/** Each block of context at the beginning of the user's turn after it; one without such a turn stays last. */
export function intoUsers(turns: Turn[]): Turn[] {
  const placed: Turn[] = [];
  let waiting: Turn[] = [];
  for (const turn of turns) {
    if (turn.isContext) waiting.push(turn);
    else if (turn.role === "user" && waiting.length) {
      const texts = waiting.flatMap(({ blocks }) => blocks.filter(isTextBlock));
      const above = texts.map(({ text, at }) => textBlock(`${CONTEXT_LINE}\n${text}`, at));
      placed.push({ ...turn, blocks: [...above, ...turn.blocks], isString: false });
      waiting = [];
    } else placed.push(turn);
  }
  return [...placed, ...waiting];
}

const isHost = ({ role, isContext }: Turn): boolean => HOST.includes(role) && !isContext;

/** The turns of the host before the first of another. */
function leading(turns: Turn[]): Turn[] {
  const count = turns.findIndex((turn) => !isHost(turn));
  return count < 0 ? turns : turns.slice(0, count);
}

/** The leading system messages and all context as one system message. */
export function toTheHead(turns: Turn[], textOf: (turn: Turn) => string): Turn[] {
  const contexts = turns.filter(({ isContext }) => isContext);
  if (!contexts.length) return turns;
  const rest = turns.filter(({ isContext }) => !isContext);
  const head = leading(rest);
  const text = joinedTexts([...head, ...contexts].map(textOf));
  const { role, at, row } = (head[0] ?? contexts[0]) as Turn;
  const one = { role, at, row, blocks: text ? [textBlock(text, at)] : [], isString: true, isContext: false };
  return [one, ...rest.slice(head.length)];
}

/** All system text, the leading turns first, and the other turns. */
export function splitSystem(turns: Turn[], textOf: (turn: Turn) => string): { system: string | null; turns: Turn[] } {
  const head = leading(turns.filter(({ isContext }) => !isContext));
  const later = turns.filter((turn) => HOST.includes(turn.role) && !head.includes(turn));
  const text = joinedTexts([...head, ...later].map(textOf));
  return { system: text || null, turns: turns.filter(({ role }) => !HOST.includes(role)) };
}
