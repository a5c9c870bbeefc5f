/**
 * Sends what clients say about events. It waits in the storage of the device until the host has answered, whatever the
 * answer is: that an event is `already-terminal` or its lease is `stale-lease` is as good as thanks, and no other
 * refusal becomes different by sending it again.
 */

import type { Rows } from "./storage.ts";
import { ask, isRefusal } from "./stream.ts";
import type { Host } from "./stream.ts";

/** So many messages a request holds. */
const BATCH = 100;
/** A body of more bytes is not sent by a page that is being closed. */
const MAX_KEPT_ALIVE = 60_000;

export type Transact = <R>(work: (rows: Rows) => Promise<R>) => Promise<R>;

/** Sends the first hundred messages: whether the host has answered, `null` where nothing waits. */
export async function sendBatch(host: Host, transact: Transact): Promise<boolean | null> {
  const unsent = await transact((rows) => rows.all("unsent", BATCH));
  if (!unsent.length) return null;
  const messages = unsent.map((one) => one.message);
  const response = await post(host, "client", messages).catch(() => null);
  const answered = new Set<unknown>();
  try {
    for (const { id } of isRefusal(response!) ? messages : (await response!.json()).results)
      answered.add(id);
  } catch {
    // No answer at all, or none that says anything.
  }
  await transact(async (rows) => {
    for (const {
      message: { id },
      version,
    } of unsent)
      // There may be a newer message about the same event since.
      if (answered.has(id) && (await rows.get("unsent", id))?.version === version) rows.delete("unsent", id);
  });
  return answered.size > 0;
}

/** A request with JSON. */
export function post(host: Host, path: string, value: unknown, method = "POST"): Promise<Response> {
  const body = JSON.stringify(value);
  return ask(host, path, {
    method,
    headers: { "Content-Type": "application/json" },
    body,
    keepalive: body.length < MAX_KEPT_ALIVE,
  });
}
