// Facts about what answers an A2A question, in any dialect and binding.

import { FactError } from "./facts-error.mjs";
import { loadsText } from "./facts-json.mjs";
import { dumps } from "./json.mjs";
import { OtherForm, at, distinct, each, get, holds, isObject, isText, item, members, object, partition, sorted, strip, text, truthy } from "./values.mjs";

/** @typedef {(value: any) => any} Fact */

const WRAPPERS = ["message", "task", "statusUpdate", "artifactUpdate"];
/** What the cases ask of `metadata.mentionable` of a part; implementations may say more there. */
const HINTS = ["kind", "expires_at", "sha256", "artifact_type"];
const LINE_END = /\r\n|\n|\r/;

/** The texts of a header, put together; null where there is none. @param {any} value @param {string} name @returns {string | null} */
export function header(value, name) {
  const pairs = each(item(value, "headers")).map(each);
  if (pairs.some((pair) => pair.length !== 2)) throw new OtherForm();
  const found = pairs.filter(([one]) => text(one).toLowerCase() === name).map(([, one]) => text(one));
  return found.length ? found.join(", ") : null;
}

/** The JSON of a body: one document, or one an event of a stream. @param {any} value @returns {any[]} */
function bodies(value) {
  const isStream = (header(value, "content-type") ?? "").startsWith("text/event-stream");
  if (!isStream) return [loadsText(item(value, "body"))];
  const data = text(item(value, "body")).split(/\r\n\r\n|\n\n|\r\r/).map((block) => {
    const lines = block.split(LINE_END).filter((line) => line.startsWith("data:"));
    return lines.map((line) => strip(line.slice(5))).join("\n");
  });
  return data.filter(Boolean).map(loadsText);
}

/** What an answer or an event is, its members, and whether it stands in a wrapper. @param {any} body @returns {[any, any, boolean]} */
function opened(body) {
  const result = holds(body, "jsonrpc") ? item(body, "result") : body;
  for (const name of WRAPPERS) {
    if (holds(result, name) && !holds(result, "kind")) return [name, item(result, name), true];
  }
  return [item(result, "kind"), result, false];
}

/** @param {any} value */
const frames = (value) => bodies(value).map(opened);
/** The answer, or the last event of a stream. @param {any} value */
const lastResult = (value) => opened(at(bodies(value), -1));

/** @param {any} value */
function message(value) {
  const [kind, result] = lastResult(value);
  return kind === "message" ? result : get(item(result, "status"), "message");
}

/** The message, or an empty one. @param {any} value */
function messageOrNone(value) {
  const found = message(value);
  return truthy(found) ? found : new Map();
}

/** @param {any} one */
const contentOf = (one) => each(item(one, holds(one, "content") ? "content" : "parts")).map(plain);

/** A part without what implementations may add to it. @param {any} part */
function plain(part) {
  const metadata = new Map(members(get(part, "metadata", new Map())));
  const hints = members(get(metadata, "mentionable", new Map())).filter(([name]) => HINTS.includes(name));
  metadata.delete("mentionable");
  if (hints.length) metadata.set("mentionable", new Map(hints));
  const made = new Map(members(part).filter(([name]) => name !== "metadata"));
  if (made.has("data") && made.get("mediaType") === "application/json") made.delete("mediaType");
  return metadata.size ? made.set("metadata", metadata) : made;
}

/** By what readers tell the dialects apart. @param {any} value */
function spelling(value) {
  const [kind, result, wrapped] = lastResult(value);
  const found = messageOrNone(value);
  const parts = holds(found, "content") ? "content" : "parts";
  return object({ kind, wrapped, marked: get(result, "kind"), role: get(found, "role"), parts });
}

/** @param {any} value */
function artifacts(value) {
  const listed = each(get(lastResult(value)[1], "artifacts", []));
  return listed.map((one) => object({ name: get(one, "name"), parts: each(item(one, "parts")).map(plain) }));
}

/** @param {any} frame */
const stateOf = (frame) => get(get(frame, "status", new Map()), "state");

/** Each event: what it is, and the state or the marks of the piece of an artifact. @param {any} value */
function events(value) {
  return frames(value).map(([kind, frame]) => {
    if (kind === "artifactUpdate" || kind === "artifact-update") {
      return [kind, ...["append", "lastChunk"].filter((mark) => truthy(get(frame, mark)))];
    }
    const state = stateOf(frame);
    return truthy(state) ? [kind, state] : [kind];
  });
}

