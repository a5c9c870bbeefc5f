// Demands for a payment by x402, out and in: in metadata of A2A, in carts of AP2, and in bodies of HTTP 402. A fault in
// what names the money, in any of the ways to pay, refuses the whole demand; words that do not fit cost themselves.

import { cartsIn } from "./ap2.ts";
import { canonical, hasCanonical } from "./canonical.ts";
import { asAnswer, type ReadPolicy } from "./policy-read.ts";
import { policy as policyForm } from "./policy.ts";
import { must } from "./rejected.ts";
import { isObject, isText, type Json, strictly, type Value } from "./shape.ts";
import { bytesIn, stripped } from "./text.ts";
import { isName, isOffer, isRequirement, isResource, isThere, oddInResource, oddWords } from "./x402-terms.ts";
import { PREFIX, REQUIRED, STATUS, versionOf } from "./x402-terms.ts";

const MOST_OFFERS = 64;
const MOST_BYTES = 65_536; // of the JSON that lists ways to pay
const ERROR = "org.x402.error";
const EXTENSIONS = "org.x402.extensions";
const PHRASE = "Payment is required.";

/**
 * What clients of x402 see of a demand; null when none of its ways to pay is one of x402. One object has one version
 * and one resource: the highest version, and the resource of its first way to pay.
 */
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

/** `policy.x402_metadata`. */
export function x402Metadata({ policy: given }: Value): Value {
  const policy = strictly(policyForm, given);
  must(policy.kind === "payment_required");
  const required = x402Required(policy);
  return required ? { [STATUS]: "payment-required", [REQUIRED]: required } : {};
}

/** `policy.x402_demand`: in the metadata of a task's status message, or in the carts that it points to. */
export function x402Demand({ metadata, message = "", state, parts = [] }: Value) {
  if (!isObject(metadata) || metadata[STATUS] !== "payment-required") {
    return asAnswer({ policy: null, diagnostics: [] });
  }
  const demand = new Demand();
  const listed = isThere(metadata[REQUIRED]) ? [metadata[REQUIRED]] : cartsIn(parts);
  for (const one of listed) demand.take(one);
  if (!listed.length) demand.refuse();
  return asAnswer(demand.read(message, state || undefined));
}

/** The demand in the body of a 402, or in its header field; undefined for what is in another format. */
export function x402DemandIn(body: Json): ReadPolicy | undefined {
  if (!isObject(body) || !("x402Version" in body)) return undefined;
  const demand = new Demand();
  demand.take(body);
  return demand.read("");
}

/** The ways to pay of all the objects that list some, and how much of them does not fit. */
class Demand {
  offers: Value[] = [];
  faults = 0;
  dropped = 0;
  left = MOST_OFFERS;
  error: string | undefined;
  extensions: Value | undefined;

  refuse(): void {
    this.faults += 1;
  }

  /** Reads one object, unless there were too many before; each takes at least one of the places for ways to pay. */
  take(required: Json): void {
    if (this.left <= 0) {
      if (this.left === 0) this.refuse();
      this.left = -1; // so that it is refused once
      return;
    }
    const version = isObject(required) ? versionOf(required) : 0;
    const accepts: Json = version ? required.accepts : undefined;
    const isListed = Array.isArray(accepts) && accepts.length >= 1 && accepts.length <= this.left;
    this.left -= isListed ? accepts.length : 1;
    const resource = version > 1 ? (required.resource ?? null) : null;
    const fits = isListed && isSmall(required) && (resource === null || isResource(resource));
    if (!fits) return this.refuse();
    this.dropped += oddInResource(resource).length;
    for (const one of accepts) this.takeOffer(one, version, resource);
    this.takeRest(required, version);
  }

  takeOffer(requirement: Json, version: number, resource: Json): void {
    if (!isRequirement(requirement, version)) return this.refuse();
    this.dropped += oddWords(requirement, version).length;
    const description = (version === 1 ? requirement : (resource ?? {})).description;
    const held = resource === null ? {} : { resource };
    const offer = { scheme: PREFIX + requirement.scheme, payload: { x402Version: version, ...held, requirement } };
    this.offers.push(isName(description) ? { ...offer, description } : offer);
  }

  /** The error and the extensions; of several objects the first ones count. */
  takeRest({ error, extensions }: Value, version: number): void {
    if (isThere(error) && !isText(error)) this.dropped += 1;
    else this.error ||= error;
    if (version === 1 || !isThere(extensions)) return;
    if (isObject(extensions)) this.extensions ??= extensions;
    else this.dropped += 1;
  }

  /** All of it as a policy, and the codes of what does not fit. */
  read(message: string, state?: string): ReadPolicy {
    const malformed = Array(this.faults).fill("policy-malformed");
    const diagnostics = [...malformed, ...Array(this.dropped).fill("member-dropped")];
    if (this.faults || !this.offers.length) return { policy: null, diagnostics };
    const words = [message, this.error || ""].find((one) => stripped(one)) ?? PHRASE;
    const data: Value = {};
    if (this.extensions) data[EXTENSIONS] = this.extensions;
    if (this.error && this.error !== words) data[ERROR] = this.error;
    const policy = {
      kind: "payment_required",
      message: words,
      code: "x402:payment_required",
      accepted_payments: this.offers,
      ...(state === undefined ? {} : { state }),
      ...(Object.keys(data).length ? { data } : {}),
    };
    return { policy: strictly(policyForm, policy), diagnostics };
  }
}

/** Each way to pay repeats the resource, so what lists them is bounded. */
const isSmall = (required: Value): boolean => hasCanonical(required) && bytesIn(canonical(required)) <= MOST_BYTES;
