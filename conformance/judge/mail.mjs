// A mail, read as far as facts need it: its fields, its parts and what they hold.

import { FactError } from "./facts-error.mjs";
import { DESCRIBING, areAddresses, date, mailboxes, parameters, quotedPrintable, textOf, unstructured } from "./mail-fields.mjs";
import { repr, strip } from "./values.mjs";

const FIELD = /^([!-9;-~]*):([^]*)$/;
const ENCODED_WORD = /=\?([^?*\t-\r ]*)(?:\*[^?\t-\r ]*)?\?[qQbB]\?/g;
/** Fields that are there once at most: of two, some parsers read the first and some the last. */
const ONCE = (
  "Date From Sender Reply-To To Cc Bcc Message-ID In-Reply-To References Subject Auto-Submitted Supersedes MIME-Version " +
  "Content-Type Content-Transfer-Encoding Content-Disposition Content-ID"
).split(" ");
const CHARSETS = new Set(["ascii", "us-ascii", "utf-8", "iso-8859-1"]);
/** So many parts may stand in each other. */
const DEPTH = 50;

/** @param {string} name */
function checkCharset(name) {
  if (!CHARSETS.has(name.toLowerCase())) throw new FactError(`no text is read in the charset ${repr(name)}`);
}

const noField = () => new FactError("a line of a head is no field");

/** The lines of a text with what ends them. @param {string} text */
const linesOf = (text) => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+/g) ?? [];

/** A mail, or a part of one. Its texts are bytes, one a character, until they are decoded. */
export class Part {
  /** @param {string} text @param {number} [depth] @param {string} [type] what a part is that does not say it */
  constructor(text, depth = 0, type = "text/plain") {
    /** The fields in order, as they are written. @type {[string, string][]} */
    this.fields = [];
    this.defaultType = type;
    this.body = this.readHead(text);
    /** The parts in it; null where it is not made of parts. @type {Part[] | null} */
    if (depth > DEPTH) throw new FactError(`more than ${DEPTH} parts of the mail stand in each other`);
    const twice = ONCE.find((name) => this.written(name).length > 1);
    if (twice) throw new FactError(`the field ${twice} is there twice`);
    for (const [name, form] of DESCRIBING) {
      if (!this.written(name).every((value) => form.test(value.replace(/[\r\n]/g, "")))) {
        throw new FactError(`the field ${name} has another form than that of RFC 2045`);
      }
    }
    for (const [, written] of this.fields) {
      for (const [, charset] of written.matchAll(ENCODED_WORD)) checkCharset(utf8Or(charset));
    }
    this.parts = this.readParts(depth);
  }

  /** Read the fields; what follows them is the body. @param {string} text */
  readHead(text) {
    const lines = linesOf(text);
    let place = 0;
    for (; place < lines.length; place += 1) {
      const line = lines[place];
      const last = this.fields.at(-1);
      const found = FIELD.exec(line);
      if (/^[ \t]/.test(line)) {
        if (!last) throw noField();
        last[1] += line;
      } else if (found !== null && found[1]) {
        this.fields.push([found[1], found[2].replace(/^[ \t]+/, "")]);
      } else if (/^[\r\n]+$/.test(line)) {
        break;
      } else if (!(place === 0 && line.startsWith("From "))) {
        throw noField();
      }
    }
    for (const field of this.fields) field[1] = field[1].replace(/[\r\n]+$/, "");
    return lines.slice(place + 1).join("");
  }

  /** @param {number} depth @returns {Part[] | null} */
  readParts(depth) {
    const [main] = this.type.split("/");
    if (this.type === "message/delivery-status") {
      return this.body.split(/(?<=(?:\r\n|\r|\n))(?:\r\n|\r|\n)/).map((block) => new Part(block, depth + 1));
    }
    if (main === "message") return [new Part(this.body, depth + 1)];
    const boundary = this.parameter("content-type", "boundary");
    if (main !== "multipart" || boundary === null) return null;
    const inner = this.type === "multipart/digest" ? "message/rfc822" : "text/plain";
    const found = pieces(this.body, boundary.trimEnd());
    return found && found.map((piece) => new Part(piece, depth + 1, inner));
  }

