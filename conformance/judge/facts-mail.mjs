// Facts about a mail.

import { createHash } from "node:crypto";

import { decoded } from "./base64.mjs";
import { FactError } from "./facts-error.mjs";
import { Page } from "./facts-html.mjs";
import { loadsBytes } from "./facts-json.mjs";
import { dumps } from "./json.mjs";
import { Part } from "./mail.mjs";
import { OtherForm, byCharacter, each, item, object, partition, repr, same, sorted, strip, words } from "./values.mjs";

/** @typedef {(value: any) => any} Fact */

const PROFILE = "https://mentionable.dev/ns/normalized-message/v0.1";
const MAX_LINE_BYTES = 998;
const ADVISED_LINE = 78;
/** So many bytes may a line have with the lines that continue it: parsers take long over longer fields. */
const MAX_FIELD_BYTES = 32 * 1024;
const FIELD_END = /\r\n?(?![ \t\n])|\n(?![ \t])/;
const CRLF = "\r\n";

/** @param {any} value @returns {Buffer} */
function bytes(value) {
  const data = decoded(item(value, "mail"));
  if (data === null) throw new OtherForm();
  return data;
}

/** The bytes, one a character. @param {any} value */
const raw = (value) => bytes(value).toString("latin1");
/** @param {any} value */
function mail(value) {
  const text = raw(value);
  if (text.split(FIELD_END).some((one) => one.length > MAX_FIELD_BYTES)) {
    throw new FactError(`a field of the mail has more than ${MAX_FIELD_BYTES} bytes`);
  }
  return new Part(text);
}

/** The addresses of a field, as they are written. @param {string} name @returns {Fact} */
const people = (name) => (value) => mail(value).mailboxes(name).map((one) => one.address);
/** @param {string} name @returns {Fact} */
const names = (name) => (value) => mail(value).mailboxes(name).map((one) => one.name);

/** @param {string} name @returns {Fact} */
const field = (name) => (value) => {
  const text = mail(value).field(name);
  return text === null ? null : strip(text);
};

/** The words of a field of message ids, as they are written. @param {any} value @param {string} name */
const ids = (value, name) => words((mail(value).written(name)[0] ?? "").replace(/[\x80-\xff]/g, "\ufffd"));
/** @param {string} name @returns {Fact} */
const id = (name) => (value) => ids(value, name).join(" ") || null;

/** Every recipient of the fields, and of the envelope too, or it is two lists. @param {any} value */
function peopleOf(value) {
  const named = [...new Set(["To", "Cc", "Bcc"].flatMap((name) => people(name)(value)))].sort(byCharacter);
  const envelope = sorted(each(item(value, "rcpt_to")));
  if (!same(named, envelope)) throw new FactError(`the fields name ${repr(named)}, the envelope ${repr(envelope)}`);
  return named;
}

/** The types of a mail, a multipart as a list that begins with its own. @param {Part} part @returns {any} */
function tree(part) {
  if (part.parts !== null && part.type.startsWith("multipart/")) return [part.type, ...part.parts.map(tree)];
  return isTrace(part) ? "the trace" : part.type;
}

/** @param {Part} part */
const isTrace = (part) => part.type === "application/json" && part.parameter("content-type", "profile") === PROFILE;

/** @param {any} value @param {string} mime */
const bodyPart = (value, mime) => mail(value).leaves.findIndex((one) => one.type === mime && one.disposition !== "attachment");

/** The text that people read in this form; null when there is none. @param {string} mime @returns {Fact} */
const body = (mime) => (value) => {
  const place = bodyPart(value, mime);
  return place < 0 ? null : mail(value).leaves[place].text.replaceAll(CRLF, "\n").replace(/(?<!\n)\n+$/, "");
};
const plain = body("text/plain");
const rich = body("text/html");

/** @param {any} value */
const tracePart = (value) => mail(value).leaves.find(isTrace) ?? null;

/** @param {any} value */
function trace(value) {
  const part = tracePart(value);
  return part === null ? null : loadsBytes(part.data);
}

/** Everything that is neither a body nor the trace. @param {any} value */
function files(value) {
  const bodies = [bodyPart(value, "text/plain"), bodyPart(value, "text/html")];
  const rest = mail(value).leaves.filter((part, place) => !bodies.includes(place) && !isTrace(part));
  return rest.map((part) => {
    const { data, type, filename, disposition } = part;
    const sha256 = createHash("sha256").update(data).digest("hex");
    return object({ mime: type, name: filename, size: BigInt(data.length), sha256, shown: disposition === "inline" });
  });
}

