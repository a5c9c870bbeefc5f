// JSON inside of answers, read as mildly as most programs read it: NaN counts, a member may stand twice.

import { NotJson, loads } from "./json.mjs";
import { OtherForm } from "./values.mjs";

/** The value of a JSON text. @param {any} text @returns {any} */
export function loadsText(text) {
  if (typeof text !== "string") throw new OtherForm();
  try {
    return loads(text, { constants: true });
  } catch (error) {
    if (error instanceof NotJson) throw new OtherForm();
    throw error;
  }
}

/** The value of JSON in bytes. @param {Uint8Array} data @returns {any} */
export function loadsBytes(data) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    throw new OtherForm();
  }
  return loadsText(text);
}
