import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import { memoryStorage } from "../src/memory.ts";
import { openStorage } from "../src/storage.ts";
import type { Storage } from "../src/storage.ts";

/** fake-indexeddb of `npm install`, else of `python tests/setup_interop.py`. */
function indexedDb(): IDBFactory {
  for (const home of ["../", "../../../../.cache/interop/node/"])
    try {
      const { IDBFactory } = createRequire(new URL(home, import.meta.url))("fake-indexeddb");
      return new IDBFactory();
    } catch {
      // perhaps the next
    }
  throw new Error("fake-indexeddb is not there");
}

const message = { kind: "displayed", lease: 1, revision: 1 } as const;
const unsent = (id: string, version: number) => ({ message: { ...message, id }, version });

const kinds: [string, () => Promise<Storage>][] = [
  ["in IndexedDB", () => openStorage("test", indexedDb())],
  ["in memory", async () => memoryStorage()],
];
for (const [where, open] of kinds) {
  test(`rows are there after the transaction that wrote them, ${where}`, async () => {
    const storage = await open();
    await storage.transact(async (rows) => {
      rows.put("unsent", "e1", unsent("e1", 1));
      rows.put("unsent", "e2", unsent("e2", 2));
      rows.put("unsent", "e3", unsent("e3", 3));
      rows.delete("unsent", "e1");
    });
    const got = await storage.transact(async (rows) => ({
      one: await rows.get("unsent", "e1"),
      two: await rows.get("unsent", "e2"),
      count: await rows.count("unsent"),
      all: await rows.all("unsent"),
      first: await rows.all("unsent", 1),
      others: await rows.all("open"),
    }));
    assert.deepEqual(got, {
      one: undefined,
      two: unsent("e2", 2),
      count: 2,
      all: [unsent("e2", 2), unsent("e3", 3)],
      first: [unsent("e2", 2)],
      others: [],
    });
    await storage.transact(async (rows) => rows.clear("unsent"));
    assert.equal(await storage.transact((rows) => rows.count("unsent")), 0);
    storage.close();
  });

  test(`transactions at the same time run one after another, ${where}`, async () => {
    const storage = await open();
    const add = () =>
      storage.transact(async (rows) => {
        const old = await rows.get("unsent", "e1");
        rows.put("unsent", "e1", unsent("e1", (old?.version ?? 0) + 1));
        return old?.version ?? 0;
      });
    const before = await Promise.all(Array.from({ length: 20 }, add));
    assert.deepEqual(before, [...Array(20).keys()]);
    storage.close();
  });

  test(`a transaction that fails is rejected, and the next one runs, ${where}`, async () => {
    const storage = await open();
    await assert.rejects(
      storage.transact(async () => Promise.reject(new Error("no"))),
      { message: "no" },
    );
    assert.equal(await storage.transact((rows) => rows.count("open")), 0);
    storage.close();
  });
}

test("two tabs that open the same IndexedDB see the same", async () => {
  const factory = indexedDb();
  const [one, two] = await Promise.all([openStorage("test", factory), openStorage("test", factory)]);
  await one.transact(async (rows) => rows.put("unsent", "e1", unsent("e1", 1)));
  assert.equal(await two.transact((rows) => rows.count("unsent")), 1);
});

test("where IndexedDB is denied, opening it is rejected", async () => {
  await assert.rejects(openStorage("test", undefined));
  const denied = {
    open() {
      const request = { error: new DOMException("denied", "SecurityError") } as { onerror?: () => void };
      queueMicrotask(() => request.onerror?.());
      return request;
    },
  };
  await assert.rejects(openStorage("test", denied as unknown as IDBFactory), { name: "SecurityError" });
});
