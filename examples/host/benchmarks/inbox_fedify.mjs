// An inbox made with Fedify, which does what the host does with a mention: it verifies the signature, stores the message
// and what is to be answered in SQLite, committed to the disk, and then says 202. The libraries are looked up from the
// folder in the first argument, the port of the server with the actors is the second one, the folder of the database the
// third. The port that it listens at is the first line that it prints.

import { createRequire } from "node:module";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

const require = createRequire(`${process.argv[2]}/package.json`);
const { createFederation, generateCryptoKeyPair, MemoryKvStore } = require("@fedify/fedify");
const vocabulary = require("@fedify/vocab");
const [peers, folder] = [Number(process.argv[3]), process.argv[4]];

const database = new DatabaseSync(`${folder}/fedify.db`);
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE messages (id TEXT PRIMARY KEY, actor TEXT, content TEXT, document TEXT, received REAL);
  CREATE TABLE jobs (number INTEGER PRIMARY KEY, key TEXT UNIQUE, payload TEXT, due REAL);
`);
const putMessage = database.prepare("INSERT OR IGNORE INTO messages VALUES (?, ?, ?, ?, ?)");
const putJob = database.prepare("INSERT OR IGNORE INTO jobs (key, payload, due) VALUES (?, ?, ?)");

// What fetch does, with names that lead to the server with the actors.
const plain = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, search, host } = new URL(request.url);
  const got = await plain(`http://127.0.0.1:${peers}${pathname}${search}`, { headers: { "x-host": host } });
  const found = new Response(await got.arrayBuffer(), { status: got.status, headers: got.headers });
  return Object.defineProperty(found, "url", { value: request.url });
};

const keys = [await generateCryptoKeyPair("RSASSA-PKCS1-v1_5")];
const federation = createFederation({
  kv: new MemoryKvStore(),
  origin: "https://agents.example",
  allowPrivateAddress: true,
});
federation
  .setActorDispatcher("/actors/{identifier}", async (context, identifier) => {
    const [pair] = await context.getActorKeyPairs(identifier);
    return new vocabulary.Person({
      id: context.getActorUri(identifier),
      preferredUsername: identifier,
      inbox: context.getInboxUri(identifier),
      publicKey: pair.cryptographicKey,
    });
  })
  .setKeyPairsDispatcher(() => keys);
federation
  .setInboxListeners("/actors/{identifier}/inbox", "/inbox")
  .on(vocabulary.Create, async (context, activity) => {
    const note = await activity.getObject(context);
    if (!(note instanceof vocabulary.Note)) return;
    const [now, id] = [Date.now() / 1000, note.id.href];
    const document = JSON.stringify(await activity.toJsonLd(context));
    database.exec("BEGIN IMMEDIATE");
    putMessage.run(id, activity.actorId.href, `${note.content}`, document, now);
    putJob.run(`answer ${id}`, id, now);
    database.exec("COMMIT");
  })
  .onError((_, error) => console.error(error));

const server = createServer(async (incoming, outgoing) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method, headers } = incoming;
  const body = method === "POST" ? Buffer.concat(chunks) : undefined;
  const request = new Request(`https://${headers.host}${incoming.url}`, { method, headers, body });
  const got = await federation.fetch(request, { contextData: undefined });
  outgoing.writeHead(got.status, Object.fromEntries(got.headers)).end(Buffer.from(await got.arrayBuffer()));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
