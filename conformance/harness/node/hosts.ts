// Which hosts may be asked for a document: https, the default port, a public name. That is the half of the protection
// against requests to inner networks that needs no network; the other half is that of whoever opens the connection.

import { canonicalDomain } from "./address.ts";
import { isText, type Json } from "./shape.ts";

const MOST_OF_URL = 8192;
const ASKED = /^https:\/\/([A-Za-z0-9.-]{3,253})(?::443)?(?:[/?][!$-;=?-[\]^-z|~]*)?(?:#[!-~]*)?$/;
const PRIVATE = /\.(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|arpa|onion|i2p|alt|svc)$/;

/** The host of an IRI that may be asked for, a public DNS name; undefined for another. */
export function hostOf(iri: string): string | undefined {
  const domain = canonicalDomain((iri.length <= MOST_OF_URL && ASKED.exec(iri)?.[1]) || "");
  return domain === null || PRIVATE.test(domain) ? undefined : domain;
}

/** Whether a value is a bare public DNS name in its one spelling: small letters, A-labels, no port. */
export const isHost = (value: Json): boolean =>
  isText(value) && canonicalDomain(value) === value && !PRIVATE.test(value);
