import assert from "node:assert/strict";
import { test } from "node:test";

import { Browser, FakeHost, page, quiet } from "./fakes.ts";

/** A tab with so many open events. */
async function tabWith(count: number, host = new FakeHost()) {
  host.settles = false;
  for (let i = 1; i <= count; i++) host.present(`e${i}`);
  const browser = new Browser(host);
  const tab = browser.open();
  await browser.clock.pass(100);
  return { host, browser, tab };
}

const batches = (host: FakeHost) =>
  host.requests.filter((one) => one.path === "client").map((one) => (one.body as unknown[]).length);

test("messages go in batches of a hundred", async () => {
  const { host, tab, browser } = await tabWith(250);
  host.isDown = true;
  host.cut();
  await Promise.all(tab.ids().map((id) => tab.client.acknowledge(id)));
  host.isDown = false;
  host.requests = [];
  await browser.clock.pass(60_000);
  assert.deepEqual(batches(host), [100, 100, 50]);
  assert.equal(new Set(host.received.map((one) => one.id)).size, 250);
});

test("what the host has answered is not sent again, whatever the answer is", async () => {
  for (const code of [null, "already-terminal", "stale-lease", "stale-revision", "wrong-user"]) {
    const { host, tab, browser } = await tabWith(1);
    host.codeOf = () => code;
    await tab.client.acknowledge("e1");
    await browser.clock.pass(120_000);
    assert.equal(host.received.length, 1, String(code));
  }
});

test("what waits survives the tab, and is sent by the next one", async () => {
  const { host, tab, browser } = await tabWith(1);
  host.isDown = true;
  host.cut();
  await tab.client.acknowledge("e1");
  tab.kill();
  host.isDown = false;
  const next = browser.open();
  await browser.clock.pass(30_000);
  assert.equal(host.received.length, 1);
  assert.deepEqual(next.ids(), []);
});

test("nothing is sent before the host has said whose stream it is", async () => {
  const { host, tab, browser } = await tabWith(1);
  host.isDown = true;
  host.cut();
  await tab.client.acknowledge("e1");
  host.isDown = false;
  host.user = "noah";
  await browser.clock.pass(60_000);
  assert.deepEqual(host.received, []);
});

test("an answer without results is no answer: the messages are sent again, after a pause", async () => {
  const { host, tab, browser } = await tabWith(1);
  const { fetch } = host;
  let isOdd = true;
  host.fetch = (input, init) =>
    isOdd && String(input).endsWith("/client") ? Promise.resolve(new Response("<html>")) : fetch(input, init);
  await tab.client.acknowledge("e1");
  await browser.clock.pass(10_000);
  assert.deepEqual(host.received, []);
  isOdd = false;
  await browser.clock.pass(60_000);
  assert.equal(host.received.length, 1);
});

test("messages that the host can never take are given up", async () => {
  const { host, tab, browser } = await tabWith(1);
  const { fetch } = host;
  let count = 0;
  host.fetch = (input, init) => {
    if (!String(input).endsWith("/client")) return fetch(input, init);
    count++;
    return Promise.resolve(new Response("", { status: 422 }));
  };
  await tab.client.acknowledge("e1");
  await browser.clock.pass(120_000);
  assert.equal(count, 1);
});

test("a browser that is online again sends at once", async () => {
  const { host, tab, browser } = await tabWith(1);
  host.isDown = true;
  host.cut();
  await tab.client.acknowledge("e1");
  await browser.clock.pass(300_000);
  host.isDown = false;
  page.dispatchEvent(new Event("online"));
  await quiet();
  assert.equal(host.received.length, 1);
});

test("a newer message about an event that is being sent stays", async () => {
  const { host, tab, browser } = await tabWith(1);
  const { fetch } = host;
  let answer = () => {};
  host.fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (String(input).endsWith("/client")) await new Promise<void>((resolve) => (answer = resolve));
    return response;
  };
  await tab.client.display("e1");
  await quiet();
  await tab.client.acknowledge("e1");
  answer();
  await quiet();
  answer();
  await browser.clock.pass(1_000);
  assert.deepEqual(
    host.received.map((one) => one.how),
    ["rendered", "clicked"],
  );
});

test("what is said while the queue is found to be empty is sent all the same", async () => {
  const { host, tab, browser } = await tabWith(2);
  const { transact } = browser.storage!;
  browser.storage!.transact = async (work) => {
    const result = await transact(work);
    if (Array.isArray(result) && !result.length) await quiet(20); // the queue was empty, and this tab learns it late
    return result;
  };
  await tab.client.acknowledge("e1");
  await quiet(10);
  await tab.client.acknowledge("e2");
  await quiet(60);
  assert.equal(host.received.length, 2);
});

test("a message of the chat is sent under an id of its own, and again under the same", async () => {
  const { host, tab } = await tabWith(0);
  const id = await tab.client.send("Hello");
  host.isDown = true;
  await assert.rejects(tab.client.send("Hello", id));
  host.isDown = false;
  assert.equal(await tab.client.send("Hello", id), id);
  const sent = host.requests.filter((one) => one.path === "chat").map((one) => one.body);
  assert.deepEqual(sent, Array(3).fill({ id, text: "Hello" }));
  host.status = 413;
  await assert.rejects(tab.client.send("x".repeat(100_000)));
});
