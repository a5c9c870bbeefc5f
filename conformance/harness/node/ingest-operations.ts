// The operations of the Message Ingest Contract.

import { readMetadata } from "./ingest-metadata.ts";
import { stripLegacy } from "./legacy.ts";
import { attributionHeader, threadContext } from "./names.ts";

export const ingestValues = {
  "ingest.header": attributionHeader,
  "ingest.context": threadContext,
  "ingest.strip_legacy": stripLegacy,
};
export const ingestAnswers = { "ingest.metadata": readMetadata };
