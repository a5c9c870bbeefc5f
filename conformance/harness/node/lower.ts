// `ingest.lower`: assembled rows in the form of a provider, whatever form they were stored in. Message Ingest Contract,
// decision I16.

import { assembledTwice } from "./ingest-rows.ts";
import { pairResults } from "./lower-pairs.ts";
import { formOf, refusedFiles, RULES, type Rules } from "./lower-rules.ts";
import { intoUsers, readTurns, splitSystem, toTheHead } from "./lower-turns.ts";
import type { Writer } from "./lower-write.ts";
import { AnthropicWriter, BedrockWriter, GeminiWriter } from "./lower-write-alternating.ts";
import { LangChainWriter, PydanticWriter, VercelWriter } from "./lower-write-frameworks.ts";
import { ChatWriter, ResponsesWriter } from "./lower-write-openai.ts";
import { must } from "./rejected.ts";
import type { Value } from "./shape.ts";

const WRITERS: Record<string, new (refused: Map<string, string>) => Writer> = {
  openai: ChatWriter,
  "openai-responses": ResponsesWriter,
  anthropic: AnthropicWriter,
  gemini: GeminiWriter,
  bedrock: BedrockWriter,
  vercel: VercelWriter,
  "pydantic-ai": PydanticWriter,
  langchain: LangChainWriter,
};

export function lowerRows({ rows, assemble = {}, dialect, placement = null, names: wantsNames }: Value) {
  const form = formOf(dialect);
  must(Object.hasOwn(RULES, form) && [null, "inline", "hoist", "user_block"].includes(placement));
  const rules = RULES[form] as Rules;
  must(!rules.alternates || placement !== "inline");
  const ready = assembledTwice({ rows, ...assemble });
  const paired = pairResults(readTurns(ready.rows, form), form);
  const writer = new (WRITERS[form] as (typeof WRITERS)[string])(refusedFiles(paired.turns, rules));
  const textOf = (turn: Parameters<Writer["systemText"]>[0]) => writer.systemText(turn);
  const isInUsers = placement === "user_block" || (placement === null && rules.alternates);
  const isHoisted = placement === "hoist" && !rules.alternates;
  const placed = isInUsers ? intoUsers(paired.turns) : isHoisted ? toTheHead(paired.turns, textOf) : paired.turns;
  const { system, turns } = rules.alternates ? splitSystem(placed, textOf) : { system: null, turns: placed };
  const messages = writer.write(turns);
  const names = wantsNames ? { names: Object.fromEntries(paired.names) } : {};
  return { value: { system, messages, ...names }, diagnostics: [...ready.codes, ...paired.codes, ...writer.codes] };
}
