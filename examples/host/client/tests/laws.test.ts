/** What holds of the tabs of a browser whatever happens to them, in interleavings that a seed chooses. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { memoryStorage } from "../src/memory.ts";
import { Browser, FakeHost, keyOf, quiet, settled } from "./fakes.ts";

const SEEDS = Number(process.env.SEEDS ?? 60);
const STEPS = 60;

/** A small generator of numbers (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

/** One browser in which anything happens; then everything is well again. */
async function story(seed: number, { isShared = true, freezes = true } = {}) {
  const random = randomOf(seed);
  const host = new FakeHost();
  const browser = new Browser(host, isShared ? memoryStorage(true) : undefined);
  const heard: string[] = [];
  const answered = new Set<string>();
  let count = 0;
  let kills = 0;
  browser.delay = () => random(3);
  browser.hub.pick = random;

  function open(): void {
    const tab = browser.open();
    tab.client.on("heard", (one) => heard.push(keyOf(one)));
  }
  const one = <T>(list: T[]): T | undefined => list[random(list.length)];
  const openNow = () => host.open();

  const actions: (() => unknown)[] = [
    () => void host.present(`e${++count}`),
    () => void host.present(`e${++count}`),
    () => {
      const old = one(openNow());
      if (old) host.say("presentation", { ...old, revision: old.revision + 1, replaces: true });
    },
    () => {
      const old = one(openNow());
      if (!old) return;
      host.say("settled", settled(old.id, { lease: old.lease, revision: old.revision, how: "escalated" }));
      host.say("presentation", { ...old, lease: old.lease + 1 });
    },
    () => {
      const old = one(openNow());
      if (old) host.say("settled", settled(old.id, { lease: old.lease, revision: old.revision, how: "seen" }));
    },
    () => {
      for (const { sent, write } of host.live) {
        const again = one(sent.filter((item) => item.event !== "snapshot"));
        if (again) write(`event: ${again.event}\ndata: ${JSON.stringify(again.data)}\n\n`);
      }
    },
    () => {
      const tab = one(browser.tabs);
      const event = one([...(tab?.client.open() ?? [])]);
      if (!tab || !event) return;
      void tab.client.acknowledge(event.id).then(() => answered.add(keyOf(event)));
    },
    () => browser.tabs.length < 4 && open(),
    () => {
      if (browser.tabs.length < 2 || random(2)) return;
      kills++;
      one(browser.tabs)?.kill();
    },
    () => freezes && random(3) === 0 && one(browser.tabs)?.freeze(),
    () => one(browser.tabs)?.thaw(),
    () => host.cut(),
    () => void (host.isDown = random(3) === 0),
    () => void (host.forgets = random(4) === 0),
    () => void (browser.hub.isHeld = random(2) === 0),
    () => browser.hub.deliver(),
    () => browser.hub.deliver(),
    () => browser.clock.pass(random(20_000)),
    () => quiet(random(6)),
    () => quiet(random(6)),
  ];
  open();
  open();
  for (let i = 0; i < STEPS; i++) await actions[random(actions.length)]!();

  host.isDown = false;
  browser.hub.isHeld = false;
  while (browser.hub.waiting) browser.hub.deliver();
  for (const tab of browser.tabs) tab.thaw();
  await browser.clock.pass(120_000);
  await browser.show();
  return { host, browser, heard, answered, kills, openNow };
}

for (const isShared of [true, false]) {
  const where = isShared ? "with IndexedDB" : "where each tab has a memory of its own";

  test(`all tabs come to display what the host has open, in its order, ${where}`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { browser, openNow, answered } = await story(seed, { isShared });
      const expected = openNow().map(keyOf);
      for (const tab of browser.tabs) {
        const ids = tab.client.open().map(keyOf);
        assert.deepEqual(new Set(ids), new Set(expected), `seed ${seed}`);
      }
      if (isShared) for (const key of answered) assert.ok(!expected.includes(key), `seed ${seed}: ${key} was not sent`);
      for (const tab of browser.tabs) assert.deepEqual(tab.ids(), browser.tabs[0]!.ids(), `seed ${seed}`);
      for (const tab of browser.tabs) tab.client.close();
    }
  });
}

test("no event is heard twice on a device", async () => {
  let count = 0;
  for (let seed = 1_000; seed < 1_000 + SEEDS; seed++) {
    const { browser, heard } = await story(seed);
    assert.equal(new Set(heard).size, heard.length, `seed ${seed}: ${heard}`);
    count += heard.length;
    for (const tab of browser.tabs) tab.client.close();
  }
  assert.ok(count > 0);
});

test("events are heard in the order of the host, unless a tab is frozen between storing and hearing", async () => {
  for (let seed = 3_000; seed < 3_000 + SEEDS; seed++) {
    const { browser, heard } = await story(seed, { freezes: false });
    const numbers = heard.filter((key) => key.endsWith("/1/1")).map((key) => parseInt(key.slice(1)));
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
      `seed ${seed}: ${heard}`,
    );
    for (const tab of browser.tabs) tab.client.close();
  }
});

test("where no tab dies, everything that is open was heard", async () => {
  let told = 0;
  for (let seed = 2_000; seed < 2_000 + SEEDS; seed++) {
    const { browser, heard, kills, openNow } = await story(seed);
    if (!kills) for (const one of openNow()) assert.ok(heard.includes(keyOf(one)), `seed ${seed}: ${keyOf(one)}`);
    told += kills ? 0 : openNow().length;
    for (const tab of browser.tabs) tab.client.close();
  }
  assert.ok(told > 0);
});
