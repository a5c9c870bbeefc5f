/**
 * What becomes of events on a device: one transaction decides, so that of all tabs and the service worker one alone
 * lets an event be heard. What is to be heard is stored first: after a crash between the two it is silent, and in the
 * list all the same.
 */

import type { StreamItem } from "./read.ts";
import { compare, compareSeen, receivePresentation, receiveSettled } from "./seen.ts";
import type { About, Kept, Rows } from "./storage.ts";
import type { ClientMessage, Displayed, Presentation, Settled, Snapshot } from "./types.ts";

/** So many events are open on a device; the oldest are left out of its list. */
export const MAX_OPEN = 1_000;
/** Of so many events a device remembers that they are not open; those that were settled first are forgotten first. */
export const MAX_SEEN = 10_000;
/** So many messages wait until they can be sent. */
export const MAX_UNSENT = 10_000;
const FORGOTTEN_AT_ONCE = 500;

/** What a transaction changed. */
export interface Change {
  kept: Kept[];
  heard: Presentation[];
  about: About;
  /** Whether everything else that a tab displays is void. */
  isReset?: boolean;
}

/** Who takes items: a leader by its epoch, which moves the cursor; a service worker as `null`. */
export type Epoch = number | null;

/** Which of two is what a device keeps of an event. */
export function later(one: Kept, other: Kept): Kept {
  const order = compareSeen(one.seen, other.seen) || compare(ties(one), ties(other));
  return order < 0 ? other : one;
}

function ties(kept: Kept): number[] {
  return [kept.version, +!!kept.answered, +!kept.shown];
}

export async function readAbout(rows: Rows): Promise<About> {
  return { cursor: null, version: 0, epoch: 0, omitted: 0, ...(await rows.get("about", "")) };
}

/** Begins the term of a new leader. */
export async function begin(rows: Rows): Promise<About> {
  const about = await readAbout(rows);
  about.epoch++;
  rows.put("about", "", about);
  return about;
}

/** Whose stream it is. Where it is another human than before, all that was kept is of no use: `null`. */
export async function greet(rows: Rows, ready: { user?: string; agent?: string; device?: string }): Promise<About | null> {
  const about = await readAbout(rows);
  const isOther = about.user !== undefined && about.user !== ready.user;
  if (isOther) {
    for (const table of ["open", "settled", "unsent"] as const) rows.clear(table);
    about.cursor = null;
    about.omitted = 0;
  }
  rows.put("about", "", { ...about, ...ready });
  return isOther ? null : { ...about, ...ready };
}

/** Takes items in their order; `null` where another leader has come since. */
export async function take(
  rows: Rows,
  items: readonly StreamItem[],
  epoch: Epoch,
  known: (id: string) => Kept | undefined = () => undefined,
): Promise<Change | null> {
  const about = await readAbout(rows);
  if (epoch !== null && epoch !== about.epoch) return null;
  const change: Change = { kept: [], heard: [], about };
  const find = async (id: string) => {
    const [stored, viewed] = [await findKept(rows, id), change.isReset ? undefined : known(id)];
    return stored && viewed ? later(stored, viewed) : (stored ?? viewed);
  };
  for (const item of items) {
    const place = item.place ?? about.cursor ?? 0;
    if (item.event === "presentation") takePresentation(rows, change, item.data, place, place, await find(item.data.id));
    if (item.event === "settled") await takeSettled(rows, change, item.data, place, await find(item.data.id));
    if (item.event === "snapshot") await takeSnapshot(rows, change, item.data, place, find);
    if (item.place !== null && epoch !== null) about.cursor = item.place;
  }
  await forget(rows, change);
  rows.put("about", "", about);
  return change;
}

function takePresentation(
  rows: Rows,
  change: Change,
  data: Presentation,
  place: number,
  order: number,
  old: Kept | undefined,
): void {
  const { about } = change;
  if (about.user !== undefined && about.user !== data.user_id) return;
  const { showing, seen, ack } = receivePresentation(data, old?.seen);
  if (showing === "show" || showing === "replace") {
    keep(rows, change, { seen, shown: data, order: old?.shown ? old.order : order, place, version: 0 });
    if (!old || compare([seen.lease, seen.revision], [old.seen.lease, old.seen.revision]) > 0) change.heard.push(data);
  } else if (showing === "repeat" && ack && old && !old.seen.settled) {
    // The acknowledgement was lost, or the event was left out of a list that was full.
    if (old.answered) queue(rows, change, acknowledgement(ack, old.answered));
    else if (!old.shown) keep(rows, change, { ...old, shown: data, place });
  }
}

async function takeSettled(
  rows: Rows,
  change: Change,
  data: Settled,
  place: number,
  old: Kept | undefined,
): Promise<void> {
  const { about } = change;
  if (about.user !== undefined && about.user !== data.user_id) return;
  const { showing, seen } = receiveSettled(data, old?.seen);
  if (showing === "settle") keep(rows, change, { seen, order: old?.order ?? place, place, version: 0 });
  const unsent = await rows.get("unsent", data.id);
  if (unsent && unsent.message.lease <= data.lease) rows.delete("unsent", data.id);
}

