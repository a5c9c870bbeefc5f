// What a browser makes of simple HTML: what people read, the elements, and the links. It is read in the form that
// pages/facts.md describes. Of other HTML no facts are found: parsers repair it in different ways, and some take very long
// for it.

import { readFileSync } from "node:fs";

import { FactError } from "./facts-error.mjs";
import { OtherForm, piece, repr, words } from "./values.mjs";

const BLOCKS = new Set(
  "address article blockquote br dd div dl dt footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table td th tr ul".split(" "),
);
/** Elements whose content is no markup and is not shown, and what ends them. @type {Map<string, RegExp>} */
const RAW = new Map(["script", "style", "title"].map((name) => [name, new RegExp(`</${name}[ \\t\\n\\r\\f]*>`, "gi")]));
/** Elements whose content has a syntax of its own. */
const UNREAD = new Set(
  ["iframe", "math", "noembed", "noframes", "noscript", "plaintext", "select", "svg", "template", "textarea", "xmp"],
);
/** Elements without content: only their tags may end in `/>`, which browsers ignore in any other. */
const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
const AS_TEXT = /<(?![a-zA-Z/!?])/y;
const SKIPPED = /<!--[^>]*-->|<!doctype[^<>"']*(?:(?:"[^<>"]*"|'[^<>']*')[^<>"']*)*>/iy;
const OPENED = /<([a-zA-Z][-a-zA-Z0-9]*)/y;
const ATTRIBUTE =
  /[ \t\n\r\f]+([^ \t\n\r\f"'<>/=]+)(?:[ \t\n\r\f]*=[ \t\n\r\f]*(?:"([^"]*)"|'([^']*)'|([^ \t\n\r\f"'<>=`]+)))?/y;
const OPENED_END = /[ \t\n\r\f]*(\/?)>/y;
const CLOSED = /<\/([a-zA-Z][-a-zA-Z0-9]*)[ \t\n\r\f]*>/y;
/** So many characters are shown of what is not read. */
const SHOWN = 40;
const OTHER = "its HTML has another form than is read";
const REFERENCE = /&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/gu;
const REFERENCE_IN_A_VALUE = /&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[a-zA-Z0-9]+[;=]?)/g;

/** @type {{bare: string[], named: {[name: string]: string}}} */
const ENTITIES = JSON.parse(readFileSync(new URL("./entities.json", import.meta.url), "utf8"));
const NAMED = new Map(Object.entries(ENTITIES.named).map(([name, text]) => [`${name};`, text]));
for (const name of ENTITIES.bare) NAMED.set(name, ENTITIES.named[name]);
/** What the numbers from 0x80 stand for, which are those of Windows-1252. */
const WINDOWS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** The text with its character references read. @param {string} text */
const unescaped = (text) => (text.includes("&") ? text.replace(REFERENCE, (_whole, name) => referred(name)) : text);

/**
 * The value of an attribute with its character references read. In it a name counts as a whole, and not before `=`:
 * `?a=1&copy=2`. @param {string} text
 */
function valueOf(text) {
  const read = (/** @type {string} */ whole, /** @type {string} */ name) =>
    name.startsWith("#") ? numbered(name) : NAMED.get(name) ?? whole;
  return text.replace(REFERENCE_IN_A_VALUE, read);
}

/** @param {string} name */
function referred(name) {
  if (name.startsWith("#")) return numbered(name);
  const whole = NAMED.get(name);
  if (whole !== undefined) return whole;
  const characters = [...name];
  for (let length = characters.length - 1; length > 1; length -= 1) {
    const known = NAMED.get(characters.slice(0, length).join(""));
    if (known !== undefined) return known + characters.slice(length).join("");
  }
  return `&${name}`;
}

/** @param {string} name */
function numbered(name) {
  const digits = name.slice(1).replace(";", "");
  const number = /^[xX]/.test(digits) ? parseInt(digits.slice(1), 16) : parseInt(digits, 10);
  if (number === 0) return "\ufffd";
  if (number === 13) return "\r";
  if (number >= 0x80 && number <= 0x9f) return WINDOWS[number - 0x80];
  if ((number >= 0xd800 && number <= 0xdfff) || number > 0x10ffff) return "\ufffd";
  const isControl = number < 9 || number === 11 || (number > 13 && number < 32) || number === 127;
  const isNone = (number & 0xfffe) === 0xfffe || (number >= 0xfdd0 && number <= 0xfdef);
  return isControl || isNone ? "" : String.fromCodePoint(number);
}

/** What a pattern finds at a place. @param {RegExp} pattern @param {string} html @param {number} place */
function match(pattern, html, place) {
  pattern.lastIndex = place;
  return pattern.exec(html);
}

/** A link. */
class Anchor {
  /** @param {Map<string, string>} attributes */
  constructor(attributes) {
    this.attributes = attributes;
    this.text = "";
  }

  /** Its classes. */
  get classes() {
    return words(this.attributes.get("class") ?? "");
  }
}

/** A fragment of HTML, read. */
export class Page {
  /** Read it, from one end to the other. @param {any} html */
  constructor(html) {
    if (typeof html !== "string") throw new OtherForm();
    this.html = html;
    /** @type {string[]} */
    this.pieces = [];
    /** The names of the elements. @type {Set<string>} */
    this.elements = new Set();
    /** The names of all attributes. @type {Set<string>} */
    this.attributes = new Set();
    /** The links, in order. @type {Anchor[]} */
    this.anchors = [];
    /** @type {Anchor | null} */
    this.anchor = null;
    for (let place = 0; place < html.length; ) place = this.read(place);
  }

  /** What people read: blocks on lines of their own, blanks collapsed. */
  get text() {
    const lines = this.pieces.join("").split("\n").map((line) => words(line).join(" "));
    return lines.filter(Boolean).join("\n");
  }

  /** Read the text or the markup at a place, and say where it ends. @param {number} place @returns {number} */
  read(place) {
    const { html } = this;
    if (html[place] !== "<" || match(AS_TEXT, html, place)) {
      const next = html.indexOf("<", place + 1);
      const end = next < 0 ? html.length : next;
      this.shown(html.slice(place, end));
      return end;
    }
    const skipped = match(SKIPPED, html, place);
    if (skipped) return place + skipped[0].length;
    const closed = match(CLOSED, html, place);
    if (!closed) return this.tag(place);
    this.close(closed[1].toLowerCase());
    return place + closed[0].length;
  }

  /** Read a tag that opens an element. @param {number} place @returns {number} */
  tag(place) {
    const { html } = this;
    const opened = match(OPENED, html, place);
    let at = place + (opened?.[0].length ?? 0);
    /** @type {Map<string, string>} */
    const attributes = new Map();
    for (let found; opened && (found = match(ATTRIBUTE, html, at)); at += found[0].length) {
      const name = found[1].toLowerCase();
      if (!attributes.has(name)) attributes.set(name, valueOf(found[2] || found[3] || found[4] || ""));
    }
    const ended = match(OPENED_END, html, at);
    const name = opened ? opened[1].toLowerCase() : "";
    if (!opened || !ended || UNREAD.has(name) || (ended[1] && !VOID.has(name))) {
      throw new FactError(`${OTHER}, at ${repr(piece(html.slice(place, place + 2 * SHOWN), 0, SHOWN))}`);
    }
    const end = at + ended[0].length;
    this.open(name, attributes);
    return RAW.has(name) ? this.rawEnd(name, end) : end;
  }

  /** Where what is no markup ends. @param {string} name @param {number} place */
  rawEnd(name, place) {
    const found = match(/** @type {RegExp} */ (RAW.get(name)), this.html, place);
    if (!found) throw new FactError(`${OTHER}: ${name} does not end`);
    return found.index;
  }

  /** Note an element. A link ends where another begins. @param {string} name @param {Map<string, string>} attributes */
  open(name, attributes) {
    this.elements.add(name);
    for (const one of attributes.keys()) this.attributes.add(one);
    if (BLOCKS.has(name)) this.pieces.push("\n");
    if (name !== "a") return;
    this.anchor = new Anchor(attributes);
    this.anchors.push(this.anchor);
  }

  /** Note the end of one. @param {string} name */
  close(name) {
    if (BLOCKS.has(name)) this.pieces.push("\n");
    if (name === "a") this.anchor = null;
  }

  /** Note text that is shown. @param {string} written */
  shown(written) {
    const text = unescaped(written);
    this.pieces.push(text);
    if (this.anchor) this.anchor.text += text;
  }
}
