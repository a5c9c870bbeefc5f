// The worked harness for another language: plain Node, no packages. What it implements stands in the files of `node/`; it
// declares only that, and the runner skips the rest. Where the documents say nothing, it follows the cases. Run it with
//     python -m mentionable_conformance run --validate -- node conformance/harness/node.mjs
// A harness of yours keeps the loop at the end and fills the two tables with calls of your library.

import { createInterface } from "node:readline";
import { verifyActivity, verifyReader } from "./node/activity-verify.ts";
import { address } from "./node/address.ts";
import { anpAnswers, anpValues } from "./node/anp-operations.ts";
import { agentChain, capabilitiesText, mentionRelay, nextHop } from "./node/capabilities.ts";
import { evidenceAnswers, evidenceValues } from "./node/evidence-operations.ts";
import { trimHistory } from "./node/history.ts";
import { textOperations } from "./node/html-text.ts";
import { ingestAnswers, ingestValues } from "./node/ingest-operations.ts";
import { loads } from "./node/json.ts";
import { valueOperations } from "./node/message.ts";
import { policyAnswers, policyValues } from "./node/policy-operations.ts";
import { Rejected } from "./node/rejected.ts";
import { assembledFrames, destinationOf, splitResponse, wholeStream } from "./node/stream.ts";
import { a2aThread } from "./node/thread-a2a.ts";
import { activityThread } from "./node/thread-activitypub.ts";
import { emailThread } from "./node/thread-email.ts";
import { toolCall } from "./node/tool-call.ts";
import { leftOut, readTrace, traceViewer } from "./node/trace.ts";
import { writeTrace } from "./node/trace-write.ts";

/** Operations whose outcome is a value and nothing beside it: `(input, given, line) => value`. */
const VALUES = {
  "address.parse": ({ text }) => address(text),
  "json.loads": loads,
  ...valueOperations,
  "render.tool_call": toolCall,
  "render.mention_relay": mentionRelay,
  "render.agent_chain": agentChain,
  "render.capabilities": capabilitiesText,
  "capabilities.next_hop": nextHop,
  "history.trim": trimHistory,
  "response.stream": wholeStream,
  "response.assemble": assembledFrames,
  "response.split": splitResponse,
  "response.destination": destinationOf,
  ...policyValues,
  ...textOperations,
  ...ingestValues,
  ...anpValues,
  ...evidenceValues,
  "trace.left_out": leftOut,
  "email.thread_id": emailThread,
};

/** Operations that say more, such as diagnostics or what they asked: `(input, given, line) => answer`. */
const ANSWERS = {
  "trace.read": readTrace,
  ...policyAnswers,
  ...ingestAnswers,
  ...anpAnswers,
  ...evidenceAnswers,
  "trace.write": writeTrace,
  "trace.viewer": traceViewer,
  "activitypub.thread_id": activityThread,
  "activitypub.verify": verifyActivity,
  "activitypub.verify_reader": verifyReader,
  "a2a.thread_id": a2aThread,
};

const implementation = { name: "worked-example", version: "1", language: `Node ${process.versions.node}` };
const ops = [...Object.keys(VALUES), ...Object.keys(ANSWERS)];

/** The answer to one case. A refusal is an answer; anything else that is thrown is a fault of this program. */
async function answered({ op, input, given }, line) {
  try {
    if (Object.hasOwn(VALUES, op)) return { value: await VALUES[op](input, given, line) };
    return await ANSWERS[op](input, given, line); // signatures are verified asynchronously
  } catch (error) {
    return error instanceof Rejected ? { rejected: { code: error.code } } : { errored: { message: `${error}` } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const ask = JSON.parse(line);
  if (ask.cmd === "stop") break;
  const answer = ask.cmd === "start" ? { protocol: 1, implementation, ops } : { seq: ask.seq, ...(await answered(ask, line)) };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
