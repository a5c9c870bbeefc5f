// `policy.issue`: a demand for a payment or a consent as it goes out, and the record to store of it. PolicyPart,
// decisions B3 and B11, rulings R38 and R39.

import { domainOf } from "./address.ts";
import { foreignUrls, isBound } from "./authority.ts";
import { digestOf, taskIdFor } from "./ids.ts";
import { storedMessage } from "./message.ts";
import { scopeHash, stateKey } from "./policy-read.ts";
import { issuance, payloadHash, taskState } from "./policy-record.ts";
import { policy as policyForm } from "./policy.ts";
import { must } from "./rejected.ts";
import { isText, type Json, strictly, type Value } from "./shape.ts";
import { microsIn, microsOf, timeText } from "./time.ts";
import { isOffer, PREFIX } from "./x402-terms.ts";

const LIFETIMES: Record<string, number> = { payment_required: 600, consent_required: 900 }; // seconds
const MOST_SECONDS = 3600;
/** The transports on which payments by x402 come with the message itself. */
const IN_BAND = ["a2a", "rest"];

export interface Issued {
  part: Value;
  record: Value;
}

/** A value with names such as `$state` filled in; `$state` also where it is only a part of a text. */
export function filled(value: Json, names: Record<string, Json>): Json {
  if (isText(value)) return Object.hasOwn(names, value) ? names[value] : value.replaceAll("$state", () => names.$state);
  if (Array.isArray(value)) return value.map((one) => filled(one, names));
  if (typeof value !== "object" || value === null || value instanceof Number) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, names)]));
}

/** The domain of an address. */

export const issueOperation = (input: Value, given: Value) => ({ value: issued(input, given) });

/** Issues a demand, with other random bytes than those that are given where some are. */
export function issued(input: Value, given: Value, entropy = Buffer.from(given.entropy, "hex")): Issued {
  const to = storedMessage(input.to);
  const state = digestOf("policy.state", entropy, to.id, to.recipient).toString("base64url");
  const part = strictly(policyForm, filled(input.part, { $state: state }));
  must(Object.hasOwn(LIFETIMES, part.kind));
  must(part.state === undefined || part.state === state); // a state that somebody chose may be known
  const hosts = [domainOf(to.recipient), ...(given.settings?.policy_hosts ?? [])];
  must(foreignUrls(part, hosts).length === 0);
  const isPayment = part.kind === "payment_required";
  const terms = isPayment ? paymentTerms(part, to, input) : consentTerms(part, hosts, input);
  const times = timesOf(given.now, input.lifetime_seconds ?? (LIFETIMES[part.kind] as number));
  const record = {
    key: stateKey({ state }),
    kind: part.kind,
    agent: to.recipient,
    threads: threadsOf(to),
    principal: to.sender.address,
    principal_verified: to.sender.verified,
    message_id: to.id,
    ...times,
    aliases: [],
    offers: [],
    failures: 0,
    consumed: false,
    ...subjectOf(to, input.subject ?? null),
    ...terms,
  };
  return { part: { ...part, state }, record: strictly(issuance, record) };
}

function timesOf(now: string, lifetime: number): Value {
  must(microsIn(lifetime) > 0n && microsIn(lifetime) <= microsIn(MOST_SECONDS));
  const start = microsOf(now);
  return { issued_at: timeText(start), expires_at: timeText(start + microsIn(lifetime)) };
}

/** The threads in which a receipt may come. A question over A2A without a task is answered by one, which names them. */
const threadsOf = (to: Value): string[] =>
  [...new Set([to.thread_id, to.received_via === "a2a" ? taskIdFor(to.id) : to.thread_id])];

/** Who must complete it: whom the host names, else who it is by the evidence of a platform. */
function subjectOf({ sender }: Value, subject: string | null): Value {
  if (subject !== null) return { subject };
  const evidence = sender.identities?.find((one: Value) => one.assurance === "platform");
  return evidence ? { subject: evidence.subject, subject_method: evidence.method } : {};
}

/** What was offered. A payment by x402 names no state, so its record is found by its task, too. */
function paymentTerms(part: Value, to: Value, { scope, callbacks }: Value): Value {
  must(scope === undefined && callbacks === undefined);
  const isX402 = ({ scheme }: Value) => scheme.startsWith(PREFIX);
  const ways: Value[] = part.accepted_payments;
  must(ways.filter(isX402).every(isOffer));
  const offers = ways.map(({ scheme, payload }) => ({ scheme, payload_hash: payloadHash(payload), payload }));
  const tasks = IN_BAND.includes(to.received_via) && ways.some(isX402) ? threadsOf(to) : [];
  const aliases = tasks.map((task) => stateKey({ state: taskState(to.recipient, to.sender.address, task) }));
  return { offers, aliases };
}

/** What consent is about. People come back to the agent's host, or exactly to a callback of its connector. */
function consentTerms(part: Value, hosts: string[], { scope = null, callbacks = [] }: Value): Value {
  must(scope !== null && !isText(callbacks));
  must(isBound(part.return_to, hosts) || callbacks.includes(part.return_to));
  return { scope_hash: scopeHash({ scope }) };
}
