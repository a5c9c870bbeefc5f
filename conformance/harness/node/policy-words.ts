// A policy as people read it: its words, its offers, and where they act. PolicyPart, decision B11. All of it is text,
// never markup, for an attacker may have written it; only its own URL becomes a link.

import { splitAuthority } from "./authority.ts";
import { isItself } from "./html-links.ts";
import { autolink, destination, escapedLine, escapedText, paragraphs } from "./markdown-syntax.ts";
import { LANGUAGE, policy as policyForm } from "./policy.ts";
import { strictly, type Value } from "./shape.ts";
import { escaped, singleLine, stripped, tidyLine } from "./text.ts";
import { asUri } from "./url.ts";

/** What makes a bare address a link in most dialects of Markdown. */
const BY_ITSELF = /:(?=\/\/)|@|(?<=[wW]{3})\./g;
const MOST_OF_RANGE = 100; // characters; no language has a longer tag
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** A line for each way to pay that has words. */
const offerLines = ({ kind, accepted_payments: offers }: Value): string[] =>
  (kind === "payment_required" ? offers : [])
    .map(({ label, description }: Value) => [label, description].map((one) => singleLine(one ?? "")))
    .map((words: string[]) => words.filter(Boolean).join(": "))
    .filter(Boolean);

/** Text without controls and without what turns other text around. */
const plain = (text: string): string => text.replaceAll("\r\n", "\n").replace(TURNS, "").replace(CONTROLS, "");
const wordsOf = (policy: Value) => ({
  title: singleLine(policy.title ?? ""),
  message: stripped(plain(policy.message)),
  offers: offerLines(policy),
  label: singleLine(policy.action_label ?? ""),
});
const readable = ({ policy }: Value): Value => strictly(policyForm, policy);

/** `policy.text`. */
export function policyText(input: Value) {
  const policy = readable(input);
  const { title, offers, label } = wordsOf(policy);
  const link = label && policy.url ? `${label}: ${policy.url}` : policy.url;
  const message = policy.message.replace(/^\n+|\n+$/g, "");
  return [title, message, ...offers.map((one) => `- ${one}`), link].filter(Boolean).join("\n");
}

/** `policy.html`. A link with a label is followed by the host of its URL. */
export function policyHtml(input: Value) {
  const policy = readable(input);
  const { title, message, offers, label } = wordsOf(policy);
  const head = title ? `<p><strong>${escaped(title)}</strong></p>` : "";
  const body = `<p>${escaped(message).replaceAll("\n", "<br>")}</p>`;
  const list = offers.length ? `<ul>${offers.map((one) => `<li>${escaped(one)}</li>`).join("")}</ul>` : "";
  if (policy.url === undefined) return head + body + list;
  const host = label ? ` (${escaped(splitAuthority(policy.url)[0])})` : "";
  const target = `href="${escaped(asUri(policy.url))}" rel="nofollow noopener noreferrer"`;
  const link = `<a ${target}>${escaped(label || policy.url)}</a>`;
  return `${head}${body}${list}<p>${link}${host}</p>`;
}

/** A line whose blanks are one each, as HTML shows it. */
const spaced = (line: string): string => line.replace(/[ \t\f\r]+/g, " ");

/** `policy.markdown`. What most dialects make a link of by itself is escaped, too. */
export function policyMarkdown(input: Value) {
  const policy = readable(input);
  const { title, message, offers, label } = wordsOf(policy);
  const words = [
    title && `**${escapedLine(spaced(title))}**`,
    paragraphs(message.split("\n").map((one) => escapedText(tidyLine(spaced(one)))).join("\n")),
    offers.map((one) => `- ${escapedLine(spaced(one))}`).join("\n"),
  ];
  const text = words.filter(Boolean).map((one) => one.replace(BY_ITSELF, "\\$&"));
  return [...text, policy.url === undefined ? "" : linkTo(policy.url, label)].filter(Boolean).join("\n\n");
}

function linkTo(url: string, label: string): string {
  const uri = asUri(url);
  if (!label) return autolink(uri, escapedLine(uri));
  const words = escapedLine(spaced(label));
  const link = isItself(spaced(label), url, uri) ? autolink(uri, words) : `[${words}](${destination(uri)})`;
  return `${link} (${escapedLine(splitAuthority(url)[0])})`;
}

/** `policy.localize`: its words in the first language that it has. Each is looked up with ever less behind it. */
export function localizedPolicy(input: Value) {
  const policy = readable(input);
  const tags = new Map(Object.entries(policy.message_translations ?? {}).map(([tag, one]) => [tag.toLowerCase(), one]));
  const words = input.languages.flatMap(everShorter).find((tag: string) => tags.has(tag));
  if (words === undefined) return policy;
  const { title: _, ...others } = policy;
  const { title, message } = tags.get(words) as Value;
  return title === undefined ? { ...others, message } : { ...others, message, title };
}

/** The tags that a range finds, the best first (RFC 4647 3.4). */
function everShorter(language: string): string[] {
  if (language.length > MOST_OF_RANGE || !LANGUAGE.test(language)) return [];
  const subtags = language.toLowerCase().split("-");
  const found = [];
  while (subtags.length) {
    found.push(subtags.join("-"));
    subtags.pop();
    if (subtags.at(-1)?.length === 1) subtags.pop(); // it only introduces what was behind it
  }
  return found;
}
