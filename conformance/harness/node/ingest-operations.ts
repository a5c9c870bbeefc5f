// The operations of the Message Ingest Contract.

import { ingestMessage, ingestTurn, threadSummary } from "./ingest-message.ts";
import { readMessages } from "./ingest-frameworks.ts";
import { assembleRows } from "./ingest-rows.ts";
import { readMetadata } from "./ingest-metadata.ts";
import { stripLegacy } from "./legacy.ts";
import { lowerRows } from "./lower.ts";
import { toolName } from "./lower-rules.ts";
import { attributionHeader, threadContext } from "./names.ts";

export const ingestValues = {
  "ingest.header": attributionHeader,
  "ingest.context": threadContext,
  "ingest.message": ingestMessage,
  "ingest.turn": ingestTurn,
  "ingest.thread_summary": threadSummary,
  "ingest.read_messages": readMessages,
  "ingest.tool_name": toolName,
  "ingest.strip_legacy": stripLegacy,
};
export const ingestAnswers = {
  "ingest.metadata": readMetadata,
  "ingest.assemble": assembleRows,
  "ingest.lower": lowerRows,
};
