// Turns as messages of frameworks: Vercel's AI SDK, LangChain and pydantic-ai.

import {
  type Any, type Call, type File, fresh, isCall, isFile, isResult, isTextBlock, type Result,
} from "./lower-block.ts";
import type { Turn } from "./lower-turns.ts";
import { argumentsObject, dataOf, knownIn, Writer } from "./lower-write.ts";
import { isObject, isText, type Json } from "./shape.ts";
import { stripped } from "./text.ts";

const isEmptyText = (block: Any): boolean => isTextBlock(block) && !stripped(block.text);
const halfOf = (mediaType: string): string => mediaType.split("/", 1)[0] as string;

export class VercelWriter extends Writer {
  dialect = "vercel";
  native = {
    user: ["text", "image", "file"],
    assistant: ["text", "file", "reasoning", "reasoning-file", "custom", "tool-approval-request"],
    tool: ["tool-approval-response"],
  };

  file(file: File, _role: string): Json | undefined {
    const data = file.url || dataOf(file);
    const filename = file.name ? { filename: file.name } : {};
    return data === undefined ? undefined : { type: "file", mediaType: file.mediaType, data, ...filename };
  }

  messages(turn: Turn): Json[] {
    const { role, row, blocks } = turn;
    const own = isObject(row.providerOptions) ? { providerOptions: fresh(row.providerOptions) } : {};
    if (role === "system" || role === "developer") {
      return blocks.length ? [{ role: "system", content: this.systemText(turn), ...own }] : [];
    }
    const written = blocks.flatMap((block) => this.part(block, role, blocks.length));
    const isOne = turn.isString && written.length === 1 && written[0].type === "text";
    return written.length ? [{ role, content: isOne ? written[0].text : written, ...own }] : [];
  }

  part(block: Any, role: string, count: number): Json[] {
    if (isEmptyText(block) && count > 1) return [];
    if (isResult(block)) return [this.result(block)];
    if (role !== "tool" || block.is === "thought") return this.block(block, role);
    this.codes.push("part-unsupported");
    return [];
  }

  call(call: Call): Json {
    return this.withIds(call, this.idsOf(call), () => ({ type: "tool-call", input: argumentsObject(call) }));
  }

  result(result: Result): Json {
    return this.withIds(result, this.idsOf(result), () => ({ type: "tool-result", output: this.envelope(result) }));
  }

  idsOf({ id, name }: Call | Result): Json {
    return { toolCallId: id, toolName: name };
  }

  envelope({ output, blocks, isError }: Result): Json {
    const error = isError ? "error-" : "";
    if (!blocks) return { type: `${error}${isText(output) ? "text" : "json"}`, value: fresh(output) };
    if (isError && blocks.every(isTextBlock)) return { type: "error-json", value: blocks.map(({ text }) => text) };
    return { type: "content", value: blocks.map((block) => this.ofTool(block)) };
  }

  /** A block in the result of a tool, where files have types of their own. */
  ofTool(block: Any): Json {
    if (isFile(block)) {
      if (block.url) return { type: "file-url", url: block.url, mediaType: block.mediaType };
      const data = dataOf(block);
      const filename = block.name ? { filename: block.name } : {};
      if (data !== undefined) return { type: "file-data", data, mediaType: block.mediaType, ...filename };
    }
    return this.block(block, "tool")[0];
  }
}

const message = (type: string, content: Json, members: Json = {}): Json =>
  ({ type, data: { type, content, ...members } });

export class LangChainWriter extends Writer {
  dialect = "langchain";
  native = { user: null, assistant: null, tool: null };

  file({ text, name, mediaType, url, data }: File, _role: string): Json | undefined {
    const extras = name ? { extras: { filename: name } } : {};
    if (text !== undefined) return { type: "text-plain", mime_type: "text/plain", text, ...extras };
    const half = halfOf(mediaType);
    const type = ["image", "audio", "video"].includes(half) ? half : "file";
    if (url) return { type, url, ...(mediaType.endsWith("/*") ? {} : { mime_type: mediaType }), ...extras };
    return data ? { type, base64: data, mime_type: mediaType, ...extras } : undefined;
  }

