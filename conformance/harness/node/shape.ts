// How values come in from outside: ruling R54. A form is a function `(data, notes) => value` that throws `Misfit` when
// the data does not fit. With `notes`, an optional member, an item or an entry that does not fit is left out, and notes
// take its JSON pointer; what a form calls strict costs its holder. Without `notes` nothing may be odd.

import { Rejected } from "./rejected.ts";

/** JSON as a parser gave it, of which nothing is known before a form has read it. */
export type Json = any;
/** A value that a form has read. */
export type Value = any;
/** The JSON pointers of what was left out. */
export type Notes = string[];
export type Form = (data: Json, notes?: Notes) => Value;
/** A place in a value: a member, or an item or entry of one. */
export type Place = [name: string, token?: string | number];
export type RuleOf = (value: Value) => Place[] | undefined;
export interface Member {
  read: Form;
  isRequired?: boolean;
  isNullAbsence?: boolean;
  isStrict?: boolean;
  fallback?: Json;
}
export type Members = Record<string, Member>;
interface RecordOptions {
  kind?: string;
  rules?: RuleOf[];
}
/** What is told of something that was left out. */
export interface Note {
  code: string;
  at: string;
}

/** A value does not fit its form. */
class Misfit extends Rejected {}

export const isObject = (value: Json): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Number);
export const isText = (value: unknown): value is string => typeof value === "string";

/** How deep the JSON of a member may be nested. */
const MOST_DEPTH = 96;
/** How deep what is read may be nested, whatever becomes of its members. */
const MOST_OF_ALL = 128;

/** What cannot be printed, and so is escaped in a pointer. */
const UNPRINTABLE = /(?! )[\p{C}\p{Z}]/gu;
export const escapedMark = (mark: string): string =>
  `\\u${(mark.codePointAt(0) as number).toString(16).padStart(4, "0")}`;
