/** What a tab keeps where IndexedDB is denied, as in some private windows: tabs then tell each other everything. */

import type { Rows, Storage } from "./storage.ts";

/** A storage of one tab; `isShared` where a test gives it to several. */
export function memoryStorage(isShared = false): Storage {
  const tables: { [name: string]: Map<string, any> } = {};
  const rowsOf = (table: string) => (tables[table] ??= new Map());
  const rows: Rows = {
    get: async (table, key) => rowsOf(table).get(key),
    all: async (table, limit) => [...rowsOf(table).values()].slice(0, limit),
    count: async (table) => rowsOf(table).size,
    put: (table, key, row) => void rowsOf(table).set(key, row),
    delete: (table, key) => void rowsOf(table).delete(key),
    clear: (table) => rowsOf(table).clear(),
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    isShared,
    transact(work) {
      const mine = last.then(() => work(rows));
      last = mine.catch(() => {});
      return mine;
    },
    close() {},
  };
}
