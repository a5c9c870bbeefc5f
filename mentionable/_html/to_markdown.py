"""HTML as Markdown: CommonMark, with the tables and the struck text of GitHub.

`MarkdownWriter` lays out lines as `TextWriter` does. Text never becomes syntax: what would be read as a mark is
escaped, and emphasis is written only where its marks are sure to be read as such. Elsewhere its text stands plain.
"""

import re
from typing import ClassVar, Final

from .markdown_syntax import autolink, backticks, code_span, destination, escape, guard_line_start, table_lines
from .to_text import BLOCK_TAGS, Action, TextWriter, start_and_end
from .tokens import attribute, collapse_spaces, shows_address

__all__ = ["MarkdownWriter"]

_EDGES: Final = frozenset("!\"#$%&'()+,-./:;<=>?@[]^`{|}")
"""Characters that may be outside of an emphasis mark, apart from white space and the ends of a line."""
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL).sub
_LANGUAGE: Final = re.compile(r"(?:language|lang)-([A-Za-z0-9+#_.-]{1,30}+)\Z")
_CODE_TAGS: Final = ("code", "kbd", "samp", "tt")
_CODE_ENDS: Final = BLOCK_TAGS.union("/" + tag for tag in _CODE_TAGS)


class MarkdownWriter(TextWriter):
    """Writes one document as Markdown."""

    actions: ClassVar[dict[str, Action | None]] = {}
    rule_mark: ClassVar[str] = "***"  # hyphens would make the line above a heading

    plain_lead = ""
    """What the heading's line would begin with if it were none."""
    table: list[list[str]] | None = None
    """The rows of the table that is being read, if it has a head. Meanwhile `out` holds one cell."""
    table_start = -1
    """Where in `out` a table began that has no text yet."""
    table_depth = 0
    cell_open = False

    def __init__(self, document: str) -> None:
        """Prepares the walk over a document; `write` does it."""
        super().__init__(document)
        self.as_written = MarkdownWriter.escaped
        self.line_start = -1
        """Where in `out` the text of the line begins, behind its prefix or marker."""
        self.heading = False
        """Whether a heading is open."""
        self.flat = False
        """Whether line breaks are spaces, as in headings and table cells."""
        self.marks_around_link: frozenset[str] = frozenset()
        """The emphasis that was open when the link began."""
        self.has_link_text = False
        """Whether an earlier line has a part of the open link."""
        self.open_marks: dict[str, int] = {}
        """Emphasis marks that are open, and where in `out` their text begins."""
        self.inner_marks: dict[str, int] = {}
        """How many of the same element are open within them, which change nothing."""
        self.closed_marks: list[tuple[str, int, int]] = []
        """Emphasis that waits to see what follows, and where in `out` its text is."""
        self.outside: tuple[list[str], int, str] = ([], 0, "")
        """What was written before the table that is being read, what was owed, and what its first line begins with."""

    def finish(self) -> None:
        """Closes what the document left open."""
        if self.table is not None:
            self.finish_table()
        self.end_link("")
        self.end_line()
        if self.out:
            self.out[-1] = self.out[-1].rstrip(" ")

    # ------------------------------------------------------------------------------------------------------- text

    def escaped(self, text: str) -> str:
        """The text with nothing in it that is syntax."""
        if self.closed_marks:
            self.settle_marks(text[0])
        return escape(text, heading=self.heading)

    def put(self, text: str) -> None:
        """Writes Markdown as it is. It must not begin or end with a space."""
        if self.owed:
            self.begin_line()
        self.settle_marks(text[0])
        super().put(text)

    # ------------------------------------------------------------------------------------------------------ lines

    def break_lines(self, count: int) -> None:
        """Owes at least so many line breaks. A paragraph ends a heading."""
        if count > 1 and self.heading and self.flat:
            self.heading = self.flat = False
        super().break_lines(count)

    def begin_line(self) -> None:
        """Pays what is owed: line breaks, a tab, or a space where lines cannot be broken."""
        self.empty_cells = 0  # a tab would begin a line of code
        if self.flat:
            self.settle_marks("")
            written = len(self.out)
            if self.out and not self.out[-1].endswith(" "):
                self.out.append(" ")
            self.owed = 0
            self.line_began(written)
            return
        whole = self.owed > 0
        self.end_line()
        super().begin_line()
        self.line_start = len(self.out) if whole else -1
        self.link_start = len(self.out)
        self.open_marks = dict.fromkeys(self.open_marks, len(self.out))
        self.flat = self.heading

    def end_line(self) -> None:
        """Ends on the line what cannot go on in the next: emphasis and links, which begin there anew."""
        self.settle_marks("")
        marks = list(reversed(self.open_marks.items()))
        for mark, start in marks:
            if self.link is not None and mark not in self.marks_around_link:
                self.emphasise(mark, start, len(self.out), "")
        if self.link is not None:
            self.has_link_text |= self.write_link(self.link)
        for mark, start in marks:
            if self.link is None or mark in self.marks_around_link:
                self.emphasise(mark, start, len(self.out), "")
        if self.line_start >= 0:
            guard_line_start(self.out, self.line_start)

    def line_ending(self) -> str:
        """A hard break between lines of one paragraph, else what plain text has."""
        if self.owed == 1 and self.lead == self.prefix == self.gap:
            return "\\\n"
        return super().line_ending()

    def end_spans(self) -> None:
        """Ends links, emphasis and a heading without text before something that cannot be within them."""
        self.forget_heading()
        self.end_link("")
        self.settle_marks("")
        for mark in reversed(self.open_marks):
            self.emphasise(mark, self.open_marks[mark], len(self.out), "")
        self.open_marks.clear()

    # ------------------------------------------------------------------------------------------------ containers

    def enter(self, kind: str, marker: str = "", indent: str = "", *, number: int | None = None) -> None:
        """Opens a container, unless a table cell is open, which cannot hold one."""
        self.forget_heading()
        if self.table is None:
            super().enter(kind, marker, indent, number=number)
        else:
            self.ignored += kind != "li"

    def leave(self, kinds: frozenset[str], *, within: frozenset[str] = frozenset()) -> None:
        """Closes a container."""
        self.forget_heading()
        if self.table is None:
            super().leave(kinds, within=within)

    def break_before_list(self, start: int | None = None) -> None:
        """Only a list that starts with 1 may follow a line of text directly."""
        self.break_lines(1 if self.in_item() and start in {None, 1} else 2)

    def break_after_list(self) -> None:
        """Without an empty line, text would go on the last item."""
        self.break_lines(2)

    def begin_heading(self, level: int) -> None:
        """`<h1>` to `<h6>`."""
        self.begin_whole_line()
        self.break_lines(2)
        if not self.heading and not self.flat:
            self.plain_lead = self.lead
            self.lead += "#" * level + " "
            self.heading = True

    def end_heading(self, _: str) -> None:
        """`</h1>` to `</h6>`."""
        self.forget_heading()
        self.break_lines(2)

    def forget_heading(self) -> None:
        """Ends a heading that has no text."""
        if self.heading and not self.flat:
            self.heading = False
            self.lead = self.plain_lead

    def rule(self, _: str) -> None:
        """`<hr>`."""
        if self.flat and self.table is not None:
            return
        self.end_spans()
        super().rule("")

    # ----------------------------------------------------------------------------------------------------- tables

    def begin_table(self, _: str) -> None:
        """`<table>`: a table of Markdown if it has a head, else lines as in plain text."""
        if self.table is not None:
            self.table_depth += 1
            self.break_lines(1)
            return
        super().begin_table("")
        self.table_start = len(self.out)

    def end_caption(self, _: str) -> None:
        """`</caption>`, which stands before the table."""
        self.break_lines(2)
        self.table_start = len(self.out)

    def end_table(self, _: str) -> None:
        """`</table>`."""
        if self.table is None:
            super().begin_table("")
        elif self.table_depth:
            self.table_depth -= 1
            self.break_lines(1)
        else:
            self.finish_table()

    def begin_row(self, _: str) -> None:
        """`<tr>` and `</tr>`."""
        if self.table is None:
            super().begin_row("")
        elif self.table_depth:
            self.break_lines(1)
        else:
            self.end_cell()
            if self.table[-1]:
                self.table.append([])

    def begin_head_cell(self, _: str) -> None:
        """`<th>`: the first one of a table without text makes it a table in Markdown."""
        if self.table is None and not self.flat and self.table_start == len(self.out):
            self.end_spans()
            self.begin_whole_line()
            self.outside = (self.out, self.owed, self.lead)
            self.table = [[""] * self.row_cells]
            self.out, self.flat, self.lead = [], True, self.prefix
            self.table_depth = 0
        self.begin_cell("")

    def begin_cell(self, _: str) -> None:
        """`<td>`."""
        if self.table is None:
            super().begin_cell("")
        elif self.table_depth:
            self.break_lines(1)
        else:
            self.end_cell()
            self.cell_open = True

    def end_cell(self) -> None:
        """Ends the cell before the next one or the end of the row."""
        if self.table is not None and (self.cell_open or self.out):
            self.end_spans()
            self.table[-1].append("".join(self.out).strip().replace("|", "\\|"))
            self.out = []
        self.cell_open = False
        self.owed, self.spaced = 1, True

    def finish_table(self) -> None:
        """Writes the table that was read."""
        self.end_cell()
        rows = [row for row in self.table or () if row]
        self.out, self.owed, self.lead = self.outside
        self.table, self.flat, self.table_start = None, False, -1
        if any(map(any, rows)):
            self.break_lines(2)
            self.begin_line()
            self.out.append(self.prefixed("\n".join(table_lines(rows))))
            self.line_start = -1
        self.break_lines(2)

    # -------------------------------------------------------------------------------------------------- emphasis

    def begin_mark(self, mark: str) -> None:
        """`<b>` and its like."""
        if mark in self.open_marks:
            self.inner_marks[mark] = self.inner_marks.get(mark, 0) + 1
        else:
            self.open_marks[mark] = len(self.out)

    def end_mark(self, mark: str) -> None:
        """`</b>` and its like."""
        if self.inner_marks.get(mark):
            self.inner_marks[mark] -= 1
            return
        start = self.open_marks.pop(mark, None)
        if start is not None:
            across = self.link is not None and mark in self.marks_around_link  # it cannot end within the link
            self.closed_marks.append((mark, start, self.link_start if across else len(self.out)))

    def settle_marks(self, following: str) -> None:
        """Writes the marks of the emphasis that has ended, now that it is known what follows."""
        if self.closed_marks:
            for mark, start, end in self.closed_marks:
                self.emphasise(mark, start, end, following)
            self.closed_marks.clear()

    def emphasise(self, mark: str, start: int, end: int, following: str) -> None:
        """Sets the marks around a span of `out` if they cannot be taken for anything else there."""
        out = self.out
        before = out[start - 1][-1:] if start else ""
        following = out[end][:1] if end < len(out) else following
        if start < end and not out[start].strip(" "):
            before, start = " ", start + 1
        if start < end and not out[end - 1].strip(" "):
            following, end = " ", end - 1
        if start >= end:
            return
        if out[start].startswith(" "):
            before = " "
        if out[end - 1].endswith(" "):
            following = " "
        first, last = out[start].lstrip(" *")[:1], out[end - 1].rstrip(" *")[-1:]
        if _is_sure(before, first) and _is_sure(following, last):
            self.wrap(start, end, mark, mark)
        elif mark == "~~":  # whether text still holds must be seen, if need be by signs instead of marks
            within_words = _is_word_or_sure(before, first) and _is_word_or_sure(following, last)
            mark = mark if within_words else "\\~\\~"
            self.wrap(start, end, mark, mark)

    def wrap(self, start: int, end: int, before: str, after: str) -> None:
        """Sets Markdown around a span of `out`, within the spaces at its ends."""
        out = self.out
        first = out[start]
        out[start] = " " + before + first[1:] if first.startswith(" ") else before + first
        last = out[end - 1]
        out[end - 1] = last[:-1] + after + " " if last.endswith(" ") else last + after

    # ------------------------------------------------------------------------------------------------------ links

    def begin_link(self, attributes: str) -> None:
        """`<a>`."""
        super().begin_link(attributes)
        self.has_link_text = False
        self.marks_around_link = frozenset(self.open_marks)

    def end_link(self, _: str) -> None:
        """`</a>`."""
        link, self.link = self.link, None
        if link is not None:
            self.settle_marks("]")
            for mark in self.open_marks.keys() - self.marks_around_link:
                del self.open_marks[mark]
            if not self.write_link(link) and not self.has_link_text:
                self.put(autolink(link, ""))
                self.guard_image(len(self.out) - 1)

    def write_link(self, link: str) -> bool:
        """Makes the text since the start of the link a link; False if there is none."""
        out, start, end = self.out, self.link_start, len(self.out)
        text = "".join(out[start:])
        visible = text.strip()
        if not visible:
            return False
        if shows_address(_ESCAPED(r"\1", visible), link):
            out[start:] = [" " * text.startswith(" ") + autolink(link, visible) + " " * text.endswith(" ")]
        else:
            start += not out[start].strip(" ")
            end -= not out[end - 1].strip(" ")
            self.wrap(start, end, "[", f"]({destination(link)})")
        self.guard_image(start)
        return True

    def guard_image(self, start: int) -> None:
        """Keeps an exclamation mark before a link from making it an image."""
        if start and self.out[start].startswith("[") and self.out[start - 1].endswith("!"):
            self.out[start - 1] = self.out[start - 1][:-1] + "\\!"

    # ------------------------------------------------------------------------------------------------------- code

    def code(self, _: str) -> None:
        """`<code>` and its like."""
        text, end, attributes = self.verbatim(_CODE_ENDS)
        lines = [line for line in map(str.strip, map(collapse_spaces, text.split("\n"))) if line]
        if text[:1].isspace():
            self.text(" ")
        for number, line in enumerate(lines):
            if number:
                self.break_lines(1)
            elif self.out and self.out[-1].endswith("`"):
                self.text(" ")
            self.put(code_span(line))
        if text[-1:].isspace():
            self.text(" ")
        if end in BLOCK_TAGS:
            self.act(end, attributes)

    def put_lines(self, text: str) -> None:
        """Writes lines of code between fences."""
        if self.flat:
            self.put(code_span(collapse_spaces(text).strip()))
            return
        self.end_spans()
        named = _LANGUAGE.search(attribute(self.code_attributes, "class") or "")
        fence = backticks(text, least=3)
        self.begin_line()
        self.out.append(self.prefixed(f"{fence}{named[1] if named else ''}\n{text}\n{fence}"))
        self.line_start = -1
        self.spaced = False


