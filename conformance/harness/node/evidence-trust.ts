// Trust policies: which issuer is believed in which statements. Building a Connector (trust policy), decision A4. One
// entry must match as a whole, nothing is trusted by default, and an unknown member might narrow the trust.

import { isHost } from "./hosts.ts";
import { name, yesOrNo } from "./leaves.ts";
import { must } from "./rejected.ts";
import { type Form, isObject, isText, type Json, leaf, list, type Member, needed, nullable, record } from "./shape.ts";
import { strictly, type Value } from "./shape.ts";

const MOST_OF_SUBJECT = 512;
const LONGEST_LIFETIME = 3600;
const LONGEST_SKEW = 300;
const DEEPEST_DELEGATION = 8;
const USUAL = { max_lifetime: 300, skew: 60 };

const SUBJECT = /^(?:@[!-?A-~]+@[a-z0-9.-]+|[a-z][a-z0-9+.-]*:[!-~]+)$/;
/** What lets a subject leave its namespace, or be written in two ways. */
const ODD = /[\\"%]|[/:]\.\.?(?:[/:]|$)/;
const SCHEME = /^[a-z][a-z0-9+.-]*:(?:\/\/)?/;
const METHOD = /^[!-~]{1,256}$/;
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

/** Whether a value names somebody: an address, or a name behind a scheme, in visible ASCII. */
export const isSubject = (value: Json): boolean =>
  isText(value) &&
  value.length <= MOST_OF_SUBJECT &&
  SUBJECT.test(value) &&
  !ODD.test(value) &&
  !value.replace(SCHEME, "").includes("//");

export const isMethod = (value: Json): boolean => isText(value) && METHOD.test(value);

/** A prefix ends where a name ends, so that `slack:T1` takes nothing of `slack:T12`. */
export const isPrefix = (value: Json): boolean =>
  isText(value) && SCHEME.test(value) && /[:/]$/.test(value) && isSubject(`${value}x`);

const whole = (least: number, most: number): Form =>
  leaf((value) => Number.isInteger(value) && value >= least && value <= most);

/** A record that has these members and no others. */
export function closed(members: Record<string, Member>): Form {
  const read = record(members);
  return (data) => {
    must(isObject(data) && Object.keys(data).every((one) => Object.hasOwn(members, one)));
    return read(data);
  };
}

const prefixes = list(leaf(isPrefix));
const entry = closed({
  issuer: needed(leaf(isHost)),
  methods: needed(list(name)),
  assurance: needed(list(name)),
  subject_prefixes: nullable(prefixes),
  subjects: nullable(list(name)),
  subject_domains: nullable(list(leaf(isHost))),
  delegation: nullable(prefixes),
  max_delegation: nullable(whole(0, DEEPEST_DELEGATION)),
  max_lifetime: nullable(whole(1, LONGEST_LIFETIME)),
  thumbprints: nullable(list(leaf((value) => isText(value) && THUMBPRINT.test(value)))),
  forwarding: nullable(yesOrNo),
  require_id: nullable(yesOrNo),
  without_canonicalization: nullable(yesOrNo),
  proof_removed: nullable(yesOrNo),
});
const policy = closed({
  entries: needed(list(entry)),
  max_lifetime: needed(whole(1, LONGEST_LIFETIME)),
  skew: needed(whole(0, LONGEST_SKEW)),
});

/** A trust policy: the array of the guide, or an object with it. No key is pinned for two issuers. */
export function trustPolicyOf(data: Json): Value {
  const read = strictly(policy, Array.isArray(data) ? { entries: data, ...USUAL } : data);
  const issuerOf = new Map<string, string>();
  for (const { issuer, thumbprints = [] } of read.entries) {
    for (const one of thumbprints) {
      must((issuerOf.get(one) ?? issuer) === issuer);
      issuerOf.set(one, issuer);
    }
  }
  return read;
}

/** Whether an entry, or a grant, takes a subject. An empty list is nothing, never anything. */
export const takesSubject = ({ subjects = [], subject_prefixes = [], subject_domains = [] }: Value, subject: string) =>
  subjects.includes(subject) ||
  subject_prefixes.some((one: string) => subject.startsWith(one)) ||
  (subject.startsWith("@") && subject_domains.includes(subject.slice(subject.lastIndexOf("@") + 1)));

const MISMATCHES = ["method-untrusted", "assurance-untrusted", "subject-out-of-scope"] as const;

/** How far evidence came with an entry of its issuer: the place of the member that does not match. */
function mismatchOf(one: Value, { method, assurance, subject }: Value): number {
  if (!one.methods.includes(method)) return 0;
  if (!one.assurance.includes(assurance)) return 1;
  return takesSubject(one, subject) ? MISMATCHES.length : 2;
}

/** The first entry that takes evidence, with its place; else the code of the one that came furthest. */
export function entryFor(evidence: Value, { entries }: Value): { index: number; entry: Value } | string {
  const places = entries.map((one: Value) => (one.issuer === evidence.issuer ? mismatchOf(one, evidence) : -1));
  const index = places.indexOf(MISMATCHES.length);
  return index < 0 ? (MISMATCHES[Math.max(-1, ...places)] ?? "issuer-untrusted") : { index, entry: entries[index] };
}

/** `identity.trust_policy`. */
export const readTrustPolicy = ({ data }: Json): Value => trustPolicyOf(data);
