// JSON read strictly: UTF-8, no member twice, no half of a surrogate pair, no number that a double cannot hold, bounded
// depth. The reader of the platform takes the last of two members and lets the rest through, so this one is its own.

import { must, Rejected } from "./rejected.mjs";

const BLANK = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS = { true: true, false: false, null: null };
const WORD = /true|false|null/y;
const NO_NUMBER = /NaN|-?Infinity/y;

/** The bytes of a value of a case: text stands for its UTF-8. */
export const bytesOf = (data) =>
  typeof data === "string" ? Buffer.from(data, "utf8") : Buffer.from(data.$base64, "base64");

/** The JSON of a value of a case, which may stand there parsed already. */
export const jsonOf = (body) => (typeof body === "string" || "$base64" in body ? parseStrict(bytesOf(body)) : body);

/** The value that bytes hold. Refuses with `too-large`, `not-utf8`, `too-deep`, `duplicate-member`, … */
export function parseStrict(bytes, { maxBytes = 1024 * 1024, maxDepth = 64 } = {}) {
  must(bytes.length <= maxBytes, "too-large");
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Rejected("not-utf8");
  }
  const reader = new Reader(text, maxDepth);
  const value = reader.value(0);
  reader.blanks();
  must(reader.at === text.length, "invalid-json");
  return value;
}

class Reader {
  constructor(text, maxDepth) {
    Object.assign(this, { text, maxDepth, at: 0 });
  }

  /** What a pattern finds here, taken; or the empty text. */
  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  blanks() {
    this.take(BLANK);
  }

  /** Whether this mark stands here, blanks or not before it; it is taken. */
  mark(mark) {
    this.blanks();
    const stands = this.text[this.at] === mark;
    if (stands) this.at += 1;
    return stands;
  }

  value(depth) {
    this.blanks();
    const first = this.text[this.at];
    if (first === "{" || first === "[") {
      must(depth < this.maxDepth, "too-deep");
      this.at += 1;
      return first === "{" ? this.object(depth + 1) : this.array(depth + 1);
    }
    if (first === '"') return this.string();
    must(!this.take(NO_NUMBER), "unsafe-number");
    const word = this.take(WORD);
    return word ? WORDS[word] : this.number();
  }

  object(depth) {
    const members = Object.create(null); // so that a member named __proto__ is one like any other
    if (this.mark("}")) return members;
    do {
      this.blanks();
      const name = this.string();
      must(!(name in members), "duplicate-member");
      must(this.mark(":"), "invalid-json");
      members[name] = this.value(depth);
    } while (this.mark(","));
    must(this.mark("}"), "invalid-json");
    return members;
  }

  array(depth) {
    const items = [];
    if (this.mark("]")) return items;
    do items.push(this.value(depth));
    while (this.mark(","));
    must(this.mark("]"), "invalid-json");
    return items;
  }

  string() {
    must(this.text[this.at] === '"', "invalid-json");
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === "\\" ? 2 : 1;
    let value;
    try {
      value = JSON.parse(this.text.slice(this.at, end + 1)); // escapes and control characters are the platform's
    } catch {
      throw new Rejected("invalid-json");
    }
    must(value.isWellFormed(), "lone-surrogate");
    this.at = end + 1;
    return value;
  }

  number() {
    const digits = this.take(NUMBER);
    must(digits !== "", "invalid-json");
    const value = Number(digits);
    const isWhole = !/[.eE]/.test(digits);
    must(Number.isFinite(value) && (!isWhole || Number.isSafeInteger(value)), "unsafe-number");
    return value;
  }
}

/** `json.loads`. */
export function loads({ data }, given) {
  const limits = given.settings?.limits ?? {};
  return parseStrict(bytesOf(data), { maxBytes: limits.activitypub_bytes, maxDepth: limits.json_depth });
}
