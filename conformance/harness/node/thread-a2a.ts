// Which conversation an A2A message belongs to: Normalized Message 5 and 8, ruling R5. Of a unit only its head is read.

import { knownThread, storedContext } from "./conversation-a2a.ts";
import { bodyBytes, parseStrict } from "./json.ts";
import { Lookups } from "./lookups.ts";
import { must, Rejected } from "./rejected.ts";
import { isObject, isText, type Json, type Value } from "./shape.ts";
import { characters } from "./text.ts";

const MOST = 2048; // characters of an id

/** What the head of a message or a task names. */
interface Head {
  id: string;
  taskId?: string | undefined;
  contextId?: string | undefined;
}

const CAMEL: Record<string, string> = {
  artifact_id: "artifactId", artifact_update: "artifactUpdate", context_id: "contextId", message_id: "messageId",
  reference_task_ids: "referenceTaskIds", status_update: "statusUpdate", task_id: "taskId",
};
const ROLES = ["user", "agent", "ROLE_USER", "ROLE_AGENT", "1", "2", 1, 2];
const NAMES =
  ["submitted", "working", "completed", "failed", "canceled", "input-required", "rejected", "auth-required"];
const STATES = new Set([
  ...NAMES.flatMap((name, index) => {
    const word = `TASK_STATE_${name.toUpperCase().replace("-", "_")}`;
    return [name, word, index + 1, `${index + 1}`];
  }),
  "unknown",
  "TASK_STATE_CANCELLED",
]);
const METHODS = ["message/send", "message/stream", "SendMessage", "SendStreamingMessage"];
const OLD_METHODS = ["tasks/send", "tasks/sendSubscribe", "tasks/sendSubscription"];

/** The thread in which its task or context is known; else its task, else its context, else the message itself. */
export function a2aThread(input: Value, given: Value) {
  const lookups = new Lookups(given.lookups);
  return { value: threadOf(input, given, lookups), asks: lookups.asked };
}

function threadOf(input: Value, given: Value, lookups: Lookups): string {
  const { message, task } = unitOf(input);
  const taskId = input.task_id || undefined;
  const continued = task && taskHead(task);
  must(!continued || taskId === undefined || taskId === continued.id, "task-mismatch");
  if (!message) return continued.id;
  const head = messageHead(message);
  const named = { taskId: continued?.id ?? taskId, contextId: continued?.contextId ?? (input.context_id || undefined) };
  // a message of another task must not slip into this one
  samePlace(head, named.taskId, named.contextId);
  const place = { taskId: named.taskId ?? head.taskId, contextId: head.contextId ?? named.contextId };
  if (given.settings?.stored_tasks && head.taskId) {
    place.contextId = storedContext(lookups, place, head.id, input.caller);
  }
  return knownThread(lookups, place, input.caller) ?? place.taskId ?? place.contextId ?? head.id;
}

/** What is received: a message, a task, both, or the request that brings a message. */
function unitOf(input: Value): Json {
  if (input.message && input.task) return input;
  const bare = input.message ?? input.task;
  return bare ? contentOf(members(bare), true) : contentOf(bodyOf(input.body), false);
}

/** The JSON of a body; what stands there parsed already is another spelling of it. */
function bodyOf(body: Json): Json {
  return parseStrict(bodyBytes(body), { maxBytes: 16 * 1024 * 1024, safeIntegers: false });
}

function contentOf(body: Json, isBare: boolean): Json {
  must(isObject(body), "wrong-type");
  if ("jsonrpc" in body || "method" in body) return calledIn(body);
  const unit = members(body);
  const refusal = unit.error !== undefined && unit.error !== null && !("message" in unit) && !("task" in unit);
  must(!refusal, "peer-error");
  return heldBy(unit, isBare);
}

