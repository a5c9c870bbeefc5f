// JSON inside of answers, read as mildly as most programs read it: NaN counts, a member may stand twice.

import { utf8 } from "./files.mjs";
import { NotJson, loads } from "./json.mjs";
import { OtherForm, text as aText } from "./values.mjs";

/** The value of a JSON text. @param {any} text @returns {any} */
export const loadsText = (text) => read(() => aText(text));

/** The value of JSON in bytes: in UTF-8 without a byte order mark, as RFC 8259 asks. @param {Uint8Array} data @returns {any} */
export const loadsBytes = (data) => read(() => utf8(data));

/** @param {() => string} given */
function read(given) {
  try {
    return loads(given(), { constants: true });
  } catch (error) {
    if (error instanceof NotJson) throw new OtherForm();
    throw error;
  }
}
