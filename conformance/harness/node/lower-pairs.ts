// Each result of a tool right after the turn that called: providers take it there, and nowhere else.

import { type Any, type Call, isCall, isResult, type Result } from "./lower-block.ts";
import { fits, RULES, type Rules, writtenName } from "./lower-rules.ts";
import { stays, type Turn } from "./lower-turns.ts";
import type { Json } from "./shape.ts";

const UNANSWERED = "[The tool has not answered.]";

interface Pending {
  call: Call;
  turn: number;
  hasResult: boolean;
}

class Pairing {
  form: string;
  rules: Rules;
  /** The names of tools as they are written, and as the program has them. */
  names = new Map<string, string>();
  codes: string[] = [];
  ids: Set<string>;
  used = new Set<string>();
  lastNumber = 0;
  calls: Pending[] = [];
  /** By id, the calls of each turn that has some. */
  byId = new Map<string, Pending[][]>();
  byName = new Map<string, Pending[]>();
  results = new Map<number, Result[]>();
  rows = new Map<number, Json>();

  constructor(turns: Turn[], form: string) {
    this.form = form;
    this.rules = RULES[form] as Rules;
    const all = turns.flatMap(({ blocks }) => blocks.filter((block) => isCall(block) || isResult(block)));
    this.ids = new Set(all.map((block) => (block as Call).id));
  }

  pair(turns: Turn[]): Turn[] {
    const without = turns.map((turn, index) => this.take(turn, index));
    for (const one of this.calls) if (!one.hasResult && !this.mayWait(one, turns)) this.answer(one);
    return without.flatMap((turn, index) => {
      const results = this.results.get(index) ?? [];
      const own = turn ? [turn] : [];
      if (!results.length) return own;
      const at = results[0]?.at as string;
      const row = this.rows.get(index);
      return [...own, { role: "tool", at, blocks: results, isString: false, isContext: false, row }];
    });
  }

  /** Whether a call may stay without a result: Vercel alone knows of calls that wait. */
  mayWait({ call, turn }: Pending, turns: Turn[]): boolean {
    const asks = turns[turn]?.blocks.some(({ type }) => type === "tool-approval-request");
    return this.form === "vercel" && (call.source.providerExecuted === true || asks === true);
  }

  /** Gives a call a result that says that there is none. */
  answer({ call, turn }: Pending): void {
    this.codes.push("call-unanswered");
    const { at, id, name } = call;
    this.addResult(turn, {
      is: "result", at, type: "", dialects: [], source: {}, id, name, output: UNANSWERED, isError: true,
    }, {});
  }

  addResult(turn: number, result: Result, row: Json): void {
    this.results.set(turn, [...(this.results.get(turn) ?? []), result]);
    if (!this.rows.has(turn)) this.rows.set(turn, row);
  }

  /** A turn without its results; undefined when it had nothing else. */
  take(turn: Turn, index: number): Turn | undefined {
    if (!turn.blocks.some((block) => isCall(block) || isResult(block))) return turn;
    const rest: Any[] = [];
    for (const block of turn.blocks) {
      if (isCall(block) && turn.role === "assistant") rest.push(this.callTaken(block, index));
      else if (!isResult(block)) rest.push(block);
      else this.place(block, turn, index, rest);
    }
    return rest.length ? { ...turn, blocks: rest } : undefined;
  }

  place(block: Result, turn: Turn, index: number, rest: Any[]): void {
    const pending = this.callOf(block);
    if (!pending) {
      this.codes.push("turn-dropped");
      return;
    }
    const { id, name } = pending.call;
    const matched = { ...block, id, name };
    if (pending.turn === index && stays(block, this.form)) rest.push(matched);
    else this.addResult(pending.turn, matched, turn.role === "tool" ? turn.row : {});
  }

  /** A call under an id and a name that the provider takes. */
  callTaken(call: Call, turn: number): Call {
    let { id } = call;
    if (id || this.rules.needsIds) {
      if (this.used.has(id) || !fits(id, this.rules.ids)) id = this.newId();
      this.used.add(id);
    }
    let { name } = call;
    if (!this.names.has(name)) {
      name = writtenName(name, this.rules.names);
      this.names.set(name, call.name);
    }
    const pending = { call: { ...call, id, name }, turn, hasResult: false };
    this.calls.push(pending);
    if (call.id) {
      const turns = this.byId.get(call.id) ?? [];
      if (turns.at(-1)?.[0]?.turn === turn) turns.at(-1)?.push(pending);
      else turns.push([pending]);
      this.byId.set(call.id, turns);
    }
    this.byName.set(call.name, [...(this.byName.get(call.name) ?? []), pending]);
    return pending.call;
  }

  newId(): string {
    do this.lastNumber += 1;
    while (this.ids.has(`call_${this.lastNumber}`));
    return `call_${this.lastNumber}`;
  }

  /** The call of a result: with an id, of the last turn that waits; without one, the first that waits of its tool. */
  callOf({ id, name }: Result): Pending | undefined {
    const isOpen = ({ hasResult }: Pending) => !hasResult;
    const turns = this.byId.get(id) ?? [];
    const waiting = id ? turns.findLast((calls) => calls.some(isOpen)) : this.byName.get(name);
    const found = waiting?.find(isOpen);
    if (found) found.hasResult = true;
    return found;
  }
}

interface Paired {
  turns: Turn[];
  names: Map<string, string>;
  codes: string[];
}

/** The turns, each followed by the results of its calls; the names of tools; and codes of what is told. */
export function pairResults(turns: Turn[], form: string): Paired {
  const pairing = new Pairing(turns, form);
  return { turns: pairing.pair(turns), names: pairing.names, codes: pairing.codes };
}
