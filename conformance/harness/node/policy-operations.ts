// The operations of policies. Offers and scopes are compared as JSON, so their input is read with every number as it
// stands there.

import { bindUrl } from "./authority.ts";
import { exactly } from "./json.ts";
import { acceptOperation } from "./policy-accept.ts";
import { declared, isDeclared } from "./policy-card.ts";
import { checkResponse } from "./policy-check.ts";
import { policyFromHttp, policyToHttp } from "./policy-http.ts";
import { issueOperation } from "./policy-issue.ts";
import { readPolicy, readResolution, scopeHash, stateKey } from "./policy-read.ts";
import { resumeOperation } from "./policy-resume.ts";
import { storyOperation } from "./policy-story.ts";
import { localizedPolicy, policyHtml, policyMarkdown, policyText } from "./policy-words.ts";
import type { Value } from "./shape.ts";
import { x402Demand, x402Metadata } from "./x402.ts";
import { x402Fits, x402Payment } from "./x402-payment.ts";

type Operation = (input: Value, given: Value, line: string) => Value;
/** An operation whose input and look-ups have every number as it stands in the line. */
function exact(operation: Operation): Operation {
  return (_, __, line) => {
    const { input, given } = exactly(line);
    return operation(input, given, line);
  };
}
const each = (table: Record<string, Operation>) =>
  Object.fromEntries(Object.entries(table).map(([name, operation]) => [name, exact(operation)]));

export const policyValues = each({
  "policy.bind_url": bindUrl,
  "policy.scope_hash": scopeHash,
  "policy.state_key": stateKey,
  "policy.read_resolution": readResolution,
  "policy.localize": localizedPolicy,
  "policy.text": policyText,
  "policy.html": policyHtml,
  "policy.markdown": policyMarkdown,
  "policy.declare": declared,
  "policy.is_declared": isDeclared,
  "policy.check_response": checkResponse,
  "policy.x402_metadata": x402Metadata,
  "policy.x402_payment": x402Payment,
  "policy.x402_fits": x402Fits,
});
export const policyAnswers = each({
  "policy.read": readPolicy,
  "policy.to_http": (input) => ({ value: policyToHttp(input) }),
  "policy.from_http": policyFromHttp,
  "policy.issue": issueOperation,
  "policy.accept": acceptOperation,
  "policy.resume": resumeOperation,
  "policy.story": storyOperation,
  "policy.x402_demand": x402Demand,
});
