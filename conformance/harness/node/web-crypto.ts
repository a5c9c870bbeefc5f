// Signatures, verified and made by Web Crypto alone. A key names its algorithm; no signature and no header ever does.

/** What of RFC 8017 and FIPS 186-5 a key of ours can do. */
export type Scheme = "Ed25519" | "RSASSA-PKCS1-v1_5" | "RSA-PSS" | "ECDSA";
/** A public key, as a JWK that Web Crypto reads. */
export interface PublicKey {
  scheme: Scheme;
  jwk: Record<string, string>;
  /** The hash of the scheme, where it takes one. */
  hash?: string;
  saltLength?: number;
}

const { subtle } = crypto;

const parametersOf = ({ scheme, hash, saltLength, jwk }: PublicKey) =>
  ({ name: scheme, hash, saltLength, namedCurve: jwk.crv });

/** Whether a signature over data is one of this key. What Web Crypto cannot read is no key, and so signs nothing. */
export async function isSigned(key: PublicKey, signature: Uint8Array, data: Uint8Array): Promise<boolean> {
  try {
    const read = await subtle.importKey("jwk", key.jwk, parametersOf(key), false, ["verify"]);
    return (await subtle.verify(parametersOf(key), read, signature, data)) === true;
  } catch {
    return false;
  }
}

/** How PKCS #8 begins for a seed of Ed25519 (RFC 8410 7). */
const PKCS8_OF_ED25519 = "302e020100300506032b657004220420";

/** The signature of an Ed25519 key, which is its seed of 32 bytes (RFC 8032 5.1.5). */
export async function signedBySeed(seed: string, data: Uint8Array): Promise<Uint8Array> {
  const written = Buffer.from(PKCS8_OF_ED25519 + seed, "hex");
  const key = await subtle.importKey("pkcs8", written, { name: "Ed25519" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign({ name: "Ed25519" }, key, data));
}