  messages(turn: Turn): Json[] {
    const { role, row } = turn;
    if (role === "tool") return turn.blocks.filter(isResult).map((block) => this.result(block));
    if (role === "system" || role === "developer") {
      const text = this.systemText(turn);
      const members = role === "developer" ? { additional_kwargs: { __openai_role__: "developer" } } : {};
      return text ? [message("system", text, members)] : [];
    }
    const calls = role === "assistant" ? turn.blocks.filter(isCall) : [];
    const blocks = this.blocks(calls.length ? turn.blocks.filter((block) => !isCall(block)) : turn.blocks, role);
    if (!blocks.length && !calls.length) return [];
    const isOne = turn.isString && blocks.length === 1;
    const content = isOne ? blocks[0].text : blocks.length ? blocks : "";
    const named = knownIn(row, "name");
    if (role === "user") return [message("human", content, named)];
    return [message("ai", content, { tool_calls: calls.map((call) => this.call(call)), ...named })];
  }

  call(call: Call): Json {
    return { type: "tool_call", id: call.id, name: call.name, args: argumentsObject(call) };
  }

  result(result: Result): Json {
    const { id, name, isError } = result;
    return message("tool", this.output(result), { tool_call_id: id, name, status: isError ? "error" : "success" });
  }
}

const FILES = ["audio-url", "binary", "document-url", "image-url", "video-url"];

export class PydanticWriter extends Writer {
  dialect = "pydantic-ai";
  native = {
    user: [...FILES, "cache-point", "structured-content", "text-content", "uploaded-file"],
    assistant: ["builtin-tool-call", "builtin-tool-return", "compaction", "file", "speech", "text", "thinking"],
    tool: FILES,
  };

  override text(text: string, role: string): Json {
    return role === "assistant" ? { part_kind: "text", content: text } : { text };
  }

  file(file: File, role: string): Json | undefined {
    const data = dataOf(file);
    const content = { kind: "binary", data, media_type: file.mediaType };
    if (data !== undefined) return role === "assistant" ? { part_kind: "file", content } : content;
    if (!file.url || role === "assistant") return undefined;
    const half = halfOf(file.mediaType);
    const kind = ["image", "audio", "video"].includes(half) ? half : "document";
    const type = file.mediaType.endsWith("/*") ? {} : { media_type: file.mediaType };
    return { kind: `${kind}-url`, url: file.url, ...type };
  }

  messages(turn: Turn): Json[] {
    const kind = turn.role === "assistant" ? "response" : "request";
    const parts = this.parts(turn);
    return parts.length ? [{ kind, parts }] : [];
  }

  parts(turn: Turn): Json[] {
    const { role, blocks } = turn;
    if (role === "assistant") return this.blocks(blocks.filter((block) => !isEmptyText(block)), role);
    if (role === "tool") return blocks.filter(isResult).map((block) => this.result(block));
    if (role === "user") {
      const content = this.items(blocks, "user");
      const isOne = turn.isString && content.length === 1;
      return content.length ? [{ part_kind: "user-prompt", content: isOne ? content[0] : content }] : [];
    }
    const own = blocks.filter((block) => block.is === "opaque" && this.isNative(block));
    const text = this.systemText({ ...turn, blocks: blocks.filter((block) => !own.includes(block)) });
    const prompt = text ? [{ part_kind: "system-prompt", content: text }] : [];
    return [...prompt, ...own.map((block) => this.own(block))];
  }

  override finished(messages: Json[]): Json[] {
    const found: Json[] = [];
    for (const one of messages) {
      const last = found.at(-1);
      if (last?.kind === "request" && one.kind === "request") last.parts.push(...one.parts);
      else found.push(one);
    }
    return found;
  }

  call(call: Call): Json {
    return this.withIds(call, this.idsOf(call), () => ({ part_kind: "tool-call", args: argumentsObject(call) }));
  }

  result(result: Result): Json {
    return this.withIds(result, this.idsOf(result), () => {
      const content = result.blocks ? this.items(result.blocks, "tool") : fresh(result.output);
      return { part_kind: "tool-return", content, ...(result.isError ? { outcome: "failed" } : {}) };
    });
  }

  idsOf({ id, name }: Call | Result): Json {
    return { tool_name: name, tool_call_id: id };
  }

  /** Blocks as the content of a prompt, where a text is a string. */
  items(blocks: Any[], role: string): Json[] {
    return this.blocks(blocks, role).map((one) => (Object.keys(one).join() === "text" ? one.text : one));
  }
}
