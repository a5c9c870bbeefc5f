import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, begin, copy, look, MAX_KEPT, MAX_OPEN, take } from "../src/events.ts";
import type { Change } from "../src/events.ts";
import { memoryStorage } from "../src/memory.ts";
import type { StreamItem } from "../src/read.ts";
import { keyOf, presentation, settled } from "./fakes.ts";
import type { Presentation } from "../src/types.ts";

const shown = (place: number, id: string, more: Partial<Presentation> = {}): StreamItem => ({
  event: "presentation",
  data: presentation(id, more),
  place,
});
const over = (place: number, id: string, more = {}): StreamItem => ({
  event: "settled",
  data: settled(id, more),
  place,
});
const snapshot = (place: number, presentations: Presentation[], omitted = 0): StreamItem => ({
  event: "snapshot",
  data: { kind: "snapshot", presentations, omitted },
  place,
});
const ready = (user_id: string): StreamItem => ({ event: "host", name: "ready", data: { user_id }, place: null });

/** A device with one leader. */
async function device() {
  const storage = memoryStorage(true);
  const { epoch } = await storage.transact(begin);
  const takeBy =
    (by: number | null) =>
    async (...items: StreamItem[]) =>
      (await storage.transact((rows) => take(rows, items, by)))!;
  const open = async () => {
    const { kept } = await storage.transact((rows) => look(rows, []));
    return kept.toSorted((a, b) => a.order - b.order).map((one) => one.seen.id);
  };
  const unsent = async () => (await storage.transact((rows) => rows.all("unsent"))).map((one) => one.message);
  const ask = (id: string, how: "seen" | "acknowledged" = "acknowledged") =>
    storage.transact((rows) => answer(rows, id, how));
  return { storage, epoch, take: takeBy(epoch), push: takeBy(null), open, unsent, answer: ask };
}

const heardIn = (change: Change) => change.heard.map(keyOf);

test("the same item is heard once, whether it comes by the stream, by push or in a snapshot", async () => {
  const one = await device();
  assert.deepEqual(heardIn(await one.push(shown(1, "e1"))), ["e1/1/1"]);
  assert.deepEqual(heardIn(await one.take(shown(1, "e1"))), []);
  assert.deepEqual(heardIn(await one.take(snapshot(1, [presentation("e1")]))), []);
  assert.deepEqual(await one.open(), ["e1"]);
});

test("new words, and a new lease, are heard; the whole of what was cut, and another surface, are not", async () => {
  const one = await device();
  assert.deepEqual(heardIn(await one.push(shown(1, "e1", { cut: ["content"], surface: "chat" }))), ["e1/1/1"]);
  assert.deepEqual(heardIn(await one.take(shown(1, "e1", { surface: "chat" }))), []);
  assert.deepEqual(heardIn(await one.take(shown(2, "e1"))), []);
  assert.deepEqual(heardIn(await one.take(shown(3, "e1", { revision: 2 }))), ["e1/2/1"]);
  assert.deepEqual(heardIn(await one.take(shown(4, "e1", { lease: 2 }))), ["e1/1/2"]);
  assert.deepEqual(heardIn(await one.take(shown(5, "e1", { revision: 7 }))), []);
});

test("new words stay where the old ones were", async () => {
  const one = await device();
  await one.take(shown(1, "e1"), shown(2, "e2"), shown(3, "e1", { revision: 2 }));
  assert.deepEqual(await one.open(), ["e1", "e2"]);
});