  /** Every field of a name, as it is written. @param {string} name */
  written(name) {
    return this.fields.filter(([one]) => one.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  }

  /** A field as people read it; null where there is none. @param {string} name */
  field(name) {
    const [value] = this.written(name);
    if (value === undefined) return null;
    const shown = utf8Or(value.replace(/[\r\n]/g, ""));
    return name.toLowerCase() === "date" ? date(shown) : unstructured(shown);
  }

  /** The mailboxes of every field of a name. @param {string} name */
  mailboxes(name) {
    const fields = this.written(name).map((value) => value.replace(/[\r\n]/g, ""));
    if (!fields.every(areAddresses)) throw new FactError(`the field ${name} has another form than addresses of RFC 5322`);
    return fields.flatMap(mailboxes);
  }

  /** What a field says with its parameters; null where there is none. @param {string} name */
  described(name) {
    const [value] = this.written(name);
    return value === undefined ? null : parameters(value.replace(/[\r\n]/g, ""));
  }

  /** @param {string} field @param {string} name */
  parameter(field, name) {
    return this.described(field)?.parameters.get(name) ?? null;
  }

  /** The type of what it holds. */
  get type() {
    const said = this.described("content-type");
    if (said === null) return this.defaultType;
    return said.value.split("/").length === 2 ? said.value : "text/plain";
  }

  /** How it is to be shown; null where it does not say. */
  get disposition() {
    return this.described("content-disposition")?.value ?? null;
  }

  /** The name of the file. */
  get filename() {
    const name = this.parameter("content-disposition", "filename") ?? this.parameter("content-type", "name");
    return name === null ? null : strip(name);
  }

  /** How its bytes are written. */
  get encoding() {
    return (this.field("content-transfer-encoding") ?? "").toLowerCase();
  }

  /** What it holds. */
  get data() {
    const bytes = Buffer.from(this.body, "latin1");
    if (this.encoding === "base64") return fromBase64(this.body);
    return this.encoding === "quoted-printable" ? quotedPrintable(bytes) : bytes;
  }

  /** Its text. */
  get text() {
    const charset = this.parameter("content-type", "charset") ?? "ascii";
    checkCharset(charset);
    return /** @type {string} */ (textOf(this.data, charset));
  }

  /** Every part that is not made of parts, in order. @returns {Part[]} */
  get leaves() {
    return this.parts === null ? [this] : this.parts.flatMap((part) => part.leaves);
  }
}

/** The bytes of base64, whatever else stands in it, up to its padding; its text where it breaks off within a byte. @param {string} text */
function fromBase64(text) {
  let [letters, pads] = ["", 0];
  for (const [one] of text.matchAll(/[A-Za-z0-9+/]+|=/g)) {
    const open = letters.length % 4;
    if (one !== "=") [letters, pads] = [letters + one, 0];
    else if (open >= 2) pads += 1;
    if (one === "=" && open >= 2 && open + pads >= 4) break;
  }
  return letters.length % 4 === 1 ? Buffer.from(text.replace(/[\r\n]/g, ""), "latin1") : Buffer.from(letters, "base64");
}

/** The bytes as UTF-8 where they are it; else each as a character that nobody knows. @param {string} bytes */
function utf8Or(bytes) {
  return /^[\0-\x7f]*$/.test(bytes) ? bytes : Buffer.from(bytes, "latin1").toString("utf8");
}

/** What stands between the lines of a boundary; null where there is none. @param {string} body @param {string} boundary @returns {string[] | null} */
function pieces(body, boundary) {
  const mark = `--${boundary}`;
  /** @type {string[] | null} */
  let found = null;
  /** @type {string[]} */
  let current = [];
  const finish = () => found?.push(current.join("").replace(/(?:\r\n|\r|\n)$/, ""));
  for (const line of linesOf(body)) {
    const rest = line.startsWith(mark) ? line.slice(mark.length) : null;
    if (rest === null || !/^(?:--)?[ \t]*(?:\r\n|\r|\n)?$/.test(rest)) {
      current.push(line);
      continue;
    }
    finish();
    if (rest.startsWith("--")) {
      if (found === null) continue;
      return found;
    }
    found ??= [];
    current = [];
  }
  finish();
  return found;
}
