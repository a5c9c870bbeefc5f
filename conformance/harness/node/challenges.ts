// Authentication challenges as the header field of HTTP, both ways: RFC 9110 11.3 and 11.6.1.

import { TOKEN } from "./leaves.ts";
import type { Value } from "./shape.ts";

const MOST_CHALLENGES = 16;
const MOST_PARAMETERS = 32;
const MOST = 8192; // characters of all challenges together

const TOKEN68 = "[A-Za-z0-9._~+/-]+=*";
const QUOTED = '"((?:[\\t !\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*)"';
const END = "[ \\t]*(?:$|,[ \\t,]*)";
const PARAMETER = new RegExp(`(?:(${TOKEN}) +)?(${TOKEN})[ \\t]*=[ \\t]*(?:(${TOKEN})|${QUOTED})${END}`, "y");
const CHALLENGE = new RegExp(`(${TOKEN})(?: +(${TOKEN68}))?${END}`, "y");
const IS_68 = new RegExp(`^${TOKEN68}$`);
const PLAIN = /^[\t -~]*$/;

/** The value of `WWW-Authenticate`, without what a header cannot carry; null when there is nothing to write. */
export function writtenChallenges(challenges: Value[]): string | null {
  const written: string[] = [];
  let length = 0;
  for (const challenge of challenges) {
    if (written.length === MOST_CHALLENGES) break;
    const text = writtenChallenge(challenge);
    if (length + text.length + 2 > MOST) continue;
    written.push(text);
    length += text.length + 2;
  }
  return written.join(", ") || null;
}

function writtenChallenge({ scheme, params, token68 }: Value): string {
  const plain = Object.entries<string>(params ?? {}).filter(([, value]) => PLAIN.test(value));
  if (plain.length) {
    const quoted = (value: string) => `"${value.replace(/["\\]/g, "\\$&")}"`;
    const written = plain.slice(0, MOST_PARAMETERS).map(([name, value]) => `${name}=${quoted(value)}`);
    return `${scheme} ${written.join(", ")}`;
  }
  const hasToken = Object.keys(params ?? {}).length === 0 && typeof token68 === "string" && IS_68.test(token68);
  return hasToken ? `${scheme} ${token68}` : scheme;
}

/** The challenges of a field; none at all when anything in it cannot be read. */
export function readChallenges(text: string): Value[] {
  if (text.length > MOST) return [];
  const challenges: Value[] = [];
  let open: Value | undefined; // the challenge whose parameters are read
  let at = (/^[ \t,]*/.exec(text) as RegExpExecArray)[0].length;
  while (at < text.length) {
    PARAMETER.lastIndex = CHALLENGE.lastIndex = at;
    const parameter = PARAMETER.exec(text);
    const alone = parameter ? null : CHALLENGE.exec(text);
    const found = parameter ?? alone;
    if (!found || challenges.length > MOST_CHALLENGES) return [];
    at += found[0].length;
    if (alone) {
      challenges.push(alone[2] === undefined ? { scheme: alone[1] } : { scheme: alone[1], token68: alone[2] });
      open = undefined;
      continue;
    }
    const [, scheme, name, bare, quoted] = found;
    if (scheme !== undefined) challenges.push((open = { scheme, params: {} }));
    const key = (name as string).toLowerCase();
    if (!open || Object.hasOwn(open.params, key) || Object.keys(open.params).length === MOST_PARAMETERS) return [];
    open.params[key] = bare ?? (quoted as string).replace(/\\(.)/gs, "$1");
  }
  return challenges.length <= MOST_CHALLENGES ? challenges : [];
}
