/** Reads Server-Sent Events out of chunks of any size. Spec: HTML Standard §9.2. */

import { parse, readItem, readPlace } from "./read.ts";
import type { StreamItem } from "./read.ts";

/** So long one line may be, and all the data of one event. */
export const MAX_LINE = 1_048_576;

/** What a chunk brought: items, and how many events were malformed. `retry` is what the host asks for, in ms. */
export interface Chunk {
  items: StreamItem[];
  malformed: number;
  retry?: number;
}

/** A reader of one connection. */
export function eventReader(): (text: string) => Chunk {
  let line = "";
  let afterCr = false;
  let isBad = false;
  let name = "";
  let data: string[] = [];
  let size = 0;
  let place: number | null = null;

  function begin(): void {
    name = "";
    data = [];
    size = 0;
    isBad = false;
    place = null;
  }

  function end(chunk: Chunk): void {
    const item = isBad ? null : readItem(name || "message", parse(data.join("\n")), place);
    if (item) chunk.items.push(item);
    else if (isBad || data.length) {
      chunk.malformed++;
      // The stream goes on after it: to ask for it again would bring it again.
      if (place !== null) chunk.items.push({ event: "host", name: "", data: null, place });
    }
    begin();
  }

  function field(text: string, chunk: Chunk): void {
    const colon = text.indexOf(":");
    const key = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + (text[colon + 1] === " " ? 2 : 1));
    if (key === "data") {
      size += value.length;
      if (size > MAX_LINE) {
        isBad = true;
        data = [];
      } else data.push(value);
    } else if (key === "event") name = value;
    else if (key === "id") place = readPlace(value);
    else if (key === "retry" && readPlace(value) !== null) chunk.retry = +value;
  }

  return (text) => {
    const chunk: Chunk = { items: [], malformed: 0 };
    if (afterCr && text[0] === "\n") text = text.slice(1);
    if (text) afterCr = text.endsWith("\r");
    const lines = text.split(/\r\n|\r|\n/);
    lines.forEach((part, i) => {
      if (line.length + part.length > MAX_LINE) {
        isBad = true;
        line = ":"; // the rest of it is passed over, as a comment is
      } else line += part;
      if (i === lines.length - 1) return;
      if (!line) {
        if (isBad || data.length) end(chunk);
        else begin();
      } else field(line, chunk);
      line = "";
    });
    return chunk;
  };
}
