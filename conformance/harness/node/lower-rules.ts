// What each provider takes, by its documentation: names, ids, files, and the order of turns. Message Ingest Contract,
// decision I16.

import { createHash } from "node:crypto";
import { type Block, type File, isFile, isResult } from "./lower-block.ts";
import { ANY_IMAGE, BYTES, PDF } from "./lower-files.ts";
import { BEDROCK_DOCUMENTS } from "./lower-read-others.ts";
import type { Turn } from "./lower-turns.ts";
import { must } from "./rejected.ts";
import { isText, type Value } from "./shape.ts";
import { bytesIn, wellFormed } from "./text.ts";

interface WordRule {
  most: number;
  /** A pattern of one character. */
  letters?: RegExp;
  first?: RegExp;
}
interface FileRule {
  kind: string;
  types: string[];
  schemes?: string[];
  most?: number;
  total?: number;
  count?: number;
}
export interface Rules {
  names?: WordRule;
  ids?: WordRule;
  needsIds: boolean;
  files: FileRule[];
  /** Whether turns of user and assistant alternate, the first and the last of them the user's. */
  alternates: boolean;
}

const WEB = ["https", "http"];
const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const WORD = /[A-Za-z0-9_-]/;
/** Media types and their words for recordings in OpenAI's chat. */
export const OPENAI_AUDIO: Record<string, string> = {
  "audio/mp3": "mp3", "audio/mpeg": "mp3", "audio/vnd.wave": "wav", "audio/wav": "wav", "audio/wave": "wav",
  "audio/x-wav": "wav",
};
const OFFICE = "application/vnd.openxmlformats-officedocument";
const OPENAI_DOCUMENTS = [
  PDF, "text/", "application/json", "application/msword", "application/rtf", "application/vnd.ms-excel",
  "application/vnd.ms-powerpoint", "application/vnd.oasis.opendocument.text", `${OFFICE}.presentationml.presentation`,
  `${OFFICE}.spreadsheetml.sheet`, `${OFFICE}.wordprocessingml.document`, BYTES,
];
const GEMINI_DOCUMENTS = ["text/", PDF, "application/json", "application/rtf", "application/x-javascript", BYTES];
const anyImages = { kind: "image", types: [...IMAGES, ANY_IMAGE] };
const openaiImages: FileRule = { ...anyImages, schemes: WEB, total: 50_000_000, count: 500 };
const FREE: Rules = { needsIds: true, files: [], alternates: false };

export const RULES: Record<string, Rules> = {
  openai: {
    ...FREE,
    names: { most: 64, letters: WORD },
    ids: { most: 40 },
    files: [
      openaiImages,
      { kind: "recording", types: Object.keys(OPENAI_AUDIO) },
      { kind: "document", types: [PDF], total: 50_000_000 },
    ],
  },
  "openai-responses": {
    ...FREE,
    names: { most: 64, letters: WORD },
    ids: { most: 64 },
    files: [openaiImages, { kind: "document", types: OPENAI_DOCUMENTS, schemes: WEB, total: 50_000_000 }],
  },
  anthropic: {
    names: { most: 128, letters: WORD },
    ids: { most: 256, letters: WORD },
    needsIds: true,
    files: [
      { ...anyImages, schemes: ["https"], most: 3_932_160, total: 24_000_000, count: 100 },
      { kind: "document", types: [PDF], schemes: ["https"], total: 24_000_000 },
      { kind: "text", types: ["text/"], total: 32_000_000 },
    ],
    alternates: true,
  },
  gemini: {
    names: { most: 64, letters: /[A-Za-z0-9_.-]/, first: /[A-Za-z_]/ },
    needsIds: false,
    files: [
      {
        kind: "image", types: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif", ANY_IMAGE],
        schemes: WEB, total: 100_000_000, count: 3000,
      },
      { kind: "recording or video", types: ["audio/", "video/"], schemes: WEB, total: 100_000_000 },
      { kind: "document", types: GEMINI_DOCUMENTS, schemes: WEB, most: 50_000_000, total: 100_000_000 },
    ],
    alternates: true,
  },
  bedrock: {
    names: { most: 64, letters: WORD },
    ids: { most: 64, letters: WORD },
    needsIds: true,
    files: [
      { kind: "image", types: IMAGES, most: 3_750_000, count: 20 },
      { kind: "document", types: Object.keys(BEDROCK_DOCUMENTS), most: 4_500_000, count: 5 },
    ],
    alternates: true,
  },
  vercel: FREE,
  "pydantic-ai": FREE,
  langchain: FREE,
};
/** The Agents SDK has the items of the Responses API. */
export const formOf = (dialect: string): string => (dialect === "openai-agents" ? "openai-responses" : dialect);

