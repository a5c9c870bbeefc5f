// mentionable-notifications, MIT. Made of examples/host/client/src by examples/host/client/build.py.
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
function readPlace(text) {
  return /^\d{1,16}$/.test(text) && isCount(+text) ? +text : null;
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
function rankOf(seen) {
  return [...orderOf(seen), +seen.is_whole, seen.settled ?? ""];
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
function later(one, other) {
  const rank = (kept) => [...rankOf(kept.seen), kept.version, +!!kept.answered, +!kept.shown];
  return compare(rank(one), rank(other)) < 0 ? other : one;
}
async function change(rows) {
  const about = { cursor: null, version: 0, epoch: 0, omitted: 0, ...await rows.get("about", "") };
  return { kept: [], heard: [], unsent: [], about };
}
async function begin(rows) {
  const { about } = await change(rows);
  about.epoch++;
  rows.put("about", "", about);
  return about;
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
async function look(rows, ids) {
  const to = await change(rows);
  to.kept = await rows.all("open");
  for (const id of ids) {
    const one = await rows.get("settled", id);
    if (one) to.kept.push(one);
  }
  return to;
}
function copy(rows, { kept, unsent, about, isReset }, byLeader) {
  if (isReset) clear(rows);
  for (const one of kept) put(rows, one);
  for (const one of unsent) rows.put("unsent", one.message.id, one);
  if (byLeader) rows.put("about", "", about);
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

// src/sse.ts
var MAX_EVENT = 1048576;
function eventReader() {
  let last = "";
  let rest = "";
  let isTooLong = false;
  function read(event, chunk) {
    let name = "message";
    let place = null;
    const data = [];
    for (const line of event.split("\n")) {
      const [, key, value] = /^([^:]*):? ?([^]*)$/.exec(line);
      if (key === "data") data.push(value);
      if (key === "event") name = value;
      if (key === "id") place = readPlace(value);
    }
    const isBad = isTooLong || event.length > MAX_EVENT;
    const item = isBad ? null : readItem(name, parse(data.join("\n")), place);
    if (item && data.length) chunk.items.push(item);
    else if (isBad || data.length) {
      chunk.malformed++;
      chunk.items.push({ event: "host", name: "", data: null, place });
    }
    isTooLong = false;
  }
  return (text) => {
    const chunk = { items: [], malformed: 0 };
    rest += text;
    if (/\r|\n/.test(last + text)) {
      const events = rest.replace(/\r(?!$)\n?/g, "\n").split("\n\n");
      rest = events.pop();
      for (const event of events) read(event, chunk);
    }
    last = text;
    if (rest.length > MAX_EVENT) {
      rest = "";
      isTooLong = true;
    }
    return chunk;
  };
}

// src/timers.ts
var after = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};
var FIRST = 500;
var MAX = 3e4;
function backOff(failures) {
  return Math.min(MAX, FIRST * 2 ** failures) * (0.5 + Math.random() / 2);
}
async function pause(milliseconds, by) {
  if (by.signal.aborted) return;
  const ended = new AbortController();
  const { signal } = ended;
  await new Promise((resolve) => {
    const callOff = by.after(milliseconds, resolve);
    signal.addEventListener("abort", callOff);
    by.signal.addEventListener("abort", () => resolve(), { signal });
    by.online?.addEventListener("online", () => resolve(), { signal });
  });
  ended.abort();
}

// src/stream.ts
var BATCH = 100;
var SILENCE = 45e3;
var MAX_WAIT = 3e5;
async function follow(host, transport, follower, signal) {
  for (let failures = 0; !signal.aborted; failures++) {
    follower.report("connecting");
    const one = new AbortController();
    const either = AbortSignal.any([one.signal, signal]);
    const end = await (transport === "sse" ? readEvents(host, follower, one, either) : import("./extras.js").then(({ readFrames }) => readFrames(host, follower, one, either))).catch(() => ({}));
    one.abort();
    if (end.isTaken || signal.aborted) return;
    if (end.wasLive) failures = 0;
    follower.report(end.isRefused ? "refused" : "waiting");
    await pause(Math.max(end.wait ?? 0, backOff(failures)), { ...host, signal });
  }
}
async function ask(host, path, request) {
  const headers = { ...request.headers };
  if (host.token) headers.Authorization = `Bearer ${await host.token()}`;
  const credentials = host.token ? "omit" : "same-origin";
  return host.fetch(`${host.url}/${path}`, { cache: "no-store", ...request, headers, credentials });
}
function isRefusal({ status }) {
  return [400, 413, 422].includes(status);
}
async function readEvents(host, follower, one, signal) {
  const cursor = follower.cursor();
  const headers = { Accept: "text/event-stream" };
  if (cursor !== null) headers["Last-Event-ID"] = `${cursor}`;
  const listen = () => host.after(SILENCE, () => one.abort());
  let callOff = listen();
  const result = {};
  try {
    const response = await ask(host, "stream", { headers, signal });
    const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
    if (!response.ok || !isStream || !response.body)
      return {
        isRefused: [401, 403].includes(response.status),
        wait: Math.min(+response.headers.get("Retry-After") * 1e3 || 0, MAX_WAIT)
      };
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const feed = eventReader();
    for (; ; ) {
      callOff();
      callOff = listen();
      const { done: done2, value } = await reader.read();
      if (done2) break;
      const chunk = feed(decoder.decode(value, { stream: true }));
      if (!result.wasLive) follower.report("live");
      result.wasLive = true;
      if (chunk.malformed) follower.malformed(chunk.malformed);
      if (!await takeAll(follower, chunk.items)) return { isTaken: true };
    }
  } catch {
  } finally {
    callOff();
  }
  return result;
}
async function takeAll(follower, items) {
  for (let i = 0; i < items.length; i += BATCH) if (!await follower.take(items.slice(i, i + BATCH))) return false;
  return true;
}

// src/outgoing.ts
var BATCH2 = 100;
var MAX_KEPT_ALIVE = 6e4;
async function sendBatch(host, transact) {
  const unsent = await transact((rows) => rows.all("unsent", BATCH2));
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

// src/storage.ts
var TABLES = ["open", "settled", "unsent", "about"];
function nameOf(url) {
  return `mentionable-notifications:1:${url}`;
}
async function openStorage(name, factory) {
  const opening = factory.open(name, 1);
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

// src/tabs.ts
var PROBE_EVERY = 5e3;
var MAX_UNANSWERED = 3;
var BETWEEN_TERMS = 1e3;
function elect(election, signal) {
  const { name, after: after2 } = election;
  let { locks } = election;
  let isLeader = false;
  let unanswered = 0;
  let isOverdue = false;
  let request = new AbortController();
  let term = new AbortController();
  let held = Promise.resolve();
  async function lead() {
    if (signal.aborted) return;
    term = new AbortController();
    isLeader = true;
    unanswered = 0;
    await election.lead(term.signal).catch(() => {
    });
    isLeader = false;
  }
  async function stand() {
    while (!signal.aborted) {
      request = new AbortController();
      const options = isOverdue ? { steal: true } : { signal: request.signal };
      isOverdue = false;
      const hold = () => held = lead();
      try {
        await (locks ? locks.request(name, options, hold) : hold());
      } catch (error) {
        if (error?.name !== "AbortError") locks = void 0;
        term.abort();
        await held;
      }
      if (!isOverdue) await pause(BETWEEN_TERMS, { after: after2, signal });
    }
  }
  function probe() {
    if (!isLeader && ++unanswered > MAX_UNANSWERED) {
      unanswered = 0;
      isOverdue = true;
      request.abort();
    } else if (!isLeader) election.probe();
    stopProbing = after2(PROBE_EVERY, probe);
  }
  let stopProbing = () => {
  };
  signal.addEventListener("abort", () => {
    stopProbing();
    term.abort();
    request.abort();
  });
  if (locks) stopProbing = after2(PROBE_EVERY, probe);
  void stand();
  return () => {
    unanswered = 0;
  };
}

// src/view.ts
function createView() {
  const entries = /* @__PURE__ */ new Map();
  let list;
  const all = () => [...entries.values()];
  return {
    get: (id) => entries.get(id),
    all,
    open: () => list ??= all().filter((one) => one.shown).sort((a, b) => a.order - b.order).map((one) => one.shown),
    merge(kept) {
      const taken = [];
      const shown = [];
      const gone = [];
      const before = /* @__PURE__ */ new Map();
      for (const one of kept) {
        const { id } = one.seen;
        const old = entries.get(id);
        if (old && later(old, one) === old) continue;
        if (!before.has(id)) before.set(id, old?.shown);
        entries.delete(id);
        entries.set(id, one);
        list = void 0;
        taken.push(one);
      }
      for (const [id, old] of before) {
        const one = entries.get(id);
        if (one.shown) shown.push([one.shown, old ? "replace" : "show"]);
        else if (old) gone.push(asGone(one));
      }
      for (const [id, one] of entries) {
        if (entries.size <= MAX_OPEN + MAX_KEPT) break;
        if (!one.shown) entries.delete(id);
      }
      return { taken, shown, gone };
    },
    clear() {
      const gone = all().filter((one) => one.shown).map(asGone);
      entries.clear();
      list = void 0;
      return gone;
    }
  };
}
function asGone({ seen, answered }) {
  const { id, revision, lease, settled } = seen;
  return { id, revision, lease, how: settled ?? answered ?? null };
}

// src/client.ts
var extras = () => import("./extras.js");
function connect(options = {}) {
  const window = globalThis;
  const { document } = window;
  const { transport = "sse", token } = options;
  const url = new URL(options.url ?? "/notifications", window.location?.href).href.replace(/\/$/, "");
  const { worker = `${url}/static/worker.js`, scope = url } = options;
  const name = nameOf(url);
  const host = {
    url,
    token: typeof token === "string" ? () => token : token,
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    WebSocket: options.WebSocket ?? window.WebSocket,
    after: options.after ?? after,
    online: document && window
  };
  const channel = options.channel?.(name) ?? new BroadcastChannel(name);
  const closing = new AbortController();
  const { signal } = closing;
  const view = createView();
  const listeners = /* @__PURE__ */ new Map();
  let state = { connection: "connecting", isLeader: false, isStored: true, malformed: 0, omitted: 0 };
  let storage;
  let leaderIsAlive = () => {
  };
  let about = { cursor: null, version: 0, epoch: 0, omitted: 0 };
  let epoch = 0;
  let isGreeted = false;
  let isDue = false;
  let wake = () => {
  };
  function emit(name2, ...event) {
    for (const listen of [...listeners.get(name2) ?? []])
      try {
        listen(...event);
      } catch (error) {
        (window.reportError ?? console.error)(error);
      }
  }
  function become(next) {
    const old = JSON.stringify(state);
    state = { ...state, ...next };
    if (JSON.stringify(state) !== old) emit("state", state);
  }
  function tell(message) {
    if (!signal.aborted)
      channel.postMessage({ ...message, connection: state.isLeader ? state.connection : void 0 });
  }
  async function transact(work) {
    try {
      return await storage.transact(work);
    } catch (error) {
      if (!storage.isShared || signal.aborted) throw error;
      const memory = (await extras()).memoryStorage();
      if (storage.isShared) {
        storage = memory;
        await write({ kept: view.all(), heard: [], unsent: [], about }, true);
        become({ isStored: false });
      }
      return storage.transact(work);
    }
  }
  function write(change2, byLeader) {
    return storage.transact(async (rows) => copy(rows, change2, byLeader));
  }
  function display(change2, items = []) {
    if (signal.aborted) return change2;
    if (change2.isReset) for (const gone2 of view.clear()) emit("settled", gone2);
    const { taken, shown, gone } = view.merge(change2.kept);
    for (const one of shown) emit("presentation", ...one);
    for (const one of gone) emit("settled", one);
    const { omitted, user, agent, device } = change2.about;
    become({ omitted, user, agent, device });
    for (const [name2, data] of items) emit(name2, data);
    if (change2.unsent.length) nudge();
    return { ...change2, kept: taken };
  }
  function publish(change2, items = []) {
    tell({ change: change2, items });
    display(change2, items);
    for (const one of change2.heard) if (view.get(one.id)?.shown === one) emit("heard", one);
    const over = change2.kept.flatMap((one) => one.shown ? [] : one.seen.id);
    if (over.length && window.Notification?.permission === "granted")
      void extras().then(({ closeNotifications }) => closeNotifications(scope, over)).catch(() => {
      });
  }
  async function takeItems(items) {
    const change2 = await transact((rows) => take(rows, items, epoch));
    if (!change2) return false;
    about = change2.about;
    publish(
      change2,
      items.flatMap((one) => one.event === "host" && one.name ? [[one.name, one.data]] : [])
    );
    if (items.some((one) => one.event === "host" && one.name === "ready")) {
      isGreeted = true;
      nudge();
    }
    return !change2.isOther;
  }
  async function lead(term) {
    about = await transact(begin);
    epoch = about.epoch;
    isGreeted = false;
    become({ isLeader: true });
    tell({});
    void keepSending(term);
    await follow(
      host,
      transport,
      {
        cursor: () => about.cursor,
        take: takeItems,
        report(connection) {
          isGreeted &&= connection === "live";
          become({ connection });
          tell({});
        },
        read: readItem,
        malformed: (count) => become({ malformed: state.malformed + count })
      },
      term
    );
    become({ isLeader: false });
  }
  async function keepSending(term) {
    term.addEventListener("abort", nudge);
    for (let failures = 0; !term.aborted; ) {
      isDue = false;
      const sent = isGreeted ? await sendBatch(host, transact).catch(() => null) : null;
      if (sent) failures = 0;
      else if (sent === false) await pause(backOff(failures++), { ...host, signal: term });
      else if (!isDue) await new Promise((resolve) => wake = resolve);
    }
  }
  function nudge() {
    isDue = true;
    wake();
  }
  async function hear({ ask: ask2, change: change2, items, connection }) {
    if (signal.aborted) return;
    if (connection) {
      leaderIsAlive();
      if (!state.isLeader) become({ connection });
    }
    if (ask2 && state.isLeader)
      tell({ change: storage.isShared ? void 0 : await transact((rows) => look(rows, ask2.ids)) });
    if (!change2) return;
    if (storage.isShared) {
      display(change2, items);
      if (change2.isReset) await refresh();
    } else if (!change2.isReset || !state.isLeader) await write(display(change2, items), !!connection && !state.isLeader);
  }
  async function refresh() {
    const ids = view.open().map((one) => one.id);
    if (storage.isShared) display(await transact((rows) => look(rows, ids)));
    tell({ ask: { ids } });
  }
  function whenVisible() {
    if (document?.visibilityState === "visible") void refresh().catch(() => {
    });
  }
  async function start() {
    storage = options.storage ?? await openStorage(name, window.indexedDB).catch(async () => (await extras()).memoryStorage());
    become({ isStored: storage.isShared });
    channel.onmessage = ({ data }) => void hear(data).catch(() => {
    });
    await refresh();
    if (signal.aborted) return;
    const locks = options.locks ?? window.navigator?.locks;
    leaderIsAlive = elect({ name, locks, after: host.after, probe: () => tell({ ask: { ids: [] } }), lead }, signal);
    document?.addEventListener("visibilitychange", whenVisible, { signal });
    host.online?.addEventListener("pageshow", whenVisible, { signal });
  }
  async function settle(id, how) {
    await started;
    if (signal.aborted) return;
    const change2 = await transact((rows) => answer(rows, id, how));
    if (change2) publish(change2);
  }
  function pushing() {
    return { host, ask, post, worker, scope, device: state.device };
  }
  const started = start();
  return {
    get state() {
      return state;
    },
    on(name2, listen) {
      const set = listeners.get(name2) ?? /* @__PURE__ */ new Set();
      listeners.set(name2, set.add(listen));
      return () => void set.delete(listen);
    },
    open: view.open,
    display: (id) => settle(id, "seen"),
    acknowledge: (id) => settle(id, "acknowledged"),
    observe(element, id) {
      const stop = extras().then(({ watch }) => watch(element, host.after, () => void settle(id, "seen")));
      return () => void stop.then((stop2) => stop2());
    },
    async send(text, id = crypto.randomUUID()) {
      if (!(await post(host, "chat", { id, text })).ok) throw new Error(id);
      return id;
    },
    async enablePush() {
      const permission = window.Notification?.requestPermission();
      return (await extras()).enablePush(pushing(), permission);
    },
    disablePush: async () => (await extras()).disablePush(pushing()),
    close() {
      closing.abort();
      channel.close();
      void started.then(() => storage.close());
      become({ connection: "closed", isLeader: false });
      listeners.clear();
    }
  };
}
export {
  connect
};
