// The words of x402, versions 1 and 2: keys in metadata, and what a payment requirement must say (<https://x402.org>).
// Money is counted in strings of digits, so that no parser rounds it.

import { isObject, isText, type Json, type Value } from "./shape.ts";

export const STATUS = "x402.payment.status";
export const REQUIRED = "x402.payment.required";
export const PAYLOAD = "x402.payment.payload";
/** What stands before a scheme of x402 in the open name space of schemes. */
export const PREFIX = "x402.";

const AMOUNT = /^[0-9]{1,78}(?:\.[0-9]{1,78})?$/; // 78 digits hold every 256-bit integer
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

type Test = (value: Json) => boolean;
type Tests = Record<string, Test>;
export const isName: Test = (value) => isText(value) && value !== "";
const isAmount: Test = (value) => isText(value) && AMOUNT.test(value);
const isSeconds: Test = (value) => Number.isSafeInteger(value) && value >= 0;

const MONEY: Tests = { scheme: isName, network: isName, payTo: isName, asset: isName };
/** By version: what names the money, what else a requirement says, and its words. Null is the same as nothing. */
const VERSIONS: Record<number, { money: Tests; also: Tests; words: Tests }> = {
  1: {
    money: { ...MONEY, maxAmountRequired: isAmount },
    also: { resource: isName, maxTimeoutSeconds: isSeconds },
    words: { description: isText, mimeType: isText, outputSchema: isObject },
  },
  2: { money: { ...MONEY, amount: isAmount }, also: { maxTimeoutSeconds: isSeconds }, words: {} },
};
const RESOURCE_WORDS: Tests = { description: isText, mimeType: isText };

export const isThere = (value: Json): boolean => value !== undefined && value !== null;
/** The version in which an object is written; 0 for any other. */
export const versionOf = ({ x402Version: version }: Json): number => (version === 1 || version === 2 ? version : 0);
/** The member of a requirement that says how much. */
export const amountOf = (requirement: Value, version: number): string =>
  version === 1 ? requirement.maxAmountRequired : requirement.amount;

/** The members that are there and do not fit. */
const oddIn = (document: Json, members: Tests): string[] =>
  Object.keys(members).filter((name) => isThere(document[name]) && !(members[name] as Test)(document[name]));
/** The words of a requirement that do not fit; they change nothing about the money. */
export const oddWords = (requirement: Value, version: number): string[] =>
  oddIn(requirement, (VERSIONS[version] as (typeof VERSIONS)[number]).words);
export const oddInResource = (resource: Json): string[] => oddIn(resource ?? {}, RESOURCE_WORDS);
/** Whether it names what is paid for, as version 2 does. */
export const isResource: Test = (value) => isObject(value) && isName(value.url);

/** Whether a requirement is one, so that no payer could pay something else by mistake. */
export function isRequirement(one: Json, version: number, isWhole = false): boolean {
  if (!isObject(one)) return false;
  const { money, also, words } = VERSIONS[version] as (typeof VERSIONS)[number];
  const fits = (members: Tests) => Object.entries(members).every(([name, test]) => test(one[name]));
  const isFine = oddIn(one, also).length === 0 && (!isWhole || (fits(also) && oddIn(one, words).length === 0));
  return fits(money) && isFine && oddIn(one, { extra: isObject }).length === 0;
}

/** Whether a way to pay can go out as x402: its payload has everything that the version asks for. */
export function isOffer({ scheme, payload }: Value): boolean {
  const version = versionOf(payload);
  const { requirement, resource } = payload;
  if (!version || !isRequirement(requirement, version, true) || scheme !== PREFIX + requirement.scheme) return false;
  return !isThere(resource) || (version > 1 && isResource(resource) && !oddInResource(resource).length);
}

/** Whether two accounts are one: addresses of EVM in any case, all others to the letter. */
export function isSameAccount(one: string, other: string): boolean {
  const areBothOfEvm = EVM_ADDRESS.test(one) && EVM_ADDRESS.test(other);
  return areBothOfEvm ? one.toLowerCase() === other.toLowerCase() : one === other;
}

/** The names that version 1 has for networks, and those of version 2 (CAIP-2). */
const NETWORKS: Record<string, string> = {
  abstract: "eip155:2741",
  "abstract-testnet": "eip155:11124",
  avalanche: "eip155:43114",
  "avalanche-fuji": "eip155:43113",
  base: "eip155:8453",
  "base-sepolia": "eip155:84532",
  educhain: "eip155:41923",
  iotex: "eip155:4689",
  megaeth: "eip155:4326",
  monad: "eip155:143",
  peaq: "eip155:3338",
  polygon: "eip155:137",
  "polygon-amoy": "eip155:80002",
  sei: "eip155:1329",
  "sei-testnet": "eip155:1328",
  "skale-base-sepolia": "eip155:324705682",
  solana: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
  "solana-devnet": "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
  stable: "eip155:988",
  story: "eip155:1514",
};

/** The network of an offer by the name that version 2 has for it; undefined for what is no offer of x402. */
export function networkOf({ requirement }: Value): string | undefined {
  const network = isObject(requirement) ? requirement.network : undefined;
  if (!isText(network)) return undefined;
  return Object.hasOwn(NETWORKS, network) ? NETWORKS[network] : network;
}
