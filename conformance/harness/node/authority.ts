// Which URLs a policy may lead people to: those of the agent's own host, compared as text. PolicyPart, decision B11.
// Nothing is parsed and compared afterwards, because no two parsers agree on odd URLs.

import { domainToASCII, domainToUnicode } from "node:url";
import { canonicalDomain } from "./address.ts";
import { isInOrder } from "./idna.ts";
import { must } from "./rejected.ts";
import { isText, type Json, type Value } from "./shape.ts";

const SCHEME = "https://";
const MOST = 2048;
const AUTHORITY = /^([a-z0-9.-]{3,253})(?::([1-9][0-9]{0,4}))?$/;
const CHARACTERS = "[A-Za-z0-9._~!$&()*+,;=:@/?-]*(?:%[0-9A-Fa-f]{2}[A-Za-z0-9._~!$&()*+,;=:@/?-]*)*";
const TAIL = new RegExp(`^${CHARACTERS}(?:#${CHARACTERS})?$`);
const HIDDEN_IN_PATH = /%(?:[01][0-9a-f]|7f|2[ef]|5c)/i;
const HIDDEN = /%0[0ad]/i;
/**
 * What browsers would follow, with any signs in front: their schemes, maybe behind others; any scheme and two slashes;
 * and two slashes with a host, in which stands what base64 has not.
 */
const LIKE_URL = new RegExp(
  "^[^a-z/\\\\]*(?:(?:[a-z][a-z0-9+.-]*:){0,4}?" +
    "(?:https?|ftp|wss?|file|blob|data|javascript|vbscript|intent|view-source):" +
    "|(?:[a-z][a-z0-9+.-]*:)+[/\\\\]{2}|[/\\\\]{2,}[a-z0-9+=_-]*[^a-z0-9+=_/\\\\-])",
  "i",
);

/** Whether a label is an A-label that browsers open, which also take signs: of a text beyond ASCII. */
function standsForOther(label: string): boolean {
  const meant = domainToUnicode(label);
  return /[^\u0000-\u007f]/u.test(meant) && isInOrder(meant) && domainToASCII(meant) === label;
}

/** Whether URLs can be bound to a text: a DNS name of two labels or more in small A-labels, maybe with a port. */
export function isAuthority(text: Json): boolean {
  const found = isText(text) ? AUTHORITY.exec(text) : null;
  if (!found || Number(found[2] ?? 0) > 65_535) return false;
  const labels = (found[1] as string).split(".");
  const isReadable = (label: string) => label.slice(2, 4) !== "--" || standsForOther(label);
  return canonicalDomain(found[1]) === found[1] && labels.at(-1) !== "localhost" && labels.every(isReadable);
}

/** The authority of an https URL as it is written, and what stands behind it. */
export function splitAuthority(url: string): [string, string] {
  const after = url.slice(url.indexOf("://") + 3);
  const authority = after.split(/[/?#]/, 1)[0] as string;
  return [authority, after.slice(authority.length)];
}

/** Whether a URL is on one of the agent's hosts, and has nothing that reads in two ways. */
export function isBound(url: Json, authorities: readonly string[]): boolean {
  if (!isText(url) || url.length > MOST || !url.startsWith(SCHEME)) return false;
  const [host, rest] = splitAuthority(url);
  if (!authorities.includes(host) || !isAuthority(host) || !TAIL.test(rest)) return false;
  const path = rest.split(/[?#]/, 1)[0] as string;
  const hasOddSegment = path.includes("//") || path.split("/").some((one) => one === "." || one === "..");
  return !hasOddSegment && !HIDDEN_IN_PATH.test(path) && !HIDDEN.test(rest);
}

/** `policy.bind_url`: the URL itself, unchanged. */
export function bindUrl({ url, authority, also = [] }: Value) {
  must(Array.isArray(also) && [authority, ...also].every(isAuthority));
  must(isBound(url, [authority, ...also]), "url-refused");
  return url;
}

/**
 * Where a policy has URLs that are not on one of the agent's hosts: its own, and parameters of challenges that look
 * like one. A `scope` names things that nobody opens.
 */
export function foreignUrls(policy: Value, hosts: readonly string[]): (string | number)[][] {
  const isForeign = ([name, text]: [string, Json]) =>
    name.toLowerCase() !== "scope" && LIKE_URL.test(text.replace(/[\t\r\n]/g, "")) && !isBound(text, hosts);
  const own = policy.url === undefined || isBound(policy.url, hosts) ? [] : [["url"]];
  const challenges: Value[] = policy.kind === "unauthorized" ? policy.auth_challenges : [];
  const inChallenges = challenges.flatMap(({ params }, index) =>
    Object.entries<Json>(params ?? {}).filter(isForeign).map(([name]) => ["auth_challenges", index, "params", name]),
  );
  return [...own, ...inChallenges];
}

/** A policy without the URLs that are not on the host of the agent, and how many were left out. */
export function boundPolicy(policy: Value, authority: string | null): { policy: Value; refused: number } {
  const places = foreignUrls(policy, authority === null ? [] : [authority]);
  const foreign = new Set(places.map(([name, index]) => index ?? name));
  let own = policy;
  if (foreign.has("url")) {
    const { url: _, action_label: __, ...others } = policy;
    own = others;
  }
  if (policy.kind === "unauthorized") {
    const kept = policy.auth_challenges.filter((_: Value, index: number) => !foreign.has(index));
    own = { ...own, auth_challenges: kept };
  }
  return { policy: own, refused: places.length };
}
