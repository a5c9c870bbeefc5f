// A response in frames: Normalized Message 3.2 and 4, decision B16. A frame adds to what came before: its parts are
// appended, a call with a known id is brought up to date, and text at its beginning continues text at the end.

import { WideInteger } from "./json.ts";
import { hasExtra } from "./plain-text.ts";
import { must } from "./rejected.ts";
import { response as responseForm } from "./response.ts";
import { isText, list, strictly, type Value } from "./shape.ts";
import { characters } from "./text.ts";
import { storedMessage } from "./message.ts";

const MOST_PARTS = 1000;
const MOST_CHARACTERS = 16 * 1024 * 1024; // of text, of the JSON of calls, and of base64

const framesForm = list(responseForm, { whole: true });

/** Whether a frame may follow the last one, or begin a stream. */
function follows(frame: Value, last?: Value): boolean {
  const here = frame.streaming;
  if (!here || here.final !== (frame.status !== "partial")) return false;
  if (!last) return here.seq === 0;
  const before = last.streaming;
  const isSame = here.stream_id === before.stream_id && frame.reply_to === last.reply_to;
  return !before.final && isSame && here.seq > before.seq;
}

/** `response.stream`: null for one whole stream. */
export function wholeStream({ frames: given }: Value) {
  const frames = strictly(framesForm, given);
  must(frames.length > 0 && frames.at(-1).streaming?.final);
  frames.forEach((frame: Value, at: number) => must(follows(frame, frames[at - 1])));
  return null;
}

export const isEnded = (call: Value): boolean => "result" in call || "error" in call;
const isPlainText = (part: Value): boolean => part.kind === "text" && !hasExtra(part);
/** Whether text continues text before it: two of one type, with no other members. */
const continuesText = (last: Value | undefined, part: Value): boolean =>
  last !== undefined && isPlainText(last) && isPlainText(part) && last.mime === part.mime;

/** How much there is in a part, in characters. */
function sizeOf(part: Value): number {
  const json = (value: Value) => characters(JSON.stringify(value));
  if (part.kind === "text") return characters(part.content);
  if (part.kind === "tool_call") return json(part.args) + ("result" in part ? json(part.result) : 0);
  return part.bytes_ref?.data_base64?.length ?? 0;
}

/** Whether two JSON values are the same, their members in any order. */
export function isSameJson(one: Value, other: Value): boolean {
  if (one instanceof WideInteger || other instanceof WideInteger) return Number(one) === Number(other);
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => name in other && isSameJson(one[name], other[name]))
  );
}

/** `response.assemble`: the response that the frames make together. */
export function assembledFrames({ frames: given }: Value, { settings }: Value) {
  const limits = { parts: MOST_PARTS, a2a_bytes: MOST_CHARACTERS, ...settings?.limits };
  const frames = strictly(framesForm, given);
  const parts: Value[] = [];
  const calls = new Map<string, number>(); // their places by their ids
  let size = 0;
  frames.forEach((frame: Value, at: number) => {
    must(follows(frame, frames[at - 1]), "frame-refused");
    const known = (part: Value) => (part.kind === "tool_call" ? calls.get(part.id) : undefined);
    const before = (part: Value) => parts[known(part) ?? -1];
    const isChange = (part: Value) => before(part) && isEnded(before(part)) && !isSameJson(before(part), part);
    must(!frame.parts.some(isChange), "frame-refused"); // an ended call never changes
    const isContinued = frame.parts.length > 0 && continuesText(parts.at(-1), frame.parts[0]);
    const added = frame.parts.filter((part: Value) => known(part) === undefined).length - (isContinued ? 1 : 0);
    must(parts.length + added <= limits.parts, "too-many-parts");
    size += frame.parts.reduce((sum: number, part: Value) => sum + sizeOf(part), 0);
    must(size <= limits.a2a_bytes, "too-large");
    frame.parts.forEach((part: Value, index: number) => {
      const place = known(part);
      if (place !== undefined) parts[place] = part;
      else if (index === 0 && isContinued) {
        parts[parts.length - 1] = { ...parts.at(-1), content: parts.at(-1).content + part.content };
      } else {
        if (part.kind === "tool_call") calls.set(part.id, parts.length);
        parts.push(part);
      }
    });
  });
  must(frames.length > 0 && frames.at(-1).streaming.final);
  const { streaming: _, ...whole } = frames.at(-1);
  return { ...whole, parts };
}

/** `response.split`: a part at a time, each call first as running, and then as it ended. */
export function splitResponse({ response: given, stream_id: streamId, text_chars: most = null }: Value) {
  const whole = strictly(responseForm, given);
  must(!whole.streaming && whole.status !== "partial" && isText(streamId) && streamId !== "");
  must(most === null || (Number.isInteger(most) && most > 0));
  const groups: Value[][] = [];
  for (const part of whole.parts) {
    const [first, ...others] = pieces(part, most);
    // text that must not continue the text before it stands in the same frame
    if (groups.length && continuesText(groups.at(-1)?.at(-1), part)) groups.at(-1)?.push(first);
    else groups.push([first]);
    for (const other of others) groups.push([other]);
  }
  const last = groups.pop() ?? [];
  const place = (seq: number, final: boolean) => ({ stream_id: streamId, seq, final });
  const { reply_to, push_back } = whole;
  const kept = push_back ? { reply_to, push_back } : { reply_to };
  const before = groups.map((parts, seq) => ({ ...kept, parts, status: "partial", streaming: place(seq, false) }));
  return [...before, { ...whole, parts: last, streaming: place(before.length, true) }];
}

/** What of a part stands in each of its frames. */
function pieces(part: Value, most: number | null): Value[] {
  if (part.kind === "tool_call" && isEnded(part)) {
    const { result: _, error: __, duration_ms: ___, ...running } = part;
    return [running, part];
  }
  if (most === null || !isPlainText(part) || part.content === "") return [part];
  const letters = [...part.content];
  const count = Math.ceil(letters.length / most);
  return Array.from({ length: count }, (_, at) => {
    return { ...part, content: letters.slice(at * most, (at + 1) * most).join("") };
  });
}

/** `response.destination`: back to where the question came from, unless the response says otherwise. */
export function destinationOf({ response: given, to }: Value) {
  const hint = strictly(responseForm, given).push_back ?? {};
  const question = storedMessage(to);
  const channel = hint.channel ?? question.received_via;
  const isBack = channel === question.received_via;
  return { channel, thread_ref: hint.thread_ref ?? (isBack ? question.thread_id : null) };
}
