// What a browser would make of simple HTML: what people read, the elements, and the links.

import { readFileSync } from "node:fs";

import { OtherForm, WHITE_SPACE, words } from "./values.mjs";

const BLOCKS = new Set(
  "address article blockquote br dd div dl dt footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table td th tr ul".split(" "),
);
const SILENT = new Set(["script", "style", "title"]);
/** What stands in them is no markup. */
const RAW = new Set(["script", "style"]);

const S = `[${WHITE_SPACE}]`;
const NO_S = (/** @type {string} */ more) => `[^${WHITE_SPACE}${more}]`;
const BETWEEN = `(?:${S}|/(?!>))*`;
const VALUE = `(?:'[^']*'|"[^"]*"|(?!['"])${NO_S(">")}*)`;
const NAME = `(?<=['"/]|${S})${NO_S("/>")}${NO_S("/=>")}*`;
const TAG = "[a-zA-Z][^\\t\\n\\r\\f />\\x00]*";
const OPENED = /<[a-zA-Z]/y;
const TAG_NAME = new RegExp(`(${TAG})${BETWEEN}`, "y");
const ATTRIBUTE = new RegExp(`(${NAME})(${S}*=+${S}*(${VALUE}))?${BETWEEN}`, "y");
const START_TAG = new RegExp(`<${TAG}(?:(?:${S}|/)*(?:${NAME}(?:${S}*=+${S}*${VALUE}${S}*)?${BETWEEN})*)?${S}*`, "y");
const END_TAG = new RegExp(`</${S}*([a-zA-Z][-.a-zA-Z0-9:_]*)${S}*>`, "y");
const COMMENT_END = new RegExp(`--${S}*>`, "g");
const SECTION = new RegExp(`^([a-zA-Z][-_.a-zA-Z0-9]*)${S}*(?!${S})[^]`);
const REFERENCE = /&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/gu;

