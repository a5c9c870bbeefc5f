/** What a page gives to the client and gets from it, and what tabs tell each other. */

import type { Change } from "./events.ts";
import type { Storage } from "./storage.ts";
import type { Connection } from "./stream.ts";
import type { Locks } from "./tabs.ts";
import type { After } from "./timers.ts";
import type { Presentation } from "./types.ts";
import type { Gone } from "./view.ts";

/** What tabs, and the service worker, tell each other. */
export interface TabMessage {
  /** Asks the leader whether it is there, and where tabs have no storage in common what it has of these events. */
  ask?: { ids: string[] } | undefined;
  change?: Change | undefined;
  items?: HostItem[];
  /** What a leader adds: how its connection is. */
  connection?: Connection | undefined;
}

export type HostItem = [name: string, data: unknown];

/** A BroadcastChannel, as far as it is needed. */
export interface Channel {
  postMessage(message: TabMessage): void;
  onmessage: ((event: { data: TabMessage }) => void) | null;
  close(): void;
}

export interface Options {
  /** Where the host has its notifications: `/notifications`. */
  url?: string;
  /** The token of the human, or what gets one; without it the cookie of this origin says who asks. */
  token?: string | (() => string | Promise<string>);
  transport?: "sse" | "websocket";
  /** Where the service worker is, and which pages it serves. */
  worker?: string;
  scope?: string;
  /** Means of the browser. */
  storage?: Storage;
  locks?: Locks;
  channel?: (name: string) => Channel;
  fetch?: typeof globalThis.fetch;
  WebSocket?: typeof globalThis.WebSocket;
  after?: After;
}

/** A message of the chat with the agent. */
export interface ChatMessage {
  id: string;
  role: "user" | "agent";
  text: string;
  html: string;
  at: string;
  number: number;
}

export interface State {
  connection: Connection | "closed";
  /** Whether this tab has the connection. */
  isLeader: boolean;
  /** Whether what is kept outlives this tab: not in a private window that denies it. */
  isStored: boolean;
  /** How many items of the stream could not be read. */
  malformed: number;
  /** How many open events are not in the list. */
  omitted: number;
  user?: string | undefined;
  agent?: string | undefined;
  device?: string | undefined;
}

export interface Events {
  /** To display: `replace` where older words of the event are displayed. */
  presentation: [presentation: Presentation, showing: "show" | "replace"];
  /** To take off. */
  settled: [gone: Gone];
  /** To sound, or to show as a toast: once on a device. */
  heard: [presentation: Presentation];
  message: [message: ChatMessage];
  state: [state: State];
}

export interface Client {
  readonly state: State;
  /** Calls `listen` each time; the result ends that. Other names are those of items that the host sends. */
  on<E extends keyof Events>(name: E, listen: (...event: Events[E]) => void): () => void;
  on(name: string, listen: (data: unknown) => void): () => void;
  /** What is open, in order: the same array as long as nothing changes. */
  open(): readonly Presentation[];
  /** The human has it before them. */
  display(id: string): Promise<void>;
  /** The human has clicked it. */
  acknowledge(id: string): Promise<void>;
  /** Says `display` when the human has the element before them; the result ends that. */
  observe(element: Element, id: string): () => void;
  /**
   * Says something to the agent; it comes back as `message`, under the id that this returns. Rejected where it cannot
   * be sent: with the same id it can be sent again, and is the same message.
   */
  send(text: string, id?: string): Promise<string>;
  /** Whether this browser now gets pushes. Call it where the human has clicked. */
  enablePush(): Promise<boolean>;
  disablePush(): Promise<void>;
  close(): void;
}
