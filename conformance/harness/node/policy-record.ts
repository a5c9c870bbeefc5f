// What an agent stores of a demand that it issued, what comes back as a receipt for one, and what binds the one to the
// other: state, agent, thread and sender, and what exactly was offered. PolicyPart, decisions B3 and B11, ruling R39.

import { canonical, hasCanonical, sha256 } from "./canonical.ts";
import { digestOf } from "./ids.ts";
import { count, digest, moment, name, text, yesOrNo } from "./leaves.ts";
import { canonicalAddress } from "./message.ts";
import { stateKey } from "./policy-read.ts";
import type { PolicyStore } from "./policy-store.ts";
import { must } from "./rejected.ts";
import { type Json, list, maybe, needed, object, oneOf, record, type Value } from "./shape.ts";
import { microsOf } from "./time.ts";

const STATE = /^[A-Za-z0-9_-]{22,128}$/; // 128 bits or more in base64url
const MOST_FAILURES = 3; // so many wrong receipts make a state void

const resumable = needed(oneOf("payment_required", "consent_required"));
const offer = record({ scheme: needed(name), payload_hash: needed(digest), payload: maybe(object) });

const hasTerms = ({ kind, offers, scope_hash: scope }: Value) =>
  (kind === "payment_required" ? offers.length > 0 : scope !== undefined) ? undefined : [];
export const issuance = record(
  {
    key: needed(digest),
    kind: resumable,
    agent: needed(canonicalAddress),
    threads: needed(list(name)),
    principal: needed(canonicalAddress),
    principal_verified: needed(yesOrNo),
    message_id: needed(name),
    issued_at: needed(moment),
    expires_at: needed(moment),
    aliases: needed(list(digest)),
    subject: maybe(name),
    subject_method: maybe(name),
    offers: needed(list(offer)),
    scope_hash: maybe(digest),
    failures: needed(count),
    consumed: needed(yesOrNo),
  },
  { rules: [hasTerms] },
);

/** A receipt names a state or a task, and then what was paid by which scheme, or to what was consented. */
function isWhole({ kind, state, task_id: task, scheme, scope_hash: scope }: Value) {
  const isConsent = scope !== undefined && state !== undefined;
  const isFine = (state === undefined) !== (task === undefined);
  return isFine && (kind === "payment_required" ? scheme !== undefined : isConsent) ? undefined : [];
}
export const candidate = record(
  {
    kind: resumable,
    state: maybe(text),
    task_id: maybe(name),
    scheme: maybe(name),
    original_payload: maybe(object),
    payer: maybe(text),
    scope_hash: maybe(text),
    receipt: needed(object),
  },
  { rules: [isWhole] },
);

/** The keys under which a record is stored. */
export const keysOf = ({ key, aliases }: Value): string[] => [key, ...aliases];
export const payloadHash = (payload: Value): string => sha256(canonical(payload));

/** The state that stands for a task of one sender, where a payment names nothing else. It is no secret. */
export const taskState = (agent: string, principal: string, taskId: string): string =>
  digestOf("policy.task", "", agent, principal, taskId).toString("base64url");

/** The demand of a state that can still be completed. */
export function openRecord(state: string, store: PolicyStore, now: bigint): Value {
  must(STATE.test(state), "state-malformed");
  const key = stateKey({ state });
  const found = store.issuance(key);
  must(found !== null && keysOf(found).includes(key), "state-unknown");
  must(found.failures < MOST_FAILURES, "state-void");
  must(!found.consumed, "already-consumed");
  must(now < microsOf(found.expires_at), "state-expired");
  return found;
}

/** Who a receipt comes from: the message it came with, null at an endpoint of one's own, and who it is there. */
export interface Source {
  message: Value | null;
  subject: string | null;
}

/** Refuses a receipt that is not for this demand, and counts it. What was offered comes last: no stranger learns it. */
export function mustBeFor(demand: Value, kind: string, from: Source, fault: string | null, store: PolicyStore): void {
  const code = bindingFault(demand, kind, from) ?? fault;
  if (code === null) return;
  store.countFailure(demand.key);
  must(false, code);
}

/** Why a receipt is not for this demand: of another kind, agent, thread or subject, looked at in this order. */
function bindingFault(demand: Value, kind: string, from: Source): string | null {
  const { message } = from;
  if (kind !== demand.kind) return "kind-mismatch";
  if (message !== null) {
    const { recipient, thread_id: thread, sender } = message;
    if (recipient !== demand.agent) return "agent-mismatch";
    if (!demand.threads.includes(thread)) return "thread-mismatch";
    const isSame = sender.address === demand.principal && (sender.verified || !demand.principal_verified);
    if (!isSame) return "subject-mismatch";
  }
  return isOfSubject(demand, from) ? null : "subject-mismatch";
}

/** A subject by evidence of a platform needs the same evidence again; a callback has none, and names its demand. */
function isOfSubject({ subject, subject_method: method }: Value, from: Source): boolean {
  if (from.subject !== null || method === undefined) return subject === undefined || subject === from.subject;
  const identities: Value[] = from.message?.sender.identities ?? [];
  return from.message === null || identities.some((one) => one.subject === subject && one.method === method);
}

/** Why a payload was not offered under this scheme. */
export function paymentFault({ offers }: Value, scheme: string, payload: Json): string | null {
  const offered = offers.filter((one: Value) => one.scheme === scheme);
  if (!offered.length) return "scheme-not-offered";
  const isOffered = hasCanonical(payload) && offered.some((one: Value) => one.payload_hash === payloadHash(payload));
  return isOffered ? null : "payload-mismatch";
}

/** A consent without a time does not expire. */
export const mustNotHaveEnded = (expiresAt: string | undefined, now: bigint): void =>
  must(expiresAt === undefined || now < microsOf(expiresAt), "consent-expired");
