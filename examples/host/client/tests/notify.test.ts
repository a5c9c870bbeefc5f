import assert from "node:assert/strict";
import { test } from "node:test";

import { memoryStorage } from "../src/memory.ts";
import { click, receivePush, renew } from "../src/notify.ts";
import type { Surroundings } from "../src/notify.ts";
import { after } from "../src/timers.ts";
import { Browser, FakeHost, presentation, quiet, settled, URL_OF_HOST } from "./fakes.ts";
import type { Presentation, Settled } from "../src/types.ts";

interface Shown {
  title: string;
  tag: string;
  body?: string;
  silent?: boolean;
  renotify?: boolean;
  close(): void;
}

/** A service worker beside the tabs of a browser. */
function phone(browser = new Browser(new FakeHost(), memoryStorage(true))) {
  let shown: Shown[] = [];
  const log: Shown[] = [];
  const opened: string[] = [];
  const pages: { url: string; focus(): Promise<void> }[] = [];
  const around: Surroundings = {
    host: { url: URL_OF_HOST, fetch: (...request) => browser.host.fetch(...request), after },
    storage: browser.storage!,
    channel: browser.hub.open(),
    registration: {
      async showNotification(title: string, options: NotificationOptions = {}) {
        const one = {
          ...options,
          title,
          tag: options.tag ?? "",
          close: () => void (shown = shown.filter((other) => other !== one)),
        };
        shown = [...shown.filter((other) => other.tag !== one.tag), one];
        log.push(one);
      },
      getNotifications: async ({ tag }: GetNotificationOptions = {}) =>
        shown.filter((one) => tag === undefined || one.tag === tag) as unknown as Notification[],
      pushManager: { subscribe: async () => subscription("new") } as unknown as PushManager,
    },
    clients: { matchAll: async () => pages, openWindow: async (url) => void opened.push(url) },
    page: URL_OF_HOST,
    title: "agents.example",
  };
  const push = (data: Presentation | Settled) => receivePush(JSON.stringify(data), around);
  return {
    browser,
    around,
    push,
    log,
    opened,
    pages,
    tags: () => shown.map((one) => one.tag),
    sounds: () => log.filter((one) => !one.silent).map((one) => one.tag),
  };
}

function subscription(endpoint: string): PushSubscription {
  return { toJSON: () => ({ endpoint, keys: {} }) } as unknown as PushSubscription;
}

test("a push is heard with its words and what the agent did, once however often it comes", async () => {
  const { push, sounds, log } = phone();
  assert.equal(await push(presentation("e1", { actions: ["Deleted 1 file"] })), true);
  assert.equal(await push(presentation("e1", { actions: ["Deleted 1 file"] })), false);
  assert.deepEqual(sounds(), ["e1"]);
  assert.equal(log[0]!.body, "Words of e1.\nDeleted 1 file");
  assert.equal(log[0]!.title, "agents.example");
});

test("new words take the place of the old ones, and are heard", async () => {
  const { push, sounds, tags, log } = phone();
  await push(presentation("e1"));
  await push(presentation("e1", { revision: 2 }));
  assert.deepEqual(sounds(), ["e1", "e1"]);
  assert.ok(log.every((one) => one.renotify)); // else the second would make no sound
  assert.deepEqual(tags(), ["e1"]);
});

test("what a tab has let be heard, the worker does not", async () => {
  const { push, browser, sounds, tags } = phone();
  const tab = browser.open();
  browser.host.present("e1");
  await quiet();
  assert.equal(await push(presentation("e1")), false);
  assert.deepEqual(tab.heard, ["e1/1/1"]);
  assert.deepEqual(sounds(), []);
  assert.deepEqual(tags(), []);
});

test("what the worker has let be heard, a tab displays without a sound, as soon as it comes", async () => {
  const { push, browser, sounds } = phone();
  const tab = browser.open();
  await quiet();
  await push(presentation("e1"));
  await quiet();
  assert.deepEqual(tab.ids(), ["e1"]);
  browser.host.present("e1");
  await quiet();
  assert.deepEqual(tab.heard, []);
  assert.deepEqual(sounds(), ["e1"]);
});

