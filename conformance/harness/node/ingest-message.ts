// A message as an integration stores it, and back: Message Ingest Contract. The typed text is stored to the letter;
// everything else is metadata.

import { address, domainOf } from "./address.ts";
import { sha256 } from "./canonical.ts";
import { visibleText } from "./html-text.ts";
import { type Form, metadataForm, NAMESPACES } from "./ingest-metadata.ts";
import { canonicalAddress, stored, storedMessage } from "./message.ts";
import { mentionsIn, withNames } from "./mentions.ts";
import { readMrkdwn } from "./mrkdwn.ts";
import { type Author, blockLine, blockOf, nameOf, THREAD_HEADING } from "./names.ts";
import { authorOf, hasExtra, isOfOthers, partsWithoutClaims, plainText } from "./plain-text.ts";
import { must } from "./rejected.ts";
import { part as partForm } from "./response.ts";
import { isObject, isText, type Json, list, maybe, needed, record, strictly, type Value } from "./shape.ts";
import { text } from "./leaves.ts";
import { singleLine, wellFormed } from "./text.ts";

const MOST_OF_THREAD = 15; // messages in the summary of a thread
const TRANSPORTS = ["activitypub", "a2a", "email", "rest"];
const VIA = [...TRANSPORTS, "connector"];
const WITH_HISTORY = ["connector", "activitypub"]; // the platform itself delivers the history
const NO_TOKENS_OF_BOTS = ["slack", "discord"];
const OF_THE_SENDER = ["source", "sender_id", "sender_display_name", "sender_type", "mention_token"];
const ACCOUNT = /^(?:.*\.)?([a-z0-9-]+)\.invalid$/s; // domains of accounts of a platform, as connectors make them
const MRKDWN = "mrkdwn";
const DIGITS = 32;

const localOf = (text: string): string => text.slice(1).split("@", 1)[0] as string;
const accountOf = (text: string): string | undefined => ACCOUNT.exec(domainOf(text))?.[1];

/** The platform of an account, by its address or its profile; empty when neither names one. */
function platformOf(sender: Value): string {
  const provider = sender.profile?.provider ?? "";
  return accountOf(sender.address) ?? (/^[A-Za-z0-9._-]{1,64}$/.test(provider) ? provider : "");
}

/** Whether an account is a program's, by the ids of Slack and the profiles of Discord. */
function isBot(sender: Value): boolean {
  const platform = platformOf(sender);
  if (platform === "slack") return /^B[A-Z0-9]+$/.test(localOf(sender.address));
  return platform === "discord" && sender.profile?.provider_subject === undefined;
}

/** The name of a sender, and the token that mentions them on their platform. */
function namedSender(sender: Value): Author {
  const [local, platform] = [localOf(sender.address), platformOf(sender)];
  const isAccount = accountOf(sender.address) !== undefined;
  const name = [sender.display_name ?? "", sender.profile?.display_name ?? ""].find(nameOf);
  if (platform === "slack") {
    const token = isAccount && /^[UW][A-Z0-9]+$/.test(local) ? `<@${local}>` : "";
    return { name: name ?? (isBot(sender) ? `bot:${local}` : local), token };
  }
  const ofDiscord = isAccount && !isBot(sender) ? `<@${local}>` : "";
  const token = platform === "discord" ? ofDiscord : platform === "activitypub" ? sender.address : "";
  return { name: name ?? (platform === "" ? sender.address : local), token };
}

/** Whether the address of an account is verified: an attacker can write one into a mail. */
function isAccountVerified(sender: Value, via: string | null): boolean {
  if (via === "connector" || accountOf(sender.address) === undefined) return true;
  const [start, end] = [`${platformOf(sender)}:`, `/${localOf(sender.address)}`];
  return (sender.identities ?? []).some(
    (one: Value) => one.assurance === "platform" && one.subject.startsWith(start) && one.subject.endsWith(end),
  );
}

