// The prefixes of rows from before the contract: Message Ingest Contract (Historic rows), decision I18.

import { THREAD_HEADING } from "./names.ts";
import { must } from "./rejected.ts";
import { isText, type Value } from "./shape.ts";
import { BLANK, firstOf } from "./text.ts";
import { utcTime } from "./time.ts";

const CONTRACT_SINCE = "2026-04-20T00:00:00Z"; // the first day on which no integration wrote prefixes
const MOST_OF_NAME = 512; // characters of a name in a prefix
const MOST_TRIES = 64; // possible ends of a summary
const BEHIND_THREAD = "\n\n[Slack channel:";

const USER_ID = "[UW](?=[A-Z]{0,31}[0-9])[A-Z0-9]{1,31}";
const ID = `[^${BLANK}\\]]{1,64}`;
const END = "(?: |$)";
const at = (pattern: string) => new RegExp(pattern, "yu");
const SLACK_USER_ID = at(`\\[Slack user_id: ${USER_ID}\\]${END}`);
const SLACK_BOT = at(`\\[(?:Slack )?channel:${ID} bot:${ID}\\]${END}`);
const SLACK_HEAD = at(`\\[Slack channel:${ID} user:`);
const SLACK_USER = at(`${USER_ID}\\]${END}`);
const SLACK_MENTION_END = at(` \\(<@${USER_ID}>\\)\\]${END}`);
const DISCORD_BOT = at(`\\[(?:Discord )?channel:[0-9]{1,20} bot:${ID}\\]${END}`);
const DISCORD_HEAD = at("\\[Discord channel:[0-9]{1,20} user:");
const NAME_END = at(`\\]${END}`);
const SPEAKER_END = at(`\\]:${END}`);
const SPEAKER_OR_TOKEN_END = at(`(?: \\([^${BLANK}[\\]]{1,256}\\))?\\]:(?= |$)`);
const COLON = at(":(?= |$)");

interface Prefix {
  shape: string;
  end: number;
  context?: string;
}

/** Where what stands at an offset ends; -1 when it does not stand there. */
function endOf(pattern: RegExp, content: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(content) ? pattern.lastIndex : -1;
}

/** The end of a prefix that holds exactly this name. */
const endBehind = (content: string, start: number, name: string, end: RegExp): number =>
  name && content.startsWith(name, start) ? endOf(end, content, start + name.length) : -1;

/** The end of a prefix with an unknown name: the first on its line, after one character at least. */
function firstEnd(content: string, start: number, sign: string, end: RegExp): number {
  const window = firstOf(content.slice(start), MOST_OF_NAME).split("\n", 1)[0] as string;
  const first = window.codePointAt(0) ?? 0;
  for (let place = window.indexOf(sign, first > 0xffff ? 2 : 1); place >= 0; place = window.indexOf(sign, place + 1)) {
    const found = endOf(end, content, start + place);
    if (found >= 0) return found;
  }
  return -1;
}

function ofSlack(content: string, name: string): Prefix | undefined {
  if (content.startsWith(THREAD_HEADING)) return behindThread(content, name);
  const user = endOf(SLACK_USER_ID, content, 0);
  if (user >= 0) return { shape: "slack-user-id", end: user };
  const bot = endOf(SLACK_BOT, content, 0);
  return bot >= 0 ? { shape: "slack-bot", end: bot } : speakerOfSlack(content, 0, name);
}

/** `[Slack channel:C… user:…]` at an offset: a name with a token, an id, or a name. */
function speakerOfSlack(content: string, offset: number, name: string): Prefix | undefined {
  const start = endOf(SLACK_HEAD, content, offset);
  if (start < 0) return undefined;
  const known = endBehind(content, start, name, SLACK_MENTION_END);
  if (known >= 0) return { shape: "slack-mention", end: known };
  const named = endBehind(content, start, name, NAME_END);
  if (named >= 0) return { shape: "slack-name", end: named };
  const user = endOf(SLACK_USER, content, start);
  if (user >= 0) return { shape: "slack-user", end: user };
  const mention = firstEnd(content, start, " (<@", SLACK_MENTION_END);
  const end = firstEnd(content, start, "]", NAME_END);
  const quotesAnother = end >= 0 && mention >= 0 && content.slice(end, mention).includes("[Slack channel:");
  if (mention >= 0 && !quotesAnother) return { shape: "slack-mention", end: mention };
  return end >= 0 ? { shape: "slack-name", end } : undefined;
}

/** A summary of a thread, a blank line, and a name with a token, at the first place that has them all. */
function behindThread(content: string, name: string): Prefix | undefined {
  let first: Prefix | undefined;
  let place = 0;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    place = content.indexOf(BEHIND_THREAD, place + 1);
    if (place < 0) break;
    const context = content.slice(0, place);
    const head = endOf(SLACK_HEAD, content, place + 2);
    const end = head < 0 ? -1 : endBehind(content, head, name, SLACK_MENTION_END);
    if (end >= 0) return { shape: "slack-thread", end, context };
    const found = first ? undefined : speakerOfSlack(content, place + 2, "");
    if (found?.shape === "slack-mention") first = { shape: "slack-thread", end: found.end, context };
  }
  return first;
}

function ofDiscord(content: string, name: string): Prefix | undefined {
  const bot = endOf(DISCORD_BOT, content, 0);
  if (bot >= 0) return { shape: "discord-bot", end: bot };
  const start = endOf(DISCORD_HEAD, content, 0);
  if (start < 0) return undefined;
  const known = endBehind(content, start, name, NAME_END);
  const end = known >= 0 ? known : firstEnd(content, start, "]", NAME_END);
  return end >= 0 ? { shape: "discord-name", end } : undefined;
}

function ofBlueBubbles(content: string, name: string): Prefix | undefined {
  const known = endBehind(content, 1, name, SPEAKER_END);
  const end = known >= 0 ? known : firstEnd(content, 1, "]", SPEAKER_END);
  return end >= 0 ? { shape: "name", end } : undefined;
}

const READERS: Record<string, (content: string, name: string) => Prefix | undefined> = {
  slack: ofSlack,
  discord: ofDiscord,
  bluebubbles: ofBlueBubbles,
};

/** `ingest.strip_legacy`. */
export function stripLegacy(input: Value) {
  const { content, source, sender_name: name = "", created_at: createdAt, cutoff = CONTRACT_SINCE } = input;
  must([content, source, name].every(isText));
  const moment = (text: string) => {
    const found = utcTime(text);
    must(found !== undefined);
    return (found as string).slice(0, -1);
  };
  moment(cutoff);
  const isNew = createdAt !== undefined && moment(createdAt) >= moment(cutoff);
  const isOpen = source === "bluebubbles" && createdAt === undefined; // people write like that today, too
  const reader = Object.hasOwn(READERS, source) ? READERS[source] : undefined;
  const prefix = isNew || isOpen || !content.startsWith("[") ? undefined : reader?.(content, name);
  if (!prefix) return { text: content, shape: null, thread_context: null, prefix: "" };
  const { shape, end, context = null } = prefix;
  return { text: content.slice(end), shape, thread_context: context, prefix: content.slice(0, end) };
}

/** Whether a text begins with its sender, as integrations of today must not write it. */
export function isBaked(content: string, name: string): boolean {
  if (ofSlack(content, name) ?? ofDiscord(content, name)) return true;
  if (content.startsWith("[") && endBehind(content, 1, name, SPEAKER_OR_TOKEN_END) >= 0) return true;
  return endBehind(content, 0, name, COLON) >= 0;
}
