/** The connection to the host: Server-Sent Events or WebSocket, which goes on where it was cut off. */

import { readFrame } from "./read.ts";
import type { StreamItem } from "./read.ts";
import { eventReader, MAX_LINE } from "./sse.ts";
import { backOff, pause } from "./timers.ts";
import type { After } from "./timers.ts";

/** A host, and the means of a browser to speak with it. */
export interface Host {
  url: string;
  token?: (() => string | Promise<string>) | undefined;
  fetch: typeof fetch;
  WebSocket?: typeof WebSocket | undefined;
  after: After;
  random: () => number;
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
}

/** So many items are taken at once. */
const BATCH = 100;
/** So many items wait that came by WebSocket; a browser cannot ask the host to be slower. */
const MAX_WAITING = 2_000;
/** A host says something every 15 s: after so long a silence the connection is dead. */
const SILENCE = 45_000;
const MAX_RETRY = 300_000;

interface End {
  isTaken?: boolean;
  wasLive?: boolean;
  isRefused?: boolean;
  wait?: number;
}

/** Follows the stream until the signal is aborted, or another tab has taken over. */
export async function follow(host: Host, transport: "sse" | "websocket", follower: Follower, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    follower.report("connecting");
    // Of one connection all is called off together, also what the host has not ended.
    const one = new AbortController();
    const stop = () => one.abort();
    signal.addEventListener("abort", stop);
    let end: End;
    try {
      end = await (transport === "sse" ? readEvents : readFrames)(host, follower, one);
    } catch {
      end = {};
    }
    one.abort();
    signal.removeEventListener("abort", stop);
    if (end.isTaken || signal.aborted) return;
    if (end.wasLive) failures = 0;
    follower.report(end.isRefused ? "refused" : "waiting");
    await pause(Math.max(end.wait ?? 0, backOff(failures, host.random)), { ...host, signal });
  }
}

/** Who asks: by the cookie of this origin, or by a token. */
export async function credentials(host: Host): Promise<{ headers: Record<string, string>; credentials: RequestCredentials }> {
  if (!host.token) return { headers: {}, credentials: "same-origin" };
  return { headers: { Authorization: `Bearer ${await host.token()}` }, credentials: "omit" };
}

/** How long a host asks to wait, in milliseconds. */
export function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get("Retry-After"));
  return seconds > 0 ? Math.min(seconds * 1_000, MAX_RETRY) : 0;
}

async function readEvents(host: Host, follower: Follower, one: AbortController): Promise<End> {
  const cursor = follower.cursor();
  const { headers, ...rest } = await credentials(host);
  headers.Accept = "text/event-stream";
  if (cursor !== null) headers["Last-Event-ID"] = String(cursor);
  const alarm = silence(host, one);
  const result: End = {};
  try {
    const response = await host.fetch(`${host.url}/stream`, { ...rest, headers, cache: "no-store", signal: one.signal });
    const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
    if (!response.ok || !isStream || !response.body)
      return { isRefused: [401, 403].includes(response.status), wait: retryAfter(response) };
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const feed = eventReader();
    for (;;) {
      alarm.rearm();
      const { done, value } = await reader.read();
      if (done) break;
      const chunk = feed(decoder.decode(value, { stream: true }));
      if (!result.wasLive) follower.report("live");
      result.wasLive = true;
      if (chunk.retry !== undefined) result.wait = Math.min(chunk.retry, MAX_RETRY);
      if (chunk.malformed) follower.malformed(chunk.malformed);
      if (!(await takeAll(follower, chunk.items))) return { isTaken: true };
    }
  } catch {
    // cut off: the same as an end
  } finally {
    alarm.callOff();
  }
  return result;
}

async function readFrames(host: Host, follower: Follower, one: AbortController): Promise<End> {
  const cursor = follower.cursor();
  const { WebSocket } = host;
  if (!WebSocket) return { isRefused: true };
  const protocols = ["mentionable.notifications"];
  if (host.token) protocols.push(`bearer.${await host.token()}`);
  const url = `${host.url}/socket`.replace(/^http/, "ws") + (cursor === null ? "" : `?after=${cursor}`);
  const socket = new WebSocket(url, protocols);
  const waiting: StreamItem[] = [];
  const result: End = {};
  // A host that says `alive` now and then is taken to be dead when it does not.
  let alarm: ReturnType<typeof silence> | undefined;
  let isTaking = false;
  await new Promise<void>((resolve) => {
    const take = async () => {
      if (isTaking) return;
      isTaking = true;
      while (waiting.length && !result.isTaken && !one.signal.aborted)
        if (!(await takeAll(follower, waiting.splice(0, BATCH)).catch(() => false))) result.isTaken = true;
      isTaking = false;
      if (result.isTaken) one.abort();
    };
    one.signal.addEventListener("abort", () => resolve());
    socket.onclose = socket.onerror = () => resolve();
    socket.onopen = () => {
      follower.report("live");
      result.wasLive = true;
    };
    socket.onmessage = ({ data }) => {
      const item = typeof data === "string" && data.length <= MAX_LINE ? readFrame(data) : null;
      if (item?.event === "host" && item.name === "alive") alarm ??= silence(host, one);
      else if (!item) follower.malformed(1);
      else if (waiting.push(item) > MAX_WAITING) resolve();
      alarm?.rearm();
      void take();
    };
  });
  alarm?.callOff();
  waiting.length = 0;
  socket.onmessage = socket.onclose = null;
  socket.close();
  return result;
}

/** Takes items, a bounded number at once. */
async function takeAll(follower: Follower, items: StreamItem[]): Promise<boolean> {
  for (let i = 0; i < items.length; i += BATCH) if (!(await follower.take(items.slice(i, i + BATCH)))) return false;
  return true;
}

/** Ends a connection on which nothing comes any more. */
function silence({ after }: Host, one: AbortController): { rearm(): void; callOff(): void } {
  let callOff = after(SILENCE, () => one.abort());
  return {
    rearm() {
      callOff();
      callOff = after(SILENCE, () => one.abort());
    },
    callOff: () => callOff(),
  };
}
