// Messages of Web Push, before they are encrypted: how long a push service keeps each, how much it may cost a battery,
// which message it replaces, and its bytes. RFC 8030 5, RFC 8291 4.

import { nowOf } from "./anp-decide.ts";
import { type Outgoing, PRESENTATION_MEMBERS, presentationOf, readOutgoing } from "./anp-presentation.ts";
import { digestOf } from "./ids.ts";
import { must } from "./rejected.ts";
import { isText, type Json, type Value } from "./shape.ts";
import { bytesIn, stripped } from "./text.ts";
import { microsIn, microsOf } from "./time.ts";

const MOST_BYTES = 3_993; // what fits into the one record that every push service accepts
const MOST_SECONDS = 28 * 86_400; // no push service in wide use keeps a message longer
const LEAST_CONTENT = 256; // bytes of the content below which the actions are left out before it is cut more
const TOPIC_BYTES = 24; // as base64url the 32 characters that a topic may have
const ELLIPSIS = "…";
const MICROS = 1_000_000n;

/** The words that plugins have for each urgency. */
const URGENCIES = {
  "very-low": "very-low verylow lowest min minimal background debug trivial",
  low: "low minor passive info information informational notice quiet silent",
  high:
    "high urgent critical emergency immediate important max highest very-high veryhigh time-sensitive timesensitive " +
    "alert alarm severe major error fatal asap",
};
const URGENCY_OF = new Map(
  Object.entries(URGENCIES).flatMap(([urgency, words]) => words.split(" ").map((word) => [word, urgency])),
);

/** The urgency that a plugin means; `normal` for all that it does not say. */
function urgencyOf(hint: Json): string {
  if (!isText(hint)) return "normal";
  const lower = stripped(hint).replace(/[A-Z]/g, (one) => one.toLowerCase());
  return URGENCY_OF.get(lower.replace(/[_ ]/g, "-")) ?? "normal";
}

const sizeOf = (body: Value): number => bytesIn(JSON.stringify(body));

/** As much of the beginning of a text as has so many bytes in JSON. */
function startOf(text: string, size: number): string {
  let [start, left] = ["", size];
  for (const letter of text) {
    left -= bytesIn(JSON.stringify(letter)) - 2;
    if (left < 0) break;
    start += letter;
  }
  return start;
}

/** A presentation that fits: first goes what no human reads, then the end of the content, then the actions. */
function fitted(whole: Value): Value {
  if (sizeOf(whole) <= MOST_BYTES) return whole;
  const known = PRESENTATION_MEMBERS.filter((one) => one in whole && one !== "metadata" && one !== "cut");
  for (const names of [known, known.filter((one) => one !== "actions")]) {
    const gone = Object.keys(whole).filter((one) => !names.includes(one) && one !== "cut");
    const cut = [...new Set([...(whole.cut ?? []), ...gone])];
    const body = { ...Object.fromEntries(names.map((one) => [one, whole[one]])), cut };
    if (sizeOf(body) <= MOST_BYTES) return body;
    const short = { ...body, content: ELLIPSIS, cut: [...new Set([...cut, "content"])] };
    const size = MOST_BYTES - sizeOf(short);
    const isEnough = size >= (names === known ? LEAST_CONTENT : 0);
    if (isEnough) return { ...short, content: startOf(whole.content, size) + ELLIPSIS };
  }
  must(false); // not even the ids fit
}

/** For how many seconds a push service keeps a message: no longer than the event is of use. */
function secondsFor({ what, value }: Outgoing, most: number, now: bigint): number {
  const deadline = what === "notification" ? value.delivery_deadline : undefined;
  const times = [microsIn(most), microsIn(MOST_SECONDS)];
  if (deadline !== undefined) times.push(microsOf(deadline) - now);
  const least = times.reduce((one, other) => (one < other ? one : other));
  return Number((least > 0n ? least : 0n) / MICROS);
}

function messageOf(outgoing: Outgoing, most: number, now: bigint) {
  const isSettled = outgoing.what === "settled"; // takes the event off the screen, quietly
  const event = isSettled ? outgoing.value : presentationOf(outgoing);
  must(event !== null);
  const body = isSettled ? event : fitted(event);
  must(sizeOf(body) <= MOST_BYTES);
  // newer words of an event replace those that wait, and the topic tells nobody which event it is
  const topic = digestOf("anp.web_push.topic", "", event.user_id, event.id).subarray(0, TOPIC_BYTES);
  return {
    ttl: secondsFor(outgoing, most, now),
    urgency: urgencyOf(isSettled ? "quiet" : event.metadata?.urgency),
    topic: topic.toString("base64url"),
    payload: JSON.stringify(body),
  };
}

/** `anp.web_push`. */
export function webPush({ what, ttl_seconds: most = MOST_SECONDS }: Value, about: Value) {
  return what.map((unit: Value) => messageOf(readOutgoing(unit), most, nowOf(about)));
}
