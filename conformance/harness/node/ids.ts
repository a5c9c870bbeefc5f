// Ids that are made of what they are for: the same texts always give the same id.

import { createHash } from "node:crypto";

/** SHA-256 of texts, each behind its length, so that no two lists of texts give the same. */
export function digestOf(...texts: string[]): Buffer {
  const hash = createHash("sha256");
  for (const bytes of texts.map((one) => Buffer.from(one, "utf8"))) {
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(bytes.length));
    hash.update(size).update(bytes);
  }
  return hash.digest();
}

/** A UUID of version 8 (RFC 9562 5.8) made of texts. */
export function uuidOf(...texts: string[]): string {
  const digits = digestOf(...texts).toString("hex");
  const third = `8${digits.slice(13, 16)}`;
  return [digits.slice(0, 8), digits.slice(8, 12), third, `a${digits.slice(17, 20)}`, digits.slice(20, 32)].join("-");
}
