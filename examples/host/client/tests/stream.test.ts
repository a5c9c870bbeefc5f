import assert from "node:assert/strict";
import { test } from "node:test";

import { MAX_EVENT } from "../src/sse.ts";
import { Browser, FakeHost, presentation, quiet, URL_OF_HOST } from "./fakes.ts";

const line = (event: string, data: string) => `event: ${event}\ndata: ${data}\n\n`;

test("what is malformed is passed over, and the state says so", async () => {
  const browser = new Browser();
  const tab = browser.open();
  await quiet();
  const [{ write }] = browser.host.live as [FakeHost["live"][number]];
  write(line("presentation", "{"));
  write(line("presentation", '{"id":"e1"}'));
  write(line("snapshot", "[]"));
  write(`data: ${"x".repeat(MAX_EVENT + 1)}\n\n`);
  browser.host.present("e1");
  await quiet();
  assert.equal(tab.client.state.malformed, 4);
  assert.deepEqual(tab.ids(), ["e1"]);
  assert.equal(browser.host.connections.length, 1);
});

test("a connection on which nothing comes is given up after 45 s, and not before", async () => {
  const browser = new Browser();
  const tab = browser.open();
  await browser.clock.pass(40_000);
  browser.host.live[0]!.write(": alive\n\n");
  await browser.clock.pass(40_000);
  assert.equal(browser.host.connections.length, 1);
  await browser.clock.pass(10_000);
  assert.equal(browser.host.connections.length, 2);
  assert.equal(tab.client.state.connection, "live");
});

test("a host that is down is asked less and less often, but at least each 30 s", async () => {
  const browser = new Browser();
  browser.host.isDown = true;
  const tab = browser.open();
  await browser.clock.pass(600_000);
  const count = browser.host.requests.length;
  assert.ok(count > 18 && count < 60, `${count} requests`);
  assert.equal(tab.client.state.connection, "waiting");
  browser.host.isDown = false;
  await browser.clock.pass(30_000);
  assert.equal(tab.client.state.connection, "live");
});

test("after a connection that was live the first try comes within half a second again", async () => {
  const browser = new Browser();
  browser.host.isDown = true;
  browser.open();
  await browser.clock.pass(300_000);
  browser.host.isDown = false;
  await browser.clock.pass(30_000);
  const count = browser.host.connections.length;
  browser.host.cut();
  await browser.clock.pass(500);
  assert.equal(browser.host.connections.length, count + 1);
});

test("where the host knows no such human, the state says so, and the client goes on asking", async () => {
  const browser = new Browser();
  browser.host.status = 401;
  const tab = browser.open();
  await quiet();
  assert.equal(tab.client.state.connection, "refused");
  browser.host.status = 200;
  await browser.clock.pass(30_000);
  assert.equal(tab.client.state.connection, "live");
});

test("a host that asks to wait is waited for, within a bound", async () => {
  for (const [header, atLeast, atMost] of [
    ["60", 60_000, 61_000],
    ["999999", 300_000, 301_000],
    ["x", 0, 1_000],
    ["-5", 0, 1_000],
  ] as const) {
    const browser = new Browser();
    let count = 0;
    const fetch = async () => {
      count++;
      return new Response("", { status: 503, headers: { "Retry-After": header } });
    };
    const tab = browser.open({ fetch });
    await browser.clock.pass(Math.max(0, atLeast - 1));
    if (atLeast) assert.equal(count, 1, header);
    await browser.clock.pass(atMost - atLeast);
    assert.equal(count > 1, true, header);
    tab.client.close();
  }
});

test("an answer that is no stream is no connection", async () => {
  const browser = new Browser();
  const tab = browser.open({ fetch: async () => new Response("<html>", { headers: { "Content-Type": "text/html" } }) });
  await quiet();
  assert.equal(tab.client.state.connection, "waiting");
  tab.client.close();
});

test("with a token no cookie is sent, and each request gets a new one", async () => {
  const browser = new Browser();
  let count = 0;
  const inits: RequestInit[] = [];
  const tab = browser.open({
    token: async () => `t${++count}`,
    fetch: (input, init = {}) => {
      inits.push(init);
      return browser.host.fetch(input, init);
    },
  });
  await quiet();
  browser.host.cut();
  await browser.clock.pass(1_000);
  assert.deepEqual(
    browser.host.requests.map((one) => one.headers.get("Authorization")),
    ["Bearer t1", "Bearer t2"],
  );
  assert.deepEqual(
    inits.map((one) => one.credentials),
    ["omit", "omit"],
  );
  tab.client.close();
});

