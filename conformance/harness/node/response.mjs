// The shape of a response: Normalized Message 3 and 4. Every member has the one type that the shape gives it, nothing
// is coerced, null is not absence, and what is not known is kept.

import { must } from "./rejected.mjs";
import { utcTime } from "./time.mjs";
import { isWebUrl } from "./url.mjs";

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const anything = () => true;
const text = (value) => typeof value === "string";
const name = (value) => text(value) && value !== "";
const yesOrNo = (value) => typeof value === "boolean";
const count = (value) => Number.isSafeInteger(value) && value >= 0;
const duration = (value) => typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
const oneOf = (...words) => (value) => words.includes(value);
const webUrl = (value) => text(value) && isWebUrl(value);
const moment = (value) => text(value) && utcTime(value) !== undefined;
const mediaType = (value) => text(value) && /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/.test(value);
const base64 = (value) => text(value) && BASE64.test(value);
const digest = (value) => text(value) && /^[0-9a-f]{64}$/.test(value);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** An object that has the first members and may have the second ones. */
const shape = (needed, optional = {}) => (value) =>
  isObject(value) &&
  Object.entries(needed).every(([member, fits]) => member in value && fits(value[member])) &&
  Object.entries(optional).every(([member, fits]) => !(member in value) || fits(value[member]));

/** An object whose shape is told by its `kind`; what a kind means that nobody knows is for others. */
const byKind = (shapes, other) => (value) =>
  isObject(value) && name(value.kind) && (Object.hasOwn(shapes, value.kind) ? shapes[value.kind](value) : other);

const bytesRef = byKind(
  {
    inline: shape({ data_base64: base64 }),
    url: shape({ url: webUrl }, { expires_at: moment }),
    content_addressed: shape({ algo: oneOf("sha256"), digest }, { url: webUrl }),
  },
  false,
);
const call = shape(
  { id: name, name, args: anything },
  { result: anything, error: shape({ message: text }), duration_ms: duration, started_at: moment },
);
const part = byKind(
  {
    text: shape({ mime: oneOf("text/plain", "text/markdown", "text/html"), content: text }),
    file: shape({ mime: mediaType, bytes_ref: bytesRef }, { name: text, size_bytes: count }),
    link: shape({ url: webUrl }, { title: text, description: text }),
    artifact: shape({ mime: mediaType, bytes_ref: bytesRef }, { name: text, artifact_type: text }),
    tool_call: (value) => call(value) && !("result" in value && "error" in value),
    policy: shape({ policy: isObject }),
  },
  true,
);
const parts = (value) => {
  if (!Array.isArray(value) || !value.every(part)) return false;
  const calls = value.filter((one) => one.kind === "tool_call").map((one) => one.id);
  return new Set(calls).size === calls.length; // the id tells calls apart
};
const response = shape(
  { reply_to: name, parts, status: oneOf("ok", "partial", "error") },
  {
    error: shape({ code: text, message: text, retriable: yesOrNo }),
    streaming: shape({ stream_id: name, seq: count, final: yesOrNo }),
    push_back: shape({}, { channel: oneOf("activitypub", "a2a", "email"), thread_ref: text }),
  },
);

/** The response that a value is, its times in UTC. Refuses what has another shape. */
export function responseOf(value) {
  must(response(value));
  must(!(value.streaming?.final && value.status === "partial")); // the last frame says how it ended
  return { ...value, parts: value.parts.map(inUtc) };
}

function inUtc(one) {
  if (one.kind === "tool_call" && "started_at" in one) return { ...one, started_at: utcTime(one.started_at) };
  const isLent = one.bytes_ref?.kind === "url" && "expires_at" in one.bytes_ref;
  return isLent ? { ...one, bytes_ref: { ...one.bytes_ref, expires_at: utcTime(one.bytes_ref.expires_at) } } : one;
}
