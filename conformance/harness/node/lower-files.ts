// The files of all dialects, as blocks of no provider.

import { base64 } from "./leaves.ts";
import { type File, hasMembers, objectIn, textIn } from "./lower-block.ts";
import { isObject, isText, type Json } from "./shape.ts";
import { wellFormed } from "./text.ts";
import { isWebUrl } from "./url.ts";

export const ANY_IMAGE = "image/*";
export const PDF = "application/pdf";
export const BYTES = "application/octet-stream";
const DATA_URL = /^data:([A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+);base64,/;
const AUDIO: Record<string, string> = { wav: "audio/wav", mp3: "audio/mpeg" };
const HALVES = ["audio", "image", "text", "video"];
const BY_SUFFIX: Record<string, string> = {
  gif: "image/gif", jpeg: "image/jpeg", jpg: "image/jpeg", pdf: PDF, png: "image/png", webp: "image/webp",
};
/** The beginning of a file in base64, and its media type. */
const BY_START: [string, string][] = [
  ["iVBORw0KGgo", "image/png"], ["/9j/", "image/jpeg"], ["R0lGOD", "image/gif"], ["UklGR", "image/webp"],
  ["JVBERi0", PDF],
];
const TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;

/** The bytes of a file in base64, or its URL, and the media type that these suggest. */
interface Source {
  data?: string | undefined;
  url?: string | undefined;
  type?: string | undefined;
}

const isBase64 = (text: Json): text is string => {
  try {
    return isText(text) && text !== "" && base64(text) === text;
  } catch {
    return false;
  }
};

/** The source at an http, https or data URL. */
export function sourceAt(where: Json): Source | undefined {
  if (!isText(where)) return undefined;
  if (where.startsWith("data:")) {
    const found = DATA_URL.exec(where);
    const data = found ? where.slice(found[0].length) : "";
    return isBase64(data) ? { data, type: (found?.[1] as string).toLowerCase() } : undefined;
  }
  if (!isWebUrl(where) || !where.isWellFormed()) return undefined;
  const suffix = (where.split(/[?#]/, 1)[0] as string).slice(-8).split(".").at(-1)?.toLowerCase() ?? "";
  return { url: where, type: Object.hasOwn(BY_SUFFIX, suffix) ? BY_SUFFIX[suffix] : undefined };
}

/** The source as base64 or a URL: some dialects have one member for both. */
export function sourceOf(data: Json): Source | undefined {
  if (!isText(data)) return undefined;
  if (data.slice(0, 6).includes(":")) return sourceAt(data);
  return isBase64(data) ? { data, type: BY_START.find(([start]) => data.startsWith(start))?.[1] } : undefined;
}

export const bareMediaType = (text: string): string | undefined => {
  const bare = (text.split(";", 1)[0] as string).trim().toLowerCase();
  return TYPE.test(bare) ? bare : undefined;
};

interface Facts {
  declared?: string | undefined;
  otherwise?: string;
  name?: string | undefined;
  native: string;
  fits: boolean;
}

/** A file. The media type that the block declares comes before the one that its source suggests. */
function file(block: Json, at: string, media: Source | undefined, facts: Facts): File {
  const { declared, otherwise = BYTES, name, native, fits } = facts;
  const half = declared?.replace(/\/\*$/, "");
  const known = half && HALVES.includes(half) ? `${half}/*` : declared && bareMediaType(declared);
  const found = known || media?.type || otherwise;
  const isWide = found.endsWith("/*") && media?.type?.startsWith(found.slice(0, -1));
  const mediaType = isWide ? (media?.type as string) : found;
  const type = isText(block.type) ? block.type : "";
  const dialects = fits ? [native] : [];
  return { is: "file", at, type, dialects, source: block, mediaType, data: media?.data, url: media?.url, name };
}

function imageUrl(block: Json, at: string): File {
  const inside = block.image_url;
  const media = sourceAt(isObject(inside) ? inside.url : inside);
  const fits = media !== undefined && isObject(inside);
  return file(block, at, media, { otherwise: ANY_IMAGE, native: "openai", fits });
}

function inputAudio(block: Json, at: string): File {
  const { format, data } = objectIn(block, "input_audio");
  const media = isBase64(data) ? { data } : undefined;
  const declared = isText(format) ? (Object.hasOwn(AUDIO, format) ? AUDIO[format] : `audio/${format}`) : "audio/*";
  const fits = media !== undefined && Object.values(AUDIO).includes(declared as string);
  return file(block, at, media, { declared, otherwise: "audio/*", native: "openai", fits });
}

function inputImage(block: Json, at: string): File {
  const media = sourceAt(block.image_url);
  const detailed = isText(block.detail) ? block : { ...block, detail: "auto" };
  const fits = media !== undefined || (isText(block.file_id) && (block.image_url ?? null) === null);
  return file(detailed, at, media, { otherwise: ANY_IMAGE, native: "openai-responses", fits });
}

function inputFile(block: Json, at: string): File {
  const [data, url] = [block.file_data ?? null, block.file_url ?? null];
  const media = data !== null ? sourceOf(data) : sourceAt(url);
  const isOdd = media === undefined && (data !== null || url !== null);
  const fits = !isOdd && (media !== undefined || isText(block.file_id));
  return file(block, at, media, { name: textIn(block, "filename"), native: "openai-responses", fits });
}

/** Anthropic has a `source`, Vercel an `image`, MCP `data`, LangChain `base64` or `url`. */
function image(block: Json, at: string): File {
  if ("source" in block) return sourced(block, at, ANY_IMAGE);
  if ("base64" in block || ("url" in block && !("image" in block) && !("data" in block))) return langchain(block, at);
  const media = sourceOf("image" in block ? block.image : block.data);
  const fits = "image" in block && (media !== undefined || isObject(block.image));
  const declared = textIn(block, "mediaType", "mimeType", "mime_type");
  return file(block, at, media, { declared, otherwise: ANY_IMAGE, native: "vercel", fits });
}

/** An image or a document of Anthropic. */
function sourced(block: Json, at: string, otherwise: string): File {
  const source = objectIn(block, "source");
  const { type, data } = source;
  const name = textIn(block, "title");
  if (type === "text" && isText(data)) {
    const text = wellFormed(data);
    const whole = { ...block, source: { ...source, data: text } };
    const facts = { type: "document", dialects: ["anthropic"], source: whole, mediaType: "text/plain", text, name };
    return { is: "file", at, ...facts };
  }
  const native = "anthropic";
  if (type === "base64" && isBase64(data)) {
    return file(block, at, { data }, { declared: textIn(source, "media_type"), name, native, fits: true });
  }
  const media = type === "url" ? sourceAt(source.url) : undefined;
  if (media?.url) {
    const known = otherwise === ANY_IMAGE ? media : { ...media, type: PDF };
    return file(block, at, known, { otherwise, name, native, fits: true });
  }
  const fits = (type === "file" && isText(source.file_id)) || (type === "content" && "content" in source);
  return file(block, at, undefined, { otherwise, name, native, fits });
}

/** OpenAI's chat has an object `file`; Vercel has `data`, or a `url` in messages for interfaces. */
function anyFile(block: Json, at: string): File {
  if ("base64" in block || ("mime_type" in block && !("data" in block))) return langchain(block, at);
  if (isObject(block.file)) {
    const inside = block.file;
    const media = sourceOf(inside.file_data);
    const isOdd = media === undefined && (inside.file_data ?? null) !== null;
    const fits = !isOdd && ((media !== undefined && !media.url) || isText(inside.file_id));
    return file(block, at, media, { name: textIn(inside, "filename"), native: "openai", fits });
  }
  const [declared, name] = [textIn(block, "mediaType", "mimeType"), textIn(block, "filename", "name")];
  const data = "data" in block ? block.data : block.url;
  const fits = isText(block.mediaType) && "data" in block;
  if (isObject(data)) return tagged(block, at, data, { declared, name, native: "vercel", fits });
  const media = sourceOf(data);
  return file(block, at, media, { declared, name, native: "vercel", fits: fits && media !== undefined });
}

/** A file of Vercel whose data has a type. */
function tagged(block: Json, at: string, data: Json, facts: Facts): File {
  if (data.type === "text" && isText(data.text)) {
    const found = file(block, at, undefined, { ...facts, otherwise: "text/plain", fits: false });
    return { ...found, type: "file", text: wellFormed(data.text) };
  }
  if (data.type !== "data" && data.type !== "url") return file(block, at, undefined, facts);
  const media = sourceOf(data[data.type]);
  const fits = facts.fits && data.type === "data" && media !== undefined && !media.url;
  return file(block, at, media, { ...facts, fits });
}

/** A standard block of LangChain. */
function langchain(block: Json, at: string): File {
  const { type, text } = block;
  const name = textIn(objectIn(block, "extras"), "filename") || textIn(block, "title");
  if (type === "text-plain" && isText(text)) {
    const whole = wellFormed(text);
    const source = { ...block, text: whole };
    return { is: "file", at, type, dialects: ["langchain"], source, mediaType: "text/plain", text: whole, name };
  }
  const media = "base64" in block ? sourceOf(block.base64) : sourceAt(block.url);
  const declared = textIn(block, "mime_type");
  const isWhole = media !== undefined && (media.url !== undefined || declared !== undefined);
  const otherwise = HALVES.includes(type) ? `${type}/*` : BYTES;
  const fits = isWhole || "file_id" in block;
  return file(block, at, media, { declared, otherwise, name, native: "langchain", fits });
}

/** A file in the result of a tool, as Vercel writes it. */
function ofTool(block: Json, at: string): File {
  const media = sourceOf("data" in block ? block.data : block.url);
  const [declared, name] = [textIn(block, "mediaType"), textIn(block, "filename")];
  const otherwise = `${block.type}`.startsWith("image") ? ANY_IMAGE : BYTES;
  return file(block, at, media, { declared, otherwise, name, native: "vercel", fits: media !== undefined });
}

export const FILES: Record<string, (block: Json, at: string) => File> = {
  image_url: imageUrl, input_audio: inputAudio, input_image: inputImage, input_file: inputFile, image,
  document: (block, at) => sourced(block, at, BYTES), file: anyFile, audio: langchain, video: langchain,
  "text-plain": langchain, "file-data": ofTool, "file-url": ofTool, "image-data": ofTool, "image-url": ofTool,
  media: ofTool,
};

const standard = (data: Json): Json => (isText(data) ? data.replaceAll("-", "+").replaceAll("_", "/") : data);

/** The file of a part of Gemini; undefined for any other part. */
export function geminiFile(part: Json, at: string): File | undefined {
  const blob = objectIn(part, "inline_data", "inlineData");
  const contentOf = (inside: Json) => ({
    declared: textIn(inside, "mime_type", "mimeType"),
    name: textIn(inside, "display_name", "displayName"),
    native: "gemini",
  });
  if (hasMembers(blob)) {
    const media = sourceOf(standard(blob.data));
    const facts = contentOf(blob);
    return file(part, at, media, { ...facts, fits: media !== undefined && !media.url && facts.declared !== undefined });
  }
  const held = objectIn(part, "file_data", "fileData");
  if (!hasMembers(held)) return undefined;
  const uri = textIn(held, "file_uri", "fileUri");
  return file(part, at, sourceAt(uri), { ...contentOf(held), fits: uri !== undefined });
}

const URLS: Record<string, string> = {
  "image-url": ANY_IMAGE, "audio-url": "audio/*", "video-url": "video/*", "document-url": BYTES,
};
export const isPydanticFile = (item: Json): boolean =>
  isObject(item) && (item.kind === "binary" || Object.hasOwn(URLS, item.kind));

/** A file of pydantic-ai, by its URL or its bytes; undefined for another kind. */
export function pydanticFile(block: Json, inside: Json, kind: string, at: string): File | undefined {
  if (kind !== "binary" && !Object.hasOwn(URLS, kind)) return undefined;
  const declared = textIn(inside, "media_type");
  const media = kind === "binary" ? sourceOf(standard(inside.data)) : sourceAt(inside.url);
  const fits = media !== undefined && (kind !== "binary" || (media.url === undefined && declared !== undefined));
  const known = fits ? media : undefined;
  const mediaType = (declared && bareMediaType(declared)) || known?.type || (URLS[kind] ?? BYTES);
  const type = isText(block.part_kind) ? block.part_kind : kind;
  const dialects = fits ? ["pydantic-ai"] : [];
  return { is: "file", at, type, dialects, source: block, mediaType, data: known?.data, url: known?.url };
}
