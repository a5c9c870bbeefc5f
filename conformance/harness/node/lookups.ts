// The look-ups of a case: a closed table that answers what an implementation asks, and the list of what it asked.

import { bytesOf, jsonBytes } from "./json.ts";
import type { Json } from "./shape.ts";

/** A document as a host has fetched it. */
export interface Fetched {
  url: string;
  status: number;
  contentType: string;
  body: Buffer;
}
/** What a store knows of a key that may be used once: nothing, this very use, or another one. */
export type Use = "first" | "same" | "other";

export class Lookups {
  table: Record<string, Json>;
  asked: string[] = [];
  used = new Map<string, string>();

  constructor(table: Record<string, Json>) {
    this.table = table;
  }

  /** What the table has for a question, or for all of its kind; undefined when it has nothing. */
  row(question: string): Json {
    this.asked.push(question);
    return this.table[Object.hasOwn(this.table, question) ? question : `${question.split(" ", 1)[0]} *`];
  }

  /** The answer to a question such as `GET https://…`; undefined when it is not listed, or fails. */
  ask(question: string): Json {
    const row = this.row(question);
    const answer = Array.isArray(row) && question.startsWith("GET ") ? row[0] : row;
    return answer?.failed === undefined ? answer : undefined;
  }

  /** The document at a URL, `fresh` past every cache; or why there is none, and whether there may be one later. */
  fetch(url: string, { fresh = false } = {}): Fetched | { failed: string; temporary?: boolean } {
    const row = this.row(`GET ${url}`);
    const answer = Array.isArray(row) ? row[Math.min(Number(fresh), row.length - 1)] : row;
    if (answer === undefined || answer.failed !== undefined) return answer ?? { failed: "not in the table" };
    const kind = "json" in answer ? "application/json" : "";
    const bytes = answer.body ?? ("$base64" in answer ? answer : "");
    const body = "json" in answer ? jsonBytes(answer.json) : bytesOf(bytes);
    const { url: last, status = 200, content_type: contentType = kind } = answer;
    return { url: last ?? url, status, contentType, body };
  }

  /** What a key was used for before, and from now on for `binding`; undefined when the store cannot be asked. */
  useOnce(key: string, binding: string): Use | undefined {
    const answer = this.row(`ONCE ${key}`);
    if (answer !== undefined && answer !== true) {
      return answer?.failed === undefined ? answer || "other" : undefined;
    }
    const before = this.used.get(key);
    if (before === undefined) this.used.set(key, binding);
    return before === undefined ? "first" : before === binding ? "same" : "other";
  }
}
