// The conversation of an A2A message in the store: a thread of its own sender, in its task or context.

import { address } from "./address.mjs";
import { must } from "./rejected.mjs";

const ENDED = ["completed", "failed", "canceled", "rejected"];

/** Whose the conversation is: an address, or a name that is none, without blanks; nobody's for callers without one. */
function ownerOf(caller) {
  if (!caller) return undefined;
  const found = addressOf(caller.subject);
  if (found) return found.endsWith("@a2a.invalid") ? undefined : found;
  const hex = (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(caller.subject).replace(/[!'()*]/g, hex);
}

/** The context of the stored task; what is not there, or another's, or over, is refused. */
export function storedContext(lookups, { taskId, contextId }, caller) {
  const stored = lookups.ask(`TASK ${taskId}`);
  must(stored !== undefined, "lookup-failed");
  const name = caller && (addressOf(caller.subject) ?? caller.subject);
  must(stored && (stored.owner ?? undefined) === (name ?? undefined), "task-not-found");
  must(!contextId || contextId === stored.context_id, "task-mismatch");
  must(!ENDED.includes(stored.state), "task-ended");
  return stored.context_id;
}

/** The thread of the first stored message in the task, else of the first in the context. */
export function knownThread(lookups, { taskId, contextId }, caller) {
  const owner = ownerOf(caller);
  if (!owner) return undefined;
  const ask = (kind, id) => id && lookups.ask(`MESSAGE ${kind} ${owner} ${id}`)?.thread_id;
  return ask("task", taskId) || ask("context", contextId) || undefined;
}

function addressOf(text) {
  try {
    return address(text);
  } catch {
    return undefined;
  }
}
