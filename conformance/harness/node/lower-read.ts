// Blocks of all dialects: text, calls and results of tools, and what is for one provider only.

import {
  type Any, type Block, hasMembers, isFile, isTextBlock, objectIn, opaque, type Result, type Text, textBlock, textIn,
  thought,
} from "./lower-block.ts";
import { call, calls, type Reader } from "./lower-read-calls.ts";
import { FILES, geminiFile } from "./lower-files.ts";
import { bedrockBlock, pydanticBlock } from "./lower-read-others.ts";
import { isObject, isText, type Json } from "./shape.ts";
import { wellFormed } from "./text.ts";

/** Members of blocks of type `text`, a type of four dialects, and the dialects that have them. */
const OF_TEXTS: Record<string, string[]> = {
  annotations: ["openai-responses", "langchain"],
  cache_control: ["openai", "anthropic", "langchain"],
  citations: ["anthropic", "langchain"],
  extras: ["langchain"],
  id: ["langchain"],
  index: ["langchain"],
  providerMetadata: ["vercel"],
  providerOptions: ["vercel"],
  state: ["vercel"],
};
const OPAQUE: Record<string, string> = {
  ...Object.fromEntries(
    (
      "bash_code_execution_tool_result browser_state code_execution_tool_result container_upload search_result " +
      "server_tool_use text_editor_code_execution_tool_result tool_reference tool_search_tool_result " +
      "web_fetch_tool_result web_search_tool_result"
    ).split(" ").map((type) => [type, "anthropic"]),
  ),
  custom: "vercel",
  non_standard: "langchain",
  server_tool_call: "langchain",
  server_tool_result: "langchain",
};
/** Of blocks for one provider only: its dialects, and the texts that they must have. */
const THOUGHTS: Record<string, [string[], string[]]> = {
  reasoning: [["vercel"], ["text"]],
  "reasoning-file": [["vercel"], ["mediaType"]],
  redacted_thinking: [["anthropic", "langchain"], ["data"]],
  thinking: [["anthropic", "langchain"], ["thinking", "signature"]],
  "tool-approval-request": [["vercel"], ["approvalId", "toolCallId"]],
  "tool-approval-response": [["vercel"], ["approvalId"]],
};
/** The members of parts of Gemini for code that the model wrote and ran. */
export const GEMINI_CODE = ["executable_code", "executableCode", "code_execution_result", "codeExecutionResult"];
const GEMINI_DATA = [
  "function_call", "functionCall", "function_response", "functionResponse", "inline_data", "inlineData", "file_data",
  "fileData", ...GEMINI_CODE,
];
const NOT_ALLOWED = "The tool was not allowed to run.";
const FAILED = "The tool failed.";
const OUTPUTS = ["output", "result", "error"]; // the only member of a response of Gemini, where there is no object
const TOOLS = [
  "function_call", "function_call_output", "invalid_tool_call", "tool-call", "tool-result", "tool_call", "tool_result",
  "tool_use",
];

/** A block; a call that includes its result becomes two. */
export function readBlock(block: Json, at: string): Any[] {
  const kind = block.type ?? null;
  if (kind === null) return part(block, at);
  if (!isText(kind)) return [opaque(at, "", block)];
  const found = Object.hasOwn(READERS, kind) ? READERS[kind]?.(block, at) : undefined;
  if (found) return found;
  const file = Object.hasOwn(FILES, kind) ? FILES[kind] : undefined;
  if (file) return [file(block, at)];
  const isOfInterface = kind === "dynamic-tool" || (kind.startsWith("tool-") && !Object.hasOwn(READERS, kind));
  if (isOfInterface) return interfaceTool(block, at) ?? [opaque(at, kind, block)];
  return [opaque(at, kind, block, Object.hasOwn(OPAQUE, kind) ? [OPAQUE[kind] as string] : [])];
}

function words(block: Json, at: string, dialects: string[], member = "text"): Text[] | undefined {
  const given = block[member];
  if (!isText(given)) return undefined;
  const text = wellFormed(given);
  const type = isText(block.type) ? block.type : "text";
  return [{ is: "text", at, type, dialects, source: { ...block, [member]: text }, text }];
}

