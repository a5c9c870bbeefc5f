"""HTML as text: laws that hold for every document, and proof that the work grows no faster than the document."""

from __future__ import annotations

import html as entities
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mentionable._html.convert import html_to_markdown, html_to_text
from tests.linearity import steps_grow_linearly, time_grows_linearly

READERS = [html_to_text, html_to_markdown]
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])

# ------------------------------------------------------------------------------------------------- every document

NAMES = (
    "a", "annotation", "b", "blockquote", "br", "caption", "code", "del", "div", "em", "h1", "h2", "hr", "i", "img",
    "li", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "script", "span", "sub", "sup", "table", "td", "template",
    "textarea", "th", "thead", "tr", "ul", "x",
)  # fmt: skip
TAGS = [f"<{slash}{name}>" for name in NAMES for slash in ("", "/")]
ODDITIES = [
    "<a href=https://x.example/a>", "<a href='https://x.example/a' class=mention>", "<a href='mailto:bob@x.example'>",
    "<ol start=5>", "<li value=7>", "<img alt='x y'>", "<!-- x -->", "<![CDATA[ <q> ]]>", "<a", "</", "<!", "&nbsp;",
    "&#1;", "&#32;", "&#" + "9" * 5000 + ";", " ", "\n", "\t", "\0", "!", "1.", "#", "`", "*", "|",
]  # fmt: skip
fragments = st.lists(st.sampled_from(TAGS) | st.sampled_from(ODDITIES) | st.text(max_size=4), max_size=25).map("".join)
soup = st.text(st.sampled_from("<>/!-[]CDAT\"'= abpxhref1;&#\n\t\0\ud800\u00a0:`*_~|"), max_size=60)


@given(fragments | soup | st.text())
def test_every_string_has_a_text(html):
    assert isinstance(html_to_text(html), str)


@given(fragments | soup | st.text())
def test_every_string_has_a_markdown_that_can_be_rendered(html):
    assert isinstance(MARKDOWN.render(html_to_markdown(html)), str)


@given(st.text(st.characters(exclude_characters="<&\0 \t\n\r\f")))
def test_text_without_markup_or_blanks_is_itself(text):
    assert html_to_text(text) == ("" if text.isspace() else text)


# ----------------------------------------------------------------------------------------------- Markdown and back

Piece = tuple[str, str]
"""HTML, and the text that people see of it."""


def around(before: str, after: str, pieces: list[Piece]) -> Piece:
    return before + "".join(html for html, _ in pieces) + after, "".join(text for _, text in pieces)


def element(name: str, pieces: list[Piece]) -> Piece:
    return around(f"<{name}>", f"</{name.split()[0]}>", pieces)


def link(href: str, pieces: list[Piece]) -> Piece:
    html, text = around(f'<a href="{entities.escape(href)}">', "</a>", pieces)
    if not text.strip() and not href.startswith("javascript:"):  # then the address is shown
        text = href.removeprefix("mailto:")
    return html, text


def table(rows: list[list[Piece]]) -> Piece:
    lines = [[element("td" if number else "th", [cell]) for cell in row] for number, row in enumerate(rows)]
    return element("table", [element("tr", line) for line in lines])


HREFS = (
    "https://x.example/a_b", "https://x.example/(q)?a=1&amp=2", "https://x.example/a|b*c*", "https://x.example/&copy;",
    "mailto:bob@x.example", "javascript:x",
)  # fmt: skip
texts = st.text(st.sampled_from("ab1.) #-+*_`~[]()<>!&|\\:=\"' ;xé\u00a0\n@/"), max_size=12)
leaves = texts.map(lambda text: (entities.escape(text, quote=False), text)) | st.just(("<br>", "\n"))
styled = st.recursive(
    leaves,
    lambda inner: st.builds(element, st.sampled_from(["b", "i", "span", "code", "kbd"]), st.lists(inner, max_size=3)),
    max_leaves=4,
)
lines = st.lists(
    st.recursive(
        styled | st.builds(link, st.sampled_from(HREFS), st.lists(styled, max_size=2)),
        lambda inner: st.builds(element, st.sampled_from(["b", "strong", "i", "u"]), st.lists(inner, max_size=3)),
        max_leaves=5,
    ),
    max_size=4,
).map(lambda pieces: around("", "", pieces))
blocks = st.recursive(
    lines
    | st.builds(element, st.sampled_from(["p", "div", "h1", "h2", "h5"]), lines.map(lambda line: [line]))
    | texts.map(lambda text: (f"<pre>{entities.escape(text, quote=False)}</pre>", text))
    | st.lists(st.lists(lines, min_size=1, max_size=3), min_size=1, max_size=3).map(table)
    | st.just(("<hr>", "")),
    lambda inner: (
        st.builds(element, st.just("blockquote"), st.lists(inner, max_size=3))
        | st.builds(
            element,
            st.sampled_from(["ul", "ol", "ol start=0", "ol start=7"]),
            st.lists(st.builds(element, st.just("li"), st.lists(inner, max_size=2)), max_size=3),
        )
    ),
    max_leaves=6,
)
documents = st.lists(blocks, max_size=4).map(lambda pieces: around("", "", pieces))


