// What the clients of a person receive, item after item: as Server-Sent Events, whose ids are places in the stream, and
// as text frames of WebSocket. HTML Standard 9.2, RFC 6455, ruling R48.

import { settledForm } from "./anp-effects.ts";
import { presentationForm } from "./anp-presentation.ts";
import { parseText } from "./json.ts";
import { count } from "./leaves.ts";
import { must } from "./rejected.ts";
import { type Form, isObject, isText, type Json, list, needed, record, strictly } from "./shape.ts";
import type { Value } from "./shape.ts";

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const PLACE = /^[0-9]{1,16}$/;

/** An item: a host may add others, by names of its own. */
interface Item {
  place?: number;
  event: string;
  data: Json;
}

const FORMS: Record<string, Form> = {
  presentation: presentationForm,
  settled: settledForm,
  snapshot: record(
    { presentations: needed(list(presentationForm)), omitted: needed(count) },
    { kind: "snapshot" },
  ),
};

function asItem(members: Json): Item {
  must(isObject(members) && isText(members.event));
  const { event, data: given = null, place: where = null } = members;
  const place = where === null ? {} : { place: strictly(count, where) };
  const form = Object.hasOwn(FORMS, event) ? FORMS[event] : undefined;
  must(form || NAME.test(event));
  return { ...place, event, data: form ? strictly(form, given) : given };
}

/** An item as one event of Server-Sent Events; JSON on one line has no line end. */
function eventOf({ place, event, data }: Item): string {
  const id = place === undefined ? "" : `id: ${place}\n`;
  return `event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`;
}

/** The item in a whole event. */
function readEvent(written: string): Item {
  const fields = new Map<string, string>();
  for (const line of written.split(/\r\n|\n|\r/).filter(Boolean)) {
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line) as unknown as [string, string, string];
    const before = name === "data" ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  const place = placeIn(fields.get("id"));
  const data = parseText(fields.get("data") ?? "");
  return asItem({ event: fields.get("event") ?? "message", data, ...(place === undefined ? {} : { place }) });
}

/** `anp.stream`: an item in both framings, and what a reader makes of each. */
export function streamed({ item: given }: Value) {
  const item = asItem(parseText(JSON.stringify(given)));
  const [sse, frame] = [eventOf(item), JSON.stringify(item)];
  return { sse, read: readEvent(sse), frame, back: asItem(parseText(frame)) };
}

/** A place as it is written; undefined for what is none. */
function placeIn(text: string | null | undefined): number | undefined {
  return PLACE.test(text ?? "") && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

/**
 * `anp.resume`: the place after which the stream goes on. Null, and it begins with a snapshot, for a client that names
 * no place, one whose successors are gone, or one that was never reached.
 */
export function resumed({ last_event_id: last, oldest: first, newest: end }: Value): number | null {
  must(last === null || isText(last));
  const [oldest, newest] = [strictly(count, first), strictly(count, end)];
  const place = placeIn(last);
  const isKept = place !== undefined && place >= Math.max(oldest - 1, 0) && place <= newest;
  return isKept ? place : null;
}
