// The conversation of an A2A message in the store: a thread of its own sender, in its task or context.

import { address } from "./address.ts";
import type { Lookups } from "./lookups.ts";
import { must } from "./rejected.ts";
import type { Json } from "./shape.ts";
import { percentEncoded } from "./url.ts";

/** The task and the context that a message names, where it names one. */
interface Place {
  taskId?: string | undefined;
  contextId?: string | undefined;
}

const ENDED = ["completed", "failed", "canceled", "rejected"];
const ANONYMOUS = "@anonymous@a2a.invalid";

/** Whose the conversation is: an address, or a name that is none, without blanks; undefined for callers without one. */
function ownerOf(caller: Json): string | undefined {
  if (!caller) return undefined;
  const found = addressOf(caller.subject);
  if (found) return found.endsWith("@a2a.invalid") ? undefined : found;
  return percentEncoded(caller.subject);
}

/**
 * The context of the stored task. What is not there, or another's, is refused; what is over, too, unless this very
 * message came before: it may have ended the task.
 */
export function storedContext(lookups: Lookups, { taskId, contextId }: Place, messageId: string, caller: Json): string {
  const stored = lookups.ask(`TASK ${taskId}`);
  must(stored !== undefined, "lookup-failed");
  const name = caller && (addressOf(caller.subject) ?? caller.subject);
  must(stored && (stored.owner ?? undefined) === (name ?? undefined), "task-not-found");
  must(!contextId || contextId === stored.context_id, "task-mismatch");
  must(!ENDED.includes(stored.state) || cameBefore(lookups, messageId, caller), "task-ended");
  return stored.context_id;
}

/** Whether the message is stored, of the same sender. */
function cameBefore(lookups: Lookups, messageId: string, caller: Json): boolean {
  const [sender, owner] = [(caller && addressOf(caller.subject)) || ANONYMOUS, ownerOf(caller)];
  const author = !owner || owner === sender ? sender : `${sender}/${owner}`;
  return lookups.ask(`MESSAGE ${author} ${messageId}`)?.sender === sender;
}

/** The thread of the first stored message in the task, else of the first in the context. */
export function knownThread(lookups: Lookups, { taskId, contextId }: Place, caller: Json): string | undefined {
  const owner = ownerOf(caller);
  if (!owner) return undefined;
  const ask = (kind: string, id: string | undefined) => id && lookups.ask(`MESSAGE ${kind} ${owner} ${id}`)?.thread_id;
  return ask("task", taskId) || ask("context", contextId) || undefined;
}

function addressOf(text: string): string | undefined {
  try {
    return address(text);
  } catch {
    return undefined;
  }
}
