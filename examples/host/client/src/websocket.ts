/** The stream of a person by WebSocket. It is fetched where it is asked for: nothing else is imported here. */

import type { StreamItem } from "./read.ts";
import type { End, Follower, Host } from "./stream.ts";

/** So many items are taken at once. */
const BATCH = 100;
/** So many wait; a browser cannot ask the host to be slower. */
const MAX_WAITING = 2_000;
/** So many characters of them. */
const MAX_SIZE = 8_388_608;
/** So long a frame may be. */
const MAX_FRAME = 1_048_576;

/** Reads frames until the connection ends. */
export async function readFrames(
  host: Host,
  follower: Follower,
  one: AbortController,
  signal: AbortSignal,
): Promise<End> {
  const cursor = follower.cursor();
  const protocols = ["mentionable.notifications"];
  if (host.token) protocols.push(`bearer.${await host.token()}`);
  const url = `${host.url}/socket`.replace("http", "ws") + (cursor === null ? "" : `?after=${cursor}`);
  const socket = new host.WebSocket!(url, protocols);
  const waiting: StreamItem[] = [];
  const result: End = {};
  let size = 0;
  let isTaking = false;
  let taking: Promise<void> | undefined;
  const take = async () => {
    isTaking = true;
    while (waiting.length && !signal.aborted)
      if (!(await follower.take(waiting.splice(0, BATCH)).catch(() => false))) {
        result.isTaken = true;
        one.abort();
      }
    isTaking = false;
    size = 0;
  };
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve());
    socket.onclose = () => resolve();
    socket.onopen = () => {
      follower.report("live");
      result.wasLive = true;
    };
    socket.onmessage = ({ data }) => {
      const item = readFrame(data, follower.read);
      if (!item) follower.malformed(1);
      else if (waiting.push(item) > MAX_WAITING || (size += data.length) > MAX_SIZE) resolve();
      if (!isTaking) taking = take();
    };
  });
  socket.onmessage = null;
  socket.close();
  one.abort();
  await taking;
  return result;
}

/** An item out of a text frame: an object of `place`, `event` and `data`. */
export function readFrame(text: unknown, read: Follower["read"]): StreamItem | null {
  try {
    if (typeof text !== "string" || text.length > MAX_FRAME) return null;
    const { place, event, data } = JSON.parse(text);
    return typeof event === "string"
      ? read(event, data, Number.isSafeInteger(place) && place >= 0 ? place : null)
      : null;
  } catch {
    return null;
  }
}
