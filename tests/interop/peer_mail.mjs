// What parsers of mail for JavaScript read in a mail; `peer.mjs` calls it.

const bytes = (data) => Buffer.from(data).toString("base64");

const people = (found) => (found ?? []).map(({ name, address }) => [name, address]);

async function byPostalMime(require, raw) {
  const PostalMime = require("postal-mime");
  const found = await (PostalMime.default ?? PostalMime).parse(raw);
  return {
    subject: found.subject ?? null,
    from: people(found.from ? [found.from] : []),
    to: people(found.to),
    cc: people(found.cc),
    messageId: found.messageId ?? null,
    inReplyTo: found.inReplyTo ?? null,
    references: found.references ?? null,
    date: found.date ?? null,
    text: found.text ?? null,
    html: found.html ?? null,
    attachments: found.attachments.map(({ filename, mimeType, disposition, contentId, content }) => ({
      name: filename ?? null,
      mime: mimeType,
      disposition: disposition ?? null,
      cid: contentId ?? null,
      data: bytes(content),
    })),
  };
}

const addresses = (field) => people((Array.isArray(field) ? field : field ? [field] : []).flatMap(({ value }) => value));

async function byMailparser(require, raw) {
  // As it stands in the mail: no images moved into the HTML, no HTML made of the text.
  const options = { skipImageLinks: true, skipTextToHtml: true, skipTextLinks: true, skipHtmlToText: true };
  const found = await require("mailparser").simpleParser(raw, options);
  return {
    subject: found.subject ?? null,
    from: addresses(found.from),
    to: addresses(found.to),
    cc: addresses(found.cc),
    messageId: found.messageId ?? null,
    inReplyTo: found.inReplyTo ?? null,
    references: [found.references ?? []].flat().join(" ") || null,
    date: found.date?.toISOString() ?? null,
    text: found.text ?? null,
    html: found.html || null,
    attachments: found.attachments.map(({ filename, contentType, contentDisposition, contentId, content }) => ({
      name: filename ?? null,
      mime: contentType,
      disposition: contentDisposition ?? null,
      cid: contentId ?? null,
      data: bytes(content),
    })),
  };
}

// The fields of one name, as the parsers hand them out: their values, unfolded or not.
const valuesOf = {
  "postal-mime": async (require, raw, name) => {
    const PostalMime = require("postal-mime");
    const { headers } = await (PostalMime.default ?? PostalMime).parse(raw);
    return headers.filter(({ key }) => key === name).map(({ value }) => value);
  },
  mailparser: async (require, raw, name) => {
    const { headerLines } = await require("mailparser").simpleParser(raw);
    return headerLines.filter(({ key }) => key === name).map(({ line }) => line.slice(line.indexOf(":") + 1));
  },
};

const PARSERS = { "postal-mime": byPostalMime, mailparser: byMailparser };

export const does = (require) => ({
  // The TextDecoder of Node reads as ICU does; this one passes the tests of the standard.
  "charsets.decode": ({ texts }) => {
    const { TextDecoder } = require("@exodus/bytes/encoding.js");
    return texts.map(([name, data]) => new TextDecoder(name, { ignoreBOM: true }).decode(Buffer.from(data, "base64")));
  },
  "mail.parse": ({ parser, mails }) =>
    Promise.all(mails.map((mail) => PARSERS[parser](require, Buffer.from(mail, "base64")))),
  "mail.fields": ({ parser, name, mails }) =>
    Promise.all(mails.map((mail) => valuesOf[parser](require, Buffer.from(mail, "base64"), name))),
});
