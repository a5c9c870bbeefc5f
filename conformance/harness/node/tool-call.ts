// The one line that stands for a tool call: Normalized Message 3.2.

import { inOrder, written } from "./json.ts";
import { call } from "./response.ts";
import { strictly } from "./shape.ts";

const size = (text) => Buffer.byteLength(text, "utf8");

/** At most `budget` bytes of UTF-8, cut between characters, `…` at the end when something is missing. */
export function shorten(text, budget) {
  if (size(text) <= budget) return text;
  let [kept, left] = ["", budget - size("…")];
  for (const character of text) {
    left -= size(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

const oneLine = (text) => text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, " ");

/** `🔧 name(arguments) → result`; a cross before the message of a failure, an ellipsis for a call on its way. */
export function toolCall({ part: given, budget = 200 }, _, line) {
  strictly(call, given);
  const part = inOrder(line).get("input").get("part");
  const summary = (value) => shorten(oneLine(written(value)), budget);
  const ended = part.has("result") ? summary(part.get("result")) : "…";
  const outcome = part.get("error") ? `❌ ${oneLine(part.get("error").get("message"))}` : ended;
  return `🔧 ${oneLine(part.get("name"))}(${summary(part.get("args"))}) → ${outcome}`;
}
