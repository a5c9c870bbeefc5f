/** What a device keeps, in IndexedDB: all tabs and the service worker share it. */

import type { ClientMessage, Presentation, Seen } from "./types.ts";

/** What is kept of an event. */
export interface Kept {
  seen: Seen;
  /** What is displayed, while the event is open. */
  shown?: Presentation;
  /** Where it stands in the list: the place at which it was first displayed. */
  order: number;
  /** The place of the item that brought it. */
  place: number;
  /** Grows with each change on the device. */
  version: number;
  /** What the human did with it, before the host says that it is settled. */
  answered?: "seen" | "acknowledged";
}

/** A message that was not sent yet; `version` tells it from an older one about the same event. */
export interface Unsent {
  message: ClientMessage;
  version: number;
}

/** What is kept of the stream. */
export interface About {
  user?: string;
  agent?: string;
  device?: string;
  cursor: number | null;
  version: number;
  /** Grows with each leader: what an earlier one still does is refused. */
  epoch: number;
  omitted: number;
}

export interface Tables {
  open: Kept;
  settled: Kept;
  unsent: Unsent;
  about: About;
}
export type Table = keyof Tables;
const TABLES: Table[] = ["open", "settled", "unsent", "about"];

/** The rows of a transaction. Within it, wait for nothing but these. */
export interface Rows {
  get<T extends Table>(table: T, key: string): Promise<Tables[T] | undefined>;
  all<T extends Table>(table: T, limit?: number): Promise<Tables[T][]>;
  count(table: Table): Promise<number>;
  put<T extends Table>(table: T, key: string, row: Tables[T]): void;
  delete(table: Table, key: string): void;
  clear(table: Table): void;
}

export interface Storage {
  /** Whether the other tabs and the service worker see it too. */
  readonly isShared: boolean;
  /** Runs `work` alone; what it wrote is stored when the promise is fulfilled. */
  transact<R>(work: (rows: Rows) => Promise<R>): Promise<R>;
  close(): void;
}

/** What all tabs and the service worker of one host call their storage, lock and channel. */
export function nameOf(url: string): string {
  return `mentionable-notifications:1:${url}`;
}

/** The IndexedDB of a browser; rejected where it is denied, and where it cannot be opened. */
export async function openStorage(name: string, factory: IDBFactory | undefined): Promise<Storage> {
  const opening = factory!.open(name, 1);
  opening.onupgradeneeded = () => {
    for (const table of TABLES) opening.result.createObjectStore(table);
  };
  const database = await done(opening);
  database.onversionchange = () => database.close();
  return {
    isShared: true,
    async transact(work) {
      const transaction = database.transaction(TABLES, "readwrite");
      const ended = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = transaction.onerror = () => reject(transaction.error);
      });
      ended.catch(() => {});
      const store = (table: Table) => transaction.objectStore(table);
      const result = await work({
        get: (table, key) => done(store(table).get(key)),
        all: (table, limit) => done(store(table).getAll(null, limit)),
        count: (table) => done(store(table).count()),
        put: (table, key, row) => void store(table).put(row, key),
        delete: (table, key) => void store(table).delete(key),
        clear: (table) => void store(table).clear(),
      });
      await ended;
      return result;
    },
    close: () => database.close(),
  };
}

function done<R>(request: IDBRequest<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
