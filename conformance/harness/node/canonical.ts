// The one canonical form of JSON (RFC 8785), by which offers and scopes are compared, and hashes of it.

import { createHash } from "node:crypto";
import { WideInteger } from "./json.ts";
import { must } from "./rejected.ts";
import { isText, type Json } from "./shape.ts";

const MOST_DEPTH = 64;

/** Canonical JSON: names in the order of their UTF-16, numbers as ECMAScript writes them. Refuses what has none. */
export function canonical(value: Json, depth = MOST_DEPTH): string {
  must(!(value instanceof WideInteger), "not-canonical");
  if (isText(value)) must(value.isWellFormed(), "not-canonical");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  must(depth > 0, "not-canonical");
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, depth - 1)).join(",")}]`;
  const member = (name: string) => `${canonical(name)}:${canonical(value[name], depth - 1)}`;
  return `{${Object.keys(value).sort().map(member).join(",")}}`;
}

/** Whether JSON has a canonical form. */
export function hasCanonical(value: Json): boolean {
  try {
    return canonical(value) !== "";
  } catch {
    return false;
  }
}

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
