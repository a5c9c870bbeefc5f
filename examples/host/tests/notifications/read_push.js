// Reads a message of Web Push with the cryptography of a browser: the key, the secret and the body come as JSON.
const [key, auth, body] = JSON.parse(process.argv[2])
  .map((one) => (typeof one === 'string' ? Buffer.from(one, 'base64url') : one));
const subtle = crypto.subtle, curve = { name: 'ECDH', namedCurve: 'P-256' };
const bits = async (ikm, salt, info, length) => subtle.deriveBits(
  { name: 'HKDF', hash: 'SHA-256', salt, info }, await subtle.importKey('raw', ikm, 'HKDF', false, ['deriveBits']), length * 8);
(async () => {
  const own = await subtle.importKey('jwk', key, curve, true, ['deriveBits']);
  const public_ = Buffer.concat([Buffer.from([4]), Buffer.from(key.x, 'base64url'), Buffer.from(key.y, 'base64url')]);
  const salt = body.subarray(0, 16), length = body[20], other = body.subarray(21, 21 + length);
  const sender = await subtle.importKey('raw', other, curve, true, []);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: sender }, own, 256);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), public_, other]);
  const ikm = await bits(shared, auth, info, 32);
  const contentKey = await bits(ikm, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const iv = await bits(ikm, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const aes = await subtle.importKey('raw', contentKey, 'AES-GCM', false, ['decrypt']);
  const padded = Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv }, aes, body.subarray(21 + length)));
  process.stdout.write(padded.subarray(0, padded.lastIndexOf(2)));
})();
