/** What one tab displays: a copy of what its device keeps, which all tabs come to agree on. */

import { later, MAX_KEPT, MAX_OPEN } from "./events.ts";
import type { Kept } from "./storage.ts";
import type { Presentation, Settled } from "./types.ts";

/** An event that is open no more; `how` is `null` where this tab did not learn it. */
export interface Gone {
  id: string;
  revision: number;
  lease: number;
  how: Settled["how"] | null;
}

/** What is to be displayed anew: `replace` where older words of the event are displayed. */
export type Shown = [presentation: Presentation, showing: "show" | "replace"];

export interface View {
  get(id: string): Kept | undefined;
  /** What is open, in order; the same array as long as nothing changes. */
  open(): readonly Presentation[];
  /** Everything that is kept. */
  all(): Kept[];
  /**
   * Takes what another tab or the storage has; what it has later itself stays. Of an event that changed several times,
   * as after hours offline, the end of it counts: what is settled already was never displayed.
   */
  merge(kept: readonly Kept[]): { taken: Kept[]; shown: Shown[]; gone: Gone[] };
  clear(): Gone[];
}

export function createView(): View {
  const entries = new Map<string, Kept>();
  let list: readonly Presentation[] | undefined;

  const all = () => [...entries.values()];

  return {
    get: (id) => entries.get(id),
    all,
    open: () =>
      (list ??= all()
        .filter((one) => one.shown)
        .sort((a, b) => a.order - b.order)
        .map((one) => one.shown!)),
    merge(kept) {
      const taken: Kept[] = [];
      const shown: Shown[] = [];
      const gone: Gone[] = [];
      const before = new Map<string, Presentation | undefined>();
      for (const one of kept) {
        const { id } = one.seen;
        const old = entries.get(id);
        if (old && later(old, one) === old) continue;
        if (!before.has(id)) before.set(id, old?.shown);
        entries.delete(id); // so that the map is in the order of changes
        entries.set(id, one);
        list = undefined;
        taken.push(one);
      }
      for (const [id, old] of before) {
        const one = entries.get(id)!;
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
      const gone = all()
        .filter((one) => one.shown)
        .map(asGone);
      entries.clear();
      list = undefined;
      return gone;
    },
  };
}

function asGone({ seen, answered }: Kept): Gone {
  const { id, revision, lease, settled } = seen;
  return { id, revision, lease, how: settled ?? answered ?? null };
}
