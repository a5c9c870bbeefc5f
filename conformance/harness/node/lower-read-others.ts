// Blocks that have no `type`: those of Bedrock's Converse API, whose one member names their kind, and those of
// pydantic-ai, with a `part_kind` or a `kind`.

import { type Any, type Block, jsonText, objectIn, opaque, textIn, thought } from "./lower-block.ts";
import { BYTES, isPydanticFile, PDF, pydanticFile, sourceOf } from "./lower-files.ts";
import { isObject, isText, type Json } from "./shape.ts";
import { wellFormed } from "./text.ts";

/** Media types of documents, and the words that Bedrock has for them. */
export const BEDROCK_DOCUMENTS: Record<string, string> = {
  [PDF]: "pdf",
  "text/csv": "csv",
  "application/msword": "doc",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.ms-excel": "xls",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "text/html": "html",
  "text/plain": "txt",
  "text/markdown": "md",
};
const TYPES: Record<string, string> = {
  ...Object.fromEntries(Object.entries(BEDROCK_DOCUMENTS).map(([type, word]) => [word, type])),
  mp3: "audio/mpeg",
  three_gp: "video/3gpp",
};
const BEDROCK = ["bedrock"];
const OWN = ["pydantic-ai"];

/** A block of Bedrock; undefined when it is none. */
export function bedrockBlock(block: Json, at: string): Any | undefined {
  const own = Object.keys(block).filter((name) => !name.startsWith("_"));
  if (own.length !== 1) return undefined;
  const kind = own[0] as string;
  const inside = block[kind];
  if (["cachePoint", "guardContent", "searchResult"].includes(kind)) return opaque(at, kind, block, BEDROCK);
  if (!isObject(inside)) return undefined;
  if (["image", "document", "video", "audio"].includes(kind)) return bedrockFile(block, kind, inside, at);
  if (kind === "toolUse") {
    const [id = "", name] = [textIn(inside, "toolUseId"), textIn(inside, "name")];
    if (!name) return opaque(at, kind, block);
    const dialects = id && isObject(inside.input) ? BEDROCK : [];
    return { is: "call", at, type: kind, dialects, source: block, id, name, args: inside.input };
  }
  if (kind === "toolResult") return bedrockResult(block, inside, at);
  if (kind === "reasoningContent") return thought(at, kind, block, BEDROCK);
  if (kind !== "citationsContent") return undefined;
  const cited = (Array.isArray(inside.content) ? inside.content : []).filter(isObject);
  const text = cited.map((item: Json) => textIn(item, "text") ?? "").join("");
  return { is: "text", at, type: kind, dialects: BEDROCK, source: block, text };
}

function bedrockFile(block: Json, kind: string, inside: Json, at: string): Any {
  const [source, word] = [objectIn(inside, "source"), textIn(inside, "format") ?? ""];
  const text = textIn(source, "text");
  const found = "bytes" in source ? sourceOf(source.bytes) : undefined;
  const data = found?.url ? undefined : found?.data;
  const half = kind === "document" ? "application" : kind;
  const plain = /^[A-Za-z0-9]+$/.test(word) ? `${half}/${word}` : BYTES;
  const known = Object.hasOwn(TYPES, word) ? (TYPES[word] as string) : plain;
  const mediaType = kind === "document" && text !== undefined && !word ? "text/plain" : known;
  const fits = data !== undefined || text !== undefined || "s3Location" in source || "content" in source;
  const held = data === undefined ? { text } : { data };
  const [dialects, name] = [fits ? BEDROCK : [], textIn(inside, "name")];
  return { is: "file", at, type: kind, dialects, source: block, mediaType, name, ...held };
}

function bedrockResult(block: Json, inside: Json, at: string): Any {
  const id = textIn(inside, "toolUseId") ?? "";
  const items: Json[] = Array.isArray(inside.content) ? inside.content : [];
  const blocks = items.map((item, index) => inBedrockResult(item, `${at}/toolResult/content/${index}`));
  const fits = id !== "" && blocks.length > 0 && blocks.every(({ dialects }) => dialects.includes("bedrock"));
  const [only] = blocks as { is: string; text?: string }[];
  const isOne = items.length === 1;
  const isJson = isOne && isObject(items[0]) && "json" in items[0];
  const isWords = isOne && !isJson && only?.is === "text";
  const output = isJson ? items[0].json : isWords ? only?.text : null;
  return {
    is: "result", at, type: "toolResult", dialects: fits ? BEDROCK : [], source: block, id, name: "", output,
    blocks: isJson || isWords ? undefined : blocks, isError: inside.status === "error",
  };
}

/** A block in the result of a tool: text, JSON, or a file. */
function inBedrockResult(item: Json, at: string): Block {
  if (!isObject(item)) return opaque(at, "", {});
  const own = { is: "text" as const, at, dialects: BEDROCK, source: item };
  const words = (type: string, text: string) => ({ ...own, type, text });
  if (isText(item.text)) return words("", wellFormed(item.text));
  if ("json" in item) return words("json", jsonText(item.json));
  const block = bedrockBlock(item, at);
  return block && (block.is === "file" || block.is === "opaque") ? block : opaque(at, "", item);
}

/** A part of pydantic-ai; one that has not the form of its kind is opaque. */
export function pydanticBlock(block: Json, at: string): Any {
  const kind = "part_kind" in block ? block.part_kind : block.kind;
  if (!isText(kind)) return opaque(at, "", block);
  const { content } = block;
  if (["text", "text-content", "compaction"].includes(kind) && isText(content)) {
    return { is: "text", at, type: kind, dialects: OWN, source: block, text: wellFormed(content) };
  }
  if (kind === "thinking") return thought(at, kind, block, isText(content) ? OWN : []);
  if (kind === "tool-call") {
    const [id = "", name, args] = [textIn(block, "tool_call_id"), textIn(block, "tool_name"), block.args];
    if (!name) return opaque(at, kind, block);
    const fits = id && ((args ?? null) === null || isText(args) || isObject(args));
    return { is: "call", at, type: kind, dialects: fits ? OWN : [], source: block, id, name, args };
  }
  if (kind === "tool-return" || kind === "retry-prompt") return pydanticResult(block, kind, at);
  const inside = kind === "file" ? objectIn(block, "content") : block;
  const file = pydanticFile(block, inside, kind === "file" ? "binary" : kind, at);
  return file ?? opaque(at, kind, block, kind === "text" || kind === "text-content" ? [] : OWN);
}

function pydanticResult(block: Json, kind: string, at: string): Any {
  const [id = "", name = "", content] = [textIn(block, "tool_call_id"), textIn(block, "tool_name"), block.content];
  const isError = kind === "retry-prompt" || ["failed", "denied", "interrupted", "retried"].includes(block.outcome);
  const isList = Array.isArray(content) && content.some(isPydanticFile);
  const isBlocks = isList && content.every((item: Json) => isText(item) || isPydanticFile(item));
  const asBlock = (item: Json, index: number): Any => {
    const place = `${at}/content/${index}`;
    if (!isText(item)) return pydanticBlock(item, place);
    return { is: "text", at: place, type: "", dialects: [], source: {}, text: wellFormed(item) };
  };
  return {
    is: "result", at, type: kind, dialects: id && name ? OWN : [], source: block, id, name, isError,
    output: isText(content) ? wellFormed(content) : (content ?? ""),
    blocks: isBlocks ? content.map(asBlock) : undefined,
  };
}
