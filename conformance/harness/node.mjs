// The worked harness for another language: plain Node, no packages. It implements a few pure operations for real and
// declares only those; the runner skips the rest. Run it with
//     python -m mentionable_conformance run -- node conformance/harness/node.mjs
// A harness of yours keeps the loop at the end and fills `OPS` with calls of your library.

import { createInterface } from "node:readline";

class Rejected extends Error {}

const size = (text) => Buffer.byteLength(text, "utf8");

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LOCAL = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The canonical `@local@domain` of the three written forms. */
function address(text) {
  const rest = /^acct:/i.test(text) ? text.slice(5) : text.startsWith("@") ? text.slice(1) : text;
  const [local, host, ...more] = rest.split("@");
  if (host === undefined || more.length || local.length > 64 || !LOCAL.test(local)) throw new Rejected("malformed");
  if (/[/:?#\\%[\]\s\u0000-\u001f]/u.test(host)) throw new Rejected("malformed");
  const domain = /^[\u0000-\u007f]*$/u.test(host) ? host.toLowerCase() : asciiDomain(host);
  const labels = domain.split(".");
  const named = /[a-z]/.test(labels.at(-1)); // an all-numeric last label is an IP address
  const fits = labels.length > 1 && domain.length < 254 && named && labels.every((label) => LABEL.test(label));
  if (!fits) throw new Rejected("malformed");
  return `@${local}@${domain}`;
}

/** A Unicode domain as A-labels, by the URL parser of the platform; empty when it is none. */
const asciiDomain = (host) => (URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`).hostname : "");

/** At most `budget` bytes of UTF-8, cut between characters, `…` at the end when something is missing. */
function shorten(text, budget) {
  if (size(text) <= budget) return text;
  let [kept, left] = ["", budget - 3];
  for (const character of text) {
    left -= size(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

const oneLine = (text) => text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, " ");

/** The one line that stands for a tool call. */
function toolCall({ part, budget = 200 }) {
  const summary = (value) => shorten(oneLine(JSON.stringify(value)), budget);
  const ended = "result" in part ? summary(part.result) : "…";
  const outcome = part.error === undefined ? ended : `❌ ${oneLine(part.error.message)}`;
  return `🔧 ${oneLine(part.name)}(${summary(part.args)}) → ${outcome}`;
}

const title = (field) => field[0].toUpperCase() + field.slice(1);
const either = (fields) => fields.map(title).join(", ").replace(/, (?=[^,]*$)/, " or ");
const DISPATCH = "ispatch the sibling directly via A2A and weave the answer into your reply.";
const NOT_ROUTED = "body @-mentions are NOT routed by this platform";
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

function relay(capability) {
  const [wake, note, fallback] = RELAYS[capability.kind](capability);
  const head = "The platform that delivered this message routes mentions to other agents as follows:";
  return `${head}\n\n  • mechanism: ${capability.kind}\n  • ${wake}\n  • ${note}\n\n${fallback}`;
}

const hops = (count) => (count === 1 ? "1 hop" : `${count} hops`);
function chain(at) {
  if (!at) return null;
  const place = `You are responding as ${at.is_final ? "the FINAL hop" : "hop"}`;
  if (at.is_final) return `${place} (${at.hop} of ${at.max_hops}). Synthesize a conclusion — do not invite another agent.`;
  return `${place} ${at.hop} of a chain capped at ${hops(at.max_hops)}. [${hops(at.max_hops - at.hop)} remaining.]`;
}

const OPS = {
  "address.parse": ({ text }) => address(text),
  "render.tool_call": toolCall,
  "render.mention_relay": ({ capability }) => relay(capability),
  "render.agent_chain": ({ chain: at }) => chain(at),
  "render.capabilities": ({ capabilities: { mention_relay, agent_chain } }) =>
    [relay(mention_relay), chain(agent_chain)].filter((text) => text !== null).join("\n\n"),
  "capabilities.next_hop": ({ chain: { hop, max_hops } }) =>
    hop >= max_hops ? null : { hop: hop + 1, max_hops, is_final: hop + 1 === max_hops },
};

const implementation = { name: "worked-example", version: "1", language: `Node ${process.versions.node}` };

for await (const line of createInterface({ input: process.stdin })) {
  const { cmd, seq, op, input } = JSON.parse(line);
  if (cmd === "stop") break;
  let answer = { protocol: 1, implementation, ops: Object.keys(OPS) };
  if (cmd === "run") {
    try {
      answer = { seq, value: OPS[op](input) };
    } catch (error) {
      const refused = error instanceof Rejected;
      answer = refused ? { seq, rejected: { code: error.message } } : { seq, errored: { message: `${error}` } };
    }
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
