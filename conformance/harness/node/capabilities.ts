// What an agent is told about waking others, and about its place in a chain: Normalized Message 3.3, decisions A1, B2.

import { ordinal, yesOrNo } from "./leaves.ts";
import { byKind, type Member, type Value, leaf, list, maybe, needed, oneOf, record, strictly } from "./shape.ts";

const title = (field: string): string => field[0].toUpperCase() + field.slice(1);
const either = (fields: string[]): string => fields.map(title).join(", ").replace(/, (?=[^,]*$)/, " or ");

const DISPATCH = "ispatch the sibling directly via A2A and weave the answer into your reply.";
const NOT_ROUTED = "body @-mentions are NOT routed by this platform";

/** For each mechanism: how to wake somebody, what is routed, and what to do otherwise. */
const RELAYS: Record<string, (capability: Value) => string[]> = {
  inline: () => [
    "to wake another agent, write their @handle in the body of your reply",
    "body @-mentions are routed by this platform",
    `If you can’t mention them, d${DISPATCH}`,
  ],
  "recipient-field": ({ fields }) => [
    `to wake another agent, add them to ${either(fields)} of your reply`,
    NOT_ROUTED,
    `If you can’t add recipients, d${DISPATCH}`,
  ],
  addressing: ({ envelope_fields: fields }) => [
    `to wake another agent, add them to ${either(fields)} of your reply AND write their @handle@host in its body`,
    "an addressee without a body @-mention, or a body @-mention alone, is NOT routed by this platform",
    `If you can’t do both, d${DISPATCH}`,
  ],
  none: () => ["no other agent can be woken through your reply", NOT_ROUTED, `D${DISPATCH}`],
};

/** Some of these fields, none twice. */
function fields(...words: string[]): Member {
  const each = list(oneOf(...words));
  const areSome = leaf((found: string[]) => found.length > 0 && new Set(found).size === found.length);
  return needed((data) => areSome(each(data)));
}
const relay = byKind({
  inline: record({}),
  "recipient-field": record({ fields: fields("to", "cc", "bcc") }),
  addressing: record({ envelope_fields: fields("to", "cc"), also_inline: needed(oneOf(true)) }),
  none: record({}),
});

/** A place in a chain is 1 ≤ hop ≤ max_hops, in whole numbers. */
const chain = record(
  { hop: needed(ordinal), max_hops: needed(ordinal), is_final: needed(yesOrNo) },
  { rules: [({ hop, max_hops: most }: Value) => (hop > most ? [] : undefined)] },
);
export const both = record({ mention_relay: needed(relay), agent_chain: maybe(chain) });

/** The text of one mechanism. */
export const mentionRelay = ({ capability }: Value): string => relayText(strictly(relay, capability));

function relayText(capability: Value): string {
  const [wake, note, fallback] = (RELAYS[capability.kind] as (one: Value) => string[])(capability);
  const head = "The platform that delivered this message routes mentions to other agents as follows:";
  return `${head}\n\n  • mechanism: ${capability.kind}\n  • ${wake}\n  • ${note}\n\n${fallback}`;
}

const hops = (count: number): string => (count === 1 ? "1 hop" : `${count} hops`);

/** The text of a place in a chain, or null when there is none. `is_final` counts, whatever the numbers say. */
export const agentChain = ({ chain: place }: Value) => (place === null ? null : chainText(strictly(chain, place)));

function chainText({ hop, max_hops: most, is_final: isFinal }: Value): string {
  const place = `You are responding as ${isFinal ? "the FINAL hop" : "hop"}`;
  if (isFinal) return `${place} (${hop} of ${most}). Synthesize a conclusion — do not invite another agent.`;
  return `${place} ${hop} of a chain capped at ${hops(most)}. [${hops(most - hop)} remaining.]`;
}

/** Both in one block, a blank line between them. */
export function capabilitiesText({ capabilities }: Value): string {
  const { mention_relay: how, agent_chain: place } = strictly(both, capabilities);
  return place ? `${relayText(how)}\n\n${chainText(place)}` : relayText(how);
}

/** The place of the next agent, or null at the cap. */
export function nextHop({ chain: place }: Value): Value {
  const { hop, max_hops: most } = strictly(chain, place);
  return hop === most ? null : { hop: hop + 1, max_hops: most, is_final: hop + 1 === most };
}
