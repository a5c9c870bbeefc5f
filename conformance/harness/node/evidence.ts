// What a signed attestation states, before any key is looked at: Building a Connector (identity attestations), decision
// B13. Each step refuses with one code, cheap ones first, so that strangers cost no look-up.

import { canonicalAddress } from "./address.ts";
import { canonical } from "./canonical.ts";
import { isKeyId } from "./connector-card.ts";
import { entryFor, isMethod, isSubject } from "./evidence-trust.ts";
import { isHost } from "./hosts.ts";
import { parseStrict } from "./json.ts";
import { Rejected } from "./rejected.ts";
import { isObject, isText, type Json, type Value } from "./shape.ts";
import { microsIn, microsOf, signedTime } from "./time.ts";

const MOST_BYTES = 16 * 1024;
const MOST_DEPTH = 16;
const MOST_VALUES = 1024;
const MOST_AUDIENCES = 16;
const PROOF_MEMBERS = ["type", "alg", "kid", "canonicalization", "value"];
const SIGNATURE = /^[A-Za-z0-9_-]{85}[AQgw]$/; // 64 bytes, and no bits behind them

/** Evidence is refused at one step. Only its operator is told which. */
export class EvidenceRejected extends Rejected {
  step: string;

  constructor(code: string, step: string) {
    super(code);
    this.step = step;
  }
}

/** The check of a step: refuse unless it fits. */
export const at = (step: string) => (fits: unknown, code: string): void => {
  if (!fits) throw new EvidenceRejected(code, step);
};

// What the step `json` calls the faults of JSON; every other one is `json-malformed`.
const JSON_FAULTS: Record<string, string> = {
  "duplicate-member": "duplicate-member",
  "unsafe-number": "number-out-of-range",
  "lone-surrogate": "lone-surrogate",
  "too-deep": "too-deep",
};

/** Evidence as JSON that every reader reads alike, with members of the right types. */
export function readEvidence(bytes: Buffer): Value {
  at("size")(bytes.length <= MOST_BYTES, "too-large");
  const data = jsonOf(bytes);
  at("json")(valuesIn(data) <= MOST_VALUES, "too-large");
  at("json")(isObject(data), "not-an-object");
  at("shape")(hasShape(data), "shape-invalid");
  return data;
}

function jsonOf(bytes: Buffer): Json {
  try {
    return parseStrict(bytes, { maxDepth: MOST_DEPTH });
  } catch (error) {
    throw new EvidenceRejected(JSON_FAULTS[(error as Rejected).code] ?? "json-malformed", "json");
  }
}

const valuesIn = (value: Json): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce<number>((sum, one) => sum + valuesIn(one), 1)
    : 1;

const NEEDED = ["subject", "issuer", "method", "assurance", "issued_at"];
const MAYBE: Record<string, (value: Json) => boolean> = {
  not_before: isText,
  expires_at: isText,
  id: (value) => isText(value) && value !== "",
  claims: isObject,
  source: isObject,
  on_behalf_of: Array.isArray,
};

/** What is signed has no lenient reading: null is no absence. */
const hasShape = (data: Json): boolean =>
  NEEDED.every((one) => isText(data[one])) &&
  isObject(data.proof) &&
  Object.entries(MAYBE).every(([one, fits]) => !(one in data) || fits(data[one]));

/** The bytes that are signed: the canonical JSON of all members, with a proof without its value. */
export function signingInput(evidence: Value, { proofRemoved = false } = {}): Buffer {
  const { proof, ...members } = evidence;
  const { value: _, ...unsigned } = proof;
  const signed = proofRemoved ? members : { ...members, proof: unsigned };
  return Buffer.from(canonical(signed, MOST_DEPTH), "utf8");
}

/** What is known beside evidence. */
export interface Facts {
  recipient: string;
  caller: string | null;
  policy: Value;
  now: bigint;
}
/** Evidence that a trust entry takes, if its signature is good. */
export interface Statement {
  entry: Value;
  index: number;
  issuedAt: bigint;
}

