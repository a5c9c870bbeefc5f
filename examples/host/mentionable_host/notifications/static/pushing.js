// @ts-check
/** The button that turns push on for this device, and the one script that may become a service worker. */

/** @import { Client } from "../../../client/src/index.ts" */

import { part } from "./elements.js";

/**
 * Browsers with Trusted Types ask which script may become the service worker: the one of the host alone.
 * @param {string} url
 */
export function trustWorker(url) {
  const types = /** @type {any} */ (globalThis).trustedTypes;
  const worker = new URL(`${url}/static/worker.js`, location.href);
  types?.createPolicy("default", {
    createScriptURL(/** @type {string} */ asked) {
      const { origin, pathname } = new URL(asked, location.href);
      return origin === worker.origin && pathname === worker.pathname ? asked : null;
    },
  });
}

/**
 * Shows the button where there is push.
 * @param {Client} client
 * @param {string} url
 * @param {(words: string) => void} say Says why it was not turned on.
 */
export function offerPush(client, url, say) {
  const choice = part("push");
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return;

  /** @param {boolean} isOn */
  const show = (isOn) => {
    choice.hidden = false;
    choice.setAttribute("aria-pressed", `${isOn}`);
  };

  const isOn = async () => {
    const registration = await navigator.serviceWorker.getRegistration(url);
    return Notification.permission === "granted" && !!(await registration?.pushManager.getSubscription());
  };

  choice.addEventListener("click", async () => {
    const wasOn = choice.getAttribute("aria-pressed") === "true";
    try {
      if (wasOn) await client.disablePush();
      const is = !wasOn && (await client.enablePush());
      show(is);
      if (!wasOn && !is) say("This browser does not allow push: see its settings for this page.");
    } catch {
      say(wasOn ? "Push could not be turned off. Try again later." : "Push could not be turned on. Try again later.");
    }
  });
  void isOn().then(show, () => {});
}
