// Which conversation a mail belongs to: Normalized Message 5.3.1, rulings R6 and R61. Never by its subject.

import { createHash } from "node:crypto";
import { bytesOf } from "./json.mjs";
import { Lookups } from "./lookups.mjs";

const MOST = 2048; // characters of an id
const ID = "(?:[^<>@\\s\\u0000-\\u001f\\u007f\\u0085]|\\ufeff)+"; // a byte order mark is no blank
const BRACKETED = new RegExp(`<${ID}@${ID}>`, "gu");
const BARE = new RegExp(`^${ID}@${ID}$`, "u");
const BLANKS = /(?:(?!\ufeff)\s|[\u001c-\u001f\u0085])+/u;
const FIELD = /^([!-9;-~]+)[ \t]*:(.*)$/su;

/** The first id of References; else that of In-Reply-To, or the thread that it is known in; else the mail's own. */
export function emailThread({ raw }, given) {
  const mail = withCrlf(bytesOf(raw).toString("latin1"));
  const fields = fieldsOf(mail);
  const first = (field) => idsIn(fields.get(field) ?? "")[0];
  const [root, parent] = [first("references"), first("in-reply-to")];
  if (root) return root;
  if (!parent) return first("message-id") ?? idOfBytes(mail);
  const known = new Lookups(given.lookups).ask(`MESSAGE ${parent}`)?.thread_id;
  return known?.startsWith("<") ? known : parent; // threads of other protocols are no Message-IDs
}

/** A mail whose lines all end in LF is one whose lines end in CRLF. */
function withCrlf(bytes) {
  const mail = bytes.replace(/^\u00ef\u00bb\u00bf/, "");
  return mail.includes("\r\n") ? mail : mail.replaceAll("\n", "\r\n");
}

/** The fields of the head by their names in small letters, unfolded; of fields that are repeated the first. */
function fieldsOf(mail) {
  const bytes = Buffer.from(mail.slice(0, /\n\r?\n/.exec(mail)?.index ?? mail.length), "latin1");
  const head = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replaceAll("\r\n", "\n");
  const fields = new Map();
  for (const line of head.replace(/\n(?=[ \t])/g, "").split("\n")) {
    const [, name, value] = FIELD.exec(line) ?? [];
    const key = name?.toLowerCase();
    if (key && !fields.has(key)) fields.set(key, value.replace(/[\r\0]/g, " "));
  }
  return fields;
}

/** The ids in a field, each with its brackets; without any brackets, words that could stand in them. */
function idsIn(value) {
  const bare = () => value.split(BLANKS).flatMap((word) => (BARE.test(word) ? [`<${word}>`] : []));
  return (value.match(BRACKETED) ?? bare()).filter((id) => [...id].length <= MOST);
}

/** A mail that has no id gets one that depends on its bytes alone, so that it is recognised when it comes again. */
function idOfBytes(mail) {
  const digest = createHash("sha256").update(Buffer.from(mail, "latin1")).digest("hex");
  return `<${digest.slice(0, 32)}@mentionable.invalid>`;
}
