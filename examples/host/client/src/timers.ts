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
export function backOff(failures: number, random: () => number, first = FIRST): number {
  return Math.min(MAX, first * 2 ** Math.min(failures, 16)) * (0.5 + random() / 2);
}

/** Waits; ends early where the signal is aborted or the browser says that it is online. */
export function pause(milliseconds: number, { after, signal, online }: { after: After; signal: AbortSignal; online?: EventTarget | undefined }): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      callOff();
      signal.removeEventListener("abort", end);
      online?.removeEventListener("online", end);
      resolve();
    };
    const callOff = after(milliseconds, end);
    signal.addEventListener("abort", end);
    online?.addEventListener("online", end);
  });
}
