// Ways to pay by x402, versions 1 and 2, as a policy has them: <https://x402.org>. A fault in what names the money
// refuses the whole demand; words that do not fit cost themselves.

import { canonical, hasCanonical } from "./canonical.ts";
import type { ReadPolicy } from "./policy-read.ts";
import { isObject, isText, type Json, type Value } from "./shape.ts";
import { bytesIn } from "./text.ts";
import { stripped } from "./url.ts";

const MOST_OFFERS = 64;
const MOST_BYTES = 65_536; // of the JSON that lists ways to pay
const PREFIX = "x402.";
const ERROR = "org.x402.error";
const EXTENSIONS = "org.x402.extensions";
const AMOUNT = /^[0-9]{1,78}(?:\.[0-9]{1,78})?$/;

type Test = (value: Json) => boolean;
const isName: Test = (value) => isText(value) && value !== "";
const isAmount: Test = (value) => isText(value) && AMOUNT.test(value);
const isSeconds: Test = (value) => Number.isSafeInteger(value) && value >= 0;

const MONEY: Record<string, Test> = { scheme: isName, network: isName, payTo: isName, asset: isName };
/** By version: what names the money, what else a requirement says, and its words. Null is the same as nothing. */
type Tests = Record<string, Test>;
const VERSIONS: Record<number, { money: Tests; also: Tests; words: Tests }> = {
  1: {
    money: { ...MONEY, maxAmountRequired: isAmount },
    also: { resource: isName, maxTimeoutSeconds: isSeconds },
    words: { description: isText, mimeType: isText, outputSchema: isObject },
  },
  2: { money: { ...MONEY, amount: isAmount }, also: { maxTimeoutSeconds: isSeconds }, words: {} },
};
const RESOURCE_WORDS = { description: isText, mimeType: isText };

const isThere = (value: Json): boolean => value !== undefined && value !== null;
/** The version in which an object is written; 0 for any other. */
const versionOf = ({ x402Version: version }: Json): number => (version === 1 || version === 2 ? version : 0);
/** The members that are there and do not fit. */
const oddIn = (document: Json, members: Record<string, Test>): string[] =>
  Object.keys(members).filter((name) => isThere(document[name]) && !(members[name] as Test)(document[name]));
const isResource: Test = (value) => isObject(value) && isName(value.url);

/** Whether a requirement is one, so that no payer could pay something else by mistake. */
function isRequirement(one: Json, version: number, isWhole: boolean): boolean {
  if (!isObject(one)) return false;
  const { money, also, words } = VERSIONS[version] as (typeof VERSIONS)[number];
  const fits = (members: Record<string, Test>) => Object.entries(members).every(([name, test]) => test(one[name]));
  const isFine = oddIn(one, also).length === 0 && (!isWhole || (fits(also) && oddIn(one, words).length === 0));
  return fits(money) && isFine && oddIn(one, { extra: isObject }).length === 0;
}

/** Whether a way to pay can go out as x402: its payload has everything that the version asks for. */
function isOffer({ scheme, payload }: Value): boolean {
  const version = versionOf(payload);
  const { requirement, resource } = payload;
  if (!version || !isRequirement(requirement, version, true) || scheme !== PREFIX + requirement.scheme) return false;
  return !isThere(resource) || (version > 1 && isResource(resource) && !oddIn(resource, RESOURCE_WORDS).length);
}

/** What clients of x402 see of a demand; null when none of its ways to pay is one of x402. */
export function x402Required(policy: Value): Value | null {
  const offers = policy.accepted_payments.filter(isOffer).map((one: Value) => one.payload);
  if (!offers.length) return null;
  const version = Math.max(...offers.map(versionOf));
  const same = offers.filter((one: Value) => versionOf(one) === version);
  const { resource = null } = same[0];
  const accepts = same
    .filter((one: Value) => canonical(one.resource ?? null) === canonical(resource))
    .map((one: Value) => one.requirement)
    .slice(0, MOST_OFFERS);
  const error = policy.data?.[ERROR];
  const required: Value = { x402Version: version, error: isName(error) ? error : policy.message };
  if (resource !== null) required.resource = resource;
  required.accepts = accepts;
  const extensions = policy.data?.[EXTENSIONS];
  if (version > 1 && isObject(extensions)) required.extensions = extensions;
  return required;
}

/** The demand in the body of a 402, or in its header field; undefined for what is in another format. */
export function x402Demand(body: Json): ReadPolicy | undefined {
  if (!isObject(body) || !("x402Version" in body)) return undefined;
  const version = versionOf(body);
  const accepts: Json = body.accepts;
  const resource = version > 1 ? (body.resource ?? null) : null;
  const fits =
    version &&
    Array.isArray(accepts) &&
    accepts.length > 0 &&
    accepts.length <= MOST_OFFERS &&
    hasCanonical(body) &&
    bytesIn(canonical(body)) <= MOST_BYTES &&
    (resource === null || isResource(resource)) &&
    accepts.every((one) => isRequirement(one, version, false));
  if (!fits) return { policy: null, diagnostics: ["policy-malformed"] };
  const { words } = VERSIONS[version] as (typeof VERSIONS)[number];
  const dropped = [...oddIn(resource ?? {}, RESOURCE_WORDS), ...accepts.flatMap((one) => oddIn(one, words))];
  if (isThere(body.error) && !isText(body.error)) dropped.push("error");
  const extensions = version > 1 ? body.extensions : undefined;
  if (isThere(extensions) && !isObject(extensions)) dropped.push("extensions");
  const error = isText(body.error) && body.error ? body.error : null;
  const message = error !== null && stripped(error) ? error : "Payment is required.";
  const data = {
    ...(isObject(extensions) ? { [EXTENSIONS]: extensions } : {}),
    ...(error !== null && error !== message ? { [ERROR]: error } : {}),
  };
  const policy: Value = {
    kind: "payment_required",
    message,
    code: "x402:payment_required",
    accepted_payments: accepts.map((one) => offerOf(one, version, resource)),
  };
  if (Object.keys(data).length) policy.data = data;
  return { policy, diagnostics: dropped.map(() => "member-dropped") };
}

function offerOf(requirement: Json, version: number, resource: Json): Value {
  const described = (version === 1 ? requirement : (resource ?? {})).description;
  const held = resource === null ? {} : { resource };
  const offer = { scheme: PREFIX + requirement.scheme, payload: { x402Version: version, ...held, requirement } };
  return isName(described) ? { ...offer, description: described } : offer;
}
