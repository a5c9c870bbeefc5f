/** What a service worker does with a push, and with a click on what it has shown. */

import type { Channel } from "./api.ts";
import { answer, take } from "./events.ts";
import { post, sendBatch } from "./outgoing.ts";
import { readPush } from "./read.ts";
import type { Storage } from "./storage.ts";
import type { Host } from "./stream.ts";
import type { Presentation } from "./types.ts";

/** What a service worker has around it. */
export interface Surroundings {
  host: Host;
  storage: Storage;
  channel: Pick<Channel, "postMessage"> | undefined;
  registration: Pick<ServiceWorkerRegistration, "showNotification" | "getNotifications" | "pushManager">;
  clients: { matchAll(options: object): Promise<readonly Page[]>; openWindow(url: string): Promise<unknown> };
  /** The page that a click opens, and what to call an agent that has no name. */
  page: string;
  title: string;
}

interface Page {
  url: string;
  focus?(): Promise<unknown>;
}

/** The tag of what is of no event; an empty one would mean all notifications. */
const NAMELESS = "mentionable-notifications";

/**
 * A push has come; whether it was heard. A browser wants to see a notification for each push. So one that must not be
 * heard, since a tab has let it be heard or the event is settled, is shown without a sound and closed at once.
 */
export async function receivePush(
  text: string,
  { storage, channel, registration, title }: Surroundings,
): Promise<boolean> {
  const item = readPush(text);
  const change = item && (await storage.transact((rows) => take(rows, [item], null)));
  if (change) channel?.postMessage({ change });
  const name = change?.about.agent ?? title;
  const data = item?.event === "presentation" || item?.event === "settled" ? item.data : undefined;
  const tag = data?.id ?? NAMELESS;
  const heard = change?.heard[0];
  if (heard) {
    await registration.showNotification(name, optionsOf(heard, { renotify: true }));
    return true;
  }
  const isShown = item?.event === "presentation" && (await registration.getNotifications({ tag })).length > 0;
  if (item?.event === "presentation" && isShown && change?.kept.length)
    await registration.showNotification(name, optionsOf(item.data, { silent: true }));
  else if (!isShown) {
    await registration.showNotification(name, { tag, silent: true });
    for (const one of await registration.getNotifications({ tag })) one.close();
  }
  return false;
}

/** The human has clicked a notification: it is acknowledged, unless a part of it is still to be displayed. */
export async function click(id: string, { host, storage, channel, clients, page }: Surroundings): Promise<void> {
  const change = await storage.transact((rows) => answer(rows, id, "acknowledged"));
  if (change) channel?.postMessage({ change });
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((one) => one.url.startsWith(page));
  await (open?.focus ? open.focus() : clients.openWindow(page));
  // A page sends it otherwise: with a token the worker cannot.
  await sendBatch(host, (work) => storage.transact(work));
}

/** The push service has ended the subscription. */
export async function renew(
  subscription: PushSubscription | null,
  options: PushSubscriptionOptionsInit,
  { host, storage, registration }: Surroundings,
): Promise<void> {
  const renewed = subscription ?? (await registration.pushManager.subscribe(options));
  const about = await storage.transact((rows) => rows.get("about", ""));
  await post(host, "push", { ...renewed.toJSON(), device: about?.device }, "PUT");
}

function optionsOf({ id, content, actions = [] }: Presentation, more: object): NotificationOptions {
  return { body: [content, ...actions].join("\n"), tag: id, dir: "auto", ...more };
}
