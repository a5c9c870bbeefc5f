// Turns as messages of Anthropic, Bedrock and Gemini, in which user and assistant alternate.

import { decodedUtf8 } from "./json.ts";
import {
  type Block, type Call, copied, type File, fresh, isFile, isResult, isTextBlock, jsonText, placeholder, type Result,
} from "./lower-block.ts";
import { BYTES, PDF } from "./lower-files.ts";
import { BEDROCK_DOCUMENTS } from "./lower-read-others.ts";
import type { Turn } from "./lower-turns.ts";
import { argumentsObject, betweenUsers, dataOf, isBlank, isImage, merged, Writer } from "./lower-write.ts";
import { isObject, isText, type Json } from "./shape.ts";
import { stripped } from "./text.ts";

const NO_TEXT = "[The message has no text.]";
const NO_OUTPUT = "[The tool has no output.]";
const MOST_OF_DOCUMENT = 200; // characters of the name of a document

export class AnthropicWriter extends Writer {
  dialect = "anthropic";
  native = {
    user: ["text", "image", "document", "search_result", "container_upload"],
    assistant: [
      "text", "thinking", "redacted_thinking", "server_tool_use", "bash_code_execution_tool_result",
      "code_execution_tool_result", "container_upload", "text_editor_code_execution_tool_result",
      "tool_search_tool_result", "web_fetch_tool_result", "web_search_tool_result",
    ],
    tool: ["text", "image", "document", "search_result", "tool_reference", "browser_state"],
  };

  file(file: File, role: string): Json | undefined {
    if (role !== "user" && role !== "tool") return undefined;
    const source = isImage(file) ? imageSource(file) : documentSource(file);
    if (!source) return undefined;
    if (isImage(file)) return { type: "image", source };
    return { type: "document", source, ...(file.name ? { title: file.name } : {}) };
  }

  messages(turn: Turn): Json[] {
    const results = turn.blocks.filter(isResult);
    if (turn.role === "tool" && !results.length) return [];
    if (turn.role === "tool") return [{ role: "user", content: results.map((one) => this.result(one)) }];
    const content = this.blocks(turn.blocks, turn.role).filter((block) => !isBlank(block));
    return content.length ? [{ role: turn.role, content, isString: turn.isString }] : [];
  }

  override finished(messages: Json[]): Json[] {
    const all = betweenUsers(messages, "content", (line) => this.text(line, "user"));
    return merged(all, "content", ({ type }) => type === "tool_result").map(({ role, content, isString }) => {
      const isPlain = isString && content.length === 1 && Object.keys(content[0]).sort().join() === "text,type";
      return { role, content: isPlain ? content[0].text : content };
    });
  }

  call(call: Call): Json {
    const { id, name } = call;
    return this.withIds(call, { id, name }, () => ({ type: "tool_use", input: argumentsObject(call) }));
  }

  result(result: Result): Json {
    return this.withIds(result, { tool_use_id: result.id }, () => {
      const output = this.output(result);
      const content = isText(output) ? output : output.filter((block: Json) => !isBlank(block));
      return { type: "tool_result", content, ...(result.isError ? { is_error: true } : {}) };
    });
  }
}

function imageSource({ data, url, mediaType }: File): Json | undefined {
  if (data) return { type: "base64", media_type: mediaType, data };
  return url ? { type: "url", url } : undefined;
}

function documentSource({ data, url, mediaType, text }: File): Json | undefined {
  if (mediaType === PDF && data) return { type: "base64", media_type: PDF, data };
  if (mediaType === PDF && url) return { type: "url", url };
  const words = data ? decodedUtf8(Buffer.from(data, "base64")) : text;
  return words === undefined ? undefined : { type: "text", media_type: "text/plain", data: words };
}

export class BedrockWriter extends Writer {
  dialect = "bedrock";
  native = {
    user: ["text", "image", "document", "video", "audio", "guardContent", "cachePoint", "searchResult"],
    assistant: ["text", "reasoningContent", "citationsContent", "cachePoint"],
    tool: ["text", "json", "image", "document", "video", "searchResult"],
  };
  /** The names of documents that are taken. */
  names = new Set<string>();

  override text(text: string, _role: string): Json {
    return { text };
  }

  file(file: File, role: string): Json | undefined {
    const bytes = dataOf(file);
    if ((role !== "user" && role !== "tool") || !bytes) return undefined;
    if (isImage(file)) return { image: { format: file.mediaType.split("/")[1], source: { bytes } } };
    return { document: { format: BEDROCK_DOCUMENTS[file.mediaType], name: this.nameOf(file), source: { bytes } } };
  }

  override own(block: Block): Json {
    const copy = copied(block);
    if (isFile(block) && block.type === "document") copy.document.name = this.nameOf(block);
    return copy;
  }

