"""Lines of text: the breaks between them, and what quotations and lists put before each.

A line break is never written when it is met. It is noted as owed and paid before the next text, so that elements
without text leave no empty lines.
"""

from typing import Final

__all__ = ["MAX_LIST_NUMBER", "LineWriter"]

MAX_LIST_NUMBER: Final = 999_999_999
"""The largest number that Markdown takes for a list item."""

_MAX_CONTAINERS: Final = 32
_MAX_PREFIX: Final = 16
"""How many characters a line is indented or quoted by at most: eight levels. It bounds what `<br>` can cost."""


class _Container:
    """A quotation, a list or a list item that is open, and what its lines began with outside of it."""

    __slots__ = ("kind", "lead", "number", "prefix", "written")

    def __init__(self, kind: str, *, prefix: str, lead: str, written: int, number: int | None) -> None:
        self.kind = kind
        self.prefix = prefix
        self.lead = lead
        self.written = written
        self.number = number  # of the next item; None in a bulleted list


class LineWriter:
    """Collects text in lines."""

    # What few documents change has its default in the class. All else is set for each object: Python takes longer to
    # find a member of which the class has a default too.
    ignored = 0
    """Containers that were opened beyond the bound."""

    def __init__(self) -> None:
        """A document without lines."""
        self.out: list[str] = []
        self.containers: list[_Container] = []
        self.owed = 1
        """Line breaks before the next text; below zero, so many tabs instead."""
        self.spaced = True
        """Whether the text ends in a space, or a line is about to begin: no space may follow."""
        self.prefix = ""
        """What every line of the open containers begins with."""
        self.lead = ""
        """What the next line begins with: the prefix, or a list marker in place of its end."""
        self.gap = ""
        """What an empty line before the next text begins with."""
        self.lines = 0
        """How many lines have begun."""
        self.empty_cells = 0
        """Table cells without text at the start of the line."""

    def put(self, text: str) -> None:
        """Writes text as it is. It must not begin or end with a space."""
        if self.owed:
            self.begin_line()
        self.out.append(text)
        self.spaced = False

    def append_to_text(self, suffix: str) -> None:
        """Writes right behind the last letter, before a space that follows it."""
        if self.out[-1].endswith(" "):
            self.out[-1] = self.out[-1][:-1]
            suffix += " "
        self.out.append(suffix)

    def break_lines(self, count: int) -> None:
        """Owes at least so many line breaks, unless the line has only begun: with a list marker or an empty cell."""
        if 0 <= self.owed < count and self.lead == self.prefix and not self.empty_cells:
            self.owed = count
            self.spaced = True

    def line_break(self, _: str) -> None:
        """`<br>`: two of them make an empty line, more do not make more."""
        self.break_lines(min(self.owed + 1, 2))

    def begin_line(self) -> None:
        """Pays the line breaks or tabs that are owed."""
        out, written = self.out, len(self.out)
        if out:
            out[-1] = out[-1].rstrip(" ")
        if self.owed < 0:
            out.append("\t" * -self.owed)
        else:
            if out:
                out.append(self.line_ending())
            if self.lead or self.empty_cells:
                out.append(self.lead + "\t" * self.empty_cells)
            self.lead = self.gap = self.prefix
            self.empty_cells = 0
            self.lines += 1
        self.owed = 0
        self.line_began(written)

    def begin_whole_line(self) -> None:
        """Has the next text begin a line even in a table row: what follows cannot stand behind a tab."""
        self.empty_cells = 0
        if self.owed < 0:
            self.owed = 2

    def line_ending(self) -> str:
        """The end of the last line, and the empty line after it if one is owed."""
        return "\n" if self.owed == 1 else "\n" + self.gap.rstrip() + "\n"

    def line_began(self, written: int) -> None:
        """Called when a line has begun; `written` is the length of `out` before it."""

    def begin_block(self, _: str) -> None:
        """The start or the end of a block without a margin."""
        self.break_lines(1)

    def begin_paragraph(self, _: str) -> None:
        """The start or the end of a block with an empty line around it."""
        self.break_lines(2)

    def enter(self, kind: str, marker: str = "", indent: str = "", *, number: int | None = None) -> None:
        """Opens a container: its first line begins with the marker, the others with the indent."""
        if len(self.containers) >= _MAX_CONTAINERS:
            self.ignored += kind != "li"
            return
        self.begin_whole_line()
        container = _Container(kind, prefix=self.prefix, lead=self.lead, written=len(self.out), number=number)
        self.containers.append(container)
        if len(self.prefix) + len(indent) > _MAX_PREFIX:
            indent, marker = "", marker if kind == "li" else ""
        self.lead += marker
        self.prefix += indent

    def leave(self, kinds: frozenset[str], *, within: frozenset[str] = frozenset()) -> None:
        """Closes the innermost container of these kinds, and all in it, if no container of kind `within` is between."""
        for depth in range(len(self.containers) - 1, -1, -1):
            container = self.containers[depth]
            if container.kind in kinds:
                del self.containers[depth:]
                self.lead = container.lead if container.written == len(self.out) else container.prefix
                self.prefix = container.prefix
                if len(container.prefix) < len(self.gap):
                    self.gap = container.prefix
                return
            if container.kind in within:
                return

    def leave_ignored(self) -> bool:
        """Whether an end tag belongs to a container that was not opened."""
        ignored = self.ignored > 0
        self.ignored -= ignored
        return ignored

    def in_item(self) -> bool:
        """Whether the innermost container is a list item."""
        return bool(self.containers) and self.containers[-1].kind == "li"

    def prefixed(self, text: str) -> str:
        """The text with the open containers' prefix before each line but the first."""
        if not self.prefix or "\n" not in text:
            return text
        bare = self.prefix.rstrip()
        first, *others = text.split("\n")
        return "\n".join([first, *(self.prefix + line if line else bare for line in others)])
