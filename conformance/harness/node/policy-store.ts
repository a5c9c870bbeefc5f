// What a host knows of demands, receipts and what was used before: the look-ups of policies.

import { moment, text } from "./leaves.ts";
import { Lookups } from "./lookups.ts";
import { issuance } from "./policy-record.ts";
import { attemptStep, must, Rejected } from "./rejected.ts";
import { type Json, maybe, record, strictly, type Value } from "./shape.ts";

const observed = record({
  verified_by: maybe(text),
  transaction: maybe(text),
  payer: maybe(text),
  network: maybe(text),
  expires_at: maybe(moment),
});

export class PolicyStore extends Lookups {
  /** The answer of an operation: its value or the code of its refusal, and what was asked. */
  outcome(operation: () => Value) {
    const value = attemptStep(operation);
    return { ...(value instanceof Rejected ? { rejected: { code: value.code } } : { value }), asks: this.asked };
  }

  /** The record of a demand, null for none. */
  issuance(key: string): Value | null {
    const found = this.answered(`ISSUANCE ${key}`);
    return found === null ? null : strictly(issuance, found);
  }

  /** What a verifier observed of a payment or a consent; null when it was not made. */
  observed(question: string): Value | null {
    const found = this.answered(question);
    return found === null || found === false ? null : strictly(observed, found === true ? {} : found);
  }

  answered(question: string): Json {
    const found = this.ask(question);
    must(found !== undefined, "lookup-failed");
    return found;
  }

  /** Binds a key for ever to what it was first bound to; it is used again when that is something else. */
  bind(key: string, binding: string, code: string): void {
    const use = this.useOnce(key, binding);
    must(use !== undefined, "lookup-failed");
    must(use !== "other", code);
  }

  /** Counts a wrong receipt. */
  countFailure(key: string): void {
    this.ask(`COUNT ${key}`);
  }
}
