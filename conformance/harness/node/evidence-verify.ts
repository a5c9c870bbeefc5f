// Evidence, verified: the statement first, then the issuer's key, the signature, and that it was not used before.

import { address } from "./address.ts";
import { sha256 } from "./canonical.ts";
import { addressOfCard, type Card, type CardKey, cardOf, isPlaceOf } from "./connector-card.ts";
import { ed25519, thumbprintOf } from "./ed25519.ts";
import { at, EvidenceRejected, readEvidence, type Statement, signingInput, statementOf } from "./evidence.ts";
import { trustPolicyOf } from "./evidence-trust.ts";
import { bodyBytes, bytesOf, exactly, jsonBytes } from "./json.ts";
import { bareType } from "./leaves.ts";
import type { Fetched, Lookups } from "./lookups.ts";
import { must, Rejected } from "./rejected.ts";
import { isObject, type Json, type Value } from "./shape.ts";
import { microsIn, microsOf, utcTime } from "./time.ts";
import { isSigned } from "./web-crypto.ts";

const CARD_TYPES = ["application/json", "application/jwk-set+json"];

/** What a program knows apart from the evidence itself. */
export interface Known {
  recipient: string;
  caller: string | null;
  /** The message with the evidence: its use is remembered for this one message. */
  message: Uint8Array;
  policy: Value;
  now: bigint;
  lookups: Lookups;
}

/** The identity that evidence shows; else it throws `EvidenceRejected`. */
export async function verified(bytes: Buffer, known: Known): Promise<Value> {
  const evidence = readEvidence(bytes);
  const statement = statementOf(evidence, known);
  const key = keyFor(evidence, statement, known);
  const signed = signingInput(evidence, { proofRemoved: statement.entry.proof_removed });
  const isGood = await isSigned(ed25519(key.x as string), Buffer.from(evidence.proof.value, "base64url"), signed);
  at("signature")(isGood, "signature-invalid");
  const digest = sha256(signed);
  const replayKey = useOnce(evidence, statement, digest, known);
  return identityOf(evidence, statement, { digest, replay_key: replayKey }, known.recipient);
}

/** The key that the evidence names. A card that is too old, or lacks it, is asked for once more. */
function keyFor(evidence: Value, statement: Statement, { lookups, now }: Known): CardKey {
  for (const fresh of [false, true]) {
    const card = cardAt(evidence.issuer, lookups, fresh);
    const isExpired = card.expires_at !== undefined && timeOf(card.expires_at) <= now;
    const key = card.keys.find(({ kid }) => kid === evidence.proof.kid);
    if (!isExpired && key) return usable(key, statement, now);
    at("card")(!(isExpired && fresh), "card-expired");
  }
  throw new EvidenceRejected("key-unknown", "key");
}

const timeOf = (text: string): bigint => microsOf(utcTime(text) as string);

function cardAt(issuer: string, lookups: Lookups, fresh: boolean): Card {
  const check = at("card");
  const found = lookups.fetch(addressOfCard(issuer), { fresh });
  check(isCard(found), "card-unavailable");
  const { body, url } = found as Fetched;
  const card = readable(body);
  check(card.issuer === issuer, "card-issuer-mismatch");
  check(isPlaceOf(url, issuer), "card-origin-mismatch");
  return card;
}

const isCard = (found: Fetched | { failed: string }): boolean =>
  "status" in found && found.status === 200 && CARD_TYPES.includes(bareType(found.contentType));

function readable(body: Buffer): Card {
  try {
    return cardOf(body);
  } catch (error) {
    throw new EvidenceRejected(error instanceof Rejected ? error.code : "card-invalid", "card");
  }
}

/** A key within its window, and one of those that the operator has pinned, if any. */
function usable(key: CardKey, { entry, issuedAt }: Statement, now: bigint): CardKey {
  const check = at("key");
  check(key.fault === undefined, key.fault as string);
  check(key.not_before === undefined || timeOf(key.not_before) <= issuedAt, "key-not-yet-valid");
  const last = key.not_after === undefined ? undefined : timeOf(key.not_after);
  check(last === undefined || (issuedAt < last && now < last), "key-retired");
  const { thumbprints = [] } = entry;
  check(thumbprints.length === 0 || thumbprints.includes(thumbprintOf(key.x as string)), "key-pin-mismatch");
  return key;
}

/**
 * Uses up the evidence for this message, and gives the key it has in the store: the last step, so that nobody can fill
 * the store with forgeries. The same message may come again; where anybody may bring evidence, only from whom it came.
 */
function useOnce({ issuer, id }: Value, { entry }: Statement, digest: string, known: Known): string {
  const check = at("replay");
  check(id !== undefined || !entry.require_id, "replay-id-missing");
  const unnamed = () => Buffer.concat([Buffer.from([1]), Buffer.from(digest, "hex")]);
  const own = id === undefined ? unnamed() : Buffer.from(id);
  const key = sha256(Buffer.concat([Buffer.from(`mentionable-replay-v1\0${issuer}\0`), own]));
  const bearer = entry.forwarding && known.caller !== null ? ` ${sha256(known.caller)}` : "";
  const binding = `${digest} ${sha256(known.message)}${bearer}`;
  const use = known.lookups.useOnce(`identity:${key} ${known.recipient}`, binding);
  check(use !== undefined, "replay-store-unavailable");
  check(use !== "other", "replayed");
  return key;
}

const COPIED = ["issuer", "subject", "method", "assurance", "issued_at", "not_before", "expires_at", "id"];

function identityOf(evidence: Value, { index }: Statement, digests: Value, recipient: string): Value {
  const copied = COPIED.filter((name) => name in evidence).map((name) => [name, evidence[name]]);
  return {
    ...Object.fromEntries(copied),
    audience: recipient,
    principals: evidence.on_behalf_of ?? [],
    key_id: evidence.proof.kid,
    entry: index,
    ...digests,
    claims: evidence.claims ?? {},
    source: evidence.source ?? {},
  };
}

/** What a case gives beside the evidence. */
export function knownOf(unit: Json, given: Json, lookups: Lookups): Known {
  const now = microsOf(utcTime(given.now) as string) + microsIn(unit.at ?? 0);
  const policy = trustPolicyOf(given.settings?.trust ?? []);
  const { recipient, caller = null, said = "Hi" } = unit;
  return { recipient: address(recipient), caller, message: bytesOf(said), policy, now, lookups };
}

/** The bytes of evidence of a case: as they stand, or its JSON. What a parser has read already must be an object. */
export function bytesOfEvidence({ evidence, as }: Json): Buffer {
  must(as !== "mapping" || isObject(evidence));
  return as === "mapping" ? jsonBytes(evidence) : bodyBytes(evidence);
}

/** The identity that evidence shows, or how it was refused. */
export async function outcomeOf(bytes: Buffer, known: Known): Promise<Value | EvidenceRejected> {
  try {
    return await verified(bytes, known);
  } catch (error) {
    if (error instanceof EvidenceRejected) return error;
    throw error;
  }
}

/** The input of a case, with every number as it stands there. */
export const exactInput = (line: string): Json => exactly(line).input;
