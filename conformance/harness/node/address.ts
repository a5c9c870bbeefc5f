// Addresses: Normalized Message 3.1 and 7, decision B8. Three spellings come in, one canonical form goes out.

import { asciiDomain } from "./idna.ts";
import { must } from "./rejected.ts";

const PLAIN_CHAR = /[A-Za-z0-9!#$&'*+/=?^_`{|}~-]/; // of an atom, all but the percent sign
const ATOM = `${PLAIN_CHAR.source}+`;
const PLAIN = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
const WORD = /[^\0-\x20"(),:;<>@[\\\]\x7f.]+/.source;
const UNQUOTED = /^[^\0-\x20"(),:;<>@[\\\]\x7f]+$/u; // a word, with dots anywhere
const QUOTED = /"(?:[^"\\]|\\.)*"/.source;
const WORDS = new RegExp(`^(?:${WORD}|${QUOTED})(?:\\.(?:${WORD}|${QUOTED}))*$`, "su");
const FORBIDDEN = /[\0-\x1f\x7f-\x9f\u2028\u2029\ufffd]|\p{Surrogate}/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LABEL_OF_DNS = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const NO_HOST = /[/:?#\\%[\]@\s\u0000-\u001f]/u; // characters that end a host or stand for something else in a URL

/** The canonical `@local@domain` of `@local@domain`, `acct:local@domain` and of a mailbox as mail writes it. */
export function address(text: string): string {
  const rest = /^acct:/i.test(text) ? text.slice(5) : text.startsWith("@") ? text.slice(1) : text;
  const at = rest.lastIndexOf("@");
  const local = rest.slice(0, Math.max(at, 0));
  const encoded = rest === text ? encodeLocal(readLocal(local)) : isEncoded(local) ? local : null;
  must(encoded !== null);
  const domain = canonicalDomain(rest.slice(at + 1), LABEL_OF_DNS);
  must(domain !== null);
  return `@${encoded}@${domain}`;
}

/** What stands behind the last @. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

/** The canonical address in one of the spellings that every protocol has: quotes are read in mail alone. */
export function canonicalAddress(text: string): string | undefined {
  const isMarked = /^(?:@|acct:)/i.test(text);
  try {
    return isMarked || PLAIN.test(text.slice(0, Math.max(text.lastIndexOf("@"), 0))) ? address(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The local part that mail writes as `text`, without its quotes; null when it is none. */
function readLocal(text: string): string | null {
  if (UNQUOTED.test(text)) return text;
  return WORDS.test(text) ? text.replace(/\\(.)|"/gsu, (_, char) => char ?? "") : null;
}

/** A local part as an address has it: percent signs before all bytes but those of a dot-atom; null when it is none. */
function encodeLocal(local: string | null): string | null {
  if (!local || FORBIDDEN.test(local)) return null;
  if (PLAIN.test(local) && local.length <= 255) return local;
  const bytes = [...new TextEncoder().encode(local)];
  if (bytes.length > 255) return null;
  return bytes.map((byte, at) => {
    const char = String.fromCharCode(byte);
    const isInnerDot = char === "." && at > 0 && at < bytes.length - 1 && bytes[at - 1] !== byte;
    return PLAIN_CHAR.test(char) || isInnerDot ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/** Whether `text` is the one percent-encoded form of a local part. */
function isEncoded(text: string): boolean {
  try {
    return encodeLocal(decodeURIComponent(text)) === text;
  } catch {
    return false; // a percent sign without its digits, or bytes that are not UTF-8
  }
}

/** A domain in small letters and A-labels, or null when it is no DNS name of two labels or more. */
export function canonicalDomain(host: string, label = LABEL): string | null {
  if (NO_HOST.test(host)) return null;
  const domain = /^[\u0000-\u007f]*$/u.test(host) ? host.toLowerCase() : asciiDomain(host);
  const labels = domain.split(".");
  const last = labels.at(-1) as string;
  const isName = /[a-z]/.test(last) && LABEL.test(last) && !/^0x[0-9a-f]*$/.test(last); // else it is an IP address
  const fits = labels.length > 1 && domain.length < 254 && isName && labels.every((one) => label.test(one));
  return fits ? domain : null;
}
