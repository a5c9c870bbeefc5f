// A request as a host has received it: its fields by their names, and what of its URL can be signed.

import { bodyBytes } from "./json.ts";
import { must } from "./rejected.ts";
import type { Json } from "./shape.ts";

export interface HttpRequest {
  method: string;
  scheme: string;
  /** The host in small letters, with a port that is not the usual one; empty when the URL cannot be read. */
  authority: string;
  path: string;
  /** With its question mark; empty when there is none. */
  query: string;
  fields: Map<string, string[]>;
  body: Buffer;
}

const URL_PARTS = /^([a-z][a-z0-9+.-]{0,15}):\/\/([^/?# \t\n\v\f\r]+)([^?#\r\n]*)(\?[^#\r\n]*)?/i;
const USUAL_PORTS: Record<string, RegExp> = { https: /:443$/, http: /:80$/ };

/** The request of a case. */
export function requestOf({ method = "POST", url, headers = [], body = "" }: Json): HttpRequest {
  must(url.includes("://")); // a program knows its own URL
  const [, scheme = "", authority = "", path = "", query = ""] = URL_PARTS.exec(url) ?? [];
  const fields = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    fields.set(lower, [...(fields.get(lower) ?? []), value]);
  }
  return {
    method,
    scheme: scheme.toLowerCase(),
    authority: authorityOf(authority, scheme.toLowerCase()),
    path: path || "/",
    query,
    fields,
    body: bodyBytes(body),
  };
}

/** A host with its port, in the form that is compared. */
export const authorityOf = (host: string, scheme: string): string =>
  host.toLowerCase().replace(USUAL_PORTS[scheme] ?? /$^/, "");

const trimmed = (value: string): string => value.replace(/^[ \t]+|[ \t]+$/g, "");

/** The lines of a field, each without the blanks around it; none when it is not there. */
export const linesOf = ({ fields }: HttpRequest, name: string): string[] => (fields.get(name) ?? []).map(trimmed);

/** A field as one line; undefined when it is not there. */
export function fieldOf(request: HttpRequest, name: string): string | undefined {
  const lines = linesOf(request, name);
  return lines.length ? lines.join(", ") : undefined;
}
