// Writing a trace: Normalized Message 10.2 to 10.5 and 10.7, ruling R33. The payload is the whole response; when it is
// too large, arguments and results are cut to 200 bytes each, and when it is still too large, there is none.

import { inOrder, written } from "./json.ts";
import { must } from "./rejected.ts";
import { response as responseForm } from "./response.ts";
import { type Json, strictly, type Value } from "./shape.ts";
import { isEnded } from "./stream.ts";
import { bytesIn, characters, escaped, firstOf, singleLine } from "./text.ts";
import { shorten } from "./tool-call.ts";
import { DATA_URI, DEFAULT_VIEWER, MOST } from "./trace.ts";
import { isWebUrl } from "./url.ts";

const MOST_OF_TEXT = 120; // characters between the tags of the anchor
const MOST_OF_NAME = 40; // characters of the name of a tool
const MOST_CALLS = 30; // more names never fit: each takes four characters at least
const CUT = 200; // bytes of the JSON of arguments and of a result

/** `trace.write`. */
export function writeTrace({ response: given }: Value, { settings = {} }: Value, line: string) {
  const response = strictly(responseForm, given);
  const viewer = settings.trace_viewer === undefined ? DEFAULT_VIEWER : settings.trace_viewer;
  must(viewer === null || (viewer.startsWith("https://") && isWebUrl(viewer)));
  const limit = Math.min(settings.limits?.trace_bytes ?? MOST, MOST);
  const text = anchorText(response);
  const parts = inOrder(line).get("input").get("response").get("parts");
  const cut = { ...response, parts: response.parts.map((part: Value, at: number) => shortenedCall(part, parts[at])) };
  for (const [one, diagnostics] of [[response, []], [cut, ["trace-shortened"]]]) {
    const json = JSON.stringify(one);
    if (Math.ceil(bytesIn(json) / 3) * 4 > limit) continue;
    const href = link(json, viewer);
    const html = `<a class="mentionable-trace" data-version="0.1" href="${escaped(href)}">${escaped(text)}</a>`;
    return { value: { text, href, html }, diagnostics };
  }
  return { value: { text, href: null, html: "" }, diagnostics: ["trace-dropped"] };
}

/** The address that carries a payload: in the fragment of a viewer without padding, or in a data: URI with it. */
function link(json: string, viewer: string | null): string {
  const data = Buffer.from(json, "utf8");
  if (viewer === null) return DATA_URI + data.toString("base64");
  return `${viewer.split("#", 1)[0]}#${data.toString("base64url")}`;
}

/** A call whose arguments and result are cut, with their members in the order in which they came. */
function shortenedCall(part: Value, came: Map<string, Json>): Value {
  if (part.kind !== "tool_call") return part;
  const shortened = (name: string) => shorten(written(came.get(name)), CUT);
  const cut = { ...part, args: shortened("args") };
  return "result" in part ? { ...cut, result: shortened("result") } : cut;
}

/** The words of the link: the calls and how they ended, as many as fit; or how many parts there are. */
function anchorText({ parts }: Value): string {
  const calls = parts.filter((part: Value) => part.kind === "tool_call").map(callText);
  if (!calls.length) return `[trace: ${parts.length} part${parts.length === 1 ? "" : "s"}]`;
  const lead = calls.length === 1 ? "[trace: " : `[trace: ${calls.length} tool calls — `;
  for (let count = Math.min(calls.length, MOST_CALLS); ; count -= 1) {
    const more = calls.length - count;
    const text = `${lead}${calls.slice(0, count).join(", ")}${more ? `, +${more} more` : ""}]`;
    if (characters(text) <= MOST_OF_TEXT) return text;
  }
}

function callText(call: Value): string {
  const line = singleLine(call.name) || "tool";
  const name = characters(line) > MOST_OF_NAME ? `${firstOf(line, MOST_OF_NAME - 1)}…` : line;
  const mark = call.error ? "✗" : isEnded(call) ? "✓" : "…";
  return `${name} ${mark}${call.duration_ms === undefined ? "" : ` ${duration(call.duration_ms)}`}`;
}

/** Three digits, or whole seconds. */
function duration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${halfToEven(milliseconds)}ms`;
  const seconds = milliseconds / 1000;
  return seconds < 999.5 ? `${Number(seconds.toPrecision(3))}s` : `${halfToEven(seconds)}s`;
}

/** The nearest whole number; of two that are as near, the even one. */
function halfToEven(value: number): number {
  const below = Math.floor(value);
  return value - below === 0.5 ? below + (below % 2) : Math.round(value);
}