  messages(turn: Turn): Json[] {
    const content = turn.role === "tool"
      ? turn.blocks.filter(isResult).map((block) => this.result(block))
      : this.blocks(turn.blocks, turn.role).filter((block) => !isBlank(block));
    return content.length ? [{ role: turn.role === "assistant" ? "assistant" : "user", content }] : [];
  }

  override finished(messages: Json[]): Json[] {
    const all = betweenUsers(messages, "content", (text) => ({ text }));
    return merged(all, "content", (block) => "toolResult" in block).map(({ role, content }) => {
      const has = (kind: string) => content.some((block: Json) => kind in block);
      return { role, content: has("document") && !has("text") ? [...content, { text: NO_TEXT }] : content };
    });
  }

  call(call: Call): Json {
    const ids = { toolUseId: call.id, name: call.name };
    if (this.isNative(call)) return { toolUse: { ...copied(call).toolUse, ...ids } };
    return { toolUse: { ...ids, input: argumentsObject(call) } };
  }

  result(result: Result): Json {
    const { output, id, isError, blocks } = result;
    const text = isText(output) ? output : jsonText(output);
    const words = stripped(text) ? [{ text }] : [];
    const written = blocks
      ? this.blocks(blocks, "tool").filter((block) => !isBlank(block))
      : isObject(output) ? [{ json: fresh(output) }] : words;
    const content = written.length ? written : [{ text: NO_OUTPUT }];
    return { toolResult: { toolUseId: id, content, ...(isError ? { status: "error" } : {}) } };
  }

  /** A name that is taken for a document, and that no other one has. */
  nameOf({ name: given = "" }: File): string {
    const plain = [...given].map((one) => (/[A-Za-z0-9 ()[\]-]/.test(one) ? one : " ")).join("");
    const short = plain.replace(/\s+/g, " ").trim().slice(0, MOST_OF_DOCUMENT - 8).trim() || "document";
    let name = short;
    for (let number = 2; this.names.has(name); number += 1) name = `${short} (${number})`;
    this.names.add(name);
    return name;
  }
}

export class GeminiWriter extends Writer {
  dialect = "gemini";
  native = { user: null, assistant: null };

  override text(text: string, _role: string): Json {
    return { text };
  }

  file(file: File, _role: string): Json | undefined {
    const { mediaType, url } = file;
    const isWide = mediaType.endsWith("/*");
    const kind = isWide ? {} : { mime_type: mediaType };
    if (url) return { file_data: { ...(mediaType === BYTES ? {} : kind), file_uri: url } };
    const data = dataOf(file);
    return data && !isWide ? { inline_data: { ...kind, data } } : undefined;
  }

  messages(turn: Turn): Json[] {
    const isTool = turn.role === "tool";
    const parts = isTool
      ? turn.blocks.filter(isResult).map((block) => this.result(block))
      : this.blocks(turn.blocks, turn.role).filter((part) => Object.keys(part).length > 1 || !isBlank(part));
    return parts.length ? [{ role: turn.role === "assistant" ? "model" : "user", parts }] : [];
  }

  override finished(messages: Json[]): Json[] {
    const all = betweenUsers(messages, "parts", (line) => this.text(line, "user"));
    const isAnswer = (part: Json) => "function_response" in part || "functionResponse" in part;
    return merged(all, "parts", isAnswer).map(({ role, parts }) => ({ role, parts }));
  }

  call(call: Call): Json {
    if (this.isNative(call)) return renamed(call, "function_call", "functionCall");
    return { function_call: { ...idOf(call), name: call.name, args: argumentsObject(call) } };
  }

  result(result: Result): Json {
    if (this.isNative(result)) return renamed(result, "function_response", "functionResponse");
    const { output, isError, blocks, name } = result;
    const member = isError ? "error" : "output";
    const texts = blocks?.map((block) => this.resultText(block));
    const answer = texts ? (texts.length > 1 ? texts : texts.join("")) : fresh(output);
    const response = !texts && isObject(output) && !isError ? answer : { [member]: answer };
    return { function_response: { ...idOf(result), name, response } };
  }

  /** A block in the result of a tool, which is JSON here. */
  resultText(block: Block): string {
    if (isTextBlock(block)) return block.text;
    this.codes.push("part-unsupported");
    return placeholder(block);
  }
}

const idOf = ({ id }: Call | Result): Json => (id ? { id } : {});

/** A part as it came, under the name and the id by which its call and its result belong together. */
function renamed(block: Call | Result, ...members: string[]): Json {
  const copy = copied(block);
  Object.assign(copy[members.find((name) => isObject(copy[name])) as string], { ...idOf(block), name: block.name });
  return copy;
}
