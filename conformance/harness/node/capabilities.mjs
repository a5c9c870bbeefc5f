// What an agent is told about waking others, and about its place in a chain: Normalized Message 3.3, decisions A1, B2.

import { must } from "./rejected.mjs";

const title = (field) => field[0].toUpperCase() + field.slice(1);
const either = (fields) => fields.map(title).join(", ").replace(/, (?=[^,]*$)/, " or ");

const DISPATCH = "ispatch the sibling directly via A2A and weave the answer into your reply.";
const NOT_ROUTED = "body @-mentions are NOT routed by this platform";

/** For each mechanism: how to wake somebody, what is routed, and what to do otherwise. */
const RELAYS = {
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

/** The text of one mechanism. */
export function mentionRelay({ capability }) {
  must(Object.hasOwn(RELAYS, capability.kind));
  const [wake, note, fallback] = RELAYS[capability.kind](capability);
  const head = "The platform that delivered this message routes mentions to other agents as follows:";
  return `${head}\n\n  • mechanism: ${capability.kind}\n  • ${wake}\n  • ${note}\n\n${fallback}`;
}

const hops = (count) => (count === 1 ? "1 hop" : `${count} hops`);

/** A place in a chain is 1 ≤ hop ≤ max_hops, in whole numbers. */
function checked(chain) {
  const { hop, max_hops: most, is_final: isFinal } = chain;
  must(Number.isInteger(hop) && Number.isInteger(most) && hop >= 1 && hop <= most && typeof isFinal === "boolean");
  return chain;
}

/** The text of a place in a chain, or null when there is none. `is_final` counts, whatever the numbers say. */
export function agentChain({ chain }) {
  if (!chain) return null;
  const { hop, max_hops: most, is_final: isFinal } = checked(chain);
  const place = `You are responding as ${isFinal ? "the FINAL hop" : "hop"}`;
  if (isFinal) return `${place} (${hop} of ${most}). Synthesize a conclusion — do not invite another agent.`;
  return `${place} ${hop} of a chain capped at ${hops(most)}. [${hops(most - hop)} remaining.]`;
}

/** Both in one block, a blank line between them. */
export function capabilitiesText({ capabilities }) {
  const relay = mentionRelay({ capability: capabilities.mention_relay });
  const chain = agentChain({ chain: capabilities.agent_chain });
  return chain === null ? relay : `${relay}\n\n${chain}`;
}

/** The place of the next agent, or null at the cap. */
export function nextHop({ chain }) {
  const { hop, max_hops: most } = checked(chain);
  return hop === most ? null : { hop: hop + 1, max_hops: most, is_final: hop + 1 === most };
}
