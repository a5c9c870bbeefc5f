// Facts about an activity and its note: who gets it, how visible it is, what people read, which trace it holds.

import { FactError } from "./facts-error.mjs";
import { Page } from "./facts-html.mjs";
import { traceIn } from "./facts-trace.mjs";
import { dumps } from "./json.mjs";
import { byCharacter, distinct, each, get, holds, isObject, item, object, same, sorted, strip, stripEnd, text, truthy } from "./values.mjs";

/** @typedef {(value: any) => any} Fact */

const POLICY_TERM = "mentionablePolicy";
const EVERYBODY = ["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"];
const OF_FILES = ["type", "mediaType", "name", "url"];

/** @param {any} value */
const activity = (value) => item(value, "activity");
/** @param {any} value */
const note = (value) => item(activity(value), "object");
/** @param {any} value */
const page = (value) => new Page(item(note(value), "content"));
/** The note for the asker alone, which goes out behind the one for all. @param {any} value */
const ofAsker = (value) => object({ activity: item(value, "private") });

/** @param {any} value @returns {any[]} */
const listed = (value) => (value === null ? [] : Array.isArray(value) ? sorted(value) : [value]);

/** An addressing member of the activity; the note must say the same. @param {string} name @returns {Fact} */
const agreed = (name) => (value) => {
  const [one, other] = [activity(value), note(value)].map((each) => listed(get(each, name)));
  return same(one, other) ? one : object({ activity: one, object: other });
};

/** Everybody in `to` and `cc`, of the activity as of the note, which must agree. @param {any} value @returns {any[]} */
function addressees(value) {
  const both = [activity(value), note(value)].map((one) => distinct([...listed(get(one, "to")), ...listed(get(one, "cc"))]));
  const agree = both[0].length === both[1].length && both[0].every((one) => holds(both[1], one));
  if (!agree) throw new FactError("the activity and its note are addressed to others");
  return sorted(both[0]);
}

/** @param {any} one */
const isFollowers = (one) => text(one).endsWith("/followers");
/** @param {any} one */
const isEverybody = (one) => EVERYBODY.includes(one);

/** How visible the note is, as servers tell it from `to` and `cc`. @param {any} value */
function visibility(value) {
  if (distinct(listed(get(note(value), "to"))).some(isEverybody)) return "public";
  const all = addressees(value);
  if (all.some(isEverybody)) return "unlisted";
  return all.some(isFollowers) ? "followers" : "direct";
}

/** A member that is one thing or a list of them. @param {any} value @param {string} name @returns {any[]} */
function several(value, name) {
  const found = get(note(value), name);
  return !truthy(found) ? [] : Array.isArray(found) ? found : [found];
}

/** @param {any} value @returns {any[][]} */
function mentions(value) {
  const tags = several(value, "tag").filter((tag) => get(tag, "type") === "Mention");
  return sorted(tags.map((tag) => [item(tag, "name"), item(tag, "href")]));
}

/** Who of the mentioned is named in what people read. @param {any} value */
function named(value) {
  const shown = page(value).text;
  const names = mentions(value).map(([name]) => text(name));
  return names.filter((name) => shown.includes(`@${name.replace(/^@+/, "").split("@", 1)[0]}`));
}

/** @param {any} value */
const traces = (value) => page(value).anchors.filter((one) => one.classes.includes("mentionable-trace"));

/** @param {any} value */
function noteTrace(value) {
  const [anchor] = traces(value);
  return anchor ? traceIn(item(anchor.attributes, "href")).get("response") : null;
}

/** Whether nothing that people read follows the anchor. @param {any} value */
function endsWithTrace(value) {
  const anchors = traces(value);
  return anchors.length === 1 && stripEnd(page(value).text).endsWith(anchors[0].text);
}

/** What people read, the words of the trace left out. @param {any} value */
function wordsOf(value) {
  const shown = traces(value).reduce((text, anchor) => without(text, anchor.text), page(value).text);
  return shown.split("\n").filter((line) => strip(line)).join("\n");
}

/** @param {string} shown @param {string} left */
const without = (shown, left) => (left ? shown.replaceAll(left, "") : shown);

/** Where links lead that are neither mentions nor the trace. @param {any} value */
function links(value) {
  const found = page(value).anchors.filter(({ classes }) => !classes.includes("mention") && !classes.includes("mentionable-trace"));
  return found.map((one) => [one.attributes.get("href") ?? "", one.text]);
}

/** Attached files; links of the trace are left out. @param {any} value */
function attached(value) {
  const files = several(value, "attachment").filter((one) => get(one, "type") !== "Link");
  return files.map((one) => new Map(OF_FILES.filter((name) => holds(one, name)).map((name) => [name, item(one, name)])));
}

/** What the context says that the word for a policy means. @param {any} value */
function policyTerm(value) {
  const contexts = item(activity(value), "@context");
  const found = (Array.isArray(contexts) ? contexts : [contexts]).find((one) => isObject(one) && one.has(POLICY_TERM));
  return found?.get(POLICY_TERM) ?? null;
}

/** @param {string} name @returns {Fact} */
const ofNote = (name) => (value) => get(note(value), name);

/** @type {{[name: string]: Fact}} */
export const ACTIVITY = {
  type: (value) => item(activity(value), "type"),
  actor: (value) => item(activity(value), "actor"),
  object_type: (value) => item(note(value), "type"),
  attributed_to: (value) => item(note(value), "attributedTo"),
  to: agreed("to"),
  cc: agreed("cc"),
  visibility,
  addressed: (value) => addressees(value).filter((one) => !isEverybody(one) && !isFollowers(one)),
  in_reply_to: ofNote("inReplyTo"),
  context: ofNote("context"),
  conversation: ofNote("conversation"),
  published: ofNote("published"),
  updated: ofNote("updated"),
  source: ofNote("source"),
  note_id: (value) => item(note(value), "id"),
  ids_differ: (value) => !same(item(activity(value), "id"), item(note(value), "id")),
  mentions,
  named,
  inboxes: (value) => sorted(each(item(value, "inboxes"))),
  attachments: attached,
  policy: ofNote(POLICY_TERM),
  private_policy: (value) => ofNote(POLICY_TERM)(ofAsker(value)),
  private_addressed: (value) => addressees(ofAsker(value)),
  private_visibility: (value) => visibility(ofAsker(value)),
  policy_term: policyTerm,
  elements: (value) => [...page(value).elements].sort(byCharacter),
  links,
  words: wordsOf,
  trace: noteTrace,
  traces: (value) => BigInt(traces(value).length),
  trace_last: endsWithTrace,
  html: (value) => item(note(value), "content"),
  activity: (value) => dumps(activity(value)),
  same_note: (value) => same(item(note(value), "id"), item(value, "before")),
  payload: (value) => dumps(noteTrace(value)),
};
