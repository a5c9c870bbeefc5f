// Prior turns within an agent's budget: Normalized Message 5.4, decision B7. Turns are sorted by time, and whole turns
// are removed from the oldest end until the rest fits.

import { turnOfAnyone } from "./message.ts";
import { list, strictly, type Value } from "./shape.ts";
import { characters } from "./text.ts";

const MOST_TURNS = 50;
const MOST_CHARACTERS = 32_000;
const turns = list(turnOfAnyone, { whole: true });

/** What times are compared by: all are in UTC and of one form, and sort as text without their end. */
const momentOf = (turn: Value): string => turn.timestamp.slice(0, -1);

/** What a turn costs: its text, the descriptions of links, and the JSON of arguments and results. */
function cost({ parts }: Value): number {
  const json = (value: Value) => characters(JSON.stringify(value));
  return parts.reduce((sum: number, part: Value) => {
    if (part.kind === "text") return sum + characters(part.content);
    if (part.kind === "link") return sum + characters(part.description ?? "");
    return part.kind === "tool_call" ? sum + json(part.args) + ("result" in part ? json(part.result) : 0) : sum;
  }, 0);
}

/** `history.trim`. */
export function trimHistory({ history, policy }: Value, { now }: Value) {
  const { max_messages: most = MOST_TURNS, max_chars: budget = MOST_CHARACTERS, max_age: age = null } = policy;
  const sorted = strictly(turns, history).sort((one: Value, other: Value) => compare(momentOf(one), momentOf(other)));
  const oldest = age === null ? "" : new Date(Date.parse(now) - age * 1000).toISOString().slice(0, 19);
  const young = sorted.filter((turn: Value) => momentOf(turn) >= oldest);
  const kept: Value[] = [];
  let left = budget;
  for (const turn of young.reverse()) {
    left -= cost(turn);
    if (left < 0 || kept.length === most) break;
    kept.unshift(turn);
  }
  return kept;
}

/** The order of two texts by their characters. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
