// @ts-check
/** What was written and is not sent yet: it outlives the page, and goes out in order once the host can be reached. */

/** @import { Client } from "../../../client/src/index.ts" */

import { read, write } from "./announcing.js";

const MAX_WAITING = 50;
/** So often the host may refuse a message while it can be reached. */
const MAX_REFUSALS = 5;
const AGAIN_MS = 5_000;

/** @typedef {{id: string, text: string, refusals: number}} Waiting */

/**
 * @param {Client} client
 * @param {{url: string, onChange: (one: Waiting, state: "waiting" | "sent" | "refused") => void}} how
 */
export function createOutbox(client, { url, onChange }) {
  const key = `mentionable-chat ${url}`;
  let waiting = parse(read(key));
  let isSending = false;
  let timer = 0;

  const keep = () => write(key, JSON.stringify(waiting));

  /** @param {string} id */
  function remove(id) {
    waiting = waiting.filter((one) => one.id !== id);
    keep();
  }

  async function flush() {
    clearTimeout(timer);
    if (isSending) return;
    isSending = true;
    try {
      for (const one of [...waiting]) {
        if (one.refusals >= MAX_REFUSALS) continue;
        try {
          await client.send(one.text, one.id);
        } catch {
          if (client.state.connection !== "live" || !navigator.onLine) return;
          one.refusals++;
          if (one.refusals >= MAX_REFUSALS) onChange(one, "refused");
          else timer = setTimeout(flush, AGAIN_MS);
          keep();
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
    if (connection === "live" && waiting.length) void flush();
  });
  client.on("message", ({ id }) => {
    if (waiting.some((one) => one.id === id)) remove(id);
  });
  window.addEventListener("online", () => void flush());

  return {
    /** Shows what waits since before, and sends it. */
    begin() {
      for (const one of waiting) onChange(one, one.refusals >= MAX_REFUSALS ? "refused" : "waiting");
      void flush();
    },
    /**
     * Sends a message; false where too many wait.
     * @param {string} text
     */
    add(text) {
      if (waiting.length >= MAX_WAITING) return false;
      const one = { id: crypto.randomUUID(), text, refusals: 0 };
      waiting.push(one);
      keep();
      onChange(one, "waiting");
      void flush();
      return true;
    },
    /** @param {string} id */
    again(id) {
      for (const one of waiting) if (one.id === id) one.refusals = 0;
      void flush();
    },
  };
}

/**
 * @param {string | null} stored
 * @returns {Waiting[]}
 */
function parse(stored) {
  try {
    const found = JSON.parse(stored ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one?.id === "string" && typeof one.text === "string") : [];
  } catch {
    return [];
  }
}
