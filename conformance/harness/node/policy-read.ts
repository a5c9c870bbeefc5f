// Policies and receipts out of any JSON: PolicyPart, decision B3, ruling R54. A fault in what names money or binds a
// state refuses all of it; another member that does not fit costs itself. A policy never means success.

import { boundPolicy } from "./authority.ts";
import { canonical, hasCanonical, sha256 } from "./canonical.ts";
import { confirmations } from "./message.ts";
import { policy as policyForm } from "./policy.ts";
import { must, readOrNone, Rejected } from "./rejected.ts";
import { isObject, isText, type Json, leniently, strictly, type Value } from "./shape.ts";

/** A policy as it was read, null when it counts for nothing, and the codes of what was left out. */
export interface ReadPolicy {
  policy: Value | null;
  diagnostics: string[];
}

/** An answer with the codes in its value, and beside it, where cases compare them. */
export const asAnswer = (found: ReadPolicy) => ({ value: found, diagnostics: found.diagnostics });

export function policyOf(value: Json, authority: string | null): ReadPolicy {
  const found = readOrNone(() => leniently(policyForm, value));
  if (found === undefined) return { policy: null, diagnostics: ["policy-malformed"] };
  const bound = boundPolicy(found.value, authority);
  const codes = [...found.notes.map(({ code }) => code), ...Array(bound.refused).fill("url-refused")];
  return { policy: bound.policy, diagnostics: codes };
}

/** `policy.read`. */
export const readPolicy = ({ value, authority = null }: Value) => asAnswer(policyOf(value, authority));

/** `policy.read_resolution`: a receipt as a claim. Who verified it is not looked at. */
export function readResolution({ value }: Value) {
  const [state, kind] = [value?.in_reply_to_state, value?.kind];
  const isKnown = isObject(value) && isText(kind) && Object.hasOwn(confirmations, kind);
  must(isKnown && isText(state) && state.isWellFormed(), "receipt-malformed");
  const receipt = value.confirmation;
  must(isObject(receipt) && hasCanonical(receipt), "receipt-malformed");
  try {
    const read = strictly(confirmations[kind], receipt);
    const { scheme, original_payload, payer, scope_hash } = read;
    const claimed = kind === "payment_required" ? { scheme, original_payload, payer } : { scope_hash };
    return { kind, state, ...claimed, receipt };
  } catch {
    throw new Rejected("receipt-malformed");
  }
}

/** `policy.scope_hash`: of the scope as it stands. Nothing is sorted, split or converted. */
export function scopeHash({ scope }: Value) {
  try {
    return sha256(canonical(scope));
  } catch {
    throw new Rejected();
  }
}

/** `policy.state_key`: under which a demand is stored, so that who reads the store cannot complete it. */
export const stateKey = ({ state }: Value) => sha256(`mentionable-state-v1\0${state}`);
