// Documents of ActivityStreams as other servers serve them. Each is asked for once, and past the caches once more; what
// it says counts only for its own id.

import { hostOf } from "./hosts.ts";
import { checkDocument, isActivityStreams } from "./json-ld.ts";
import { parseStrict } from "./json.ts";
import type { Fetched, Lookups } from "./lookups.ts";
import { readOrNone } from "./rejected.ts";
import { isObject, isText, type Json } from "./shape.ts";

const MOST_BYTES = 1024 * 1024;
const MOST_ASKS = 16;
export const MOST_OF_ID = 2048;
const IN_IRI = /^[!#-;=?-[\]_a-z~]+$/i; // the characters of RFC 3986, so that an answer can name it

/** Why a document cannot be used. */
export interface Unusable {
  isGone: boolean;
  temporary: boolean;
}
export type Document = { document: Json; url: string } | Unusable;

export const isUsable = (found: Document): found is { document: Json; url: string } => "document" in found;
export const withoutFragment = (iri: string): string => iri.split("#", 1)[0] as string;
/** Whether a value is an id that may be asked for. */
export const isId = (value: Json): value is string =>
  isText(value) && value.length <= MOST_OF_ID && IN_IRI.test(value) && hostOf(value) !== undefined;

/** What a server has answered, or why nothing. */
export class Documents {
  lookups: Lookups;
  limits: Json;
  asked = 0;
  known = new Map<string, Document>();

  constructor(lookups: Lookups, given: Json) {
    this.lookups = lookups;
    this.limits = given.settings?.limits ?? {};
  }

  /** The answer to one question, within the budget of a message. */
  fetch(url: string, fresh: boolean): Fetched | Unusable {
    if (this.asked >= (this.limits.asks ?? MOST_ASKS)) return { isGone: false, temporary: false };
    this.asked += 1;
    const found = this.lookups.fetch(url, { fresh });
    return "failed" in found ? { isGone: false, temporary: found.temporary !== false } : found;
  }

  /** The document of an id, as it is cached or past the cache. */
  at(id: string, { fresh = false } = {}): Document {
    const url = withoutFragment(id);
    const row = `${fresh} ${url}`;
    const known = this.known.get(row) ?? this.read(this.fetch(url, fresh), url);
    this.known.set(row, known);
    return known;
  }

  /** Whether a document was asked for past the cache. */
  isFresh(id: string): boolean {
    return this.known.has(`true ${withoutFragment(id)}`);
  }

  read(found: Fetched | Unusable, asked: string): Document {
    if ("isGone" in found) return found;
    const { status, contentType, body, url } = found;
    if (status !== 200) return { isGone: status === 404 || status === 410, temporary: mayComeBack(status) };
    const isOfServer = hostOf(url) !== undefined && hostOf(url) === hostOf(asked);
    const document = isActivityStreams(contentType) && isOfServer ? this.parse(body) : undefined;
    return document === undefined ? { isGone: false, temporary: false } : { document, url };
  }

  parse(body: Buffer): Json {
    const { fetched_bytes: maxBytes = MOST_BYTES, json_depth: maxDepth } = this.limits;
    const document = readOrNone(() => parseStrict(body, { maxBytes, maxDepth }));
    return isObject(document) ? document : undefined;
  }
}

export const mayComeBack = (status: number): boolean => status === 429 || status >= 500;

/** Whether a document is plain ActivityStreams. */
export function isPlain(document: Json): boolean {
  try {
    checkDocument(document);
    return true;
  } catch {
    return false;
  }
}
