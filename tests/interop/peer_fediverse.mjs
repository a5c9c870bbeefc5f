// A server of the Fediverse, made with Fedify: Alice lives there. It speaks https on loopback, where names lead to ports
// that it is told. A JSON object a line says what to do, a JSON object a line answers, as for peer.mjs. The libraries
// are looked up from the folder in the first argument.

import { createRequire } from "node:module";
import { createServer, request as ask } from "node:https";
import { serve } from "./lines.mjs";

const require = createRequire(`${process.argv[2]}/package.json`);
const { createFederation, generateCryptoKeyPair, MemoryKvStore } = require("@fedify/fedify");
const vocabulary = require("@fedify/vocab");
const { Temporal } = require("@js-temporal/polyfill");

const HOST = "https://social.example";
const ports = {};
const heard = [];
const statuses = [];
let certificate;
let last; // what was delivered last
let change; // what becomes of the next delivery on its way
let told = () => {}; // called for each that could be verified

const bodyOf = async (stream) => {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

// What fetch does, with names that lead to ports of loopback.
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { hostname, pathname, search, host } = new URL(request.url);
  if (ports[hostname] === undefined) throw new TypeError(`${hostname} is not there`);
  let body = Buffer.from(await request.arrayBuffer());
  const headers = { ...Object.fromEntries(request.headers), host, "content-length": body.length };
  if (request.method === "POST") {
    body = Buffer.from(change === undefined ? body : body.toString().replace(...change));
    change = undefined;
    last = { url: request.url, headers, body };
  }
  const there = { host: "127.0.0.1", port: ports[hostname], servername: hostname, ca: certificate, agent: false };
  return await new Promise((resolve, reject) => {
    const outgoing = ask({ ...there, method: request.method, path: pathname + search, headers }, async (got) => {
      const empty = [204, 304].includes(got.statusCode);
      const found = new Response(empty ? null : await bodyOf(got), { status: got.statusCode, headers: got.headers });
      resolve(Object.defineProperty(found, "url", { value: request.url }));
    });
    outgoing.on("error", reject).end(body);
  });
};

const federation = createFederation({ kv: new MemoryKvStore(), origin: HOST, allowPrivateAddress: true });
let keys;

federation
  .setActorDispatcher("/users/{identifier}", async (context, identifier) => {
    if (identifier !== "alice") return null;
    const [pair, ...others] = await context.getActorKeyPairs(identifier);
    return new vocabulary.Person({
      id: context.getActorUri(identifier),
      preferredUsername: identifier,
      name: "Alice",
      inbox: context.getInboxUri(identifier),
      publicKey: pair.cryptographicKey,
      assertionMethods: [pair, ...others].map((one) => one.multikey),
    });
  })
  .setKeyPairsDispatcher(async () => {
    keys ??= [await generateCryptoKeyPair("RSASSA-PKCS1-v1_5"), await generateCryptoKeyPair("Ed25519")];
    return keys;
  });

// Only what Fedify could verify comes here.
federation.setInboxListeners("/users/{identifier}/inbox", "/inbox").on(vocabulary.Create, async (context, create) => {
  const note = await create.getObject(context);
  const tags = [];
  for await (const tag of note.getTags(context)) tags.push([tag.constructor.name, tag.href?.href, `${tag.name}`]);
  heard.push({
    actor: create.actorId.href,
    note: note.id.href,
    content: `${note.content}`,
    inReplyTo: note.replyTargetId?.href ?? null,
    to: note.toIds.map((url) => url.href),
    tags,
  });
  told();
});

const context = () => federation.createContext(new URL(HOST));

const DOES = {
  // Begins to serve; says where.
  async start({ pem, key }) {
    certificate = pem;
    const server = createServer({ cert: pem, key }, async (incoming, outgoing) => {
      const body = await bodyOf(incoming);
      const { method, url, headers } = incoming;
      const request = new Request(HOST + url, { method, headers, body: method === "POST" ? body : undefined });
      const found = await federation.fetch(request, { contextData: undefined });
      outgoing.writeHead(found.status, Object.fromEntries(found.headers)).end(Buffer.from(await found.arrayBuffer()));
      if (method === "POST") statuses.push(found.status);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (ports["social.example"] = server.address().port);
  },

  // From now on a name leads to a port.
  known({ name, port }) {
    ports[name] = port;
  },

  // Whom an address leads to, by WebFinger and the actor document.
  async find({ address }) {
    const found = await context().lookupObject(address);
    return found && { id: found.id.href, username: `${found.preferredUsername}`, inbox: found.inboxId.href };
  },

  // What is served to everybody under a URL.
  async read({ url }) {
    const found = await context().lookupObject(url);
    return found && { id: found.id.href, author: found.attributionId?.href ?? null, content: `${found.content}` };
  },

  // Alice mentions somebody, in private or before everybody; with `changed`, a text of the delivery is another one when
  // it arrives. Gives the id of her note.
  async mention({ address, text, number, open = false, replyTo = null, changed }) {
    const agent = await context().lookupObject(address);
    const me = context().getActorUri("alice");
    const audience = open ? { to: vocabulary.PUBLIC_COLLECTION, cc: agent.id } : { to: agent.id };
    const note = new vocabulary.Note({
      id: new URL(`${HOST}/notes/${number}`),
      attribution: me,
      ...audience,
      content: `<p><a href="${agent.id.href}" class="u-url mention">@${agent.preferredUsername}</a> ${text}</p>`,
      tags: [new vocabulary.Mention({ href: agent.id, name: address })],
      replyTarget: replyTo && new URL(replyTo),
      published: Temporal.Now.instant(),
    });
    const id = new URL(`${note.id.href}/activity`);
    const create = new vocabulary.Create({ id, actor: me, ...audience, object: note });
    change = changed;
    await context().sendActivity({ identifier: "alice" }, agent, create, { immediate: true });
    return note.id.href;
  },

  // Delivers once more what was delivered last; says what was answered.
  async again() {
    const { url, ...same } = last;
    return (await fetch(url, { method: "POST", ...same })).status;
  },

  // What came and could be verified since the last time, once there are so many or ten seconds have passed; and what the inbox answered.
  async heard({ count }) {
    await new Promise((done) => {
      const limit = setTimeout(done, 10_000);
      told = () => {
        if (heard.length < count) return;
        clearTimeout(limit);
        done();
      };
      told();
    });
    return { activities: heard.splice(0), statuses: statuses.splice(0) };
  },
};

await serve(DOES);
process.exit(0);
