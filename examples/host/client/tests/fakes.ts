/** A browser without a browser: time, locks, channels and storage that tests move by hand. */

import { connect } from "../src/client.ts";
import type { Channel, Client, Options, TabMessage } from "../src/api.ts";
import { memoryStorage } from "../src/memory.ts";
import type { Storage } from "../src/storage.ts";
import type { Locks } from "../src/tabs.ts";
import type { After } from "../src/timers.ts";
import { FakeHost, URL_OF_HOST } from "./host.ts";

export { FakeHost, presentation, settled, URL_OF_HOST } from "./host.ts";

/** The window and the document of every tab: to all of them the same happens. */
export const page = new EventTarget();
export const document = Object.assign(new EventTarget(), { visibilityState: "visible" });
Object.assign(globalThis, {
  document,
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
});

/** Lets everything go on that waits for nothing but promises. */
export async function quiet(turns = 30): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Time that a test moves. */
export class Clock {
  #now = 0;
  #timers: { at: number; run: () => void }[] = [];

  after: After = (milliseconds, run) => {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  get waiting(): number {
    return this.#timers.length;
  }

  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await quiet();
    for (;;) {
      const next = this.#timers.filter((one) => one.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = next.at;
      next.run();
      await quiet();
    }
    this.#now = end;
  }
}

interface Waiting {
  hold: (lock: unknown) => Promise<void>;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** Web Locks of one browser. */
export class FakeLocks implements Locks {
  #holder: Waiting | undefined;
  #queue: Waiting[] = [];
  stolen = 0;

  request(_name: string, options: { signal?: AbortSignal; steal?: boolean }, hold: Waiting["hold"]): Promise<unknown> {
    if (options.signal && options.steal) return Promise.reject(new DOMException("both", "NotSupportedError"));
    return new Promise((resolve, reject) => {
      const one: Waiting = { hold, resolve, reject };
      if (options.steal) {
        this.#holder?.reject(new DOMException("stolen", "AbortError"));
        this.stolen += this.#holder ? 1 : 0;
        this.#holder = undefined;
        this.#queue.unshift(one);
      } else this.#queue.push(one);
      options.signal?.addEventListener("abort", () => {
        this.#queue = this.#queue.filter((other) => other !== one);
        if (this.#holder !== one) reject(new DOMException("called off", "AbortError"));
      });
      this.#next();
    });
  }

  /** A tab is gone: what it held is free. */
  release(holds: (hold: Waiting["hold"]) => boolean): void {
    this.#queue = this.#queue.filter((one) => !holds(one.hold));
    if (this.#holder && holds(this.#holder.hold)) {
      this.#holder = undefined;
      this.#next();
    }
  }

  #next(): void {
    const one = this.#queue[0];
    if (this.#holder || !one) return;
    this.#queue.shift();
    this.#holder = one;
    queueMicrotask(() =>
      one.hold(null).then(
        (value) => this.#end(one, () => one.resolve(value)),
        (error) => this.#end(one, () => one.reject(error)),
      ),
    );
  }

  #end(one: Waiting, settle: () => void): void {
    settle();
    if (this.#holder !== one) return;
    this.#holder = undefined;
    this.#next();
  }
}

/** BroadcastChannels of one browser; messages are copies, and wait where a test says so. */
export class Hub {
  #members: FakeChannel[] = [];
  #waiting: { from: FakeChannel; to: FakeChannel; deliver: () => void }[] = [];
  isHeld = false;
  /** Which of the messages that wait comes next: those between two tabs stay in order. */
  pick = (_below: number) => 0;

  open = (): FakeChannel => {
    const channel = new FakeChannel(
      (message) => this.#send(channel, message),
      () => {
        this.#members = this.#members.filter((one) => one !== channel);
      },
    );
    this.#members.push(channel);
    return channel;
  };

  #send(from: FakeChannel, message: TabMessage): void {
    const data = structuredClone(message);
    for (const one of this.#members.filter((other) => other !== from)) {
      const deliver = () => {
        if (this.#members.includes(one) && !one.isFrozen) one.onmessage?.({ data: structuredClone(data) });
      };
      if (this.isHeld) this.#waiting.push({ from, to: one, deliver });
      else setImmediate(deliver);
    }
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Delivers a message that waits. */
  deliver(): void {
    const next = this.#waiting[this.pick(this.#waiting.length)];
    const first = this.#waiting.find((one) => one.from === next?.from && one.to === next.to);
    this.#waiting = this.#waiting.filter((one) => one !== first);
    first?.deliver();
  }
}

export class FakeChannel implements Channel {
  onmessage: Channel["onmessage"] = null;
  isFrozen = false;
  #send: (message: TabMessage) => void;
  close: () => void;