/** The steps from the proof to the caller. */
export function statementOf(evidence: Value, { recipient, caller, policy, now }: Facts): Statement {
  checkProof(evidence.proof, policy);
  checkSyntax(evidence);
  const found = entryFor(evidence, policy);
  if (isText(found)) throw new EvidenceRejected(found, "trust");
  const { entry, index } = found;
  at("proof")("canonicalization" in evidence.proof || entry.without_canonicalization, "canonicalization-unsupported");
  checkDelegation(evidence, entry);
  checkAudience(evidence.audience, recipient);
  const issuedAt = checkTimes(evidence, entry.max_lifetime ?? policy.max_lifetime, policy.skew, now);
  at("caller")(entry.forwarding || isOfIssuer(caller, evidence.issuer), "caller-not-issuer");
  return { entry, index, issuedAt };
}

/** Only a signature counts over a wire, and a proof has no member that a signature does not need. */
function checkProof(proof: Value, { entries }: Value): void {
  const check = at("proof");
  const mayLack = entries.some((entry: Value) => entry.without_canonicalization);
  const isCanonical = "canonicalization" in proof ? proof.canonicalization === "jcs" : mayLack;
  check(proof.type === "signed-attestation", "proof-not-verifiable");
  check(Object.keys(proof).every((one) => PROOF_MEMBERS.includes(one)), "proof-member-unknown");
  check(proof.alg === "Ed25519", "algorithm-not-allowed");
  check(isCanonical, "canonicalization-unsupported");
  check(isKeyId(proof.kid), "key-id-malformed");
  check(isText(proof.value) && SIGNATURE.test(proof.value), "signature-malformed");
}

function checkSyntax({ issuer, subject, method }: Value): void {
  const check = at("syntax");
  check(isHost(issuer), "issuer-malformed");
  check(isSubject(subject), "subject-malformed");
  check(isMethod(method), "method-malformed");
}

/** Whose authority is carried must be allowed. To ignore it would make the one who acts look like the one who asked. */
function checkDelegation({ subject, assurance, on_behalf_of: principals = [] }: Value, entry: Value): void {
  const check = at("delegation");
  check(principals.length > 0 || assurance !== "delegated", "delegation-malformed");
  if (principals.length === 0) return;
  const { delegation = [], max_delegation: most = 0 } = entry;
  check(delegation.length > 0 && most > 0, "delegation-not-allowed");
  check(principals.length <= most, "delegation-too-deep");
  const isOnce = new Set([...principals, subject]).size === principals.length + 1;
  check(principals.every(isSubject) && isOnce, "delegation-malformed");
  const isInScope = (one: string) => delegation.some((prefix: string) => one.startsWith(prefix));
  check(principals.every(isInScope), "principal-out-of-scope");
}

/** Exactly one, as it was signed: nothing is made canonical here. */
function checkAudience(audience: Json, recipient: string): void {
  const check = at("audience");
  const named = isText(audience) ? [audience] : audience;
  check(Array.isArray(named) && named.length > 0, "audience-missing");
  check(named.length <= MOST_AUDIENCES, "audience-too-broad");
  check(named.every((one: Json) => isText(one) && canonicalAddress(one) === one), "audience-not-canonical");
  check(named.includes(recipient), "audience-mismatch");
  check(named.length === 1, "audience-too-broad");
}

/** When evidence was issued, in microseconds. */
function checkTimes(evidence: Value, lifetime: number, skewSeconds: number, now: bigint): bigint {
  const check = at("time");
  const { issued_at: issued, expires_at: expires, not_before: begins = issued } = evidence;
  const moment = (text: string): bigint => {
    const time = signedTime(text);
    check(time !== undefined, "timestamp-malformed");
    return microsOf(time as string);
  };
  const issuedAt = moment(issued);
  check(expires !== undefined, "expiry-missing");
  const [expiresAt, notBefore] = [moment(expires), moment(begins)];
  const skew = microsIn(skewSeconds);
  const first = notBefore < issuedAt ? notBefore : issuedAt;
  check(expiresAt > issuedAt && notBefore < expiresAt, "lifetime-invalid");
  check(expiresAt - first <= microsIn(lifetime), "lifetime-too-long");
  check(issuedAt <= now + skew, "issued-in-future");
  check(notBefore <= now + skew, "not-yet-valid");
  check(now < expiresAt + skew, "expired");
  return issuedAt;
}

/** Whether the authenticated caller is the issuer's host, or an address on it. */
const isOfIssuer = (caller: string | null, issuer: string): boolean =>
  caller !== null && (caller === issuer || canonicalAddress(caller)?.endsWith(`@${issuer}`) === true);
