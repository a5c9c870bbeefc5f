// A policy as the answer to an HTTP request, both ways: PolicyPart, RFC 9110, RFC 9457. The body is the whole policy,
// and a problem for clients that know only those.

import { boundPolicy, isAuthority } from "./authority.ts";
import { readChallenges, writtenChallenges } from "./challenges.ts";
import { httpSeconds } from "./http-date.ts";
import { bytesOf, isBytes, jsonBytes, parseStrict } from "./json.ts";
import { bareType } from "./leaves.ts";
import { EXTENSION } from "./policy-card.ts";
import { asAnswer, policyOf, type ReadPolicy } from "./policy-read.ts";
import { policy as policyForm } from "./policy.ts";
import { must, readOrNone, Rejected } from "./rejected.ts";
import { isObject, isText, isWithin, type Json, strictly, type Value } from "./shape.ts";
import { stripped } from "./text.ts";
import { percentEncoded } from "./url.ts";
import { x402DemandIn, x402Required } from "./x402.ts";

const MOST_IN_FIELD = 8192; // bytes of a header field: servers reject longer ones
const MOST_BYTES = 1_048_576; // of a body that is read
const MOST_DEPTH = 64;
const PROBLEM = "application/problem+json";
const UNKNOWN = 403; // of an unknown kind: no client takes it for a success, or tries again
const STATUSES: Record<string, number> = {
  unauthorized: 401,
  consent_required: 401,
  payment_required: 402,
  forbidden: 403,
  too_many_requests: 429,
  unavailable_for_legal_reasons: 451,
  service_unavailable: 503,
};
/** The message of an answer that has no words of its own. */
const WORDS: Record<number, string> = {
  401: "You must sign in first.",
  403: "This is not allowed.",
  429: "There were too many requests.",
  451: "This is not available for legal reasons.",
  503: "The service is not available just now.",
};
const PEER_ERRORS: Record<number, string> = {
  401: "peer-unauthorized", 402: "peer-payment-required", 403: "peer-forbidden", 404: "peer-not-found",
  408: "peer-busy", 410: "peer-not-found", 425: "peer-busy", 429: "peer-busy", 502: "peer-busy", 503: "peer-busy",
  504: "peer-busy",
};

/** The members that make the JSON of a policy a problem. */
const problemOf = (kind: string, message: string, status: number): Value => ({
  type: `${EXTENSION}#${percentEncoded(kind)}`,
  status,
  detail: message,
});

/** `policy.to_http`. */
export function policyToHttp({ policy: given }: Value) {
  const policy = strictly(policyForm, given);
  const status = Object.hasOwn(STATUSES, policy.kind) ? (STATUSES[policy.kind] as number) : UNKNOWN;
  const problem = problemOf(policy.kind, policy.message, status);
  const isProblem = !Object.keys(problem).some((name) => name in policy);
  const headers = [["content-type", isProblem ? PROBLEM : "application/json"], ["cache-control", "no-store"]];
  if (status === 401) {
    const challenges = policy.kind === "unauthorized" ? writtenChallenges(policy.auth_challenges) : null;
    headers.push(["www-authenticate", challenges ?? `Mentionable policy="${policy.kind}"`]);
  }
  const isLater = policy.kind === "too_many_requests" || policy.kind === "service_unavailable";
  const wait = isLater ? policy.retry_after_seconds : undefined;
  if (wait !== undefined) headers.push(["retry-after", `${wait}`]);
  const required = policy.kind === "payment_required" ? x402Required(policy) : null;
  const field = required && jsonBytes(required).toString("base64");
  if (field && field.length <= MOST_IN_FIELD) headers.push(["payment-required", field]);
  return { status, headers, body: isProblem ? { ...problem, ...policy } : policy };
}

/** The value of a header field; several are joined. */
function headerOf({ headers = [] }: Value, name: string): string | null {
  const found = headers.filter(([one]: [string]) => one.toLowerCase() === name);
  return found.length ? found.map(([, value]: [string, string]) => value).join(", ") : null;
}

/** JSON, or undefined for what is none. */
const loaded = (bytes: Buffer, safeIntegers: boolean): Json =>
  readOrNone(() => parseStrict(bytes, { maxBytes: MOST_BYTES, maxDepth: MOST_DEPTH, safeIntegers }));

