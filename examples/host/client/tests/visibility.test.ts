import assert from "node:assert/strict";
import { test } from "node:test";

import { watch } from "../src/visibility.ts";
import { Clock, document } from "./fakes.ts";

/** An IntersectionObserver whose window the test scrolls. */
class FakeObserver {
  static last: FakeObserver;
  #tell: (entries: object[]) => void;
  isConnected = true;

  constructor(tell: (entries: object[]) => void) {
    this.#tell = tell;
    FakeObserver.last = this;
  }

  observe(): void {}

  disconnect(): void {
    this.isConnected = false;
  }

  scroll(intersectionRatio: number, height = 100): void {
    const rect = { height: intersectionRatio * height };
    this.#tell([{ intersectionRatio, intersectionRect: rect, rootBounds: { height: 800 } }]);
  }
}
Object.assign(globalThis, { IntersectionObserver: FakeObserver });

function watched() {
  const clock = new Clock();
  let count = 0;
  document.visibilityState = "visible";
  const stop = watch({} as Element, clock.after, () => void count++);
  return { clock, stop, observer: FakeObserver.last, count: () => count };
}

function turn(visibilityState: "visible" | "hidden"): void {
  document.visibilityState = visibilityState;
  document.dispatchEvent(new Event("visibilitychange"));
}

test("half of it for a second is seen, once", async () => {
  const { clock, observer, count } = watched();
  observer.scroll(0.5);
  await clock.pass(999);
  assert.equal(count(), 0);
  await clock.pass(1);
  observer.scroll(1);
  await clock.pass(10_000);
  assert.equal(count(), 1);
  assert.equal(observer.isConnected, false);
});

test("what is scrolled past is not seen", async () => {
  const { clock, observer, count } = watched();
  for (let i = 0; i < 10; i++) {
    observer.scroll(1);
    await clock.pass(900);
    observer.scroll(0.1);
    await clock.pass(900);
  }
  assert.equal(count(), 0);
});

test("what fills half of the window is seen, although most of it is outside", async () => {
  const { clock, observer, count } = watched();
  observer.scroll(0.1, 5_000);
  await clock.pass(1_000);
  assert.equal(count(), 1);
});

test("on a page that is hidden nothing is seen before it comes to the front", async () => {
  const { clock, observer, count } = watched();
  turn("hidden");
  observer.scroll(1);
  await clock.pass(60_000);
  assert.equal(count(), 0);
  turn("visible");
  await clock.pass(500);
  turn("hidden");
  await clock.pass(5_000);
  turn("visible");
  await clock.pass(999);
  assert.equal(count(), 0);
  await clock.pass(1);
  assert.equal(count(), 1);
});

test("what is watched no more is not seen", async () => {
  const { clock, observer, count, stop } = watched();
  observer.scroll(1);
  stop();
  turn("visible");
  await clock.pass(5_000);
  assert.equal(count(), 0);
  assert.equal(clock.waiting, 0);
});
