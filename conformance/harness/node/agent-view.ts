// A thread with several agents as one of them sees it: what another agent wrote is a user turn, without the calls and
// results of its tools, and what is hidden from this agent is left out.

import { GEMINI_CODE } from "./lower-read.ts";
import { isObject, isText, type Json } from "./shape.ts";

/** The members that hold the content of a row: `content`, or `parts` (Gemini, messages of user interfaces). */
export const CONTENTS = ["content", "parts"];
/** Of a block or item that calls a tool, and of one with a result: the member with the id of the call. */
const CALLS: Record<string, string> = { tool_use: "id", "tool-call": "toolCallId", function_call: "call_id" };
const RESULTS: Record<string, string> = {
  tool_result: "tool_use_id", "tool-result": "toolCallId", function_call_output: "call_id",
};
const GEMINI_CALLS = ["function_call", "functionCall"];
const GEMINI_RESULTS = ["function_response", "functionResponse"];
const INTERNAL = ["thinking", "redacted_thinking", "reasoning", "reasoning-file", "server_tool_use", "dynamic-tool"];

const asText = (value: Json): string => (isText(value) ? value : "");

/** The id of the call in a block, or of its result; empty when it has none; undefined for any other block. */
function idIn(block: Json, kinds: Record<string, string>, ofGemini: string[]): string | undefined {
  if (!isObject(block)) return undefined;
  if (isText(block.type)) {
    return Object.hasOwn(kinds, block.type) ? asText(block[kinds[block.type] as string]) : undefined;
  }
  const inner = ofGemini.map((name) => block[name]).find(isObject);
  return inner && (asText(inner.id) || asText(inner.name));
}
const callIn = (block: Json) => idIn(block, CALLS, GEMINI_CALLS);
const resultIn = (block: Json) => idIn(block, RESULTS, GEMINI_RESULTS);

/** Whether a block is reasoning, or belongs to a tool. */
function isInternal(block: Json): boolean {
  if (!isObject(block)) return false;
  const { type } = block;
  if (isText(type)) return INTERNAL.includes(type) || type.startsWith("tool-") || type.endsWith("tool_result");
  return resultIn(block) !== undefined || block.thought === true || GEMINI_CODE.some((name) => name in block);
}

/** The ids of the calls in a row. */
function callsIn(row: Json): string[] {
  const calls = Array.isArray(row.tool_calls) ? row.tool_calls : [];
  const listed = calls.filter(isObject).map((call: Json) => asText(call.id));
  const blocks = CONTENTS.flatMap((name) => (Array.isArray(row[name]) ? row[name] : []));
  return [...listed, ...[row, ...blocks].map(callIn).filter((id) => id !== undefined)];
}

/** What one agent sees of the rows, one after another. */
export class AgentView {
  agent: string;
  /** Calls of others, and own calls whose results are still to come. */
  theirs = new Set<string>();
  own = new Set<string>();

  constructor(agent: string) {
    this.agent = agent;
  }

  /** The row, a user turn in its place, or undefined when this agent must not see it. */
  of(row: Json, metadata: Json | undefined): Json | undefined {
    const isOwnKind = ["assistant", "model"].includes(row.role) || !("role" in row);
    const [sender, recipient] = [metadata?.sender_id, metadata?.recipient_id];
    const isSecret = metadata?.hidden === true;
    const isHidden = isSecret && sender !== this.agent && recipient !== this.agent;
    if (isHidden && (!isOwnKind || resultIn(row) !== undefined)) return this.ownResults(row);
    if (isOwnKind && isText(sender) && sender !== "" && sender !== this.agent) return this.asSpeaker(row, isSecret);
    if (isOwnKind) {
      for (const id of callsIn(row)) {
        this.own.add(id);
        this.theirs.delete(id);
      }
    }
    return this.theirs.size || this.own.size ? this.withoutTheirs(row) : row;
  }

  /** Of a hidden row, the results of own calls: a provider refuses a call without its result. */
  ownResults(row: Json): Json | undefined {
    const isOwn = (id: string | undefined) => Boolean(id) && this.own.has(id as string);
    if (isOwn(asText(row.tool_call_id)) || isOwn(resultIn(row))) return this.withoutTheirs(row);
    const kept: Json = { ...row };
    for (const name of CONTENTS) {
      if (Array.isArray(row[name])) kept[name] = row[name].filter((block: Json) => isOwn(resultIn(block)));
      else delete kept[name];
    }
    return CONTENTS.some((name) => kept[name]?.length) ? this.withoutTheirs(kept) : undefined;
  }

  /** A row of another agent as a user turn with its text and files. */
  asSpeaker(row: Json, isSecret: boolean): Json | undefined {
    for (const id of callsIn(row)) if (!this.own.has(id)) this.theirs.add(id);
    const turn: Json = { ...row, role: "user" };
    delete turn.tool_calls;
    for (const name of CONTENTS) {
      const content = row[name];
      if (Array.isArray(content)) turn[name] = content.filter((one) => callIn(one) === undefined && !isInternal(one));
      if (!content?.length) delete turn[name];
    }
    return CONTENTS.some((name) => turn[name]?.length) && !isSecret ? turn : undefined;
  }

  /** A row without the results of other agents' calls; undefined when it has nothing else. */
  withoutTheirs(row: Json): Json | undefined {
    if (this.isOfTheirs(asText(row.tool_call_id) || undefined) || this.isOfTheirs(resultIn(row))) return undefined;
    const kept: Json = { ...row };
    for (const name of CONTENTS) {
      if (!Array.isArray(row[name])) continue;
      kept[name] = row[name].filter((block: Json) => !this.isOfTheirs(resultIn(block)));
      if (row[name].length && !kept[name].length) return undefined;
    }
    return kept;
  }

  /** Whether a result is another agent's. An own call with the same id that waits comes first. */
  isOfTheirs(id: string | undefined): boolean {
    if (id === undefined) return false;
    return this.own.delete(id) ? false : this.theirs.has(id);
  }
}
