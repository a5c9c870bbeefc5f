// HTML as a tree, however broken: Normalized Message 3.2, decision B4. What people do not see is left out.

import { unescaped } from "./entities.ts";

export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Node[];
}
export type Node = Element | string;

const TAG = /^<(\/?)([A-Za-z][^\s/<>]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/;
/** The same for a tag with a quote that nothing closes. */
const OPEN_QUOTE = /^<(\/?)([A-Za-z][^\s/<>]*)([^<>]*)>/;
const COMMENT = /^<(?:!--(?:>|->|[\s\S]*?(?:--!?>|$))|[!?][^>]*(?:>|$)|\/(?![A-Za-z])[^>]*(?:>|$))/;
const ATTRIBUTE = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
/** In an address, a reference without its semicolon is none when a letter or `=` follows. */
const BARE_REFERENCE = /&(?![#\w]+;)(?=[A-Za-z0-9]+=|[A-Za-z0-9]*[A-Za-z0-9]=)/g;

export const VOID =
  ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];
const RAW = ["script", "style", "title", "textarea", "noscript", "iframe", "xmp", "noembed", "noframes"];
const UNSEEN =
  ["head", "template", "script", "style", "title", "object", "noscript", "iframe", "select", "svg", "math"];
export const BLOCKS = [
  "address", "article", "aside", "blockquote", "center", "dd", "details", "div", "dl", "dt", "fieldset", "figcaption",
  "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre",
  "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
];
/** What the beginning of an element ends, where it is open: up to the elements that keep it. */
const ENDS: Record<string, { ends: string[]; within: string[] }> = {
  li: { ends: ["li"], within: ["ul", "ol"] },
  dt: { ends: ["dt", "dd"], within: ["dl"] },
  dd: { ends: ["dt", "dd"], within: ["dl"] },
  tr: { ends: ["tr", "td", "th"], within: ["table"] },
  td: { ends: ["td", "th"], within: ["table", "tr"] },
  th: { ends: ["td", "th"], within: ["table", "tr"] },
};
/** Ends that break lines where nothing is to be ended: of an empty paragraph, or as `<br>` (HTML 13.2.6.4.7). */
const BREAKS: Record<string, number> = { br: 1, p: 2 };
const MOST_DEPTH = 100; // open elements

const attributesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name, one, two, three]) => {
      const value = (one ?? two ?? three ?? "").replace(BARE_REFERENCE, "&amp;");
      return [(name as string).toLowerCase(), unescaped(value)];
    }).reverse(),
  );

/** The tree of a document. */
export function treeOf(html: string): Element {
  const root: Element = { name: "", attributes: {}, children: [] };
  const open = [root];
  const text = (piece: string) => piece && (open.at(-1) as Element).children.push(piece);
  let at = 0;
  while (at < html.length) {
    const next = html.indexOf("<", at);
    text(unescaped(html.slice(at, next < 0 ? html.length : next)));
    if (next < 0) break;
    const rest = html.slice(next);
    const comment = COMMENT.exec(rest);
    const tag = comment ? null : (TAG.exec(rest) ?? OPEN_QUOTE.exec(rest));
    if (!comment && !tag) text("<");
    at = next + (comment ?? tag ?? ["<"])[0].length;
    if (tag) at = take(tag, open, html, at);
  }
  return root;
}

/** Takes a tag; gives where to go on. */
function take([, slash, given, attributes]: RegExpExecArray, open: Element[], html: string, at: number): number {
  const name = (given as string).toLowerCase();
  if (slash) {
    const place = open.findLastIndex((one) => one.name === name);
    if (place > 0) open.length = place;
    else (open.at(-1) as Element).children.push(...lineBreaks(BREAKS[name] ?? 0));
    return at;
  }
  endBefore(name, open);
  const element: Element = { name, attributes: attributesIn(attributes as string), children: [] };
  if (!UNSEEN.includes(name)) (open.at(-1) as Element).children.push(element);
  if (VOID.includes(name)) return at;
  if (RAW.includes(name)) {
    const end = new RegExp(`</${name}[\\s/>]`, "i").exec(html.slice(at));
    return end ? at + end.index : html.length;
  }
  if (open.length < MOST_DEPTH) open.push(element);
  return at;
}

const lineBreaks = (length: number): Element[] =>
  Array.from({ length }, () => ({ name: "br", attributes: {}, children: [] }));

/** Ends what the beginning of an element ends. */
function endBefore(name: string, open: Element[]): void {
  const rule = ENDS[name];
  const within = rule ? open.findLastIndex((one) => rule.within.includes(one.name)) : -1;
  const place = open.findIndex((one, index) => index > within && rule?.ends.includes(one.name));
  if (place > 0) open.length = place;
  if (!BLOCKS.includes(name)) return;
  const paragraph = open.findLastIndex((one) => one.name === "p");
  const keeper = open.findLastIndex((one) => ["td", "th", "li", "blockquote", "div"].includes(one.name));
  if (paragraph > keeper && paragraph > 0) open.length = paragraph;
}
