// What a signature of HTTP must cover before any key is asked for, whichever form it has: the request that came, its
// body, and a time in the window. Faults are told by how far a signature came, so each step throws with its place.

import { createHash } from "node:crypto";
import { authorityOf, fieldOf, type HttpRequest, linesOf } from "./http-request.ts";
import { attempt, Rejected } from "./rejected.ts";
import { isInnerList, readDictionary } from "./structured-fields.ts";

const WINDOW = 12 * 3600;
export const SKEW = 3600;
const HASHES: Record<string, string> = { "sha-256": "sha256", "sha-512": "sha512" };

/**
 * How many steps a signature has passed that fails at this one: of several that fail, the one that came furthest tells
 * why. A proof covers no digest of a body. The steps of the key begin anew, behind those of either form.
 */
const PASSED = {
  ...{ parse: 0, coverage: 1, time: 2, digest: 3, host: 4, base: 5 },
  ...{ domain: 3, document: 4 },
  ...{ origin: 0, key: 0, binding: 1, signature: 2, address: 3 },
};
export type Step = keyof typeof PASSED;

/** A signature does not count. */
export class Refused extends Rejected {
  passed: number;
  /** Whether the same signature may count later. */
  temporary: boolean;
  /** Whether the key may be another one by now. */
  mayBeStale: boolean;

  constructor(code: string, step: Step, { temporary = false, mayBeStale = false } = {}) {
    super(code);
    this.passed = PASSED[step];
    this.temporary = temporary;
    this.mayBeStale = mayBeStale;
  }
}

/** The check of a step: refuse unless it fits. */
export const at = (step: Step) => (fits: unknown, code: string): void => {
  if (!fits) throw new Refused(code, step);
};

/** What a step gives, or why the signature does not count. */
export const unlessRefused = <T>(step: () => T): T | Refused => attempt(step, Refused);

/** A signature that lacks nothing but the key. */
export interface Candidate {
  keyId: string;
  /** The scheme that it names; undefined when the key tells it. */
  scheme?: string;
  signature: Buffer;
  /** How many steps it has passed. */
  passed: number;
  /** What may have been signed: with draft-cavage the query may be left out. */
  bases: Buffer[];
}

/** What the one who asks knows, and wants. */
export interface Demand {
  /** In seconds since 1970. */
  now: number;
  /** Whether this is a request to read a document, and no delivery. */
  isRead: boolean;
}

/** A time that is signed, and an end that a signature names beside it; null is an end that cannot be read. */
export function checkWindow(seconds: number, end: number | null | undefined, now: number): void {
  const check = at("time");
  check(seconds <= now + SKEW, "not-yet-valid");
  check(end !== null && (end ?? seconds) >= seconds, "signature-malformed");
  check(now <= seconds + WINDOW + SKEW && now <= (end ?? now) + SKEW, "expired");
}

/** What is signed, as its bytes came: programs have the bytes of fields as characters. */
export const wireBytes = (text: string): Buffer => Buffer.from(text, /[^\x00-\xff]/.test(text) ? "utf8" : "latin1");

/** Whether a body must be covered. */
export const needsDigest = ({ body, method }: HttpRequest): boolean =>
  body.length > 0 || !["GET", "HEAD"].includes(method);

/** The digests of a field, by their names in small letters; undefined when it cannot be read. */
function digestsOf(request: HttpRequest, name: string): [string, string][] | undefined {
  const field = fieldOf(request, name);
  if (field === undefined) return [];
  if (name === "content-digest") {
    return readDictionary(field)?.map(([algorithm, member]) => {
      const isBytes = !isInnerList(member) && member.bare.type === "bytes";
      return [algorithm, isBytes ? `${member.bare.value}` : ""];
    });
  }
  return field.split(",").map((one) => {
    const [algorithm = "", ...value] = one.replace(/^[ \t]+|[ \t]+$/g, "").split("=");
    return [algorithm.toLowerCase(), value.join("=")];
  });
}

/** Whether a field has the one digest that every server can compute. */
const hasDigest = (request: HttpRequest, name: string): boolean =>
  digestsOf(request, name)?.some(([algorithm]) => algorithm === "sha-256") ?? true;

/** One digest that is covered must be there. */
export function checkCovered(request: HttpRequest, covered: string[]): void {
  const isCovered = covered.some((name) => hasDigest(request, name));
  at("digest")(isCovered || !needsDigest(request), "coverage-missing");
}

/** Every digest that is there must be that of the body, covered or not: else readers differ on what was sent. */
export function checkDigests(request: HttpRequest): void {
  const fits = ([algorithm, value]: [string, string]) =>
    !Object.hasOwn(HASHES, algorithm) || value === hashOf(HASHES[algorithm] as string, request.body);
  for (const name of ["digest", "content-digest"]) {
    at("digest")(digestsOf(request, name)?.every(fits), "digest-mismatch");
  }
}

const hashOf = (name: string, data: Buffer): string => createHash(name).update(data).digest().toString("base64");

/** Whether the field Host names another host than the URL. */
export const namesAnotherHost = (request: HttpRequest): boolean => request.fields.has("host") && !hasOwnHost(request);

/** Whether the field Host names the host of the URL, once. */
export function hasOwnHost(request: HttpRequest): boolean {
  const hosts = linesOf(request, "host");
  return hosts.length === 1 && authorityOf(hosts[0] as string, request.scheme) === request.authority;
}
