// Public keys of Ed25519 in JWK (RFC 8037). Web Crypto takes keys of small order, under which anybody can forge, so
// this looks at the point itself.

import { createHash } from "node:crypto";
import { must } from "./rejected.ts";
import { isObject, isText, type Json } from "./shape.ts";
import type { PublicKey } from "./web-crypto.ts";

const X = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/; // 32 bytes, and no bits behind them
const ALGORITHMS = ["Ed25519", "EdDSA"]; // RFC 9864 and RFC 8037
const FIELD = 2n ** 255n - 19n;
const ORDER_8 = [
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
].map((hex) => littleEndian(Buffer.from(hex, "hex")));
/** The y of every point whose order divides 8; the sign of x does not matter (RFC 7748 6.1 warns of them). */
const SMALL_ORDER = [0n, 1n, FIELD - 1n, ...ORDER_8];

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

/** Whether 32 bytes are a point in its one spelling, and not one of small order. */
export function isStrong(point: Uint8Array): boolean {
  const y = littleEndian(point) & (2n ** 255n - 1n);
  return y < FIELD && !SMALL_ORDER.includes(y);
}

/** Why a JWK is no public key of Ed25519; undefined when it is one. */
export function faultOfPoint({ kty, crv, x }: Json): string | undefined {
  if (kty !== "OKP" || crv !== "Ed25519" || !isText(x) || !X.test(x)) return "key-type-mismatch";
  return isStrong(Buffer.from(x, "base64url")) ? undefined : "key-weak";
}

/** Why a JWK must not be used to verify signatures, whatever its point is; null is absence. */
export function faultOfUse({ alg, use, key_ops: operations }: Json): string | undefined {
  if (!ALGORITHMS.includes(alg ?? ALGORITHMS[0])) return "key-type-mismatch";
  const isForIt = Array.isArray(operations ?? []) && (operations ?? ["verify"]).includes("verify");
  return (use ?? "sig") === "sig" && isForIt ? undefined : "key-use-mismatch";
}

export const ed25519 = (x: string): PublicKey => ({ scheme: "Ed25519", jwk: { kty: "OKP", crv: "Ed25519", x } });

/** The thumbprint of a key (RFC 7638), by which operators pin it. */
export const thumbprintOf = (x: string): string =>
  createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest().toString("base64url");

/** `identity.thumbprint`. */
export function thumbprint({ jwk }: Json): string {
  must(isObject(jwk));
  const fault = faultOfPoint(jwk);
  must(fault === undefined, fault);
  return thumbprintOf(jwk.x);
}
