// @ts-check
/** How an event looks, in the inbox and in the chat. */

/** @import { Gone, Presentation } from "../../../client/src/index.ts" */

import { button, make } from "./elements.js";
import { nodesOf } from "./html.js";

/** The lease of an event that nobody has taken over: the watchdog raises it. */
const FIRST_LEASE = 1;
const FROM = { plugin: "From the system", system: "From the system", agent: "From the agent" };
/** What an event says of itself once it is settled. */
const SETTLED = {
  here: "Seen",
  seen: "Seen elsewhere",
  acknowledged: "Seen elsewhere",
  withdrawn: "Withdrawn",
  escalated: "Taken from the agent",
};

/**
 * Whether the watchdog shows it, since the agent did not.
 * @param {Presentation} event
 */
export function isEscalated(event) {
  return event.lease > FIRST_LEASE && event.origin !== "agent";
}

/** So much of an event is quoted at most, before its Markdown is taken off. */
const QUOTED = 500;

/**
 * The beginning of an event as a line quotes it: of Markdown, which the agent alone writes, the text.
 * @param {Presentation} event
 */
export function quoteOf({ content, origin }) {
  const text = content.slice(0, QUOTED);
  if (origin !== "agent") return text;
  return text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\*\*|__|`|^\s*(?:#+|>|[-*+])\s/gm, "");
}

/**
 * An event as an article. What a plugin says is text; what the agent says is so until its HTML has come.
 * @param {Presentation} event
 * @param {{onSeen?: () => void, settled?: string}} [how]
 * @returns {HTMLElement}
 */
export function articleOf(event, { onSeen, settled } = {}) {
  const from = make("p", "from", FROM[event.origin ?? "plugin"]);
  const content = make("div", "content", event.content);
  content.dir = "auto";
  content.id = `content-${crypto.randomUUID()}`;
  const article = make("article", `event ${settled ? "settled" : "new"}`, from, content);
  article.dataset.event = event.id;
  article.setAttribute("aria-labelledby", content.id);
  if (event.origin === "agent") void showHtml(content, event);
  if (isEscalated(event)) from.after(make("p", "why", "The agent did not answer in time; here it is from the system."));
  if (event.actions?.length) article.append(make("p", "actions", `The agent did: ${event.actions.join(", ")}`));
  if (event.cut?.length) article.append(make("p", "quiet", "This is the beginning of it."));
  if (settled) article.append(make("p", "quiet state", settled));
  else if (onSeen) {
    const seen = button("Mark as seen", onSeen);
    seen.setAttribute("aria-describedby", content.id);
    article.append(seen);
  }
  return article;
}

/** @type {Map<string, Promise<string | null>>} */
const known = new Map();
/** So many texts of the agent are kept as HTML. */
const MAX_KNOWN = 200;

/**
 * Puts HTML in the place of Markdown. Without a connection the Markdown stays.
 * @param {HTMLElement} content
 * @param {Presentation} event
 */
async function showHtml(content, event) {
  const key = JSON.stringify([event.id, event.revision]);
  const found = known.get(key) ?? readHtml(event).catch(() => null);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, found);
  const html = await found;
  if (html === null) known.delete(key);
  else {
    content.replaceChildren(nodesOf(html));
    content.classList.add("html");
  }
}

/**
 * @param {Presentation} event
 * @returns {Promise<string | null>}
 */
async function readHtml({ id, revision }) {
  const { url } = document.body.dataset;
  const response = await fetch(`${url}/html?id=${encodeURIComponent(id)}`, { headers: { Accept: "application/json" } });
  if (!response.ok) return null;
  const found = await response.json();
  return found.revision === revision ? found.html : null;
}

/**
 * What became of an event.
 * @param {Gone["how"] | undefined} how
 * @param {boolean} isHere Whether it was before the human in this window.
 */
export function settledWords(how, isHere) {
  return isHere ? SETTLED.here : how ? SETTLED[how] : "Settled while you were away";
}
