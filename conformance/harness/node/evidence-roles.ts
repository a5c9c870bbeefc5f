// Who may do what at an agent: grants of roles to verified identities. Claims, names and principals give no role.

import { canonicalAddress } from "./address.ts";
import { closed, isPrefix, isSubject, takesSubject } from "./evidence-trust.ts";
import { jsonOf } from "./json.ts";
import { name, text } from "./leaves.ts";
import { exactTime } from "./message.ts";
import { must } from "./rejected.ts";
import { isText, type Json, leaf, list, needed, nullable, object, record, strictly, type Value } from "./shape.ts";

/** A word that looks like no other word: what shows nothing would make two of one. */
const ROLE = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]+$/u;

const identity = record({
  issuer: needed(name),
  subject: needed(name),
  method: needed(name),
  assurance: needed(name),
  issued_at: needed(exactTime),
  audience: needed(name),
  principals: needed(list(name, { whole: true })),
  key_id: nullable(text),
  entry: nullable(leaf(Number.isInteger)),
  digest: nullable(text),
  replay_key: nullable(text),
  expires_at: nullable(exactTime),
  not_before: nullable(exactTime),
  id: nullable(text),
  claims: needed(object),
  source: needed(object),
});
const grant = closed({
  role: needed(leaf((value) => isText(value) && ROLE.test(value))),
  subjects: nullable(list(leaf(isSubject))),
  subject_prefixes: nullable(list(leaf(isPrefix))),
  issuers: nullable(list(name)),
  methods: needed(list(name)),
  assurance: nullable(list(name)),
});

/** `identity.acl`: the roles that verified identities have at an agent. Claims and names give none. */
export function rolesAt({ agent, grants, identities }: Json): string[] {
  const read: Value[] = grants.map((one: Json) => strictly(grant, one));
  must(read.every((one) => one.methods.length && [one.subjects, one.subject_prefixes].some((some) => some?.length)));
  const known: Value[] = identities.map((one: Json) => strictly(identity, isText(one) ? jsonOf(one) : one));
  must(canonicalAddress(agent) === agent);
  const isForAny = (one: Value) => one.entry === undefined && canonicalAddress(one.audience) !== one.audience;
  const shown = known.filter((one) => one.audience === agent || isForAny(one));
  const given = read.filter((one) => shown.some((identity: Value) => isGranted(one, identity)));
  return [...new Set<string>(given.map(({ role }) => role))].sort();
}

function isGranted(one: Value, { issuer, method, assurance, subject }: Value): boolean {
  const isNamed = (allowed: string[] = [], value: string) => allowed.length === 0 || allowed.includes(value);
  const isMeant = isNamed(one.issuers, issuer) && isNamed(one.methods, method) && isNamed(one.assurance, assurance);
  return isMeant && takesSubject(one, subject);
}
