// Public keys as ActivityPub has them: RSA in PEM (SPKI, RFC 5280 4.1), Ed25519 as Multikey (base58btc).

import { ed25519, isStrong } from "./ed25519.ts";
import { isStrictBase64 } from "./leaves.ts";
import { isText, type Json } from "./shape.ts";
import type { PublicKey } from "./web-crypto.ts";

const PEM = /^\s*-----BEGIN PUBLIC KEY-----[ \t]*\r?\n([A-Za-z0-9+/=\r\n \t]+?)-----END PUBLIC KEY-----\s*$/;
const MOST_OF_PEM = 8192;
const MOST_OF_MULTIBASE = 128;
const LEAST_BITS = 1024;
const MOST_BITS = 4096;
const RSA = "2a864886f70d010101"; // rsaEncryption, 1.2.840.113549.1.1.1
const ED25519 = [0xed, 0x01]; // its code in a Multikey
const LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** The key of a document; undefined when it has none that signs here. */
export function publicKeyOf({ publicKeyPem, publicKeyMultibase }: Json): PublicKey | undefined {
  const [pem, multibase] = [publicKeyPem ?? undefined, publicKeyMultibase ?? undefined]; // in JSON-LD null is absence
  if (isText(pem)) return multibase === undefined ? rsaOf(pem) : undefined;
  const bytes = isText(multibase) && pem === undefined ? base58(multibase) : undefined;
  const isEd25519 = bytes?.length === 34 && ED25519.every((byte, place) => bytes[place] === byte);
  const point = isEd25519 ? bytes.subarray(2) : undefined;
  return point && isStrong(point) ? ed25519(point.toString("base64url")) : undefined;
}

/** The bytes that `z` and base58btc stand for; undefined when they are none. */
export function base58(text: string): Buffer | undefined {
  if (!text.startsWith("z") || text.length > MOST_OF_MULTIBASE) return undefined;
  const digits = [...text.slice(1)].map((letter) => LETTERS.indexOf(letter));
  if (digits.includes(-1)) return undefined;
  const value = digits.reduce((sum, digit) => sum * 58n + BigInt(digit), 0n);
  const hex = value === 0n ? "" : value.toString(16);
  const zeros = digits.findIndex((digit) => digit !== 0);
  const whole = hex.padStart(hex.length + (hex.length % 2), "0");
  return Buffer.from("00".repeat(zeros < 0 ? digits.length : zeros) + whole, "hex");
}

/** The key that a PEM holds, of 1024 to 4096 bits. */
function rsaOf(pem: string): PublicKey | undefined {
  const body = pem.length <= MOST_OF_PEM ? PEM.exec(pem)?.[1]?.replace(/[ \t\r\n]/g, "") : undefined;
  if (body === undefined || !isStrictBase64(body)) return undefined;
  try {
    const [n, e] = numbersOf(Buffer.from(body, "base64"));
    const bits = BigInt(`0x${n.toString("hex") || "0"}`).toString(2).length;
    const jwk = { kty: "RSA", n: n.toString("base64url"), e: e.toString("base64url"), alg: "RS256" };
    return bits >= LEAST_BITS && bits <= MOST_BITS ? { scheme: "RSASSA-PKCS1-v1_5", hash: "SHA-256", jwk } : undefined;
  } catch {
    return undefined;
  }
}

/** Modulus and exponent of an SPKI: a sequence of the algorithm and of a bit string, which holds both numbers. */
function numbersOf(der: Buffer): [Buffer, Buffer] {
  const whole = new Der(der).read(0x30);
  const algorithm = whole.read(0x30);
  if (algorithm.read(0x06).bytes.toString("hex") !== RSA) throw new Error("another algorithm");
  const bits = whole.read(0x03).bytes;
  const numbers = new Der(bits.subarray(1)).read(0x30);
  if (bits[0] !== 0 || whole.bytes.length) throw new Error("bits are left over");
  const pair: [Buffer, Buffer] = [numbers.read(0x02).bytes, numbers.read(0x02).bytes];
  if (numbers.bytes.length || pair.some((one) => (one[0] ?? 0x80) & 0x80)) throw new Error("no positive numbers");
  return pair.map((one) => (one[0] === 0 ? one.subarray(1) : one)) as [Buffer, Buffer];
}

/** Values of DER (X.690), one after the other. */
class Der {
  bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** What the next value contains, which must have this tag. */
  read(tag: number): Der {
    const [found, first = 0x80] = this.bytes;
    const size = first < 0x80 ? 0 : first - 0x80;
    if (found !== tag || first === 0x80 || size > 3) throw new Error("another value");
    const length = size ? Number.parseInt(this.bytes.toString("hex", 2, 2 + size), 16) : first;
    const start = 2 + size;
    if (start + length > this.bytes.length) throw new Error("it is cut off");
    const value = this.bytes.subarray(start, start + length) as Buffer;
    this.bytes = this.bytes.subarray(start + length) as Buffer;
    return new Der(value);
  }
}
