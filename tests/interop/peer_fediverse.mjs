// Servers of the Fediverse, made with Fedify: Alice and Bob live on one of them, Mallory on another one. They speak
// https on loopback, where names lead to ports that they are told. A JSON object a line says what to do, a JSON object a
// line answers, as for peer.mjs. The libraries are looked up from the folder in the first argument.

import { createRequire } from "node:module";
import { createServer, request as ask } from "node:https";
import { serve } from "./lines.mjs";

const require = createRequire(`${process.argv[2]}/package.json`);
const { createFederation, generateCryptoKeyPair, MemoryKvStore, parseNodeInfo } = require("@fedify/fedify");
const vocabulary = require("@fedify/vocab");
const { Temporal } = require("@js-temporal/polyfill");

const PEOPLE = { "social.example": ["alice", "bob"], "other.example": ["mallory"] };
const HOME = "social.example";
const ports = {};
const pages = {}; // URL → the status and document that lie there, beside what Fedify serves
const profiles = {}; // id of an actor → more members of its document
const heard = [];
const statuses = [];
let certificate;
let last; // what was delivered last
let lastStatus; // what was answered to it
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
  const isPost = request.method === "POST";
  if (isPost) {
    body = Buffer.from(change === undefined ? body : body.toString().replace(...change));
    change = undefined;
    last = { url: request.url, headers, body };
  }
  const there = { host: "127.0.0.1", port: ports[hostname], servername: hostname, ca: certificate, agent: false };
  return await new Promise((resolve, reject) => {
    const outgoing = ask({ ...there, method: request.method, path: pathname + search, headers }, async (got) => {
      const empty = [204, 304].includes(got.statusCode);
      const found = new Response(empty ? null : await bodyOf(got), { status: got.statusCode, headers: got.headers });
      if (isPost) lastStatus = got.statusCode;
      resolve(Object.defineProperty(found, "url", { value: request.url }));
    });
    outgoing.on("error", reject).end(body);
  });
};

const all = async (items) => {
  const found = [];
  for await (const item of items) found.push(item);
  return found;
};

// What is in an activity, as Fedify reads it.
const read = async (thing, context) => {
  if (thing === null) return null;
  const found = { type: thing.constructor.name, id: thing.id?.href ?? null };
  if (thing instanceof vocabulary.Activity && !(thing instanceof vocabulary.Question)) {
    const object = await thing.getObject({ ...context, suppressError: true, crossOrigin: "trust" });
    const more = { actor: thing.actorId?.href ?? null, objectId: thing.objectId?.href ?? null };
    const [target, result] = [thing.targetId?.href ?? null, thing.resultId?.href ?? null];
    return { ...found, ...more, target, result, object: await read(object, context) };
  }
  if (!(thing instanceof vocabulary.Note || thing instanceof vocabulary.Question)) return found;
  const tags = (await all(thing.getTags(context))).map((tag) => [tag.constructor.name, tag.href?.href, `${tag.name}`]);
  const to = thing.toIds.map((url) => url.href);
  const name = thing.name === null ? null : `${thing.name}`;
  if (thing instanceof vocabulary.Question) {
    found.options = [];
    for await (const option of thing.getExclusiveOptions(context)) {
      found.options.push({ name: `${option.name}`, votes: (await option.getReplies(context)).totalItems });
    }
  }
  return { ...found, name, content: `${thing.content}`, inReplyTo: thing.replyTargetId?.href ?? null, to, tags };
};

const keys = {};
const keysOf = async (id) => {
  keys[id] ??= [await generateCryptoKeyPair("RSASSA-PKCS1-v1_5"), await generateCryptoKeyPair("Ed25519")];
  return keys[id];
};

const federationOf = (host) => {
  const federation = createFederation({ kv: new MemoryKvStore(), origin: `https://${host}`, allowPrivateAddress: true });
  federation
    .setActorDispatcher("/users/{identifier}", async (context, identifier) => {
      if (!PEOPLE[host].includes(identifier)) return null;
      const id = context.getActorUri(identifier);
      const [pair, ...others] = await context.getActorKeyPairs(identifier);
      return new vocabulary.Person({
        id,
        preferredUsername: identifier,
        name: identifier[0].toUpperCase() + identifier.slice(1),
        inbox: context.getInboxUri(identifier),
        publicKey: pair.cryptographicKey,
        assertionMethods: [pair, ...others].map((one) => one.multikey),
        ...profiles[id.href],
      });
    })
    .setKeyPairsDispatcher((context, identifier) => keysOf(context.getActorUri(identifier).href));
  // Only what Fedify could verify comes here.
  federation
    .setInboxListeners("/users/{identifier}/inbox", "/inbox")
    .on(vocabulary.Activity, async (context, activity) => {
      heard.push({ ...(await read(activity, context)), document: await activity.toJsonLd(context) });
      told();
    })
    .onError((_, error) => console.error(error));
  return federation;
};

const federations = Object.fromEntries(Object.keys(PEOPLE).map((host) => [host, federationOf(host)]));
const contextOf = (host) => federations[host].createContext(new URL(`https://${host}`));
const context = () => contextOf(HOME);

