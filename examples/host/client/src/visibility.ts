/** Notices that a human has an element before them: enough of it is in view, for a moment, on a page that is visible. */

import type { After } from "./timers.ts";

/** So much of an element, or of what is in view, it must be. */
const SHARE = 0.5;
/** So long it must be there, in milliseconds. */
const DWELL = 1_000;

/** Calls `seen` once; the result stops watching. */
export function watch(element: Element, after: After, seen: () => void): () => void {
  let isInView = false;
  let callOff = () => {};

  function update(): void {
    callOff();
    if (isInView && document.visibilityState === "visible")
      callOff = after(DWELL, () => {
        stop();
        seen();
      });
  }

  function stop(): void {
    callOff();
    observer.disconnect();
    document.removeEventListener("visibilitychange", update);
  }

  const observer = new IntersectionObserver(
    (entries) => {
      const { intersectionRatio, intersectionRect, rootBounds } = entries.at(-1)!;
      // What is higher than the window is never in view as a whole.
      const isNow = intersectionRatio >= SHARE || intersectionRect.height >= (rootBounds?.height ?? Infinity) * SHARE;
      if (isNow !== isInView) {
        isInView = isNow;
        update();
      }
    },
    { threshold: [0, 0.1, 0.25, SHARE] },
  );
  document.addEventListener("visibilitychange", update);
  observer.observe(element);
  return stop;
}
