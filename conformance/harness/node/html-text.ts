// HTML as plain text and as Markdown: Normalized Message 3.2, decision B4. Both have the same blocks; they differ in
// how a link, emphasis, code, a heading and a table are written.

import { addressOf, isItself, MAILBOX } from "./html-links.ts";
import { BLOCKS, type Element, type Node, treeOf } from "./html-tree.ts";
import {
  autolink, codeSpan, destination, escapedText, guardedLine, longestRun, marked, paragraphs,
} from "./markdown-syntax.ts";
import type { Value } from "./shape.ts";
import { rightStripped, stripped, tidyLine } from "./text.ts";

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];
const EMPHASIS: Record<string, string> = { b: "**", strong: "**", i: "*", em: "*", s: "~~", del: "~~", strike: "~~" };
const CODE = ["code", "kbd", "tt"];
const STRUCK = ["s", "del", "strike"];
const LISTS = ["ul", "ol"];
const BREAK = "\n";

/** A block of lines; a tight one stands right below what is before it. */
interface Block {
  text: string;
  isTight: boolean;
}

const isBlock = (node: Node): node is Element =>
  typeof node !== "string" && (BLOCKS.includes(node.name) || node.children.some(isBlock));
const collapsed = (text: string): string => text.replace(/[ \t\n\f\r]+/g, " ");
/** Tidy lines; of empty ones there is one in a row. */
const tidy = (text: string): string =>
  text
    .split(BREAK)
    .map(tidyLine)
    .join(BREAK)
    .replace(/^\n+|\n+$/g, "")
    .replace(/\n{3,}/g, "\n\n");

/** Text that a tree holds, as it is. */
const rawText = (node: Node): string =>
  typeof node === "string"
    ? node
    : node.name === "br"
      ? BREAK
      : (node.attributes.alt ?? "") + node.children.map(rawText).join("");

class Writer {
  isMarkdown: boolean;
  /** The marks of emphasis within which it writes: one that is set twice would end. */
  open = new Set<string>();

  constructor(isMarkdown: boolean) {
    this.isMarkdown = isMarkdown;
  }

  /** Inline content, its breaks as line ends. */
  inline(nodes: Node[]): string {
    const written = nodes.map((node) => (typeof node === "string" ? this.words(collapsed(node)) : this.element(node)));
    return written.reduce((text, next) => {
      const isLink = this.isMarkdown && next.startsWith("[") && text.endsWith("!");
      const joined = isLink ? `${text.slice(0, -1)}\\!` : text;
      return joined.endsWith(" ") || joined.endsWith(BREAK) ? joined + next.replace(/^ +/, "") : joined + next;
    }, "");
  }

  words(text: string): string {
    return this.isMarkdown ? escapedText(text) : text;
  }

  element(element: Element): string {
    const { name, attributes, children } = element;
    if (name === "br") return BREAK;
    if (name === "img") return attributes.alt ? this.words(collapsed(attributes.alt)) : "";
    if (name === "a") return this.link(element);
    const mark = this.isMarkdown || STRUCK.includes(name) ? EMPHASIS[name] : undefined;
    const inner = mark ? this.within(mark, children) : this.inline(children);
    if (name === "sup" && stripped(inner)) return `^${inner}`;
    if (this.isMarkdown && CODE.includes(name)) return codeSpan(stripped(collapsed(rawText(element))));
    if (!mark || this.open.has(mark) || !stripped(inner)) return inner;
    if (!this.isMarkdown) return marked(inner, mark);
    return inner.split(BREAK).map((line) => marked(line, mark)).join(BREAK); // it ends with its line
  }

  /** Inline content between marks. */
  within(mark: string, nodes: Node[]): string {
    if (this.open.has(mark)) return this.inline(nodes);
    this.open.add(mark);
    const inner = this.inline(nodes);
    this.open.delete(mark);
    return inner;
  }

  link({ attributes, children }: Element): string {
    const words = collapsed(children.map(rawText).join(""));
    const inner = this.inline(children);
    const uri = addressOf(attributes.href ?? "");
    const classes = (attributes.class ?? "").split(/\s+/);
    const isMention = classes.includes("mention") || classes.includes("hashtag");
    if (uri === undefined) return inner;
    if (isItself(words, attributes.href as string, uri)) {
      if (this.isMarkdown) return autolink(uri, inner);
      return MAILBOX.test(uri) ? stripped(words) : uri;
    }
    if (!stripped(inner)) return this.isMarkdown ? autolink(uri, "") : uri.replace(/^mailto:/i, "");
    if (this.isMarkdown) return `[${stripped(inner)}](${destination(uri)})`;
    return isMention ? inner : `${rightStripped(inner)} (${uri.replace(/^mailto:/i, "")})`;
  }

  /** The blocks of some nodes: those of elements, and of the text between them. */
  blocks(nodes: Node[]): Block[] {
    const found: Block[] = [];
    let run: Node[] = [];
    const flush = () => {
      const text = this.paragraph(this.inline(run));
      if (text) found.push({ text, isTight: false });
      run = [];
    };
    for (const node of nodes) {
      if (!isBlock(node)) run.push(node);
      else {
        flush();
        found.push(...this.block(node).filter(({ text }) => text));
      }
    }
    flush();
    return found;
  }

