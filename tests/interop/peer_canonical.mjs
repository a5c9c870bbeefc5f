// Canonical JSON, numbers as ECMAScript writes them, and Ed25519 without OpenSSL.

const bytes = (text, encoding) => new Uint8Array(Buffer.from(text, encoding));

// What an attestation signs: all of it in canonical form, without the value of its proof.
function signed(canonicalize, evidence) {
  const { value, ...proof } = evidence.proof;
  return { value, input: bytes(canonicalize({ ...evidence, proof }), "utf8") };
}

// Objects come as lists of names and values: JSON.parse of Node 24.19 takes some escaped names for others.
function built([kind, content]) {
  if (kind === "array") return content.map(built);
  if (kind !== "object") return content;
  const value = Object.create(null);
  for (const [name, member] of content) value[name] = built(member);
  return value;
}

export const does = (require) => ({
  "canonicalize.all": ({ documents }) => {
    const canonicalize = require("canonicalize").default;
    return documents.map((document) => canonicalize(built(document)));
  },

  // Doubles as the hex of their eight bytes, so that nobody reads them as text on the way.
  "ecmascript.numbers": ({ doubles }) => doubles.map((hex) => JSON.stringify(Buffer.from(hex, "hex").readDoubleBE())),

  "noble.verify": async ({ triples }) => {
    const { verifyAsync } = require("@noble/ed25519");
    const fits = async (key, signature, data) => {
      const [k, s, d] = [key, signature, data].map((text) => new Uint8Array(Buffer.from(text, "base64")));
      try {
        return await verifyAsync(s, d, k, { zip215: false });
      } catch {
        return false; // it throws at another length
      }
    };
    return await Promise.all(triples.map((triple) => fits(...triple)));
  },

  "attestation.sign": async ({ documents, seed }) => {
    const { signAsync } = require("@noble/ed25519");
    const canonicalize = require("canonicalize").default;
    const one = async (evidence) => {
      const { input } = signed(canonicalize, evidence);
      const value = Buffer.from(await signAsync(input, bytes(seed, "base64"))).toString("base64url");
      return canonicalize({ ...evidence, proof: { ...evidence.proof, value } });
    };
    return await Promise.all(documents.map((document) => one(built(document))));
  },

  "attestation.verify": async ({ documents, key }) => {
    const { verifyAsync } = require("@noble/ed25519");
    const canonicalize = require("canonicalize").default;
    const one = (evidence) => {
      const { value, input } = signed(canonicalize, evidence);
      return verifyAsync(bytes(value, "base64url"), input, bytes(key, "base64"), { zip215: false });
    };
    return await Promise.all(documents.map((document) => one(built(document))));
  },

  "discord.verify": async ({ key, requests }) => {
    const { verifyKey } = require("discord-interactions");
    return await Promise.all(requests.map(([body, signature, time]) => verifyKey(body, signature, time, key)));
  },
});
