"""The elements of a document that are open at a place: what a start tag ends, and what an end tag ends."""

from __future__ import annotations

from typing import Final

_SCOPE: Final = frozenset({"table", "td", "th", "caption", "object", "marquee", "applet", "template"})
_LISTS: Final = frozenset({"ul", "ol", "menu", "dir"})
_MARKERS: Final = frozenset({"td", "th", "caption", "object", "marquee", "applet", "template"})
_ROWS: Final = frozenset({"tbody", "thead", "tfoot", "tr"})
TABLE_PARTS: Final = _ROWS | {"td", "th", "caption"}
_IN_TABLES: Final = TABLE_PARTS | {"colgroup", "col", "style", "script", "template", "form", "input"}
_AROUND_CELLS: Final = ("template", "table", *sorted(_ROWS))
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "center", "details", "dialog", "dd", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "li", "listing", "main", "menu",
    "nav", "ol", "p", "plaintext", "pre", "search", "section", "summary", "table", "ul", "xmp", *_HEADINGS,
})  # fmt: skip
"""They end an open paragraph."""
_SPECIAL: Final = (_BLOCKS | _SCOPE | TABLE_PARTS | {"button", "select", "textarea"}) - {"address", "div", "p"}
FORMATTING: Final = frozenset({
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
})  # fmt: skip
_NEVER_ENDED: Final = frozenset({"html", "head", "body", "frameset"})

_CELLS_ENDED_BY: Final = {
    "td": ("td", "th", "caption"),
    "th": ("td", "th", "caption"),
    "tr": ("tr", "td", "th", "caption"),
    **dict.fromkeys(("tbody", "thead", "tfoot", "caption"), ("tbody", "thead", "tfoot", "tr", "td", "th", "caption")),
}
_ITEMS_ENDED_BY: Final = {"li": ("li",), "dd": ("dd", "dt"), "dt": ("dd", "dt")}
_SAME_ENDED_BY: Final = {"option": "option", "optgroup": "option", "button": "button", "nobr": "nobr"}


def _groups(name: str) -> tuple[str, ...]:
    """The name and the groups that an element belongs to."""
    groups = [name]
    groups += ["(scope)"] if name in _SCOPE else ()
    groups += ["(list)"] if name in _LISTS else ()
    groups += ["(special)"] if name in _SPECIAL else ()
    groups += ["(block)"] if name in _SPECIAL or name in _BLOCKS else ()
    groups += ["(table)"] if name in ("table", "template") else ()
    groups += ["(heading)"] if name in _HEADINGS else ()
    return tuple(groups)


_GROUPS: Final = {name: _groups(name) for name in _SPECIAL | _BLOCKS | _LISTS}


class OpenElements:
    """The names of the open elements, the outermost first, and where those of a name or of a group are.

    No place is looked for: so the work of a tag does not depend on how many elements are open.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self._places: dict[str, list[int]] = {}

    def last(self, name: str) -> int:
        """Where the innermost of a name or of a group is, or -1."""
        places = self._places.get(name)
        return places[-1] if places else -1

    def push(self, name: str) -> None:
        """Opens an element."""
        for group in _GROUPS.get(name) or (name,):
            self._places.setdefault(group, []).append(len(self.names))
        self.names.append(name)

    def pop(self, depth: int) -> None:
        """Ends all elements but the outermost `depth`."""
        for name in self.names[depth:]:
            for group in _GROUPS.get(name) or (name,):
                self._places[group].pop()
        del self.names[depth:]

    def is_fostered(self, name: str) -> bool:
        """Whether an element or, with an empty name, a text is seen before the table that it is in."""
        inner = self.names[-1] if self.names else ""
        return (inner == "table" or inner in _ROWS) and name not in _IN_TABLES and self.last("table") >= 0

    def is_ignored(self, name: str) -> bool:
        """Whether a start tag opens nothing: that of a row or a cell outside of a table."""
        return name in TABLE_PARTS and self.last("(table)") < 0

    def depth_before(self, name: str) -> int:
        """How many elements stay open where a start tag of that name begins."""
        depth = len(self.names)
        if name in _CELLS_ENDED_BY:
            outer = self.last("(table)")
            ended = [place for one in _CELLS_ENDED_BY[name] if (place := self.last(one)) > outer]
            return min(ended, default=max(map(self.last, _AROUND_CELLS)) + 1)
        if name == "table" and self.is_fostered(name):
            return self.last("table")
        if name in _ITEMS_ENDED_BY:
            special = self.last("(special)")
            # Nothing special is between them.
            ended = [place for one in _ITEMS_ENDED_BY[name] if (place := self.last(one)) >= max(special, 0)]
            depth = max(ended, default=depth)
        if name in _BLOCKS:
            place = self.last("p")
            if place > max(self.last("(scope)"), self.last("button")):
                depth = min(depth, place)
            if name in _HEADINGS and depth and self.last("(heading)") == depth - 1:
                depth -= 1
        elif name in _SAME_ENDED_BY:
            place = self.last(_SAME_ENDED_BY[name])
            depth = place if place > self.last("table") and place >= 0 else depth
        return depth

    def depth_behind(self, name: str) -> int:
        """How many elements stay open behind an end tag of that name: all of them where it ends none."""
        depth = len(self.names)
        if name in _NEVER_ENDED:
            return depth
        if depth and self.names[-1] == name:
            return depth - 1
        place = self.last("(heading)" if name in _HEADINGS else name)
        if name == "template":
            outer = -1
        elif name in TABLE_PARTS or name == "table":
            outer = self.last("(table)") - (name == "table")
        elif name == "li":
            outer = max(self.last("(scope)"), self.last("(list)"))
        elif name in _SCOPE:
            outer = max([self.last(one) for one in ("td", "th", "caption", "table")])
        elif name in _BLOCKS or name in FORMATTING or name == "button":
            outer = max(self.last("(scope)"), self.last("button") if name == "p" else -1)
        else:
            outer = max(self.last("(block)"), self.last("div"))
        return place if 0 <= place > outer else depth

    def reopened(self, depth: int) -> list[int]:
        """Where, above that depth, elements are that go on behind the end of the others: `<b>` and its like."""
        places = []
        for place in range(depth, len(self.names)):
            if self.names[place] in _MARKERS:
                break
            if self.names[place] in FORMATTING:
                places.append(place)
        return places
