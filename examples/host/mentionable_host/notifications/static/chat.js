// @ts-check
/** The chat with the agent: turns in order, and events of the chat between them. */

/** @import { ChatMessage, Client, Gone, Presentation } from "../../../client/src/index.ts" */

import { articleOf, isEscalated, settledWords } from "./event.js";
import { button, make, part } from "./elements.js";
import { nodesOf } from "./html.js";
import { createOutbox } from "./outbox.js";
import { createWatcher } from "./watching.js";

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
/** The bottom is near enough to stay there when something is added, in pixels. */
const NEAR = 80;
/** So many turns stand on the page; the oldest are fetched again where they are asked for. */
const MAX_TURNS = 500;
const STATES = { waiting: "Waits to be sent", sent: "", refused: "Could not be sent" };

/**
 * @param {Client} client
 * @param {{url: string, agent: string, person: string, say: (words: string) => void}} how
 */
export function createChat(client, { url, agent, person, say }) {
  const turns = part("turns");
  const older = part("older");
  /** @type {Map<string, HTMLElement>} */
  const shown = new Map();
  /** @type {Map<string, {event: Presentation, element: HTMLElement}>} */
  const events = new Map();
  const watching = createWatcher(client);
  const outbox = createOutbox(client, { url, person, onChange: showWaiting });

  /** @param {() => void} change */
  function stayingDown(change) {
    const isDown = turns.scrollHeight - turns.scrollTop - turns.clientHeight < NEAR;
    change();
    if (isDown) turns.scrollTop = turns.scrollHeight;
  }

  /** @param {ChatMessage} turn */
  function show(turn) {
    stayingDown(() => {
      const element = shown.get(turn.id) ?? make("div", "");
      const isNew = !element.isConnected || !element.dataset.number;
      element.replaceChildren(
        make("p", "who", turn.role === "user" ? "You" : agent, ...(timeOf(turn.at))),
        wordsOf(turn),
      );
      element.className = `turn ${turn.role === "user" ? "own" : ""}`;
      element.dataset.number = `${turn.number}`;
      element.dataset.at = turn.at;
      shown.set(turn.id, element);
      if (isNew) placeTurn(element, turn.number);
    });
  }

  /** Takes the oldest off where there are too many. */
  function trim() {
    const numbered = /** @type {NodeListOf<HTMLElement>} */ (turns.querySelectorAll(":scope > [data-number]"));
    for (const one of [...numbered].slice(0, -MAX_TURNS)) one.remove();
    if (numbered.length > MAX_TURNS) older.hidden = false;
  }

  function firstNumber() {
    const one = /** @type {HTMLElement | null} */ (turns.querySelector(":scope > [data-number]"));
    return Number(one?.dataset.number ?? Infinity);
  }

  /**
   * Puts a turn before the next later one. What has no number, as an event that has just come, stays above it.
   * @param {HTMLElement} element
   * @param {number} number
   */
  function placeTurn(element, number) {
    const next = [...turns.children].find(
      (one) => one !== element && one instanceof HTMLElement && (Number(one.dataset.number) > number || "waiting" in one.dataset),
    );
    turns.insertBefore(element, next ?? null);
    delete element.dataset.waiting;
  }

  /**
   * What was written here, and is on its way.
   * @param {{id: string, text: string}} one
   * @param {"waiting" | "sent" | "refused"} state
   */
  function showWaiting({ id, text }, state) {
    const element = shown.get(id) ?? make("div", "turn own");
    if (element.dataset.number) return; // it has come back by the stream
    const words = make("div", "words plain", text);
    words.dir = "auto";
    element.replaceChildren(make("p", "who", "You"), words);
    if (STATES[state]) element.append(make("p", "state", STATES[state]));
    if (state === "refused") element.append(button("Try again", () => outbox.again(id)));
    stayingDown(() => {
      element.dataset.waiting = state;
      if (!element.isConnected) turns.append(element);
    });
    shown.set(id, element);
  }

  /** @param {Presentation} event */
  function showEvent(event) {
    const old = events.get(event.id);
    const article = articleOf(event, { onSeen: () => markSeen(event.id) });
    if (isEscalated(event)) article.setAttribute("aria-live", "off"); // the line says it, assertively
    stayingDown(() => {
      if (old?.element.isConnected) old.element.replaceWith(article);
      else turns.append(article);
    });
    events.set(event.id, { event, element: article });
    watching.start(article, event.id);
  }

  /** @param {string} id */
  function markSeen(id) {
    watching.clicked(id);
    void client.acknowledge(id);
  }

  /**
   * An event of the chat stays where it is when it is settled.
   * @param {Gone} gone
   * @returns {{event: Presentation, isHere: boolean} | null} Null where it does not stand in the chat.
   */
  function settle({ id, how }) {
    const found = events.get(id);
    if (!found) return null;
    const isHere = watching.end(id) !== null;
    const article = articleOf(found.event, { settled: settledWords(how, isHere) });
    article.setAttribute("aria-live", "off");
    if (found.element.contains(document.activeElement)) part("turns").focus();
    found.element.replaceWith(article);
    events.set(id, { event: found.event, element: article });
    return { event: found.event, isHere };
  }

  /**
   * Reads the newest turns, or those before a number.
   * @param {number} [before]
   */
  async function load(before) {
    const query = before === undefined ? "" : `?before=${before}`;
    const response = await fetch(`${url}/chat${query}`, { headers: { Accept: "application/json" } });
    if (!response.ok) return;
    const { turns: found, more } = await response.json();
    const height = turns.scrollHeight;
    const isOldest = !found.length || found[0].number <= firstNumber();
    for (const turn of found) show(turn);
    if (before !== undefined) turns.scrollTop += turns.scrollHeight - height;
    if (isOldest) older.hidden = !more;
  }

  /** Reads quietly: what was said before is not announced. */
  async function loadQuietly(/** @type {number | undefined} */ before = undefined) {
    turns.setAttribute("aria-busy", "true");
    await load(before).catch(() => {});
    turns.removeAttribute("aria-busy");
  }

  const form = /** @type {HTMLFormElement} */ (part("form"));
  const text = /** @type {HTMLTextAreaElement} */ (part("text"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (text.value.trim()) {
      if (outbox.add(text.value)) form.reset();
      else say("Too much waits to be sent: write on when you are online.");
    }
    text.focus();
  });
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  older.addEventListener("click", () => void loadQuietly(firstNumber()).then(() => turns.focus()));

  return {
    /**
     * Puts events that were settled before between the turns, where they were then; those of older turns are left out.
     * @param {(Presentation & {settled: Gone["how"], at: string})[]} settled The newest first.
     */
    addHistory(settled) {
      const numbered = /** @type {NodeListOf<HTMLElement>} */ (turns.querySelectorAll(":scope > [data-at]"));
      for (const event of [...settled].reverse()) {
        const next = [...numbered].find((one) => Date.parse(one.dataset.at ?? "") > Date.parse(event.at));
        if (events.has(event.id) || (next && next === numbered[0] && !older.hidden)) continue;
        const article = articleOf(event, { settled: event.settled === "withdrawn" ? "Withdrawn" : "Seen" });
        article.setAttribute("aria-live", "off");
        const firstOpen = turns.querySelector(":scope > .event.new, :scope > [data-waiting]");
        stayingDown(() => turns.insertBefore(article, next ?? firstOpen));
        events.set(event.id, { event, element: article });
      }
    },
    /** @param {ChatMessage} turn */
    show(turn) {
      show(turn);
      trim();
    },
    showEvent,
    settle,
    async begin() {
      await loadQuietly();
      outbox.begin();
      turns.scrollTop = turns.scrollHeight;
    },
    /** Reads what this page has missed. */
    async catchUp() {
      await load().catch(() => {});
    },
  };
}

/** @param {ChatMessage} turn */
function wordsOf({ html, text, role }) {
  const isHtml = role === "agent" && html;
  const words = make("div", isHtml ? "words" : "words plain", isHtml ? nodesOf(html) : text);
  words.dir = "auto";
  return words;
}

/** @param {string} at */
function timeOf(at) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return [];
  const time = document.createElement("time");
  time.dateTime = at;
  time.textContent = clock.format(moment);
  return [" · ", time];
}
