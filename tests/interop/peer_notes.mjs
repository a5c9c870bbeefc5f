// What Fedify reads in activities and actors, and what servers leave of HTML; `peer.mjs` calls it.

const href = (url) => url?.href ?? null;

// A URL, or the target of a Link.
const where = (found) => (found instanceof URL ? found.href : href(found?.href));

const hrefs = (urls) => urls.map(href);

const all = async (items) => {
  const found = [];
  for await (const item of items) found.push(item);
  return found;
};

const kind = (thing) => thing.constructor.name;

async function readTag(tag) {
  return { type: kind(tag), href: href(tag.href), name: tag.name?.toString() ?? null };
}

async function readAttachment(file) {
  return { type: kind(file), url: where(file.url), mime: file.mediaType ?? null, name: file.name?.toString() ?? null };
}

async function readNote(note, loading) {
  return {
    type: kind(note),
    id: href(note.id),
    author: href(note.attributionId),
    replyTo: href(note.replyTargetId),
    to: hrefs(note.toIds),
    cc: hrefs(note.ccIds),
    context: hrefs(note.contextIds ?? []),
    content: note.content?.toString() ?? null,
    source: note.source && { content: note.source.content?.toString() ?? null, mime: note.source.mediaType ?? null },
    published: note.published?.toString() ?? null,
    updated: note.updated?.toString() ?? null,
    tags: await Promise.all((await all(note.getTags(loading))).map(readTag)),
    attachments: await Promise.all((await all(note.getAttachments(loading))).map(readAttachment)),
  };
}

async function readActivity(require, type, document, loading) {
  const vocabulary = require("@fedify/vocab");
  const activity = await vocabulary[type].fromJsonLd(document, loading);
  return {
    type: kind(activity),
    id: href(activity.id),
    actor: href(activity.actorId),
    to: hrefs(activity.toIds),
    cc: hrefs(activity.ccIds),
    published: activity.published?.toString() ?? null,
    object: await readNote(await activity.getObject(loading), loading),
  };
}

async function readActor(require, document, loading) {
  const { Service } = require("@fedify/vocab");
  const { exportJwk } = require("@fedify/fedify/sig");
  const actor = await Service.fromJsonLd(document, loading);
  const keys = await all(actor.getPublicKeys(loading));
  const methods = await all(actor.getAssertionMethods(loading));
  const icon = await actor.getIcon(loading);
  return {
    type: kind(actor),
    id: href(actor.id),
    name: actor.name?.toString() ?? null,
    username: actor.preferredUsername?.toString() ?? null,
    summary: actor.summary?.toString() ?? null,
    inbox: href(actor.inboxId),
    outbox: href(actor.outboxId),
    followers: href(actor.followersId),
    following: href(actor.followingId),
    shared: href(actor.endpoints?.sharedInbox),
    page: where(actor.url),
    icon: icon && where(icon.url),
    keys: await Promise.all(keys.map(async (key) => [href(key.id), href(key.ownerId), await exportJwk(key.publicKey)])),
    methods: await Promise.all(methods.map(async (key) => [href(key.id), href(key.controllerId), await exportJwk(key.publicKey)])),
  };
}

// What two kinds of servers leave of the HTML of a note: what their sources list as allowed.

const SAFE_CLASSES = [/^(?:h|p|u|dt|e)-/, "mention", "hashtag", "ellipsis", "invisible", "quote-inline"];
const SCHEMES = ["http", "https", "dat", "dweb", "ipfs", "ipns", "ssb", "gopher", "xmpp", "magnet", "gemini"];
const INLINE = "a abbr acronym b br cite code del dfn em figcaption i ins mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr";
const BLOCKS = "article aside blockquote dd details div dl dt figure h1 h2 h3 h4 h5 h6 hgroup hr li ol p pre section summary ul";
const TABLES = "caption col colgroup table tbody td tfoot th thead tr";

const linked = (rel) => (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel, target: "_blank" } });

const emphasized = { tagName: "strong", attribs: {} };

