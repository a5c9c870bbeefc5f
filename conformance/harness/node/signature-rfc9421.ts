// HTTP Message Signatures (RFC 9421). What is signed is made from the one form of its fields, so every legal spelling
// of a signature verifies.

import { fieldOf, type HttpRequest, linesOf } from "./http-request.ts";
import { LOWER_TOKEN } from "./leaves.ts";
import { at, type Candidate, checkCovered, checkDigests, checkWindow } from "./signature-checks.ts";
import { type Demand, hasOwnHost, needsDigest, Refused, unlessRefused, wireBytes } from "./signature-checks.ts";
import { type Bare, hasTwice, type InnerList, isInnerList, type Item, type Member } from "./structured-fields.ts";
import { type Named, readDictionary, valueOf, written, writtenDictionary } from "./structured-fields.ts";

const MOST = 16_384;
const MOST_SIGNATURES = 3;
const COMPONENT = new RegExp(`^@?${LOWER_TOKEN}$`);
const SCHEMES: Record<string, string> = { "rsa-v1_5-sha256": "RSASSA-PKCS1-v1_5", ed25519: "Ed25519" };
const OF_QUERY = ["@target-uri", "@query", "@request-target"];
/** Fields that are known to be dictionaries, so that `sf` has a meaning for them. */
const DICTIONARIES = ["content-digest", "priority", "repr-digest", "signature", "signature-input"];
/** Parameters of a signature, and what each must be. */
const TYPES = {
  ...{ keyid: "string", alg: "string", nonce: "string", tag: "string" },
  ...{ created: "integer", expires: "integer" },
};

/** What one label has in `Signature-Input` and in `Signature`: there it may be missing. */
interface Declaration {
  input: Member;
  signature: Member | undefined;
}

/** The keys of the signatures that are well formed, good or not: a reader is asked for at the host of the first. */
export function keysOf(request: HttpRequest): string[] {
  const found = unlessRefused(() => declared(request));
  if (found instanceof Refused) return [];
  const inputs = found.map((one) => unlessRefused(() => inputOf(one)));
  return inputs.flatMap((one) => (one instanceof Refused ? [] : `${valueOf(one.parameters, "keyid")?.value}`));
}

/** Each signature of a request in this form that counts as far as can be told without a key, or why it does not. */
export function rfc9421Of(request: HttpRequest, demand: Demand): (Candidate | Refused)[] {
  const found = unlessRefused(() => declared(request));
  if (found instanceof Refused) return [found];
  return found.map((one) => unlessRefused(() => candidateOf(one, request, demand)));
}

/** The first declarations, each with its signature. */
function declared(request: HttpRequest): Declaration[] {
  const size = ["signature", "signature-input"].reduce((sum, name) => sum + (fieldOf(request, name) ?? "").length, 0);
  at("parse")(size <= MOST, "signature-malformed");
  const [signatures, inputs] = [dictionaryOf(request, "signature"), dictionaryOf(request, "signature-input")];
  at("parse")(inputs.length > 0, "signature-malformed");
  return inputs.slice(0, MOST_SIGNATURES).map(([label, input]) => ({ input, signature: valueOf(signatures, label) }));
}

function dictionaryOf(request: HttpRequest, name: string): Named<Member> {
  const read = readDictionary(fieldOf(request, name) ?? "");
  at("parse")(read, "signature-malformed");
  at("parse")(!hasTwice(read as Named<Member>), "signature-ambiguous");
  return read as Named<Member>;
}

/** What is declared, when its parameters have their types, its components are names, and its signature is bytes. */
function inputOf({ input, signature }: Declaration): InnerList {
  const check = at("parse");
  check(isInnerList(input), "signature-malformed");
  const { items, parameters } = input as InnerList;
  check(!hasTwice(parameters), "signature-ambiguous");
  const isOfType = ([name, type]: string[]) => (valueOf(parameters, name as string)?.type ?? type) === type;
  const isBytes = signature !== undefined && !isInnerList(signature) && signature.bare.type === "bytes";
  const isComponent = ({ bare }: Item) => bare.type === "string" && COMPONENT.test(bare.value);
  check(Object.entries(TYPES).every(isOfType) && items.every(isComponent) && isBytes, "signature-malformed");
  return input as InnerList;
}

