/**
 * Web Push of this browser, from the side of the page. It is fetched where it is asked for: nothing else is imported
 * here. Spec: Push API.
 */

export interface PushOptions {
  /** The URL of the host, and how to ask it. */
  url: string;
  publicKey(): Promise<Response>;
  send(value: unknown, method: string): Promise<Response>;
  /** Where the service worker is. */
  worker: string;
  /** Which pages it serves. */
  scope: string;
  device: string | undefined;
}

/** Asks the human, and subscribes. Call it where they have clicked: a browser asks only then. */
export async function enablePush({ url, publicKey, send, worker, scope, device }: PushOptions): Promise<boolean> {
  if (!("serviceWorker" in navigator && "PushManager" in globalThis)) return false;
  if ((await Notification.requestPermission()) !== "granted") return false;
  const script = `${worker}?url=${encodeURIComponent(url)}`;
  const registration = await navigator.serviceWorker.register(script, { scope, updateViaCache: "none" });
  await ready(registration);
  const response = await publicKey();
  if (!response.ok) return false;
  const { public_key: applicationServerKey } = await response.json();
  const options = { userVisibleOnly: true, applicationServerKey };
  // A subscription of another key is of no use: the host has a new one.
  const subscription = await registration.pushManager.subscribe(options).catch(async () => {
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return registration.pushManager.subscribe(options);
  });
  return (await send({ ...subscription.toJSON(), device }, "PUT")).ok;
}

/** Ends the subscription, here and at the host. */
export async function disablePush({ scope, send }: PushOptions): Promise<void> {
  const subscription = await (await navigator.serviceWorker?.getRegistration(scope))?.pushManager.getSubscription();
  if (!subscription) return;
  const { endpoint } = subscription;
  await subscription.unsubscribe();
  await send({ endpoint }, "DELETE");
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
