// JSON, read and written exactly: see values.mjs for what it becomes.

import { numberText, repr } from "./values.mjs";

/** So many values may stand in each other. */
const DEPTH = 900;
/** So many digits a whole number may have. */
const DIGITS = 4300;

const PLAIN = /[^"\\\x00-\x1f]*/y;
const NUMBER = /(-?(?:0|[1-9][0-9]*))((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)/y;
const BLANK = /[ \t\n\r]*/y;
const CONSTANT = /NaN|-?Infinity/y;
const UNIT = /[0-9A-Fa-f]{4}/y;
/** @type {{[letter: string]: string}} */
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
/** @type {{[word: string]: number}} */
const CONSTANTS = { NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity };

/** A text is not JSON. */
export class NotJson extends Error {}

/**
 * The value of a JSON text. `strict` refuses a member that stands twice; `constants` lets NaN and the infinities in, which
 * are not JSON but are read by many; `finite` refuses a number that becomes infinite; `depth` is how many
 * objects and arrays may be nested in each other.
 * @param {string} text @param {{strict?: boolean, constants?: boolean, finite?: boolean, depth?: number}} [how] @returns {any}
 */
export function loads(text, how = {}) {
  const reader = new Reader(text, how);
  const value = reader.value(0);
  reader.skip();
  if (reader.place < text.length) reader.wrong("more follows");
  return value;
}

class Reader {
  /** @param {string} text @param {{strict?: boolean, constants?: boolean, finite?: boolean, depth?: number}} how */
  constructor(text, how) {
    this.text = text;
    this.how = how;
    this.place = 0;
  }

  /** @param {string} why @returns {never} */
  wrong(why) {
    throw new NotJson(`${why} at character ${this.place}`);
  }

  /** @param {RegExp} pattern */
  match(pattern) {
    pattern.lastIndex = this.place;
    const found = pattern.exec(this.text);
    if (found !== null) this.place += found[0].length;
    return found;
  }

  skip() {
    const unit = this.text.charCodeAt(this.place);
    if (unit <= 32) this.match(BLANK);
  }

  /** @param {number} depth @returns {any} */
  value(depth) {
    this.skip();
    const first = this.text[this.place];
    if ((first === "{" || first === "[") && depth >= (this.how.depth ?? DEPTH)) this.wrong("too deep");
    if (first === '"') return this.string();
    if (first === "{") return this.object(depth);
    if (first === "[") return this.array(depth);
    for (const [word, value] of /** @type {const} */ ([["null", null], ["true", true], ["false", false]])) {
      if (first === word[0] && this.text.startsWith(word, this.place)) {
        this.place += word.length;
        return value;
      }
    }
    return this.number();
  }

  number() {
    const found = this.match(NUMBER);
    if (found !== null && found[2]) return this.fraction(Number(found[0]));
    if (found !== null) return found[1].replace("-", "").length > DIGITS ? this.wrong("too many digits") : BigInt(found[1]);
    const constant = this.how.constants ? this.match(CONSTANT) : null;
    return constant === null ? this.wrong("no value") : CONSTANTS[constant[0]];
  }

  /** @param {number} value */
  fraction(value) {
    return this.how.finite && !Number.isFinite(value) ? this.wrong("too large a number") : value;
  }

  string() {
    this.place += 1;
    let read = "";
    for (;;) {
      read += this.match(PLAIN)?.[0] ?? "";
      const end = this.text[this.place];
      if (end !== "\\") {
        if (end !== '"') this.wrong("a text does not end");
        this.place += 1;
        return read;
      }
      const letter = this.text[this.place + 1];
      this.place += 2;
      if (letter === "u") read += String.fromCharCode(parseInt(this.match(UNIT)?.[0] ?? this.wrong("no such escape"), 16));
      else read += ESCAPES[letter] ?? this.wrong("no such escape");
    }
  }

  /** @param {number} depth */
  object(depth) {
    const made = new Map();
    this.place += 1;
    this.skip();
    if (this.text[this.place] === "}") return this.ended(made);
    for (;;) {
      if (this.text[this.place] !== '"') this.wrong("no name of a member");
      const name = this.string();
      if (this.how.strict && made.has(name)) throw new NotJson(`member ${repr(name)} stands twice`);
      this.skip();
      if (this.text[this.place] !== ":") this.wrong("no colon");
      this.place += 1;
      made.set(name, this.value(depth + 1));
      if (this.isLast("}")) return this.ended(made);
      this.skip();
    }
  }

  /** @param {number} depth */
  array(depth) {
    /** @type {any[]} */
    const made = [];
    this.place += 1;
    this.skip();
    if (this.text[this.place] === "]") return this.ended(made);
    for (;;) {
      made.push(this.value(depth + 1));
      if (this.isLast("]")) return this.ended(made);
    }
  }

  /** Whether the end comes next; otherwise a comma does. @param {string} end */
  isLast(end) {
    this.skip();
    const next = this.text[this.place];
    if (next === end) return true;
    if (next !== ",") this.wrong("no comma");
    this.place += 1;
    return false;
  }

  /** @template T @param {T} made @returns {T} */
  ended(made) {
    this.place += 1;
    return made;
  }
}

/**
 * A value as JSON. `ascii` writes all other characters as escapes; `compact` leaves blanks out; `indent` breaks lines.
 * @param {any} value @param {{ascii?: boolean, compact?: boolean, indent?: number}} [how] @returns {string}
 */
export function dumps(value, how = {}) {
  const string = how.ascii ? asciiText : (/** @type {string} */ one) => JSON.stringify(one);
  const colon = how.compact ? ":" : ": ";
  const step = how.indent === undefined ? "" : " ".repeat(how.indent);
  /** @param {any} one @param {string} before @returns {string} */
  const written = (one, before) => {
    if (typeof one === "string") return string(one);
    if (one === null || one === undefined) return "null";
    if (typeof one === "boolean") return String(one);
    if (typeof one === "bigint" || typeof one === "number") return number(one);
    const inner = before + step;
    const [open, close, items] = Array.isArray(one)
      ? ["[", "]", one.map((member) => written(member, inner))]
      : ["{", "}", [...one].map(([name, member]) => `${string(name)}${colon}${written(member, inner)}`)];
    if (!items.length) return open + close;
    if (step) return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${before}${close}`;
    return `${open}${items.join(how.compact ? "," : ", ")}${close}`;
  };
  return written(value, "");
}

/** @param {bigint | number} value */
const number = (value) => (Number.isFinite(value) || typeof value === "bigint" ? numberText(value) : String(value));

/** @param {string} text */
const asciiText = (text) =>
  JSON.stringify(text).replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
