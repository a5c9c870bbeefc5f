// What is compared of an answer that may be written in many ways: facts about it, found out here for all languages.

import { decoded } from "./base64.mjs";
import { A2A, header } from "./facts-a2a.mjs";
import { ACTIVITY } from "./facts-activity.mjs";
import { DECISION, NOTIFICATION, STORY, STREAM_ITEM } from "./facts-anp.mjs";
import { CLOUD_EVENTS, DISPATCH, LANES, PUSHES, SCRIPT, TURN_PROMPT } from "./facts-anp-turns.mjs";
import { FactError } from "./facts-error.mjs";
import { Page } from "./facts-html.mjs";
import { loadsBytes } from "./facts-json.mjs";
import { MAIL } from "./facts-mail.mjs";
import { PROMPT } from "./facts-prompt.mjs";
import { STREAM } from "./facts-stream.mjs";
import { TRACE } from "./facts-trace.mjs";
import { Missing, OtherForm, byCharacter, holds, item, members, partition } from "./values.mjs";

/** @typedef {(value: any) => any} Fact */
/** @typedef {{[name: string]: Fact}} Facts */

/**
 * The facts of an answer that a case names. An operation without facts of its own has the members of its value. `has` names
 * texts and the face in which they are sought: `{"html": {"<b>": true}}`.
 * @param {string} op @param {any} value @param {Map<string, any>} named @returns {Map<string, any>}
 */
export function facts(op, value, named) {
  const known = OPERATIONS.get(op) ?? {};
  const answer = new Map();
  for (const [name, expected] of named) {
    try {
      if (name === "has") answer.set(name, sought(known, value, expected));
      else if (Object.hasOwn(known, name)) answer.set(name, known[name](value));
      else if (holds(value, name)) answer.set(name, item(value, name));
    } catch (error) {
      throw new FactError(`not an answer to ${op}: ${reason(error, name)}`);
    }
  }
  return answer;
}

/** @param {Facts} known @param {any} value @param {Map<string, Map<string, boolean>>} faces */
function sought(known, value, faces) {
  const found = [...faces].map(([face, texts]) => {
    if (!Object.hasOwn(known, face)) throw new Missing(`'${face}'`);
    const shown = known[face](value);
    return /** @type {const} */ ([face, new Map([...texts.keys()].map((one) => [one, holds(shown, one)]))]);
  });
  return new Map(found);
}

/** Why a fact cannot be found. @param {unknown} error @param {string} name */
function reason(error, name) {
  if (error instanceof FactError) return error.message;
  if (error instanceof Missing) return `for the fact ${name} the member ${error.message} is missing`;
  if (error instanceof OtherForm || error instanceof RangeError) return `it has another form than the fact ${name} needs`;
  throw error;
}

/** @type {Facts} */
const HTML = {
  words: (value) => new Page(value).text,
  links: (value) => new Page(value).anchors.map((one) => [one.attributes.get("href") ?? "", one.text]),
  elements: (value) => [...new Page(value).elements].sort(byCharacter),
  attributes: (value) => [...new Page(value).attributes].sort(byCharacter),
};

/** What version 2 of x402 says in its field, read from base64. @param {any} value */
function payment(value) {
  const written = header(value, "payment-required");
  if (written === null) return null;
  const data = decoded(written);
  if (data === null) throw new OtherForm();
  return loadsBytes(data);
}

const PROBLEM = ["type", "status", "detail", "instance"];

/** @param {any} value @param {(name: string) => boolean} isWanted */
const ofBody = (value, isWanted) => new Map(members(item(value, "body")).filter(([name]) => isWanted(name)));

/** @type {Facts} */
const RESPONSE = {
  status: (value) => item(value, "status"),
  media_type: (value) => partition(header(value, "content-type") ?? "", ";")[0],
  challenge: (value) => header(value, "www-authenticate"),
  challenged: (value) => header(value, "www-authenticate") !== null,
  retry_after: (value) => header(value, "retry-after"),
  payment,
  cached: (value) => !(header(value, "cache-control") ?? "").includes("no-store"),
  body: (value) => item(value, "body"),
  policy: (value) => ofBody(value, (name) => !PROBLEM.includes(name)),
  problem: (value) => ofBody(value, (name) => name === "status" || name === "detail"),
};

/** @type {Map<string, Facts>} */
const OPERATIONS = new Map(
  Object.entries({
    "trace.write": TRACE,
    "response.split": STREAM,
    "activitypub.reply": ACTIVITY,
    "activitypub.update": ACTIVITY,
    "email.reply": MAIL,
    "a2a.reply": A2A,
    "a2a.refuse": A2A,
    "a2a.call": A2A,
    "policy.html": HTML,
    "policy.to_http": RESPONSE,
    "prompt.render": PROMPT,
    "anp.decide": DECISION,
    "anp.story": STORY,
    "anp.read_notification": NOTIFICATION,
    "anp.dispatch": DISPATCH,
    "anp.lane": LANES,
    "anp.prompt": TURN_PROMPT,
    "anp.turn": SCRIPT,
    "anp.presentation": { told: (value) => item(value, "told") },
    "anp.cloudevent": CLOUD_EVENTS,
    "anp.web_push": PUSHES,
    "anp.stream": STREAM_ITEM,
  }),
);
