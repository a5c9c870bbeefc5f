declare class Buffer extends Uint8Array {
  static from(text: string, encoding?: string): Buffer;
  static from(data: ArrayLike<number>): Buffer;
  static alloc(size: number): Buffer;
  static byteLength(text: string, encoding?: string): number;
  static compare(one: Uint8Array, other: Uint8Array): number;
  static concat(parts: Uint8Array[]): Buffer;
  subarray(start?: number, end?: number): Buffer;
  toString(encoding?: string, start?: number, end?: number): string;
  writeBigUInt64BE(value: bigint): number;
}
declare function structuredClone<T>(value: T): T;
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class TextDecoder {
  constructor(encoding: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(data: Uint8Array): string;
}
declare class URL {
  constructor(text: string);
  hostname: string;
  static canParse(text: string): boolean;
}
interface CryptoKey {
  readonly type: string;
}
interface SubtleCrypto {
  importKey(form: "jwk", key: object, algorithm: object, extractable: boolean, uses: string[]): Promise<CryptoKey>;
  importKey(form: string, key: Uint8Array, algorithm: object, extractable: boolean, uses: string[]): Promise<CryptoKey>;
  verify(algorithm: object, key: CryptoKey, signature: Uint8Array, data: Uint8Array): Promise<boolean>;
  sign(algorithm: object, key: CryptoKey, data: Uint8Array): Promise<ArrayBuffer>;
}
declare const crypto: { readonly subtle: SubtleCrypto };
declare module "node:crypto" {
  interface Hash {
    update(data: string | Uint8Array, encoding?: string): Hash;
    digest(encoding: "hex"): string;
    digest(): Buffer;
  }
  export function createHash(name: string): Hash;
}
declare module "node:net" {
  export function isIPv6(text: string): boolean;
}
declare module "node:url" {
  export function domainToASCII(text: string): string;
  export function domainToUnicode(text: string): string;
}
