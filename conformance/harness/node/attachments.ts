// The files and links of a stored message: files as blocks, all else as lines below its text. Decision I10.

import { quoteImitations } from "./fold.ts";
import { isOfOthers, partText } from "./plain-text.ts";
import type { Json, Value } from "./shape.ts";

export interface Attached {
  lines: string[];
  files: Json[];
  /** How many files have no bytes, so that a line stands for them. */
  missing: number;
}

export function attachedTo(parts: Value[], blobs: Map<string, Buffer>): Attached {
  const found: Attached = { lines: [], files: [], missing: 0 };
  for (const part of parts) {
    const isFile = part.kind === "file" || part.kind === "artifact";
    const data = isFile ? dataOf(part, blobs) : undefined;
    if (data !== undefined) {
      const filename = part.name === undefined ? {} : { filename: part.name };
      found.files.push({ type: "file", mediaType: part.mime, data, ...filename });
      continue;
    }
    if (isFile) found.missing += 1;
    const text = partText(part);
    if (text) found.lines.push(isOfOthers(part) ? text : quoteImitations(text));
  }
  return found;
}

/** The bytes of a file as base64, or its URL; undefined when neither is known. */
function dataOf({ bytes_ref: reference }: Value, blobs: Map<string, Buffer>): string | undefined {
  if (reference.kind === "inline") return reference.data_base64;
  return blobs.get(reference.digest)?.toString("base64") ?? reference.url;
}
