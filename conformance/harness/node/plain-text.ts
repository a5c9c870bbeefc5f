// The parts of a message as plain text, one blank line between them: Normalized Message 3.2, rulings R32 and R62.

import { imitates } from "./fold.ts";
import { visibleText } from "./html-text.ts";
import { mentionsIn, withNames } from "./mentions.ts";
import { type Author, authorFrom, authorText, neutral } from "./names.ts";
import { policyText } from "./policy-words.ts";
import { isObject, type Value } from "./shape.ts";
import { linesOf, singleLine, stripped, withoutEnd } from "./text.ts";
import { toolCallLine } from "./tool-call.ts";

/** Members by which a connector says what its platform sent, and who wrote it. No other caller may say that. */
const OF_CONNECTORS = ["native_text", "native_form", "mentions", "written_by"];
const TEXT_MEMBERS = ["kind", "mime", "content"];

/** Whether somebody else than the sender wrote a text that a message shows. */
export const isOfOthers = (part: Value): boolean =>
  part.kind === "text" && part.written_by !== undefined && part.written_by !== null;

export const hasExtra = (part: Value): boolean => Object.keys(part).some((name) => !TEXT_MEMBERS.includes(name));

/** The parts of a message without what only a connector may say of its texts. */
export function partsWithoutClaims(parts: Value[], via: string | null): Value[] {
  if (via === "connector") return parts;
  return parts.map((part) => {
    if (part.kind !== "text" || !OF_CONNECTORS.some((name) => name in part)) return part;
    const kept = Object.entries(part).filter(([name]) => !OF_CONNECTORS.includes(name));
    return { ...Object.fromEntries(kept), ...(isOfOthers(part) ? { written_by: {} } : {}) };
  });
}

/** Who wrote a text that a message shows; empty where that is unknown. */
export function authorOf({ written_by: members }: Value): Author {
  return isObject(members) ? authorFrom(members.display_name, members.mention_token) : authorFrom("", "");
}

/** A text with `> ` before each line. */
export function quotedLines(text: string): string {
  const lines = linesOf(text).map(withoutEnd);
  if (withoutEnd(text) !== text || !lines.length) lines.push("");
  return lines.map((line) => (line ? `> ${line}` : ">")).join("\n");
}

/** The line in place of a file, which is like no other line of ours. */
function fileLine(name: string, mime: string): string {
  const line = `[${name || "file"} (${mime})]`;
  return imitates(line) ? `[file ${line.slice(1)}` : line;
}

/** One part as plain text; empty when it has none. */
export function partText(part: Value): string {
  switch (part.kind) {
    case "text": {
      const text = part.mime === "text/html" ? visibleText(part.content) : part.content.replace(/^\n+|\n+$/g, "");
      const named = hasExtra(part) ? withNames(text, mentionsIn(part)) : text;
      const isShared = named !== "" && isOfOthers(part);
      return isShared ? `[Shared: ${authorText(authorOf(part)) || "unknown"}]:\n${quotedLines(named)}` : named;
    }
    case "link": {
      const link = part.title ? `${part.title} <${part.url}>` : part.url;
      return [link, singleLine(part.description ?? "")].filter(Boolean).join("\n");
    }
    case "file":
    case "artifact": {
      const line = fileLine(neutral(part.name ?? ""), part.mime);
      return part.bytes_ref.url === undefined ? line : `${line} <${part.bytes_ref.url}>`;
    }
    case "tool_call":
      return toolCallLine(part);
    case "policy":
      return policyText(part);
    default:
      return "";
  }
}

/** All parts as plain text; a policy only where the text does not end with its words already. */
export function plainText(parts: Value[]): string {
  const others = parts.filter((part) => part.kind !== "policy").map((part) => [part, partText(part)] as const);
  const texts = others.filter(([part]) => part.kind === "text").map(([, text]) => `\n${stripped(text)}`);
  const policies = parts.filter((part) => part.kind === "policy").map(partText);
  const missing = policies.filter((words) => !texts.some((text) => text.endsWith(`\n${stripped(words)}`)));
  return [...others.map(([, text]) => text), ...missing].filter(Boolean).join("\n\n");
}
