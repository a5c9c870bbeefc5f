import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";

import { after, backOff, pause } from "../src/timers.ts";
import { Clock } from "./fakes.ts";

test("each try waits about twice as long, with jitter, and never more than 30 s", () => {
  for (let failures = 0; failures < 5_000; failures++) {
    const most = Math.min(30_000, 500 * 2 ** failures);
    for (let i = 0; i < 5; i++) {
      const wait = backOff(failures);
      assert.ok(wait >= most / 2 && wait <= most, `${wait} after ${failures}`);
    }
  }
});

test("a pause ends by its time, by the signal, or when the browser is online, and leaves nothing behind", async () => {
  for (const end of ["time", "abort", "online"]) {
    const clock = new Clock();
    const online = new EventTarget();
    const stop = new AbortController();
    let isOver = false;
    const paused = pause(1_000, { after: clock.after, signal: stop.signal, online }).then(() => (isOver = true));
    await clock.pass(999);
    assert.equal(isOver, false);
    if (end === "time") await clock.pass(1);
    if (end === "abort") stop.abort();
    if (end === "online") online.dispatchEvent(new Event("online"));
    await paused;
    assert.equal(clock.waiting, 0);
    assert.deepEqual([getEventListeners(online, "online"), getEventListeners(stop.signal, "abort")], [[], []]);
  }
});

test("a pause of what has ended already is none", async () => {
  await pause(1_000, { after: () => assert.fail("no timer is needed"), signal: AbortSignal.abort() });
});

test("a timer that is called off does not run", async () => {
  const callOff = after(0, () => assert.fail("it was called off"));
  callOff();
  await new Promise<void>((resolve) => after(0, resolve));
});
