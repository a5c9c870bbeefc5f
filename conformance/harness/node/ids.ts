// Ids and secrets out of what they are for: the same parts always give the same. What a secret is for is one of them:
// the same random bytes never give the same secret for two purposes.

import { createHash } from "node:crypto";

/** SHA-256 of texts and bytes, each behind its length, so that no two lists of parts give the same. */
export function digestOf(...parts: (string | Buffer)[]): Buffer {
  const hash = createHash("sha256");
  for (const bytes of parts.map((one) => (typeof one === "string" ? Buffer.from(one, "utf8") : one))) {
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

/** The id of the A2A task with which a question is answered that names none: the same when it is asked again. */
export const taskIdFor = (messageId: string): string => uuidOf("a2a.task", messageId);