/** One step of a JSON pointer. */
export const step = (token: string | number): string =>
  `/${String(token).replace(UNPRINTABLE, escapedMark).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The places in the array that came of the items that are kept. */
const SENT = new WeakMap<Value[], number[]>();

function must(fits: unknown): asserts fits {
  if (!fits) throw new Misfit();
}

/** A leaf. `read` gives the one spelling of a text, or undefined for what has none. */
export const leaf = (fits: (value: Json) => boolean, read?: (text: string) => string | undefined): Form => (data) => {
  const value = (read && isText(data) ? read(data) : undefined) ?? data;
  must(fits(value));
  return value;
};
/** Whether at most so many arrays and objects are open at once. */
export function isWithin(depth: number, value: Json): boolean {
  if (typeof value !== "object" || value === null || value instanceof Number) return true;
  return depth > 0 && Object.values(value).every((one) => isWithin(depth - 1, one));
}

export const anything = leaf((value) => isWithin(MOST_DEPTH, value));
export const object = leaf((value) => isObject(value) && isWithin(MOST_DEPTH, value));
export const oneOf = (...words: Json[]): Form => leaf((value) => words.includes(value));

/** One member, item or entry, with its notes as those of its holder. */
function within(read: Form, data: Json, token: string | number, notes?: Notes): Value {
  if (!notes) return read(data);
  const inner: Notes = [];
  const value = read(data, inner);
  for (const at of inner) notes.push(step(token) + at);
  return value;
}

/** Whether a member, item or entry could be read; one that may be left out is noted, another is a misfit. */
function couldRead(read: () => void, token: string | number, notes?: Notes): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (!(error instanceof Misfit) || !notes) throw error;
    notes.push(step(token));
    return false;
  }
}

/** An array of one form; where it is `whole`, an item that does not fit costs all of it. */
export const list = (form: Form, { whole = false } = {}): Form => (data, notes) => {
  must(Array.isArray(data));
  const [items, sent]: [Value[], number[]] = [[], []];
  data.forEach((item: Json, index: number) => {
    const read = () => items.push(within(form, item, index, notes));
    if (couldRead(read, index, whole ? undefined : notes)) sent.push(index);
  });
  SENT.set(items, sent);
  return items;
};

/** An object whose entries are all of one form. */
export const entries = (form: Form): Form => (data, notes) => {
  must(isObject(data));
  const read = Object.create(null);
  for (const [name, entry] of Object.entries(data)) {
    couldRead(() => (read[name] = within(form, entry, name, notes)), name, notes);
  }
  return read;
};

// What a record says of a member.
export const needed = (read: Form): Member => ({ read, isRequired: true });
export const maybe = (read: Form): Member => ({ read, isNullAbsence: true });
export const strict = (member: Member): Member => ({ ...member, isStrict: true });
/** A member that must be there, and for which something is taken where it does not fit. */
export const orElse = (read: Form, fallback: Json): Member => ({ read, isRequired: true, fallback });
/** A member for which null is a value. */
export const nullable = (read: Form): Member => ({ read });

const UNKNOWN = nullable(leaf((value) => isWithin(MOST_DEPTH - 1, value)));

/**
 * An object with members, in the order in which they are looked at; what it has besides is kept. `rules` are functions
 * of the value that give nothing, or the places without which it would fit: none when it can never fit.
 */
export const record = (members: Members, { kind, rules = [] }: RecordOptions = {}): Form => (data, notes) => {
  must(isObject(data) && (kind === undefined || data.kind === kind));
  const value = Object.assign(Object.create(null), data);
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(members, name));
  for (const [name, member] of Object.entries(members)) readMember(value, name, member, notes);
  for (const name of unknown) readMember(value, name, UNKNOWN, notes);
  for (;;) {
    const places = rules.reduce<Place[] | undefined>((found, rule) => found ?? rule(value), undefined);
    if (!places) return value;
    must(notes && places.length && !places.some(([name]) => Object.hasOwn(members, name) && members[name]?.isStrict));
    cut(value, places, notes);
  }
};

function readMember(value: Value, name: string, member: Member, notes?: Notes): void {
  if (!(name in value) || (value[name] === null && member.isNullAbsence)) {
    delete value[name];
    if (!member.isRequired) return;
  }
  const costsItself = "fallback" in member || !(member.isRequired || member.isStrict);
  const read = () => {
    must(name in value);
    value[name] = within(member.read, value[name], name, notes);
  };
  if (couldRead(read, name, costsItself ? notes : undefined)) return;
  delete value[name];
  if ("fallback" in member) value[name] = member.fallback;
}

/** Takes members, and items and entries of members, out of a value. */
function cut(value: Value, places: Place[], notes: Notes): void {
  for (const [name, token] of places) {
    const member = value[name];
    const sent = token !== undefined && Array.isArray(member) ? SENT.get(member)?.[token as number] : token;
    notes.push(step(name) + (token === undefined ? "" : step(sent as string | number)));
  }
  for (const name of new Set(places.map(([one]) => one))) {
    const tokens = new Set(places.filter(([one, token]) => one === name && token !== undefined).map((one) => one[1]));
    if (!tokens.size) delete value[name];
    else if (Array.isArray(value[name])) keepItems(value, name, (index) => !tokens.has(index));
    else value[name] = Object.fromEntries(Object.entries(value[name]).filter(([token]) => !tokens.has(token)));
  }
}

function keepItems(value: Value, name: string, isKept: (index: number) => boolean): void {
  const items = value[name].filter((_: Value, index: number) => isKept(index));
  SENT.set(items, (SENT.get(value[name]) as number[]).filter((_, index) => isKept(index)));
  value[name] = items;
}

/** An object whose form is told by its `kind`; `other` is for kinds that nobody knows. */
export const byKind = (forms: Record<string, Form>, other?: Form): Form => (data, notes) => {
  must(isObject(data) && isText(data.kind));
  const form = Object.hasOwn(forms, data.kind) ? forms[data.kind] : other;
  must(form !== undefined);
  return form(data, notes);
};

/** Whether no text in a value, and no name, has a lone surrogate. */
function isWellFormed(value: Json): boolean {
  if (isText(value)) return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.keys(value).every((name) => name.isWellFormed()) && Object.values(value).every(isWellFormed);
}

/** What data is by a form; nothing of it may be odd. */
export function strictly(form: Form, data: Json): Value {
  must(isWithin(MOST_OF_ALL, data) && isWellFormed(data));
  return form(data);
}

/** What data is by a form, and what of it had to be left out: the first hundred notes, and whether there were more. */
export function leniently(form: Form, data: Json): { value: Value; notes: Note[] } {
  must(isWithin(MOST_OF_ALL, data) && isWellFormed(data));
  const places: Notes = [];
  const value = form(data, places);
  const notes = places.slice(0, 100).map((at) => ({ code: "member-dropped", at }));
  if (places.length > notes.length) notes.push({ code: "diagnostics-omitted", at: "" });
  return { value, notes };
}
