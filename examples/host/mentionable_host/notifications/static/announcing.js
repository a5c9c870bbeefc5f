// @ts-check
/** What the page says while it happens: in a line that screen readers read out, in the title, and by a sound. */

/** @import { Presentation } from "../../../client/src/index.ts" */

import { isEscalated, quoteOf } from "./event.js";
import { excerpt, make, part } from "./elements.js";
import { read, write } from "./storage.js";

const LENGTH = 160;
const LINE_MS = 20_000;
const TOAST_MS = 6_000;
/** So many announcements are remembered, so that none is made twice. */
const MAX_SAID = 2_000;
const SOUND_KEY = "mentionable-notifications sound";
const TONE = { hertz: 880, seconds: 0.15, gain: 0.1 };

/** What announces. */
export function createAnnouncer() {
  /** @type {Set<string>} */
  const said = new Set();
  /** @type {Presentation[]} */
  let waiting = [];
  const polite = lineOf(part("polite"));
  const urgent = lineOf(part("urgent"));
  const title = document.title;

  function flush() {
    const [first, ...more] = waiting;
    waiting = [];
    if (!first) return;
    if (more.length) polite(`${more.length + 1} notifications are open.`);
    else polite("New: ", quoteOf(first));
  }

  return {
    say: polite,
    /**
     * Announces an event, once for each revision and lease; what comes together is announced together.
     * @param {Presentation} event
     */
    event(event) {
      const key = JSON.stringify([event.id, event.revision, event.lease]);
      if (said.has(key)) return;
      if (said.size >= MAX_SAID) said.clear();
      said.add(key);
      if (isEscalated(event))
        urgent("The agent did not answer in time; here it is from the system: ", quoteOf(event));
      else if (event.surface === "inbox" && waiting.push(event) === 1) setTimeout(flush); // the chat is a log: it is read out
    },
    /**
     * Says no more of an event that is settled.
     * @param {Presentation} event
     */
    over(event) {
      for (const line of [part("polite"), part("urgent")])
        if (line.querySelector("bdi")?.textContent === excerpt(quoteOf(event), LENGTH)) line.replaceChildren();
    },
    /**
     * How many events are open: in the title, and on the icon of the application where there is one.
     * @param {number} count
     */
    count(count) {
      document.title = count ? `(${count}) ${title}` : title;
      const set = count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
      set?.catch(() => {}); // an icon that shows no number
    },
    /**
     * A sound and a toast; the client calls for it once on a device.
     * @param {Presentation} event
     */
    heard(event) {
      toast(excerpt(quoteOf(event), LENGTH));
      if (part("sound").getAttribute("aria-pressed") === "true") void sound().catch(() => {});
    },
  };
}

/**
 * A line that is empty again after a while: words of the page, and the beginning of what is quoted, in its direction.
 * @param {HTMLElement} line
 * @returns {(words: string, quoted?: string) => void}
 */
function lineOf(line) {
  let timer = 0;
  return (words, quoted) => {
    clearTimeout(timer);
    line.replaceChildren(words, ...(quoted === undefined ? [] : [make("bdi", "", excerpt(quoted, LENGTH))]));
    timer = setTimeout(() => (line.textContent = ""), LINE_MS);
  };
}

let toastTimer = 0;

/** @param {string} words */
function toast(words) {
  const shown = part("toast");
  clearTimeout(toastTimer);
  shown.textContent = words;
  shown.hidden = false;
  toastTimer = setTimeout(() => (shown.hidden = true), TOAST_MS);
}

/** @type {AudioContext | undefined} */
let audio;

async function sound() {
  audio ??= new AudioContext();
  await audio.resume();
  const tone = new OscillatorNode(audio, { frequency: TONE.hertz });
  const volume = new GainNode(audio, { gain: TONE.gain });
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + TONE.seconds);
}

/** Lets the human choose whether there is a sound; browsers let a page sound after a click alone. */
export function chooseSound() {
  const choice = part("sound");
  /** @param {boolean} isOn */
  const show = (isOn) => choice.setAttribute("aria-pressed", `${isOn}`);
  show(read(SOUND_KEY) === "on");
  choice.addEventListener("click", () => {
    const isOn = choice.getAttribute("aria-pressed") !== "true";
    show(isOn);
    write(SOUND_KEY, isOn ? "on" : "off");
    if (isOn) void sound().catch(() => {});
  });
}
