// Whose activity this is by its own words, before anything shows it: Normalized Message 4.

import { isId, MOST_OF_ID } from "./actor-document.ts";
import { hostOf } from "./hosts.ts";
import { checkDocument } from "./json-ld.ts";
import { parseStrict } from "./json.ts";
import { must } from "./rejected.ts";
import { isObject, isText, type Json } from "./shape.ts";

export interface Claim {
  activity: Json;
  actor: string;
}

/** The activity in a body, and the actor that it names. */
export function claimOf(body: Buffer, given: Json): Claim {
  const { activitypub_bytes: maxBytes, json_depth: maxDepth } = given.settings?.limits ?? {};
  const activity = parseStrict(body, { maxBytes, maxDepth });
  must(isObject(activity), "malformed");
  checkDocument(activity);
  const actor = idIn(activity.actor);
  must(hostOf(actor) !== undefined, "id-refused");
  must(!Array.isArray(activity.id) && !isObject(activity.id), "wrong-type");
  const id = idIn(activity.id);
  must(hostOf(id) !== undefined, "id-refused");
  must(hostOf(id) === hostOf(actor), "origin-mismatch");
  must(isId(id), "id-refused");
  return { activity, actor };
}

/** The one id that a member names: a text, an object with an id, or a list of one of these. */
function idIn(value: Json): string {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const id = isObject(one) ? one.id : one;
  must(id !== undefined && id !== null, "missing-member");
  must(isText(id), "wrong-type");
  must(id.length <= MOST_OF_ID, "id-too-long");
  return id;
}