test("a token that cannot be had is tried again", async () => {
  const browser = new Browser();
  let isThere = false;
  const tab = browser.open({ token: () => (isThere ? "t" : Promise.reject(new Error("no"))) });
  await quiet();
  assert.equal(tab.client.state.connection, "waiting");
  isThere = true;
  await browser.clock.pass(30_000);
  assert.equal(tab.client.state.connection, "live");
});

test("a client that is closed ends its connection, and leaves no timer", async () => {
  const browser = new Browser();
  const tab = browser.open();
  await quiet();
  tab.client.close();
  await quiet();
  assert.equal(browser.host.live.length, 0);
  assert.equal(browser.clock.waiting, 0);
  assert.equal(tab.client.state.connection, "closed");
});

/** A WebSocket whose other end is the test. */
class FakeSocket {
  static all: FakeSocket[] = [];
  url: string;
  protocols: string[];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  isOpen = true;

  constructor(url: string, protocols: string[]) {
    this.url = url;
    this.protocols = protocols;
    FakeSocket.all.push(this);
    queueMicrotask(() => this.onopen?.());
  }

  close(): void {
    this.isOpen = false;
  }

  say(event: string, data: unknown, place?: number): void {
    this.onmessage?.({ data: JSON.stringify({ place, event, data }) });
  }
}

const socketOptions = () => {
  FakeSocket.all = [];
  return { transport: "websocket", WebSocket: FakeSocket as unknown as typeof WebSocket } as const;
};

test("by WebSocket the same comes, in order, and goes on behind the last place", async () => {
  const browser = new Browser();
  const tab = browser.open({ ...socketOptions(), token: "secret" });
  await quiet();
  const [socket] = FakeSocket.all as [FakeSocket];
  assert.equal(socket.url, `${URL_OF_HOST.replace("https", "wss")}/socket`);
  assert.deepEqual(socket.protocols, ["mentionable.notifications", "bearer.secret"]);
  socket.say("ready", { user_id: "olivia" });
  for (const i of [1, 2, 3]) socket.say("presentation", presentation(`e${i}`), i);
  await quiet();
  assert.deepEqual(tab.heard, ["e1/1/1", "e2/1/1", "e3/1/1"]);
  await tab.client.acknowledge("e1");
  await quiet();
  assert.equal(browser.host.received.length, 1);
  socket.onclose!();
  await browser.clock.pass(1_000);
  assert.equal(FakeSocket.all.at(-1)!.url.split("?")[1], "after=3");
  tab.client.close();
  await quiet();
  assert.ok(FakeSocket.all.every((one) => !one.isOpen));
});

test("a frame that is malformed, too long or not text is passed over", async () => {
  const browser = new Browser();
  const tab = browser.open(socketOptions());
  await quiet();
  const [socket] = FakeSocket.all as [FakeSocket];
  for (const data of ["{", "[]", "null", new ArrayBuffer(8), `{"event":"message","data":"${"x".repeat(MAX_EVENT)}"}`])
    socket.onmessage!({ data });
  socket.say("presentation", presentation("e1"), 1);
  await quiet();
  assert.equal(tab.client.state.malformed, 5);
  assert.deepEqual(tab.ids(), ["e1"]);
  tab.client.close();
});

test("a socket that brings more than can be taken is closed, and what was not taken is asked for again", async () => {
  const browser = new Browser();
  browser.delay = () => 5;
  const tab = browser.open(socketOptions());
  await quiet(60);
  const [socket] = FakeSocket.all as [FakeSocket];
  for (let i = 1; i <= 2_500; i++) socket.say("presentation", presentation(`e${i}`), i);
  await browser.clock.pass(1_000);
  assert.equal(socket.isOpen, false);
  const after = Number(FakeSocket.all.at(-1)!.url.split("after=")[1]);
  assert.ok(after >= 1 && after < 2_500, `${after}`);
  tab.client.close();
});

test("a socket that brings more characters than may wait is closed", async () => {
  const browser = new Browser();
  browser.delay = () => 5;
  const tab = browser.open(socketOptions());
  await quiet(60);
  const [socket] = FakeSocket.all as [FakeSocket];
  for (let i = 1; i <= 12; i++) socket.say("message", "x".repeat(1_000_000), i);
  await quiet();
  assert.equal(socket.isOpen, false);
  tab.client.close();
});
