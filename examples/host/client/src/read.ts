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

const HOWS = ["seen", "acknowledged", "withdrawn", "escalated"];

/** An item by its name on the stream; `null` where it is malformed. */
export function readItem(name: string, data: unknown, place: number | null): StreamItem | null {
  if (name === "presentation") return isPresentation(data) ? { event: name, data, place } : null;
  if (name === "settled") return isSettled(data) ? { event: name, data, place } : null;
  if (name !== "snapshot") return name ? { event: "host", name, data, place } : null;
  if (!isObject(data) || !Array.isArray(data.presentations)) return null;
  const presentations = data.presentations.filter(isPresentation);
  // What cannot be read is omitted, so that nothing is taken off the screen for it.
  const omitted = data.presentations.length - presentations.length + (isCount(data.omitted) ? data.omitted : 0);
  return { event: name, data: { kind: name, presentations, omitted }, place };
}

/** A frame of WebSocket, and a message of Web Push: an object of `place`, `event` and `data`. */
export function readFrame(text: string): StreamItem | null {
  const frame = parse(text);
  if (!isObject(frame) || typeof frame.event !== "string") return null;
  return readItem(frame.event, frame.data, isCount(frame.place) ? frame.place : null);
}

/** A place as `id` of Server-Sent Events gives it. */
export function readPlace(text: string): number | null {
  return /^[0-9]{1,16}$/.test(text) && isCount(+text) ? +text : null;
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

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isEvent(value: unknown): value is Members {
  return (
    isObject(value) &&
    isName(value.id) &&
    isName(value.user_id) &&
    isCount(value.revision) &&
    isCount(value.lease) &&
    value.revision > 0 &&
    value.lease > 0 &&
    (value.surface === "inbox" || value.surface === "chat")
  );
}

function isPresentation(value: unknown): value is Presentation {
  return isEvent(value) && typeof value.content === "string" && areNames(value.actions) && areNames(value.cut);
}

function isSettled(value: unknown): value is Settled {
  return isEvent(value) && HOWS.includes(value.how as string);
}

function areNames(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isName));
}