/** The message of a JSON-RPC request, or what its result holds. */
function calledIn(body: Json): Json {
  const [params, isAnswer] = [body.params ?? undefined, "result" in body || "error" in body];
  must(body.jsonrpc === "2.0", "invalid-request");
  must(body.id === undefined || body.id === null || ["string", "number"].includes(typeof body.id), "invalid-request");
  if (isAnswer) {
    must(!("method" in body), "invalid-request");
    must(body.error === undefined || body.error === null, "peer-error");
    must(isObject(body.result), "wrong-type");
    return heldBy(members(body.result), false);
  }
  must(isText(body.method) && (params === undefined || isObject(params)), "invalid-request");
  must(!OLD_METHODS.includes(body.method), "version-unsupported");
  must(METHODS.includes(body.method), "method-unsupported");
  must(params?.message !== undefined && params.message !== null, "missing-member");
  return { message: params.message };
}

/** The message or the task that an object holds, or is. */
function heldBy(unit: Json, mayHoldBoth: boolean): Json {
  const [message, task] = [unit.message ?? unit.request ?? undefined, unit.task ?? undefined];
  must(mayHoldBoth || message === undefined || task === undefined, "two-contents");
  if (message !== undefined || task !== undefined) return { message, task };
  const kind = unit.kind ?? undefined;
  if (kind === "task" || (kind === undefined && "status" in unit && "id" in unit)) return { task: unit };
  const hasParts = "parts" in unit || "content" in unit;
  if (kind === "message" || "messageId" in unit || ("role" in unit && hasParts)) return { message: unit };
  const isEvent = kind === "status-update" || kind === "artifact-update";
  throw new Rejected("statusUpdate" in unit || "artifactUpdate" in unit || isEvent ? "stream-event" : "not-a-message");
}

/** The members of an object by their names in camelCase; no member may stand there in both spellings. */
function members(found: Json): Json {
  must(isObject(found), "wrong-type");
  const read = Object.create(null);
  for (const [name, member] of Object.entries(found)) {
    const proper = Object.hasOwn(CAMEL, name) ? CAMEL[name] : name;
    must(!(proper in read), "duplicate-member");
    read[proper] = member;
  }
  return read;
}

/** An id; undefined where it is absent, null or empty, which ProtoJSON does not tell apart. */
function idIn(found: Json): string | undefined {
  if (found === undefined || found === null || found === "") return undefined;
  must(isText(found), "wrong-type");
  must(characters(found) <= MOST, "id-too-long");
  return found;
}

function ownId(found: Json): string {
  const id = idIn(found);
  must(id !== undefined, "missing-member");
  return id;
}

function messageHead(message: Json): Head {
  const unit = members(message);
  const id = ownId(unit.messageId);
  must(ROLES.includes(unit.role), "unknown-value");
  const [parts, content] = [unit.parts ?? undefined, unit.content ?? undefined];
  must(parts === undefined || content === undefined, "two-contents");
  const sent = content ?? parts;
  must(sent !== undefined && !(Array.isArray(sent) && sent.length === 0), "missing-member");
  must(Array.isArray(sent), "wrong-type");
  return { id, taskId: idIn(unit.taskId), contextId: idIn(unit.contextId) };
}

function taskHead(task: Json): Head {
  const unit = members(task);
  const [id, contextId] = [ownId(unit.id), idIn(unit.contextId)];
  const status = members(unit.status ?? 0);
  must(STATES.has(status.state), "unknown-value");
  if (status.message !== undefined && status.message !== null) samePlace(messageHead(status.message), id, contextId);
  for (const name of ["artifacts", "history"]) {
    must(unit[name] === undefined || unit[name] === null || Array.isArray(unit[name]), "wrong-type");
  }
  return { id, contextId };
}

function samePlace(head: Head, taskId?: string, contextId?: string): void {
  must(!taskId || !head.taskId || head.taskId === taskId, "task-mismatch");
  must(!contextId || !head.contextId || head.contextId === contextId, "task-mismatch");
}