  /** Lines of text. */
  paragraph(inline: string): string {
    const text = tidy(inline);
    return this.isMarkdown ? paragraphs(text) : text;
  }

  block(element: Element): Block[] {
    const { name, children } = element;
    const one = (text: string): Block[] => [{ text, isTight: false }];
    if (name === "hr") return one(this.isMarkdown ? "***" : "---"); // three hyphens below text make it a heading
    if (name === "pre") return one(this.preformatted(element));
    if (name === "table") return one(this.table(element));
    if (name === "blockquote") {
      const text = this.all(children);
      return one(text && text.split("\n").map((line) => (line ? `> ${line}` : ">")).join("\n"));
    }
    if (LISTS.includes(name)) return [{ text: this.list(element), isTight: false }];
    if (name === "li") return this.list({ name: "ul", attributes: {}, children: [element] }).split("\0").flatMap(one);
    const level = HEADINGS.indexOf(name) + 1;
    if (level && this.isMarkdown) {
      const text = tidy(this.inline(children)).replaceAll(BREAK, " ").replaceAll("#", "\\#");
      return one(text && `${"#".repeat(level)} ${guardedLine(text)}`);
    }
    return this.blocks(children);
  }

  /** All blocks, a blank line between them. */
  all(nodes: Node[]): string {
    return this.blocks(nodes).map(({ text }) => text).join("\n\n");
  }

  list({ name, attributes, children }: Element): string {
    const items = children.filter((node): node is Element => typeof node !== "string");
    let number = /^-?[0-9]{1,9}$/.test(attributes.start ?? "") ? Number(attributes.start) : 1;
    const written = items.map((item) => {
      const mark = name === "ol" ? `${number} `.replace(" ", ". ") : "- ";
      number += 1;
      const [first, ...others] = this.item(item);
      if (first === undefined) return "";
      const lines = [first, ...others].join("\n").split("\n");
      return lines.map((line, at) => (at === 0 ? mark + line : line && " ".repeat(mark.length) + line)).join("\n");
    });
    return written.filter(Boolean).join("\n");
  }

  /** The lines of an item: a list in it stands right below its text, unless it would not begin there in Markdown. */
  item(item: Element): string[] {
    const nodes = item.name === "li" ? item.children : [item];
    const pieces: string[] = [];
    let run: Node[] = [];
    const flush = () => {
      const text = this.all(run);
      if (text) pieces.push(pieces.length ? `\n${text}` : text);
      run = [];
    };
    for (const node of nodes) {
      if (typeof node === "string" || !LISTS.includes(node.name)) run.push(node);
      else {
        flush();
        const isApart = this.isMarkdown && node.name === "ol" && (node.attributes.start ?? "1") !== "1";
        const text = this.list(node);
        if (text) pieces.push(isApart && pieces.length ? `\n${text}` : text);
      }
    }
    flush();
    return pieces;
  }

  preformatted(element: Element): string {
    const text = rightStripped(rawText(element).replace(/^\n/, ""));
    if (!this.isMarkdown || !text) return text;
    const code = element.children.find((node): node is Element => typeof node !== "string" && node.name === "code");
    const language = /(?:^|\s)language-([\w+-]+)/.exec(code?.attributes.class ?? "")?.[1] ?? "";
    const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
    return `${fence}${language}\n${text}\n${fence}`;
  }

  table(element: Element): string {
    const rows = rowsIn(element).map((row) =>
      row.children
        .filter((node): node is Element => typeof node !== "string")
        .map((cell) => tidy(this.all(cell.children)).replace(/\s*\n+\s*/g, " ")),
    ).filter((row) => row.some(Boolean));
    if (!this.isMarkdown || !rows.length) return rows.map((row) => row.join("\t")).join("\n");
    const width = Math.max(...rows.map((row) => row.length));
    const cellsOf = (row: string[]) => row.map((cell) => cell.replaceAll("|", "\\|"));
    const full = rows.map((row) => [...cellsOf(row), ...Array(width - row.length).fill("")]);
    const lines = full.map((row) => `| ${row.join(" | ")} |`);
    return [lines[0], `|${" --- |".repeat(width)}`, ...lines.slice(1)].join("\n");
  }
}

const rowsIn = (element: Element): Element[] =>
  element.children.flatMap((node) => (typeof node === "string" ? [] : node.name === "tr" ? [node] : rowsIn(node)));
export const htmlToText = (html: string): string => new Writer(false).all(treeOf(html).children);
export const htmlToMarkdown = (html: string): string => new Writer(true).all(treeOf(html).children);
/** HTML in a message as text. */
export const visibleText = htmlToText;

export const textOperations = {
  "text.from_html": ({ html }: Value) => htmlToText(html),
  "text.markdown_from_html": ({ html }: Value) => htmlToMarkdown(html),
};
