/**
 * Web Push of this browser, from the side of the page. It is fetched where it is asked for: nothing else is imported
 * here. Spec: Push API.
 */

import type { post } from "./outgoing.ts";
import type { ask, Host } from "./stream.ts";

export interface Pushing {
  host: Host;
  ask: typeof ask;
  post: typeof post;
  /** Where the service worker is, and which pages it serves. */
  worker: string;
  scope: string;
  device: string | undefined;
}

/** Subscribes, once the human has permitted it. */
export async function enablePush(pushing: Pushing, permission?: Promise<NotificationPermission>): Promise<boolean> {
  const { host, ask, post, worker, scope, device } = pushing;
  if ((await permission) !== "granted" || !("serviceWorker" in navigator && "PushManager" in globalThis)) return false;
  const script = `${worker}?url=${encodeURIComponent(host.url)}`;
  const registration = await navigator.serviceWorker.register(script, { scope, updateViaCache: "none" });
  await ready(registration);
  const response = await ask(host, "push", {});
  if (!response.ok) return false;
  const { public_key: applicationServerKey } = await response.json();
  const options = { userVisibleOnly: true, applicationServerKey };
  // A subscription of another key is of no use: the host has a new one.
  const subscription = await registration.pushManager.subscribe(options).catch(async () => {
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return registration.pushManager.subscribe(options);
  });
  return (await post(host, "push", { ...subscription.toJSON(), device }, "PUT")).ok;
}

/** Ends the subscription, here and at the host. */
export async function disablePush({ host, post, scope }: Pushing): Promise<void> {
  const subscription = await (await navigator.serviceWorker?.getRegistration(scope))?.pushManager.getSubscription();
  if (!subscription) return;
  const { endpoint } = subscription;
  await subscription.unsubscribe();
  await post(host, "push", { endpoint }, "DELETE");
}

/** Closes the notifications of the operating system about events that are open no more. */
export async function closeNotifications(scope: string, over: string[]): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(scope);
  for (const one of (await registration?.getNotifications()) ?? []) if (over.includes(one.tag)) one.close();
}

/** Waits until the worker is active: before that there is no subscription. */
async function ready({ installing, waiting, active }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  if (active || !worker) return;
  await new Promise<void>((resolve) => {
    worker.onstatechange = () => {
      if (worker.state === "activated" || worker.state === "redundant") resolve();
    };
  });
}
