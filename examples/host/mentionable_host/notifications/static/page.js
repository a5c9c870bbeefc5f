// @ts-check
/** The page of a person: it shows what the client has, and says what happens. */

/** @import { Client, Presentation, State } from "../../../client/src/index.ts" */

import { connect } from "./client.js";
import { chooseSound, createAnnouncer } from "./announcing.js";
import { createChat } from "./chat.js";
import { part } from "./elements.js";
import { quoteOf } from "./event.js";
import { createInbox } from "./inbox.js";
import { offerPush, trustWorker } from "./pushing.js";

const STATES = {
  connecting: ["connecting", "Connecting…"],
  live: ["live", "Live"],
  waiting: ["offline", "Offline: what you write and mark is sent later"],
  refused: ["refused", "Signed out: ask for a new link"],
  closed: ["offline", "Closed"],
};

const { url = "/notifications", agent = "Agent", person = "" } = document.body.dataset;
trustWorker(url);
const client = /** @type {Client} */ (connect({ url }));
const announcer = createAnnouncer();
const inbox = createInbox(client);
const chat = createChat(client, { url, agent, person, say: announcer.say });
/** Whose stream it is: after another human has signed in here, the page is that of the one before. */
let user = client.state.user;
/** Whether the connection was lost since the chat was read. */
let hasMissed = false;

/**
 * Whether it is for the human whose page this is: where another one has signed in here, tabs of both may be open.
 * @param {{user_id: string}} event
 */
const isMine = (event) => event.user_id === person;

client.on("presentation", (event) => {
  if (!isMine(event)) return;
  if (event.surface === "chat") chat.showEvent(event);
  else inbox.show(event);
  announcer.event(event);
  announcer.count(client.open().filter(isMine).length);
});

client.on("settled", (gone) => {
  const found = inbox.settle(gone) ?? chat.settle(gone);
  announcer.count(client.open().filter(isMine).length);
  if (!found) return;
  announcer.over(found.event);
  if (found.isHere) return;
  if (gone.how === "seen" || gone.how === "acknowledged")
    announcer.say("Seen on another device: ", quoteOf(found.event));
  else if (gone.how === "withdrawn") announcer.say("Withdrawn: ", quoteOf(found.event));
});

client.on("message", (message) => client.state.user === person && chat.show(message));
client.on("heard", (event) => isMine(event) && announcer.heard(event));
client.on("state", show);

const pages = new BroadcastChannel(`mentionable-page ${url}`);
pages.onmessage = ({ data }) => data !== person && location.reload(); // that human has signed in here, with this cookie
pages.postMessage(person);

/** @param {State} state */
function show(state) {
  const line = part("connection");
  const isBack = state.connection === "connecting" && line.dataset.state === "offline";
  const [name, words] = STATES[isBack ? "waiting" : state.connection];
  if (line.textContent !== words) {
    line.dataset.state = name;
    line.textContent = words ?? "";
  }
  part("omitted").hidden = !state.omitted;
  part("omitted").textContent = `${state.omitted} more are open.`;
  if (state.user !== undefined) {
    if (user !== undefined && user !== state.user && state.user !== person) location.reload();
    user = state.user;
  }
  if (state.connection === "waiting") hasMissed = true;
  else if (state.connection === "live" && hasMissed) {
    hasMissed = false;
    void chat.catchUp();
  }
}

/** Reads what was settled before. */
async function history() {
  const response = await fetch(`${url}/events`, { headers: { Accept: "application/json" } });
  if (!response.ok) return;
  const { events } = await response.json();
  const isOfInbox = (/** @type {Presentation} */ event) => event.surface === "inbox";
  inbox.addHistory(events.filter(isOfInbox));
  chat.addHistory(events.filter((/** @type {Presentation} */ event) => !isOfInbox(event)));
}

/** Ends the session of this browser, and its pushes. */
async function signOut() {
  await client.disablePush().catch(() => {});
  const response = await fetch(`${url}/sign-out`, { method: "POST" }).catch(() => null);
  if (response?.ok) location.reload();
  else announcer.say("You are still signed in: the agent cannot be reached.");
}

show(client.state);
part("sign-out").addEventListener("click", () => void signOut());
chooseSound();
offerPush(client, url, announcer.say);
void chat.begin().then(history).catch(() => {});

for (const button of document.querySelectorAll("button[data-event]"))
  button.addEventListener("click", () => {
    const event = button.getAttribute("data-event");
    void fetch(`${url}/demo/${event}`, { method: "POST" }).then(
      (response) => response.ok || announcer.say("The demo did not take it."),
      () => announcer.say("The demo cannot be reached."),
    );
  });
