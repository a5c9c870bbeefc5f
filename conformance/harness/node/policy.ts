// The shape of a policy: PolicyPart, and ruling R54 for what of it is strict: money, and what binds a state.

import { WideInteger } from "./json.ts";
import { count, isToken, name, secureUrl, text, token } from "./leaves.ts";
import { byKind, entries, list, maybe, needed, object, record, strict } from "./shape.ts";
import type { Form, Json, Members, Place, RuleOf } from "./shape.ts";
import { stripped } from "./text.ts";

/** A language, or a range of languages (RFC 4647 2.1). */
export const LANGUAGE = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;
const REVERSED_DOMAIN = /^[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z0-9_-]+)+(?:[:/].*)?$/s;
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/;
const MOST_DEPTH = 64;
const NEVER: Place[] = [];

const some = (member: string[], names: string[]): Place[] | undefined =>
  names.length ? names.map((one) => [...member, one] as unknown as Place) : undefined;

/** The entries of a member by whose name, or whose value, they do not fit. */
const entriesFit = (member: string, fits: (name: string, entry: Json) => boolean): RuleOf => (value) =>
  some([member], Object.entries(value[member] ?? {}).flatMap(([one, entry]) => (fits(one, entry) ? [] : [one])));

/** No two names differ in case alone: readers would take one or the other. */
const namesDiffer = (member: string): RuleOf => (value) => {
  const seen = new Set<string>();
  const isAgain = (one: string) => seen.size === seen.add(one.toLowerCase()).size;
  return some([member], Object.keys(value[member] ?? {}).filter(isAgain));
};

/** Whether JSON has a form that everybody agrees on (RFC 8785): integers are safe, and nothing is too deep. */
function isCanonical(value: Json, depth = MOST_DEPTH): boolean {
  if (value instanceof WideInteger) return false;
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((one) => isCanonical(one, depth - 1));
}

const isCanonicalMember = (one: Json): boolean => isCanonical([one]);
const dataIsCanonical = entriesFit("data", (_, entry) => isCanonicalMember(entry));
const hasWords: RuleOf = ({ message }) => (stripped(message) ? undefined : NEVER);

/** The rules of a record: those of its own members, and those that come after a look at the others. */
interface Rules {
  rules?: RuleOf[];
  unknown?: RuleOf[];
}

/** A record whose unknown members have a canonical form, each for itself. */
function canonicalRecord(members: Members, { rules = [], unknown = [] }: Rules = {}) {
  const unknownAreCanonical: RuleOf = (value) =>
    some([], Object.keys(value).filter((one) => !Object.hasOwn(members, one) && !isCanonicalMember(value[one])));
  return record(members, { rules: [...rules, unknownAreCanonical, ...unknown] });
}

const translation = canonicalRecord({ message: needed(name), title: maybe(text) }, { rules: [hasWords] });

const challenge = canonicalRecord(
  { scheme: needed(token), params: maybe(entries(text)) },
  {
    rules: [
      entriesFit("params", isToken),
      namesDiffer("params"),
      entriesFit("params", (_, value) => !CONTROL.test(value)),
    ],
  },
);

/** An offer is compared as a whole, so nothing of it may lack a canonical form. */
const offerIsCanonical: RuleOf = ({ payload, ...others }) =>
  isCanonical(payload) && Object.values(others).every(isCanonicalMember) ? undefined : NEVER;
const offer = record(
  {
    scheme: strict(needed(name)),
    payload: strict(needed(object)),
    label: maybe(text),
    description: maybe(text),
  },
  { rules: [offerIsCanonical] },
);
const hasOffers: RuleOf = ({ accepted_payments: offers }) => (offers.length ? undefined : NEVER);

/** What every kind has, and then its own members. */
const demand = (own: Members = {}, rules: RuleOf[] = []): Form =>
  canonicalRecord(
    {
      kind: needed(name),
      message: needed(name),
      code: maybe(text),
      title: maybe(text),
      message_translations: maybe(entries(translation)),
      url: maybe(secureUrl),
      action_label: maybe(text),
      data: maybe(object),
      ...own,
    },
    {
      rules: [
        hasWords,
        entriesFit("message_translations", (tag) => LANGUAGE.test(tag)),
        namesDiffer("message_translations"),
        entriesFit("data", (key) => REVERSED_DOMAIN.test(key)),
        dataIsCanonical,
      ],
      unknown: rules,
    },
  );
const later = demand({ retry_after_seconds: maybe(count) });
const offers = strict(needed(list(offer, { whole: true })));

export const policy = byKind(
  {
    unauthorized: demand({ auth_challenges: needed(list(challenge)) }),
    payment_required: demand({ accepted_payments: offers, state: strict(maybe(name)) }, [hasOffers]),
    consent_required: demand({ state: strict(needed(name)), return_to: strict(needed(secureUrl)) }),
    forbidden: demand(),
    too_many_requests: later,
    unavailable_for_legal_reasons: demand(),
    service_unavailable: later,
  },
  demand(),
);