test("where a push and the stream bring an event at the same time, it is heard once", async () => {
  for (let turns = 0; turns < 12; turns++) {
    const { push, browser, sounds } = phone();
    const tab = browser.open();
    await quiet();
    browser.host.present("e1");
    await quiet(turns);
    await push(presentation("e1"));
    await quiet();
    assert.equal(tab.heard.length + sounds().length, 1, `after ${turns} turns`);
    tab.client.close();
  }
});

test("what is settled is taken away without a sound, and stays so where its push comes later", async () => {
  const { push, sounds, tags } = phone();
  await push(presentation("e1"));
  await push(presentation("e2"));
  await push(settled("e1"));
  await push(settled("e3"));
  await push(presentation("e3"));
  assert.deepEqual(sounds(), ["e1", "e2"]);
  assert.deepEqual(tags(), ["e2"]);
});

test("a click acknowledges, and brings the page to the front that is open", async () => {
  const { around, push, browser, pages, opened } = phone();
  let count = 0;
  pages.push(
    { url: "https://agents.example/other", focus: async () => {} },
    { url: `${URL_OF_HOST}#e1`, focus: async () => void count++ },
  );
  browser.host.present("e1");
  await push(presentation("e1"));
  await click("e1", around);
  assert.equal(count, 1);
  assert.deepEqual(opened, []);
  assert.deepEqual(browser.host.received, [{ kind: "displayed", id: "e1", lease: 1, revision: 1, how: "clicked" }]);
});

test("a click opens the page where none is open; what it cannot send waits for the page", async () => {
  const { around, push, browser, opened } = phone();
  browser.host.present("e1");
  await push(presentation("e1"));
  browser.host.isDown = true;
  await click("e1", around);
  assert.deepEqual(opened, [URL_OF_HOST]);
  browser.host.isDown = false;
  const tab = browser.open();
  await browser.clock.pass(1_000);
  assert.equal(browser.host.received.length, 1);
  assert.deepEqual(tab.ids(), []);
});

test("what was cut is not acknowledged by a click: the page shows the rest", async () => {
  const { around, push, browser, opened } = phone();
  await push(presentation("e1", { cut: ["content"] }));
  await click("e1", around);
  assert.deepEqual(browser.host.received, []);
  assert.equal(opened.length, 1);
});

test("a tab that learns that an event is settled tells the notification of the operating system to close", async () => {
  const { around, push, browser, tags } = phone();
  const getRegistration = async () => around.registration;
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker: { getRegistration } }, configurable: true });
  Object.assign(globalThis, { Notification: { permission: "granted" } });
  const tab = browser.open();
  await quiet();
  await push(presentation("e1"));
  await quiet();
  await tab.client.acknowledge("e1");
  await quiet();
  assert.deepEqual(tags(), []);
});

test("a push that is malformed, or of another human, makes no sound", async () => {
  const { around, push, browser, sounds, tags } = phone();
  browser.open();
  await quiet();
  for (const text of ["", "{", "null", '{"event":"presentation","data":{}}', '{"event":"message","data":1}'])
    assert.equal(await receivePush(text, around), false, text);
  assert.equal(await push(presentation("e1", { user_id: "noah" })), false);
  assert.deepEqual(sounds(), []);
  assert.deepEqual(tags(), []);
});

test("a subscription that has ended is renewed at the host", async () => {
  const { around, browser } = phone();
  await renew(null, {} as PushSubscriptionOptionsInit, around);
  await renew(subscription("given"), {} as PushSubscriptionOptionsInit, around);
  const sent = browser.host.requests.map((one) => [one.method, one.path, (one.body as { endpoint: string }).endpoint]);
  assert.deepEqual(sent, [
    ["PUT", "push", "new"],
    ["PUT", "push", "given"],
  ]);
});

test("pushes that come without a tab are listed in their order, behind what the device has read", async () => {
  const { push, browser } = phone();
  browser.host.present("z");
  const first = browser.open();
  await browser.clock.pass(1_000);
  first.kill();
  for (const id of ["e9", "e1", "e5"]) await push(presentation(id));
  browser.host.isDown = true;
  const tab = browser.open();
  await quiet();
  assert.deepEqual(tab.ids(), ["z", "e9", "e1", "e5"]);
});
