/** The connection to the host: Server-Sent Events or WebSocket, which goes on where it was cut off. */

import type { readItem, StreamItem } from "./read.ts";
import { eventReader } from "./sse.ts";
import { backOff, pause } from "./timers.ts";
import type { After } from "./timers.ts";

/** A host, and the means of a browser to speak with it. */
export interface Host {
  url: string;
  token?: (() => string | Promise<string>) | undefined;
  fetch: typeof fetch;
  WebSocket?: typeof WebSocket | undefined;
  after: After;
  online?: EventTarget | undefined;
}

/** `refused`: the host knows no such human, or has ended their session. */
export type Connection = "connecting" | "live" | "waiting" | "refused";

/** What a connection is for. */
export interface Follower {
  cursor(): number | null;
  /** Takes items; false where another tab has taken over. */
  take(items: StreamItem[]): Promise<boolean>;
  report(connection: Connection): void;
  malformed(count: number): void;
  /** Reads an item. */
  read: typeof readItem;
}

/** So many items are taken at once. */
const BATCH = 100;
/** A host says something every 15 s: after so long a silence the connection is dead. */
const SILENCE = 45_000;
/** A host may ask to wait so long. */
const MAX_WAIT = 300_000;

/** How a connection ended. */
export interface End {
  isTaken?: boolean;
  wasLive?: boolean;
  isRefused?: boolean;
  wait?: number;
}

/** Follows the stream until the signal is aborted, or another tab has taken over. */
export async function follow(
  host: Host,
  transport: "sse" | "websocket",
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    follower.report("connecting");
    // Of one connection all is called off together, also what the host has not ended.
    const one = new AbortController();
    const either = AbortSignal.any([one.signal, signal]);
    const end: End = await (
      transport === "sse"
        ? readEvents(host, follower, one, either)
        : import("./extras.ts").then(({ readFrames }) => readFrames(host, follower, one, either))
    ).catch(() => ({}));
    one.abort();
    if (end.isTaken || signal.aborted) return;
    if (end.wasLive) failures = 0;
    follower.report(end.isRefused ? "refused" : "waiting");
    await pause(Math.max(end.wait ?? 0, backOff(failures)), { ...host, signal });
  }
}

/** Asks the host: by the cookie of this origin, or by a token. */
export async function ask(host: Host, path: string, request: RequestInit): Promise<Response> {
  const headers: HeadersInit = { ...(request.headers as Record<string, string>) };
  if (host.token) headers.Authorization = `Bearer ${await host.token()}`;
  const credentials = host.token ? "omit" : "same-origin";
  return host.fetch(`${host.url}/${path}`, { cache: "no-store", ...request, headers, credentials });
}

/** Whether a host refuses what was sent, however often it is sent again: malformed, too large, not understood. */
export function isRefusal({ status }: Response): boolean {
  return [400, 413, 422].includes(status);
}

async function readEvents(host: Host, follower: Follower, one: AbortController, signal: AbortSignal): Promise<End> {
  const cursor = follower.cursor();
  const headers: HeadersInit = { Accept: "text/event-stream" };
  if (cursor !== null) headers["Last-Event-ID"] = `${cursor}`;
  const listen = () => host.after(SILENCE, () => one.abort());
  let callOff = listen();
  const result: End = {};
  try {
    const response = await ask(host, "stream", { headers, signal });
    const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
    if (!response.ok || !isStream || !response.body)
      return {
        isRefused: [401, 403].includes(response.status),
        wait: Math.min(+response.headers.get("Retry-After")! * 1_000 || 0, MAX_WAIT),
      };
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const feed = eventReader();
    for (;;) {
      callOff();
      callOff = listen();
      const { done, value } = await reader.read();
      if (done) break;
      const chunk = feed(decoder.decode(value, { stream: true }));
      if (!result.wasLive) follower.report("live");
      result.wasLive = true;
      if (chunk.malformed) follower.malformed(chunk.malformed);
      if (!(await takeAll(follower, chunk.items))) return { isTaken: true };
    }
  } catch {
    // cut off: the same as an end
  } finally {
    callOff();
  }
  return result;
}

/** Takes items, a bounded number at once. */
async function takeAll(follower: Follower, items: StreamItem[]): Promise<boolean> {
  for (let i = 0; i < items.length; i += BATCH) if (!(await follower.take(items.slice(i, i + BATCH)))) return false;
  return true;
}
