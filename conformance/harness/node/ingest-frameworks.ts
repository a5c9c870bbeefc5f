// The histories of frameworks of agents as rows: Message Ingest Contract, decision I16. What only the framework knows
// stays in a row as it is.

import { objectIn, textIn } from "./lower-block.ts";
import { pydanticBlock } from "./lower-read-others.ts";
import { ITEMS, ROLES } from "./lower-turns.ts";
import { must } from "./rejected.ts";
import { anything, isObject, isText, type Json, strictly, type Value } from "./shape.ts";

const LANGCHAIN_ROLES: Record<string, string> = {
  human: "user", user: "user", ai: "assistant", assistant: "assistant", system: "system", tool: "tool",
  function: "tool", chat: "user",
};
/** Blocks that are calls: LangChain keeps calls of some providers in the content, too. */
const CALLS = ["tool_use", "function_call", "tool_call"];

const listIn = (data: Json, name: string): Json[] => (Array.isArray(data[name]) ? data[name] : []);
const wordIn = (words: Record<string, string>, word: Json): string | undefined =>
  isText(word) && Object.hasOwn(words, word) ? words[word] : undefined;

/** A message of LangChain: bare, in `data`, or in `kwargs`. */
function langChainRows(message: Json): Json[] {
  const isDumped = isObject(message.kwargs);
  const data = isDumped ? message.kwargs : isObject(message.data) ? message.data : message;
  const { type } = isDumped ? data : message;
  const kind = isText(type) ? type.replace(/MessageChunk$/, "").toLowerCase() : undefined;
  const role = wordIn(LANGCHAIN_ROLES, kind);
  must(role !== undefined);
  const { content = null } = data;
  const name = textIn(data, "name");
  const named = name === undefined ? {} : { name };
  if (role === "tool") {
    const kept = ["tool_call_id", "status"].filter((one) => one in data).map((one) => [one, data[one]]);
    return [{ role, content, ...Object.fromEntries(kept), ...named }];
  }
  const added = langChainCalls(content, data);
  const author = langChainAuthor(kind as string, role, data);
  return [{ role: author, content: added.length ? [...blocksOf(content), ...added] : content, ...named }];
}

/** The content before calls: blocks as they are. */
function blocksOf(content: Json): Json[] {
  if (content === null || content === "") return [];
  return Array.isArray(content) ? content : [content];
}

/** A message of the kind `chat` names a role of its own, and a system message may be the developer's. */
function langChainAuthor(kind: string, role: string, data: Json): string {
  if (kind === "chat" && isText(data.role)) return wordIn(ROLES, data.role) ?? "user";
  const isDeveloper = objectIn(data, "additional_kwargs").__openai_role__ === "developer";
  return role === "system" && isDeveloper ? "developer" : role;
}

/** The calls of a message that are not in its content, too. */
function langChainCalls(content: Json, data: Json): Json[] {
  const blocks = Array.isArray(content) ? content : [];
  const inside = blocks.filter((block) => isObject(block) && CALLS.includes(block.type));
  const ids = inside.map((block) => textIn(block, "call_id", "id"));
  const typed = (member: string, type: string) =>
    listIn(data, member)
      .filter((call) => !isObject(call) || !ids.includes(textIn(call, "id")))
      .map((call) => (isObject(call) ? { ...call, type } : call));
  return [...typed("tool_calls", "tool_call"), ...typed("invalid_tool_calls", "invalid_tool_call")];
}

/** The messages of pydantic-ai. Instructions are repeated in each request, and become a row when they change. */
function pydanticRows(): (message: Json) => Json[] {
  let last: string | undefined;
  return ({ kind, parts, ...message }) => {
    must(kind === "request" || kind === "response");
    must(Array.isArray(parts) && parts.every(isObject));
    if (kind === "response") return [{ role: "assistant", content: parts }];
    const instructions = textIn(message, "instructions");
    const isNew = instructions && instructions !== last;
    if (isNew) last = instructions;
    return [...(isNew ? [{ role: "system", content: instructions }] : []), ...parts.map(requestRow)];
  };
}

/** A part of a request, by who speaks in it. */
function requestRow(part: Json): Value {
  const { part_kind: kind, content = null } = part;
  if (kind === "user-prompt") return { role: "user", content };
  if (kind === "system-prompt") return { role: "system", content };
  const isResult = kind === "tool-return" || (kind === "retry-prompt" && (part.tool_name ?? null) !== null);
  if (isResult) return { role: "tool", content: [part] };
  if (["retry-prompt", "retry-feedback"].includes(kind) && isText(content)) return { role: "user", content };
  // what only the framework knows says nothing to a model; all else is a person's
  return { role: pydanticBlock(part, "").is === "opaque" ? "system" : "user", content: [part] };
}

/** An item of OpenAI: most are rows. */
function openAiRows(item: Json): Json[] {
  const { type: kind = "message", call_id: id = null, name = null, input = null, output = null } = item;
  if ("role" in item || ITEMS.includes(kind)) return [item];
  if (kind === "custom_tool_call") {
    const call = { type: "custom", id, custom: { name, input } };
    return [{ role: "assistant", content: null, tool_calls: [call] }];
  }
  if (kind === "custom_tool_call_output") return [{ type: "function_call_output", call_id: id, output }];
  return [{ role: "assistant", content: [item] }];
}

const READERS: Record<string, () => (message: Json) => Json[]> = {
  "pydantic-ai": pydanticRows,
  langchain: () => langChainRows,
  "openai-agents": () => openAiRows,
};

/** `ingest.read_messages`. */
export function readMessages({ messages, dialect }: Value): Json[] {
  must(isText(dialect) && Object.hasOwn(READERS, dialect) && Array.isArray(messages));
  const read = (READERS[dialect] as () => (message: Json) => Json[])();
  return messages.flatMap((message) => {
    must(isObject(message));
    return read(message).map((row) => strictly(anything, row));
  });
}
