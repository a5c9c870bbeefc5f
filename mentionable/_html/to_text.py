"""HTML as plain text: paragraphs, lists, quotations and tables laid out in lines.

`TextWriter` walks over the tokens of a document once and looks up what each tag does. `MarkdownWriter` is built on it.
"""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from .lines import MAX_LIST_NUMBER, LineWriter
from .tokens import attribute, collapse_spaces, is_mention, safe_link, shows_address, tokens, unescape

__all__ = ["BLOCK_TAGS", "Action", "TextWriter", "address_of", "start_and_end"]

Action = Callable[[Any, str], None]

# fmt: off
_LINE_BLOCKS: Final = (
    "address", "article", "aside", "body", "caption", "center", "dd", "details", "dialog", "div", "dt", "fieldset",
    "figcaption", "footer", "form", "header", "hgroup", "html", "legend", "main", "nav", "optgroup", "option",
    "search", "section", "summary", "tbody", "tfoot", "thead",
)
_PARAGRAPH_BLOCKS: Final = ("p", "dl", "figure", "h1", "h2", "h3", "h4", "h5", "h6")
_INLINE: Final = (
    "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "dfn", "em", "font", "i", "ins", "kbd",
    "label", "mark", "noscript", "output", "picture", "rb", "samp", "small", "span", "strong", "sub", "time", "tt",
    "u", "var", "wbr",
)
_OTHER_BLOCKS: Final = ("ul", "ol", "li", "blockquote", "pre", "table", "tr", "td", "th", "hr")
# fmt: on

BLOCK_TAGS: Final = frozenset(
    slash + name for slash in ("", "/") for name in (*_LINE_BLOCKS, *_PARAGRAPH_BLOCKS, *_OTHER_BLOCKS)
)
_EXPONENT: Final = frozenset("0123456789+-\N{MINUS SIGN}")
_LISTS: Final = frozenset({"ul", "ol", "menu", "dir"})
_QUOTES: Final = frozenset({"blockquote"})
_ITEMS: Final = frozenset({"li"})
_ITEM_BOUNDS: Final = _LISTS | _QUOTES


