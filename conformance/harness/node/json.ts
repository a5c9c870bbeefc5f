// JSON read strictly: UTF-8, no member twice, no lone surrogate, no number that a double cannot hold, bounded
// depth. The reader of the platform takes the last of two members and lets the rest through, so this one is its own.

import { must, Rejected } from "./rejected.ts";
import { isObject, isText, type Json } from "./shape.ts";

const BLANK = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS: Record<string, boolean | null> = { true: true, false: false, null: null };
const WORD = /true|false|null/y;
const NO_NUMBER = /NaN|-?Infinity/y;

/** An integer that a double may hold only nearly: JSON as any other, but nothing that can be counted or signed. */
export class WideInteger extends Number {}

/** The bytes of a value of a case: text stands for its UTF-8. */
export const bytesOf = (data: Json): Buffer =>
  typeof data === "string" ? Buffer.from(data, "utf8") : Buffer.from(data.$base64, "base64");

/** Whether a value of a case stands for bytes, and not for JSON that is parsed already. */
export const isBytes = (data: Json): boolean =>
  isText(data) || (isObject(data) && Object.keys(data).join() === "$base64");

/** The bytes of a body of a case: as they stand, or its JSON. */
export const bodyBytes = (body: Json): Buffer => (isBytes(body) ? bytesOf(body) : jsonBytes(body));

/** The text of bytes; undefined when they are no UTF-8. A byte order mark is a character of it. */
export function decodedUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The UTF-8 of a text; a lone surrogate has none. */
export function utf8Of(text: string): Buffer {
  must(text.isWellFormed(), "not-utf8");
  return Buffer.from(text, "utf8");
}

/** The value that a text holds. */
export const parseText = (text: string, limits: Partial<Limits> = {}): Json => parseStrict(utf8Of(text), limits);

/** The JSON of a value of a case, which may stand there parsed already. */
export const jsonOf = (body: Json): Json =>
  isBytes(body) ? parseStrict(bytesOf(body)) : body;

/** What JSON may be. */
interface Limits {
  maxBytes: number;
  maxDepth: number;
  /** Whether each integer must be one that a double holds. */
  safeIntegers: boolean;
  /** Whether a lone surrogate is a fault. */
  wellFormed: boolean;
}

/** The value that bytes hold. Refuses with `too-large`, `not-utf8`, `too-deep`, `duplicate-member`, … */
export function parseStrict(bytes: Buffer, limits: Partial<Limits> = {}): Json {
  const { maxBytes = 1024 * 1024, maxDepth = 64, safeIntegers = true, wellFormed = true } = limits;
  must(bytes.length <= maxBytes, "too-large");
  const text = decodedUtf8(bytes);
  must(text !== undefined, "not-utf8");
  must(!isDeeper(text, maxDepth), "too-deep"); // before anything else is looked at
  const reader = new Reader(text, safeIntegers);
  const value = withinReach(() => reader.value());
  reader.blanks();
  must(reader.at === text.length, "invalid-json");
  must(reader.isWellFormed || !wellFormed, "lone-surrogate"); // what is no JSON at all is told first
  return value;
}

/** What a reader gives, unless it would have to go deeper than a program can. */
function withinReach<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? new Rejected("too-deep") : error;
  }
}

/** Whether more brackets are open at once than may be. Those without a partner make a text invalid, and not deep. */
function isDeeper(text: string, maxDepth: number): boolean {
  const heights: number[] = []; // for each bracket that is open, how deep what it has held until now is nested
  let most = 0;
  const outside = text.replaceAll("\\\\", "").replaceAll('\\"', "").split('"').filter((_, at) => at % 2 === 0);
  for (const [mark] of outside.join("").matchAll(/[[\]{}]/g)) {
    if (mark === "[" || mark === "{") heights.push(0);
    else if (heights.length) {
      const height = (heights.pop() as number) + 1;
      most = Math.max(most, height);
      if (heights.length) heights.push(Math.max(heights.pop() as number, height));
    }
  }
  return most > maxDepth;
}

class Reader {
  text: string;
  safeIntegers: boolean;
  at = 0;
  isWellFormed = true;