  constructor(send: (message: TabMessage) => void, close: () => void) {
    this.#send = send;
    this.close = close;
  }

  postMessage(message: TabMessage): void {
    if (!this.isFrozen) this.#send(message);
  }
}

/** A tab with what it has displayed and heard. */
export interface Tab {
  client: Client;
  channel: FakeChannel;
  heard: string[];
  shown: string[];
  gone: string[];
  messages: unknown[];
  ids(): string[];
  /** The process of the tab ends, without a word. */
  kill(): void;
  /** The browser stops the tab where it stands; nothing of what it would do happens before `thaw`. */
  freeze(): void;
  thaw(): void;
}

/** One browser profile: what its tabs share. */
export class Browser {
  clock = new Clock();
  locks = new FakeLocks();
  hub = new Hub();
  host: FakeHost;
  storage: Storage | undefined;
  tabs: Tab[] = [];

  constructor(host: FakeHost = new FakeHost(), storage: Storage | undefined = memoryStorage(true)) {
    this.host = host;
    this.storage = storage;
  }

  /** Every tab comes to the front once. */
  async show(): Promise<void> {
    document.dispatchEvent(new Event("visibilitychange"));
    await quiet();
  }

  /** How long a transaction takes, in turns. */
  delay = () => 0;

  open(more: Options = {}): Tab {
    const channel = this.hub.open();
    const base = this.storage ?? memoryStorage();
    let thaw = () => {};
    let frozen: Promise<void> | undefined;
    let late: (() => void)[] = [];
    const storage: Storage = {
      isShared: base.isShared,
      transact: async (work) => {
        await frozen;
        await quiet(this.delay());
        if (isDead) return new Promise(() => {});
        const result = await base.transact(work);
        await quiet(this.delay());
        await frozen;
        return isDead ? new Promise(() => {}) : result;
      },
      close() {},
    };
    const holds = new Set<unknown>();
    let isDead = false;
    const locks: Locks = {
      request: (name, options, hold) => {
        holds.add(hold);
        return this.locks.request(name, options, hold);
      },
    };
    const dead = new AbortController();
    const client = connect({
      url: URL_OF_HOST,
      storage,
      locks,
      channel: () => channel,
      fetch: (input, init) => {
        if (isDead) return new Promise(() => {});
        const signal = init?.signal ? AbortSignal.any([init.signal, dead.signal]) : dead.signal;
        return this.host.fetch(input, { ...init, signal });
      },
      after: (milliseconds, run) =>
        this.clock.after(milliseconds, () => {
          if (isDead) return;
          if (channel.isFrozen) late.push(run);
          else run();
        }),
      ...more,
    });
    const tab: Tab = {
      client,
      channel,
      heard: [],
      shown: [],
      gone: [],
      messages: [],
      ids: () => client.open().map((one) => one.id),
      kill: () => {
        isDead = true;
        channel.close();
        channel.isFrozen = true;
        dead.abort();
        this.locks.release((hold) => holds.has(hold));
        this.tabs = this.tabs.filter((one) => one !== tab);
        client.close();
      },
      freeze: () => {
        channel.isFrozen = true;
        frozen ??= new Promise((resolve) => (thaw = resolve));
      },
      thaw: () => {
        channel.isFrozen = isDead;
        frozen = undefined;
        thaw();
        for (const run of late.splice(0)) run();
      },
    };
    this.tabs.push(tab);
    client.on("heard", (one) => tab.heard.push(keyOf(one)));
    client.on("presentation", (one) => tab.shown.push(keyOf(one)));
    client.on("settled", (one) => tab.gone.push(`${one.id}:${one.how}`));
    client.on("message", (one) => tab.messages.push(one));
    return tab;
  }
}

export function keyOf({ id, revision, lease }: { id: string; revision: number; lease: number }): string {
  return `${id}/${revision}/${lease}`;
}
