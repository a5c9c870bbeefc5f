import assert from "node:assert/strict";
import { test } from "node:test";

import { MAX_KEPT, MAX_OPEN } from "../src/events.ts";
import type { Kept } from "../src/storage.ts";
import { createView } from "../src/view.ts";
import { presentation } from "./fakes.ts";

function kept(id: string, version: number, more: Partial<Kept> = {}): Kept {
  const shown = presentation(id);
  const seen = { id, revision: 1, lease: 1, surface: "inbox", is_whole: true } as const;
  return { seen, shown, order: version, place: version, version, ...more };
}

function settled(id: string, version: number): Kept {
  const { shown, ...rest } = kept(id, version);
  return { ...rest, seen: { ...rest.seen, settled: "seen" } };
}

test("what another tab tells too late changes nothing", () => {
  const view = createView();
  view.merge([kept("e1", 1)]);
  assert.deepEqual(view.merge([settled("e1", 2)]).gone, [{ id: "e1", revision: 1, lease: 1, how: "seen" }]);
  const late = view.merge([kept("e1", 1), kept("e1", 3), settled("e1", 2)]);
  assert.deepEqual(late, { taken: [], shown: [], gone: [] });
  assert.deepEqual(view.open(), []);
});

test("new words replace the old ones, and the first are shown", () => {
  const view = createView();
  const newer = kept("e1", 2);
  newer.seen = { ...newer.seen, revision: 2 };
  const shown = [view.merge([kept("e1", 1)]), view.merge([newer])].flatMap((one) => one.shown);
  assert.deepEqual(
    shown.map(([, showing]) => showing),
    ["show", "replace"],
  );
});

test("of what comes at once, the end alone is displayed", () => {
  const view = createView();
  const newer = kept("e1", 2);
  newer.seen = { ...newer.seen, revision: 2 };
  assert.deepEqual(view.merge([kept("e1", 1), newer]).shown, [[newer.shown, "show"]]);
  const both = [kept("e2", 3), settled("e2", 4)];
  assert.deepEqual(view.merge(both), { taken: both, shown: [], gone: [] });
  const again = { ...kept("e1", 6), seen: { ...newer.seen, lease: 2 } };
  assert.equal(view.merge([settled("e1", 5), again]).shown.length, 1);
});

test("the list is in the order of first display, and the same array as long as nothing changes", () => {
  const view = createView();
  view.merge([kept("e2", 2), kept("e1", 1)]);
  const list = view.open();
  assert.deepEqual(
    list.map((one) => one.id),
    ["e1", "e2"],
  );
  view.merge([kept("e1", 1)]);
  assert.equal(view.open(), list);
  view.merge([kept("e3", 3)]);
  assert.notEqual(view.open(), list);
});

test("a view remembers a bounded number of events, and every one that is open", () => {
  const view = createView();
  view.merge([kept("open", 1)]);
  for (let i = 0; i < MAX_KEPT + MAX_OPEN + 100; i++) view.merge([settled(`e${i}`, i + 2)]);
  assert.equal(view.all().length, MAX_KEPT + MAX_OPEN);
  assert.deepEqual(
    view.open().map((one) => one.id),
    ["open"],
  );
  assert.equal(view.get("e0"), undefined);
  assert.deepEqual(view.clear(), [{ id: "open", revision: 1, lease: 1, how: null }]);
  assert.deepEqual(view.all(), []);
});
