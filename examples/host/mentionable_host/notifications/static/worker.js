// mentionable-notifications, MIT. Made of examples/host/client/src by examples/host/client/build.py.
"use strict";
(() => {
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __esm = (fn, res, err) => function __init() {
    if (err) throw err[0];
    try {
      return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
    } catch (e) {
      throw err = [e], e;
    }
  };

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
  var init_memory = __esm({
    "src/memory.ts"() {
      "use strict";
    }
  });

  // src/worker.ts
  init_memory();

  // src/read.ts
  var HOW = /^(seen|acknowledged|withdrawn|escalated)$/;
  var SURFACE = /^(inbox|chat)$/;
  function readItem(event, data, place) {
    if (event === "presentation") return isPresentation(data) ? { event, data, place } : null;
    if (event === "settled")
      return isEvent(data) && HOW.test(data.how) ? { event, data, place } : null;
    if (event !== "snapshot") return event ? { event: "host", name: event, data, place } : null;
    if (!isObject(data) || !Array.isArray(data.presentations)) return null;
    const presentations = data.presentations.filter(isPresentation);
    const omitted = data.presentations.length - presentations.length + (isCount(data.omitted) ? data.omitted : 0);
    return { event, data: { kind: event, presentations, omitted }, place };
  }
  function readPush(text) {
    const data = parse(text);
    return isObject(data) ? readItem(data.kind === "settled" ? data.kind : "presentation", data, null) : null;
  }
  function parse(text) {
    try {
      return JSON.parse(text);
    } catch {
      return void 0;
    }
  }
  function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  }
  function isCount(value) {
    return Number.isSafeInteger(value) && value >= 0;
  }
  function isName(value) {
    return typeof value === "string" && value !== "";
  }
  function isEvent(value) {
    if (!isObject(value)) return false;
    const { id, user_id, revision, lease, surface } = value;
    return isName(id) && isName(user_id) && SURFACE.test(surface) && [revision, lease].every((one) => one && isCount(one));
  }
  function isPresentation(value) {
    if (!isEvent(value)) return false;
    const { content, actions = [], cut = [] } = value;
    return typeof content === "string" && [actions, cut].every((one) => Array.isArray(one) && one.every(isName));
  }

  // src/seen.ts
  function receivePresentation({ id, revision, lease, surface, cut }, seen) {
    const now = { id, revision, lease, surface, is_whole: !cut?.length };
    if (!seen) return { showing: "show", seen: now };
    const order = compare(orderOf(now), orderOf(seen));
    if (order < 0) return { showing: "stale", seen };
    if (!order && (seen.is_whole || !now.is_whole)) return { showing: "repeat", seen };
    return { showing: seen.settled ? "show" : "replace", seen: now };
  }
  function receiveSettled({ id, revision, lease, surface, how }, seen) {
    const now = { id, revision, lease, surface, is_whole: seen?.is_whole ?? true, settled: how };
    if (!seen || compare(orderOf(seen), orderOf(now)) < 0) return { showing: "settle", seen: now };
    return { showing: seen.settled && seen.lease === lease ? "repeat" : "stale", seen };
  }
  function orderOf(seen) {
    return [seen.lease, +!!seen.settled, seen.revision, +(seen.surface === "inbox")];
  }
  function compare(one, other) {
    for (let i = 0; i < one.length; i++) {
      const [a, b] = [one[i], other[i]];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  }

  // src/events.ts
  var MAX_OPEN = 1e3;
  var MAX_KEPT = 1e4;
  var FORGOTTEN = 500;
  async function change(rows) {
    const about = { cursor: null, version: 0, epoch: 0, omitted: 0, ...await rows.get("about", "") };
    return { kept: [], heard: [], unsent: [], about };
  }
  async function take(rows, items, epoch) {
    const to = await change(rows);
    const { about } = to;
    if (epoch !== null && epoch !== about.epoch) return null;
    const isMine = (event) => about.user === void 0 || about.user === event.user_id;
    for (const item of items) {
      const place = item.place ?? (about.cursor ?? 0) + 1 - 1 / (about.version + 2);
      if (item.event === "presentation" && isMine(item.data)) await takePresentation(rows, to, item.data, place, place);
      else if (item.event === "settled" && isMine(item.data)) {
        const { id, lease } = item.data;
        const old = await find(rows, id);
        const { showing, seen } = receiveSettled(item.data, old?.seen);
        if (showing === "settle") keep(rows, to, { seen, order: place, place, version: 0 });
        const unsent = await rows.get("unsent", id);
        if (unsent && unsent.message.lease <= lease) rows.delete("unsent", id);
      } else if (item.event === "snapshot") await takeSnapshot(rows, to, item.data, place);
      else if (item.event === "host" && item.name === "ready") greet(rows, to, item.data);
      if (to.isOther) break;
      if (item.place !== null && epoch !== null) about.cursor = item.place;
    }
    await forget(rows, to);
    rows.put("about", "", about);
    return to;
  }
  function greet(rows, to, data) {
    if (!isObject(data)) return;
    const { about } = to;
    if (about.user !== void 0 && about.user !== data.user_id) {
      reset(rows, to);
      about.cursor = null;
      to.isOther = true;
    }
    const { user_id: user, agent, device } = data;
    Object.assign(about, { user, agent, device });
  }
  function reset(rows, to) {
    clear(rows);
    to.kept = [];
    to.about.omitted = 0;
    to.isReset = true;
  }
  function clear(rows) {
    for (const table of ["open", "settled", "unsent"]) rows.clear(table);
  }
  async function takePresentation(rows, to, data, place, order) {
    const old = await find(rows, data.id);
    const { showing, seen } = receivePresentation(data, old?.seen);
    if (showing === "show" || showing === "replace") {
      keep(rows, to, { seen, shown: data, order: old?.shown ? old.order : order, place, version: 0 });
      if (!old || seen.lease > old.seen.lease || seen.revision > old.seen.revision) to.heard.push(data);
    } else if (showing === "repeat" && old && seen.is_whole && !seen.settled) {
      if (old.answered) acknowledge(rows, to, old);
      else if (!old.shown) keep(rows, to, { ...old, shown: data, place });
    }
  }
  async function takeSnapshot(rows, to, data, place) {
    const { presentations, omitted } = data;
    if ((to.about.cursor ?? 0) > place) reset(rows, to);
    for (const [i, one] of presentations.entries())
      await takePresentation(rows, to, one, place, place - 1 + (i + 1) / (presentations.length + 1));
    to.about.omitted = omitted;
    const open = new Set(presentations.map((one) => one.id));
    for (const one of omitted ? [] : await rows.all("open"))
      if (!open.has(one.seen.id) && one.place <= place) takeOff(rows, to, one);
  }
  async function answer(rows, id, answered) {
    const old = await find(rows, id);
    if (!old?.seen.is_whole || old.seen.settled || old.answered === "acknowledged" || old.answered === answered)
      return null;
    const to = await change(rows);
    acknowledge(rows, to, takeOff(rows, to, { ...old, answered }));
    await forget(rows, to);
    rows.put("about", "", to.about);
    return to;
  }
  async function find(rows, id) {
    return await rows.get("open", id) ?? await rows.get("settled", id);
  }
  function keep(rows, to, kept) {
    kept.version = ++to.about.version;
    to.kept.push(kept);
    put(rows, kept);
    return kept;
  }
  function takeOff(rows, to, { shown, ...rest }) {
    return keep(rows, to, rest);
  }
  function put(rows, kept) {
    const { id } = kept.seen;
    rows.delete(kept.shown ? "settled" : "open", id);
    rows.put(kept.shown ? "open" : "settled", id, kept);
  }
  function acknowledge(rows, to, { seen: { id, lease, revision }, answered }) {
    const how = answered === "seen" ? "rendered" : "clicked";
    const unsent = { message: { kind: "displayed", id, lease, revision, how }, version: ++to.about.version };
    rows.put("unsent", id, unsent);
    to.unsent.push(unsent);
  }
  async function forget(rows, to) {
    for (const one of await excess(rows, "open", MAX_OPEN, MAX_OPEN, (one2) => [one2.order])) {
      takeOff(rows, to, one);
      to.about.omitted++;
    }
    for (const { seen } of await excess(rows, "settled", MAX_KEPT, MAX_KEPT - FORGOTTEN, (one) => [
      +!one.seen.settled,
      one.version
    ]))
      rows.delete("settled", seen.id);
    for (const { message } of await excess(rows, "unsent", MAX_KEPT, MAX_KEPT - FORGOTTEN, (one) => [one.version]))
      rows.delete("unsent", message.id);
  }
  async function excess(rows, table, max, left, rank) {
    if (await rows.count(table) <= max) return [];
    return (await rows.all(table)).sort((a, b) => compare(rank(a), rank(b))).slice(0, -left);
  }

  // src/timers.ts
  var after = (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  };

  // src/stream.ts
  async function ask(host, path, request) {
    const headers = { ...request.headers };
    if (host.token) headers.Authorization = `Bearer ${await host.token()}`;
    const credentials = host.token ? "omit" : "same-origin";
    return host.fetch(`${host.url}/${path}`, { cache: "no-store", ...request, headers, credentials });
  }
  function isRefusal({ status }) {
    return [400, 413, 422].includes(status);
  }

  // src/outgoing.ts
  var BATCH = 100;
  var MAX_KEPT_ALIVE = 6e4;
  async function sendBatch(host, transact) {
    const unsent = await transact((rows) => rows.all("unsent", BATCH));
    if (!unsent.length) return null;
    const messages = unsent.map((one) => one.message);
    const response = await post(host, "client", messages).catch(() => null);
    const answered = /* @__PURE__ */ new Set();
    try {
      for (const { id } of isRefusal(response) ? messages : (await response.json()).results)
        answered.add(id);
    } catch {
    }
    await transact(async (rows) => {
      for (const {
        message: { id },
        version
      } of unsent)
        if (answered.has(id) && (await rows.get("unsent", id))?.version === version) rows.delete("unsent", id);
    });
    return answered.size > 0;
  }
  function post(host, path, value, method = "POST") {
    const body = JSON.stringify(value);
    return ask(host, path, {
      method,
      headers: { "Content-Type": "application/json" },
      body,
      keepalive: body.length < MAX_KEPT_ALIVE
    });
  }

  // src/notify.ts
  var NAMELESS = "mentionable-notifications";
  async function receivePush(text, { storage, channel, registration, title }) {
    const item = readPush(text);
    const change2 = item && await storage.transact((rows) => take(rows, [item], null));
    if (change2) channel?.postMessage({ change: change2 });
    const name2 = change2?.about.agent ?? title;
    const data = item?.event === "presentation" || item?.event === "settled" ? item.data : void 0;
    const tag = data?.id ?? NAMELESS;
    const heard = change2?.heard[0];
    if (heard) {
      await registration.showNotification(name2, optionsOf(heard, { renotify: true }));
      return true;
    }
    const isShown = item?.event === "presentation" && (await registration.getNotifications({ tag })).length > 0;
    if (item?.event === "presentation" && isShown && change2?.kept.length)
      await registration.showNotification(name2, optionsOf(item.data, { silent: true }));
    else if (!isShown) {
      await registration.showNotification(name2, { tag, silent: true });
      for (const one of await registration.getNotifications({ tag })) one.close();
    }
    return false;
  }
  async function click(id, { host, storage, channel, clients, page }) {
    const change2 = await storage.transact((rows) => answer(rows, id, "acknowledged"));
    if (change2) channel?.postMessage({ change: change2 });
    const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = pages.find((one) => one.url.startsWith(page));
    await (open?.focus ? open.focus() : clients.openWindow(page));
    await sendBatch(host, (work) => storage.transact(work));
  }
  async function renew(subscription, options, { host, storage, registration }) {
    const renewed = subscription ?? await registration.pushManager.subscribe(options);
    const about = await storage.transact((rows) => rows.get("about", ""));
    await post(host, "push", { ...renewed.toJSON(), device: about?.device }, "PUT");
  }
  function optionsOf({ id, content, actions = [] }, more) {
    return { body: [content, ...actions].join("\n"), tag: id, dir: "auto", ...more };
  }

  // src/storage.ts
  var TABLES = ["open", "settled", "unsent", "about"];
  function nameOf(url2) {
    return `mentionable-notifications:1:${url2}`;
  }
  async function openStorage(name2, factory) {
    const opening = factory.open(name2, 1);
    opening.onupgradeneeded = () => {
      for (const table of TABLES) opening.result.createObjectStore(table);
    };
    const database = await done(opening);
    database.onversionchange = () => database.close();
    return {
      isShared: true,
      async transact(work) {
        const transaction = database.transaction(TABLES, "readwrite");
        const ended = new Promise((resolve, reject) => {
          transaction.oncomplete = () => resolve();
          transaction.onabort = transaction.onerror = () => reject(transaction.error);
        });
        ended.catch(() => {
        });
        const store = (table) => transaction.objectStore(table);
        const result = await work({
          get: (table, key) => done(store(table).get(key)),
          all: (table, limit) => done(store(table).getAll(null, limit)),
          count: (table) => done(store(table).count()),
          put: (table, key, row) => void store(table).put(row, key),
          delete: (table, key) => void store(table).delete(key),
          clear: (table) => void store(table).clear()
        });
        await ended;
        return result;
      },
      close: () => database.close()
    };
  }
  function done(request) {
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }

  // src/worker.ts
  var worker = globalThis;
  var query = new URL(worker.location.href).searchParams;
  var url = query.get("url") ?? new URL("/notifications", worker.location.href).href;
  var name = nameOf(url);
  var surroundings = openStorage(name, globalThis.indexedDB).catch(() => memoryStorage()).then((storage) => ({
    host: { url, fetch: (...request) => fetch(...request), after },
    storage,
    channel: new BroadcastChannel(name),
    registration: worker.registration,
    clients: worker.clients,
    page: query.get("page") ?? url,
    title: worker.location.host
  }));
  worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
  worker.addEventListener("push", (event) => {
    const text = event.data?.text() ?? "";
    event.waitUntil(surroundings.then((around) => receivePush(text, around)));
  });
  worker.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(surroundings.then((around) => click(event.notification.tag, around)));
  });
  worker.addEventListener("pushsubscriptionchange", (event) => {
    const { newSubscription = null, oldSubscription } = event;
    const options = oldSubscription?.options;
    event.waitUntil(surroundings.then((around) => renew(newSubscription, options, around)));
  });
})();
