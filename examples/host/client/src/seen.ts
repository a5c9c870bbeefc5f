/**
 * What a client does with what comes in, by the `Seen` that its device keeps of each event.
 *
 * These are the rules of `mentionable.anp` (`receive_presentation`, `receive_settled`, `later_seen`).
 */

import type { Displayed, Presentation, Seen, Settled } from "./types.ts";

/** What to do, and what to keep from now on: before anything is heard or displayed. */
export interface Reception {
  showing: "show" | "replace" | "settle" | "repeat" | "stale";
  seen: Seen;
}

/** Of an event never a lower lease, nor under one lease an older revision, nor anything after it was settled there. */
export function receivePresentation({ id, revision, lease, surface, cut }: Presentation, seen?: Seen): Reception {
  const now: Seen = { id, revision, lease, surface, is_whole: !cut?.length };
  if (!seen) return { showing: "show", seen: now };
  const order = compare(orderOf(now), orderOf(seen));
  if (order < 0) return { showing: "stale", seen };
  if (!order && (seen.is_whole || !now.is_whole)) return { showing: "repeat", seen };
  return { showing: seen.settled ? "show" : "replace", seen: now };
}

/** An event that was settled is kept as such, also where nothing of it was displayed: its presentation may be late. */
export function receiveSettled({ id, revision, lease, surface, how }: Settled, seen?: Seen): Reception {
  const now: Seen = { id, revision, lease, surface, is_whole: seen?.is_whole ?? true, settled: how };
  if (!seen || compare(orderOf(seen), orderOf(now)) < 0) return { showing: "settle", seen: now };
  return { showing: seen.settled && seen.lease === lease ? "repeat" : "stale", seen };
}

/** What to send once the human has it before them; of what was cut nothing, before the rest is displayed. */
export function acknowledgement({ showing, seen }: Reception): Displayed | null {
  const { id, lease, revision, is_whole } = seen;
  return is_whole && showing !== "stale" && showing !== "settle" ? { kind: "displayed", id, lease, revision } : null;
}

/** The later of what two tabs keep of an event, in whichever order and how often they are put together. */
export function laterSeen(one: Seen, other: Seen): Seen {
  return compare(rankOf(one), rankOf(other)) < 0 ? other : one;
}

/** What decides which of two is later. */
export function rankOf(seen: Seen): (number | string)[] {
  return [...orderOf(seen), +seen.is_whole, seen.settled ?? ""];
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