test("what another tab has changed is copied, and the cursor where it is that of the leader", async () => {
  const [one, two] = [await device(), memoryStorage()];
  const change = await one.take(shown(7, "e1"));
  for (const [byLeader, cursor] of [
    [false, undefined],
    [true, 7],
  ] as const) {
    await two.transact(async (rows) => copy(rows, change, byLeader));
    assert.equal((await two.transact((rows) => rows.get("about", "")))?.cursor, cursor);
  }
  await two.transact(async (rows) => copy(rows, (await one.answer("e1"))!, false));
  assert.deepEqual((await two.transact((rows) => rows.all("unsent"))).length, 1);
  assert.equal(await two.transact((rows) => rows.count("open")), 0);
  await two.transact(async (rows) => copy(rows, { ...change, kept: [], isReset: true }, true));
  assert.equal(await two.transact((rows) => rows.count("settled")), 0);
});

test("only what moves the stream moves the cursor, and an older place of another item does not hide it", async () => {
  const one = await device();
  assert.equal((await one.push(shown(9, "e1"))).about.cursor, null);
  const change = await one.take(shown(7, "e2"), { event: "host", name: "message", data: {}, place: 8 });
  assert.equal(change.about.cursor, 8);
  assert.deepEqual(await one.open(), ["e2", "e1"]);
});

test("an earlier leader is refused, and changes nothing", async () => {
  const one = await device();
  await one.storage.transact(begin);
  assert.equal(await one.take(shown(1, "e1")), null);
  assert.deepEqual(await one.open(), []);
});

test("a snapshot takes off what is open no more, but not what came after it by push", async () => {
  const one = await device();
  await one.take(shown(1, "e1"), shown(2, "e2"));
  await one.push(shown(5, "e5"));
  const change = await one.take(snapshot(4, [presentation("e2"), presentation("e4")]));
  assert.deepEqual(heardIn(change), ["e4/1/1"]);
  assert.deepEqual(await one.open(), ["e2", "e4", "e5"]);
});

test("what a snapshot has taken off is displayed again, unheard, where it is presented after all", async () => {
  const one = await device();
  await one.take(shown(1, "e1"), snapshot(4, []));
  assert.deepEqual(await one.open(), []);
  assert.deepEqual(heardIn(await one.take(shown(5, "e1"))), []);
  assert.deepEqual(await one.open(), ["e1"]);
});

test("a snapshot that omits something takes nothing off", async () => {
  const one = await device();
  await one.take(shown(1, "e1"));
  const change = await one.take(snapshot(4, [presentation("e2")], 1));
  assert.equal(change.about.omitted, 1);
  assert.deepEqual(await one.open(), ["e1", "e2"]);
});

test("where the host has gone back to an older state, the device begins again with what it says", async () => {
  const one = await device();
  await one.take(shown(8, "e1", { lease: 3 }), shown(9, "e9"), over(10, "e1", { lease: 3 }));
  const change = await one.take(snapshot(4, [presentation("e1")]), shown(5, "e5"));
  assert.ok(change.isReset);
  assert.equal(change.about.cursor, 5);
  assert.deepEqual(await one.open(), ["e1", "e5"]);
});

test("what was settled stays so under its lease, also where its presentation comes later", async () => {
  const one = await device();
  await one.take(over(2, "e1"));
  assert.deepEqual(heardIn(await one.take(shown(1, "e1"), shown(3, "e1", { revision: 5 }))), []);
  assert.deepEqual(await one.open(), []);
  assert.deepEqual(heardIn(await one.take(shown(4, "e1", { lease: 2 }))), ["e1/1/2"]);
});

test("what the human has answered is taken off at once, and waits to be sent", async () => {
  const one = await device();
  await one.take(shown(1, "e1"));
  const change = await one.answer("e1", "seen");
  assert.equal(change!.kept[0]!.answered, "seen");
  assert.deepEqual(await one.open(), []);
  assert.deepEqual(await one.unsent(), [{ kind: "displayed", id: "e1", lease: 1, revision: 1, how: "rendered" }]);
});

test("of an event one message waits: the newest", async () => {
  const one = await device();
  await one.take(shown(1, "e1"));
  await one.answer("e1", "seen");
  await one.answer("e1", "acknowledged");
  assert.equal(await one.answer("e1", "seen"), null);
  assert.deepEqual(
    (await one.unsent()).map((message) => "how" in message && message.how),
    ["clicked"],
  );
});

