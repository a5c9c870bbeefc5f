// Signatures of HTTP as most servers still make them: draft-cavage-http-signatures-12.

import { fieldOf, type HttpRequest } from "./http-request.ts";
import { httpSeconds } from "./http-date.ts";
import { isStrictBase64 } from "./leaves.ts";
import { at, type Candidate, checkCovered, checkDigests, checkWindow, type Demand } from "./signature-checks.ts";
import { hasOwnHost, needsDigest, wireBytes } from "./signature-checks.ts";
import { BLANK } from "./text.ts";

const MOST = 16_384;
const NAMED = "[ \\t]*([A-Za-z][A-Za-z0-9_-]{0,63})[ \\t]*=[ \\t]*";
const PARAMETER = new RegExp(`${NAMED}(?:"([^"]*)"|([^",${BLANK}]+))[ \\t]*(,|$)`, "y");
const MAY_BE_BARE = ["created", "expires"];
const DIGESTS = ["digest", "content-digest"];
const SECONDS = /^[0-9]{1,15}$/;
const END = /^[0-9]{1,15}(?:\.[0-9]{1,9})?$/;
/** What an algorithm says of the key. `hs2019` leaves it to the key. */
const SCHEMES: Record<string, string | undefined> = { hs2019: undefined, "rsa-sha256": "RSASSA-PKCS1-v1_5" };

/** The parameters of a signature, each of them once. */
function parametersOf(text: string): Map<string, string> {
  const check = at("parse");
  const found = new Map<string, string>();
  check(text.length <= MOST && text !== "", "signature-malformed");
  let isTwice = false;
  for (let [place, mark] = [0, ","]; mark === ","; ) {
    PARAMETER.lastIndex = place;
    const [whole, name = "", quoted, bare, end = ""] = PARAMETER.exec(text) ?? [];
    check(whole !== undefined && (bare === undefined || MAY_BE_BARE.includes(name)), "signature-malformed");
    isTwice ||= found.has(name);
    found.set(name, quoted ?? (bare as string));
    [place, mark] = [PARAMETER.lastIndex, end];
  }
  check(!isTwice, "signature-ambiguous");
  return found;
}

/** The one signature that a request has in this form. */
export function cavageOf(request: HttpRequest, demand: Demand): Candidate {
  const check = at("parse");
  const parameters = parametersOf(fieldOf(request, "signature") ?? "");
  const [keyId = "", signature = ""] = [parameters.get("keyId"), parameters.get("signature")];
  check(keyId && signature && isStrictBase64(signature), "signature-malformed");
  const algorithm = parameters.get("algorithm") ?? "hs2019";
  const covered = (parameters.get("headers") ?? "(created)").toLowerCase().split(" ").filter(Boolean);
  check(new Set(covered).size === covered.length, "signature-ambiguous");
  const hasTimes = covered.includes("(created)") || covered.includes("(expires)");
  check(Object.hasOwn(SCHEMES, algorithm) && !(hasTimes && algorithm !== "hs2019"), "algorithm-refused");
  const [created, expires] = [parameters.get("created"), parameters.get("expires")];
  checkCoverage(covered, request);
  checkTimes(covered, created, expires, request, demand.now);
  checkDigests(request);
  checkCovered(request, DIGESTS.filter((one) => covered.includes(one)));
  at("host")(hasOwnHost(request), "host-mismatch");
  const targets = [request.path + request.query, ...(demand.isRead ? [] : [request.path])];
  const bases = [...new Set(targets)].map((target) => baseOf(covered, target, parameters, request));
  return { keyId, scheme: SCHEMES[algorithm], signature: Buffer.from(signature, "base64"), passed: 5, bases };
}

function checkCoverage(covered: string[], request: HttpRequest): void {
  const coversDigest = DIGESTS.some((one) => covered.includes(one));
  const coversAll = ["(request-target)", "host"].every((one) => covered.includes(one));
  at("coverage")(coversAll && (coversDigest || !needsDigest(request)), "coverage-missing");
}

type Parameter = string | undefined;
/** Each time that is covered must be in the window, and one must be. */
function checkTimes(covered: string[], created: Parameter, expires: Parameter, request: HttpRequest, now: number) {
  const check = at("time");
  const times: Record<string, () => number | null> = {
    "(created)": () => (SECONDS.test(created ?? "") ? Number(created) : null),
    date: () => httpSeconds(fieldOf(request, "date") ?? "", now),
  };
  const named = Object.keys(times).filter((name) => covered.includes(name));
  check(named.length > 0, "time-missing");
  const end = expires === undefined ? undefined : END.test(expires) ? Math.floor(Number(expires)) : null;
  for (const name of named) {
    const seconds = (times[name] as () => number | null)();
    check(seconds !== null, "time-missing");
    checkWindow(seconds as number, end, now);
  }
}

/** The text that is signed: a line for each name, in their order. */
function baseOf(covered: string[], target: string, parameters: Map<string, string>, request: HttpRequest): Buffer {
  const special: Record<string, string | undefined> = {
    "(request-target)": `${request.method.toLowerCase()} ${target}`,
    "(created)": parameters.get("created"),
    "(expires)": parameters.get("expires"),
  };
  const lines = covered.map((name) => {
    const value = name.startsWith("(") ? special[name] : fieldOf(request, name);
    at("base")(value !== undefined, "bad-signature");
    at("base")(!/[\r\n]/.test(value as string), "signature-ambiguous");
    return `${name}: ${value}`;
  });
  return wireBytes(lines.join("\n"));
}
