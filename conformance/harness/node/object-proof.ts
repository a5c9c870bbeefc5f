// Object integrity proofs (FEP-8b32) with the suite eddsa-jcs-2022: a signature within the activity, which whoever
// passes it on cannot change. All options are signed, known or not.

import { createHash } from "node:crypto";
import { canonical, hasCanonical } from "./canonical.ts";
import type { HttpRequest } from "./http-request.ts";
import { many } from "./json-ld.ts";
import { base58 } from "./public-keys.ts";
import { isObject, isText, type Json } from "./shape.ts";
import { at, type Candidate, Refused, SKEW, unlessRefused } from "./signature-checks.ts";
import { microsOf, utcTime } from "./time.ts";

const MOST_PROOFS = 3;
const SIGNATURE_BYTES = 64;
const USUAL_AGE = 30 * 24 * 3600;
/** A document of this length whose numbers or names are rare has no canonical form here: no honest server sends one. */
const LONGEST_OF_RARE = 65_536;

/** What is known beside a proof. */
export interface Around {
  request: HttpRequest;
  now: number;
  maxAge?: number;
}

/** Each proof of an activity that counts as far as can be told without a key, or why it does not. */
export function proofsOf(activity: Json, around: Around): (Candidate | Refused)[] {
  const { proof = null } = activity;
  if (proof === null) return [];
  const proofs = Array.isArray(proof) ? proof : [proof];
  if (proofs.length === 0) return [new Refused("signature-malformed", "parse")];
  return proofs.slice(0, MOST_PROOFS).map((one) => unlessRefused(() => candidateOf(one, activity, around)));
}

function candidateOf(proof: Json, activity: Json, around: Around): Candidate {
  const check = at("parse");
  check(isObject(proof), "signature-malformed");
  const { type, cryptosuite, verificationMethod: keyId, proofPurpose, proofValue, created, expires, domain } = proof;
  check(type === "DataIntegrityProof" && cryptosuite === "eddsa-jcs-2022", "algorithm-refused");
  const signature = isText(proofValue) ? base58(proofValue) : undefined;
  check(isText(keyId) && keyId !== "" && signature?.length === SIGNATURE_BYTES, "signature-malformed");
  check(!("previousProof" in proof), "signature-malformed");
  at("coverage")(proofPurpose === "assertionMethod", "purpose-refused");
  checkAge(created, expires, around);
  const domains = many(domain);
  at("domain")(domain === undefined || domains.includes(around.request.authority), "host-mismatch");
  const bases = [signedBytes(proof, activity, around)];
  return { keyId, scheme: "Ed25519", signature: signature as Buffer, passed: 4, bases };
}

const isTime = (value: Json): boolean => isText(value) && utcTime(value) !== undefined;
const secondsOf = (text: string): number => Number(microsOf(utcTime(text) as string)) / 1e6;

/** A proof counts until its end, or for a month: it must not outlive the memory of its use. */
function checkAge(created: string | undefined, expires: string | undefined, { now, maxAge = USUAL_AGE }: Around): void {
  const check = at("time");
  check([created, expires].every((one) => one === undefined || isTime(one)), "signature-malformed");
  check(created !== undefined || expires !== undefined, "time-missing");
  if (created !== undefined) check(secondsOf(created) <= now + SKEW, "not-yet-valid");
  const end = expires === undefined ? secondsOf(created as string) + maxAge : secondsOf(expires);
  check(now <= end + SKEW, "expired");
}

/** The hashes of the options and of the document, which has the context that the options name. */
function signedBytes(proof: Json, activity: Json, { request }: Around): Buffer {
  const { proofValue: _, ...options } = proof;
  const { proof: __, signature: ___, ...document } = activity;
  const check = at("document");
  if ("@context" in options) {
    const [signed, sent] = [many(options["@context"]), many(document["@context"])];
    const isSame = (one: Json, place: number) => hasCanonical(one) && canonical(one) === canonical(sent[place] ?? null);
    check(signed.length <= sent.length && signed.every(isSame), "signature-ambiguous");
    document["@context"] = options["@context"];
  }
  check(request.body.toString("utf8").length <= LONGEST_OF_RARE || !isRare(document), "not-canonical");
  return Buffer.concat([options, document].map((one) => createHash("sha256").update(canonical(one)).digest()));
}

/** Whether something in a value is written in one way by few programs alone. */
function isRare(value: Json): boolean {
  if (typeof value === "number") return (value !== 0 && Math.abs(value) < 1e-4) || Math.abs(value) > 2 ** 53;
  if (typeof value !== "object" || value === null) return false;
  const hasRareName = !Array.isArray(value) && Object.keys(value).some((name) => /[\ud800-\udfff]/.test(name));
  return hasRareName || Object.values(value).some(isRare);
}