class TextWriter(LineWriter):
    """Writes one document as plain text."""

    actions: ClassVar[dict[str, Action | None]] = {}
    """What each tag does; None for tags that change nothing. Names that are not here change nothing either."""

    rule_mark: ClassVar[str] = "---"
    """What `<hr>` becomes."""

    inner_strikes = 0
    ruby_has_brackets = False
    row_line = 0
    """The value of `lines` when the table row began."""
    row_cells = 0
    code_attributes = ""
    """Of the last `<code>` in preformatted text."""

    def __init__(self, document: str) -> None:
        """Prepares the walk over a document; `write` does it."""
        super().__init__()
        self.link: str | None = None
        self.link_start = -1
        """Where in `out` the text of an open element begins, as with the next two."""
        self.struck_start = -1
        self.raised_start = -1
        self.as_written: Callable[[Any, str], str] | None = None
        """A function of the class that gives text as it goes into `out`; None where that is the text itself.

        A bound method would keep the writer alive by a cycle, and plain text would need a call that changes nothing.
        """
        self.tokens = tokens(document)
        self.untidy = "\n" in document or "  " in document or "\t" in document or "\r" in document or "\f" in document

    def write(self) -> str:
        """The whole text. To be called once."""
        actions = self.actions
        for text, name, attributes, literal in self.tokens:
            if text:
                self.text(text)
            if name:
                try:
                    action = actions[name]
                except KeyError:
                    action = actions.get(name.lower())
                if action:
                    action(self, attributes)
            elif literal:
                self.literal(literal)
        self.finish()
        return "".join(self.out)

    def finish(self) -> None:
        """Closes what the document left open."""
        self.write_strike()
        self.end_link("")
        if self.out:
            self.out[-1] = self.out[-1].rstrip(" ")

    # ------------------------------------------------------------------------------------------------------- text

    def text(self, text: str) -> None:
        """Writes a piece of text as it stands in the document."""
        if "&" in text:
            text = unescape(text)
            if "  " in text or not text.isprintable():  # a reference may stand for white space
                text = collapse_spaces(text)
        elif self.untidy:
            text = collapse_spaces(text)
        if self.spaced:
            text = text.lstrip(" ")
            if self.owed:
                if not text or text.isspace():  # no-break spaces alone make no line
                    return
                self.begin_line()
        if text:
            self.out.append(text if self.as_written is None else self.as_written(self, text))
            self.spaced = text[-1] == " "

    def literal(self, markup: str) -> None:
        """Writes what looked like markup and is text: a tag without its `>`, or a CDATA section."""
        if not markup.startswith("![CDATA["):
            self.text("<" + markup)
        elif content := collapse_spaces(markup[8:]):
            self.text(content.replace("&", "&amp;"))

    def rule(self, _: str) -> None:
        """`<hr>`."""
        self.begin_whole_line()
        self.break_lines(2)
        self.put(self.rule_mark)
        self.break_lines(2)

    # ------------------------------------------------------------------------------------- quotations and lists

    def begin_quote(self, _: str) -> None:
        """`<blockquote>`."""
        self.break_lines(2)
        self.enter("blockquote", "> ", "> ")

    def end_quote(self, _: str) -> None:
        """`</blockquote>`."""
        if not self.leave_ignored():
            self.leave(_QUOTES)
        self.break_lines(2)

    def begin_list(self, _: str) -> None:
        """`<ul>`."""
        self.break_before_list()
        self.enter("ul")

    def begin_numbered_list(self, attributes: str) -> None:
        """`<ol>`, which may say with which number it starts."""
        start = _list_number(attributes, "start")
        self.break_before_list(start)
        self.enter("ol", number=1 if start is None else start)

    def break_before_list(self, start: int | None = None) -> None:
        """A list in a list item has no empty line before it, whatever number it starts with."""
        self.break_lines(1 if self.in_item() else 2)

    def break_after_list(self) -> None:
        """A list in a list item has no empty line behind it."""
        self.break_before_list()

    def end_list(self, _: str) -> None:
        """`</ul>` and `</ol>`."""
        if not self.leave_ignored():
            self.leave(_LISTS)
        self.break_after_list()

    def begin_item(self, attributes: str) -> None:
        """`<li>`, which also ends the item before it."""
        self.leave(_ITEMS, within=_ITEM_BOUNDS)
        inner = self.containers[-1] if self.containers else None
        if inner is not None and inner.kind in _LISTS and inner.written != len(self.out) and self.owed > 1:
            self.owed = 1  # no empty lines between items
        self.break_lines(1)
        marker = "- "
        if inner is not None and inner.number is not None:
            number = _list_number(attributes, "value") if attributes else None
            number = inner.number if number is None else number
            inner.number = min(number + 1, MAX_LIST_NUMBER)
            marker = f"{number}. "
        self.enter("li", marker, " " * len(marker))

    def end_item(self, _: str) -> None:
        """`</li>`."""
        self.leave(_ITEMS, within=_ITEM_BOUNDS)
        self.break_lines(1)

    # ----------------------------------------------------------------------------------------------------- tables

    def begin_table(self, _: str) -> None:
        """`<table>` and `</table>`."""
        self.empty_cells = 0
        self.break_lines(2)

    def begin_row(self, _: str) -> None:
        """`<tr>` and `</tr>`: a row is a line."""
        self.empty_cells = 0
        if self.owed < 0:
            self.owed = 0
        self.break_lines(1)
        self.row_line = self.lines
        self.row_cells = 0

    def begin_cell(self, _: str) -> None:
        """`<td>` and `<th>`: a tab, or a new line when the cell before it had several."""
        self.row_cells += 1
        if self.row_cells == 1:
            return
        if self.lines == self.row_line:
            self.empty_cells += 1
        elif self.lines == self.row_line + 1:
            self.owed = min(self.owed, 0) - 1
            self.spaced = True
        else:
            self.break_lines(1)

    # ------------------------------------------------------------------------------------------------ within a line

    def line_began(self, written: int) -> None:
        """Moves what starts with the next text behind the beginning of the line."""
        if self.link_start == written:
            self.link_start = len(self.out)
        if self.struck_start == written:
            self.struck_start = len(self.out)
        if self.raised_start == written:
            self.raised_start = -1

    def begin_link(self, attributes: str) -> None:
        """`<a>`, which also ends the link before it. Mentions and hashtags are text."""
        if self.link is not None:
            self.end_link("")
        if not is_mention(attributes):
            self.link = safe_link(attributes)
            self.link_start = len(self.out)

    def end_link(self, _: str) -> None:
        """`</a>`: the text, then the address in brackets unless the text is the address."""
        if self.link is None:
            return
        link, self.link = self.link, None
        text = "".join(self.out[self.link_start :])
        visible = text.strip()
        if not visible:
            self.put(address_of(link))
        elif shows_address(visible, link):
            address = visible if link[:7].lower() == "mailto:" else link
            self.out[self.link_start :] = [address + " " if self.spaced and text[-1] == " " else address]
        else:
            self.append_to_text(f" ({address_of(link)})")
        self.link_start = -1

    def image(self, attributes: str) -> None:
        """`<img>`: its description, which is also the name of a custom emoji."""
        description = attribute(attributes, "alt")
        if description:
            self.text(description.replace("&", "&amp;"))

    def begin_strike(self, _: str) -> None:
        """`<del>` and `<s>`: text that no longer holds must not read as if it did."""
        if self.struck_start >= 0:
            self.inner_strikes += 1
        else:
            self.struck_start = len(self.out)

    def end_strike(self, _: str) -> None:
        """`</del>` and `</s>`: what is struck within struck text ends with the latter."""
        if self.inner_strikes:
            self.inner_strikes -= 1
        else:
            self.write_strike()

    def write_strike(self) -> None:
        """Sets the marks around the struck text."""
        if self.struck_start >= 0 and "".join(self.out[self.struck_start :]).strip(" "):
            first = self.out[self.struck_start]
            self.out[self.struck_start] = " ~~" + first[1:] if first.startswith(" ") else "~~" + first
            self.append_to_text("~~")
        self.struck_start = -1

    def begin_raised(self, _: str) -> None:
        """`<sup>`."""
        self.raised_start = len(self.out)

    def end_raised(self, _: str) -> None:
        """`</sup>`: an exponent must not join the number before it."""
        start, self.raised_start = self.raised_start, -1
        if 0 < start < len(self.out) and self.out[start][:1] in _EXPONENT and self.out[start - 1][-1:].isalnum():
            self.out[start] = "^" + self.out[start]

    def begin_ruby(self, _: str) -> None:
        """`<ruby>`."""
        self.ruby_has_brackets = False

    def ruby_bracket(self, _: str) -> None:
        """`<rp>`: the sender has set the brackets around the reading."""
        self.ruby_has_brackets = True

    def begin_reading(self, _: str) -> None:
        """`<rt>`."""
        if not self.ruby_has_brackets:
            self.put("(")

    def end_reading(self, _: str) -> None:
        """`</rt>`."""
        if not self.ruby_has_brackets:
            self.put(")")

    def open_quotation_mark(self, _: str) -> None:
        """`<q>`."""
        self.put("“")

    def close_quotation_mark(self, _: str) -> None:
        """`</q>`."""
        self.put("”")

    # --------------------------------------------------------------------------------------- elements read as a whole

    def hidden(self, _: str) -> None:
        """`<template>`: its content is left out."""
        depth = 1
        for _text, name, _attributes, _literal in self.tokens:
            tag = (name or "").lower()
            depth += (tag == "template") - (tag == "/template")
            if not depth:
                return

    def annotation(self, _: str) -> None:
        """`<annotation>`: the source of a formula, which its MathML says already."""
        _, end, attributes = self.verbatim(_ANNOTATION_ENDS)
        self.act(end, attributes)

    def act(self, tag: str, attributes: str) -> None:
        """Does what a tag does that ended an element read as a whole."""
        action = self.actions.get(tag)
        if action:
            action(self, attributes)

    def verbatim(self, ends: frozenset[str]) -> tuple[str, str, str]:
        """The text up to one of these tags, with its white space, and the name and attributes of that tag."""
        parts: list[str] = []
        link, link_start = None, 0
        end_tag, end_attributes = "", ""
        for text, name, attributes, literal in self.tokens:
            parts.append(unescape(text))
            if literal:
                parts.append(literal[8:] if literal.startswith("![CDATA[") else "<" + literal)
            tag = (name or "").lower()
            if tag in ends:
                end_tag, end_attributes = tag, attributes
                break
            if tag == "br":
                parts.append("\n")
            elif tag == "img":
                parts.append(attribute(attributes, "alt") or "")
            elif tag == "code":
                self.code_attributes = attributes
            elif tag == "a":
                link, link_start = None if is_mention(attributes) else safe_link(attributes), len(parts)
            elif tag == "/a" and link is not None:
                visible = "".join(parts[link_start:]).strip()
                if not visible or not shows_address(visible, link):
                    parts.append(f" ({address_of(link)})" if visible else address_of(link))
                link = None
        return "".join(parts).replace("\r\n", "\n").replace("\r", "\n"), end_tag, end_attributes

    def preformatted(self, end: frozenset[str]) -> None:
        """`<pre>` and its like: lines as they are."""
        self.code_attributes = ""
        text, _, _ = self.verbatim(end)
        text = text.removeprefix("\n").rstrip()
        if text:
            self.end_link("")
            self.begin_whole_line()
            self.break_lines(2)
            self.put_lines(text)
            self.break_lines(2)

    def put_lines(self, text: str) -> None:
        """Writes lines of preformatted text."""
        self.begin_line()
        self.out.append(self.prefixed(text))
        self.spaced = False


