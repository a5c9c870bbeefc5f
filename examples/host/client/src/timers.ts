/** Waiting. Nothing here reads a clock, so it does not matter where that is set to. */

/** Runs a function later, in milliseconds; the result calls it off. */
export type After = (milliseconds: number, run: () => void) => () => void;

export const after: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

const FIRST = 500;
const MAX = 30_000;

/** How long to wait after so many failures: twice as long each time, with jitter, at most 30 s. */
export function backOff(failures: number): number {
  return Math.min(MAX, FIRST * 2 ** failures) * (0.5 + Math.random() / 2);
}

/** Waits; ends early where the signal is aborted or the browser says that it is online. */
export async function pause(
  milliseconds: number,
  by: { after: After; signal: AbortSignal; online?: EventTarget | undefined },
): Promise<void> {
  if (by.signal.aborted) return;
  const ended = new AbortController();
  const { signal } = ended;
  await new Promise<void>((resolve) => {
    const callOff = by.after(milliseconds, resolve);
    signal.addEventListener("abort", callOff);
    by.signal.addEventListener("abort", () => resolve(), { signal });
    by.online?.addEventListener("online", () => resolve(), { signal });
  });
  ended.abort();
}
