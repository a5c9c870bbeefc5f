// Does with Node's libraries what it is asked to: a JSON object a line comes in, a JSON object a line goes out.
// The libraries are looked up from the folder in the first argument. Nothing is fetched: documents come along.

import { createRequire } from "node:module";

import { does as a2a } from "./peer_a2a.mjs";
import { does as ai } from "./peer_ai.mjs";
import { does as canonical } from "./peer_canonical.mjs";
import { does as events } from "./peer_events.mjs";
import { does as mail } from "./peer_mail.mjs";
import { does as notes } from "./peer_notes.mjs";
import { serve } from "./lines.mjs";

const require = createRequire(`${process.argv[2]}/package.json`);

const PROOF_CONTEXT = "https://w3id.org/security/data-integrity/v1";

const pkcs8 = (pem) => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64");

const ALGORITHMS = { rsa: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, ed25519: { name: "Ed25519" } };

const importKey = ({ pem, kind }) => crypto.subtle.importKey("pkcs8", pkcs8(pem), ALGORITHMS[kind], true, ["sign"]);

const instant = (text) => require("@js-temporal/polyfill").Temporal.Instant.from(text);

function loaders(documents = {}) {
  const { preloadedContexts } = require("@fedify/vocab-runtime");
  const loader = (known) => async (url) => {
    const document = known[url] ?? known[url.split("#")[0]];
    if (document === undefined) throw new Error(`nobody answers for ${url}`);
    return { contextUrl: null, documentUrl: url, document };
  };
  return { contextLoader: loader(preloadedContexts), documentLoader: loader({ ...preloadedContexts, ...documents }) };
}

const fetchRequest = ({ method, url, headers, body }) =>
  new Request(url, { method, headers, body: method === "GET" ? undefined : body });

const txtResolver = (records) => async (name, type) => {
  const found = type === "TXT" ? records[name] : undefined;
  if (found === undefined) throw Object.assign(new Error(`nothing under ${name}`), { code: "ENOTFOUND" });
  return found.map((record) => [record]);
};

