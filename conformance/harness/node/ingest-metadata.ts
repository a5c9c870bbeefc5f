// The metadata of a message as an integration stores it: Message Ingest Contract, decisions I11 to I14. Unknown members
// are kept, and what is probably a slip is told.

import { name, text, yesOrNo } from "./leaves.ts";
import { isMentionToken } from "./names.ts";
import { must } from "./rejected.ts";
import { entries, isObject, isText, leaf, maybe, needed, oneOf, record, strictly } from "./shape.ts";
import type { Json, Value } from "./shape.ts";
import { BLANK, characters, firstOf } from "./text.ts";

const ID = new RegExp(`^[^:${BLANK}]+:.`, "su");
/** Sources whose ids have a shorter namespace, by the contract's own example. */
export const NAMESPACES: Record<string, string> = { bluebubbles: "bb" };
const MOST_NAMES = 100;
const MOST_OF_NAME = 64; // characters of a name that may be a slip
const ALIKE = 0.86; // how similar two names are of which one is a slip of the other
const MOST_MENTIONS = 1000;

const members = {
  source: needed(name),
  sender_id: needed(leaf((value) => isText(value) && ID.test(value))),
  sender_display_name: needed(name),
  sender_type: needed(oneOf("human", "bot")),
  channel_external_id: maybe(text),
  mention_token: maybe(text),
  thread_context: maybe(text),
  is_from_me: maybe(yesOrNo),
  passive: maybe(yesOrNo),
  trigger_rag: maybe(yesOrNo),
  recipient_id: maybe(text),
  subject: maybe(text),
  mentions: maybe(entries(text)),
  format: maybe(text),
};
export const metadataForm = record(members);
const NAMES = Object.keys(members).sort();

/** How a text is written: the markup of its platform, and the names of who it mentions. */
export interface Form {
  format: string | null;
  mentions: Record<string, string> | null;
  /** Places in the metadata that could not be read. */
  odd: string[];
}

/** What metadata say of that. */
export function formIn({ format = null, mentions = null }: Json): Form {
  const odd = format === null || isText(format) ? [] : ["/format"];
  const known = isText(format) ? format : null;
  if (!isObject(mentions)) {
    return { format: known, mentions: null, odd: mentions === null ? odd : [...odd, "/mentions"] };
  }
  const first = Object.entries<Json>(mentions).slice(0, MOST_MENTIONS);
  const unread = first.filter(([, one]) => !isText(one)).map(([token]) => `/mentions/${token}`);
  const names = Object.fromEntries(first.filter(([, one]) => isText(one)));
  return { format: known, mentions: names, odd: [...odd, ...unread] };
}

/** `ingest.metadata`. */
export function readMetadata({ data, source = null }: Value) {
  must(isObject(data) && (source === null || isText(source)));
  must(source === null || [undefined, null, source].includes(data.source));
  const merged: Json = source === null ? { ...data } : { ...data, source };
  const form = formIn(merged);
  delete merged.format;
  delete merged.mentions;
  if (form.format !== null) merged.format = form.format;
  if (form.mentions !== null) merged.mentions = form.mentions;
  const metadata = strictly(metadataForm, merged);
  const diagnostics = form.odd.map(() => "metadata-ignored");
  return { value: metadata, diagnostics: [...diagnostics, ...oddities(metadata)] };
}

/** Probable slips in metadata that can be read. */
function oddities(metadata: Value): string[] {
  const found = [];
  const { source, sender_id: id, mention_token: token } = metadata;
  const namespace = id.split(":", 1)[0];
  if (namespace !== source && namespace !== NAMESPACES[source]) found.push("metadata-namespace");
  if (token && !isMentionToken(token)) found.push("mention-token-refused");
  const others = Object.keys(metadata).filter((one) => !Object.hasOwn(members, one) && characters(one) <= MOST_OF_NAME);
  const isNear = (one: string) => NAMES.some((member) => similarity(bare(member), bare(one)) >= ALIKE);
  return [...found, ...others.slice(0, MOST_NAMES).filter(isNear).map(() => "metadata-near-miss")];
}

/** The letters and digits of a name in lower case. */
const bare = (text: string): string => firstOf(text, MOST_OF_NAME).replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** How similar two texts are: twice the characters of their longest common pieces, of all their characters. */
function similarity(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  return a.length + b.length ? (2 * commonIn(a, b)) / (a.length + b.length) : 1;
}

/** The characters of the longest common piece, and of those before and behind it. */
function commonIn(a: string[], b: string[]): number {
  let [size, atA, atB] = [0, 0, 0];
  for (let i = 0; i < a.length; i += 1) {
    for (let j = 0; j < b.length; j += 1) {
      let length = 0;
      while (i + length < a.length && j + length < b.length && a[i + length] === b[j + length]) length += 1;
      if (length > size) [size, atA, atB] = [length, i, j];
    }
  }
  if (!size) return 0;
  const before = commonIn(a.slice(0, atA), b.slice(0, atB));
  return size + before + commonIn(a.slice(atA + size), b.slice(atB + size));
}