// A value of the vocabulary from its members by the names that Fedify gives them: each URL is one, each object too.
const made = (given) => {
  if (typeof given === "string") return given.startsWith("https://") ? new URL(given) : given;
  if (Array.isArray(given)) return given.map(made);
  if (given === null || typeof given !== "object") return given;
  const { type, published, updated, endTime, ...members } = given;
  const times = Object.entries({ published, updated, endTime }).filter(([, time]) => time !== undefined);
  return new vocabulary[type]({
    ...Object.fromEntries(Object.entries(members).map(([name, value]) => [name, made(value)])),
    ...Object.fromEntries(times.map(([name, time]) => [name, Temporal.Instant.from(time)])),
  });
};

const answerTo = async (incoming, body) => {
  const { method, headers } = incoming;
  const url = `https://${headers.host}${incoming.url}`;
  const page = pages[url];
  if (page !== undefined) return new Response(JSON.stringify(page.document), { ...page, headers: JSON_HEADERS });
  const request = new Request(url, { method, headers, body: method === "POST" ? body : undefined });
  return await federations[headers.host].fetch(request, { contextData: undefined });
};

const JSON_HEADERS = { "content-type": "application/activity+json" };

const DOES = {
  // Begins to serve; says where.
  async start({ pem, key }) {
    certificate = pem;
    const server = createServer({ cert: pem, key }, async (incoming, outgoing) => {
      const found = await answerTo(incoming, await bodyOf(incoming));
      outgoing.writeHead(found.status, Object.fromEntries(found.headers)).end(Buffer.from(await found.arrayBuffer()));
      if (incoming.method === "POST") statuses.push(found.status);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    for (const host of Object.keys(PEOPLE)) ports[host] = server.address().port;
    return server.address().port;
  },

  // From now on a name leads to a port.
  known({ name, port }) {
    ports[name] = port;
  },

  // From now on a document lies under a URL; without one, what Fedify serves there.
  page({ url, document, status = 200 }) {
    if (document === undefined) delete pages[url];
    else pages[url] = { status, document };
  },

  // From now on the document of an actor has these members too.
  profile({ id, members }) {
    profiles[id] = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, made(value)]));
  },

  // Whom an address leads to, by WebFinger and the actor document.
  async find({ address }) {
    const found = await context().lookupObject(address);
    return found && { id: found.id.href, username: `${found.preferredUsername}`, inbox: found.inboxId.href };
  },

  // What is served under a URL to everybody, or to an actor who signs.
  async read({ url, by }) {
    const documentLoader = by && (await contextOf(new URL(by).host).getDocumentLoader({ identifier: by.split("/").at(-1) }));
    const found = await context().lookupObject(url, documentLoader ? { documentLoader } : {});
    if (!found) return null;
    return { id: found.id.href, author: found.attributionId?.href ?? null, content: `${found.content}` };
  },

  // What an approval of a quote says.
  async stamp({ url }) {
    const found = await context().lookupObject(url);
    const [quote, quoted] = [found.interactingObjectId.href, found.interactionTargetId.href];
    return { id: found.id.href, author: found.attributionId.href, quote, quoted };
  },

  // Which software a server says it is. Fedify's own fetch wants names that lead to public addresses, so it only reads.
  async nodeinfo({ url }) {
    const { links } = await (await fetch(`${url}/.well-known/nodeinfo`)).json();
    const found = parseNodeInfo(await (await fetch(links[0].href)).json(), { tryBestEffort: false });
    return found && { software: found.software.name, protocols: found.protocols, users: found.usage.users.total };
  },

  // The totalItems of a collection, and the ids of the items that it shows.
  async collection({ url }) {
    const found = await context().lookupObject(url);
    const items = await all(context().traverseCollection(found));
    return { type: found.constructor.name, total: found.totalItems, items: items.map((item) => item.id.href) };
  },

  // Alice mentions somebody, in private or before everybody; with `changed`, a text of the delivery is another one when
  // it arrives. Gives the id of her note.
  async mention({ address, text, number, open = false, replyTo = null, changed }) {
    const agent = await context().lookupObject(address);
    const me = context().getActorUri("alice");
    const audience = open ? { to: vocabulary.PUBLIC_COLLECTION, cc: agent.id } : { to: agent.id };
    const note = new vocabulary.Note({
      id: new URL(`https://${HOME}/notes/${number}`),
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

  // Delivers an activity to an inbox, signed by an actor, who need not be the one that it names: the status.
  async send({ by, inbox, activity }) {
    const [pair] = await keysOf(by);
    const senders = [{ keyId: new URL(`${by}#main-key`), privateKey: pair.privateKey }];
    const sender = activity.actor === by ? { identifier: by.split("/").at(-1) } : senders;
    const recipient = { id: new URL(activity.actor), inboxId: new URL(inbox) };
    lastStatus = undefined;
    try {
      await contextOf(new URL(by).host).sendActivity(sender, recipient, made(activity), { immediate: true });
    } catch (error) {
      if (lastStatus === undefined) throw error; // it was not delivered at all
    }
    return lastStatus;
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
