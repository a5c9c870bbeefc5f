// `policy.accept`: whether a receipt is for a demand of one's own, and the payment or the consent took place. Nothing
// is consumed here. PolicyPart, rulings R38 and R39.

import { storedMessage } from "./message.ts";
import { stateKey } from "./policy-read.ts";
import { candidate as candidateForm, mustBeFor, mustNotHaveEnded, openRecord } from "./policy-record.ts";
import { payloadHash, paymentFault, type Source, taskState } from "./policy-record.ts";
import { PolicyStore } from "./policy-store.ts";
import { must } from "./rejected.ts";
import { strictly, type Value } from "./shape.ts";
import { microsOf } from "./time.ts";
import { isPaidBy, type Payment, paymentOf } from "./x402-payment.ts";
import { isSameAccount, isThere, PREFIX } from "./x402-terms.ts";

/** What a payment by x402 has, and a confirmation has not. */
const SIGNED = ["x402Version", "accepted", "payload"];

/** `policy.accept`. */
export function acceptOperation({ candidate, message = null, subject = null }: Value, given: Value) {
  const store = new PolicyStore(given.lookups);
  const from = { message: message && storedMessage(message), subject };
  return store.outcome(() => accepted(receiptOf(candidate), from, store, microsOf(given.now)));
}

/** A receipt; what came with it is nothing unless the case says it. */
export const receiptOf = (given: Value): Value => strictly(candidateForm, { receipt: {}, ...given });

/** The completion of a demand, verified. */
export function accepted(receipt: Value, from: Source, store: PolicyStore, now: bigint): Value {
  const { message } = from;
  must(message !== null || receipt.state !== undefined);
  const isByTask = message !== null && receipt.task_id !== undefined;
  const state = isByTask ? taskState(message.recipient, message.sender.address, receipt.task_id) : receipt.state;
  const demand = openRecord(state, store, now);
  // the state of a task is no secret: a receipt names the task, never that state
  must(isByTask || stateKey({ state }) === demand.key, "state-unknown");
  const isPayment = receipt.kind === "payment_required";
  const verified = isPayment ? paid(receipt, demand, from, store) : granted(receipt, demand, from, store, now);
  return { in_reply_to_state: state, kind: receipt.kind, ...verified };
}

function paid(receipt: Value, demand: Value, from: Source, store: PolicyStore): Value {
  const { scheme } = receipt;
  const payment = paymentIn(receipt);
  const fault = receipt.original_payload === undefined ? null : paymentFault(demand, scheme, receipt.original_payload);
  const payloads = fault === null ? payloadsPaid(receipt, demand, payment) : [];
  const isOffered = demand.offers.some((one: Value) => one.scheme === scheme);
  const unclear = isOffered ? "payload-mismatch" : "scheme-not-offered";
  mustBeFor(demand, receipt.kind, from, fault ?? (payloads.length === 1 ? null : unclear), store);
  const seen = store.observed(`PAYMENT ${scheme}`);
  must(seen !== null, "payment-unverified");
  const { verified_by = "caller", transaction, payer, network } = seen;
  const claimed = payment ? payment.payer : receipt.payer;
  must(claimed === undefined || payer === undefined || isSameAccount(claimed, payer), "payer-mismatch");
  const confirmation = {
    scheme,
    original_payload: payloads[0],
    transaction,
    payer: payer || payment?.payer,
    network: network || payment?.network,
    nonce: payment?.nonce,
  };
  return { confirmation: present(confirmation), verified_by };
}

/** The members that are there. */
const present = (value: Value): Value => Object.fromEntries(Object.entries(value).filter(([, one]) => isThere(one)));

/** The payment by x402 in a receipt; null where it is something else, such as one that echoes its offer. */
function paymentIn({ scheme, original_payload: echoed, receipt }: Value): Payment | null {
  if (!scheme.startsWith(PREFIX)) return null;
  if (echoed !== undefined && !SIGNED.some((name) => Object.hasOwn(receipt, name))) return null;
  // what repeats the offer names the scheme as we do; a payment of version 1 has the same member
  const isOurName = echoed !== undefined && receipt.scheme === scheme;
  return paymentOf(isOurName ? { ...receipt, scheme: scheme.slice(PREFIX.length) } : receipt);
}

/** The payloads of the offers that a receipt may be for; without an echo, two offers of one scheme are ambiguous. */
function payloadsPaid({ scheme, original_payload: echoed }: Value, { offers }: Value, payment: Payment | null) {
  const hash = echoed === undefined ? null : payloadHash(echoed);
  const isMeant = (one: Value) => one.scheme === scheme && (hash === null || one.payload_hash === hash);
  const byHash = new Map<string, Value>();
  for (const one of offers.filter(isMeant)) byHash.set(one.payload_hash, one.payload ?? echoed);
  const payloads = [...byHash.values()].filter(isThere);
  return payment === null ? payloads : payloads.filter((one) => isPaidBy(payment, one));
}

function granted(receipt: Value, demand: Value, from: Source, store: PolicyStore, now: bigint): Value {
  const { scope_hash: scope } = receipt;
  mustBeFor(demand, receipt.kind, from, scope === demand.scope_hash ? null : "scope-mismatch", store);
  const seen = store.observed(`CONSENT ${scope}`);
  must(seen !== null, "consent-unverified");
  const { verified_by = "caller", expires_at: expiresAt } = seen;
  mustNotHaveEnded(expiresAt, now);
  return { confirmation: present({ scope_hash: scope, expires_at: expiresAt }), verified_by };
}
