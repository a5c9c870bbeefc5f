// The operations of policies. Offers and scopes are compared as JSON, so their input is read with every number as it
// stands there.

import { bindUrl } from "./authority.ts";
import { exactly } from "./json.ts";
import { policyFromHttp, policyToHttp } from "./policy-http.ts";
import { readPolicy, readResolution, scopeHash, stateKey } from "./policy-read.ts";
import { localizedPolicy, policyHtml, policyMarkdown, policyText } from "./policy-words.ts";
import type { Value } from "./shape.ts";

type Operation = (input: Value, given: Value, line: string) => Value;
const exact = (operation: Operation): Operation => (_, given, line) => operation(exactly(line).input, given, line);
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
});
export const policyAnswers = each({
  "policy.read": readPolicy,
  "policy.to_http": (input) => ({ value: policyToHttp(input) }),
  "policy.from_http": policyFromHttp,
});
