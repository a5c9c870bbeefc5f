// Whether an address is that of an actor: the domain of the address must link it to exactly this actor (RFC 7033).

import { canonicalAddress, domainOf } from "./address.ts";
import { type Documents, mayComeBack } from "./actor-document.ts";
import { hostOf } from "./hosts.ts";
import { isActivityStreams, many } from "./json-ld.ts";
import { bareType } from "./leaves.ts";
import { isObject, isText, type Json } from "./shape.ts";
import { Refused } from "./signature-checks.ts";

const TYPES = ["application/jrd+json", "application/json"];

const unconfirmed = (step: "key" | "address" = "address") => new Refused("address-unconfirmed", step);

/** The address that an actor claims by its name, at its own domain. */
export function claimedAddress(actor: Json): string {
  const name = actor.preferredUsername;
  const isName = isText(name) && !name.includes("/"); // a part of a path is no name of an account
  const claimed = isName ? canonicalAddress(`@${name.replaceAll("%", "%25")}@${hostOf(actor.id)}`) : undefined;
  if (claimed === undefined) throw unconfirmed("key");
  return claimed;
}

/** The address of an actor, as its domain confirms it; a domain may lead to one other, which must confirm it too. */
export function confirmedAddress(actor: Json, documents: Documents): string {
  const claimed = claimedAddress(actor);
  const first = subjectAt(claimed, actor.id, documents);
  const isOwn = domainOf(first.address) === domainOf(claimed);
  const last = isOwn ? first : subjectAt(first.address, actor.id, documents);
  if (last.address !== first.address || !last.isLinked) throw unconfirmed();
  return last.address;
}

/** What has a meaning in a query is escaped (RFC 7033 4.1). */
const escaped = (text: string): string =>
  text.replace(/[^A-Za-z0-9._~!$'()*,;:@-]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** The address that a domain gives for another one, and whether it links it to the actor. */
function subjectAt(address: string, id: string, documents: Documents): { address: string; isLinked: boolean } {
  const host = domainOf(address);
  const url = `https://${host}/.well-known/webfinger?resource=${escaped(`acct:${address.slice(1)}`)}`;
  if (hostOf(url) === undefined) throw unconfirmed();
  const found = documents.fetch(url, false);
  if ("isGone" in found) throw new Refused("address-unresolvable", "address", found);
  const { status, contentType, body, url: last } = found;
  if (mayComeBack(status)) throw new Refused("address-unresolvable", "address", { temporary: true });
  const isRead = status === 200 && TYPES.includes(bareType(contentType)) && hostOf(last) !== undefined;
  const answer = isRead ? documents.parse(body) : undefined;
  const isAccount = isText(answer?.subject) && /^acct:/i.test(answer.subject);
  const subject = isAccount ? canonicalAddress(answer.subject) : undefined;
  const links = Array.isArray(answer?.links) ? many(answer.links) : [];
  if (subject === undefined) throw unconfirmed();
  return { address: subject, isLinked: links.some((link) => isSelf(link, id)) };
}

const isSelf = (link: Json, id: string): boolean =>
  isObject(link) && link.rel === "self" && link.href === id && isText(link.type) && isActivityStreams(link.type);
