import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { readItem, readPush } from "../src/read.ts";
import { readFrame } from "../src/websocket.ts";
import { presentation, settled } from "./fakes.ts";

const GOOD = presentation("e1", { actions: ["Deleted 1 file"], cut: ["metadata"] });
const OTHERS: [string, unknown[]][] = [
  ["id", ["", 1, null, undefined, {}]],
  ["user_id", ["", 1, undefined]],
  ["revision", [0, -1, 1.5, "1", 2 ** 53, undefined, NaN]],
  ["lease", [0, "1", null]],
  ["surface", ["", "window", undefined, ["inbox", "chat"]]],
];

test("a presentation is taken as it is", () => {
  assert.deepEqual(readItem("presentation", GOOD, 3), { event: "presentation", data: GOOD, place: 3 });
});

test("a presentation with a member of another form is malformed", () => {
  const own: [string, unknown[]][] = [
    ["content", [1, null, undefined]],
    ["actions", ["x", [1], [""], {}]],
    ["cut", ["x", [null]]],
  ];
  for (const [name, values] of [...OTHERS, ...own])
    for (const value of values)
      assert.equal(readItem("presentation", { ...GOOD, [name]: value }, 3), null, `${name}: ${JSON.stringify(value)}`);
});

test("what was settled has one of four ways", () => {
  assert.equal(readItem("settled", settled("e1"), 3)!.event, "settled");
  for (const [name, values] of [...OTHERS, ["how", ["gone", null, ["seen"], {}]]] as typeof OTHERS)
    for (const value of values.filter((one) => !Array.isArray(one)))
      assert.equal(
        readItem("settled", { ...settled("e1"), [name]: value }, 3),
        null,
        `${name}: ${JSON.stringify(value)}`,
      );
});

test("what cannot be read of a snapshot is omitted, so that nothing is taken off for it", () => {
  const item = readItem("snapshot", { kind: "snapshot", presentations: [GOOD, { id: "e2" }], omitted: 3 }, 9);
  assert.deepEqual(item!.data, { kind: "snapshot", presentations: [GOOD], omitted: 4 });
  for (const data of [null, [], {}, { presentations: {} }, "x"]) assert.equal(readItem("snapshot", data, 9), null);
});

test("another name is an item of the host", () => {
  assert.deepEqual(readItem("message", [1], null), { event: "host", name: "message", data: [1], place: null });
  assert.equal(readItem("", [1], null), null);
});

test("a frame is an object with the name of an event", () => {
  assert.deepEqual(readFrame('{"place":4,"event":"message","data":"Hello"}', readItem), {
    event: "host",
    name: "message",
    data: "Hello",
    place: 4,
  });
  for (const text of ["", "{", "[]", "null", '{"event":1}', '"x"', '{"data":1}'])
    assert.equal(readFrame(text, readItem), null, text);
  assert.equal(readFrame('{"place":-1,"event":"message"}', readItem)!.place, null);
});

test("a push is a presentation as it is, or what was settled", () => {
  assert.deepEqual(readPush(JSON.stringify(GOOD)), { event: "presentation", data: GOOD, place: null });
  assert.deepEqual(readPush(JSON.stringify(settled("e1"))), { event: "settled", data: settled("e1"), place: null });
  for (const text of ["", "{", "[]", "null", "{}", '{"kind":"settled"}', '{"event":"presentation"}'])
    assert.equal(readPush(text), null, text);
});

test("the items of the suite are read as they were written", () => {
  const file = new URL("../../../../conformance/v0.1/anp/stream.json", import.meta.url);
  for (const { id, facts } of JSON.parse(readFileSync(file, "utf-8")).cases) {
    const item = readFrame(JSON.stringify(facts.frame), readItem)!;
    assert.equal(item.event === "host" ? item.name : item.event, facts.frame.event, id);
    assert.equal(item.place, facts.frame.place ?? null, id);
    assert.deepEqual(item.data, facts.frame.data, id);
  }
});