function candidateOf(declaration: Declaration, request: HttpRequest, demand: Demand): Candidate {
  const check = at("parse");
  const input = inputOf(declaration);
  const { parameters, items } = input;
  const textOf = (name: string) => valueOf(parameters, name)?.value as string | undefined;
  const secondsOf = (name: string) => valueOf(parameters, name)?.value as number | undefined;
  const [created, expires] = [secondsOf("created"), secondsOf("expires")];
  const [keyId, signature] = [textOf("keyid"), (declaration.signature as Item).bare.value];
  check(keyId && signature !== "", "signature-malformed");
  check(!hasTwice(items.map((item) => [written(item), item])), "signature-ambiguous");
  const algorithm = textOf("alg");
  check(algorithm === undefined || Object.hasOwn(SCHEMES, algorithm), "algorithm-refused");
  checkCoverage(items, request);
  at("time")(created !== undefined, "time-missing");
  checkWindow(created as number, expires, demand.now);
  checkDigests(request);
  checkCovered(request, ["content-digest"]);
  const coversHost = items.some((item) => item.bare.value === "host");
  at("host")(request.authority !== "" && (!coversHost || hasOwnHost(request)), "host-mismatch");
  const bases = [baseOf(input, request)];
  // A delivery goes where its path leads; what is read depends on the query.
  const coversQuery = items.some(({ bare }) => OF_QUERY.includes(`${bare.value}`));
  at("coverage")(!demand.isRead || !request.query || coversQuery, "coverage-missing");
  return {
    keyId: keyId as string,
    scheme: algorithm === undefined ? undefined : SCHEMES[algorithm],
    signature: Buffer.from(`${signature}`, "base64"),
    passed: 5,
    bases,
  };
}

/** The request and its body must be covered as a whole. */
function checkCoverage(items: Item[], request: HttpRequest): void {
  const isForm = ([name, { value }]: [string, Bare]) => (name === "sf" || name === "bs") && value === true;
  const isWhole = ({ parameters }: Item) => parameters.every(isForm);
  const covered = items.filter(isWhole).map(({ bare }) => bare.value);
  const coversOne = (...names: string[]) => names.some((name) => covered.includes(name));
  const coversDigest = coversOne("content-digest");
  const coversRequest =
    coversOne("@method") &&
    coversOne("@target-uri", "@request-target", "@path") &&
    coversOne("@target-uri", "@authority", "host");
  at("coverage")(coversRequest && (coversDigest || !needsDigest(request)), "coverage-missing");
}

/** The signature base: a line for each component, and one for the parameters of the signature. */
function baseOf(input: InnerList, request: HttpRequest): Buffer {
  const lines = input.items.map((item) => {
    const value = componentOf(item, request);
    at("base")(!/[\r\n]/.test(value), "signature-ambiguous"); // it would hide a line in what is signed
    return `${written(item)}: ${value}`;
  });
  return wireBytes([...lines, `"@signature-params": ${written(input)}`].join("\n"));
}

const DERIVED: Record<string, (request: HttpRequest) => string> = {
  "@method": ({ method }) => method,
  "@target-uri": ({ scheme, authority, path, query }) => `${scheme}://${authority}${path}${query}`,
  "@authority": ({ authority }) => authority,
  "@scheme": ({ scheme }) => scheme,
  "@request-target": ({ path, query }) => path + query,
  "@path": ({ path }) => path,
  "@query": ({ query }) => query || "?",
};

function componentOf({ bare, parameters }: Item, request: HttpRequest): string {
  const check = at("base");
  const name = `${bare.value}`;
  if (name.startsWith("@")) {
    check(parameters.length === 0 && Object.hasOwn(DERIVED, name), "signature-malformed");
    return (DERIVED[name] as (request: HttpRequest) => string)(request);
  }
  const lines = linesOf(request, name);
  check(lines.length > 0, "bad-signature");
  const [parameter, value] = parameters[0] ?? [];
  const isKnownAlone = parameters.length <= 1 && (parameter === undefined || isKnown(parameter, value as Bare));
  check(isKnownAlone, "signature-malformed");
  if (parameter === undefined) return lines.join(", ");
  if (parameter === "bs") return lines.map((line) => `:${wireBytes(line).toString("base64")}:`).join(", ");
  check(parameter === "key" || DICTIONARIES.includes(name), "signature-malformed");
  return strictValue(readDictionary(lines.join(", ")), parameter === "key" ? `${value?.value}` : undefined);
}

const isKnown = (name: string, { type, value }: Bare): boolean =>
  name === "key" ? type === "string" : (name === "sf" || name === "bs") && value === true;

/** A dictionary in its one form, or one member of it. */
function strictValue(members: Named<Member> | undefined, key: string | undefined): string {
  const check = at("base");
  check(members && !hasTwice(members), "signature-malformed");
  if (key === undefined) return writtenDictionary(members as Named<Member>);
  const member = valueOf(members as Named<Member>, key);
  check(member !== undefined, "signature-malformed");
  return written(member as Member);
}
