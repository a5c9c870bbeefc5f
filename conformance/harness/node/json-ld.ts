// ActivityStreams as plain JSON: a document may say nothing that a reader of JSON-LD would understand otherwise. Inline
// contexts may repeat its definitions, and not change them; contexts that are named by URL are not fetched.

import { TOKEN } from "./leaves.ts";
import { must } from "./rejected.ts";
import { isObject, isText, type Json } from "./shape.ts";

const AS2 = "https://www.w3.org/ns/activitystreams";
const NAMESPACES = [AS2, `${AS2}#`, AS2.replace("https", "http")];
const KEYWORDS: Record<string, string> = { id: "@id", type: "@type" };
/** The terms of ActivityStreams that are read here. */
const TERMS = new Set(
  ["as id type actor object attributedTo to bto cc bcc audience inReplyTo context tag href url attachment",
    "name nameMap summary summaryMap content contentMap source mediaType published oneOf anyOf startTime",
    "endTime preferredUsername icon Create Update Note Article Page Question Audio Video Image Event Mention",
    "Link target instrument alsoKnownAs movedTo Tombstone Accept Add Announce Block Delete Dislike Flag",
    "Follow Ignore Invite Join Leave Like Listen Move Offer Read Reject Remove TentativeAccept",
    "TentativeReject Undo View Person Service Application Group Organization"].join(" ").split(" "),
);
const QUOTED = '"([^"\\\\]*(?:\\\\.[^"\\\\]*)*)"';
const PARAMETER = new RegExp(`;[ \\t]*(?:(${TOKEN})=(?:${QUOTED}|([^";]*)))?[ \\t]*(?=;|$)`, "y");
/** How a member begins that JSON-LD expands to another one. */
const SPELLINGS = ["@", "as:", AS2, AS2.replace("https", "http")];
const MAY_BE_SPELLED = ["as:sensitive", `${AS2}#sensitive`, `${AS2.replace("https", "http")}#sensitive`];
const ACTORS = ["Person", "Service", "Application", "Group", "Organization"];

/** A member that may be one value or an array; nothing for null and for absence. */
export const many = (value: Json): Json[] => (Array.isArray(value) ? value : [value ?? []].flat());

const check = (fits: unknown) => must(fits, "json-ld-refused");

/** Refuses a document that is no plain ActivityStreams. */
export function checkDocument(document: Json): void {
  check(many(document["@context"]).some((one) => NAMESPACES.includes(one)));
  checkContext(document["@context"]);
  for (const name of Object.keys(document)) {
    const isSpelled = SPELLINGS.some((spelling) => name.startsWith(spelling));
    check(!isSpelled || name === "@context" || MAY_BE_SPELLED.includes(name));
  }
}

/** Every inline context, and those within definitions. A null clears what was defined before it. */
function checkContext(context: Json): void {
  check(context !== null);
  for (const one of many(context)) {
    check(one !== null);
    if (isObject(one)) for (const [term, definition] of Object.entries(one)) checkDefinition(term, definition);
  }
}

/** A term means what ActivityStreams says, stands for no keyword, and leaves its values where they are. */
function checkDefinition(term: string, definition: Json): void {
  const meaning = isObject(definition) ? definition["@id"] : definition;
  const isOwn = Object.hasOwn(KEYWORDS, term) && KEYWORDS[term] === meaning;
  if (TERMS.has(term)) {
    const usual = term === "as" ? [`${AS2}#`] : [`as:${term}`, `${AS2}#${term}`];
    check(isOwn || usual.includes(meaning));
  }
  check(isOwn || !isText(meaning) || !(meaning.startsWith("@") || Object.hasOwn(KEYWORDS, meaning)));
  if (!isObject(definition)) return;
  check(!("@reverse" in definition) && !("@nest" in definition));
  if ("@context" in definition) checkContext(definition["@context"]);
}

/** Whether a document is that of an actor. */
export const isActor = ({ type }: Json): boolean =>
  many(type).some((one) => isText(one) && ACTORS.includes(one.replace(/^as:/, "").replace(`${AS2}#`, "")));

/** One of the two media types of ActivityStreams (ActivityPub 3.2); the profile may lack its quotes. */
export function isActivityStreams(text: string): boolean {
  if (/^[ \t]*application\/activity\+json[ \t]*(?:;|$)/i.test(text)) return true;
  PARAMETER.lastIndex = /^[ \t]*application\/ld\+json[ \t]*(?=;)/i.exec(text)?.[0].length ?? text.length;
  let isProfiled = false;
  while (PARAMETER.lastIndex < text.length) {
    const [found, name, quoted, plain] = PARAMETER.exec(text) ?? [];
    if (found === undefined) return false;
    isProfiled ||= name?.toLowerCase() === "profile" && (quoted ?? plain).split(/\s+/).includes(AS2);
  }
  return isProfiled;
}
