// The operations of identity evidence. What is signed is read with every number as it stands there.

import { describedCard, readCard, serveCard } from "./connector-card.ts";
import { thumbprint } from "./ed25519.ts";
import { EvidenceRejected, signingInput } from "./evidence.ts";
import { rolesAt } from "./evidence-roles.ts";
import { readTrustPolicy } from "./evidence-trust.ts";
import { bytesOfEvidence, exactInput, knownOf, outcomeOf } from "./evidence-verify.ts";
import { Lookups } from "./lookups.ts";
import { must } from "./rejected.ts";
import { isObject, type Json, type Value } from "./shape.ts";

/** `identity.verify`. With `explain`, the operator is told at which step. */
async function verify(_: Json, given: Json, line: string) {
  const unit = exactInput(line);
  const lookups = new Lookups(given.lookups);
  const found = await outcomeOf(bytesOfEvidence(unit), knownOf(unit, given, lookups));
  const isRefused = found instanceof EvidenceRejected;
  const asks = lookups.asked;
  if (unit.explain) return { value: isRefused ? { code: found.code, step: found.step } : null, asks };
  return isRefused ? { rejected: { code: found.code }, asks } : { value: found, asks };
}

/** `identity.story`: one evidence after the other, before the same store. */
async function story(_: Json, given: Json, line: string) {
  const { steps, ...common } = exactInput(line);
  const lookups = new Lookups(given.lookups);
  const value = [];
  for (const step of steps) {
    const unit = { ...common, ...step };
    const found = await outcomeOf(bytesOfEvidence(unit), knownOf(unit, given, lookups));
    value.push(found instanceof EvidenceRejected ? found.code : found.subject);
  }
  return { value, asks: lookups.asked };
}

/** `identity.signing_input`. */
function signed(_: Json, __: Json, line: string) {
  const { evidence, proof_removed: proofRemoved = false } = exactInput(line);
  must(isObject(evidence) && isObject(evidence.proof));
  return { bytes: signingInput(evidence, { proofRemoved }).toString("base64") };
}

/** An operation on JSON whose numbers count as they are written. */
const exact = (operation: (unit: Json) => Value) => (_: Json, __: Json, line: string) => operation(exactInput(line));

export const evidenceValues = {
  "identity.read_card": exact(readCard),
  "identity.serve_card": exact(serveCard),
  "discovery.connector_card": exact(describedCard),
  "identity.thumbprint": thumbprint,
  "identity.trust_policy": readTrustPolicy,
  "identity.acl": rolesAt,
};
export const evidenceAnswers = {
  "identity.verify": verify,
  "identity.story": story,
  "identity.signing_input": signed,
};
