// Base64, read strictly: nothing stands in it but its alphabet, and it ends as it must.

const GROUPS = /^[A-Za-z0-9+/]*={0,2}$/;

/** The bytes of a text, or null where it is not base64. @param {any} text @returns {Buffer | null} */
export function decoded(text) {
  if (typeof text !== "string" || text.length % 4 || !GROUPS.test(text)) return null;
  return Buffer.from(text, "base64");
}
