// Addresses: Normalized Message 3.1 and 7, decision B8. Three spellings come in, one canonical form goes out.

import { asciiDomain } from "./idna.mjs";
import { must } from "./rejected.mjs";

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LOCAL = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NO_HOST = /[/:?#\\%[\]@\s\u0000-\u001f]/u; // characters that end a host or stand for something else in a URL

/** The canonical `@local@domain` of `@local@domain`, `local@domain` and `acct:local@domain`. */
export function address(text) {
  const isAcct = /^acct:/i.test(text);
  must(!isAcct || !text.includes("%")); // what is escaped in a URI is not read
  const rest = isAcct ? text.slice(5) : text.startsWith("@") ? text.slice(1) : text;
  const [local, host, ...more] = rest.split("@");
  must(host !== undefined && more.length === 0 && local.length <= 64 && LOCAL.test(local));
  const domain = canonicalDomain(host);
  must(domain !== null);
  return `@${local}@${domain}`;
}

/** A domain in small letters and A-labels, or null when it is no DNS name of two labels or more. */
export function canonicalDomain(host) {
  if (NO_HOST.test(host)) return null;
  const domain = /^[\u0000-\u007f]*$/u.test(host) ? host.toLowerCase() : asciiDomain(host);
  const labels = domain.split(".");
  const isName = /[a-z]/.test(labels.at(-1)) && !/^0x[0-9a-f]*$/.test(labels.at(-1)); // else it is an IP address
  const fits = labels.length > 1 && domain.length < 254 && isName && labels.every((label) => LABEL.test(label));
  return fits ? domain : null;
}
