// `policy.check_response`: the rules that an agent keeps, checked on its answer. Normalized Message 8, PolicyPart.

import { foreignUrls } from "./authority.ts";
import { storedMessage } from "./message.ts";
import { domainOf } from "./address.ts";
import { stateKey } from "./policy-read.ts";
import { issuance } from "./policy-record.ts";
import { response as responseForm } from "./response.ts";
import { step, strictly, type Value } from "./shape.ts";
import { isSameJson } from "./stream.ts";

/** The places in the response that break a rule; `/policy_resolution` is that of the message. */
export function checkResponse(input: Value, given: Value): string[] {
  const message = storedMessage(input.message);
  const record = "record" in input ? strictly(issuance, input.record) : null;
  const resumed = input.resumed ? resumedOf(input, message) : null;
  const response = strictly(responseForm, input.response);
  const hosts = [domainOf(message.recipient), ...(given.settings?.policy_hosts ?? [])];
  return [
    ...(response.reply_to === message.id ? [] : ["/reply_to"]),
    ...oddPolicies(response),
    ...demandFaults(message, response, record, hosts),
    ...(isActedUpon(message, response, resumed) ? ["/policy_resolution"] : []),
  ];
}

/** The resolution that was resumed: that of the message, or another one. */
function resumedOf({ message, resumed }: Value, { policy_resolution: own }: Value): { resolution: Value } {
  if (resumed === true) return { resolution: own };
  return { resolution: storedMessage({ ...message, policy_resolution: resumed }).policy_resolution };
}

/** A policy is the last part, and stands in the final frame alone. */
const oddPolicies = ({ parts, status }: Value): string[] =>
  parts.flatMap(({ kind }: Value, index: number) => {
    const isFine = kind !== "policy" || (index === parts.length - 1 && status !== "partial");
    return isFine ? [] : [`/parts/${index}`];
  });

/** The policy at the end of an answer; while there is one, the answer is no success. */
function demandOf({ parts }: Value): Value | undefined {
  const last = parts.at(-1);
  return last?.kind === "policy" ? last.policy : undefined;
}

/** A demand leads to the agent's hosts alone, and what was stored of it lets its recipient complete it. */
function demandFaults(message: Value, response: Value, record: Value | null, hosts: string[]): string[] {
  const policy = demandOf(response);
  if (policy === undefined) return record === null ? [] : ["/parts"]; // it was issued, and is not in the answer
  const at = `/parts/${response.parts.length - 1}/policy`;
  const places = foreignUrls(policy, hosts).map((place) => at + place.map(step).join(""));
  if (policy.kind !== "payment_required" && policy.kind !== "consent_required") return places;
  const { state, kind } = policy;
  const isStored = state !== undefined && record?.key === stateKey({ state });
  return isStored && record?.kind === kind && record?.message_id === message.id ? places : [...places, `${at}/state`];
}

/** Whether an agent acts on a completion whose state was not consumed. */
function isActedUpon(message: Value, response: Value, resumed: { resolution: Value } | null): boolean {
  const { policy_resolution: resolution } = message;
  if (resumed) return !isSameJson(resumed.resolution, resolution);
  return resolution !== undefined && demandOf(response) === undefined && response.status !== "error";
}
