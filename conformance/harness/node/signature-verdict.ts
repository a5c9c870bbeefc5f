// The verdict on the signatures of a request: the key by the document of its own actor, the address by its domain. One
// good signature will do.

import type { Documents } from "./actor-document.ts";
import { actorAt, keyOf, type Wanted } from "./actor-keys.ts";
import { fieldOf, type HttpRequest } from "./http-request.ts";
import { cavageOf } from "./signature-cavage.ts";
import { at, type Candidate, type Demand, namesAnotherHost, Refused, unlessRefused } from "./signature-checks.ts";
import { rfc9421Of } from "./signature-rfc9421.ts";
import { isSigned } from "./web-crypto.ts";
import { confirmedAddress } from "./webfinger.ts";

export interface Verdict {
  method: string;
  verified: boolean;
  address: string | null;
  key_id: string | null;
  code: string | null;
  temporary: boolean;
}
/** A signature that lacks nothing but the key, or why it does not count. */
export type Found = Candidate | Refused;
/** What a signature is, and whose key it wants; asking whose throws when there is none. */
export interface Way {
  method: (one: Candidate) => string;
  wanted: (one: Candidate) => Wanted;
}

export const unverified = (code: string, temporary = false): Verdict =>
  ({ method: "none", verified: false, address: null, key_id: null, code, temporary });

/** The signatures of a request itself, in whichever form it has. */
export function signaturesOf(request: HttpRequest, demand: Demand): Found[] {
  if (fieldOf(request, "signature-input") !== undefined) return rfc9421Of(request, demand);
  return fieldOf(request, "signature") === undefined ? [] : [unlessRefused(() => cavageOf(request, demand))];
}

/**
 * The verdict on the first signature that is good. When none is, one that may be good later tells why, and else the one
 * that came furthest.
 */
export async function verdictOf(found: Found[], way: Way, request: HttpRequest, documents: Documents) {
  let [code, temporary, furthest] = ["unsigned", false, -1];
  for (const one of found) {
    const fault = one instanceof Refused ? one : await faultOf(one, way, documents);
    if (!(one instanceof Refused) && fault === undefined) return verdictOn(one, way, documents);
    const refused = fault as Refused;
    const passed = one instanceof Refused ? one.passed : one.passed + refused.passed;
    const isFurther = Number(refused.temporary) - Number(temporary) || passed - furthest;
    if (isFurther >= 0) [code, temporary, furthest] = [refused.code, refused.temporary, passed];
  }
  const isElsewhere = code === "bad-signature" && namesAnotherHost(request);
  return unverified(isElsewhere ? "host-mismatch" : code, temporary);
}

/** Why a signature is none of the actor whose it should be; undefined when it is. */
async function faultOf(one: Candidate, way: Way, documents: Documents): Promise<Refused | undefined> {
  try {
    await checkKey(one, way.wanted(one), documents);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

/** Checks one signature of an actor. What a cache says is asked for once more where it does not fit. */
async function checkKey(one: Candidate, wanted: Wanted, documents: Documents): Promise<void> {
  const isFresh = documents.isFresh(wanted.actor);
  try {
    await checkSignature(one, wanted, documents, isFresh);
  } catch (error) {
    if (isFresh || !(error instanceof Refused && error.mayBeStale)) throw error;
    await checkSignature(one, wanted, documents, true);
  }
}

async function checkSignature(one: Candidate, wanted: Wanted, documents: Documents, fresh: boolean): Promise<void> {
  const key = keyOf(wanted, documents, fresh);
  at("key")(one.scheme === undefined || one.scheme === key.scheme, "algorithm-refused");
  for (const base of one.bases) if (await isSigned(key, one.signature, base)) return;
  throw new Refused("bad-signature", "signature", { mayBeStale: true });
}

/** The verdict on a signature that is good: its actor must have an address. */
function verdictOn(one: Candidate, { method, wanted }: Way, documents: Documents): Verdict {
  const { actor } = wanted(one);
  const address = unlessRefused(() => confirmedAddress(actorAt(actor, documents, documents.isFresh(actor)), documents));
  if (address instanceof Refused) return unverified(address.code, address.temporary);
  return { method: method(one), verified: true, address, key_id: one.keyId, code: null, temporary: false };
}
