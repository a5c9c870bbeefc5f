/**
 * What a client does with what comes in, by the `Seen` that its device keeps of each event.
 *
 * These are the rules of `mentionable.anp` (`receive_presentation`, `receive_settled`, `later_seen`).
 */

import type { Displayed, Presentation, Seen, Settled } from "./types.ts";

/** What to do, what to keep from now on, and what to send once the human has it before them. */
export interface Reception {
  showing: "show" | "replace" | "settle" | "repeat" | "stale";
  seen: Seen;
  ack: Displayed | null;
}

/** Of an event never a lower lease, nor under one lease an older revision, nor anything after it was settled there. */
export function receivePresentation(presentation: Presentation, seen?: Seen): Reception {
  const { id, revision, lease, surface, cut } = presentation;
  const now: Seen = { id, revision, lease, surface, is_whole: !cut?.length };
  const ack: Displayed = { kind: "displayed", id, lease, revision };
  const whole = now.is_whole ? ack : null;
  if (!seen) return { showing: "show", seen: now, ack: whole };
  const order = compare(orderOf(now), orderOf(seen));
  if (order < 0) return { showing: "stale", seen, ack: null };
  if (!order && (seen.is_whole || !now.is_whole)) return { showing: "repeat", seen, ack: seen.is_whole ? ack : null };
  return { showing: seen.settled ? "show" : "replace", seen: now, ack: whole };
}

/** An event that was settled is kept as such, also where nothing of it was displayed: its presentation may be late. */
export function receiveSettled(settled: Settled, seen?: Seen): Reception {
  const { id, revision, lease, surface, how } = settled;
  const now: Seen = { id, revision, lease, surface, is_whole: seen?.is_whole ?? true, settled: how };
  if (!seen || compare(orderOf(seen), orderOf(now)) < 0) return { showing: "settle", seen: now, ack: null };
  return { showing: seen.settled && seen.lease === lease ? "repeat" : "stale", seen, ack: null };
}

/** The later of what two tabs keep of an event, in whichever order and how often they are put together. */
export function laterSeen(one: Seen, other: Seen): Seen {
  return compareSeen(one, other) < 0 ? other : one;
}

/** Which of two is later: a negative number where it is the second. */
export function compareSeen(one: Seen, other: Seen): number {
  return compare([...orderOf(one), +one.is_whole, one.settled ?? ""], [...orderOf(other), +other.is_whole, other.settled ?? ""]);
}

/** What is settled under a lease is the last of it, whatever its words and its surface. */
function orderOf(seen: Seen): number[] {
  return [seen.lease, +!!seen.settled, seen.revision, +(seen.surface === "inbox")];
}

/** The order of two lists of the same length, member by member. */
export function compare(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  for (let i = 0; i < one.length; i++) {
    const [a, b] = [one[i]!, other[i]!];
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}
