// Links of HTML: their addresses, and whether the words of a link are its address. Normalized Message 3.2, decision B4.

import { stripped } from "./text.ts";
import { asUri, isWebUrl } from "./url.ts";

export const MAILBOX = /^mailto:[^\s<>()|\\]{1,320}$/i;
/** An attribute without the spaces of HTML around it. */
const withoutSpaces = (text: string): string => text.replace(/^[ \t\n\f\r]+|[ \t\n\f\r]+$/g, "");

/** The address of a link as a URI; undefined for one that must not be a link. */
export function addressOf(href: string): string | undefined {
  const plain = withoutSpaces(href);
  if (MAILBOX.test(plain)) return plain;
  const uri = asUri(plain);
  return isWebUrl(uri) ? uri : undefined;
}

/** Whether the words of a link are its address: whole, without its scheme, or the beginning of it with an ellipsis. */
export function isItself(words: string, href: string, uri: string): boolean {
  const trimmed = (text: string) => text.toLowerCase().replace(/\/+$/, "");
  const bare = (text: string) => text.replace(/^https?:\/\//, "").replace(/^mailto:([^?]*).*$/s, "$1");
  const whole = [withoutSpaces(href), uri].map(trimmed);
  const forms = [...whole, ...whole.map(bare)];
  const text = trimmed(stripped(words));
  const beginning = text.replace(/(?:…|\.\.\.)$/, "");
  const isCut = beginning !== text && beginning.includes(".");
  return forms.some((one) => one === text || (isCut && one.startsWith(beginning)));
}
