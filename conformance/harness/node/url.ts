// URLs of the web that people may be shown as links: Normalized Message 7. They are never rewritten.

import { isIPv6 } from "node:net";
import { canonicalDomain } from "./address.ts";
import { asciiDomain } from "./idna.ts";
import { characters } from "./text.ts";

const MOST = 8192;
const NAME = /^[a-z0-9][a-z0-9._~-]*$/i;
const HOST = "\\[[0-9a-f:.]{2,45}\\]|[^\\u0000-\\u002c/:?#@[\\]\\u007f]+";
const PARTS = new RegExp(`^https?://(${HOST})(?::([0-9]{1,5}))?(?:[/?#](.*))?$`, "isu");
/** Control characters, what ends an attribute of HTML, blanks, and what shows a text as another one. */
const REFUSED = new RegExp(
  '[\\u0000-\\u0020\\u007f\\u0085\\\\<>"' +
    "\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000" +
    "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]",
  "u",
);

/** Whether a text is such a URL. */
export function isWebUrl(text: string): boolean {
  const [, host, port, rest = ""] = (characters(text) <= MOST && PARTS.exec(text)) || [];
  return host !== undefined && isHost(host) && Number(port ?? 0) <= 65535 && !REFUSED.test(rest);
}

function isHost(host: string): boolean {
  if (host.startsWith("[")) return isIPv6(host.slice(1, -1));
  return NAME.test(host) || (/[^\u0000-\u007f]/u.test(host) && canonicalDomain(host) !== null);
}

/** The URI of an IRI: its domain in A-labels, and what else is beyond ASCII as its bytes. */
export function asUri(iri: string): string {
  const [, scheme, host, port = "", rest] = /^(https?:\/\/)([^/?#]*?)(:[0-9]*)?([/?#].*)?$/isu.exec(iri) ?? [];
  if (host === undefined) return iri;
  const domain = /^[\x00-\x7f]*$/.test(host) ? host : asciiDomain(host);
  return `${scheme}${domain}${port}${(rest ?? "").replace(/[^\x00-\x7f]+/gu, encodeURIComponent)}`;
}

/** A text as one segment of a path: every character but the unreserved ones of RFC 3986 as its bytes. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
