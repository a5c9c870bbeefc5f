// mentionable-notifications, MIT. Made of examples/host/client/src by examples/host/client/build.py.
// src/memory.ts
function memoryStorage(isShared = false) {
  const tables = {};
  const rowsOf = (table) => tables[table] ??= /* @__PURE__ */ new Map();
  const rows = {
    get: async (table, key) => rowsOf(table).get(key),
    all: async (table, limit) => [...rowsOf(table).values()].slice(0, limit),
    count: async (table) => rowsOf(table).size,
    put: (table, key, row) => void rowsOf(table).set(key, row),
    delete: (table, key) => void rowsOf(table).delete(key),
    clear: (table) => rowsOf(table).clear()
  };
  let last = Promise.resolve();
  return {
    isShared,
    transact(work) {
      const mine = last.then(() => work(rows));
      last = mine.catch(() => {
      });
      return mine;
    },
    close() {
    }
  };
}

// src/push.ts
async function enablePush(pushing, permission) {
  const { host, ask, post, worker, scope, device } = pushing;
  if (await permission !== "granted" || !("serviceWorker" in navigator && "PushManager" in globalThis)) return false;
  const script = `${worker}?url=${encodeURIComponent(host.url)}`;
  const registration = await navigator.serviceWorker.register(script, { scope, updateViaCache: "none" });
  await ready(registration);
  const response = await ask(host, "push", {});
  if (!response.ok) return false;
  const { public_key: applicationServerKey } = await response.json();
  const options = { userVisibleOnly: true, applicationServerKey };
  const subscription = await registration.pushManager.subscribe(options).catch(async () => {
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return registration.pushManager.subscribe(options);
  });
  return (await post(host, "push", { ...subscription.toJSON(), device }, "PUT")).ok;
}
async function disablePush({ host, post, scope }) {
  const subscription = await (await navigator.serviceWorker?.getRegistration(scope))?.pushManager.getSubscription();
  if (!subscription) return;
  const { endpoint } = subscription;
  await subscription.unsubscribe();
  await post(host, "push", { endpoint }, "DELETE");
}
async function closeNotifications(scope, over) {
  const registration = await navigator.serviceWorker?.getRegistration(scope);
  for (const one of await registration?.getNotifications() ?? []) if (over.includes(one.tag)) one.close();
}
async function ready({ installing, waiting, active }) {
  const worker = installing ?? waiting;
  if (active || !worker) return;
  await new Promise((resolve) => {
    worker.onstatechange = () => {
      if (worker.state === "activated" || worker.state === "redundant") resolve();
    };
  });
}

// src/visibility.ts
var SHARE = 0.5;
var DWELL = 1e3;
function watch(element, after, seen) {
  let isInView = false;
  let callOff = () => {
  };
  function update() {
    callOff();
    if (isInView && document.visibilityState === "visible")
      callOff = after(DWELL, () => {
        stop();
        seen();
      });
  }
  function stop() {
    callOff();
    observer.disconnect();
    document.removeEventListener("visibilitychange", update);
  }
  const observer = new IntersectionObserver(
    (entries) => {
      const { intersectionRatio, intersectionRect, rootBounds } = entries.at(-1);
      const isNow = intersectionRatio >= SHARE || intersectionRect.height >= (rootBounds?.height ?? Infinity) * SHARE;
      if (isNow !== isInView) {
        isInView = isNow;
        update();
      }
    },
    { threshold: [0, 0.1, 0.25, SHARE] }
  );
  document.addEventListener("visibilitychange", update);
  observer.observe(element);
  return stop;
}

// src/websocket.ts
var BATCH = 100;
var MAX_WAITING = 2e3;
var MAX_SIZE = 8388608;
var MAX_FRAME = 1048576;
async function readFrames(host, follower, one, signal) {
  const cursor = follower.cursor();
  const protocols = ["mentionable.notifications"];
  if (host.token) protocols.push(`bearer.${await host.token()}`);
  const url = `${host.url}/socket`.replace("http", "ws") + (cursor === null ? "" : `?after=${cursor}`);
  const socket = new host.WebSocket(url, protocols);
  const waiting = [];
  const result = {};
  let size = 0;
  let isTaking = false;
  let taking;
  const take = async () => {
    isTaking = true;
    while (waiting.length && !signal.aborted)
      if (!await follower.take(waiting.splice(0, BATCH)).catch(() => false)) {
        result.isTaken = true;
        one.abort();
      }
    isTaking = false;
    size = 0;
  };
  await new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve());
    socket.onclose = () => resolve();
    socket.onopen = () => {
      follower.report("live");
      result.wasLive = true;
    };
    socket.onmessage = ({ data }) => {
      const item = readFrame(data, follower.read);
      if (!item) follower.malformed(1);
      else if (waiting.push(item) > MAX_WAITING || (size += data.length) > MAX_SIZE) resolve();
      if (!isTaking) taking = take();
    };
  });
  socket.onmessage = null;
  socket.close();
  one.abort();
  await taking;
  return result;
}
function readFrame(text, read) {
  try {
    if (typeof text !== "string" || text.length > MAX_FRAME) return null;
    const { place, event, data } = JSON.parse(text);
    return typeof event === "string" ? read(event, data, Number.isSafeInteger(place) && place >= 0 ? place : null) : null;
  } catch {
    return null;
  }
}
export {
  closeNotifications,
  disablePush,
  enablePush,
  memoryStorage,
  readFrames,
  watch
};
