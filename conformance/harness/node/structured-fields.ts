// Structured fields of HTTP (RFC 9651): dictionaries, read by their grammar and written in their one form. A name that
// occurs twice is kept twice: the grammar takes the last one, but where something is signed readers must not differ.

import { isStrictBase64 } from "./leaves.ts";
import { must, readOrNone, Rejected } from "./rejected.ts";

export type Bare =
  | { type: "integer" | "date"; value: number }
  | { type: "decimal" | "string" | "token" | "bytes" | "display"; value: string }
  | { type: "boolean"; value: boolean };
export type Named<T> = [name: string, value: T][];
export interface Item {
  bare: Bare;
  parameters: Named<Bare>;
}
export interface InnerList {
  items: Item[];
  parameters: Named<Bare>;
}
export type Member = Item | InnerList;

export const isInnerList = (member: Member): member is InnerList => "items" in member;
/** The first value under a name; undefined when there is none. */
export const valueOf = <T>(named: Named<T>, name: string): T | undefined => named.find(([one]) => one === name)?.[1];
/** Whether a name occurs more than once. */
export const hasTwice = (named: Named<unknown>): boolean => new Set(named.map(([one]) => one)).size < named.length;

const BLANKS = / */y;
const OPTIONAL_BLANKS = /[ \t]*/y;
const KEY = /[a-z*][a-z0-9_.*-]*/y;
const NUMBER = /(-?)(?:([0-9]{1,12})\.([0-9]{1,3})|([0-9]{1,15}))(?![0-9.])/y;
const STRING = /"((?:[ !#-[\]-~]|\\["\\])*)"/y;
const TOKEN = /[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y;
const BYTES = /:([A-Za-z0-9+/]*={0,2}):/y;
const BOOLEAN = /\?([01])/y;
const DATE = /@(-?[0-9]{1,15})(?![0-9.])/y;
const DISPLAY = /%"((?:[ !#$&-~]|%[0-9a-f]{2})*)"/y;

/** A dictionary; undefined for what is none. */
export const readDictionary = (text: string): Named<Member> | undefined =>
  readOrNone(() => new Reader(text).dictionary());

class Reader {
  text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** What a pattern finds here, taken; null when it does not stand here. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  mark(mark: string): boolean {
    const stands = this.text[this.at] === mark;
    if (stands) this.at += 1;
    return stands;
  }

  isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  dictionary(): Named<Member> {
    const members: Named<Member> = [];
    this.take(BLANKS);
    while (!this.isAtEnd()) {
      const name = this.key();
      const isBare = !this.mark("=");
      members.push([name, isBare ? this.isTrue() : this.member()]);
      this.take(OPTIONAL_BLANKS);
      if (this.isAtEnd()) break;
      must(this.mark(","), "field-malformed");
      this.take(OPTIONAL_BLANKS);
      must(!this.isAtEnd(), "field-malformed");
    }
    return members;
  }

  key(): string {
    const found = this.take(KEY);
    must(found, "field-malformed");
    return found[0];
  }

  isTrue(): Item {
    return { bare: { type: "boolean", value: true }, parameters: this.parameters() };
  }

  member(): Member {
    if (!this.mark("(")) return this.item();
    const items: Item[] = [];
    for (this.take(BLANKS); !this.mark(")"); this.take(BLANKS)) {
      must(items.length === 0 || this.text[this.at - 1] === " ", "field-malformed");
      items.push(this.item());
    }
    return { items, parameters: this.parameters() };
  }

  item(): Item {
    const bare = this.bare();
    return { bare, parameters: this.parameters() };
  }

  parameters(): Named<Bare> {
    const parameters: Named<Bare> = [];
    while (this.mark(";")) {
      this.take(BLANKS);
      const name = this.key();
      parameters.push([name, this.mark("=") ? this.bare() : { type: "boolean", value: true }]);
    }
    return parameters;
  }

  bare(): Bare {
    let found: RegExpExecArray | null;
    if ((found = this.take(NUMBER))) return number(found);
    if ((found = this.take(STRING))) return { type: "string", value: (found[1] as string).replace(/\\(.)/g, "$1") };
    if ((found = this.take(TOKEN))) return { type: "token", value: found[0] };
    if ((found = this.take(BYTES))) return { type: "bytes", value: strictBase64(found[1] as string) };
    if ((found = this.take(BOOLEAN))) return { type: "boolean", value: found[1] === "1" };
    if ((found = this.take(DATE))) return { type: "date", value: Number(found[1]) };
    if ((found = this.take(DISPLAY))) return { type: "display", value: decoded(found[1] as string) };
    throw new Rejected("field-malformed");
  }
}

function number([text, sign, whole, fraction]: RegExpExecArray): Bare {
  if (whole === undefined) return { type: "integer", value: Number(text) };
  const digits = `${whole.replace(/^0+(?=.)/, "")}.${(fraction as string).replace(/(?<=.)0+$/, "")}`;
  return { type: "decimal", value: `${digits === "0.0" ? "" : sign}${digits}` };
}

/** Base64 in its one spelling: another one of the same bytes would be another text under the same signature. */
function strictBase64(text: string): string {
  must(isStrictBase64(text), "field-malformed");
  return text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Rejected("field-malformed"); // its bytes are no UTF-8
  }
}

/** A member in its one form. */
export const written = (member: Member): string =>
  (isInnerList(member) ? `(${member.items.map(written).join(" ")})` : writtenBare(member.bare)) +
  writtenParameters(member.parameters);

export const writtenParameters = (parameters: Named<Bare>): string =>
  parameters.map(([name, value]) => `;${name}${value.value === true ? "" : `=${writtenBare(value)}`}`).join("");

/** A dictionary in its one form; of a name that occurs twice, the last value at the first place. */
export const writtenDictionary = (members: Named<Member>): string =>
  [...new Map(members)].map(([name, member]) => {
    const isTrue = !isInnerList(member) && member.bare.value === true;
    return name + (isTrue ? writtenParameters(member.parameters) : `=${written(member)}`);
  }).join(", ");

function writtenBare({ type, value }: Bare): string {
  if (type === "string") return `"${value.replace(/["\\]/g, "\\$&")}"`;
  if (type === "bytes") return `:${value}:`;
  if (type === "boolean") return value ? "?1" : "?0";
  if (type === "date") return `@${value}`;
  return type === "display" ? `%"${encoded(value)}"` : `${value === 0 ? 0 : value}`;
}

const encoded = (text: string): string =>
  [...Buffer.from(text, "utf8")].map((byte) => {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25 && byte !== 0x22;
    return isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, "0")}`;
  }).join("");
