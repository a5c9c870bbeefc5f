// @ts-check
/** Whether the human has an event before them in this window. A window without the focus is beside another one. */

/** @import { Client } from "../../../client/src/index.ts" */

/** An event that was in view so long counts as seen here, in milliseconds; the client reports it after a second. */
const IN_VIEW_MS = 900;

/**
 * @typedef {object} Watched
 * @property {HTMLElement} element
 * @property {(() => void) | null} stop
 * @property {number} since
 * @property {boolean} isClicked
 */

/** @param {Client} client */
export function createWatcher(client) {
  /** @type {Map<string, Watched>} */
  const watched = new Map();

  const isAttended = () => document.visibilityState === "visible" && document.hasFocus();

  function update() {
    for (const [id, one] of watched) {
      if (isAttended() && !one.stop) {
        one.since = performance.now();
        one.stop = client.observe(one.element, id);
      } else if (!isAttended()) {
        one.stop?.();
        one.stop = null;
      }
    }
  }

  for (const name of ["focus", "blur"]) window.addEventListener(name, update);
  document.addEventListener("visibilitychange", update);

  return {
    /**
     * @param {HTMLElement} element
     * @param {string} id
     */
    start(element, id) {
      watched.get(id)?.stop?.();
      watched.set(id, { element, stop: null, since: 0, isClicked: false });
      update();
    },
    /** @param {string} id */
    clicked(id) {
      const one = watched.get(id);
      if (one) one.isClicked = true;
    },
    /**
     * Ends it; says whether the event was settled in this window, and how.
     * @param {string} id
     * @returns {"clicked" | "viewed" | null}
     */
    end(id) {
      const one = watched.get(id);
      watched.delete(id);
      if (!one) return null;
      const isViewed = one.stop !== null && performance.now() - one.since >= IN_VIEW_MS && isInView(one.element);
      one.stop?.();
      return one.isClicked ? "clicked" : isViewed ? "viewed" : null;
    },
  };
}

/** @param {HTMLElement} element */
function isInView(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
