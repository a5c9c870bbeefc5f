// The kinds of text and number that members may hold: Normalized Message 3, ruling R54 for their spellings.

import { isText, type Json, leaf } from "./shape.ts";
import { characters } from "./text.ts";
import { utcTime } from "./time.ts";
import { isWebUrl } from "./url.ts";

const TYPE = "[a-z0-9!#$&^_.+-]{1,127}/[a-z0-9!#$&^_.+-]{1,127}";
/** A token of HTTP in small letters (RFC 9110 5.6.2), as the text of a pattern. */
export const LOWER_TOKEN = "[a-z0-9!#$%&'*+.^_`|~-]+";
/** A token in any letters. */
export const TOKEN = LOWER_TOKEN.replace("a-z", "A-Za-z");
const QUOTED = '"(?:[\\t -!#-[\\]-~]|\\\\[\\t -~])*"';
const BARE_TYPE = new RegExp(`^${TYPE}$`);
const MEDIA_TYPE = new RegExp(`^${TYPE}(?:; ${LOWER_TOKEN}=(?:${TOKEN}|${QUOTED}))*$`);
const PARAMETER = new RegExp(`[\\t ]*;[\\t ]*(?:(${TOKEN})=(${TOKEN}|${QUOTED}))?`, "y");
const WHOLE_TOKEN = new RegExp(`^${TOKEN}$`);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const MOST_OF_TYPE = 1024;
const LARGEST = Number.MAX_SAFE_INTEGER;

/** Whether a text is the one spelling of its bytes in base64. */
export const isStrictBase64 = (text: string): boolean => Buffer.from(text, "base64").toString("base64") === text;

const blanksOff = (text: string): string => text.replace(/^[\t ]+|[\t ]+$/g, "");
// The lower case of some other letters, such as the Kelvin sign, is ASCII.
const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (one) => one.toLowerCase());

export const isToken = (value: Json): boolean => isText(value) && WHOLE_TOKEN.test(value);

/** A media type in any spelling as `type/subtype; name=value` (RFC 9110 8.3.1); undefined for what is none. */
export function mediaTypeOf(text: string): string | undefined {
  if (characters(text) > MOST_OF_TYPE) return undefined;
  if (BARE_TYPE.test(text)) return text;
  const [kind, ...more] = text.split(";") as [string, ...string[]];
  const written = [asciiLower(blanksOff(kind))];
  let at = kind.length;
  while (more.length) {
    PARAMETER.lastIndex = at;
    const found = PARAMETER.exec(text);
    if (found === null) break;
    at = PARAMETER.lastIndex;
    if (found[1] !== undefined) written.push(`${found[1].toLowerCase()}=${plainValue(found[2] as string)}`);
  }
  const canonical = written.join("; ");
  return !blanksOff(text.slice(at)) && isMediaType(canonical) ? canonical : undefined;
}

const isMediaType = (value: Json): boolean =>
  isText(value) && characters(value) <= MOST_OF_TYPE && MEDIA_TYPE.test(value);

/** The value of a parameter, without quotes that it does not need. */
function plainValue(value: string): string {
  if (!value.startsWith('"')) return value;
  const plain = value.slice(1, -1).replace(/\\(.)/g, "$1");
  return isToken(plain) ? plain : `"${plain.replace(/(["\\])/g, "\\$1")}"`;
}

/** The media type alone. */
export const bareType = (text: string): string => asciiLower(blanksOff(text.split(";", 1)[0] as string));

const isBetween = (value: number, least: number): boolean => value >= least && value <= LARGEST;
const isTextType = (value: Json): boolean => ["text/plain", "text/markdown", "text/html"].includes(value);

export const text = leaf(isText);
export const name = leaf((value) => isText(value) && value !== "");
export const yesOrNo = leaf((value) => typeof value === "boolean");
export const count = leaf((value) => Number.isInteger(value) && isBetween(value, 0));
export const ordinal = leaf((value) => Number.isInteger(value) && isBetween(value, 1));
export const duration = leaf((value) => typeof value === "number" && isBetween(value, 0));
export const webUrl = leaf((value) => isText(value) && isWebUrl(value));
export const secureUrl = leaf((value) => isText(value) && value.startsWith("https://") && isWebUrl(value));
export const moment = leaf((value) => isText(value) && utcTime(value) !== undefined, utcTime);
export const mediaType = leaf(isMediaType, mediaTypeOf);
export const textType = leaf(isTextType, bareType);
export const base64 = leaf((value) => isText(value) && BASE64.test(value));
export const digest = leaf((value) => isText(value) && /^[0-9a-f]{64}$/.test(value));
export const token = leaf(isToken);
