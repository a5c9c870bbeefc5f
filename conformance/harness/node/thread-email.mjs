// Which conversation a mail belongs to: Normalized Message 5.3.1, ruling R6. Never by its subject.

import { createHash } from "node:crypto";
import { bytesOf } from "./json.mjs";

const MESSAGE_ID = /<[^<>@\s\u0000-\u001f]+@[^<>@\s\u0000-\u001f]+>/g;

/** The first id of References, else that of In-Reply-To, else the mail's own. What is no id is skipped. */
export function emailThread({ raw }) {
  const mail = bytesOf(raw).toString("latin1");
  const fields = fieldsOf(mail);
  const first = (field) => fields.get(field)?.match(MESSAGE_ID)?.[0];
  return first("references") ?? first("in-reply-to") ?? first("message-id") ?? idOfBytes(mail);
}

/** The fields of the head by their names in small letters, unfolded; of fields that are repeated the first. */
function fieldsOf(mail) {
  const head = mail.slice(0, /\r?\n\r?\n/.exec(mail)?.index ?? mail.length);
  const fields = new Map();
  for (const line of head.replace(/\r?\n(?=[ \t])/g, "").split(/\r?\n/)) {
    const at = line.indexOf(":");
    const name = line.slice(0, Math.max(at, 0)).trim().toLowerCase();
    if (name && !fields.has(name)) fields.set(name, line.slice(at + 1));
  }
  return fields;
}

/** A mail that has no id gets one that depends on its bytes alone, so that it is recognised when it comes again. */
function idOfBytes(mail) {
  const bytes = Buffer.from(mail.replace(/\r?\n/g, "\r\n"), "latin1");
  return `<${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}@mentionable.invalid>`;
}
