// Who sent an activity, or asks for a document: the actor that the activity names, or the owner of the key.

import { claimOf } from "./activity.ts";
import { Documents, MOST_OF_ID } from "./actor-document.ts";
import { documentOf, isOfOrigin } from "./actor-keys.ts";
import { type HttpRequest, requestOf } from "./http-request.ts";
import { hostOf } from "./hosts.ts";
import { exactly } from "./json.ts";
import { Lookups } from "./lookups.ts";
import { proofsOf } from "./object-proof.ts";
import { Rejected } from "./rejected.ts";
import { isText, type Json } from "./shape.ts";
import { at, type Candidate, Refused } from "./signature-checks.ts";
import { keysOf } from "./signature-rfc9421.ts";
import { type Found, signaturesOf, unverified, type Verdict, verdictOf } from "./signature-verdict.ts";
import { microsOf, utcTime } from "./time.ts";

const secondsOf = (time: string): number => Math.floor(Number(microsOf(time)) / 1e6);

/** `activitypub.verify`. */
export async function verifyActivity(input: Json, _: Json, line: string) {
  const { given } = exactly(line);
  const lookups = new Lookups(given.lookups);
  const value = await activityVerdict(requestOf(input), given, new Documents(lookups, given));
  return { value, asks: lookups.asked };
}

/** Nothing that is wrong with a request is more than a reason not to believe it. */
async function activityVerdict(request: HttpRequest, given: Json, documents: Documents): Promise<Verdict> {
  try {
    return await senderVerdict(request, given, documents);
  } catch (error) {
    if (error instanceof Rejected) return unverified(error.code);
    throw error;
  }
}

/** A proof outranks a signature of the request: that may be of a server that only passes the activity on. */
async function senderVerdict(request: HttpRequest, given: Json, documents: Documents): Promise<Verdict> {
  const { activity, actor } = claimOf(request.body, given);
  const now = utcTime(given.now) as string;
  const demand = { now: secondsOf(now), isRead: false };
  const proofs = proofsOf(activity, { request, now: demand.now, maxAge: given.settings?.max_proof_age });
  const found = [...proofs, ...signaturesOf(request, demand)];
  const isOfObject = (activity.object?.proof ?? null) !== null; // it shows who made the object, and not who sent this
  if (found.length === 0) return unverified(isOfObject ? "coverage-missing" : "unsigned");
  const isForProof = (one: Found) => proofs.includes(one);
  const method = (one: Found) => (isForProof(one) ? "ap-object-integrity-proof" : "ap-http-signature");
  const wanted = (one: Candidate) => {
    at("origin")(isOfOrigin(one.keyId, actor), "key-mismatch");
    return { actor, keyId: one.keyId, isForProof: isForProof(one), now };
  };
  return verdictOf(found, { method, wanted }, request, documents);
}

/** `activitypub.verify_reader`. */
export async function verifyReader(input: Json, _: Json, line: string) {
  const { given } = exactly(line);
  const lookups = new Lookups(given.lookups);
  const value = await readerVerdict(requestOf(input), given, new Documents(lookups, given));
  return { value, asks: lookups.asked };
}

async function readerVerdict(request: HttpRequest, given: Json, documents: Documents) {
  const now = utcTime(given.now) as string;
  const isRead = ["GET", "HEAD"].includes(request.method);
  const elsewhere = [new Refused("host-mismatch", "host")]; // a delivery is none of those who read
  const found = isRead ? signaturesOf(request, { now: secondsOf(now), isRead }) : elsewhere;
  if (found.length === 0) return { id: null, ...unverified("unsigned") };
  // The one host that is asked: else anybody could have any host asked.
  let first = keysOf(request).map(hostOf).find(Boolean);
  const wanted = ({ keyId }: Candidate) => {
    first ??= hostOf(keyId);
    const mayBeAsked = first !== undefined && hostOf(keyId) === first && keyId.length <= MOST_OF_ID;
    at("origin")(mayBeAsked, "key-refused");
    return { actor: ownerOf(keyId, documents), keyId, isForProof: false, now };
  };
  const verdict = await verdictOf(found, { method: () => "ap-http-signature", wanted }, request, documents);
  return { id: verdict.verified ? ownerOf(verdict.key_id as string, documents) : null, ...verdict };
}

/** The actor that a key is said to belong to: it is a part of the actor, or a document that names its owner. */
function ownerOf(keyId: string, documents: Documents): string {
  const { id, owner, controller } = documentOf(keyId, documents);
  const named = id === keyId ? (owner ?? controller) : id;
  at("key")(isText(named) && isOfOrigin(keyId, named), "key-mismatch");
  return named;
}
