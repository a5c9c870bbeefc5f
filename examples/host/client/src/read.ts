/** Reads what comes from a host. Nothing of it is trusted: what is not of the expected form is `null`. */

import type { Presentation, Settled, Snapshot } from "./types.ts";

/** What stands at a place of the stream of a person. */
export type StreamItem = { place: number | null } & (
  | { event: "presentation"; data: Presentation }
  | { event: "settled"; data: Settled }
  | { event: "snapshot"; data: Snapshot }
  | { event: "host"; name: string; data: unknown }
);

type Members = { [name: string]: unknown };

const HOW = /^(seen|acknowledged|withdrawn|escalated)$/;
const SURFACE = /^(inbox|chat)$/;

/** An item by its name on the stream; `null` where it is malformed. */
export function readItem(event: string, data: unknown, place: number | null): StreamItem | null {
  if (event === "presentation") return isPresentation(data) ? { event, data, place } : null;
  if (event === "settled")
    return isEvent(data) && HOW.test(data.how as string) ? { event, data: data as unknown as Settled, place } : null;
  if (event !== "snapshot") return event ? { event: "host", name: event, data, place } : null;
  if (!isObject(data) || !Array.isArray(data.presentations)) return null;
  const presentations = data.presentations.filter(isPresentation);
  // What cannot be read is omitted, so that nothing is taken off the screen for it.
  const omitted = data.presentations.length - presentations.length + (isCount(data.omitted) ? data.omitted : 0);
  return { event, data: { kind: event, presentations, omitted }, place };
}

/** A message of Web Push: a presentation, or what was settled, which alone has a `kind`. */
export function readPush(text: string): StreamItem | null {
  const data = parse(text);
  return isObject(data) ? readItem(data.kind === "settled" ? data.kind : "presentation", data, null) : null;
}

/** A place as `id` of Server-Sent Events gives it. */
export function readPlace(text: string): number | null {
  return /^\d{1,16}$/.test(text) && isCount(+text) ? +text : null;
}

/** JSON; `undefined` where it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isEvent(value: unknown): value is Members {
  if (!isObject(value)) return false;
  const { id, user_id, revision, lease, surface } = value;
  return (
    isName(id) &&
    isName(user_id) &&
    SURFACE.test(surface as string) &&
    [revision, lease].every((one) => one && isCount(one))
  );
}

function isPresentation(value: unknown): value is Presentation {
  if (!isEvent(value)) return false;
  const { content, actions = [], cut = [] } = value;
  return typeof content === "string" && [actions, cut].every((one) => Array.isArray(one) && one.every(isName));
}
