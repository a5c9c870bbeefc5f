// @ts-check
/** The inbox: what is open, the newest first, and below it what was settled. */

/** @import { Client, Gone, Presentation } from "../../../client/src/index.ts" */

import { articleOf, settledWords } from "./event.js";
import { make, part } from "./elements.js";
import { createWatcher } from "./watching.js";

/** So many settled events stand below the open ones. */
const MAX_EARLIER = 50;

/**
 * @typedef {object} Entry
 * @property {Presentation} event
 * @property {HTMLElement} item
 * @property {boolean} isSeen Whether it is settled, and stands where it was until the human looks away.
 */

/**
 * @param {Client} client
 * @returns The inbox.
 */
export function createInbox(client) {
  const open = part("open");
  const earlier = part("earlier");
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  const watching = createWatcher(client);

  /** @param {Presentation} event */
  function show(event) {
    const old = entries.get(event.id);
    const item = old?.item ?? make("li", "");
    const had = item.contains(document.activeElement);
    const article = articleOf(event, { onSeen: () => markSeen(event.id) });
    item.replaceChildren(article);
    entries.set(event.id, { event, item, isSeen: false });
    earlier.querySelector(`[data-event="${CSS.escape(event.id)}"]`)?.closest("li")?.remove();
    if (!old) place(item, event.id);
    if (had) focusOn(item);
    watching.start(article, event.id);
    update();
  }

  /**
   * Puts a new item above the next older one; those that stand there do not move.
   * @param {HTMLElement} item
   * @param {string} id
   */
  function place(item, id) {
    const ids = client.open().map((one) => one.id);
    for (let i = ids.indexOf(id) - 1; i >= 0; i--) {
      const older = entries.get(ids[i] ?? "");
      if (older) return older.item.before(item);
    }
    if (ids.indexOf(id) < 0) open.prepend(item);
    else open.append(item);
  }

  /** @param {string} id */
  function markSeen(id) {
    const entry = entries.get(id);
    if (!entry) return;
    watching.clicked(id);
    void client.acknowledge(id);
  }

  /**
   * Takes an event off that is settled; true where this window did it.
   * @param {Gone} gone
   * @returns {{event: Presentation, isHere: boolean} | null} Null where it does not stand in the inbox.
   */
  function settle({ id, how }) {
    const entry = entries.get(id);
    const here = watching.end(id);
    if (!entry) return null;
    const words = settledWords(how, here !== null);
    if (here === "viewed") {
      // Whoever reads it is not to lose it: it stays where it is until they look away.
      entry.isSeen = true;
      const had = entry.item.contains(document.activeElement);
      entry.item.replaceChildren(articleOf(entry.event, { settled: words }));
      if (had) focusNear(entry.item);
    } else moveDown(entry, words);
    update();
    return { event: entry.event, isHere: here !== null };
  }

  /**
   * @param {Entry} entry
   * @param {string} words
   */
  function moveDown({ event, item }, words) {
    if (item.contains(document.activeElement)) focusNear(item);
    entries.delete(event.id);
    item.remove();
    addEarlier(event, words, "first");
  }

  /**
   * @param {Presentation} event
   * @param {string} words
   * @param {"first" | "last"} where
   */
  function addEarlier(event, words, where) {
    const item = make("li", "", articleOf(event, { settled: words }));
    if (where === "first") earlier.prepend(item);
    else earlier.append(item);
    while (earlier.childElementCount > MAX_EARLIER) earlier.lastElementChild?.remove();
  }

  /**
   * Moves the focus to the next item, or the one before, or the heading.
   * @param {HTMLElement} item
   */
  function focusNear(item) {
    for (const way of /** @type {const} */ (["nextElementSibling", "previousElementSibling"]))
      for (let one = item[way]; one; one = one[way]) if (focusOn(one)) return;
    part("inbox-heading").focus();
  }

  /** @param {Element} item */
  function focusOn(item) {
    const seen = item.querySelector("button");
    seen?.focus();
    return seen !== null;
  }

  /** Moves what was seen below, when the human looks away. */
  function tidy() {
    for (const entry of [...entries.values()].reverse()) if (entry.isSeen) moveDown(entry, settledWords("seen", true));
    update();
  }

  function update() {
    const count = [...entries.values()].filter((one) => !one.isSeen).length;
    part("count").textContent = count ? `(${count})` : "";
    part("none").hidden = entries.size > 0;
    part("earlier-part").hidden = !earlier.childElementCount;
  }

  window.addEventListener("blur", tidy);
  document.addEventListener("visibilitychange", () => document.hidden && tidy());
  return {
    show,
    settle,
    /**
     * Adds what was settled before, as the host has it, newest first.
     * @param {(Presentation & {settled: Gone["how"]})[]} events
     */
    addHistory(events) {
      for (const event of events)
        if (!entries.has(event.id) && !earlier.querySelector(`[data-event="${CSS.escape(event.id)}"]`))
          addEarlier(event, event.settled === "withdrawn" ? "Withdrawn" : "Seen", "last");
      update();
    },
  };
}
