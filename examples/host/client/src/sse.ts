/** Reads Server-Sent Events out of chunks of any size. Spec: HTML Standard §9.2. */

import { parse, readItem, readPlace } from "./read.ts";
import type { StreamItem } from "./read.ts";

/** So many characters an event may have, with the comments before it. */
export const MAX_EVENT = 1_048_576;

/** What a chunk brought: items, and how many events were malformed. */
export interface Chunk {
  items: StreamItem[];
  malformed: number;
}

/** A reader of one connection. */
export function eventReader(): (text: string) => Chunk {
  let last = "";
  let rest = "";
  let isTooLong = false;

  function read(event: string, chunk: Chunk): void {
    let name = "message";
    let place: number | null = null;
    const data: string[] = [];
    for (const line of event.split("\n")) {
      const [, key, value] = /^([^:]*):? ?([^]*)$/.exec(line)!;
      if (key === "data") data.push(value!);
      if (key === "event") name = value!;
      if (key === "id") place = readPlace(value!);
    }
    const isBad = isTooLong || event.length > MAX_EVENT;
    const item = isBad ? null : readItem(name, parse(data.join("\n")), place);
    if (item && data.length) chunk.items.push(item);
    else if (isBad || data.length) {
      chunk.malformed++;
      // The stream goes on after it: to ask for it again would bring it again.
      chunk.items.push({ event: "host", name: "", data: null, place });
    }
    isTooLong = false;
  }

  return (text) => {
    const chunk: Chunk = { items: [], malformed: 0 };
    rest += text;
    // Where no line ends nothing is read again, so that time grows with the bytes alone.
    if (/\r|\n/.test(last + text)) {
      // After a CR at the end a line feed may come later.
      const events = rest.replace(/\r(?!$)\n?/g, "\n").split("\n\n");
      rest = events.pop()!;
      for (const event of events) read(event, chunk);
    }
    last = text; // which may end with a CR
    if (rest.length > MAX_EVENT) {
      rest = "";
      isTooLong = true;
    }
    return chunk;
  };
}
