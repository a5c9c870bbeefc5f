// The shape of a response: Normalized Message 3 and 4. What does not fit costs itself, by ruling R54.

import { base64, count, digest, duration, mediaType, moment } from "./leaves.ts";
import { name, text, textType, webUrl, yesOrNo } from "./leaves.ts";
import { policy } from "./policy.ts";
import { anything, byKind, leniently, list, maybe, needed, nullable, oneOf, orElse, record, strict } from "./shape.ts";
import type { Json, Place, RuleOf, Value } from "./shape.ts";

const bytesRef = byKind({
  inline: record({ data_base64: needed(base64) }),
  url: record({ url: needed(webUrl), expires_at: maybe(moment) }),
  content_addressed: record({ digest: needed(digest), algo: needed(oneOf("sha256")), url: maybe(webUrl) }),
});
const fileType = orElse(mediaType, "application/octet-stream");

/** A call has a result, null even, or an error, or neither while it runs. */
const endsOnce: RuleOf = (call) => ("result" in call && "error" in call ? [["result"]] : undefined);

export const call = record(
  {
    id: needed(name),
    name: needed(name),
    args: needed(anything),
    result: nullable(anything),
    error: maybe(record({ message: needed(text) })),
    duration_ms: maybe(duration),
    started_at: maybe(moment),
  },
  { kind: "tool_call", rules: [endsOnce] },
);
export const part = byKind(
  {
    text: record({ content: needed(text), mime: orElse(textType, "text/plain") }),
    file: record({ mime: fileType, bytes_ref: needed(bytesRef), name: maybe(text), size_bytes: maybe(count) }),
    link: record({ url: needed(webUrl), title: maybe(text), description: maybe(text) }),
    artifact: record({ mime: fileType, bytes_ref: needed(bytesRef), name: maybe(text), artifact_type: maybe(text) }),
    tool_call: call,
    policy: record({ policy: strict(needed(policy)) }),
  },
  record({ kind: needed(name) }),
);

/** The last frame says how it ended. */
const endsWhole: RuleOf = ({ status, streaming }) =>
  status === "partial" && streaming?.final ? [["streaming"]] : undefined;

/** The id tells calls apart; the first keeps it. */
function callsDiffer({ parts }: Value): Place[] | undefined {
  const seen = new Set<string>();
  const isAgain = ({ kind, id }: Value) => kind === "tool_call" && seen.size === seen.add(id).size;
  const again = parts.flatMap((one: Value, index: number) => (isAgain(one) ? [["parts", index]] : []));
  return again.length ? again : undefined;
}

export const response = record(
  {
    reply_to: needed(name),
    parts: needed(list(part)),
    status: needed(oneOf("ok", "partial", "error")),
    error: maybe(record({ code: needed(text), message: needed(text), retriable: needed(yesOrNo) })),
    streaming: maybe(record({ stream_id: needed(name), seq: needed(count), final: needed(yesOrNo) })),
    push_back: maybe(record({ channel: maybe(oneOf("activitypub", "a2a", "email")), thread_ref: maybe(text) })),
  },
  { rules: [endsWhole, callsDiffer] },
);

/** The response that a value is, and notes of what had to be left out. Throws `Misfit` when it is none. */
export const responseOf = (value: Json) => leniently(response, value);