test("new words that the human has not seen are displayed and heard, although the old ones were answered", async () => {
  const one = await device();
  await one.take(shown(1, "e1"));
  await one.answer("e1");
  assert.deepEqual(heardIn(await one.take(shown(2, "e1", { revision: 2 }))), ["e1/2/1"]);
  assert.deepEqual(await one.open(), ["e1"]);
});

test("an answer that the host has lost is sent again where it presents the event again", async () => {
  const one = await device();
  await one.take(shown(1, "e1"));
  await one.answer("e1");
  await one.storage.transact(async (rows) => rows.clear("unsent"));
  assert.deepEqual(heardIn(await one.take(snapshot(3, [presentation("e1")]))), []);
  assert.deepEqual(await one.open(), []);
  assert.equal((await one.unsent()).length, 1);
});

test("what was cut is not answered before the rest is displayed", async () => {
  const one = await device();
  await one.push(shown(1, "e1", { cut: ["content"] }));
  assert.equal(await one.answer("e1"), null);
  await one.take(shown(1, "e1"));
  assert.ok(await one.answer("e1"));
});

test("what was settled needs no message any more; one under a later lease stays", async () => {
  const one = await device();
  await one.take(shown(1, "e1"), shown(2, "e2", { lease: 2 }));
  await one.answer("e1");
  await one.answer("e2");
  await one.take(over(3, "e1"), over(4, "e2"));
  assert.deepEqual(
    (await one.unsent()).map((message) => message.id),
    ["e2"],
  );
  assert.equal(await one.answer("e1"), null);
  assert.equal(await one.answer("unknown"), null);
});

test("what is of another human is not taken", async () => {
  const one = await device();
  await one.take(ready("olivia"), shown(1, "e1"));
  await one.push(shown(2, "e2", { user_id: "noah" }), over(3, "e1", { user_id: "noah" }));
  assert.deepEqual(await one.open(), ["e1"]);
});

test("where another human has signed in, nothing of the one before is left", async () => {
  const one = await device();
  await one.take(ready("olivia"), shown(1, "e1"), shown(2, "e2"));
  await one.answer("e2");
  const change = await one.take(ready("noah"), shown(3, "e3", { user_id: "noah" }));
  assert.ok(change.isOther && change.isReset);
  assert.equal(change.about.cursor, null);
  assert.equal(change.about.user, "noah");
  assert.deepEqual(await one.open(), []);
  assert.deepEqual(await one.unsent(), []);
});

test("a device keeps a bounded number of open events: the newest", async () => {
  const one = await device();
  const items = Array.from({ length: MAX_OPEN + 5 }, (_, i) => shown(i + 1, `e${i + 1}`));
  const change = await one.take(...items);
  const open = await one.open();
  assert.equal(open.length, MAX_OPEN);
  assert.equal(open[0], "e6");
  assert.equal(change.about.omitted, 5);
  assert.equal(heardIn(change).length, MAX_OPEN + 5);
  assert.deepEqual(heardIn(await one.take(shown(2_000, "e1"))), []);
});

test("a device remembers a bounded number of events, and forgets those first that were settled first", async () => {
  const one = await device();
  await one.take(shown(1, "open"), ...Array.from({ length: MAX_KEPT }, (_, i) => over(i + 2, `e${i}`)));
  const count = () => one.storage.transact((rows) => rows.count("settled"));
  assert.equal(await count(), MAX_KEPT);
  await one.take(over(20_000, "last"));
  assert.ok((await count()) <= MAX_KEPT);
  const { kept } = await one.storage.transact((rows) => look(rows, ["e0", `e${MAX_KEPT - 1}`, "last"]));
  assert.deepEqual(kept.map((kept) => kept.seen.id).toSorted(), [`e${MAX_KEPT - 1}`, "last", "open"]);
});
