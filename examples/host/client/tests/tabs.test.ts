import assert from "node:assert/strict";
import { test } from "node:test";

import { memoryStorage } from "../src/memory.ts";
import type { Storage } from "../src/storage.ts";
import { Browser, FakeHost, page, quiet } from "./fakes.ts";

const leaders = (browser: Browser) => browser.tabs.filter((tab) => tab.client.state.isLeader);

test("the tab that was opened second takes over when the first is closed", async () => {
  const browser = new Browser();
  const [one, two] = [browser.open(), browser.open()];
  await quiet();
  browser.host.present("e1");
  await quiet();
  one.client.close();
  await browser.clock.pass(1_000);
  browser.host.present("e2");
  await quiet();
  assert.ok(two.client.state.isLeader);
  assert.deepEqual(two.heard, ["e2/1/1"]);
  assert.deepEqual(two.ids(), ["e1", "e2"]);
});

test("a tab takes over from one that was killed, and asks for what came behind the last place", async () => {
  const browser = new Browser();
  const [one, two] = [browser.open(), browser.open()];
  browser.host.present("e1");
  await quiet();
  one.kill();
  browser.host.present("e2");
  await browser.clock.pass(1_000);
  assert.deepEqual(two.heard, ["e2/1/1"]);
  assert.equal(browser.host.connections.at(-1)!.after, "1");
});

test("a tab takes over from one that is frozen within 30 s, and that one hears nothing when it thaws", async () => {
  const browser = new Browser();
  const [one, two] = [browser.open(), browser.open()];
  await quiet();
  one.freeze();
  browser.host.present("e1");
  await browser.clock.pass(30_000);
  assert.deepEqual(two.heard, ["e1/1/1"]);
  one.thaw();
  await browser.clock.pass(5_000);
  assert.equal(browser.host.live.length, 1);
  await browser.show();
  assert.deepEqual(one.heard, []);
  assert.deepEqual(leaders(browser), [two]);
  assert.deepEqual(one.ids(), ["e1"]);
});

test("a leader that has lost its place ends its connection", async () => {
  const browser = new Browser();
  const [one] = [browser.open(), browser.open()];
  await quiet();
  one.freeze();
  await browser.clock.pass(30_000);
  one.thaw();
  await quiet();
  assert.equal(browser.host.live.length, 1);
  assert.equal(one.client.state.isLeader, false);
});

test("a client that is closed before it has begun asks nobody, and leaves no timer", async () => {
  const browser = new Browser();
  browser.open().client.close();
  await browser.clock.pass(10_000);
  assert.equal(browser.host.requests.length, 0);
  assert.equal(browser.clock.waiting, 0);
});

test("every tab says how the connection of the leader is", async () => {
  const browser = new Browser();
  const [, two] = [browser.open(), browser.open()];
  await quiet();
  assert.equal(two.client.state.connection, "live");
  browser.host.isDown = true;
  browser.host.cut();
  await browser.clock.pass(2_000);
  assert.notEqual(two.client.state.connection, "live");
  browser.host.isDown = false;
  await browser.clock.pass(30_000);
  assert.equal(two.client.state.connection, "live");
  assert.equal(two.client.state.isLeader, false);
});

test("a leader that answers keeps its place for hours", async () => {
  const browser = new Browser();
  const [one] = [browser.open(), browser.open(), browser.open()];
  for (let i = 0; i < 360; i++) {
    for (const { write } of browser.host.live) write(": alive\n\n");
    await browser.clock.pass(20_000);
  }
  assert.equal(browser.locks.stolen, 0);
  assert.deepEqual(leaders(browser), [one]);
  assert.equal(browser.host.connections.length, 1);
});

test("a tab dies between storing and hearing: the event is silent, and in the list of the next tab", async () => {
  const browser = new Browser();
  const one = browser.open();
  await quiet();
  const { transact } = browser.storage!;
  browser.storage!.transact = async (work) => {
    const result = await transact(work);
    if (browser.host.place === 1) one.kill();
    return result;
  };
  browser.host.present("e1");
  await quiet();
  browser.storage!.transact = transact;
  const two = browser.open();
  await browser.clock.pass(1_000);
  assert.deepEqual([...one.heard, ...two.heard], []);
  assert.deepEqual(two.ids(), ["e1"]);
});

test("a new tab displays what is open before it has spoken with the host", async () => {
  const browser = new Browser();
  const one = browser.open();
  browser.host.present("e1");
  await quiet();
  one.kill();
  browser.host.isDown = true;
  const two = browser.open();
  await quiet();
  assert.deepEqual(two.ids(), ["e1"]);
  assert.deepEqual(two.shown, ["e1/1/1"]);
  assert.deepEqual(two.heard, []);
});

