"""Converts text, Markdown and HTML of an agent to HTML that every program can show safely.

The only module that imports markdown-it-py and nh3. Markdown is rendered with its HTML as text, so that nothing an
agent wrote is lost; HTML is brought down to what mail programs and servers of the Fediverse keep. No class, no style
and no address but http, https and mailto survives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from .._wire.http import is_web_url
from .._wire.iri import to_uri
from .convert import html_to_text
from .tokens import escape
from .well_formed import ELEMENTS, neutralize, well_formed

if TYPE_CHECKING:
    import nh3
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

NO_IMAGES: Final[Mapping[str, str]] = {}

MAX_RENDERED: Final = 131_072
"""Characters of Markdown or HTML that are rendered, in one text and in a whole response; the rest becomes plain text.

Markdown takes some microseconds for each character, and hostile Markdown ten times that; the sanitizer takes time by
the square of the references in one text."""

_REL: Final = "nofollow noopener noreferrer"
_ATTRIBUTES: Final = {"a": {"href"}, "ol": {"start"}, "img": {"src", "alt"}}
_PARAGRAPHS: Final = re.compile(r"\n[ \t]*+\n[\n \t]*+")
_DELIMITERS: Final = re.compile(r"[|:\- \t]*+").fullmatch
_SPARE_CELLS: Final = 1_024
_INDENT: Final = re.compile(r"(?m)^[ \t]++|(?<= ) ++")

_IN_ADDRESS: Final = r"[^\s\x00-\x1f\x7f<>\"`()\[\]{}|\\^]"
_MAX_PIECES: Final = 8_192
"""Each piece is a character or more, and no web address has so many."""

_ADDRESS: Final = re.compile(
    r"(?<![0-9A-Za-z])[Hh][Tt][Tt][Pp][Ss]?://(?=\w)"
    rf"(?:{_IN_ADDRESS}++|\({_IN_ADDRESS}*+\)){{1,{_MAX_PIECES}}}"
)
_AFTER_ADDRESS: Final = ".,:;!?'*_~…"
"""What ends a sentence or an emphasis, and so is not the end of an address in it."""


def plain_to_html(text: str) -> str:
    """Plain text as paragraphs and lines, with its web addresses as links."""
    text = neutralize(text).strip("\n")
    if not text:
        return ""
    return "".join([f"<p>{_lines(paragraph)}</p>" for paragraph in _PARAGRAPHS.split(text)])


def _lines(text: str) -> str:
    """One paragraph, with the blanks that HTML would collapse."""
    text = _INDENT.sub(lambda blanks: "\u00a0" * len(blanks[0].expandtabs(4)), text)
    pieces: list[str] = []
    end = 0
    for start, url in _addresses(text):
        pieces += _words(text[end:start]), link_html(url, url)
        end = start + len(url)
    pieces.append(_words(text[end:]))
    return "".join(pieces)


def _addresses(text: str) -> Iterator[tuple[int, str]]:
    """The web addresses in a text, with their offsets."""
    for match in _ADDRESS.finditer(text):
        url = match[0].rstrip(_AFTER_ADDRESS)
        if is_web_url(url):
            yield match.start(), url


def _words(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def link_html(url: str, text: str) -> str:
    """A link to a web address, which the caller has judged. It leads to the URI of an IRI."""
    return f'<a href="{escape(to_uri(url))}" rel="{_REL}">{escape(text)}</a>'


def markdown_to_html(text: str, *, images: Mapping[str, str] = NO_IMAGES) -> str:
    """Markdown (CommonMark, with tables, struck text and bare addresses as links) as HTML.

    HTML in it becomes text. An image becomes a link to it, unless it is attached.

    Args:
        text: The Markdown.
        images: Name of an image that travels along, as `cid:<name>` shows it → the address to show it by.
    """
    text = neutralize(text)
    if len(text) > MAX_RENDERED or _has_empty_tables(text):
        return plain_to_html(text)
    try:
        rendered = _renderer().render(text)
    except _NotRenderedError:
        return plain_to_html(text)
    return _cleaned(rendered, images)


def sanitize(html: str, *, images: Mapping[str, str] = NO_IMAGES) -> str:
    """HTML of an agent without all that could act, hide or fetch. The text of what is left out stays.

    Args:
        html: A document or fragment.
        images: As for `markdown_to_html`.
    """
    if len(html) > MAX_RENDERED:
        return plain_to_html(html_to_text(html))
    return _cleaned(html, images)


def _cleaned(html: str, images: Mapping[str, str]) -> str:
    return _cleaner(with_images=bool(images)).clean(well_formed(html, images=images)).strip("\n")


@cache
def _cleaner(*, with_images: bool) -> nh3.Cleaner:
    """The last check of the result. Its input is already well-formed: its own repairs take too long."""
    import nh3

    return nh3.Cleaner(
        tags=set(ELEMENTS if with_images else ELEMENTS - {"img"}),
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"} | ({"cid"} if with_images else set()),
        url_relative="deny",
        link_rel=_REL,
    )


@cache
def _renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt

    renderer = MarkdownIt("commonmark", {"html": False})
    renderer.enable(["strikethrough", "table"])
    renderer.core.ruler.after("block", "bounds", _check_bounds)
    renderer.inline.ruler.after("text", "address", _bare_address)
    return renderer


def _has_empty_tables(text: str) -> bool:
    """Whether tables in Markdown have far more cells than were written, since short rows are filled up.

    An attacker could write one wide delimiter row and many short rows: each row gets as many cells as that has columns.
    """
    cells = columns = 0
    for line in text.split("\n") if "|" in text else ():
        row = line.strip(" \t>")
        if not row:
            columns = 0
        elif _DELIMITERS(row):
            columns = max(columns, row.count("|") + 1)
        cells += columns
    return cells > len(text) + _SPARE_CELLS


class _NotRenderedError(Exception):
    """Markdown that would lose text, or come to many times its length."""


def _check_bounds(state: StateCore) -> None:
    """Raise if blocks are nested too deeply, or if references could make the document many times longer."""
    if max([token.level for token in state.tokens], default=0) >= state.md.options["maxNesting"] - 1:
        raise _NotRenderedError
    references: Mapping[str, Mapping[str, str]] = state.env.get("references", {})
    max_length = max([len(one["href"]) + len(one["title"]) for one in references.values()], default=0)
    if max_length * state.src.count("]") > 32 * len(state.src) + 65_536:
        raise _NotRenderedError


def _bare_address(state: StateInline, silent: bool) -> bool:
    """A web address in running text as a link.

    The rule of markdown-it reads all the text before each `://` again, which hostile text could make quadratic.
    """
    if silent or state.linkLevel or not state.src.startswith("://", state.pos):
        return False
    match = _ADDRESS.match(state.src, max(state.pos - 4, 0)) or _ADDRESS.match(state.src, max(state.pos - 5, 0))
    if match is None or not state.pending.endswith(state.src[match.start() : state.pos]):
        return False
    url = match[0].rstrip(_AFTER_ADDRESS)
    if not is_web_url(url):  # consumed whole, so that it is not read again from the next `://`
        state.pending += state.src[state.pos : match.end()]
        state.pos = match.end()
        return True
    state.pending = state.pending[: match.start() - state.pos]
    state.push("link_open", "a", 1).attrs = {"href": url}
    state.push("text", "", 0).content = url
    state.push("link_close", "a", -1)
    state.pos = match.start() + len(url)
    return True


class MarkdownToken(NamedTuple):
    """A piece of Markdown, by the names of markdown-it: blocks open and close, their text stands in `inline` pieces.

    Attributes:
        kind: `paragraph_open`, `inline`, `text`, ….
        content: Text, code, or the alternative text of an image.
        url: Where a link or an image leads.
        start: The number that an ordered list begins with.
        children: The pieces of an `inline` piece.
    """

    kind: str
    content: str
    url: str
    start: int
    children: tuple[MarkdownToken, ...]


def markdown_tokens(text: str) -> tuple[MarkdownToken, ...] | None:
    """The pieces of Markdown, read as `markdown_to_html` reads it; None for a text that it shows as plain text."""
    text = neutralize(text)
    if len(text) > MAX_RENDERED or _has_empty_tables(text):
        return None
    try:
        return tuple(map(_markdown_token, _renderer().parse(text)))
    except _NotRenderedError:
        return None


def _markdown_token(token: Token) -> MarkdownToken:
    url = str(token.attrs.get("href") or token.attrs.get("src") or "")
    children = tuple(map(_markdown_token, token.children or ()))
    return MarkdownToken(token.type, token.content, url, int(token.attrs.get("start", 1)), children)
