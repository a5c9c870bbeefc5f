/**
 * What becomes of events on a device: one transaction decides, so that of all tabs and the service worker one alone
 * lets an event be heard. What is to be heard is stored first: after a crash between the two it is silent, and in the
 * list all the same.
 */

import { isObject } from "./read.ts";
import type { StreamItem } from "./read.ts";
import { compare, rankOf, receivePresentation, receiveSettled } from "./seen.ts";
import type { About, Kept, Rows, Table, Tables, Unsent } from "./storage.ts";
import type { Presentation, Snapshot } from "./types.ts";

/** So many events are open on a device; the oldest are left out of its list. */
export const MAX_OPEN = 1_000;
/** So many events a device knows that are not open, and messages that wait. */
export const MAX_KEPT = 10_000;
/** Where there are more, so many are forgotten at once: the oldest, and of events first those that are settled. */
const FORGOTTEN = 500;

/** What a transaction changed. */
export interface Change {
  kept: Kept[];
  heard: Presentation[];
  unsent: Unsent[];
  about: About;
  /** Whether all that was kept before is void: another human is here, or the host is an older one. */
  isReset?: boolean;
  /** Whether another human is here: the connection begins anew, without the cursor of the one before. */
  isOther?: boolean;
}

/** Which of two is what a device keeps of an event. */
export function later(one: Kept, other: Kept): Kept {
  const rank = (kept: Kept) => [...rankOf(kept.seen), kept.version, +!!kept.answered, +!kept.shown];
  return compare(rank(one), rank(other)) < 0 ? other : one;
}

async function change(rows: Rows): Promise<Change> {
  const about = { cursor: null, version: 0, epoch: 0, omitted: 0, ...(await rows.get("about", "")) };
  return { kept: [], heard: [], unsent: [], about };
}

/** Begins the term of a new leader. */
export async function begin(rows: Rows): Promise<About> {
  const { about } = await change(rows);
  about.epoch++;
  rows.put("about", "", about);
  return about;
}

/**
 * Takes items in their order; `null` where another leader has come since. A leader, named by its epoch, moves the
 * cursor; a service worker, which has none, does not.
 */
export async function take(rows: Rows, items: readonly StreamItem[], epoch: number | null): Promise<Change | null> {
  const to = await change(rows);
  const { about } = to;
  if (epoch !== null && epoch !== about.epoch) return null;
  const isMine = (event: { user_id: string }) => about.user === undefined || about.user === event.user_id;
  for (const item of items) {
    // What has no place, as a push, is behind all that was read, and behind what came before it.
    const place = item.place ?? (about.cursor ?? 0) + 1 - 1 / (about.version + 2);
    if (item.event === "presentation" && isMine(item.data)) await takePresentation(rows, to, item.data, place, place);
    else if (item.event === "settled" && isMine(item.data)) {
      const { id, lease } = item.data;
      const old = await find(rows, id);
      const { showing, seen } = receiveSettled(item.data, old?.seen);
      if (showing === "settle") keep(rows, to, { seen, order: place, place, version: 0 });
      const unsent = await rows.get("unsent", id);
      if (unsent && unsent.message.lease <= lease) rows.delete("unsent", id);
    } else if (item.event === "snapshot") await takeSnapshot(rows, to, item.data, place);
    else if (item.event === "host" && item.name === "ready") greet(rows, to, item.data);
    if (to.isOther) break;
    if (item.place !== null && epoch !== null) about.cursor = item.place;
  }
  await forget(rows, to);
  rows.put("about", "", about);
  return to;
}

/** The host says whose stream it is. */
function greet(rows: Rows, to: Change, data: unknown): void {
  if (!isObject(data)) return;
  const { about } = to;
  if (about.user !== undefined && about.user !== data.user_id) {
    reset(rows, to);
    about.cursor = null;
    to.isOther = true;
  }
  const { user_id: user, agent, device } = data as { [name: string]: string };
  Object.assign(about, { user, agent, device });
}

function reset(rows: Rows, to: Change): void {
  clear(rows);
  to.kept = [];
  to.about.omitted = 0;
  to.isReset = true;
}

function clear(rows: Rows): void {
  for (const table of ["open", "settled", "unsent"] as const) rows.clear(table);
}

