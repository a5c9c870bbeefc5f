// A client: what it does with what comes in, and what it says. Agentic Notification Protocol 5.1, 6.3 and 7.1.
//
// Effects happen at least once, and in any order. A client displays each event once, and in the end its newest words.

import { settledForm } from "./anp-effects.ts";
import { shortName } from "./anp-event.ts";
import { presentationForm } from "./anp-presentation.ts";
import { parseText } from "./json.ts";
import { ordinal } from "./leaves.ts";
import { must } from "./rejected.ts";
import { byKind, isText, type Json, maybe, needed, oneOf, record, strictly, type Value } from "./shape.ts";

const MOST_BYTES = 16_384; // of one message of a client

/** What a device keeps of an event that it has displayed, or that was settled. */
interface Seen {
  lease: number;
  revision: number;
  isInInbox: boolean;
  /** Whether nothing of it was cut. */
  isWhole: boolean;
  isSettled: boolean;
}

/** What a client does, and what it acknowledges: a lease and a revision. */
interface Reception {
  showing: "show" | "replace" | "settle" | "repeat" | "stale";
  seen: Seen;
  ack: [lease: number, revision: number] | null;
}

/** Lease by lease; what is settled under a lease is the last of it; from a chat that is gone to the inbox. */
function compare(one: Seen, other: Seen): number {
  const order = (seen: Seen) => [seen.lease, Number(seen.isSettled), seen.revision, Number(seen.isInInbox)];
  const [here, there] = [order(one), order(other)] as [number[], number[]];
  return here.map((part, at) => part - (there[at] as number)).find((difference) => difference !== 0) ?? 0;
}

function receivePresentation(given: Value, before: Seen | undefined): Reception {
  const { lease, revision, surface, cut = [] } = given;
  const seen = { lease, revision, isInInbox: surface === "inbox", isWhole: !cut.length, isSettled: false };
  // who has seen a part has not seen it
  const ackOf = ({ isWhole }: Seen): Reception["ack"] => (isWhole ? [lease, revision] : null);
  if (!before) return { showing: "show", seen, ack: ackOf(seen) };
  const order = compare(seen, before);
  if (order < 0) return { showing: "stale", seen: before, ack: null };
  // the first acknowledgement may have been lost
  if (order === 0 && (before.isWhole || !seen.isWhole)) return { showing: "repeat", seen: before, ack: ackOf(before) };
  return { showing: before.isSettled ? "show" : "replace", seen, ack: ackOf(seen) }; // what was settled is gone
}

function receiveSettled({ lease, revision, surface }: Value, before: Seen | undefined): Reception {
  const isWhole = before?.isWhole ?? true;
  const seen = { lease, revision, isInInbox: surface === "inbox", isWhole, isSettled: true };
  if (!before || compare(before, seen) < 0) return { showing: "settle", seen, ack: null };
  const isRepeated = before.isSettled && before.lease === lease;
  return { showing: isRepeated ? "repeat" : "stale", seen: before, ack: null };
}

/** `anp.receive_presentation`: one after another. */
export function received({ shown: items }: Value) {
  const kept = new Map<Json, Seen>();
  return items.map((item: Json) => {
    const isSettled = item.kind === "settled";
    const given = strictly(isSettled ? settledForm : presentationForm, item);
    const found = (isSettled ? receiveSettled : receivePresentation)(given, kept.get(given.id));
    kept.set(given.id, found.seen);
    return [found.showing, found.ack];
  });
}

const messageForm = byKind({
  displayed: record({
    id: needed(shortName),
    lease: needed(ordinal),
    revision: needed(ordinal),
    how: maybe(oneOf("rendered", "clicked")),
  }),
  display_failed: record({ id: needed(shortName), lease: needed(ordinal) }),
});

/** `anp.client_message`: whose client it is, the host says. What one device cannot display another may. */
export function clientCommand({ data, user_id: userId }: Value): Value {
  const message = strictly(messageForm, isText(data) ? parseText(data, { maxBytes: MOST_BYTES }) : data);
  must(isText(userId) && userId !== "");
  const { kind, lease, revision, how } = message;
  if (kind === "display_failed") return { kind: "delivery_failed", lease, user_id: userId, is_final: false };
  const ack = { kind: "client_ack", lease, user_id: userId, revision };
  return how === undefined ? ack : { ...ack, how };
}