def _is_sure(outside: str, inside: str) -> bool:
    """Whether a mark between these characters is sure to be read as emphasis on its inner side and nothing else."""
    if not inside or inside.isspace():
        return False
    return not outside or outside.isspace() or (outside in _EDGES and inside.isalnum())


def _is_word_or_sure(outside: str, inside: str) -> bool:
    """The same for struck text, whose marks are read within a word too."""
    return (outside.isalnum() and inside.isalnum()) or _is_sure(outside, inside)


def _heading(level: int) -> Action:
    """The action of a heading's start tag."""
    return lambda writer, _: writer.begin_heading(level)


def _mark(names: tuple[str, ...], mark: str) -> dict[str, Action | None]:
    """The actions of elements that are written between marks."""
    return {
        **dict.fromkeys(names, lambda writer, _: writer.begin_mark(mark)),
        **dict.fromkeys(("/" + name for name in names), lambda writer, _: writer.end_mark(mark)),
    }


MarkdownWriter.actions = {
    **TextWriter.actions,
    **start_and_end(("tr",), MarkdownWriter.begin_row),
    **{f"h{level}": _heading(level) for level in range(1, 7)},
    **{f"/h{level}": MarkdownWriter.end_heading for level in range(1, 7)},
    **_mark(("b", "strong"), "**"),
    **_mark(("i", "em", "cite", "dfn"), "*"),
    **_mark(("del", "s", "strike"), "~~"),
    **dict.fromkeys(_CODE_TAGS, MarkdownWriter.code),
    "table": MarkdownWriter.begin_table,
    "/table": MarkdownWriter.end_table,
    "/caption": MarkdownWriter.end_caption,
    "th": MarkdownWriter.begin_head_cell,
    "td": MarkdownWriter.begin_cell,
    "hr": MarkdownWriter.rule,
    "a": MarkdownWriter.begin_link,
    "/a": MarkdownWriter.end_link,
}
