/** One tab leads: it alone has a connection. Another takes over when it is closed, or does not answer any more. */

import { pause } from "./timers.ts";
import type { After } from "./timers.ts";

/** What a browser offers for it: Web Locks, as far as they are needed. */
export interface Locks {
  request(
    name: string,
    options: { signal?: AbortSignal; steal?: boolean },
    hold: (lock: unknown) => Promise<void>,
  ): Promise<unknown>;
}

export interface Election {
  name: string;
  /** Without it every tab leads itself. */
  locks: Locks | undefined;
  after: After;
  /** Asks the leader whether it is alive. */
  probe(): void;
  /** Leads until the signal is aborted. */
  lead(signal: AbortSignal): Promise<void>;
}

/** A tab asks so often; a leader that does not answer so many times loses its place. */
const PROBE_EVERY = 5_000;
const MAX_UNANSWERED = 3;
/** A term that ended by itself is followed by another after so long. */
const BETWEEN_TERMS = 1_000;

/** Takes part until the signal is aborted; the result is to be called where something came from the leader. */
export function elect(election: Election, signal: AbortSignal): () => void {
  const { name, after } = election;
  let { locks } = election;
  let isLeader = false;
  let unanswered = 0;
  let isOverdue = false;
  let request = new AbortController();
  let term = new AbortController();
  let held: Promise<void> = Promise.resolve();

  async function lead(): Promise<void> {
    if (signal.aborted) return;
    term = new AbortController();
    isLeader = true;
    unanswered = 0;
    await election.lead(term.signal).catch(() => {}); // another term follows
    isLeader = false;
  }

  async function stand(): Promise<void> {
    while (!signal.aborted) {
      request = new AbortController();
      const options = isOverdue ? { steal: true } : { signal: request.signal };
      isOverdue = false;
      const hold = () => (held = lead());
      try {
        await (locks ? locks.request(name, options, hold) : hold());
      } catch (error) {
        // The lock was taken from this tab, or this tab is about to take it from another; or there are no locks here.
        if ((error as Error)?.name !== "AbortError") locks = undefined;
        term.abort();
        await held;
      }
      if (!isOverdue) await pause(BETWEEN_TERMS, { after, signal });
    }
  }

  function probe(): void {
    if (!isLeader && ++unanswered > MAX_UNANSWERED) {
      unanswered = 0;
      isOverdue = true;
      request.abort();
    } else if (!isLeader) election.probe();
    stopProbing = after(PROBE_EVERY, probe);
  }

  let stopProbing = () => {};
  signal.addEventListener("abort", () => {
    stopProbing();
    term.abort();
    request.abort();
  });
  if (locks) stopProbing = after(PROBE_EVERY, probe);
  void stand();
  return () => {
    unanswered = 0;
  };
}
