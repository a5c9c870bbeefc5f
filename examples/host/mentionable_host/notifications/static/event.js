// @ts-check
/** How an event looks, in the inbox and in the chat. */

/** @import { Gone, Presentation } from "../../../client/src/index.ts" */

import { button, make } from "./elements.js";

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

/**
 * An event as an article; what a plugin or the agent says is text.
 * @param {Presentation} event
 * @param {{onSeen?: () => void, settled?: string}} [how]
 * @returns {HTMLElement}
 */
export function articleOf(event, { onSeen, settled } = {}) {
  const from = make("p", "from", FROM[event.origin ?? "plugin"]);
  const content = make("p", "content", event.content);
  content.dir = "auto";
  content.id = `content-${crypto.randomUUID()}`;
  const article = make("article", `event ${settled ? "settled" : "new"}`, from, content);
  article.dataset.event = event.id;
  article.setAttribute("aria-labelledby", content.id);
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

/**
 * What became of an event.
 * @param {Gone["how"] | undefined} how
 * @param {boolean} isHere Whether it was before the human in this window.
 */
export function settledWords(how, isHere) {
  return isHere ? SETTLED.here : how ? SETTLED[how] : "Settled while you were away";
}