/** Whether a program wrote a message, or a turn. */
function isProgram(message: Value): boolean {
  const { sender, raw } = message;
  if (message.received_via === undefined) return isBot(sender);
  const members = isObject(raw) ? raw : {};
  switch (message.received_via) {
    case "connector":
      return members.bot === true || (isText(members.bot) && members.bot !== "") || isBot(sender);
    case "activitypub":
      return ["Service", "Application"].includes(members.actor?.type);
    case "email": {
      const submitted = isObject(members.headers) ? (members.headers["auto-submitted"] ?? null) : null;
      return submitted !== null && `${submitted}`.split(";", 1)[0]?.trim().toLowerCase() !== "no";
    }
    case "a2a":
      return !(sender.identities ?? []).some((one: Value) => one.assurance === "platform");
    default:
      return false;
  }
}

/** The id of a sender, behind the namespace of the source. */
function senderId(sender: Value, source: string): string {
  const isOther = platformOf(sender) !== source || accountOf(sender.address) === undefined;
  if (TRANSPORTS.includes(source) || isOther) return `${source}:${sender.address}`;
  const ofBot = source === "slack" && isBot(sender) ? "bot:" : "";
  return `${NAMESPACES[source] ?? source}:${ofBot}${localOf(sender.address)}`;
}

/** What the sender typed, how it is written, and all other parts: native texts if there are some, else own texts. */
function typedOf(message: Value, via: string | null) {
  const parts = partsWithoutClaims(message.parts, via);
  const own = parts.filter((one) => one.kind === "text" && !isOfOthers(one));
  const native = own.filter((one) => isText(one.native_text));
  const typed = native.length ? native : own;
  const asText = (one: Value) => (one.mime === "text/html" ? visibleText(one.content) : one.content);
  const content = typed.map((one) => (native.length ? one.native_text : asText(one))).join("\n\n");
  const mentions = Object.assign({}, ...typed.map(mentionsIn));
  const isMrkdwn = native.length > 0 && typed.every((one) => one.native_form === MRKDWN);
  const members: Value = isMrkdwn ? { format: MRKDWN } : {};
  if (Object.keys(mentions).length) members.mentions = mentions;
  return { content, members, others: parts.filter((one) => !typed.includes(one)) };
}

/** The channel, the recipient, the subject and the history of a message; a prior turn has none of them. */
function placeOf(message: Value, withHistory: boolean | null): Value {
  const { received_via: via, raw, history = [], recipient } = message;
  if (via === undefined) return {};
  const members = isObject(raw) ? raw : {};
  const isTold = withHistory ?? WITH_HISTORY.includes(via);
  const subject = via === "email" && isObject(members.parsed) ? members.parsed.subject : undefined;
  const place: Value = {
    channel_external_id: ["channel", "channel_id", "chat"].map((name) => members[name]).find(isText),
    thread_context: isTold ? summaryOf(history, via) : null,
    recipient_id: recipient,
    subject: isText(subject) ? singleLine(wellFormed(subject)) || null : null,
  };
  if (via !== "connector") delete place.channel_external_id;
  else if (members.platform === "bluebubbles" && isText(members.id)) {
    place.message_guid = members.id;
    if (members.is_from_me === true) place.is_from_me = true;
  }
  return place;
}

/** `ingest.message`. */
export function ingestMessage(input: Value): Value {
  const { sender_type: type, with_history: withHistory = null, hints = {}, received_via: given = null } = input;
  const isTurn = "turn" in input;
  const message = isTurn ? strictly(stored.turn, input.turn) : storedMessage(input.message);
  must(message.role !== "assistant"); // what the agent wrote is no message that came
  must(isObject(hints) && !OF_THE_SENDER.some((name) => name in hints));
  must(isTurn || given === null || given === message.received_via);
  must(given === null || VIA.includes(given));
  const via = isTurn ? given : message.received_via;
  const { content, members, others } = typedOf(message, via);
  const { sender } = message;
  const source = (via === "connector" ? platformOf(sender) : "") || via || "unknown";
  const author = namedSender(sender);
  const kind = type ?? (isProgram(message) ? "bot" : "human");
  const hasToken = isAccountVerified(sender, via) && !(kind === "bot" && NO_TOKENS_OF_BOTS.includes(source));
  const metadata = strictly(metadataForm, {
    source,
    sender_id: senderId(sender, source),
    sender_display_name: author.name,
    sender_type: kind,
    mention_token: hasToken && author.token ? author.token : null,
    ...withoutUndefined({ ...placeOf(message, withHistory), ...members, ...hints }),
  });
  const attachments = others.length ? { attachments: others } : {};
  return { content, metadata, ...attachments, address: sender.address };
}

