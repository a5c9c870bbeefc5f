// Connector Cards: the keys of an issuer, as a JWK Set with more members (decision B12). A key that cannot be used
// costs itself; what could be read in two ways costs the card.

import { isHost } from "./hosts.ts";
import { faultOfPoint, faultOfUse } from "./ed25519.ts";
import { bodyBytes, parseStrict } from "./json.ts";
import { secureUrl, text } from "./leaves.ts";
import { must, Rejected } from "./rejected.ts";
import { entries, type Form, isObject, isText, type Json, leaf, list } from "./shape.ts";
import { maybe, needed, record, strictly, type Value } from "./shape.ts";
import { signedTime } from "./time.ts";

const MOST_BYTES = 64 * 1024;
const MOST_DEPTH = 16;
const MOST_KEYS = 16;
const KEY_ID = /^[!-~]{1,128}$/;
const PLACES = ["adapter-card", "connector-card"];
/** Members that only the owner of a key may have. */
const PRIVATE = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];
/** Members of a key that say what it is; the rest is kept as it is. */
const OF_JWK = ["kty", "crv", "alg", "use", "key_ops", "fault"];

/** Members of a card that may say nothing. */
const OF_CARD = ["name", "version", "callbacks", "methods", "subject_prefixes"];

/** A key of a card: what it is called, its public half, and why it cannot be used, if it cannot. */
export interface CardKey {
  kid: string;
  x: string | null;
  not_before?: string;
  not_after?: string;
  revoked_at?: string;
  fault?: string;
}
export interface Card extends Record<string, Value> {
  issuer: string;
  keys: CardKey[];
  expires_at?: string;
}

export const isKeyId = (value: Json): boolean => isText(value) && KEY_ID.test(value);
export const addressOfCard = (issuer: string): string => `https://${issuer}/.well-known/${PLACES[0]}`;
/** Whether a URL is where the card of an issuer lies. */
export const isPlaceOf = (url: string, issuer: string): boolean =>
  PLACES.some((place) => url === `https://${issuer}/.well-known/${place}`);

const time = leaf((value) => isText(value) && signedTime(value) !== undefined);
const callback: Form = (data) => (Array.isArray(data) ? list(secureUrl) : secureUrl)(data);
const issuer = leaf(isHost);
const named = record({ kid: needed(leaf(isKeyId)) });
const timed = record({ not_before: maybe(time), not_after: maybe(time), revoked_at: maybe(time) });
const others = record({
  name: maybe(text),
  version: maybe(text),
  callbacks: maybe(entries(callback)),
  methods: maybe(list(text)),
  subject_prefixes: maybe(list(text)),
  expires_at: maybe(time),
});

/** A card as it was read, or a refusal. With `url`, it must come from its issuer's own place. */
export function cardOf(bytes: Buffer, url?: string): Card {
  const data = membersOf(bytes);
  fitting(issuer, data.issuer);
  const keys = keysOf(data.keys);
  const read = { ...fitting(others, data), keys: withFaults(keys) } as Card;
  must(url === undefined || isPlaceOf(url, read.issuer), "card-origin-mismatch");
  return read;
}

/** The members of a card, with its keys at one place. */
function membersOf(bytes: Buffer): Json {
  let data: Json;
  try {
    data = parseStrict(bytes, { maxBytes: MOST_BYTES, maxDepth: MOST_DEPTH });
  } catch {
    throw new Rejected("card-invalid");
  }
  must(isObject(data) && !("keys" in data && "jwks" in data), "card-invalid");
  const { jwks, ...others } = data;
  return jwks === undefined ? data : { ...others, keys: jwks?.keys };
}

/** The keys of a card, none of them with its private half, and no two under one id. */
function keysOf(data: Json): Value[] {
  must(Array.isArray(data) && data.length > 0 && data.length <= MOST_KEYS, "card-invalid");
  for (const one of data) {
    fitting(named, one);
    must(!PRIVATE.some((name) => name in one), "card-private-key");
  }
  must(new Set(data.map(({ kid }) => kid)).size === data.length, "key-ambiguous");
  return data.map((one) => fitting(timed, one));
}

function fitting(form: Form, data: Json): Value {
  try {
    return strictly(form, data);
  } catch {
    throw new Rejected("card-invalid");
  }
}

/** Keys with their faults. What was revoked under one id is revoked under all. */
function withFaults(keys: Json[]): CardKey[] {
  const revoked = keys.filter((one) => one.revoked_at !== undefined).map((one) => one.x);
  return keys.map((jwk) => {
    const wrong = faultOfPoint(jwk);
    const fault = wrong ?? (revoked.includes(jwk.x) ? "key-revoked" : faultOfUse(jwk));
    const others = Object.entries(jwk).filter(([name]) => !OF_JWK.includes(name));
    return { ...(Object.fromEntries(others) as Value), x: wrong ? null : jwk.x, ...(fault && { fault }) } as CardKey;
  });
}

/** `identity.read_card`. */
export const readCard = ({ body, url }: Json): Card => cardOf(bodyBytes(body), url);

const HEADERS = [
  ["content-type", "application/json"],
  ["cache-control", "public, max-age=300"],
  ["access-control-allow-origin", "*"],
];

/** `identity.serve_card`: every key as a JWK; one that cannot be used is a mistake, unless it was revoked. */
export function serveCard({ card: given, keys }: Json) {
  const read = cardOf(bodyBytes(given));
  return { status: 200, headers: HEADERS, body: written({ ...read, keys: keys ?? read.keys }) };
}

/** `discovery.connector_card`: what is wrong with each key, and the card with the keys that can be used. */
export function describedCard({ body, url }: Json) {
  const read = cardOf(bodyBytes(body), url);
  const faults = Object.fromEntries(read.keys.map(({ kid, fault = null }) => [kid, fault]));
  return { faults, served: written({ ...read, keys: read.keys.filter(({ fault }) => fault === undefined) }) };
}

/** A card as an issuer writes it: keys with their times, and no member of ours that says nothing. */
function written(read: Card): Value {
  const keys = read.keys.map(jwkOf);
  must(keys.length > 0 && new Set(keys.map(({ kid }) => kid)).size === keys.length);
  const saysNothing = (name: string, member: Value) => OF_CARD.includes(name) && Object.keys(member).length === 0;
  return { ...Object.fromEntries(Object.entries(read).filter(([name, member]) => !saysNothing(name, member))), keys };
}

function jwkOf({ kid, x, not_before, not_after, revoked_at, fault }: CardKey): Value {
  const jwk = { kty: "OKP", crv: "Ed25519", x, kid, alg: "Ed25519", use: "sig", not_before, not_after, revoked_at };
  must((fault ?? "key-revoked") === "key-revoked" && isKeyId(kid) && faultOfPoint(jwk) === undefined);
  return Object.fromEntries(Object.entries(jwk).filter(([, member]) => member !== undefined));
}