/** What each status event says of being the last; null where it says nothing. @param {any} value */
function finals(value) {
  const found = frames(value).filter(([kind]) => kind === "statusUpdate" || kind === "status-update");
  return found.map(([, frame]) => get(frame, "final"));
}

/** Whether all pieces of a stream are of one artifact, and all events of one task. @param {any} value */
function isOneArtifact(value) {
  const all = frames(value).map(([, frame]) => frame);
  const ids = distinct(all.filter((one) => holds(one, "artifact")).map((one) => item(item(one, "artifact"), "artifactId")));
  return ids.length <= 1 && distinct(all.map((one) => get(one, "taskId", get(one, "id")))).length === 1;
}

/** @param {any} value */
function pieces(value) {
  const found = frames(value).filter(([, frame]) => holds(frame, "artifact"));
  return found.map(([, frame]) => each(item(item(frame, "artifact"), "parts")).map(plain));
}

/** The extensions that are named, under the name of their header. @param {any} value */
function extensions(value) {
  const found = new Map();
  for (const name of ["a2a-extensions", "x-a2a-extensions"]) {
    const named = header(value, name);
    if (named !== null) found.set(name, sorted(named.split(",").map(strip)));
  }
  return found;
}

/** The metadata of the message. @param {any} value */
const metadata = (value) => get(messageOrNone(value), "metadata", new Map());

/** What stands in the metadata of the message for clients of x402; its words are free. @param {any} value */
function payment(value) {
  const found = members(metadata(value)).filter(([name]) => name.startsWith("x402."));
  return new Map(
    found.map(([name, one]) => {
      const isFault = isObject(one) && one.has("error");
      return [name, isFault ? new Map(one).set("error", truthy(one.get("error"))) : one];
    }),
  );
}

/** What an error body says to programs; its words are free. @param {any} value */
function error(value) {
  const all = bodies(value);
  if (all.length !== 1) throw new OtherForm();
  const said = item(all[0], "error");
  if (holds(all[0], "result")) throw new FactError("a result stands beside the error");
  const words = item(said, "message");
  const inWords = isText(words) && strip(words) !== "";
  return object({ code: item(said, "code"), in_words: inWords, call: get(all[0], "id") });
}

/** The parameters of a call: its message, and what is around it. @param {any} value */
function params(value) {
  const body = loadsText(item(value, "body"));
  return holds(body, "jsonrpc") ? item(body, "params") : body;
}

/** The message of a call. @param {any} value */
const request = (value) => item(params(value), "message");

/** @type {{[name: string]: Fact}} */
export const A2A = {
  call: (value) => get(at(bodies(value), 0), "id"),
  spelling,
  parts: (value) => {
    const found = message(value);
    return found === null ? null : contentOf(found);
  },
  artifacts,
  context: (value) => get(lastResult(value)[1], "contextId"),
  task: (value) => {
    const [kind, result] = lastResult(value);
    return get(result, kind === "task" ? "id" : "taskId");
  },
  state: (value) => stateOf(lastResult(value)[1]),
  message_id: (value) => item(message(value), "messageId"),
  events,
  finals,
  one_artifact: isOneArtifact,
  pieces,
  content_type: (value) => partition(header(value, "content-type") ?? "", ";")[0],
  version: (value) => header(value, "a2a-version"),
  authorization: (value) => header(value, "authorization"),
  challenged: (value) => header(value, "www-authenticate") !== null,
  extensions,
  policy: (value) => get(get(metadata(value), "mentionable", new Map()), "policy"),
  payment,
  demanding: (value) => bodies(value).map((body) => dumps(body, { ascii: true }).includes('"policy"')),
  message_extensions: (value) => sorted(each(get(messageOrNone(value), "extensions", []))),
  error,
  method: (value) => get(loadsText(item(value, "body")), "method"),
  request_parts: (value) => contentOf(request(value)),
  request_role: (value) => item(request(value), "role"),
  request_configuration: (value) => get(params(value), "configuration"),
  request_context: (value) => get(request(value), "contextId"),
  request_task: (value) => get(request(value), "taskId"),
  request_metadata: (value) => get(request(value), "metadata", new Map()),
  request_hints: (value) => get(get(request(value), "metadata", new Map()), "mentionable"),
  wire: (value) => text(item(value, "body")) + dumps(item(value, "headers"), { ascii: true }),
};