/** Takes off what is open no more. That settles nothing: a presentation may be under way that is newer. */
async function takeSnapshot(
  rows: Rows,
  change: Change,
  data: Snapshot,
  place: number,
  find: (id: string) => Promise<Kept | undefined>,
): Promise<void> {
  const { about } = change;
  const { presentations, omitted = 0 } = data;
  const old = new Map<string, Kept>();
  for (const { id } of presentations) {
    const one = await find(id);
    if (one) old.set(id, one);
  }
  if (about.cursor !== null && about.cursor > place) {
    // The host has gone back to an older state, where its places and its leases begin again.
    change.isReset = true;
    rows.clear("open");
    rows.clear("settled");
    change.kept = [];
  }
  for (const [i, one] of presentations.entries()) {
    const order = place - 1 + (i + 1) / (presentations.length + 1);
    const known = old.get(one.id);
    if (!change.isReset) takePresentation(rows, change, one, place, order, known);
    else {
      keep(rows, change, { seen: receivePresentation(one).seen, shown: one, order, place, version: 0 });
      if (!known) change.heard.push(one);
    }
  }
  about.omitted = omitted;
  if (omitted) return;
  const open = new Set(presentations.map((one) => one.id));
  for (const one of await rows.all("open"))
    if (!open.has(one.seen.id) && one.place <= place) keep(rows, change, takenOff(one));
}

/** A human has it before them, or has clicked it: it is taken off at once, and the host is told when it can be. */
export async function answer(rows: Rows, id: string, how: "seen" | "acknowledged"): Promise<Change | null> {
  const old = await findKept(rows, id);
  if (!old?.seen.is_whole || old.seen.settled || old.answered === "acknowledged" || old.answered === how) return null;
  const change: Change = { kept: [], heard: [], about: await readAbout(rows) };
  keep(rows, change, { ...takenOff(old), answered: how });
  const { lease, revision } = old.seen;
  queue(rows, change, acknowledgement({ kind: "displayed", id, lease, revision }, how));
  await forget(rows, change);
  rows.put("about", "", change.about);
  return change;
}

/** The page cannot display it. */
export async function fail(rows: Rows, id: string): Promise<Change | null> {
  const old = await findKept(rows, id);
  if (!old?.shown) return null;
  const change: Change = { kept: [], heard: [], about: await readAbout(rows) };
  queue(rows, change, { kind: "display_failed", id, lease: old.seen.lease });
  rows.put("about", "", change.about);
  return change;
}

/** What is open, and what is kept of these events. */
export async function look(rows: Rows, ids: Iterable<string>): Promise<Change> {
  const kept = new Map((await rows.all("open")).map((one) => [one.seen.id, one]));
  for (const id of ids) {
    const one = kept.get(id) ?? (await rows.get("settled", id));
    if (one) kept.set(id, one);
  }
  return { kept: [...kept.values()], heard: [], about: await readAbout(rows) };
}

/** Writes down what another tab has changed, where each has a storage of its own. */
export async function copy(rows: Rows, change: Change): Promise<void> {
  for (const one of change.kept) {
    const old = await findKept(rows, one.seen.id);
    if (!old || later(old, one) === one) put(rows, one);
  }
  const { version, epoch } = await readAbout(rows);
  const { about } = change;
  rows.put("about", "", { ...about, version: Math.max(version, about.version), epoch: Math.max(epoch, about.epoch) });
}

async function findKept(rows: Rows, id: string): Promise<Kept | undefined> {
  return (await rows.get("open", id)) ?? (await rows.get("settled", id));
}

function takenOff({ shown, ...rest }: Kept): Kept {
  return rest;
}

function acknowledgement(ack: Displayed, how: "seen" | "acknowledged"): Displayed {
  return { ...ack, how: how === "seen" ? "rendered" : "clicked" };
}

function keep(rows: Rows, change: Change, kept: Kept): void {
  kept.version = ++change.about.version;
  change.kept.push(kept);
  put(rows, kept);
}

function put(rows: Rows, kept: Kept): void {
  rows.delete(kept.shown ? "settled" : "open", kept.seen.id);
  rows.put(kept.shown ? "open" : "settled", kept.seen.id, kept);
}

function queue(rows: Rows, change: Change, message: ClientMessage): void {
  rows.put("unsent", message.id, { message, version: ++change.about.version, tries: 0 });
}

/** Keeps each table within its bound. */
async function forget(rows: Rows, change: Change): Promise<void> {
  if ((await rows.count("open")) > MAX_OPEN) {
    const open = (await rows.all("open")).sort((a, b) => b.order - a.order);
    for (const old of open.slice(MAX_OPEN)) {
      keep(rows, change, takenOff(old));
      change.about.omitted++;
    }
  }
  if ((await rows.count("settled")) > MAX_SEEN) {
    const rank = (one: Kept) => [+!one.seen.settled, one.version];
    const seen = (await rows.all("settled")).sort((a, b) => compare(rank(a), rank(b)));
    for (const old of seen.slice(0, seen.length - MAX_SEEN + FORGOTTEN_AT_ONCE)) rows.delete("settled", old.seen.id);
  }
  if ((await rows.count("unsent")) > MAX_UNSENT) {
    const unsent = (await rows.all("unsent")).sort((a, b) => a.version - b.version);
    for (const old of unsent.slice(0, unsent.length - MAX_UNSENT)) rows.delete("unsent", old.message.id);
  }
}
