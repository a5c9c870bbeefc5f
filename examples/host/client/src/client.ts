/** The client of a page: what its tabs display, hear and send. */

import type { Channel, Client, HostItem, Options, State, TabMessage } from "./api.ts";
import { answer, begin, copy, look, take } from "./events.ts";
import type { Change } from "./events.ts";
import type { Pushing } from "./extras.ts";
import { post, sendBatch } from "./outgoing.ts";
import { readItem } from "./read.ts";
import type { StreamItem } from "./read.ts";
import { nameOf, openStorage } from "./storage.ts";
import type { About, Rows, Storage } from "./storage.ts";
import { ask, follow } from "./stream.ts";
import type { Connection, Host } from "./stream.ts";
import { elect } from "./tabs.ts";
import { after, backOff, pause } from "./timers.ts";
import { createView } from "./view.ts";

const extras = () => import("./extras.ts");

/** Begins to follow the notifications of a human. */
export function connect(options: Options = {}): Client {
  const window = globalThis as Partial<Window> & typeof globalThis;
  const { document } = window;
  const { transport = "sse", token } = options;
  const url = new URL(options.url ?? "/notifications", window.location?.href).href.replace(/\/$/, "");
  const { worker = `${url}/static/worker.js`, scope = url } = options;
  const name = nameOf(url);
  const host: Host = {
    url,
    token: typeof token === "string" ? () => token : token,
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    WebSocket: options.WebSocket ?? window.WebSocket,
    after: options.after ?? after,
    online: document && window,
  };
  const channel = options.channel?.(name) ?? (new BroadcastChannel(name) as Channel);
  const closing = new AbortController();
  const { signal } = closing;
  const view = createView();
  const listeners = new Map<string, Set<(...event: any[]) => void>>();
  let state: State = { connection: "connecting", isLeader: false, isStored: true, malformed: 0, omitted: 0 };
  let storage: Storage;
  let leaderIsAlive = () => {};
  let about: About = { cursor: null, version: 0, epoch: 0, omitted: 0 };
  let epoch = 0;
  let isGreeted = false;
  let isDue = false;
  let wake = () => {};

  function emit(name: string, ...event: unknown[]): void {
    for (const listen of [...(listeners.get(name) ?? [])])
      try {
        listen(...event);
      } catch (error) {
        (window.reportError ?? console.error)(error);
      }
  }

  function become(next: Partial<State>): void {
    const old = JSON.stringify(state);
    state = { ...state, ...next };
    if (JSON.stringify(state) !== old) emit("state", state);
  }

  function tell(message: TabMessage): void {
    if (!signal.aborted)
      channel.postMessage({ ...message, connection: state.isLeader ? (state.connection as Connection) : undefined });
  }

  /** Runs in the storage of the browser; where that fails, from then on in memory. */
  async function transact<R>(work: (rows: Rows) => Promise<R>): Promise<R> {
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

  function write(change: Change, byLeader: boolean): Promise<void> {
    return storage.transact(async (rows) => copy(rows, change, byLeader));
  }

  /** Displays what has changed, here or in another tab; returns what this tab did not know. */
  function display(change: Change, items: HostItem[] = []): Change {
    if (signal.aborted) return change;
    if (change.isReset) for (const gone of view.clear()) emit("settled", gone);
    const { taken, shown, gone } = view.merge(change.kept);
    for (const one of shown) emit("presentation", ...one);
    for (const one of gone) emit("settled", one);
    const { omitted, user, agent, device } = change.about;
    become({ omitted, user, agent, device });
    for (const [name, data] of items) emit(name, data);
    if (change.unsent.length) nudge();
    return { ...change, kept: taken };
  }

  /** Displays what this tab has changed, after it told the others. */
  function publish(change: Change, items: HostItem[] = []): void {
    tell({ change, items });
    display(change, items);
    // What was settled, or has newer words, by what came with it asks for no attention any more.
    for (const one of change.heard) if (view.get(one.id)?.shown === one) emit("heard", one);
    const over = change.kept.flatMap((one) => (one.shown ? [] : one.seen.id));
    if (over.length && window.Notification?.permission === "granted")
      void extras()
        .then(({ closeNotifications }) => closeNotifications(scope, over))
        .catch(() => {});
  }

  async function takeItems(items: StreamItem[]): Promise<boolean> {
    const change = await transact((rows) => take(rows, items, epoch));
    if (!change) return false;
    about = change.about;
    publish(
      change,
      items.flatMap((one) => (one.event === "host" && one.name ? [[one.name, one.data]] : [])),
    );
    if (items.some((one) => one.event === "host" && one.name === "ready")) {
      isGreeted = true;
      nudge();
    }
    return !change.isOther;
  }

  async function lead(term: AbortSignal): Promise<void> {
    // Where tabs have no storage in common, the cursor is what the leader before has told.
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
        malformed: (count) => become({ malformed: state.malformed + count }),
      },
      term,
    );
    become({ isLeader: false });
  }

  /** Sends what waits, in the term of a leader, once the host has said whose stream it is. */
  async function keepSending(term: AbortSignal): Promise<void> {
    term.addEventListener("abort", nudge);
    for (let failures = 0; !term.aborted;) {
      isDue = false;
      const sent = isGreeted ? await sendBatch(host, transact).catch(() => null) : null;
      if (sent) failures = 0;
      else if (sent === false) await pause(backOff(failures++), { ...host, signal: term });
      else if (!isDue) await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  function nudge(): void {
    isDue = true;
    wake();
  }

  async function hear({ ask, change, items, connection }: TabMessage): Promise<void> {
    if (signal.aborted) return;
    if (connection) {
      leaderIsAlive();
      if (!state.isLeader) become({ connection });
    }
    if (ask && state.isLeader)
      tell({ change: storage.isShared ? undefined : await transact((rows) => look(rows, ask.ids)) });
    if (!change) return;
    if (storage.isShared) {
      display(change, items);
      // What was void may be followed already by what this tab, or another, has stored since.
      if (change.isReset) await refresh();
    } else if (!change.isReset || !state.isLeader) await write(display(change, items), !!connection && !state.isLeader);
  }

  /** Reads again what is open: a tab that was frozen has missed what others said. */
  async function refresh(): Promise<void> {
    const ids = view.open().map((one) => one.id);
    if (storage.isShared) display(await transact((rows) => look(rows, ids)));
    tell({ ask: { ids } });
  }

  function whenVisible(): void {
    if (document?.visibilityState === "visible") void refresh().catch(() => {});
  }

  async function start(): Promise<void> {
    storage =
      options.storage ??
      (await openStorage(name, window.indexedDB).catch(async () => (await extras()).memoryStorage()));
    become({ isStored: storage.isShared });
    channel.onmessage = ({ data }) => void hear(data).catch(() => {});
    await refresh();
    if (signal.aborted) return;
    const locks = options.locks ?? window.navigator?.locks;
    leaderIsAlive = elect({ name, locks, after: host.after, probe: () => tell({ ask: { ids: [] } }), lead }, signal);
    document?.addEventListener("visibilitychange", whenVisible, { signal });
    host.online?.addEventListener("pageshow", whenVisible, { signal });
  }

  async function settle(id: string, how: "seen" | "acknowledged"): Promise<void> {
    await started;
    if (signal.aborted) return;
    const change = await transact((rows) => answer(rows, id, how));
    if (change) publish(change);
  }

  function pushing(): Pushing {
    return { host, ask, post, worker, scope, device: state.device };
  }

  const started = start();
  return {
    get state() {
      return state;
    },
    on(name: string, listen: (...event: any[]) => void) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listen));
      return () => void set.delete(listen);
    },
    open: view.open,
    display: (id) => settle(id, "seen"),
    acknowledge: (id) => settle(id, "acknowledged"),
    observe(element, id) {
      const stop = extras().then(({ watch }) => watch(element, host.after, () => void settle(id, "seen")));
      return () => void stop.then((stop) => stop());
    },
    async send(text, id = crypto.randomUUID()) {
      if (!(await post(host, "chat", { id, text })).ok) throw new Error(id);
      return id;
    },
    async enablePush() {
      // A browser asks the human only while their click lasts.
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
    },
  };
}
