// `policy.resume`: the agent consumes the state of a completed demand, once, before it acts. That a message has a
// resolution proves nothing. PolicyPart, Normalized Message 3.4 and 8, rulings R38 and R39.

import { canonical, sha256 } from "./canonical.ts";
import { digestOf } from "./ids.ts";
import { storedMessage } from "./message.ts";
import { mustBeFor, mustNotHaveEnded, openRecord, paymentFault } from "./policy-record.ts";
import { PolicyStore } from "./policy-store.ts";
import { must } from "./rejected.ts";
import { isText, type Value } from "./shape.ts";
import { stripped } from "./text.ts";
import { microsOf } from "./time.ts";
import { networkOf, PREFIX } from "./x402-terms.ts";

/** `policy.resume`. */
export function resumeOperation({ message, subject = null }: Value, given: Value) {
  const store = new PolicyStore(given.lookups);
  const turn = storedMessage(message);
  return store.outcome(() => resumed(turn, subject, store, microsOf(given.now), Buffer.from(given.entropy, "hex")));
}

/** The resolution of a message, once its state is consumed. The same message and randomness are the same attempt. */
export function resumed(message: Value, subject: string | null, store: PolicyStore, now: bigint, entropy: Buffer) {
  const resolution = message.policy_resolution;
  must(resolution !== undefined);
  const { kind, confirmation } = resolution;
  const demand = openRecord(resolution.in_reply_to_state, store, now);
  mustBeFor(demand, kind, { message, subject }, confirmationFault(demand, resolution), store);
  if (kind === "consent_required") mustNotHaveEnded(confirmation.expires_at, now);
  else for (const mark of marksOf(confirmation)) store.bind(mark, demand.key, "transaction-reused");
  // a payment is marked before: it could be shown to two demands at once
  const attempt = `${message.id} ${digestOf("policy.resume", entropy, message.id).toString("hex")}`;
  store.bind(`policy-state:${demand.key}`, attempt, "already-consumed");
  return resolution;
}

function confirmationFault(demand: Value, { kind, confirmation }: Value): string | null {
  if (kind === "payment_required") return paymentFault(demand, confirmation.scheme, confirmation.original_payload);
  return confirmation.scope_hash === demand.scope_hash ? null : "scope-mismatch";
}

/**
 * What tells one payment from every other: its transaction by scheme and network, and the nonce of whoever signed it.
 * All schemes of x402 settle alike, and name networks in two ways.
 */
function marksOf({ scheme, original_payload: payload, transaction, payer, network, nonce }: Value): string[] {
  const place = scheme.startsWith(PREFIX) ? [PREFIX, networkOf(payload) ?? network] : [scheme, network];
  const marks = transaction === undefined ? [] : [markOf("transaction", [...place, transaction])];
  return isText(nonce) ? [...marks, markOf("nonce", [payer, nonce])] : marks;
}

/** A key for names that others spell: case, blanks around and the `0x` of EVM make no difference. */
function markOf(what: string, names: (string | undefined)[]): string {
  const folded = names.map((one) => (one === undefined ? null : caseless(stripped(one)).replace(/^0x/, "")));
  return `policy-${what}:${sha256(canonical(folded))}`;
}

/** A text in which letters that differ in case alone are the same one. */
const caseless = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();
