// Secrets and ids out of given bytes. What one is for is a part of what is hashed, so that the same random bytes never
// give the same secret for two purposes.

import { createHash } from "node:crypto";

/** 32 bytes: SHA-256 of all arguments, each behind its length. */
export function derived(label: string, entropy: string | Buffer, ...what: string[]): Buffer {
  const hash = createHash("sha256");
  for (const one of [label, entropy, ...what]) {
    const bytes = typeof one === "string" ? Buffer.from(one, "utf8") : one;
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes.length));
    hash.update(length).update(bytes);
  }
  return hash.digest();
}

/** The id of the A2A task with which a question is answered that names none: the same for whoever asks again. */
export function taskIdFor(messageId: string): string {
  const hex = derived("a2a.task", messageId).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
