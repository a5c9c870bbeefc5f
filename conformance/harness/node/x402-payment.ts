// Payments by x402 as a payer sends them: read, and compared with what was offered. Nothing here proves that money
// moved; what a payer says of receipts is not looked at. A2A x402 extension 5.5, x402 versions 1 and 2, section 5.2.

import { paymentsIn } from "./ap2.ts";
import { canonical, hasCanonical } from "./canonical.ts";
import { must } from "./rejected.ts";
import { isObject, type Json, type Value } from "./shape.ts";
import { amountOf, isName, isRequirement, isSameAccount, isThere, PAYLOAD, PREFIX, STATUS } from "./x402-terms.ts";
import { versionOf } from "./x402-terms.ts";

const AUTHORIZATION = ["from", "to", "value", "validAfter", "validBefore", "nonce"]; // EIP-3009, all of them strings
const NONCE = /^0[xX][0-9a-fA-F]{1,64}$/;
const PERMIT_NONCE = /^[0-9]{1,78}$/;

/** To which account goes how much, where the payload shows it; of what, where the signature alone does not say it. */
interface Transfer {
  to: string;
  value: string;
  asset?: string;
}
/** What was signed in one of the two forms that chains of EVM have; nothing of any other form. */
interface Signed {
  payer?: string;
  nonce?: string;
  transfer?: Transfer;
}
export interface Payment extends Signed {
  version: number;
  scheme: string;
  network: string;
  /** The requirement and the resource, which payers of version 2 repeat. */
  accepted: Value;
  resource: Json;
}

function expect(fits: unknown): asserts fits {
  must(fits, "receipt-malformed");
}

const hasNames = (document: Value, names: string[]): boolean => names.every((name) => isName(document[name]));

function objectIn(document: Value, name: string): Value {
  const member = document[name];
  expect(isObject(member));
  return member;
}

/** The payment in the metadata of a message, or in the payment mandate that it points to; null when there is none. */
export function paymentIn({ metadata, parts = [] }: Value): Payment | null {
  if (!isObject(metadata) || metadata[STATUS] !== "payment-submitted") return null;
  if (isThere(metadata[PAYLOAD])) return paymentOf(metadata[PAYLOAD]);
  const payments = paymentsIn(parts);
  expect(payments.length === 1);
  return paymentOf(payments[0]);
}

/** The payment that an object is. */
export function paymentOf(payload: Json): Payment {
  expect(isObject(payload) && hasCanonical(payload));
  const version = versionOf(payload);
  expect(version);
  expect(version === 2 || hasNames(payload, ["scheme", "network"]));
  const accepted = version === 1 ? null : objectIn(payload, "accepted");
  expect(accepted === null || isRequirement(accepted, version));
  const resource = version === 1 ? null : (payload.resource ?? null);
  expect(resource === null || isObject(resource));
  const { scheme, network } = accepted ?? payload;
  const signed = signedIn(objectIn(payload, "payload"), version);
  return { version, scheme: PREFIX + scheme, network, accepted, resource, ...signed };
}

function signedIn(signed: Value, version: number): Signed {
  const isPermit = version > 1 && Object.hasOwn(signed, "permit2Authorization");
  if (!Object.hasOwn(signed, "authorization")) return isPermit ? permitted(signed) : {};
  expect(!isPermit); // two authorizations could say two things
  const authorization = objectIn(signed, "authorization");
  expect(hasNames(authorization, AUTHORIZATION) && hasNames(signed, ["signature"]));
  const { from: payer, to, value, nonce } = authorization;
  expect(NONCE.test(nonce));
  return { payer, nonce: spelled(nonce.toLowerCase()), transfer: { to, value } };
}

function permitted(signed: Value): Signed {
  const permit = objectIn(signed, "permit2Authorization");
  expect(hasNames(permit, ["from", "nonce", "deadline", "spender"]));
  const { token: asset, amount: value } = objectIn(permit, "permitted");
  const { to } = objectIn(permit, "witness");
  expect([asset, value, to, signed.signature].every(isName) && PERMIT_NONCE.test(permit.nonce));
  return { payer: permit.from, nonce: spelled(permit.nonce), transfer: { to, value, asset } };
}

/** The one spelling of a nonce: the same number in other letters must not pass for another one. */
const spelled = (nonce: string): string => `0x${BigInt(nonce).toString(16).padStart(64, "0")}`;

/** `policy.x402_payment`. */
export function x402Payment(input: Value) {
  const payment = paymentIn(input);
  if (payment === null) return null;
  const { scheme, network, payer = null, nonce = null } = payment;
  return { scheme, network, payer, nonce };
}

/** `policy.x402_fits`. */
export function x402Fits(input: Value): boolean {
  const payment = paymentIn(input);
  return payment !== null && isPaidBy(payment, input.offered);
}

/**
 * Whether a payment pays exactly this offer. In version 2 the payer repeats the requirement, and maybe the resource. In
 * version 1 only the scheme and the network are repeated, so a payload that does not show its transfer fits nothing.
 */
export function isPaidBy(payment: Payment, offered: Value): boolean {
  const { version, scheme, network, transfer, accepted, resource } = payment;
  const { requirement } = offered;
  if (versionOf(offered) !== version || !isRequirement(requirement, version)) return false;
  if (scheme !== PREFIX + requirement.scheme || network !== requirement.network) return false;
  if (transfer ? !isTransferred(transfer, requirement, version) : version === 1) return false;
  if (version === 1) return true;
  return isEqual(accepted, requirement) && (resource === null || isEqual(resource, offered.resource));
}

function isTransferred({ to, value, asset }: Transfer, requirement: Value, version: number): boolean {
  const isOfAsset = asset === undefined || isSameAccount(asset, requirement.asset);
  return isOfAsset && isSameAccount(to, requirement.payTo) && value === amountOf(requirement, version);
}

/** Whether two objects are the same by their canonical JSON, members that say nothing left out. */
const isEqual = (one: Value, other: Json): boolean =>
  isObject(other) && hasCanonical(significant(other)) && canonical(significant(one)) === canonical(significant(other));

/** The members that say something: the types of some peers fill in the others. */
function significant(document: Value): Value {
  const isEmpty = (member: Json) => isObject(member) && Object.keys(member).length === 0;
  const saysMore = ([name, member]: [string, Json]) => member !== null && !(name === "extra" && isEmpty(member));
  return Object.fromEntries(Object.entries<Json>(document).filter(saysMore));
}