/** The JSON object of a body without what only makes it a problem, and whether it is a problem of ours. */
function documentOf(response: Value): { document: Json; isOurs: boolean } {
  const none = { document: {}, isOurs: false };
  const type = bareType(headerOf(response, "content-type") || "application/json");
  if (type !== "application/json" && !type.endsWith("+json")) return none;
  const body = response.body ?? "";
  const parsed = isWithin(MOST_DEPTH, body) ? body : undefined; // a case may have it parsed
  const document = isBytes(body) ? loaded(bytesOf(body), false) : parsed;
  if (!isObject(document)) return none;
  if (type !== PROBLEM || !isText(document.kind) || !isText(document.message)) return { document, isOurs: false };
  const problem = problemOf(document.kind, document.message, response.status);
  const own = Object.entries(document).filter(([name, member]) => !(name in problem) || member !== problem[name]);
  return { document: Object.fromEntries(own), isOurs: document.type === problem.type };
}

/** `policy.from_http`: of a peer that knows policies, or only HTTP. */
export function policyFromHttp(response: Value, { now }: Value) {
  const { status, authority = null } = response;
  must(authority === null || isAuthority(authority));
  must(status >= 400, "not-a-message");
  must(Object.values(STATUSES).includes(status), PEER_ERRORS[status] ?? "peer-error");

  // a body that is a policy wins when its kind fits the status
  const { document, isOurs } = documentOf(response);
  const isKnown = isText(document.kind) && Object.hasOwn(STATUSES, document.kind);
  const found: ReadPolicy = "kind" in document ? policyOf(document, authority) : { policy: null, diagnostics: [] };
  if (found.policy !== null) {
    must(!isKnown || STATUSES[document.kind] === status, "malformed");
    // else it is the JSON of something else, which has a `kind`, too
    if (isKnown || isOurs || !found.diagnostics.includes("member-dropped")) return asAnswer(found);
  } else if (isKnown) {
    must(document.kind !== "consent_required" && STATUSES[document.kind] === status, "malformed");
  }
  if (status === 402) return asAnswer(paymentOf(response, document));

  const made = boundPolicy(madeOf(response, document, now), authority);
  const kept = isOurs || isKnown ? found.diagnostics : [];
  return asAnswer({ policy: made.policy, diagnostics: [...kept, ...Array(made.refused).fill("url-refused")] });
}

/** What x402 says of a 402, in its body or in the header field of version 2. */
function paymentOf(response: Value, document: Json): ReadPolicy {
  const field = headerOf(response, "payment-required") ?? "";
  const bytes = Buffer.from(field, "base64");
  const inField = bytes.toString("base64") === field ? loaded(bytes, true) : undefined;
  for (const body of [document, inField]) {
    const offered = x402DemandIn(body);
    if (offered?.policy) return offered;
  }
  throw new Rejected(document.kind === "payment_required" ? "malformed" : "missing-member");
}

/** The policy that a status other than 402 stands for. */
function madeOf(response: Value, document: Json, now: string): Value {
  const [detail, message, title] = ["detail", "message", "title"]
    .map((name) => document[name])
    .map((one) => (isText(one) && stripped(one) ? one : undefined));
  const text = detail ?? message;
  const words: Value = { message: text ?? title ?? WORDS[response.status] };
  if (text !== undefined && title !== undefined) words.title = title;
  const challenges = () => readChallenges(headerOf(response, "www-authenticate") ?? "");
  if (response.status === 401) return { kind: "unauthorized", ...words, auth_challenges: challenges() };
  if (response.status === 403) return { kind: "forbidden", ...words };
  if (response.status === 451) return { kind: "unavailable_for_legal_reasons", ...words };
  const wait = waitOf(headerOf(response, "retry-after"), now);
  const kind = response.status === 429 ? "too_many_requests" : "service_unavailable";
  return wait === null ? { kind, ...words } : { kind, ...words, retry_after_seconds: wait };
}

/** The seconds of a `Retry-After`: a number, or a date. */
function waitOf(field: string | null, now: string): number | null {
  const text = stripped(field ?? "");
  if (/^[0-9]+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const seconds = Date.parse(now) / 1000;
  const moment = httpSeconds(text, Math.floor(seconds));
  return moment === null ? null : Math.max(0, Math.ceil(moment - seconds));
}
