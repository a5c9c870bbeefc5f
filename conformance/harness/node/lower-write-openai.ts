// Turns as messages of OpenAI's Chat Completions, and as items of its Responses API.

import {
  type Any, type Block, type Call, copied, type File, fresh, hasMembers, isCall, isResult, isTextBlock, type Result,
} from "./lower-block.ts";
import { PDF } from "./lower-files.ts";
import { OPENAI_AUDIO } from "./lower-rules.ts";
import type { Turn } from "./lower-turns.ts";
import { argumentsText, dataOf, dataUrl, isImage, knownIn, urlOf, Writer } from "./lower-write.ts";
import { isObject, isText, type Json } from "./shape.ts";
import { stripped, wellFormed } from "./text.ts";

export class ChatWriter extends Writer {
  dialect = "openai";
  native = {
    system: ["text"],
    developer: ["text"],
    user: ["text", "image_url", "input_audio", "file"],
    assistant: ["text", "refusal"],
    tool: ["text"],
  };

  file(file: File, role: string): Json | undefined {
    if (role !== "user") return undefined;
    if (isImage(file)) {
      const url = urlOf(file);
      return url && { type: "image_url", image_url: { url } };
    }
    if (!file.data) return undefined;
    const format = OPENAI_AUDIO[file.mediaType];
    if (format) return { type: "input_audio", input_audio: { data: file.data, format } };
    return { type: "file", file: { filename: file.name || "file.pdf", file_data: dataUrl(file) } };
  }

  messages(turn: Turn): Json[] {
    if (turn.role === "tool") return turn.blocks.filter(isResult).map((block) => this.result(block));
    const isAssistant = turn.role === "assistant";
    const calls = isAssistant ? turn.blocks.filter(isCall) : [];
    const blocks = this.blocks(calls.length ? turn.blocks.filter((block) => !isCall(block)) : turn.blocks, turn.role);
    const isOne = turn.isString && blocks.length === 1;
    const content = isOne ? blocks[0].text : blocks.length ? blocks : null;
    const message: Json = { role: turn.role, content, ...knownIn(turn.row, "name") };
    if (isAssistant) {
      Object.assign(message, knownIn(turn.row, "refusal"));
      if (isObject(turn.row.audio)) message.audio = fresh(turn.row.audio);
      if (calls.length) message.tool_calls = calls.map((call) => this.call(call));
    }
    const isThere = content !== null || ["refusal", "audio", "tool_calls"].some((name) => name in message);
    return isThere ? [message] : [];
  }

  call(call: Call): Json {
    if (!this.isNative(call)) {
      const called = { name: call.name, arguments: wellFormed(argumentsText(call)) };
      return { id: call.id, type: "function", function: called };
    }
    const copy = copied(call);
    const isCustom = isObject(copy.custom) && hasMembers(copy.custom);
    (isCustom ? copy.custom : copy.function).name = call.name;
    return { ...copy, id: call.id };
  }

  result(result: Result): Json {
    const output = this.output(result);
    const content = output.length ? output : "";
    const name = result.type === "tool" && isText(result.source.name) ? { name: result.name } : {};
    return { role: "tool", tool_call_id: result.id, content, ...name };
  }
}

const INPUT = ["input_text", "input_image", "input_file"];

export class ResponsesWriter extends Writer {
  dialect = "openai-responses";
  native = { system: ["input_text"], developer: ["input_text"], user: INPUT, assistant: [], tool: INPUT };

  override text(text: string, _role: string): Json {
    return { type: "input_text", text };
  }

  file(file: File, role: string): Json | undefined {
    if (role !== "user" && role !== "tool") return undefined;
    if (isImage(file)) {
      const url = urlOf(file);
      return url && { type: "input_image", image_url: url, detail: "auto" };
    }
    if (file.url) return { type: "input_file", file_url: file.url };
    if (!dataOf(file)) return undefined;
    const filename = file.name || (file.mediaType === PDF ? "file.pdf" : "file");
    return { type: "input_file", filename, file_data: dataUrl(file) };
  }

  messages(turn: Turn): Json[] {
    if (turn.role === "tool") return turn.blocks.filter(isResult).map((block) => this.result(block));
    if (turn.role === "assistant") return this.items(turn);
    const blocks = this.blocks(turn.blocks, turn.role);
    const content = turn.isString && blocks.length === 1 ? blocks[0].text : blocks;
    return isText(content) || blocks.length ? [{ role: turn.role, content }] : [];
  }

  /** First the assistant's own blocks, then each further text as a message. */
  items({ row, role, blocks }: Turn): Json[] {
    const phase = knownIn(row, "phase");
    const isItem = row.type === "message" && isText(row.id) && isText(row.status);
    const isOwn = (block: Block) => ["output_text", "refusal"].includes(block.type) && this.isNative(block);
    const end = blocks.findIndex((block) => !isOwn(block));
    const own = isItem ? blocks.slice(0, end < 0 ? blocks.length : end) : [];
    const content = own.map(copied);
    const first = own.length ? [{ ...knownIn(row, "type", "id", "status"), role: "assistant", content, ...phase }] : [];
    const rest = blocks.slice(own.length).flatMap((block: Any): Json[] => {
      if (isTextBlock(block) && !stripped(block.text) && blocks.length > 1) return [];
      if (isCall(block)) return [this.call(block)];
      if (block.is === "thought" && this.isNative(block)) return [copied(block)];
      return this.block(block, role).map(({ text }) => ({ role: "assistant", content: text, ...phase }));
    });
    return [...first, ...rest];
  }

  call(call: Call): Json {
    const ids = { call_id: call.id, name: call.name };
    return this.withIds(call, ids, () => ({ type: "function_call", arguments: wellFormed(argumentsText(call)) }));
  }

  result(result: Result): Json {
    return this.withIds(result, { call_id: result.id }, () => {
      const output = this.output(result);
      return { type: "function_call_output", output: output.length ? output : "" };
    });
  }
}
