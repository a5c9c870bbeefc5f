// The one line that stands for a tool call: Normalized Message 3.2.

import { inOrder, written } from "./json.ts";
import { call } from "./response.ts";
import { strictly, type Value } from "./shape.ts";
import { bytesIn } from "./text.ts";

/** Bytes of each side of a line. */
const BUDGET = 200;

/** At most `budget` bytes of UTF-8, cut between characters, `…` at the end when something is missing. */
export function shorten(text: string, budget: number): string {
  if (bytesIn(text) <= budget) return text;
  let kept = "";
  let left = budget - bytesIn("…");
  for (const character of text) {
    left -= bytesIn(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, " ");

/** A call as one line: a cross before the message of a failure, an ellipsis for a call on its way. */
function lineOf(name: string, args: string, outcome: string | undefined, error: string | undefined, budget: number) {
  const summary = (json: string) => shorten(oneLine(json), budget);
  const ended = outcome === undefined ? "…" : summary(outcome);
  return `🔧 ${oneLine(name)}(${summary(args)}) → ${error === undefined ? ended : `❌ ${oneLine(error)}`}`;
}

/** The line of a call that was read. */
export function toolCallLine(part: Value, budget = BUDGET): string {
  const outcome = "result" in part ? JSON.stringify(part.result) : undefined;
  return lineOf(part.name, JSON.stringify(part.args), outcome, part.error?.message, budget);
}

/** `render.tool_call`: with the members of arguments in their order. */
export function toolCall({ part: given, budget = BUDGET }: Value, _: Value, line: string): string {
  strictly(call, given);
  const part = inOrder(line).get("input").get("part");
  const outcome = part.has("result") ? written(part.get("result")) : undefined;
  return lineOf(part.get("name"), written(part.get("args")), outcome, part.get("error")?.get("message"), budget);
}
