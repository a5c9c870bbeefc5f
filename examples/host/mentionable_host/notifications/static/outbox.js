// @ts-check
/** What was written and is not sent yet: it outlives the page, and goes out in order once the host can be reached. */

/** @import { Client } from "../../../client/src/index.ts" */

import { read, write } from "./storage.js";

const MAX_WAITING = 50;
/** So often the host may refuse a message while it can be reached. */
const MAX_REFUSALS = 5;
const AGAIN_MS = 5_000;

/** @typedef {{id: string, text: string, refusals: number}} Waiting */

/**
 * @param {Client} client
 * @param {{url: string, person: string, onChange: (one: Waiting, state: "waiting" | "sent" | "refused") => void}} how
 */
export function createOutbox(client, { url, person, onChange }) {
  const key = JSON.stringify(["mentionable-chat", url, person]);
  /** @type {Waiting[]} What waits where this browser stores nothing. */
  let unstored = [];
  let isSending = false;
  let timer = 0;

  /** What waits in all tabs. */
  const load = () => parse(read(key)) ?? unstored;

  /** @param {Waiting[]} waiting */
  function store(waiting) {
    unstored = waiting;
    write(key, JSON.stringify(waiting));
  }

  /** @param {string} id */
  const remove = (id) => store(load().filter((one) => one.id !== id));

  /**
   * @param {string} id
   * @param {number} refusals
   */
  const count = (id, refusals) => store(load().map((one) => (one.id === id ? { ...one, refusals } : one)));

  /** @param {Waiting} one */
  const show = (one) => onChange(one, one.refusals >= MAX_REFUSALS ? "refused" : "waiting");

  async function flush() {
    clearTimeout(timer);
    if (isSending || client.state.user !== person) return; // what one human wrote is never sent as another's
    isSending = true;
    try {
      for (const one of load()) {
        if (one.refusals >= MAX_REFUSALS) continue;
        try {
          await client.send(one.text, one.id);
        } catch {
          if (client.state.connection !== "live" || !navigator.onLine) return;
          count(one.id, one.refusals + 1);
          show({ ...one, refusals: one.refusals + 1 });
          timer = setTimeout(flush, AGAIN_MS);
          return;
        }
        remove(one.id);
        onChange(one, "sent");
      }
    } finally {
      isSending = false;
    }
  }

  client.on("state", ({ connection }) => {
    if (connection === "live" && load().length) void flush();
  });
  client.on("message", ({ id }) => {
    if (load().some((one) => one.id === id)) remove(id);
  });
  window.addEventListener("online", () => void flush());
  window.addEventListener("storage", (event) => {
    if (event.key === key) load().forEach(show); // another tab has written something
  });

  return {
    /** Shows what waits since before, and sends it. */
    begin() {
      load().forEach(show);
      void flush();
    },
    /**
     * Sends a message; false where too many wait.
     * @param {string} text
     */
    add(text) {
      const waiting = load();
      if (waiting.length >= MAX_WAITING) return false;
      const one = { id: crypto.randomUUID(), text, refusals: 0 };
      store([...waiting, one]);
      show(one);
      void flush();
      return true;
    },
    /** @param {string} id */
    again(id) {
      count(id, 0);
      load().filter((one) => one.id === id).forEach(show);
      void flush();
    },
  };
}

/**
 * What was stored; null where nothing was, or something else.
 * @param {string | null} stored
 * @returns {Waiting[] | null}
 */
function parse(stored) {
  try {
    const list = JSON.parse(stored ?? "null");
    return list && list.filter(isWaiting).slice(0, MAX_WAITING);
  } catch {
    return null;
  }
}

/** @param {any} one */
function isWaiting(one) {
  return typeof one?.id === "string" && typeof one.text === "string" && Number.isInteger(one.refusals);
}