async function takePresentation(
  rows: Rows,
  to: Change,
  data: Presentation,
  place: number,
  order: number,
): Promise<void> {
  const old = await find(rows, data.id);
  const { showing, seen } = receivePresentation(data, old?.seen);
  if (showing === "show" || showing === "replace") {
    keep(rows, to, { seen, shown: data, order: old?.shown ? old.order : order, place, version: 0 });
    if (!old || seen.lease > old.seen.lease || seen.revision > old.seen.revision) to.heard.push(data);
  } else if (showing === "repeat" && old && seen.is_whole && !seen.settled) {
    // The acknowledgement was lost, or the event was left out of a list that was full.
    if (old.answered) acknowledge(rows, to, old);
    else if (!old.shown) keep(rows, to, { ...old, shown: data, place });
  }
}

/** Takes off what is open no more. That settles nothing: a presentation may be under way that is newer. */
async function takeSnapshot(rows: Rows, to: Change, data: Snapshot, place: number): Promise<void> {
  const { presentations, omitted } = data;
  // A host that has gone back to an older state begins again with its places, and its leases.
  if ((to.about.cursor ?? 0) > place) reset(rows, to);
  for (const [i, one] of presentations.entries())
    await takePresentation(rows, to, one, place, place - 1 + (i + 1) / (presentations.length + 1));
  to.about.omitted = omitted;
  const open = new Set(presentations.map((one) => one.id));
  for (const one of omitted ? [] : await rows.all("open"))
    if (!open.has(one.seen.id) && one.place <= place) takeOff(rows, to, one);
}

/** A human has it before them, or has clicked it: it is taken off at once, and the host is told when it can be. */
export async function answer(rows: Rows, id: string, answered: "seen" | "acknowledged"): Promise<Change | null> {
  const old = await find(rows, id);
  if (!old?.seen.is_whole || old.seen.settled || old.answered === "acknowledged" || old.answered === answered)
    return null;
  const to = await change(rows);
  acknowledge(rows, to, takeOff(rows, to, { ...old, answered }));
  await forget(rows, to);
  rows.put("about", "", to.about);
  return to;
}

/** What is open, and what is kept of these events. */
export async function look(rows: Rows, ids: Iterable<string>): Promise<Change> {
  const to = await change(rows);
  to.kept = await rows.all("open");
  for (const id of ids) {
    const one = await rows.get("settled", id);
    if (one) to.kept.push(one);
  }
  return to;
}

/** Writes down what another tab has changed, where each has a storage of its own. */
export function copy(rows: Rows, { kept, unsent, about, isReset }: Change, byLeader: boolean): void {
  if (isReset) clear(rows);
  for (const one of kept) put(rows, one);
  for (const one of unsent) rows.put("unsent", one.message.id, one);
  if (byLeader) rows.put("about", "", about);
}

async function find(rows: Rows, id: string): Promise<Kept | undefined> {
  return (await rows.get("open", id)) ?? (await rows.get("settled", id));
}

function keep(rows: Rows, to: Change, kept: Kept): Kept {
  kept.version = ++to.about.version;
  to.kept.push(kept);
  put(rows, kept);
  return kept;
}

function takeOff(rows: Rows, to: Change, { shown, ...rest }: Kept): Kept {
  return keep(rows, to, rest);
}

function put(rows: Rows, kept: Kept): void {
  const { id } = kept.seen;
  rows.delete(kept.shown ? "settled" : "open", id);
  rows.put(kept.shown ? "open" : "settled", id, kept);
}

function acknowledge(rows: Rows, to: Change, { seen: { id, lease, revision }, answered }: Kept): void {
  const how = answered === "seen" ? "rendered" : "clicked";
  const unsent: Unsent = { message: { kind: "displayed", id, lease, revision, how }, version: ++to.about.version };
  rows.put("unsent", id, unsent);
  to.unsent.push(unsent);
}

/** Keeps each table within its bound. */
async function forget(rows: Rows, to: Change): Promise<void> {
  for (const one of await excess(rows, "open", MAX_OPEN, MAX_OPEN, (one) => [one.order])) {
    takeOff(rows, to, one);
    to.about.omitted++;
  }
  for (const { seen } of await excess(rows, "settled", MAX_KEPT, MAX_KEPT - FORGOTTEN, (one) => [
    +!one.seen.settled,
    one.version,
  ]))
    rows.delete("settled", seen.id);
  for (const { message } of await excess(rows, "unsent", MAX_KEPT, MAX_KEPT - FORGOTTEN, (one) => [one.version]))
    rows.delete("unsent", message.id);
}

/** The first rows of a table that has more than `max`, down to `left`. */
async function excess<T extends Table>(
  rows: Rows,
  table: T,
  max: number,
  left: number,
  rank: (row: Tables[T]) => number[],
): Promise<Tables[T][]> {
  if ((await rows.count(table)) <= max) return [];
  return (await rows.all(table)).sort((a, b) => compare(rank(a), rank(b))).slice(0, -left);
}