const withoutUndefined = (members: Value): Value =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));

export const storedIngest = record({
  content: needed(text),
  metadata: needed(metadataForm),
  attachments: maybe(list(partForm)),
  address: maybe(canonicalAddress),
});

/** The address of a stored sender: the id itself for transports, else one that stands for the whole id. */
function addressOf({ sender_id: whole, source }: Value): string {
  const id = whole.slice(whole.indexOf(":") + 1);
  const account = `@${id.replace(/^bot:/, "")}@unknown.${source}.invalid`;
  const text = TRANSPORTS.includes(source) ? id : account;
  try {
    if (/^(?:@|acct:)/i.test(text)) return address(text);
    if (/^[^@"\s]+@[^@\s]+$/.test(text)) return address(`@${text}`);
  } catch {
    // no address: its hash stands for it
  }
  return `@${sha256(whole).slice(0, DIGITS)}@unknown.invalid`;
}

/** `ingest.turn`: a stored message as a prior turn. Its sender is not verified any more. */
export function ingestTurn({ message: given, timestamp, id }: Value): Value {
  const { content, metadata, attachments = [], address: known } = strictly(storedIngest, given);
  const profile: Value = { display_name: metadata.sender_display_name, provider: metadata.source };
  if (metadata.sender_type === "human") profile.provider_subject = metadata.sender_id;
  const sender = {
    address: known ?? addressOf(metadata),
    display_name: metadata.sender_display_name,
    profile,
    auth_method: "none",
    verified: false,
  };
  const typed = content ? [typedPart(content, metadata)] : [];
  const turn: Value = { role: "user", sender, parts: [...typed, ...attachments], timestamp };
  if (id !== undefined) turn.id = id;
  return strictly(stored.turn, turn);
}

/** The part of a stored text, which gives the text back as it was. */
function typedPart(content: string, { format, mentions = {} }: Value): Value {
  const named = Object.keys(mentions).length ? { mentions } : {};
  if (format !== MRKDWN) return { kind: "text", mime: "text/plain", content, ...named };
  const markdown = readMrkdwn(content);
  const native = { native_text: content, native_form: MRKDWN, ...named };
  return { kind: "text", mime: "text/markdown", content: markdown, ...native };
}

/** Text of a row as Markdown with the tokens of its platform. */
export const markdownOf = (form: Form, typed: string): string => (form.format === MRKDWN ? readMrkdwn(typed) : typed);

/** The summary of a thread: a heading, and a line for each of the newest messages, the newest last. */
function summaryOf(turns: Value[], via: string | null): string | null {
  const lines: string[] = [];
  for (const turn of [...turns].reverse()) {
    const sender = namedSender(turn.sender);
    const known = isAccountVerified(turn.sender, via) ? sender : { ...sender, token: "" };
    lines.push(...linesOfTurn(partsWithoutClaims(turn.parts, via), known).reverse());
    if (lines.length >= MOST_OF_THREAD) break;
  }
  return blockOf(THREAD_HEADING, lines.slice(0, MOST_OF_THREAD).reverse());
}

/** What the sender of a turn wrote, and what it shows of others, each under the name of who wrote it. */
function linesOfTurn(parts: Value[], sender: Author): string[] {
  const shared = parts.filter(isOfOthers);
  const own = plainText(parts.filter((one) => !isOfOthers(one)));
  const others = shared.map((one) =>
    blockLine(authorOf(one), hasExtra(one) ? withNames(one.content, mentionsIn(one)) : one.content, sender),
  );
  return [blockLine(sender, own), ...others].flatMap((line) => line?.text ?? []);
}

/** `ingest.thread_summary`. */
export function threadSummary({ turns, received_via: via = "connector" }: Value): Json {
  must(via === null || VIA.includes(via));
  return summaryOf(strictly(list(stored.turn, { whole: true }), turns), via);
}
