import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { acknowledgement, laterSeen, receivePresentation, receiveSettled } from "../src/seen.ts";
import type { Presentation, Seen, Settled } from "../src/types.ts";

interface Case {
  id: string;
  why: string;
  input: { shown: (Presentation | Settled)[] };
  value: [string, [number, number] | null][];
}

const CASES = new URL("../../../../conformance/v0.1/anp/", import.meta.url);

for (const file of ["client.json", "client-settled.json"]) {
  const { cases } = JSON.parse(readFileSync(new URL(file, CASES), "utf-8")) as { cases: Case[] };
  for (const { id, why, input, value } of cases)
    test(`${id}: ${why}`, () => {
      const kept = new Map<string, Seen>();
      const did = input.shown.map((item) => {
        const isSettled = "how" in item;
        const got = isSettled ? receiveSettled(item, kept.get(item.id)) : receivePresentation(item, kept.get(item.id));
        kept.set(item.id, got.seen);
        const ack = isSettled ? null : acknowledgement(got);
        return [got.showing, ack && [ack.lease, ack.revision]];
      });
      assert.deepEqual(did, value);
    });
}

test("of two things that are kept the later one is the same in either order, and put together once more", () => {
  const kept: Seen[] = [];
  for (const lease of [1, 2])
    for (const revision of [1, 2])
      for (const surface of ["inbox", "chat"] as const)
        for (const is_whole of [true, false])
          for (const settled of [undefined, "seen", "acknowledged"] as const)
            kept.push({ id: "e1", lease, revision, surface, is_whole, ...(settled && { settled }) });
  for (const one of kept)
    for (const other of kept) {
      const later = laterSeen(one, other);
      assert.deepEqual(laterSeen(other, one), later);
      assert.deepEqual(laterSeen(later, one), later);
    }
});

test("what is settled under a lease is the last of it, and what was not under a later lease is later still", () => {
  const shown: Seen = { id: "e1", lease: 1, revision: 9, surface: "inbox", is_whole: true };
  const settled: Seen = { ...shown, revision: 1, settled: "escalated" };
  const taken: Seen = { ...shown, lease: 2, revision: 1 };
  assert.equal(laterSeen(shown, settled), settled);
  assert.equal(laterSeen(settled, taken), taken);
});