/** @type {{bare: string[], named: {[name: string]: string}}} */
const ENTITIES = JSON.parse(readFileSync(new URL("./entities.json", import.meta.url), "utf8"));
const NAMED = new Map(Object.entries(ENTITIES.named).map(([name, text]) => [`${name};`, text]));
for (const name of ENTITIES.bare) NAMED.set(name, ENTITIES.named[name]);
/** What the numbers from 0x80 stand for, which are those of Windows-1252. */
const WINDOWS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** The text with its character references read. @param {string} text */
const unescaped = (text) => (text.includes("&") ? text.replace(REFERENCE, (_whole, name) => referred(name)) : text);

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
  /** @param {any} html */
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
    /** @type {Anchor[]} */
    this.open = [];
    this.silent = 0;
    /** The element whose content is no markup. */
    this.raw = "";
    this.read();
  }

  /** What people read: blocks on lines of their own, blanks collapsed. */
  get text() {
    const lines = this.pieces.join("").split("\n").map((line) => words(line).join(" "));
    return lines.filter(Boolean).join("\n");
  }

  read() {
    const { html } = this;
    let place = 0;
    while (place < html.length) {
      const next = this.raw ? this.rawEnd(place) : html.indexOf("<", place);
      if (next < 0) {
        if (!this.raw) this.data(html.slice(place));
        return;
      }
      if (next > place) this.data(html.slice(place, next));
      const end = this.markup(next);
      place = end ?? this.unended(next);
    }
  }

  /** Where what is no markup ends. @param {number} place */
  rawEnd(place) {
    const sought = new RegExp(`</${S}*${this.raw}${S}*>`, "gi");
    sought.lastIndex = place;
    return sought.exec(this.html)?.index ?? -1;
  }

  /** Take markup that does not end as text, up to what may be its end. @param {number} place */
  unended(place) {
    const [close, open] = [this.html.indexOf(">", place + 1), this.html.indexOf("<", place + 1)];
    const end = close >= 0 ? close + 1 : open >= 0 ? open : place + 1;
    this.data(this.html.slice(place, end));
    return end;
  }

  /** Read what stands at a `<`, and say where it ends; null where it does not. @param {number} place @returns {number | null} */
  markup(place) {
    const { html } = this;
    OPENED.lastIndex = place;
    if (OPENED.test(html)) return this.startTag(place);
    if (html.startsWith("</", place)) return this.endTag(place);
    if (html.startsWith("<!--", place)) return after(COMMENT_END, html, place + 4);
    if (html.startsWith("<![", place)) return section(html, place);
    if (html.startsWith("<!", place) || html.startsWith("<?", place)) return after(/>/g, html, place + 2);
    if (place + 1 >= html.length) return null;
    this.data("<");
    return place + 1;
  }

  /** @param {number} place */
  startTag(place) {
    const { html } = this;
    START_TAG.lastIndex = place;
    const whole = /** @type {RegExpExecArray} */ (START_TAG.exec(html));
    const stop = place + whole[0].length;
    const next = html.slice(stop, stop + 1);
    if (next === "" || /[a-zA-Z=]/.test(next)) return null;
    if (next === "/" && html[stop + 1] !== ">") return null;
    const end = next === ">" ? stop + 1 : next === "/" ? stop + 2 : stop;
    TAG_NAME.lastIndex = place + 1;
    const [all, name] = /** @type {RegExpExecArray} */ (TAG_NAME.exec(html));
    const tag = name.toLowerCase();
    /** @type {[string, string][]} */
    const attributes = [];
    let at = place + 1 + all.length;
    while (at < end) {
      ATTRIBUTE.lastIndex = at;
      const found = ATTRIBUTE.exec(html);
      if (found === null) break;
      const value = found[2] ? found[3] : "";
      const isQuoted = /^(?:'[^]*'|"[^]*"|['"])$/.test(value);
      attributes.push([found[1].toLowerCase(), unescaped(isQuoted ? value.slice(1, -1) : value)]);
      at += found[0].length;
    }
    const rest = html.slice(at, end).replace(new RegExp(`^${S}+|(?<!${S})${S}+$`, "g"), "");
    if (rest !== ">" && rest !== "/>") {
      this.data(html.slice(place, end));
      return end;
    }
    this.opened(tag, attributes);
    if (rest === "/>") this.closed(tag);
    else if (RAW.has(tag)) this.raw = tag;
    return end;
  }

  /** @param {number} place */
  endTag(place) {
    const { html } = this;
    const close = html.indexOf(">", place + 1);
    if (close < 0) return null;
    END_TAG.lastIndex = place;
    const found = END_TAG.exec(html);
    if (found !== null) {
      this.closed(found[1].toLowerCase());
      this.raw = "";
      return close + 1;
    }
    TAG_NAME.lastIndex = place + 2;
    const named = TAG_NAME.exec(html);
    if (named === null) return close + 1;
    this.closed(named[1].toLowerCase());
    return html.indexOf(">", place + 2 + named[0].length) + 1;
  }

  /** @param {string} tag @param {[string, string][]} attributes */
  opened(tag, attributes) {
    this.elements.add(tag);
    for (const [name] of attributes) this.attributes.add(name);
    if (BLOCKS.has(tag)) this.pieces.push("\n");
    if (SILENT.has(tag)) this.silent += 1;
    if (tag !== "a") return;
    const anchor = new Anchor(new Map(attributes));
    this.anchors.push(anchor);
    this.open.push(anchor);
  }

  /** @param {string} tag */
  closed(tag) {
    if (BLOCKS.has(tag)) this.pieces.push("\n");
    if (SILENT.has(tag) && this.silent > 0) this.silent -= 1;
    if (tag === "a") this.open.pop();
  }

  /** @param {string} written */
  data(written) {
    if (this.silent) return;
    const shown = this.raw ? written : unescaped(written);
    this.pieces.push(shown);
    for (const anchor of this.open) anchor.text += shown;
  }
}

/** Where a pattern that is sought from a place ends. @param {RegExp} pattern @param {string} html @param {number} place */
function after(pattern, html, place) {
  pattern.lastIndex = place;
  return pattern.exec(html) === null ? null : pattern.lastIndex;
}

/** Where a marked section ends, as word processors write them. @param {string} html @param {number} place */
function section(html, place) {
  const found = SECTION.exec(html.slice(place + 3));
  if (found === null) {
    if (/^[a-zA-Z]/.test(html.slice(place + 3)) || place + 3 >= html.length) return null;
    throw new OtherForm();
  }
  const name = found[1].toLowerCase();
  if (["temp", "cdata", "ignore", "include", "rcdata"].includes(name)) return after(new RegExp(`]${S}*]${S}*>`, "g"), html, place + 3);
  if (["if", "else", "endif"].includes(name)) return after(new RegExp(`]${S}*>`, "g"), html, place + 3);
  throw new OtherForm();
}
