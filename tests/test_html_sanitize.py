"""Text, Markdown and HTML of an agent as HTML that anybody may show."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable._html.convert import html_to_text
from mentionable._html.sanitize import (
    MAX_RENDERED,
    link_html,
    markdown_to_html,
    markdown_tokens,
    plain_to_html,
    sanitize,
)
from mentionable._html.tokens import unescape
from tests.linearity import time_grows_linearly
from tests.test_html_laws import fragments, soup

REL = ' rel="nofollow noopener noreferrer"'
X = "https://x.example/"
IMAGES = {"a.png": "cid:1@h.example", "b%20c.png": "cid:2@h.example"}


def link(url, text=None):
    return f'<a href="{url}"{REL}>{text or url}</a>'


# --------------------------------------------------------------------------------------------------------- plain text


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("\n\n", ""),
        ("a & <b>\"'", "<p>a &amp; &lt;b&gt;&quot;'</p>"),
        ("a\nb\n\n \t\nc\r\nd\n", "<p>a<br>b</p><p>c<br>d</p>"),
        ("a  b   c\n  d\n\te", "<p>a \u00a0b \u00a0\u00a0c<br>\u00a0\u00a0d<br>\u00a0\u00a0\u00a0\u00a0e</p>"),
        ("a\x00b\x1b[0mc\u202ed", "<p>ab[0mcd</p>"),
        (
            "javascript:alert(1) ftp://x.example www.x.example",
            "<p>javascript:alert(1) ftp://x.example www.x.example</p>",
        ),
    ],
)
def test_plain_text_is_paragraphs_and_lines(text, html):
    assert plain_to_html(text) == html


ADDRESSES = [
    (f"see {X}a.", f"see {link(X + 'a')}."),
    (f"({X}a_(b)_c), '{X}'", f"({link(X + 'a_(b)_c')}), '{link(X)}'"),
    (f"{X}?a=1&b=*c", link(f"{X}?a=1&amp;b=*c")),
    (f"HTTPS://X.example:80/a {X}é…", f"{link('HTTPS://X.example:80/a')} {link(X + '%C3%A9', X + 'é')}…"),
    ("https://日本.example/", link("https://xn--wgv71a.example/", "https://日本.example/")),
    ("http://localhost:3000", link("http://localhost:3000")),
    ("http://u:p@x.example/ http://x.example:99999/", "http://u:p@x.example/ http://x.example:99999/"),
    ("http:// https://- xhttp://x.example ://x", "http:// https://- xhttp://x.example ://x"),
    (f"{X}a(b", f"{link(X + 'a')}(b"),
]


@pytest.mark.parametrize(("text", "html"), ADDRESSES)
def test_web_addresses_in_text_are_links(text, html):
    assert plain_to_html(text) == f"<p>{html}</p>"
    assert markdown_to_html(text) == f"<p>{html}</p>"


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("<>&\"' \n\t:/ahtps.")))
def test_all_of_a_plain_text_is_shown(text):
    def without_blanks(text):
        return re.sub(r"[\s\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+", "", text)

    shown = unescape(re.sub("<[^>]*>", "", plain_to_html(text)))
    assert without_blanks(shown) == without_blanks(text)


# ----------------------------------------------------------------------------------------------------------- Markdown


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("# A\n\n*b* **c** ~~d~~ `e`", "<h1>A</h1>\n<p><em>b</em> <strong>c</strong> <s>d</s> <code>e</code></p>"),
        ("```py\na<b\n```", "<pre><code>a&lt;b\n</code></pre>"),
        ("3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'),
        ("|a|\n|:-|\n|b|", "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("a <b>c</b> &amp; &lt;", "<p>a &lt;b&gt;c&lt;/b&gt; &amp; &lt;</p>"),
        ("[a](javascript:alert(1)) [b](data:text/html,x)", "<p>[a](javascript:alert(1)) [b](data:text/html,x)</p>"),
        ("[a](/b) [c](cid:a.png)", "<p>a c</p>"),
        (f"[a]({X} 'b')", f"<p>{link(X, 'a')}</p>"),
        (f"[see {X}a](http://y.example/)", f"<p>{link('http://y.example/', f'see {X}a')}</p>"),
        (
            f"**{X}a** _{X}b_ <{X}c>",
            f"<p><strong>{link(X + 'a')}</strong> <em>{link(X + 'b')}</em> {link(X + 'c')}</p>",
        ),
        (f"`{X}` \\{X}", f"<p><code>{X}</code> \\{X}</p>"),
        ("&#x202e;a\u202eb&#1;", "<p>ab\ufffd</p>"),
        ("a\r\nb  \r\nc", "<p>a\nb<br>\nc</p>"),
        (f"![a]({X}b.png) ![]({X}) ![c *d*](e.png)", f"<p>{link(X + 'b.png', 'a')} {link(X)} c d</p>"),
    ],
)
def test_markdown_is_rendered_and_its_html_is_text(text, html):
    assert markdown_to_html(text) == html


def test_images_that_travel_along_are_shown():
    text = '![a "b"](cid:a.png) ![](<cid:b c.png>) ![c](cid:other.png)'
    assert markdown_to_html(text, images=IMAGES) == (
        '<p><img src="cid:1@h.example" alt="a &quot;b&quot;"> <img src="cid:2@h.example" alt=""> c</p>'
    )


@pytest.mark.parametrize(
    "text",
    [
        ">" * 30 + "text",
        "- " * 30 + "text",
        "[a]: https://x.example/" + "x" * 5_000 + "\n\ntext " + "[a]" * 5_000,
        "*" * MAX_RENDERED + "text",
    ],
    ids=["quotes", "lists", "references", "length"],
)
def test_markdown_that_cannot_be_rendered_whole_is_shown_as_text(text):
    shown = markdown_to_html(text)
    assert shown == plain_to_html(text)
    assert "text" in shown


def test_references_are_links():
    assert markdown_to_html(f"[a] [b][a]\n\n[a]: {X}") == f"<p>{link(X, 'a')} {link(X, 'b')}</p>"


# --------------------------------------------------------------------------------------------------------------- HTML


@pytest.mark.parametrize(
    ("html", "safe"),
    [
        ("<p class=x style=y onclick=z>a</p>\n", "<p>a</p>"),
        (f"<a class=mentionable-trace data-version=0.1 href='{X}#e30'>a</a>", link(f"{X}#e30", "a")),
        ("<a href='javascript:alert(1)'>a</a><img src=x onerror=alert(1) alt=b>", "ab"),
        ("<script>a</script><style>b</style><svg/onload=alert(1)>c<details open>d", "cd"),
        ("&#x202e;a", "a"),
    ],
)
def test_html_is_brought_down_to_what_is_safe(html, safe):
    assert sanitize(html) == safe


def test_html_shows_images_that_travel_along():
    html = "<p><img src='cid:a.png' alt='<i>'><img src='cid:no' alt='<b>'><a href='cid:a.png'>c</a></p>"
    assert sanitize(html, images=IMAGES) == '<p><img src="cid:1@h.example" alt="&lt;i&gt;">&lt;b&gt;c</p>'
    assert sanitize(html) == "<p>&lt;i&gt;&lt;b&gt;c</p>"


def test_html_that_is_too_long_is_its_text():
    html = "<b>a&amp;</b>" * (MAX_RENDERED // 10)
    assert sanitize(html) == plain_to_html(html_to_text(html))


def test_a_link_is_written_without_trust():
    assert link_html(X, '"><b>') == link(X, "&quot;&gt;&lt;b&gt;")


# ----------------------------------------------------------------------------------------------------------- all of it

PIECES = [
    "<a class='mentionable-trace' href='https://x.example/#e30'>", "</a>", "<script>", "</script>", "`", "**", "> ",
    "- ", "[a](javascript:x)", "[a](https://x.example/ 'b')", '![a](https://x.example/"onx=)', "<https://x.example/>",
    "\n\n", 'https://x.example/"<b>', "|a|\n|-|\n", "    ", "&lt;script&gt;", "&#60;script>", "\\<b>", "]]>",
    "-->", "<!--", "<b style='x:y' onclick=x>", "<svg><style><img src=x onerror=x>",
    "<math><mtext><table><mglyph><style>", "\x00", '<noscript><p title="</noscript><img src=x onerror=x>">',
    "&Tab;", "java\tscript:", "<a href='&#106;avascript:x'>",
    "[r]: javascript:x\n", "[r]", "<iframe srcdoc=x>", "<form action=x><button formaction=javascript:x>", "\u202e",
    "<img src=x onerror=x>",
]  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES) | st.text(st.characters(codec="utf-8"), max_size=5), max_size=12).map(
    "".join
)
TAG = re.compile(r"<(/?)([a-z0-9]+)((?: [a-z]+=\"[^\"<>]*\")*)>")


def allowed_only(html):
    """Every `<` begins a tag of a known element with known attributes, each with a known kind of address."""
    for piece in html.split("<")[1:]:
        found = TAG.match("<" + piece)
        assert found, piece
        attributes = dict(re.findall(r' ([a-z]+)="([^"]*)"', found[3]))
        assert attributes.keys() <= {"href", "rel", "start", "src", "alt"}
        assert attributes.get("href", X).lower().startswith(("https://", "http://", "mailto:"))
        assert attributes.get("src", "cid:").startswith("cid:")
        assert found[2] not in {"script", "style", "iframe", "form", "svg", "math", "input", "object"}
    assert "mentionable-trace" not in re.sub(r">[^<]*<", "><", f">{html}<")


@pytest.mark.parametrize("images", [{}, IMAGES], ids=["no images", "images"])
@given(text=HOSTILE | fragments | soup)
def test_no_text_makes_more_than_what_is_allowed(images, text):
    text = text.replace("\ud800", "")
    allowed_only(sanitize(text, images=images))
    allowed_only(markdown_to_html(text, images=images))
    allowed_only(plain_to_html(text))


@pytest.mark.uncounted
@pytest.mark.parametrize(
    ("before", "again", "after"),
    [
        ("", "<http://", ""),
        ("", "http://a.example/[", ""),
        ("", "http://a.example/'", ""),
        ("", "http://a(", ""),
        ("", "http://u:p@", ""),
        ("", "*a **b ", ""),
        ("", "*a **b ", "b** a*"),
        ("", "[", ""),
        ("", "![a](", ""),
        ("", "`a", ""),
        ("", "|a", ""),
        ("|a\n|-\n", "|b\n", ""),
        ("[a]: b\n\n", "[a]", ""),
        ("", "> a\n", ""),
        ("", "&", ""),
        (">" * 18 + "a\n", "a\n", ""),
    ],
)
def test_the_work_grows_with_the_length(before, again, after):
    def all_three(text):
        return plain_to_html(text), markdown_to_html(text), sanitize(text)

    time_grows_linearly(all_three, lambda size: before + again * size + after, size=100, largest=1 << 10)


EMPTY_TABLE = "|a" * 256 + "|\n" + "|-" * 256 + "|\n" + "|\n" * 256 + "\n"


@pytest.mark.parametrize("many", [1, 4, 64])
def test_rows_that_nobody_wrote_are_not_filled_up(many):
    text = EMPTY_TABLE * many
    assert len(markdown_to_html(text)) < 8 * len(text)
    assert markdown_tokens(text) is None
    assert markdown_tokens(f"> {text}".replace("\n", "\n> ")) is None


def test_a_table_that_somebody_wrote_stays_one():
    table = "| a | b |\n| --- | :-: |\n| 1 | 2 |\n| 3 |\n\nAfter | it."
    assert "<table>" in markdown_to_html(table)
    wide = "|" + "x|" * 60 + "\n|" + "-|" * 60 + "\n" + ("|" + "y|" * 60 + "\n") * 40
    assert "<table>" in markdown_to_html(wide)


def test_the_pieces_of_markdown_have_their_names_and_targets():
    paragraph, inline, end = markdown_tokens("[a](https://a.example/) *b*")
    assert (paragraph.kind, inline.kind, end.kind) == ("paragraph_open", "inline", "paragraph_close")
    assert [piece.url for piece in inline.children if piece.kind == "link_open"] == ["https://a.example/"]
    assert markdown_tokens("3. x")[0].start == 3


def test_what_is_shown_as_plain_text_has_no_pieces():
    assert markdown_tokens("a" * (MAX_RENDERED + 1)) is None
    assert markdown_tokens(">" * 200 + "a") is None