def address_of(link: str) -> str:
    """The link as people read it: a mail address without its scheme."""
    return link[7:] if link[:7].lower() == "mailto:" else link


def _list_number(attributes: str, name: str) -> int | None:
    """A list number that an attribute sets, or None when it sets none that a list can have."""
    digits = (attribute(attributes, name) or "").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 9 else None


_ANNOTATION_ENDS: Final = BLOCK_TAGS | {"/annotation", "/annotation-xml", "/semantics", "/math"}


def _preformatted(name: str) -> Action:
    """The action of an element that keeps its white space."""
    end = frozenset({"/" + name})
    return lambda writer, _: writer.preformatted(end)


def start_and_end(names: tuple[str, ...], action: Action | None) -> dict[str, Action | None]:
    """One action for the start and the end tags of these elements."""
    return {tag: action for name in names for tag in (name, "/" + name)}


TextWriter.actions = {
    **start_and_end(_INLINE, None),
    **start_and_end(_LINE_BLOCKS, TextWriter.begin_block),
    **start_and_end(_PARAGRAPH_BLOCKS, TextWriter.begin_paragraph),
    **start_and_end(("table",), TextWriter.begin_table),
    **start_and_end(("tr",), TextWriter.begin_row),
    **dict.fromkeys(("td", "th"), TextWriter.begin_cell),
    **dict.fromkeys(("ul", "menu", "dir"), TextWriter.begin_list),
    **dict.fromkeys(("/ul", "/ol", "/menu", "/dir"), TextWriter.end_list),
    **dict.fromkeys(("del", "s", "strike"), TextWriter.begin_strike),
    **dict.fromkeys(("/del", "/s", "/strike"), TextWriter.end_strike),
    **{name: _preformatted(name) for name in ("pre", "textarea", "listing", "xmp", "plaintext")},
    **dict.fromkeys(("annotation", "annotation-xml"), TextWriter.annotation),
    "ol": TextWriter.begin_numbered_list,
    "li": TextWriter.begin_item,
    "/li": TextWriter.end_item,
    "blockquote": TextWriter.begin_quote,
    "/blockquote": TextWriter.end_quote,
    "br": TextWriter.line_break,
    "/br": TextWriter.line_break,
    "hr": TextWriter.rule,
    "a": TextWriter.begin_link,
    "/a": TextWriter.end_link,
    "img": TextWriter.image,
    "sup": TextWriter.begin_raised,
    "/sup": TextWriter.end_raised,
    "ruby": TextWriter.begin_ruby,
    "rp": TextWriter.ruby_bracket,
    "rt": TextWriter.begin_reading,
    "/rt": TextWriter.end_reading,
    "q": TextWriter.open_quotation_mark,
    "/q": TextWriter.close_quotation_mark,
    "template": TextWriter.hidden,
}
