import assert from "node:assert/strict";
import { test } from "node:test";

import { eventReader, MAX_EVENT } from "../src/sse.ts";
import type { Chunk } from "../src/sse.ts";
import { presentation } from "./fakes.ts";

function readAll(chunks: string[]): Chunk {
  const feed = eventReader();
  const all: Chunk = { items: [], malformed: 0 };
  for (const { items, malformed } of chunks.map(feed)) {
    all.items.push(...items);
    all.malformed += malformed;
  }
  return all;
}

const ONE = presentation("e1", { content: "Line\u2028 and: colon" });
const STREAM = `: hello\n\nevent: presentation\nid: 7\ndata: ${JSON.stringify(ONE)}\n\ndata:"plain"\n\nevent: message\ndata: {\ndata:  "a":1}\n\n`;
const ITEMS = [
  { event: "presentation", data: ONE, place: 7 },
  { event: "host", name: "message", data: "plain", place: null },
  { event: "host", name: "message", data: { a: 1 }, place: null },
];

test("items are the same in chunks of any size and with any ends of lines", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const text = STREAM.replaceAll("\n", end) + ": more"; // after a CR the reader waits for what may be a LF
    for (let size = 1; size < text.length; size++) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      );
      assert.deepEqual(readAll(chunks).items, ITEMS, `${JSON.stringify(end)} in chunks of ${size}`);
    }
  }
});

test("an event that has not ended when the connection does is none", () => {
  assert.deepEqual(readAll([`event: presentation\nid: 7\ndata: ${JSON.stringify(ONE)}\n`]).items, []);
});

test("a comment keeps the connection alive and is nothing else", () => {
  assert.deepEqual(readAll([": alive\n\n", ":\n\n"]), { items: [], malformed: 0 });
});

test("what is malformed is passed over, and the stream goes on after its place", () => {
  for (const data of ["{", '{"id":"e1"}', "[]", '"text"', "null"]) {
    const { items, malformed } = readAll([`event: presentation\nid: 8\ndata: ${data}\n\n`, STREAM]);
    assert.deepEqual(items[0], { event: "host", name: "", data: null, place: 8 });
    assert.deepEqual(items.slice(1), ITEMS);
    assert.equal(malformed, 1);
  }
});

test("a place is a number, and nothing else is one", () => {
  for (const [id, place] of [
    ["0", 0],
    ["12", 12],
    ["-1", null],
    ["1e3", null],
    ["x", null],
    ["", null],
    ["9".repeat(17), null],
  ])
    assert.equal(readAll([`id: ${id}\ndata: 1\n\n`]).items[0]!.place, place);
});

test("an event that is too long is passed over however it is cut into chunks, and is not kept in memory", () => {
  const long = `event: presentation\nid: 8\ndata: ${"x".repeat(MAX_EVENT)}`;
  for (const chunks of [[`${long}\n\n`], [long, "\n\n"], [long, "y".repeat(MAX_EVENT), "\n\n"]]) {
    const { items, malformed } = readAll([...chunks, STREAM]);
    assert.deepEqual(items.slice(1), ITEMS);
    assert.equal(malformed, 1);
  }
});

test("a long line in many small chunks takes time that grows with its length alone", () => {
  const small = "x".repeat(50);
  let looked = 0;
  const exec = RegExp.prototype.exec;
  RegExp.prototype.exec = function (text) {
    looked += text.length;
    return exec.call(this, text);
  };
  try {
    readAll(["id: 7\n", "data: ", ...Array.from({ length: 2_000 }, () => small)]);
  } finally {
    RegExp.prototype.exec = exec;
  }
  assert.ok(looked < 1_000_000, `${looked} characters`);
});
