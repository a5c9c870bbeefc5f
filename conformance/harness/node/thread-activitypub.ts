// Which conversation an activity belongs to: Normalized Message 5.1.1, ruling R13.

import { hostOf } from "./hosts.ts";
import { bytesOf, jsonOf, parseStrict } from "./json.ts";
import { isActivityStreams } from "./json-ld.ts";
import { Lookups } from "./lookups.ts";
import { isObject, isText, type Json, type Value } from "./shape.ts";
import { characters } from "./text.ts";

const DEPTH = 10;
const RUNS = /^(?:javascript|data|vbscript|file|blob):/i; // what a browser would run or open is no id
const IRI = /^[a-z][a-z0-9+.-]{0,31}:(?:[^\s\u0000-\u0020\u007f-\u009f<>"\\^`{|}]|\ufeff)+$/i;

/** `context`, `conversation`, the root of what is answered (or the thread that it is known in), the activity itself. */
export function activityThread({ body }: Value, given: Value) {
  const activity = jsonOf(body);
  const { object } = activity;
  const lookups = new Lookups(given.lookups);
  const value = threadOf(activity, object, lookups, given.settings?.limits?.walk_depth ?? DEPTH);
  return { value, asks: lookups.asked };
}

function threadOf(activity: Json, object: Json, lookups: Lookups, depth: number): string {
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
const namedThread = (value: Json) => firstIri([value].flat().filter(isText));

/** The first IRI of one value or several: a string, the `id` of an object, the `href` of a Link. */
function firstIri(value: Json): string | undefined {
  const claims = [value].flat().map((one) => (isObject(one) ? (isText(one.id) && one.id) || one.href : one));
  return claims.find((claim) => isText(claim) && isIri(claim));
}

const isIri = (text: string): boolean => characters(text) <= 2048 && IRI.test(text) && !RUNS.test(text);

/** The oldest ancestor that is named, at most so many steps up and never in a circle. */
function rootOf(parent: string, seen: Set<string>, lookups: Lookups, depth: number): string {
  let root = parent;
  let here: string | undefined = parent;
  for (let step = 0; here && !seen.has(here) && step < depth; step += 1) {
    root = here;
    seen.add(here);
    const document = hostOf(here) ? documentAt(here, lookups) : undefined;
    if (!document) break;
    root = document.id;
    seen.add(root);
    here = firstIri(document.inReplyTo);
  }
  return root;
}

/** A document of ActivityStreams that its own origin answers with, and that calls itself by where it lies. */
function documentAt(iri: string, lookups: Lookups): Json {
  const answer = lookups.ask(`GET ${iri}`);
  if (answer?.status !== 200 || !isActivityStreams(answer.content_type)) return undefined;
  const url = answer.url ?? iri;
  const document = "json" in answer ? answer.json : parseStrict(bytesOf(answer.body));
  const isItsOwn = isObject(document) && isText(document.id) && place(document.id) === place(url) && isIri(document.id);
  return isItsOwn && [url, document.id].every((one) => hostOf(one) === hostOf(iri)) ? document : undefined;
}

const place = (iri: string) => iri.split("#", 1)[0];
