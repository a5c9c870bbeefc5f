/**
 * The people of the storm: each has a browser with two tabs of the real client, and a phone with its real worker.
 *
 * Usage: node browsers.ts FOLDER. FOLDER has `people.json`: the server, the port of the push service, the people, a seed.
 * What happens goes to `devices.jsonl` before anything else: a line of JSON each, only ever appended, with the time in
 * milliseconds. `GET /open` says what is open where; after `POST /finish` nobody reloads any more, and everything is
 * acknowledged in the first tab of each browser: the second tab and the phone are to learn of it.
 */

import { appendFileSync, openSync, readFileSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { webcrypto } from "node:crypto";

import { Browser } from "../../client/tests/fakes.ts";
import type { Tab } from "../../client/tests/fakes.ts";
import { memoryStorage } from "../../client/src/memory.ts";
import { click, receivePush } from "../../client/src/notify.ts";
import type { Surroundings } from "../../client/src/notify.ts";

const { subtle } = webcrypto;
const folder = process.argv[2]!;
const { server, port, people, seed } = JSON.parse(readFileSync(`${folder}/people.json`, "utf8"));
const log = openSync(`${folder}/devices.jsonl`, "a");
let isOver = false;
let instances = 0;

let state = seed >>> 0;
/** A random number from 0 up to 1 (mulberry32), so that a seed makes the same choices. */
function random(): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function note(line: object): void {
  writeSync(log, `${JSON.stringify({ at: Math.round(performance.now()), ...line })}\n`);
}

const after = (milliseconds: number, run: () => void) => {
  const timer = setTimeout(run, Math.min(milliseconds, 1000)); // a storm takes minutes: who waits, waits a second
  return () => clearTimeout(timer);
};

async function tokenOf(person: string): Promise<string> {
  for (;;) {
    try {
      const response = await fetch(`${server}/storm/token?person=${encodeURIComponent(person)}`);
      if (response.ok) return (await response.json()).token;
    } catch {}
    await pause(200);
  }
}

class Person {
  readonly person: string;
  readonly url = `${server}/notifications`;
  readonly browser: Browser;
  readonly phone = memoryStorage(true);
  /** What the phone shows: id -> whether it was heard. */
  readonly shown = new Set<string>();
  tabs: Tab[] = [];
  /** Says that a tab ends. */
  ends: (() => void)[] = [];
  token = "";
  phoneToken = "";
  isOffline = false;
  key!: CryptoKeyPair;
  readonly secret = webcrypto.getRandomValues(new Uint8Array(16));
  reloads = 0;

  constructor(person: string) {
    this.person = person;
    const fetchOnline = (...request: Parameters<typeof fetch>) =>
      this.isOffline ? Promise.reject(new TypeError("offline")) : fetch(...request);
    this.browser = new Browser({ fetch: fetchOnline } as any, memoryStorage(true));
    this.browser.clock = { after } as any;
  }

  async begin(path: string): Promise<void> {
    [this.token, this.phoneToken] = [await tokenOf(this.person), await tokenOf(this.person)];
    this.key = (await subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"])) as CryptoKeyPair;
    const point = Buffer.from(await subtle.exportKey("raw", this.key.publicKey)).toString("base64url");
    const keys = { p256dh: point, auth: Buffer.from(this.secret).toString("base64url") };
    const body = JSON.stringify({ endpoint: `https://push.example${path}`, keys, device: `phone of ${this.person}` });
    const headers = { Authorization: `Bearer ${this.phoneToken}`, "Content-Type": "application/json" };
    for (;;) {
      const response = await fetch(`${this.url}/push`, { method: "PUT", headers, body }).catch(() => null);
      if (response?.ok) break;
      await pause(200);
    }
    this.open(0);
    this.open(1);
  }

  open(number: number): void {
    const tab = this.browser.open({ url: this.url, token: () => this.token });
    const own = { person: this.person, device: "browser", tab: ++instances };
    note({ ...own, did: "open" });
    const event = (did: string, { id, revision, lease, content }: any, how?: string | null) =>
      note({ ...own, did, id, revision, lease, content, how });
    tab.client.on("presentation", (one) => {
      event("display", one);
      void this.look(tab, one.id);
    });
    tab.client.on("heard", (one) => event("hear", one));
    tab.client.on("settled", (one) => event("settle", one.presentation ?? one, one.how));
    this.tabs[number] = tab;
    this.ends[number] = () => note({ ...own, did: "end" });
  }

  /** The human looks at an event, by and by, in one of the tabs. */
  async look(tab: Tab, id: string): Promise<void> {
    await pause(random() * 8000);
    if (isOver || !this.tabs.includes(tab) || random() < 0.3) return;
    await (random() < 0.5 ? tab.client.display(id) : tab.client.acknowledge(id)).catch(() => {});
  }

  /** A tab is reloaded in the middle of whatever it does. */
  reload(): void {
    const number = random() < 0.5 ? 0 : 1;
    this.ends[number]!();
    if (random() < 0.7) this.tabs[number]!.kill();
    else this.tabs[number]!.client.close();
    this.reloads++;
    this.open(number);
  }

  /** What its worker has around it, while it takes `item`. */
  around(item?: any): Surroundings {
    const show = async (_name: string, { body, tag, silent }: any) => {
      if (body === undefined) return;
      const { id, revision, lease, content } = item;
      note({ person: this.person, device: "phone", did: silent ? "show" : "hear", id, revision, lease, content });
      this.shown.add(tag);
    };
    const listed = async ({ tag }: any = {}) =>
      [...this.shown].filter((one) => tag === undefined || one === tag).map((one) => ({
        tag: one,
        close: () => {
          this.shown.delete(one);
          note({ person: this.person, device: "phone", did: "close", id: one });
        },
      }));
    return {
      host: { url: this.url, token: () => this.phoneToken, fetch, after } as any,
      storage: this.phone,
      channel: undefined,
      registration: { showNotification: show, getNotifications: listed } as any,
      clients: { matchAll: async () => [], openWindow: async () => null },
      page: this.url,
      title: "agents.example",
    };
  }

  /** A push has come to the phone. */
  async push(text: string): Promise<void> {
    const item = JSON.parse(text);
    const { kind, id, revision, lease } = item;
    const isHeard = await receivePush(text, this.around(item));
    if (kind === "settled") note({ person: this.person, device: "phone", did: "settle", id, revision, lease });
    if (isHeard && random() < 0.4) void pause(random() * 4000).then(() => this.click(item));
  }

  async click({ id, revision, lease }: any): Promise<void> {
    if (isOver || !this.shown.delete(id)) return;
    note({ person: this.person, device: "phone", did: "click", id, revision, lease });
    await click(id, this.around()).catch(() => {});
  }

  async decrypt(body: Buffer): Promise<string> {
    const [salt, length] = [body.subarray(0, 16), body[20]!];
    const [other, sealed] = [body.subarray(21, 21 + length), body.subarray(21 + length)];
    const sender = await subtle.importKey("raw", other, { name: "ECDH", namedCurve: "P-256" }, true, []);
    const shared = await subtle.deriveBits({ name: "ECDH", public: sender }, this.key.privateKey, 256);
    const own = Buffer.from(await subtle.exportKey("raw", this.key.publicKey));
    const bits = async (from: ArrayBuffer, by: Uint8Array, info: Buffer, size: number) =>
      subtle.deriveBits(
        { name: "HKDF", hash: "SHA-256", salt: by, info },
        await subtle.importKey("raw", from, "HKDF", false, ["deriveBits"]),
        size * 8,
      );
    const start = Buffer.concat([Buffer.from("WebPush: info\0"), own, other]);
    const secret = await bits(shared, this.secret, start, 32);
    const key = await bits(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
    const iv = await bits(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
    const aes = await subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
    const padded = Buffer.from(await subtle.decrypt({ name: "AES-GCM", iv }, aes, sealed));
    return padded.subarray(0, padded.lastIndexOf(2)).toString();
  }
}

const everybody = new Map<string, Person>(people.map((one: string, at: number) => [`/send/${at}`, new Person(one)]));

/** Reloads and breaks, here and there, for as long as the storm lasts. */
async function trouble(): Promise<void> {
  const all = [...everybody.values()];
  while (!isOver) {
    await pause(4000 / all.length);
    const one = all[Math.floor(random() * all.length)]!;
    if (one.tabs.length < 2) continue;
    if (random() < 0.6) one.reload();
    else {
      one.isOffline = true;
      void pause(random() * (random() < 0.3 ? 15_000 : 3_000)).then(() => (one.isOffline = false));
      note({ person: one.person, device: "browser", did: "offline" });
    }
  }
}

/** What is open, and where. */
function openNow(): object {
  const open = { tabs: 0, phones: 0, reloads: 0 };
  for (const one of everybody.values()) {
    open.tabs += one.tabs.reduce((count, tab) => count + tab.client.open().length, 0);
    open.phones += one.shown.size;
    open.reloads += one.reloads;
  }
  return open;
}

async function finish(): Promise<void> {
  isOver = true;
  for (;;) {
    for (const one of everybody.values()) {
      one.isOffline = false;
      const { client } = one.tabs[0]!;
      for (const { id } of client.open()) void client.acknowledge(id).catch(() => {});
    }
    await pause(1000);
  }
}

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return; // the host was killed in the middle of a push
  }
  const body = Buffer.concat(chunks);
  const person = everybody.get(request.url!);
  if (request.url === "/open") return void response.end(JSON.stringify(openNow()));
  if (request.url === "/finish") {
    void finish();
    return void response.end("{}");
  }
  if (!person) return void response.writeHead(404).end();
  if (!isOver && random() < 0.05) return void response.writeHead(503).end();
  try {
    await person.push(await person.decrypt(body));
    response.writeHead(random() < 0.03 && !isOver ? 500 : 201).end(); // taken, and not said so
  } catch (error) {
    appendFileSync(`${folder}/faults.txt`, `${person.person}: ${error}\n`);
    response.writeHead(201).end();
  }
}).listen(port, "127.0.0.1", async () => {
  await Promise.all([...everybody].map(([path, one]) => one.begin(path)));
  console.log("ready");
  await trouble();
});