function text(block: Json, at: string): Text[] | undefined {
  const special = Object.keys(block).filter((name) => Object.hasOwn(OF_TEXTS, name));
  const all = ["openai", "anthropic", "vercel", "langchain"];
  return words(block, at, all.filter((one) => special.every((name) => OF_TEXTS[name]?.includes(one))));
}

function thoughtOf(block: Json, at: string): Block[] {
  if (block.type === "reasoning" && isText(block.reasoning)) return [thought(at, block.type, block, ["langchain"])];
  const [dialects, members] = THOUGHTS[block.type] as [string[], string[]];
  const fits = members.every((name) => isText(block[name]) && (block[name] !== "" || name === "text"));
  return [thought(at, block.type, block, fits ? dialects : [])];
}

interface ResultFacts {
  id: string | undefined;
  output: Json;
  native?: string | undefined;
  name?: string | undefined;
  isError?: boolean;
}

/** A result; an output may be blocks. */
function result(block: Json, at: string, { id = "", output, native, name = "", isError = false }: ResultFacts): Result {
  const type = isText(block.type) ? block.type : "function_response";
  const blocks = output instanceof Blocks ? output.blocks : undefined;
  return { is: "result", at, type, dialects: native ? [native] : [], source: block, id, name, output, blocks, isError };
}

/** The output of a tool that is blocks. */
class Blocks {
  blocks: Block[];

  constructor(blocks: Block[]) {
    this.blocks = blocks;
  }
}

const textOrJson = (value: Json): Json => (isText(value) ? wellFormed(value) : (value ?? ""));

/** The output of a tool as text or blocks. */
function output(value: Json, at: string): Json {
  if (!Array.isArray(value) || !value.every(isObject)) return textOrJson(value);
  return new Blocks(value.map((item, index) => inResult(item, `${at}/${index}`)));
}

function inResult(block: Json, at: string): Block {
  const kind = block.type ?? "";
  const found = TOOLS.includes(kind) ? [] : readBlock(block, at);
  const [only] = found;
  const isOne = found.length === 1 && only !== undefined;
  const isPlain = isOne && (isTextBlock(only) || isFile(only) || only.is === "opaque");
  return isPlain ? only : opaque(at, isText(kind) ? kind : "", block);
}

const isAllOf = (value: Json, dialect: string): boolean =>
  isText(value) || (value instanceof Blocks && value.blocks.every(({ dialects }) => dialects.includes(dialect)));

/** A whole row of role `tool`. */
export function chatResult(row: Json, at: string): Result {
  const content = "content" in row ? row.content : row.parts;
  const [id, name, isError] = [textIn(row, "tool_call_id"), textIn(row, "name", "tool_name"), row.status === "error"];
  return result({ ...row, type: "tool" }, at, { id, name, output: output(content, `${at}/content`), isError });
}

function responseResult(block: Json, at: string): Any[] {
  const [id, found] = [textIn(block, "call_id"), output(block.output, `${at}/output`)];
  const isThere = Array.isArray(block.output) ? block.output.length > 0 : Boolean(block.output);
  const native = id && isThere && isAllOf(found, "openai-responses") ? "openai-responses" : undefined;
  return [result(block, at, { id, output: found, native })];
}

function toolResult(block: Json, at: string): Any[] {
  const [id, found] = [textIn(block, "tool_use_id"), output(block.content, `${at}/content`)];
  const native = id && isAllOf(found, "anthropic") ? "anthropic" : undefined;
  return [result(block, at, { id, output: found, native, isError: block.is_error === true })];
}

/** A result of Vercel; before version 5 it had any JSON as `result` in place of an `output` with a type. */
function vercelResult(block: Json, at: string): Any[] {
  const [id, name, envelope] = [textIn(block, "toolCallId"), textIn(block, "toolName"), objectIn(block, "output")];
  if (!("output" in block)) {
    return [result(block, at, { id, name, output: textOrJson(block.result), isError: block.isError === true })];
  }
  const { type, value } = envelope;
  const own = id && name ? "vercel" : undefined;
  const isError = ["error-text", "error-json", "execution-denied"].includes(type);
  const answer = (found: Json, fits: boolean) =>
    [result(block, at, { id, name, output: found, native: fits ? own : undefined, isError })];
  if (type === "text" || type === "error-text") return answer(textIn(envelope, "value") ?? "", isText(value));
  if (type === "json" || type === "error-json") return answer(textOrJson(value), "value" in envelope);
  if (type === "content") {
    const found = output(value, `${at}/output/value`);
    return answer(found, found instanceof Blocks && isAllOf(found, "vercel"));
  }
  if (type === "execution-denied") return answer(textIn(envelope, "reason") || NOT_ALLOWED, true);
  return answer(textOrJson(block.output), false);
}

