import assert from "node:assert/strict";
import { test } from "node:test";

import { Browser, FakeHost, presentation, quiet, settled } from "./fakes.ts";

test("what is open comes with the snapshot, and what is new after it, in order", async () => {
  const browser = new Browser();
  browser.host.present("e1");
  const tab = browser.open();
  await quiet();
  browser.host.present("e2");
  await quiet();
  assert.deepEqual(tab.ids(), ["e1", "e2"]);
  assert.deepEqual(tab.heard, ["e1/1/1", "e2/1/1"]);
  assert.equal(tab.client.state.connection, "live");
  assert.equal(tab.client.state.agent, "Helper");
});

test("two tabs that start at once display the same, and one of them lets it be heard", async () => {
  const browser = new Browser();
  const [one, two] = [browser.open(), browser.open()];
  await quiet();
  browser.host.present("e1");
  await quiet();
  assert.deepEqual([one.ids(), two.ids()], [["e1"], ["e1"]]);
  assert.deepEqual([...one.heard, ...two.heard], ["e1/1/1"]);
  assert.equal(browser.host.live.length, 1);
});

test("what is acknowledged in one tab vanishes in the other, and the host hears of it", async () => {
  const browser = new Browser();
  const [one, two] = [browser.open(), browser.open()];
  browser.host.present("e1");
  await quiet();
  await two.client.acknowledge("e1");
  await quiet();
  assert.deepEqual([one.ids(), two.ids()], [[], []]);
  assert.deepEqual([one.gone, two.gone], [["e1:acknowledged"], ["e1:acknowledged"]]);
  assert.deepEqual(browser.host.received, [{ kind: "displayed", id: "e1", lease: 1, revision: 1, how: "clicked" }]);
});

test("a message of the chat reaches every tab", async () => {
  const browser = new Browser();
  const [one, two] = [browser.open(), browser.open()];
  await quiet();
  browser.host.say("message", { id: "m1", role: "agent", text: "Hello" });
  await quiet();
  assert.deepEqual(one.messages, [{ id: "m1", role: "agent", text: "Hello" }]);
  assert.deepEqual(two.messages, one.messages);
});

test("after the connection was cut the stream goes on behind the last place", async () => {
  const browser = new Browser();
  const tab = browser.open();
  browser.host.present("e1");
  await quiet();
  browser.host.cut();
  browser.host.present("e2");
  await browser.clock.pass(1_000);
  assert.deepEqual(tab.heard, ["e1/1/1", "e2/1/1"]);
  assert.equal(browser.host.connections.at(-1)!.after, "1");
});

test("what was acknowledged while the host was away is sent when it is back", async () => {
  const browser = new Browser();
  const tab = browser.open();
  browser.host.present("e1");
  await quiet();
  browser.host.isDown = true;
  browser.host.cut();
  await tab.client.acknowledge("e1");
  await browser.clock.pass(60_000);
  assert.deepEqual(tab.ids(), []);
  assert.deepEqual(browser.host.received, []);
  browser.host.isDown = false;
  await browser.clock.pass(60_000);
  assert.equal(browser.host.received.length, 1);
  assert.deepEqual(tab.heard, ["e1/1/1"]);
});

test("of what happened while a browser was away only what is still open is heard", async () => {
  const browser = new Browser();
  browser.host.present("e1");
  const tab = browser.open();
  await quiet();
  browser.host.isDown = true;
  browser.host.cut();
  for (const id of ["e2", "e3", "e4"]) browser.host.present(id);
  browser.host.say("settled", settled("e2", { how: "seen" }));
  browser.host.present("e3", { revision: 2 });
  browser.host.isDown = false;
  await browser.clock.pass(60_000);
  assert.deepEqual(tab.ids(), ["e1", "e3", "e4"]);
  assert.equal(new Set(tab.heard).size, tab.heard.length);
  for (const key of ["e1/1/1", "e3/2/1", "e4/1/1"]) assert.ok(tab.heard.includes(key));
});

test("what is presented and settled at once is not heard", async () => {
  const browser = new Browser();
  const tab = browser.open();
  await quiet();
  const [{ write }] = browser.host.live as [FakeHost["live"][number]];
  const item = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  write(
    item("presentation", presentation("e1")) +
      item("settled", settled("e1")) +
      item("presentation", presentation("e2")),
  );
  await quiet();
  assert.deepEqual(tab.heard, ["e2/1/1"]);
  assert.deepEqual(tab.ids(), ["e2"]);
});