def seen(rendered: str) -> str:
    """The text of rendered HTML, white space aside."""
    return "".join(entities.unescape(re.sub(r"<[^>]*+>", "", rendered)).split())


@given(documents)
def test_rendered_markdown_has_the_text_of_the_html(document):
    html, text = document
    assert seen(MARKDOWN.render(html_to_markdown(html))) == "".join(text.split())


# ------------------------------------------------------------------------------------------------------- linearity

HOSTILE = {
    "open tags": lambda size: "<a " * size,
    "less-than signs": lambda size: "<" * size,
    "ampersands": lambda size: "&" * size,
    "a long number": lambda size: "&#" + "9" * size,
    "long zeros": lambda size: "&#" + "0" * size + "65;",
    "named references": lambda size: "&a" * size,
    "comments": lambda size: "<!--" * size,
    "comment ends": lambda size: "<!-- -- " * size,
    "declarations": lambda size: "<!" * size,
    "CDATA sections": lambda size: "<![CDATA[" * size,
    "CDATA ends": lambda size: "<![CDATA[x]]" * size,
    "CDATA full of ends": lambda size: "<![CDATA[" + "]" * size,
    "a comment of dashes": lambda size: "<!--" + "-" * size,
    "a script of less-than signs": lambda size: "<script>" + "<" * size,
    "values without end": lambda size: "<a " + '="" ' * size,
    "open values": lambda size: "<a " + "=\"='" * size,
    "tags of quoted values, never closed": lambda size: ("<a " + "b='c' " * 20) * size,
    "words without end": lambda size: "<a href=x class='" + "a " * size,
    "names without values": lambda size: "<a " + "b " * size + "href=x>y</a>",
    "end tags": lambda size: "</" * size,
    "open quotes": lambda size: '<a href="' * size,
    "quotes in quotes": lambda size: '<a b="<a b=\'" c="<a b=\'' * size,
    "one giant tag": lambda size: "<a " + "class=b " * size + "mention href=x>",
    "one giant attribute": lambda size: "<a class='" + "mention1 " * size + "'>x</a>",
    "one giant text": lambda size: "word " * size,
    "blanks": lambda size: "x" + " \n" * size + "y",
    "scripts": lambda size: "<script>" * size,
    "templates": lambda size: "<template>" * size,
    "nested quotations": lambda size: "<blockquote>x" * size,
    "nested lists": lambda size: "<ol><li>x" * size,
    "items": lambda size: "<li>x" * size,
    "nested pre": lambda size: "<pre>x" * size,
    "lines in quotations": lambda size: "<blockquote>" * 20 + "x<br>" * size,
    "crossed tags": lambda size: "<b>x<i>y</b>z</i>" * size,
    "open links": lambda size: "<a href=https://x.example/>y" * size,
    "lines in a link": lambda size: "<a href=https://x.example/>" + "x<br>" * size,
    "links in struck text": lambda size: "<s>" + "<a href=https://x.example/y>z</a>" * size,
    "lines in bold": lambda size: "<b>" + "x<br>" * size,
    "table heads": lambda size: "<table><tr><th>x" * size,
    "one wide row, many rows": lambda size: "<table><tr><th>h" + "<td>" * size + "<tr><td>x" * size,
    "empty cells": lambda size: "<table><tr>" + "<td>" * size + "x" + "<td>" * size + "y",
    "brackets": lambda size: "[" * size,
    "backticks": lambda size: "`" * size + "<code>" + "`" * size,
    "code": lambda size: "<code>`</code>" * size,
    "stars and underscores": lambda size: "*" * size + "a" + "_" * size + "b",
    "line starts": lambda size: "1.<br>#<br>" * size,
    "exponents": lambda size: "1<sup>2</sup>" * size,
}


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("family", HOSTILE)
def test_steps_grow_with_the_document(read, family):
    steps_grow_linearly(read, HOSTILE[family], size=100)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("family", HOSTILE)
def test_time_grows_with_the_document(read, family):
    time_grows_linearly(read, HOSTILE[family])


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("family", HOSTILE)
def test_the_result_is_a_bounded_multiple_of_the_document(read, family):
    html = HOSTILE[family](1000)
    assert len(read(html)) <= 12 * len(html)