const RULES = {
  mastodon: {
    allowedTags: "p br span a del s pre blockquote code b strong u i em ul ol li ruby rt rp".split(" "),
    allowedAttributes: {
      "*": ["lang"],
      a: ["href", "rel", "class", "translate", "target"],
      span: ["class", "translate"],
      ol: ["start", "reversed"],
      li: ["value"],
      p: ["class"],
    },
    allowedClasses: { a: SAFE_CLASSES, span: SAFE_CLASSES, p: SAFE_CLASSES },
    allowedSchemes: SCHEMES,
    transformTags: {
      a: linked("nofollow noopener"),
      ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, () => emphasized])),
    },
  },
  gotosocial: {
    allowedTags: `${INLINE} ${BLOCKS} ${TABLES} img`.split(" "),
    allowedAttributes: {
      "*": ["id", "title", "dir", "lang"],
      a: ["href", "class", "rel", "target"],
      span: ["class"],
      code: ["class"],
      ol: ["start", "reversed", "type"],
      img: ["src", "alt", "width", "height"],
    },
    allowedSchemes: ["http", "https", "mailto"],
    transformTags: { a: linked("nofollow noreferrer noopener") },
  },
};

// The same activity as Fedify writes it.
async function rewrite(require, document, loading) {
  const activity = await require("@fedify/vocab").Create.fromJsonLd(document, loading);
  return await activity.toJsonLd({ ...loading, format: "compact" });
}

// A trace, found and read by what its specification says alone.
function readTrace(require, content) {
  let found = null;
  const opened = (name, { class: names = "", href }) => {
    if (name === "a" && found === null && names.split(" ").includes("mentionable-trace")) found = href;
  };
  const parser = new (require("htmlparser2").Parser)({ onopentag: opened });
  parser.end(content);
  if (found === null) return null;
  const encoded = found.startsWith("data:") ? found.slice(found.indexOf(",") + 1) : new URL(found).hash.slice(1);
  return Buffer.from(encoded, "base64url").toString("utf8");
}

async function writeActor(require, { id, username, multikey, publicKeyPem, inbox, shared, type }, loading, format) {
  const vocabulary = require("@fedify/vocab");
  const url = (text) => new URL(text);
  const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const der = Buffer.from(publicKeyPem.replace(/-----[^-]+-----|\s/g, ""), "base64");
  const publicKey = await crypto.subtle.importKey("spki", der, rsa, true, ["verify"]);
  const key = new vocabulary.CryptographicKey({ id: url(`${id}#main-key`), owner: url(id), publicKey });
  const ed25519 = await crypto.subtle.importKey("raw", Buffer.from(multikey, "base64"), "Ed25519", true, ["verify"]);
  const method = new vocabulary.Multikey({ id: url(`${id}#objects`), controller: url(id), publicKey: ed25519 });
  const actor = new vocabulary[type]({
    id: url(id),
    preferredUsername: username,
    name: "Bob & Co.",
    inbox: url(inbox),
    endpoints: new vocabulary.Endpoints({ sharedInbox: url(shared) }),
    publicKey: key,
    assertionMethod: method,
    url: url(`${id}/about`),
    icon: new vocabulary.Image({ url: url(`${id}/icon.png`), mediaType: "image/png" }),
  });
  return await actor.toJsonLd({ ...loading, format });
}

export const does = (require, loaders) => ({
  "fedify.read": ({ type, documents }) =>
    Promise.all(documents.map((document) => readActivity(require, type, document, loaders()))),
  "fedify.read_actor": ({ document }) => readActor(require, document, loaders()),
  "fedify.rewrite": ({ documents }) => Promise.all(documents.map((document) => rewrite(require, document, loaders()))),
  "fedify.write_actor": ({ facts, format }) => writeActor(require, facts, loaders(), format),
  "trace.read": ({ contents }) => contents.map((content) => readTrace(require, content)),
  sanitize: ({ rules, contents }) => contents.map((content) => require("sanitize-html")(content, RULES[rules])),
});
