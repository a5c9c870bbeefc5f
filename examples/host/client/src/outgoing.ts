/** Sends what clients say about events. It waits in the storage of the device until the host has answered. */

import type { Rows, Unsent } from "./storage.ts";
import { credentials, retryAfter } from "./stream.ts";
import type { Host } from "./stream.ts";
import { isObject } from "./read.ts";

/** So many messages a request holds. */
const BATCH = 100;
/** After so many answers that refuse a message it is given up. */
const MAX_TRIES = 5;
/** A body of more bytes is not sent by a page that is being closed. */
const MAX_KEPT_ALIVE = 60_000;
/** What a host calls a message that needs no other try. */
const DONE = /^(already-terminal|stale-.*)$/;

export type Transact = <R>(work: (rows: Rows) => Promise<R>) => Promise<R>;

/** What one request did: whether there is more, and how long to wait before the next; `null`: there is nothing. */
export type Sent = { isDone: boolean; wait: number; isRefused?: boolean } | null;

/** Sends the first hundred messages. */
export async function sendBatch(host: Host, transact: Transact): Promise<Sent> {
  const unsent = await transact((rows) => rows.all("unsent", BATCH));
  if (!unsent.length) return null;
  const response = await post(host, "client", unsent.map((one) => one.message)).catch(() => null);
  if (!response) return { isDone: false, wait: 0 };
  const isMistake = [400, 404, 405, 413, 415, 422].includes(response.status);
  if (!response.ok && !isMistake) return { isDone: false, wait: retryAfter(response), isRefused: [401, 403].includes(response.status) };
  const codes = response.ok ? await readCodes(response) : new Map();
  await transact((rows) => strike(rows, unsent, codes));
  return { isDone: unsent.every((one) => isDone(codes.get(one.message.id))), wait: 0 };
}

/** A POST of JSON. */
export async function post(host: Host, path: string, value: unknown, method = "POST"): Promise<Response> {
  const body = JSON.stringify(value);
  const { headers, ...rest } = await credentials(host);
  headers["Content-Type"] = "application/json";
  return host.fetch(`${host.url}/${path}`, { ...rest, method, headers, body, keepalive: body.length < MAX_KEPT_ALIVE });
}

/** What the host says to each message, by the id of its event: `null` where it was taken. */
async function readCodes(response: Response): Promise<Map<unknown, unknown>> {
  const answer: unknown = await response.json().catch(() => null);
  const results = isObject(answer) && Array.isArray(answer.results) ? answer.results.filter(isObject) : [];
  return new Map(results.map((one) => [one.id, one.code]));
}

function isDone(code: unknown): boolean {
  return code === null || (typeof code === "string" && DONE.test(code));
}

/** Strikes out what was sent, except where there is a newer message about the same event since. */
async function strike(rows: Rows, sent: Unsent[], codes: Map<unknown, unknown>): Promise<void> {
  for (const one of sent) {
    const { id } = one.message;
    if ((await rows.get("unsent", id))?.version !== one.version) continue;
    if (isDone(codes.get(id)) || one.tries + 1 >= MAX_TRIES) rows.delete("unsent", id);
    else rows.put("unsent", id, { ...one, tries: one.tries + 1 });
  }
}