/** Whether a word has the form of a rule; without a rule any has that is not empty. */
export function fits(word: string, rule: WordRule | undefined): boolean {
  if (!word || !rule) return word !== "";
  const letters = [...word];
  const isPlain = !rule.letters || letters.every((one) => rule.letters?.test(one));
  return letters.length <= rule.most && isPlain && (!rule.first || rule.first.test(letters[0] as string));
}

const DIGEST = 13; // characters of a digest in base32: 65 bits
const DIGITS = "abcdefghijklmnopqrstuvwxyz234567";
const HAS_DIGEST = new RegExp(`._[${DIGITS}]{${DIGEST}}$|^_[${DIGITS}]{${DIGEST}}$`, "s");

/** The name of a tool in the form of a rule, each tool under another one. */
export function writtenName(name: string, rule: WordRule | undefined): string {
  if (!rule || (fits(name, rule) && !HAS_DIGEST.test(name))) return name;
  const most = rule.most - DIGEST - 1;
  const plain = [...name].slice(0, most).map((one) => (rule.letters?.test(one) ? one : "_")).join("");
  const isOdd = rule.first !== undefined && !rule.first.test(plain[0] as string);
  const start = isOdd ? `_${plain}`.slice(0, most) : plain;
  return `${start}_${digestOf(name)}`;
}

/** The beginning of a digest in base32, in small letters. */
function digestOf(text: string): string {
  const bytes = [...createHash("sha256").update(text, "utf8").digest()];
  const bits = bytes.map((one) => one.toString(2).padStart(8, "0")).join("");
  return Array.from({ length: DIGEST }, (_, at) => DIGITS[Number.parseInt(bits.slice(at * 5, at * 5 + 5), 2)]).join("");
}

/** `ingest.tool_name`. */
export function toolName({ name, dialect }: Value): string {
  must(isText(name) && name !== "" && Object.hasOwn(RULES, formOf(dialect)));
  return writtenName(wellFormed(name), RULES[formOf(dialect)]?.names);
}

/** The files that a provider does not take, by their places, each with the code of the reason. Newest first. */
export function refusedFiles(turns: Turn[], { files: rules }: Rules): Map<string, string> {
  const refused = new Map<string, string>();
  if (!rules.length) return refused;
  const used: Used = new Map();
  for (const turn of [...turns].reverse()) {
    for (const file of filesIn(turn.blocks)) {
      const code = refusal(file, ruleFor(file, rules), used);
      if (code) refused.set(file.at, code);
    }
  }
  return refused;
}

/** The files of blocks, the last one first. */
const filesIn = (blocks: Block[]): File[] =>
  [...blocks].reverse().flatMap((block) => {
    if (isFile(block)) return [block.data, block.text, block.url].some((one) => one !== undefined) ? [block] : [];
    return isResult(block) ? filesIn(block.blocks ?? []) : [];
  });

function ruleFor({ mediaType, url }: File, rules: FileRule[]): FileRule | undefined {
  if (url === undefined && (mediaType === BYTES || mediaType.endsWith("/*"))) return undefined;
  const half = `${mediaType.split("/", 1)[0]}/`;
  return rules.find(({ types }) => types.includes(mediaType) || types.includes(half));
}

type Used = Map<string, { count: number; bytes: number }>;

function refusal(file: File, rule: FileRule | undefined, used: Used): string | undefined {
  const scheme = file.url?.split(":", 1)[0]?.toLowerCase();
  if (!rule || (scheme !== undefined && !(rule.schemes ?? []).includes(scheme))) return "part-unsupported";
  const ofData = Math.floor(((file.data ?? "").replace(/=+$/, "").length * 3) / 4);
  const size = file.text === undefined ? ofData : bytesIn(file.text);
  const { count, bytes } = used.get(rule.kind) ?? { count: 0, bytes: 0 };
  const never = Number.POSITIVE_INFINITY;
  const isOver =
    size > (rule.most ?? never) || count >= (rule.count ?? never) || bytes + size > (rule.total ?? never);
  if (isOver) return "file-over-limit";
  used.set(rule.kind, { count: count + 1, bytes: bytes + size });
  return undefined;
}
