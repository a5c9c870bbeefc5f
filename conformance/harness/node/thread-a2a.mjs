// Which conversation an A2A message belongs to: Normalized Message 5 and 8, ruling R5.

import { jsonOf } from "./json.mjs";
import { must } from "./rejected.mjs";

/** The task: the host's, else the message's own; without one the context, else the message itself. */
export function a2aThread(input) {
  const { message, task, taskId } = unitOf(input);
  if (message && task) {
    must(same(message.taskId, task.id) && same(message.contextId, task.contextId), "task-mismatch");
  }
  must(same(message?.taskId, taskId), "task-mismatch"); // a message of another task must not slip into this one
  // an id that is empty is none
  return task?.id || taskId || message.taskId || message.contextId || message.messageId;
}

const same = (one, other) => !one || !other || one === other;

/** What is received: a message, a task, both, or the request that brings a message. */
function unitOf(input) {
  const { message, task, task_id: taskId } = input;
  if (message || task) return { message, task, taskId };
  const body = jsonOf(input.body);
  return { message: (body.params ?? body).message, taskId };
}
