// The shape of a message, in two readings: Normalized Message 3. From anyone, no sender in it is verified and nothing
// is resolved, whatever it says; out of one's own store, all members come back.

import { address } from "./address.ts";
import { both } from "./capabilities.ts";
import { count, mediaType, moment, name, text, webUrl, yesOrNo } from "./leaves.ts";
import { part, response } from "./response.ts";
import { isText, leaf, list, maybe, needed, nullable, object, oneOf, record, strict, strictly } from "./shape.ts";
import { anything, type Form, type Json, type Value } from "./shape.ts";
import { utcTime } from "./time.ts";

const METHODS =
  ["ap-http-signature", "ap-object-integrity-proof", "a2a-jwt", "a2a-oauth", "email-dkim", "email-dmarc", "none"];

/** Members of the message at hand: at a prior turn they are not read. */
const NEVER_OF_TURNS = ["policy_resolution", "received_trace"];

function isAddress(value: Json): boolean {
  try {
    return address(value) === value;
  } catch {
    return false;
  }
}

export const canonicalAddress = leaf((value) => isText(value) && isAddress(value));
/** A time to the letter: where it is signed. */
export const exactTime = leaf((value) => isText(value) && utcTime(value) !== undefined);

const avatar = record({ url: needed(webUrl), mime_type: maybe(mediaType), width: maybe(count), height: maybe(count) });
export const profile = record({
  display_name: maybe(text),
  username: maybe(text),
  url: maybe(webUrl),
  avatar: maybe(avatar),
  locale: maybe(text),
  timezone: maybe(text),
  provider: maybe(text),
  provider_subject: maybe(text),
  fetched_at: maybe(moment),
  extensions: maybe(object),
});

/** The form that a table has for a name; `other` for what is not in it. */
const formFor = (table: Record<string, Form>, named: Json, other: Form): Form =>
  isText(named) && Object.hasOwn(table, named) ? (table[named] as Form) : other;

// Evidence is signed, so it is read to the letter: null is no absence.
const PROOFS: Record<string, Form> = {
  transport: record({ verified_by: needed(name), key_id: nullable(text) }),
  "signed-attestation": record(
    { alg: needed(name), kid: needed(name), value: needed(name), canonicalization: nullable(text) },
  ),
  "bearer-token": record({ verified_by: needed(name), token_hash: nullable(text) }),
};
const otherProof = record({ type: needed(name) });
const proof: Form = (data, notes) => formFor(PROOFS, data?.type, otherProof)(data, notes);
const names = list(name, { whole: true });
const audience: Form = (data, notes) => (Array.isArray(data) ? names : name)(data, notes);

export const evidence = record({
  subject: needed(name),
  issuer: needed(name),
  method: needed(name),
  assurance: needed(name),
  audience: needed(audience),
  issued_at: needed(exactTime),
  proof: needed(proof),
  id: nullable(name),
  not_before: nullable(exactTime),
  expires_at: nullable(exactTime),
  on_behalf_of: nullable(names),
  claims: nullable(object),
  source: nullable(object),
});

/** Only what was verified has a method; the one exception is DMARC that rests on SPF alone. */
const methodFits = ({ verified, auth_method: method }: Value) =>
  (verified ? method !== "none" : ["none", "email-dmarc"].includes(method)) ? undefined : [];

const OWN_SENDER = {
  auth_method: needed(oneOf(...METHODS)),
  verified: needed(yesOrNo),
  key_id: maybe(text),
  identities: maybe(list(evidence)),
};
const PERSON = { address: strict(needed(canonicalAddress)), display_name: maybe(text), profile: maybe(profile) };
const storedSender = record({ ...PERSON, ...OWN_SENDER }, { rules: [methodFits] });
const strangeSender = record(PERSON);

/** A sender from anyone: what only one's own store may say is not read. */
const anySender: Form = (data, notes) => {
  const value = strangeSender(without(data, Object.keys(OWN_SENDER)), notes);
  return Object.assign(value, { auth_method: "none", verified: false });
};

/** A copy of an object without some members; what is no object is left as it is. */
export function without(data: Json, dropped: readonly string[]): Json {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([member]) => !dropped.includes(member)));
}

const payment = record({
  scheme: strict(needed(name)),
  original_payload: strict(needed(object)),
  transaction: strict(maybe(text)),
  payer: strict(maybe(text)),
  network: strict(maybe(text)),
});
const consent = record({ scope_hash: strict(needed(name)), expires_at: strict(maybe(moment)) });
export const confirmations: Record<string, Form> = { payment_required: payment, consent_required: consent };

/** What was verified of an earlier demand: the kind says which confirmation it has. */
export const resolution: Form = (data, notes) =>
  record({
    in_reply_to_state: strict(needed(name)),
    kind: strict(needed(oneOf(...Object.keys(confirmations)))),
    confirmation: strict(needed(formFor(confirmations, data?.kind, payment))),
    verified_by: needed(text),
  })(data, notes);

/** The forms of a turn and of a message, for one of the two readings. */
function reading(sender: Form, own: Record<string, Value>, never: readonly string[]) {
  const plainTurn = record({
    role: needed(oneOf("user", "assistant")),
    sender: strict(needed(sender)),
    parts: needed(list(part)),
    timestamp: needed(moment),
    id: maybe(text),
  });
  const turn: Form = (data, notes) => plainTurn(without(data, NEVER_OF_TURNS), notes);
  const plainMessage = record(
    {
      id: needed(name),
      thread_id: needed(name),
      sender: strict(needed(sender)),
      recipient: strict(needed(canonicalAddress)),
      parts: needed(list(part)),
      recipient_capabilities: needed(both),
      received_via: needed(oneOf("activitypub", "a2a", "email", "rest", "connector")),
      received_at: needed(moment),
      raw: { read: anything, isRequired: true },
      in_reply_to: maybe(name),
      history: maybe(list(turn)),
      received_trace: maybe(response),
      ...own,
    },
    { rules: [rolesFit] },
  );
  return { turn, message: ((data, notes) => plainMessage(without(data, never), notes)) as Form };
}

/** A turn of history is the assistant's exactly when its sender is the recipient. */
function rolesFit({ history = [], recipient }: Value) {
  const wrong = history.flatMap((turn: Value, index: number) =>
    (turn.role === "assistant") === (turn.sender.address === recipient) ? [] : [["history", index]],
  );
  return wrong.length ? wrong : undefined;
}

const anyone = reading(anySender, {}, ["policy_resolution"]);
export const stored = reading(storedSender, { policy_resolution: maybe(resolution) }, []);
export const turnOfAnyone = anyone.turn;

/** A message out of one's own store; what does not fit is refused. */
export const storedMessage = (data: Json): Value => strictly(stored.message, data);

const DECODED: Record<string, Form> = { NormalizedMessage: anyone.message, NormalizedResponse: response };
const RESTORED: Record<string, Form> = { NormalizedMessage: stored.message, NormalizedResponse: response };

/** `value.decode`. */
const decoded = ({ type, data }: Value) => strictly(DECODED[type], data);
/** `value.restore` and `value.encode`. */
const restored = ({ type, data }: Value) => strictly(RESTORED[type], data);

/** Operations on values: what is written is what the store has. */
export const valueOperations = { "value.decode": decoded, "value.restore": restored, "value.encode": restored };
