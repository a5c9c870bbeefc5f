// Saying in an agent card that an agent knows policies, and seeing that one does. PolicyPart, ruling R41.

import { must } from "./rejected.ts";
import { isObject, type Json, object, strictly, type Value } from "./shape.ts";

export const EXTENSION = "https://mentionable.dev/ns/policy/v0.1";

/** `policy.declare`: the card with the extension in both places; what is missing on the way is made. */
export function declared({ card }: Value): Value {
  const own = declaredIn(strictly(object, card));
  return { ...own, a2a: declaredIn(own.a2a ?? {}) };
}

/** A section of a card whose `capabilities.extensions` has it; an entry that is there stays as it is. */
function declaredIn(section: Json): Value {
  must(isObject(section));
  const capabilities = section.capabilities ?? {};
  must(isObject(capabilities));
  const extensions = capabilities.extensions ?? [];
  must(Array.isArray(extensions));
  const added = namesIt(extensions) ? extensions : [...extensions, { uri: EXTENSION }];
  return { ...section, capabilities: { ...capabilities, extensions: added } };
}

/** `policy.is_declared`: in either place; false for whatever is no card. */
export const isDeclared = ({ card }: Value): boolean =>
  [card, card?.a2a].some((section) => namesIt(section?.capabilities?.extensions));

/** Whether an array of extensions has ours. */
const namesIt = (extensions: Json): boolean =>
  Array.isArray(extensions) && extensions.some((one) => isObject(one) && one.uri === EXTENSION);
