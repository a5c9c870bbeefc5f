/** The service worker: what it is told by the browser. */

import type { Channel } from "./api.ts";
import { memoryStorage } from "./memory.ts";
import { click, receivePush, renew } from "./notify.ts";
import type { Surroundings } from "./notify.ts";
import { nameOf, openStorage } from "./storage.ts";
import { after } from "./timers.ts";

/** What a service worker is, as far as it is needed: the types of pages and of workers cannot be had at once. */
interface Worker extends Pick<Surroundings, "registration" | "clients"> {
  location: Location;
  skipWaiting(): Promise<void>;
  addEventListener(name: string, listen: (event: WorkerEvent) => void): void;
}

interface WorkerEvent {
  waitUntil(done: Promise<unknown>): void;
  data?: { text(): string } | null;
  notification?: Notification;
  newSubscription?: PushSubscription | null;
  oldSubscription?: PushSubscription | null;
}

const worker = globalThis as unknown as Worker;
const query = new URL(worker.location.href).searchParams;
const url = query.get("url") ?? new URL("/notifications", worker.location.href).href;
const name = nameOf(url);

const surroundings: Promise<Surroundings> = openStorage(name, globalThis.indexedDB)
  .catch(() => memoryStorage())
  .then((storage) => ({
    host: { url, fetch: (...request) => fetch(...request), after },
    storage,
    channel: new BroadcastChannel(name) as Channel,
    registration: worker.registration,
    clients: worker.clients,
    page: query.get("page") ?? url,
    title: worker.location.host,
  }));

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener("push", (event) => {
  const text = event.data?.text() ?? "";
  event.waitUntil(surroundings.then((around) => receivePush(text, around)));
});
worker.addEventListener("notificationclick", (event) => {
  event.notification!.close();
  event.waitUntil(surroundings.then((around) => click(event.notification!.tag, around)));
});
worker.addEventListener("pushsubscriptionchange", (event) => {
  const { newSubscription = null, oldSubscription } = event;
  const options = oldSubscription?.options as PushSubscriptionOptionsInit;
  event.waitUntil(surroundings.then((around) => renew(newSubscription, options, around)));
});
