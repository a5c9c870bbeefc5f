// CloudEvents from anyone, as one object of JSON or with their attributes in header fields, and what they bring.
// CloudEvents 1.0.2, JSON format 2 and 3, HTTP binding 3.

import { carried, cloudEventForm, isJsonType, NO_HEADERS, PRESENTED, SUBMITTED } from "./anp-cloudevent.ts";
import { readSubmission } from "./anp-event.ts";
import { presentationOf } from "./anp-presentation.ts";
import { bytesOf, decodedUtf8, parseStrict, utf8Of } from "./json.ts";
import { bareMediaType } from "./lower-files.ts";
import { must } from "./rejected.ts";
import { type Form, isObject, isText, type Json, strictly, type Value } from "./shape.ts";
import { stripped, wellFormed } from "./text.ts";

const MOST_BYTES = 1024 * 1024;
const MOST_DEPTH = 128;
const CLOUD_EVENT = "application/cloudevents+json";
const PREFIX = "ce-";
const QUOTED = /^"((?:[^"\\]|\\.)*)"$/s;

const jsonIn = (bytes: Buffer): Json =>
  parseStrict(bytes, { maxBytes: MOST_BYTES, maxDepth: MOST_DEPTH, safeIntegers: false });

/** A CloudEvent in one object of JSON. */
function structured(members: Json): Value {
  must(isObject(members), "malformed");
  const known = Object.entries(members).filter(([, member]) => member !== null); // an attribute of null is none
  return strictly(cloudEventForm, Object.fromEntries(known));
}

/** The value of a header field, out of quotes and percent encoding. */
function valueIn(field: string): string {
  const bare = stripped(field);
  const quoted = QUOTED.exec(bare);
  const text = quoted ? (quoted[1] as string).replace(/\\(.)/gs, "$1") : bare;
  const pieces = text.split(/%([0-9A-Fa-f]{2})/); // every second one is a byte
  const value = decodedUtf8(Buffer.concat(pieces.map((piece, at) => Buffer.from(piece, at % 2 ? "hex" : "utf8"))));
  must(value !== undefined, "malformed");
  return value;
}

/** A CloudEvent with its attributes in header fields, and its data in the body. */
function binary(headers: [name: string, value: string][], type: string, body: Buffer): Value {
  must(body.length <= MOST_BYTES, "too-large");
  const attributes: Value = type === "" ? {} : { datacontenttype: type };
  for (const [header, field] of headers.filter(([one]) => one.startsWith(PREFIX))) {
    const name = header.slice(PREFIX.length);
    must(!Object.hasOwn(attributes, name) && !NO_HEADERS.includes(name), "malformed");
    attributes[name] = valueIn(field);
  }
  if (type !== "" && isJsonType(type)) Object.assign(attributes, carried(jsonIn(body)));
  else if (body.length) attributes.data_base64 = body.toString("base64");
  return strictly(cloudEventForm, attributes);
}

/** A CloudEvent in a request; its media type says in which of the two ways. */
function inRequest({ headers: given, body: sent = "" }: Value): Value {
  const pairs: [string, string][] = Array.isArray(given) ? given : Object.entries(given);
  const headers = pairs.map(([name, value]): [string, string] => [name.toLowerCase(), wellFormed(value)]);
  const type = headers.filter(([name]) => name === "content-type").map(([, value]) => value).join(", ");
  const body = bytesOf(sent);
  if (!/^application\/cloudevents/i.test(stripped(type))) return binary(headers, type, body);
  must(bareMediaType(type) === CLOUD_EVENT, "media-type-unsupported");
  return structured(jsonIn(body));
}

/** The data of a CloudEvent of one of these types: an object of JSON. */
function dataOf({ type, datacontenttype = CLOUD_EVENT, data, data_base64: bytes }: Value, types: string[]): Value {
  must(types.includes(type), "unknown-value");
  must(isJsonType(datacontenttype), "media-type-unsupported");
  const found = bytes === undefined ? data : jsonIn(Buffer.from(bytes, "base64"));
  must(isObject(found), "malformed");
  return found;
}

/** What a client displays of a CloudEvent. */
function presentationIn(event: Value): Value {
  const data = dataOf(event, Object.keys(PRESENTED));
  const value = strictly(PRESENTED[event.type] as Form, data);
  const found = presentationOf({ what: event.type.split(".").at(-1), value });
  must(found !== null, "unknown-value");
  return found;
}

/** `anp.read_cloudevent`. */
export function readCloudEvent({ event: given, request, as, user_id: userId }: Value): Value {
  const event = request ? inRequest(request) : structured(isText(given) ? jsonIn(utf8Of(given)) : given);
  if (as === "submission") return readSubmission({ data: dataOf(event, [SUBMITTED]), user_id: userId ?? undefined });
  return as === "presentation" ? presentationIn(event) : event;
}
