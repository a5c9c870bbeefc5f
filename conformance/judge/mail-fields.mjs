// The fields of a mail's head, as people and programs read them: encoded words, addresses, dates, parameters.

import { partition, strip, words } from "./values.mjs";

/** @typedef {{name: string, address: string}} Mailbox */

const ENCODED_WORD = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([qQbB])\?([^?\s]*)\?=/;
const ENCODED_WORDS = new RegExp(ENCODED_WORD.source, "g");
const BETWEEN_WORDS = new RegExp(`(${ENCODED_WORD.source})[ \\t]+(?=${ENCODED_WORD.source})`, "g");
const DOT_ATOM = /^[^\s()<>@,:;\\"[\]]*$/;
const DATE =
  /^(?:[A-Za-z]{3},[ \t]*)?([0-9]{1,2})[ \t]+([A-Za-z]{3})[ \t]+([0-9]{4})[ \t]+([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?[ \t]+([-+][0-9]{4}|[A-Z]{1,3})(?:[ \t]+\([ !#-'*-[\]-~]*\))?$/;
const QUOTED = '"(?:[^"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f-\\uffff]|\\\\[ -~])*"';
const ATOM = "[!#-'*+/-9=?A-Z^-~-]+";
const WORD = `(?:${QUOTED}|${ATOM}(?:\\.+${ATOM})*\\.*)`;
const SPEC = `(?:${QUOTED}|${ATOM}(?:\\.${ATOM})*)@(?:${ATOM}(?:\\.${ATOM})*|\\[[!-Z^-~]*\\])`;
const MAILBOX = `(?:${SPEC}|(?:${WORD}(?:[ \\t]+${WORD})*[ \\t]*)?<${SPEC}>)(?:[ \\t]*\\([ !#-'*-[\\]-~]*\\))?`;
const LIST = `[ \\t]*(?:${MAILBOX}[ \\t]*(?:,[ \\t]*${MAILBOX}[ \\t]*)*)?`;
const GROUP = `${WORD}(?:[ \\t]+${WORD})*[ \\t]*:${LIST};[ \\t]*`;
const ADDRESSES = new RegExp(`^(?:${LIST}|[ \\t]*${GROUP})$`);
const TOKEN = "[!#-'*+.0-9A-Z^-~-]+";
const PARAMETERS = `(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${QUOTED}|${TOKEN}))*[ \\t]*;?[ \\t]*`;
/** The fields that say what a part is, and the forms that they must have. */
export const DESCRIBING = /** @type {const} */ ([
  ["Content-Type", new RegExp(`^${TOKEN}/${TOKEN}${PARAMETERS}$`)],
  ["Content-Disposition", new RegExp(`^${TOKEN}${PARAMETERS}$`)],
]);
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
/** @type {{[zone: string]: string}} */
const ZONES = { UT: "+0000", UTC: "+0000", GMT: "+0000", Z: "+0000", EST: "-0500", EDT: "-0400", CST: "-0600", CDT: "-0500", MST: "-0700", MDT: "-0600", PST: "-0800", PDT: "-0700" };
const LATIN = ["iso-8859-1", "latin-1", "latin1"];
const ASCII = ["ascii", "us-ascii"];

/** Whether a field holds addresses in the form of RFC 5322. Of all others readers make what they like. @param {string} value */
export const areAddresses = (value) => ADDRESSES.test(value);

/** The text of bytes in a charset; null where nobody knows it. @param {Buffer} data @param {string} charset @returns {string | null} */
export function textOf(data, charset) {
  const name = charset.toLowerCase();
  if (LATIN.includes(name)) return data.toString("latin1");
  if (ASCII.includes(name)) return data.toString("latin1").replace(/[\x80-\xff]/g, "\ufffd");
  try {
    return new TextDecoder(name, { ignoreBOM: true }).decode(data);
  } catch {
    return null;
  }
}

/** Bytes of quoted-printable. @param {Buffer} data */
export function quotedPrintable(data) {
  const read = data.toString("latin1").replace(/(?<![ \t])[ \t]+(?=\r?\n|$)/g, "").replace(/=(?:\r?\n|$)/g, "");
  return Buffer.from(read.replace(/=([0-9A-Fa-f]{2})/g, (_all, hex) => String.fromCharCode(parseInt(hex, 16))), "latin1");
}

/** The text of an encoded word. @param {string} all @param {string} charset @param {string} form @param {string} inside */
function decodedWord(all, charset, form, inside) {
  const isBase64 = form.toLowerCase() === "b";
  const data = isBase64 ? Buffer.from(inside, "base64") : quotedPrintable(Buffer.from(inside.replaceAll("_", " "), "latin1"));
  return textOf(data, charset) ?? data.toString("latin1");
}

/** A text with its encoded words read; blanks between two of them are none. @param {string} value */
export const unstructured = (value) => value.replace(BETWEEN_WORDS, "$1").replace(ENCODED_WORDS, decodedWord);

/** A date as mail writes it, with its right day of the week; what is none stays as it is. @param {string} value */
export function date(value) {
  const found = DATE.exec(strip(value));
  const month = found ? MONTHS.indexOf(found[2].toLowerCase()) : -1;
  if (!found || month < 0) return value;
  const [day, year, hour, minute, second] = [found[1], found[3], found[4], found[5], found[6] ?? "0"].map(Number);
  const zone = /^[-+]\d{4}$/.test(found[7] ?? "") ? found[7] : (ZONES[(found[7] ?? "").toUpperCase()] ?? "-0000");
  const time = new Date(Date.UTC(year, month, day, hour, minute, second));
  if (time.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59) return value;
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const name = MONTHS[month][0].toUpperCase() + MONTHS[month].slice(1);
  const clock = [hour, minute, second].map(two).join(":");
  return `${DAYS[time.getUTCDay()]}, ${two(day)} ${name} ${String(year).padStart(4, "0")} ${clock} ${zone}`;
}

/** The pieces of a field of addresses: quoted texts, comments, words, and the marks between them. @param {string} value */
function tokens(value) {
  const found = value.match(/"(?:[^"\\]|\\.)*"?|\((?:[^()\\]|\\.)*\)?|\[[^\]]*\]?|[<>,:;@]|[^\s"()<>,:;@[]+|\s+/g) ?? [];
  return found.filter((one) => !one.startsWith("("));
}

/** A quoted text without its quotes. @param {string} token */
const unquoted = (token) => (token.startsWith('"') ? token.slice(1).replace(/"$/, "").replace(/\\(.)/g, "$1") : token);

/** Every mailbox of a field, those in groups too. @param {string} value @returns {Mailbox[]} */
export function mailboxes(value) {
  /** @type {Mailbox[]} */
  const found = [];
  /** @type {string[]} */
  let pending = [];
  let isInside = false;
  const flush = () => {
    const one = mailbox(pending);
    if (one) found.push(one);
    pending = [];
  };
  for (const token of tokens(value)) {
    if (token === "<" || token === ">") isInside = token === "<";
    if (!isInside && token === ":") pending = []; // the name of a group
    else if (!isInside && (token === "," || token === ";")) flush();
    else pending.push(token);
  }
  flush();
  return found;
}

/** @param {string[]} pieces @returns {Mailbox | null} */
function mailbox(pieces) {
  const open = pieces.indexOf("<");
  if (open < 0) {
    const address = spec(pieces);
    return address === "" ? null : { name: "", address };
  }
  const close = pieces.indexOf(">", open);
  const inside = pieces.slice(open + 1, close < 0 ? undefined : close);
  return { name: displayName(pieces.slice(0, open)), address: spec(inside) };
}

/** @param {string[]} pieces */
function displayName(pieces) {
  const shown = pieces.map((one) => (/^\s+$/.test(one) ? " " : unstructured(unquoted(one))));
  const isEncoded = pieces.map((one) => ENCODED_WORD.test(one));
  return strip(shown.filter((one, place) => one !== " " || !(isEncoded[place - 1] && isEncoded[place + 1])).join(""));
}

/** The address in its canonical form: quoted only where it must be. @param {string[]} pieces */
function spec(pieces) {
  const kept = pieces.filter((one) => !/^\s+$/.test(one));
  const mark = kept.lastIndexOf("@");
  const local = (mark < 0 ? kept : kept.slice(0, mark)).map(unquoted).join("");
  const domain = mark < 0 ? "" : kept.slice(mark + 1).join("");
  const shown = DOT_ATOM.test(local) ? local : `"${local.replace(/([\\"])/g, "\\$1")}"`;
  return domain ? `${shown}@${domain}` : shown;
}

/** What a field says, and its parameters, those in pieces and other charsets put together. @param {string} value @returns {{value: string, parameters: Map<string, string>}} */
export function parameters(value) {
  const [first, , rest] = partition(value, ";");
  /** @type {Map<string, {order: number, text: string, isEncoded: boolean}[]>} */
  const pieces = new Map();
  for (const [one] of rest.matchAll(/(?:"(?:[^"\\]|\\.)*"?|[^;"])+/g)) {
    const [name, , written] = partition(one, "=").map(strip);
    const found = /^([^*]*)(?:\*(\d+))?(\*)?$/.exec(name.toLowerCase());
    if (!found || !found[1]) continue;
    const before = pieces.get(found[1]) ?? [];
    before.push({ order: Number(found[2] ?? -1), text: unquoted(written), isEncoded: found[3] !== undefined });
    pieces.set(found[1], before);
  }
  const joined = [...pieces].map(([name, all]) => /** @type {[string, string]} */ ([name, together(all)]));
  return { value: words(first).join(" ").toLowerCase(), parameters: new Map(joined) };
}

/** @param {{order: number, text: string, isEncoded: boolean}[]} pieces */
function together(pieces) {
  const ordered = pieces[0].order < 0 ? pieces.slice(0, 1) : [...pieces].sort((one, other) => one.order - other.order);
  if (!ordered[0].isEncoded) return unstructured(ordered.map((one) => one.text).join(""));
  const [charset, , ...text] = ordered[0].text.split("'");
  const bytes = [{ text: text.join("'"), isEncoded: true }, ...ordered.slice(1)].map((one) => {
    if (!one.isEncoded) return Buffer.from(one.text, "latin1");
    return Buffer.from(one.text.replace(/%([0-9A-Fa-f]{2})/g, (_all, hex) => String.fromCharCode(parseInt(hex, 16))), "latin1");
  });
  return textOf(Buffer.concat(bytes), charset) ?? Buffer.concat(bytes).toString("latin1");
}
