// `policy.story`: demands that were issued, and then everything that is tried with them, against one store.

import { accepted, receiptOf } from "./policy-accept.ts";
import { filled, type Issued, issued } from "./policy-issue.ts";
import { keysOf } from "./policy-record.ts";
import { PolicyStore } from "./policy-store.ts";
import { resumed } from "./policy-resume.ts";
import { storedMessage } from "./message.ts";
import { attemptStep, Rejected } from "./rejected.ts";
import type { Value } from "./shape.ts";
import { microsIn, microsOf } from "./time.ts";

/** A store that has the records of the story, and in which the numbers of wrong receipts rise. */
class StoryStore extends PolicyStore {
  records = new Map<string, Value>();
  failures = new Map<string, number>();

  constructor(given: Value, demands: Issued[]) {
    super(given.lookups);
    for (const { record } of demands) for (const key of keysOf(record)) this.records.set(key, record);
  }

  override issuance(key: string): Value | null {
    const record = this.records.get(key);
    return record ? { ...record, failures: this.failures.get(record.key) ?? 0 } : null;
  }

  override countFailure(key: string): void {
    const listed = this.row(`COUNT ${key}`);
    if (listed === undefined) this.failures.set(key, (this.failures.get(key) ?? 0) + 1);
    else if (typeof listed === "number") this.failures.set(key, listed);
  }
}

/** `policy.story`: what comes of each step. */
export function storyOperation({ issue, steps }: Value, given: Value) {
  const inputs: Value[] = [issue].flat();
  const demands = inputs.map((one, index) => issued(one, given, randomness(index)));
  const story = new Story(inputs.map((one) => one.to), demands, given);
  return { value: steps.map((one: Value, index: number) => story.step(one, index)) };
}

/** Random bytes, other ones for each number. */
const randomness = (number: number): Buffer => Buffer.alloc(32).fill(number);

/** What is tried in a step, by whom and when. */
type Attempt = (subject: string | null, now: bigint) => string;

class Story {
  turns: Value[];
  demands: Issued[];
  store: StoryStore;
  start: bigint;
  resolutions = new Map<number, Value>(); // the last that was accepted of each demand

  constructor(turns: Value[], demands: Issued[], given: Value) {
    this.turns = turns;
    this.demands = demands;
    this.store = new StoryStore(given, demands);
    this.start = microsOf(given.now);
  }

  /** What comes of a step: `accepted`, `resumed`, or the code of the refusal. */
  step({ accept, resume }: Value, number: number): string {
    const { of = 0, at = 0, message = {}, subject = null } = accept ?? resume;
    const now = this.start + microsIn(at);
    const turn = message && { ...this.turns[of], ...message };
    const attempt = accept ? this.accept(accept, of, turn) : this.resume(resume, of, turn, number);
    const outcome = attemptStep(() => attempt(subject, now));
    return outcome instanceof Rejected ? outcome.code : outcome;
  }

  accept({ receipt: given }: Value, of: number, turn: Value | null): Attempt {
    const receipt = receiptOf(filled(given, this.names(of)));
    const message = turn && storedMessage(turn);
    return (subject, now) => {
      this.resolutions.set(of, accepted(receipt, { message, subject }, this.store, now));
      return "accepted";
    };
  }

  resume({ resolution, attempt }: Value, of: number, turn: Value | null, number: number): Attempt {
    const changed = { ...this.resolutions.get(of), ...filled(resolution ?? {}, this.names(of)) };
    const message = storedMessage({ ...turn, policy_resolution: changed });
    return (subject, now) => {
      resumed(message, subject, this.store, now, randomness(attempt ?? number));
      return "resumed";
    };
  }

  /** What the names in a step stand for. */
  names(of: number): Record<string, Value> {
    const { part, record } = this.demands[of] as Issued;
    const resolution = this.resolutions.get(of);
    return {
      $state: part.state,
      $payload: part.accepted_payments?.[0].payload ?? null,
      $scope_hash: record.scope_hash ?? null,
      ...(resolution ? { $resolved: resolution.in_reply_to_state } : {}),
    };
  }
}