test("where a page may have no locks each tab has a connection, and an event is heard once all the same", async () => {
  const browser = new Browser();
  const locks = { request: () => Promise.reject(new DOMException("no", "SecurityError")) };
  const tabs = [browser.open({ locks }), browser.open({ locks })];
  await browser.clock.pass(5_000);
  for (let i = 1; i <= 5; i++) {
    browser.host.present(`e${i}`);
    await browser.clock.pass(3_000);
  }
  assert.deepEqual(tabs.flatMap((tab) => tab.heard).toSorted(), ["e1/1/1", "e2/1/1", "e3/1/1", "e4/1/1", "e5/1/1"]);
  for (const tab of tabs) assert.equal(tab.ids().length, 5);
});

test("a tab that comes to the front displays nothing anew that it displays already", async () => {
  const browser = new Browser();
  const [one, two] = [browser.open(), browser.open()];
  browser.host.present("e1");
  await quiet();
  const list = two.client.open();
  await browser.show();
  assert.deepEqual([one.shown, two.shown], [["e1/1/1"], ["e1/1/1"]]);
  assert.equal(two.client.open(), list);
});

test("a tab that was told nothing reads what others have stored when it comes to the front", async () => {
  const browser = new Browser();
  const [one, two] = [browser.open(), browser.open()];
  await quiet();
  two.channel.isFrozen = true;
  browser.host.present("e1");
  await quiet();
  assert.deepEqual(two.ids(), []);
  page.dispatchEvent(new Event("pageshow"));
  await quiet();
  assert.deepEqual([one.ids(), two.ids()], [["e1"], ["e1"]]);
  assert.deepEqual(two.heard, []);
});

test("where storage is denied, tabs tell each other, and a new tab gets everything", async () => {
  const browser = new Browser(new FakeHost(), undefined);
  browser.storage = undefined;
  const one = browser.open();
  await quiet();
  browser.host.present("e1");
  await quiet();
  const two = browser.open();
  await quiet();
  assert.deepEqual(two.ids(), ["e1"]);
  assert.equal(two.client.state.isStored, false);
  await two.client.acknowledge("e1");
  await quiet();
  assert.equal(browser.host.received.length, 1);
  one.kill();
  browser.host.present("e2");
  await browser.clock.pass(1_000);
  assert.deepEqual([...one.heard, ...two.heard], ["e1/1/1", "e2/1/1"]);
});

test("a storage that fails while it is used is left for one in memory, and nothing is heard twice", async () => {
  const base = memoryStorage(true);
  let isBroken = false;
  const storage: Storage = {
    ...base,
    transact: (work) =>
      isBroken ? Promise.reject(new DOMException("full", "QuotaExceededError")) : base.transact(work),
  };
  const browser = new Browser(new FakeHost(), storage);
  const tab = browser.open();
  browser.host.present("e1");
  await quiet();
  isBroken = true;
  browser.host.present("e2");
  await quiet();
  browser.host.cut();
  browser.host.forgets = true;
  await browser.clock.pass(2_000);
  await tab.client.acknowledge("e1");
  await quiet();
  assert.equal(tab.client.state.isStored, false);
  assert.deepEqual(tab.heard, ["e1/1/1", "e2/1/1"]);
  assert.deepEqual(tab.ids(), ["e2"]);
  assert.equal(browser.host.received.length, 1);
});

test("where another human signs in, every tab takes off what was there, and begins anew", async () => {
  const host = new FakeHost();
  const browser = new Browser(host);
  const [one, two] = [browser.open(), browser.open()];
  host.present("e1");
  await quiet();
  host.user = "noah";
  host.items = [];
  host.say("presentation", {
    ...host.items,
    id: "n1",
    revision: 1,
    lease: 1,
    surface: "inbox",
    user_id: "noah",
    content: "x",
    replaces: false,
  });
  host.cut();
  await browser.clock.pass(5_000);
  assert.deepEqual([one.ids(), two.ids()], [["n1"], ["n1"]]);
  assert.deepEqual(
    host.connections.map((one) => one.after),
    [null, "1", null],
  );
});

test("a listener that throws does not keep others from hearing", async () => {
  const browser = new Browser();
  const errors: unknown[] = [];
  Object.assign(globalThis, { reportError: (error: unknown) => errors.push(error) });
  const tab = browser.open();
  tab.client.on("presentation", () => {
    throw new Error("mine");
  });
  let count = 0;
  const off = tab.client.on("presentation", () => void count++);
  browser.host.present("e1");
  await quiet();
  off();
  browser.host.present("e2");
  await quiet();
  assert.equal(errors.length, 2);
  assert.equal(count, 1);
  assert.deepEqual(tab.heard, ["e1/1/1", "e2/1/1"]);
});