const DOES = {
  ...a2a(require),
  ...ai(require),
  ...canonical(require),
  ...events(require),
  ...mail(require),
  ...notes(require, loaders),

  versions: ({ packages }) => packages.map((name) => require(`${process.argv[2]}/node_modules/${name}/package.json`).version),

  async "fedify.sign_request"({ request, key, now, spec }) {
    const { signRequest } = require("@fedify/fedify/sig");
    const options = { currentTime: instant(now), spec };
    const signed = await signRequest(fetchRequest(request), await importKey(key), new URL(key.id), options);
    return { ...request, headers: Object.fromEntries(signed.headers), body: await signed.text() };
  },

  async "fedify.verify_request"({ request, now, spec, documents }) {
    const { verifyRequest } = require("@fedify/fedify/sig");
    const found = await verifyRequest(fetchRequest(request), { ...loaders(documents), currentTime: instant(now), spec });
    return found?.id?.href ?? null;
  },

  async "fedify.sign_object"({ document, key, now, format }) {
    const { signObject } = require("@fedify/fedify/sig");
    const { Activity } = require("@fedify/vocab");
    const loading = loaders({ [document.actor]: document.actor });
    const activity = await Activity.fromJsonLd(document, loading);
    const options = { ...loading, created: instant(now) };
    const signed = await signObject(activity, await importKey(key), new URL(key.id), options);
    return await signed.toJsonLd({ ...loading, format });
  },

  async "fedify.create_proof"({ document, key, now }) {
    const { createProof } = require("@fedify/fedify/sig");
    const { Activity } = require("@fedify/vocab");
    const loading = loaders();
    const activity = await Activity.fromJsonLd(document, loading);
    const created = instant(now);
    const proof = await createProof(activity, await importKey(key), new URL(key.id), { ...loading, created });
    const { "@context": context, ...members } = await proof.toJsonLd({ ...loading, format: "compact" });
    const written = await activity.toJsonLd({ ...loading, format: "compact" });
    return { ...written, proof: { "@context": written["@context"], ...members } };
  },

  async "fedify.verify_object"({ document, documents }) {
    const { verifyObject } = require("@fedify/fedify/sig");
    const { Activity } = require("@fedify/vocab");
    const found = await verifyObject(Activity, document, loaders(documents));
    return found === null ? null : found.id.href;
  },

  async "fedify.verify_proof"({ document, documents }) {
    const { verifyProof } = require("@fedify/fedify/sig");
    const { DataIntegrityProof } = require("@fedify/vocab");
    const loading = loaders(documents);
    const proof = await DataIntegrityProof.fromJsonLd({ ...document.proof, "@context": PROOF_CONTEXT }, loading);
    const found = await verifyProof(document, proof, loading);
    return found?.id?.href ?? null;
  },

  "peertube.sign_request"({ request, key, now, covered }) {
    const { sign } = require("@peertube/http-signature");
    const { pathname, search, host } = new URL(request.url);
    const headers = { ...request.headers, host, date: new Date(now).toUTCString() };
    const outgoing = {
      method: request.method,
      path: pathname + search,
      getHeader: (name) => headers[name.toLowerCase()],
      setHeader: (name, value) => (headers[name.toLowerCase()] = value),
    };
    const options = { authorizationHeaderName: "Signature", algorithm: "rsa-sha256", headers: covered };
    sign(outgoing, { ...options, key: key.pem, keyId: key.id });
    return { ...request, headers };
  },

  "peertube.verify_request"({ request, publicPem, maxSeconds }) {
    const { parse, verify } = require("@peertube/http-signature");
    const { pathname, search } = new URL(request.url);
    const incoming = { method: request.method, url: pathname + search, headers: request.headers, httpVersion: "1.1" };
    const parsed = parse(incoming, { authorizationHeaderName: "signature", clockSkew: maxSeconds });
    return verify(parsed, publicPem) ? parsed.keyId : null;
  },

  async "mailauth.sign"({ message, pem, domain, selector, algorithm, canonicalization, now, expires }) {
    const { dkimSign } = require("mailauth/lib/dkim/sign");
    const signatureData = [{ signingDomain: domain, selector, privateKey: pem }];
    const times = { signTime: new Date(now), ...(expires ? { expires: new Date(expires) } : {}) };
    const options = { algorithm, canonicalization, strict: true, signatureData, ...times };
    const { signatures, errors } = await dkimSign(Buffer.from(message, "base64"), options);
    if (errors?.length) throw errors[0].err;
    return Buffer.concat([Buffer.from(signatures), Buffer.from(message, "base64")]).toString("base64");
  },

  async "mailauth.verify"({ message, records, now }) {
    const { dkimVerify } = require("mailauth/lib/dkim/verify");
    const options = { resolver: txtResolver(records), curTime: new Date(now), strict: true };
    const { results } = await dkimVerify(Buffer.from(message, "base64"), options);
    return results.map(({ status, signingDomain }) => [status.result, signingDomain ?? null]);
  },

  async "mailauth.seal"({ message, pem, domain, selector, results, cv }) {
    const { sealMessage } = require("mailauth/lib/arc");
    const seal = { signingDomain: domain, selector, privateKey: pem, algorithm: "rsa-sha256", cv };
    const authResults = `${domain}; ${results}`;
    const fields = await sealMessage(Buffer.from(message, "base64"), { ...seal, authResults });
    return Buffer.concat([Buffer.from(fields), Buffer.from(message, "base64")]).toString("base64");
  },

  async "mailauth.chain"({ message, records, now }) {
    const { dkimVerify } = require("mailauth/lib/dkim/verify");
    const { arc } = require("mailauth/lib/arc");
    const options = { resolver: txtResolver(records), curTime: new Date(now), strict: true };
    const found = await dkimVerify(Buffer.from(message, "base64"), options);
    return (await arc(found.arc, options)).status.result;
  },

  async "jose.token"({ pem, alg, header, claims }) {
    const { SignJWT, importPKCS8, exportJWK } = require("jose");
    const { createPublicKey } = require("node:crypto");
    const key = await importPKCS8(pem, alg);
    const token = await new SignJWT(claims).setProtectedHeader({ ...header, alg }).sign(key);
    const jwk = await exportJWK(createPublicKey(pem));
    return { token, jwks: { keys: [{ ...jwk, kid: header.kid, alg, use: "sig" }] } };
  },

  async "jose.thumbprint"({ jwk }) {
    return await require("jose").calculateJwkThumbprint(jwk);
  },
};

await serve(DOES);
