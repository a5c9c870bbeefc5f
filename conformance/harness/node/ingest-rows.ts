// `ingest.assemble`, as the suite asks for it: once, or a second time with the metadata back on the turns.

import { assembledRows, METADATA, storedRow, unmarked } from "./assemble.ts";
import { bytesOf } from "./json.ts";
import { isObject, isText, type Json, type Value } from "./shape.ts";

const HOW = ["agent", "guard", "multimodal", "context", "repeats", "quote_body_headers"];

/** The rows assembled, with their marks; what is told is that of the first time. */
export function assembledTwice(input: Value): { rows: Json[]; codes: string[] } {
  const how = Object.fromEntries(HOW.filter((name) => name in input).map((name) => [name, input[name]]));
  const blobs = new Map(
    input.rows.filter(isObject).flatMap((row: Json) => Object.entries<Json>(row.blobs ?? {}))
      .map(([digest, data]: [string, Json]) => [digest, bytesOf(data)]),
  ) as Map<string, Buffer>;
  const first = assembledRows(input.rows, how, blobs);
  if (!("again" in input)) return first;
  const changes = isObject(input.again) ? input.again : {};
  const plain = input.rows.map((row: Json) => (isObject(row) && "stored" in row ? storedRow(row, blobs, []) : row));
  const kept = plain.filter((row: Json) => becomesTurn(row, how.agent)).map((row: Json) => row[METADATA]);
  const back = JSON.parse(JSON.stringify(first.rows));
  for (const turn of back.filter((row: Json) => row.role === "user")) {
    const metadata = kept.shift() ?? null;
    if (metadata !== null) turn[METADATA] = { ...metadata, ...changes };
  }
  return { rows: assembledRows(back, how, new Map()).rows, codes: first.codes };
}

/** Whether a row becomes a turn of a person, or of another agent. */
function becomesTurn(row: Json, agent: Json): boolean {
  const metadata = row[METADATA] ?? {};
  if (row.role === "user") return metadata.passive !== true;
  return isText(agent) && (metadata.sender_id ?? agent) !== agent;
}

/** `ingest.assemble`. */
export function assembleRows(input: Value) {
  const { rows, codes } = assembledTwice(input);
  return { value: unmarked(rows), diagnostics: codes };
}