/** A tool in a message for interfaces: the call, and its result when there is one. */
function interfaceTool(block: Json, at: string): Any[] | undefined {
  const name = block.type === "dynamic-tool" ? textIn(block, "toolName") : block.type.replace(/^tool-/, "");
  const id = textIn(block, "toolCallId");
  const made = id ? call(block, at, { id, name, args: block.input }) : undefined;
  if (!made || !["output-available", "output-error", "output-denied"].includes(block.state)) return made;
  const isError = block.state !== "output-available";
  const answer = isError ? textIn(block, "errorText") || FAILED : textOrJson(block.output);
  return [...made, result(block, at, { id, name, output: answer, isError })];
}

/** A part without a type: of Gemini, of Bedrock, or of pydantic-ai. */
function part(block: Json, at: string): Any[] {
  if (isText(block.text) && block.thought !== true) {
    if (GEMINI_DATA.some((name) => name in block)) {
      const { text: given, ...rest } = block;
      return [textBlock(given, at), ...part(rest, at)];
    }
    const isAlone = Object.keys(block).every((name) => name === "text" || name.startsWith("_"));
    return words(block, at, isAlone ? ["gemini", "bedrock"] : ["gemini"]) ?? [];
  }
  if ("part_kind" in block || "kind" in block) return [pydanticBlock(block, at)];
  if (block.thought === true) return [thought(at, "thought", block, ["gemini"])];
  const file = geminiFile(block, at);
  if (file) return [file];
  const called = objectIn(block, "function_call", "functionCall");
  if (hasMembers(called)) {
    const args = called.args || {};
    const native = isObject(args) ? "gemini" : undefined;
    const facts = { id: textIn(called, "id"), name: textIn(called, "name"), args, native };
    return call(block, at, facts) ?? [opaque(at, "", block)];
  }
  const answered = objectIn(block, "function_response", "functionResponse");
  if (hasMembers(answered)) return [geminiResult(block, answered, at)];
  const found = bedrockBlock(block, at);
  if (found) return [found];
  const own = Object.keys(block).filter((name) => !name.startsWith("_"));
  if (own.length !== 1) return [opaque(at, "", block)];
  return [opaque(at, own[0] as string, block, GEMINI_CODE.includes(own[0] as string) ? ["gemini"] : [])];
}

function geminiResult(block: Json, answered: Json, at: string): Result {
  const [id, name, response] = [textIn(answered, "id"), textIn(answered, "name"), answered.response];
  const [only, ...others] = isObject(response) ? Object.keys(response) : [];
  const isWrapped = only !== undefined && !others.length && OUTPUTS.includes(only);
  const native = name && isObject(response) ? "gemini" : undefined;
  const answer = textOrJson(isWrapped ? response[only] : response);
  return result(block, at, { id, name, output: answer, native, isError: isWrapped && only === "error" });
}

const READERS: Record<string, Reader> = {
  text,
  input_text: (block, at) => words(block, at, ["openai-responses"]),
  output_text: (block, at) => words(block, at, ["openai-responses"]),
  refusal: (block, at) => words(block, at, ["openai", "openai-responses"], "refusal"),
  "step-start": (block, at) => [{ is: "break", at, type: "step-start", dialects: [], source: block }],
  function_call: calls(["call_id", "name", "arguments"], "openai-responses", isText),
  function_call_output: responseResult,
  tool_use: calls(["id", "name", "input"], "anthropic", isObject),
  tool_result: toolResult,
  "tool-call": calls(["toolCallId", "toolName", "input"], "vercel", isObject),
  tool_call: calls(["id", "name", "args"], "", () => false),
  invalid_tool_call: calls(["id", "name", "args"], "", () => false),
  "tool-result": vercelResult,
  ...Object.fromEntries(Object.keys(THOUGHTS).map((type) => [type, thoughtOf])),
};
