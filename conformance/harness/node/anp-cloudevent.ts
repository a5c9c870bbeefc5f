// What goes out of a host as CloudEvents, and their attributes as header fields. CloudEvents 1.0.2 3, its JSON format
// and its HTTP binding.

import { presentationForm, readOutgoing } from "./anp-presentation.ts";
import { effectForms } from "./anp-effects.ts";
import { canonical } from "./canonical.ts";
import { uuidOf } from "./ids.ts";
import { jsonBytes } from "./json.ts";
import { base64, moment } from "./leaves.ts";
import { bareMediaType } from "./lower-files.ts";
import { must } from "./rejected.ts";
import {
  anything, type Form, isText, isWithin, type Json, leaf, maybe, type Members, needed, oneOf, record, strictly,
  type Value, VALUE_DEPTH,
} from "./shape.ts";
import { utcTime } from "./time.ts";

const TYPES = "dev.mentionable.anp.";
const HOST = "/hosts/1";
const JSON_TYPE = "application/json";
const LARGEST = 2 ** 31;

const PLANES = Array.from({ length: 17 }, (_, plane) => plane.toString(16));
const NO_CHARACTERS = PLANES.map((plane) => `\\u{${plane}fffe}\\u{${plane}ffff}`);
const PLAIN = new RegExp(`^[^\\u0000-\\u001f\\u007f-\\u009f\\ufdd0-\\ufdef${NO_CHARACTERS.join("")}]+$`, "u");
const UNENCODED = "[A-Za-z0-9._~:/?@!$&'()*+,;=\\[\\]-]*";
const OF_REFERENCE = `${UNENCODED}(?:%[0-9A-Fa-f]{2}${UNENCODED})*`;
const REFERENCE = new RegExp(`^(?=.)${OF_REFERENCE}(?:#${OF_REFERENCE})?$`);
const EXTENSION = /^[a-z0-9]{1,64}$/;
/** Members that are no header fields of the prefix `ce-`. */
export const NO_HEADERS = ["data", "data_base64", "datacontenttype"];

const isPlain = (value: Json): boolean => isText(value) && PLAIN.test(value);
const plain = leaf(isPlain);
const reference = leaf((value) => isText(value) && REFERENCE.test(value));
const contentType = leaf((value) => isPlain(value) && bareMediaType(value) !== undefined);

const ATTRIBUTES: Members = {
  id: needed(plain),
  source: needed(reference),
  type: needed(plain),
  specversion: needed(oneOf("1.0")),
  subject: maybe(plain),
  time: maybe(moment),
  datacontenttype: maybe(contentType),
  data: maybe(anything),
  data_base64: maybe(base64),
};

/** The value of an extension: a text, a boolean, or an integer of 32 bits. */
const isExtension = (value: Json): boolean =>
  value === "" || isPlain(value) || typeof value === "boolean" ||
  (Number.isInteger(value) && value >= -LARGEST && value < LARGEST);
const hasExtensions = (event: Value) => {
  const others = Object.entries(event).filter(([name]) => !Object.hasOwn(ATTRIBUTES, name));
  return others.every(([name, value]) => EXTENSION.test(name) && isExtension(value)) ? undefined : [];
};
const hasOneData = (event: Value) => ("data" in event && "data_base64" in event ? [] : undefined);
export const cloudEventForm = record(ATTRIBUTES, { rules: [hasOneData, hasExtensions] });

/** The CloudEvents that tell something to a human, by their types. */
export const PRESENTED: Record<string, Form> = {
  [`${TYPES}presentation`]: presentationForm,
  [`${TYPES}present`]: effectForms.present as Form,
  [`${TYPES}update`]: effectForms.update as Form,
};
export const SUBMITTED = `${TYPES}submission`;

/** Whether a media type is one of JSON. */
export const isJsonType = (type: string): boolean => /(?:\/|\+)json$/.test(bareMediaType(type) ?? "");

/** JSON as data; as bytes where it is nested deeper than a member may be. */
export const carried = (data: Json): Value =>
  isWithin(VALUE_DEPTH, data) ? { data } : { data_base64: jsonBytes(data).toString("base64") };

function cloudEvent(unit: Value, source: Json, at: string | undefined): Value {
  const { what, value } = readOutgoing(unit);
  const isSubmission = what === "submission";
  must(!isSubmission || (unit.id ?? null) !== null); // an id that is made up each time would submit the same twice
  const { id, revision, lease = value.owner_lease } = value;
  const key = () => uuidOf("anp.cloudevents.id", "", what, id, `${revision}`, `${lease}`, canonical(value, 128));
  const time = at ?? (what === "notification" ? value.changed_at : undefined);
  return strictly(cloudEventForm, {
    specversion: "1.0",
    id: isSubmission ? unit.id : unit.id || key(),
    source,
    type: TYPES + what,
    subject: isSubmission || !isPlain(id) ? null : id,
    time: time ?? null,
    datacontenttype: JSON_TYPE,
    ...carried(value),
  });
}

/** A text with all but visible ASCII in percent encoding. */
const encoded = (text: string): string => text.replace(/[^!#$&-~]+/gu, encodeURIComponent);

/** The header fields of a request with a CloudEvent. */
function headersOf(event: Value): Record<string, string> {
  const fields = Object.entries(event).filter(([name]) => !NO_HEADERS.includes(name));
  const headers = fields.map(([name, value]) => [`ce-${name}`, encoded(`${value}`)]);
  return { ...Object.fromEntries(headers), "content-type": event.datacontenttype };
}

/** `anp.cloudevent`. */
export function cloudEvents({ what, source = HOST, at }: Value) {
  const time = at === undefined ? undefined : utcTime(at);
  must(at === undefined || time !== undefined);
  const events = what.map((unit: Value) => cloudEvent(unit, source, time));
  return { events, headers: events.map(headersOf) };
}