  constructor(text: string, safeIntegers = true) {
    this.text = text;
    this.safeIntegers = safeIntegers;
  }

  /** What a pattern finds here, taken; or the empty text. */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  blanks(): void {
    this.take(BLANK);
  }

  /** Whether this mark stands here, blanks or not before it; it is taken. */
  mark(mark: string): boolean {
    this.blanks();
    const stands = this.text[this.at] === mark;
    if (stands) this.at += 1;
    return stands;
  }

  value(): Json {
    this.blanks();
    const first = this.text[this.at];
    if (first === "{" || first === "[") {
      this.at += 1;
      return first === "{" ? this.object() : this.array();
    }
    if (first === '"') return this.string();
    must(!this.take(NO_NUMBER), "unsafe-number");
    const word = this.take(WORD);
    return word ? WORDS[word] : this.number();
  }

  object(): Json {
    const members: Json = Object.create(null); // so that a member named __proto__ is one like any other
    if (this.mark("}")) return members;
    let isTwice = false;
    do {
      this.blanks();
      const name = this.string();
      must(this.mark(":"), "invalid-json");
      isTwice ||= name in members;
      members[name] = this.value();
    } while (this.mark(","));
    must(this.mark("}"), "invalid-json");
    must(!isTwice, "duplicate-member");
    return members;
  }

  array(): Json[] {
    const items: Json[] = [];
    if (this.mark("]")) return items;
    do items.push(this.value());
    while (this.mark(","));
    must(this.mark("]"), "invalid-json");
    return items;
  }

  string(): string {
    must(this.text[this.at] === '"', "invalid-json");
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === "\\" ? 2 : 1;
    let value: string;
    try {
      value = JSON.parse(this.text.slice(this.at, end + 1)); // escapes and control characters are the platform's
    } catch {
      throw new Rejected("invalid-json");
    }
    this.isWellFormed &&= value.isWellFormed();
    this.at = end + 1;
    return value;
  }

  number(): number | WideInteger {
    const digits = this.take(NUMBER);
    must(digits !== "", "invalid-json");
    const value = Number(digits);
    const isSafe = /[.eE]/.test(digits) || Number.isSafeInteger(value);
    must(Number.isFinite(value) && (isSafe || !this.safeIntegers), "unsafe-number");
    return isSafe ? value : new WideInteger(value);
  }
}

/** Objects as maps: the platform would put members whose names are numbers first. Numbers are its own. */
class InOrder extends Reader {
  object(): Json {
    const members = new Map<string, Json>();
    if (this.mark("}")) return members;
    do {
      this.blanks();
      const name = this.string();
      this.mark(":");
      members.set(name, this.value());
    } while (this.mark(","));
    this.mark("}");
    return members;
  }

  number(): number {
    return Number(this.take(NUMBER));
  }
}

/** JSON that was read once already, with the members of its objects in their order. */
export const inOrder = (text: string): Json => new InOrder(text).value();

/** The JSON of what `inOrder` gave. */
export function written(value: Json): string {
  if (value instanceof Map) {
    return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(",")}}`;
  }
  return Array.isArray(value) ? `[${value.map(written).join(",")}]` : JSON.stringify(value);
}

/** A line of the runner with every number as it stands there, where one may be wider than a double. */
export const exactly = (line: string): Json =>
  parseStrict(Buffer.from(line, "utf8"), {
    maxBytes: Number.POSITIVE_INFINITY,
    maxDepth: 1024,
    safeIntegers: false,
    wellFormed: false,
  });

/** The JSON of a value that `exactly` gave, with its numbers as wide as they were. */
export const jsonBytes = (value: Json): Buffer => Buffer.from(textOf(value), "utf8");

function textOf(value: Json): string {
  if (value instanceof WideInteger) return BigInt(value.valueOf()).toString();
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value.toFixed(1); // it had a fraction
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`).join(",")}}`;
}

/** `json.loads`. */
export function loads({ data }: Json, given: Json): Json {
  const limits = given.settings?.limits ?? {};
  return parseStrict(bytesOf(data), { maxBytes: limits.activitypub_bytes, maxDepth: limits.json_depth });
}
