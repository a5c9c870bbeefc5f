// The answer of an agent at the end of a turn, as models write it: an object, its JSON, also in a fence, or plain text.
// Agentic Notification Protocol 5.2.

import { MOST_CHARACTERS, showsSomething } from "./anp-event.ts";
import { parseStrict } from "./json.ts";
import { Rejected } from "./rejected.ts";
import { isObject, isText, type Json, type Value } from "./shape.ts";
import { BLANK, characters, firstOf, stripped, wellFormed } from "./text.ts";

const MOST_IDS = 1000;
const MOST_OF_ID = 1024;
const MOST_OF_ANSWER = 4 * MOST_CHARACTERS;
const MOST_DEPTH = 8;
const FENCED = new RegExp(`^[${BLANK}]*\`\`\`(?:json)?[ \\t]*\\r?\\n([\\s\\S]*)\\n\`\`\`[${BLANK}]*$`, "iu");
const UNREAD = "output-unread";

/** `anp.read_output`. */
export function readOutput({ given }: Value) {
  const answer = isText(given) ? objectIn(given) : given;
  if (answer === null) return { value: { output: null, acknowledged_ids: [] }, diagnostics: [] };
  const { output, acknowledged_ids: listed } = answer ?? { output: given, acknowledged_ids: null };
  const entries: Json[] = Array.isArray(listed) ? listed : (listed ?? null) === null ? [] : [listed];
  const found = entries.map((one) => (isObject(one) ? one.id : one));
  const isId = (id: Json) => isText(id) && id !== "" && characters(id) <= MOST_OF_ID && id.isWellFormed();
  const ids = [...new Set(found.filter(isId))];
  const odd = found.filter((id) => !isId(id)).slice(0, MOST_IDS).map(() => UNREAD);
  if (ids.length > MOST_IDS) odd.push(UNREAD);
  const words = textOf(output);
  const value = { output: words.text, acknowledged_ids: ids.slice(0, MOST_IDS) };
  return { value, diagnostics: [...odd, ...words.odd] };
}

/** The object that a text holds; null for the word `null`; undefined for plain text. */
function objectIn(text: string): Json | null | undefined {
  if (characters(text) > MOST_OF_ANSWER) return undefined;
  const inner = wellFormed(stripped(FENCED.exec(text)?.[1] ?? text));
  if (inner === "null") return null;
  if (!inner.startsWith("{")) return undefined;
  const answer = jsonIn(inner);
  if (!isObject(answer)) return undefined;
  const names = Object.keys(answer);
  return !names.length || names.includes("output") || names.includes("acknowledged_ids") ? answer : undefined;
}

function jsonIn(text: string): Json {
  try {
    return parseStrict(Buffer.from(text, "utf8"), { maxBytes: 4 * MOST_OF_ANSWER, maxDepth: MOST_DEPTH });
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    // a model has cut an emoji in two, and nothing else is wrong
    return error.code === "lone-surrogate" ? JSON.parse(text) : undefined;
  }
}

/** The output, as far as it is text that can be sent. */
function textOf(output: Json): { text: string | null; odd: string[] } {
  if ((output ?? null) === null) return { text: null, odd: [] };
  if (!isText(output)) return { text: null, odd: [UNREAD] };
  const odd = characters(output) > MOST_CHARACTERS ? [UNREAD] : [];
  const text = firstOf(output, MOST_CHARACTERS);
  return { text: showsSomething(text) ? wellFormed(text) : null, odd };
}

/** `anp.actions`: a tool that nobody declared is external. */
export function actionsOf(input: Value, classify: (word: Json) => string): string[] {
  const known = new Map<string, string>();
  for (const [name, classification] of input.declared) {
    const kind = classify(classification);
    if (!isText(name) || name === "" || (known.get(name) ?? kind) !== kind) throw new Rejected();
    known.set(name, kind);
  }
  return input.called.map((name: string) => known.get(name) ?? "external");
}
