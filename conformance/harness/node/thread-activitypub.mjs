// Which conversation an activity belongs to: Normalized Message 5.1.1, ruling R13.

import { canonicalDomain } from "./address.mjs";
import { bytesOf, jsonOf, parseStrict } from "./json.mjs";
import { Lookups } from "./lookups.mjs";

const DEPTH = 10;
const RUNS = /^(?:javascript|data|vbscript|file|blob):/i; // what a browser would run or open is no id
const IRI = /^[a-z][a-z0-9+.-]{0,31}:[^\s\u0000-\u0020\u007f-\u009f<>"\\^`{|}]+$/i;
const PRIVATE = /\.(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|arpa|onion|i2p|alt|svc)$/;

/** `context`, `conversation`, the root of what is answered (or the thread that it is known in), the activity itself. */
export function activityThread({ body }, given) {
  const activity = jsonOf(body);
  const { object } = activity;
  const lookups = new Lookups(given.lookups);
  const value = threadOf(activity, object, lookups, given.settings?.limits?.walk_depth ?? DEPTH);
  return { value, asks: lookups.asked };
}

function threadOf(activity, object, lookups, depth) {
  const named = namedThread(object.context) ?? namedThread(object.conversation);
  if (named) return named;
  const parent = firstIri(object.inReplyTo);
  if (!parent || parent === object.id || parent === activity.id) return activity.id; // nothing answers itself
  const root = rootOf(parent, new Set([object.id, activity.id]), lookups, depth);
  for (const id of new Set([root, parent])) {
    const known = lookups.ask(`MESSAGE ${id}`);
    if (known) return known.thread_id;
  }
  return root;
}

/** The thread that a member names: an IRI, never an inline object. */
const namedThread = (value) => firstIri([value].flat().filter((one) => typeof one === "string"));

/** The first IRI of one value or several: a string, the `id` of an object, the `href` of a Link. */
function firstIri(value) {
  const claims = [value].flat().map((one) => (typeof one === "object" ? one?.id ?? one?.href : one));
  return claims.find((claim) => typeof claim === "string" && isIri(claim));
}

const isIri = (text) => text.length <= 2048 && IRI.test(text) && !RUNS.test(text);

/** The oldest ancestor that is named, at most so many steps up and never in a circle. */
function rootOf(parent, seen, lookups, depth) {
  let [root, here] = [parent, parent];
  for (let step = 0; here && !seen.has(here) && step < depth; step += 1) {
    root = here;
    seen.add(here);
    const document = mayBeAsked(here) ? documentAt(here, lookups) : undefined;
    if (!document) break;
    root = document.id;
    seen.add(root);
    here = firstIri(document.inReplyTo);
  }
  return root;
}

/** The half of SSRF protection that needs no network: https, the default port, a public DNS name, no user. */
function mayBeAsked(iri) {
  if (!URL.canParse(iri)) return false;
  const { protocol, port, username, password, hostname } = new URL(iri);
  const domain = canonicalDomain(hostname);
  return protocol === "https:" && !port && !username && !password && domain !== null && !PRIVATE.test(domain);
}

/** A document of ActivityStreams that its own origin answers with. */
function documentAt(iri, lookups) {
  const answer = lookups.ask(`GET ${iri}`);
  if (answer?.status !== 200 || !/^application\/(?:activity|ld)\+json\b/.test(answer.content_type)) return undefined;
  const document = answer.json ?? parseStrict(bytesOf(answer.body));
  const isItsOwn = typeof document.id === "string" && URL.canParse(document.id);
  return isItsOwn && new URL(document.id).host === new URL(answer.url ?? iri).host ? document : undefined;
}
