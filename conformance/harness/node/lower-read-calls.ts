// Calls of tools in blocks of all dialects.

import { type Any, type Call, hasMembers, objectIn, opaque, textIn } from "./lower-block.ts";
import { isText, type Json } from "./shape.ts";

export type Reader = (block: Json, at: string) => Any[] | undefined;

interface CallFacts {
  id: string | undefined;
  name: string | undefined;
  args: Json;
  native?: string | undefined;
}

export function call(block: Json, at: string, { id = "", name, args, native }: CallFacts): Call[] | undefined {
  if (!name) return undefined;
  const type = isText(block.type) ? block.type : "function_call";
  return [{ is: "call", at, type, dialects: native ? [native] : [], source: block, id, name, args }];
}

/** One of `tool_calls`. A custom tool takes any text in place of arguments. */
export function chatCall(given: Json, at: string): Any[] {
  const custom = objectIn(given, "custom");
  const isCustom = hasMembers(custom);
  const tool = isCustom ? custom : objectIn(given, "function");
  const [id, name, args] = [textIn(given, "id"), textIn(tool, "name"), isCustom ? tool.input : tool.arguments];
  const native = id && isText(args) && isText(given.type) ? "openai" : undefined;
  return call(given, at, { id, name, args, native }) ?? [opaque(at, "tool_call", given)];
}

/** Calls of one type of block: where their id, name and arguments stand, and when they are of their dialect. */
export const calls = (members: string[], dialect: string, fits: (args: Json) => boolean): Reader =>
  (block, at) => {
    const [idMember, nameMember, member] = members as [string, string, string];
    const [id, name] = [textIn(block, idMember), textIn(block, nameMember)];
    const args = block[member] ?? (member === "input" ? block.args : undefined);
    return call(block, at, { id, name, args, native: id && fits(block[member]) ? dialect : undefined });
  };
