// The keys of an actor: those that its own document lists, by value or by their ids. A key that only says whose it is
// proves nothing.

import { type Documents, isPlain, isUsable, MOST_OF_ID, type Unusable, withoutFragment } from "./actor-document.ts";
import { hostOf } from "./hosts.ts";
import { isActor, many } from "./json-ld.ts";
import { publicKeyOf } from "./public-keys.ts";
import { isObject, isText, type Json } from "./shape.ts";
import { at, Refused } from "./signature-checks.ts";
import { utcTime } from "./time.ts";
import { claimedAddress } from "./webfinger.ts";
import type { PublicKey } from "./web-crypto.ts";

const MOST_KEYS = 64;
const OF_REQUESTS = ["publicKey", "assertionMethod"];
const OF_PROOFS = ["assertionMethod"];
const ELSEWHERE = ["verificationMethod", "publicKey"];

/** Whose key is wanted, and for what. */
export interface Wanted {
  actor: string;
  keyId: string;
  isForProof: boolean;
  /** The time, as `utcTime` gives it. */
  now: string;
}

const unusable = ({ isGone, temporary }: Unusable): Refused =>
  new Refused(isGone ? "key-unknown" : "key-unresolvable", "key", { temporary });

/** The document of an actor, which must be plain and be exactly that actor. */
export function actorAt(id: string, documents: Documents, fresh = false): Json {
  const found = documents.at(id, { fresh });
  if (!isUsable(found)) throw unusable(found);
  const { document, url } = found;
  const isIt = isPlain(document) && document.id === id && withoutFragment(url) === id && isActor(document);
  at("key")(isIt, "key-unresolvable");
  return document;
}

/** The key, by the document of its actor. */
export function keyOf(wanted: Wanted, documents: Documents, fresh: boolean): PublicKey {
  const { actor, keyId, isForProof } = wanted;
  const document = actorAt(actor, documents, fresh);
  claimedAddress(document); // who has no address can be nobody here, whatever is signed
  const lists = isForProof ? OF_PROOFS : OF_REQUESTS;
  const listed = lists.flatMap((name) => many(document[name])).slice(0, MOST_KEYS);
  const own = listed.find((one) => isObject(one) && one.id === keyId);
  if (own) return readKey(own, wanted);
  const isNamed = listed.includes(keyId);
  const isOfActor = withoutFragment(keyId) === actor;
  if (!isNamed) throw new Refused(isOfActor ? "key-unknown" : "key-mismatch", "key", { mayBeStale: true });
  const beside = ELSEWHERE.flatMap((name) => many(document[name])).slice(0, MOST_KEYS);
  const found = beside.find((one) => isObject(one) && one.id === keyId);
  if (found) return readKey(found, wanted);
  if (isOfActor) throw new Refused("key-unknown", "key", { mayBeStale: true });
  return readKey(keyAt(keyId, documents, fresh), wanted);
}

/** The document of a key as its server has it. */
export function documentOf(keyId: string, documents: Documents, fresh = false): Json {
  const found = documents.at(keyId, { fresh });
  if (!isUsable(found)) throw unusable(found);
  at("key")(withoutFragment(found.url) === withoutFragment(keyId), "key-unresolvable");
  return found.document;
}

/** A key in a document of its own, or in a part of its actor. */
function keyAt(keyId: string, documents: Documents, fresh: boolean): Json {
  const document = documentOf(keyId, documents, fresh);
  const parts = ELSEWHERE.flatMap((name) => many(document[name])).filter((one) => isObject(one) && one.id === keyId);
  const isOwn = (one: Json) => ownersOf(one).includes(document.id);
  const key = document.id === keyId ? document : parts.find(isOwn);
  if (key === undefined) throw new Refused("key-mismatch", "key", { mayBeStale: true });
  return key;
}

/** Whose a key says that it is. */
const ownersOf = ({ owner, controller }: Json): Json[] => [owner, controller].filter(isThere);

/** A key that names its actor, for the time being. */
function readKey(key: Json, { actor, now }: Wanted): PublicKey {
  const check = at("binding");
  const owners = ownersOf(key);
  check(owners.length > 0 && owners.every((one) => one === actor), "key-mismatch");
  check(isValid(key, now), "key-refused");
  const read = publicKeyOf(key);
  check(read, "key-refused");
  return read as PublicKey;
}

/** Whether each time from which a key does not count, where it has one, is ahead. */
function isValid({ expires, revoked }: Json, now: string): boolean {
  const isAhead = (time: Json) => isText(time) && now < (utcTime(time) ?? now);
  return [expires, revoked].filter(isThere).every(isAhead);
}

/** In JSON-LD null is absence. */
const isThere = (member: Json): boolean => member !== undefined && member !== null;

/** Whether a key id is of the origin of an actor. */
export const isOfOrigin = (keyId: string, actor: string): boolean =>
  keyId.length <= MOST_OF_ID && hostOf(keyId) !== undefined && hostOf(keyId) === hostOf(actor);