/** What every mail server asks of the bytes. @param {any} value */
function wire(value) {
  const data = raw(value);
  const lines = data.split(CRLF);
  return object({
    crlf: !lines.some((line) => /[\r\n]/.test(line)),
    short_lines: lines.every((line) => line.length <= MAX_LINE_BYTES),
    ascii: /^[\0-\x7f]*$/.test(data),
    nul: data.includes("\0"),
  });
}

/** The policy in the head, read from base64. @param {any} value */
function policy(value) {
  const header = field("X-Mentionable-Policy")(value);
  if (header === null) return null;
  const data = decoded(words(header).join(""));
  if (data === null) throw new OtherForm();
  return loadsBytes(data);
}

/** Whether the signature covers one more field for a policy than there is, so that none can be added. @param {any} value */
function isSealed(value) {
  const signature = words(field("DKIM-Signature")(value) ?? "").join("");
  const tags = new Map(signature.split(";").map((tag) => [partition(tag, "=")[0], partition(tag, "=")[2]]));
  const listed = (tags.get("h") ?? "").toLowerCase().split(":").filter((one) => one === "x-mentionable-policy");
  return listed.length > mail(value).written("X-Mentionable-Policy").length;
}

/** @param {Buffer} data */
const head = (data) => data.subarray(0, data.indexOf("\r\n\r\n") < 0 ? data.length : data.indexOf("\r\n\r\n"));

/** Whether no line of the head is longer than mail advises. @param {any} value */
const isFolded = (value) => head(bytes(value)).toString("latin1").split(CRLF).every((line) => line.length <= ADVISED_LINE);

/** @param {any} value */
const page = (value) => new Page(rich(value) ?? "");

/** For each address by which the HTML shows a part of the mail, whether there is such a part. @param {any} value */
function imageSources(value) {
  const sources = (rich(value) ?? "").split('src="').slice(1).map((/** @type {string} */ piece) => partition(piece, '"')[0]);
  const known = mail(value).leaves.map((part) => (part.field("Content-ID") ?? "").replace(/^[<> ]+|(?<![<> ])[<> ]+$/g, ""));
  return sources.map((/** @type {string} */ one) => one.startsWith("cid:") && known.includes(one.slice(4)));
}

/** @param {any} value */
function traceEncoding(value) {
  const part = tracePart(value);
  if (part === null) throw new OtherForm();
  return part.written("Content-Transfer-Encoding").length ? part.encoding : "none";
}

/** @param {any} value */
const references = (value) => ids(value, "References");

/** @type {{[name: string]: Fact}} */
export const MAIL = {
  rcpt_to: (value) => sorted(each(item(value, "rcpt_to"))),
  people: peopleOf,
  thread: (value) => [...references(value).slice(0, 1), ...references(value).slice(-1)],
  from: people("From"),
  from_names: names("From"),
  to: people("To"),
  to_names: names("To"),
  cc: people("Cc"),
  reply_to: people("Reply-To"),
  bcc: people("Bcc"),
  subject: field("Subject"),
  in_reply_to: id("In-Reply-To"),
  supersedes: id("Supersedes"),
  references,
  message_id: id("Message-ID"),
  date: field("Date"),
  auto_submitted: field("Auto-Submitted"),
  fields: (value) => mail(value).fields.map(([name]) => name.toLowerCase()).sort(byCharacter),
  tree: (value) => tree(mail(value)),
  text: plain,
  html: (value) => rich(value) ?? "",
  words: (value) => page(value).text,
  elements: (value) => [...page(value).elements].sort(byCharacter),
  links: (value) => page(value).anchors.map((one) => [one.attributes.get("href") ?? "", one.text]),
  images: imageSources,
  trace,
  trace_encoding: traceEncoding,
  traces: (value) => BigInt(mail(value).leaves.filter(isTrace).length),
  files,
  policy,
  folded: isFolded,
  policy_sealed: isSealed,
  wire,
  head: (value) => head(bytes(value)).toString("utf8"),
  mail: (value) => bytes(value).toString("utf8"),
  payload: (value) => dumps(trace(value)),
};
