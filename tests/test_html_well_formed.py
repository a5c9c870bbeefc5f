"""HTML from anyone as the little of it that is safe to show."""

from __future__ import annotations

import nh3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable._html.tokens import tokens
from mentionable._html.well_formed import ELEMENTS, neutralize, well_formed
from tests.linearity import time_grows_linearly
from tests.test_html_laws import fragments, soup

X = "https://x.example/"
JUDGE = nh3.Cleaner(
    tags=set(ELEMENTS),
    attributes={"a": {"href"}, "ol": {"start"}, "img": {"src", "alt"}},
    url_schemes={"http", "https", "mailto", "cid"},
    link_rel=None,
)
"""Parses as a browser does, and so shows whether anything was left to repair."""


def safe(html):
    return well_formed(html, images={"a.png": "cid:1@h.example"})


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("", ""),
        ("a &amp; b &lt;i&gt; &copy; &", "a &amp; b &lt;i&gt; © &amp;"),
        ("a < b <i", "a &lt; b &lt;i"),
        ("a <![CDATA[<b>]]>c", "a &lt;b&gt;c"),
        ("<!-- a -->b<!doctype html><?x?>c", "bc"),
        ("<script>a</script><style>b</style><title>c</title><iframe>d</iframe>e", "e"),
        ("<template>a<b>b<template>c</template>d</template>e</template>f", "ef"),
        ("<form><input value=a><svg><text>b</text></svg></form>", "b"),
        ("<P CLASS=a ONCLICK=b STYLE=c>a</P>", "<p>a</p>"),
        ("<b>a", "<b>a</b>"),
        ("<b>a</i></b></b>c", "<b>a</b>c"),
        ("<b><i>a</b>c</i>", "<b><i>a</i></b>c"),
        ("<p>a<p>b<div>c<p>d</div>e", "<p>a</p><p>b</p><div>c<p>d</p></div>e"),
        ("<p><b>a<p>b", "<p><b>a</b></p><p>b</p>"),
        ("<p>a<hr>b<br>c</br>", "<p>a</p><hr>b<br>c"),
        ("<ul><li>a<li>b<ol><li>c</ol><li>d</ul>", "<ul><li>a</li><li>b<ol><li>c</li></ol></li><li>d</li></ul>"),
        ("<dl><dt>a<dd>b<dt>c<dl><dt>d</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c<dl><dt>d</dt></dl></dt></dl>"),
        ("<ruby>a<rp>(<rt>b<rp>)</ruby>", "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>"),
        ("<h1>a<h2>b<h3><b>c<h4>d", "<h1>a</h1><h2>b</h2><h3><b>c<h4>d</h4></b></h3>"),
        ('<ol start="3"><li>a</ol>', '<ol start="3"><li>a</li></ol>'),
        ("<ol start='3 onclick=x'><li>a</ol>", "<ol><li>a</li></ol>"),
    ],
)
def test_elements_are_known_closed_and_in_place(html, shown):
    assert safe(html) == shown


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<td>a</td><tr>b", "ab"),
        ("<table>\n<tr> <td>a</td> </tr>\n</table>", "<table><tr><td>a</td></tr></table>"),
        ("<table><td>a<th>b<tr><td>c</table>d", "<table><tr><td>a</td><th>b</th></tr><tr><td>c</td></tr></table>d"),
        (
            "<table><caption>a<thead><tr><th>b<tbody><td>c",
            "<table><caption>a</caption><thead><tr><th>b</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>",
        ),
        ("<table>a<tr>b<b>c</table>", "<table><tr><td>a</td></tr><tr><td>b<b>c</b></td></tr></table>"),
        ("<table><div>a</div><br>", "<table><tr><td><div>a</div><br></td></tr></table>"),
        ("<table><tr><img alt=''><img alt=' '></table>", "<table><tr></tr></table>"),
        ("<table><tr><img src=cid:a.png>", '<table><tr><td><img src="cid:1@h.example" alt=""></td></tr></table>'),
        (
            "<b><table><td></b></p><p>a<td>b</table></b>c",
            "<b><table><tr><td><p>a</p></td><td>b</td></tr></table></b>c",
        ),
        (
            "<table><td><table><td>a</table></td></tr></tbody><td>b</table>",
            "<table><tr><td><table><tr><td>a</td></tr></table></td></tr><tr><td>b</td></tr></table>",
        ),
        ("<table><td>a</thead>b<p>c</table>", "<table><tr><td>ab<p>c</p></td></tr></table>"),
    ],
)
def test_tables_are_rows_of_cells(html, shown):
    assert safe(html) == shown


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        (f"<a href={X} target=x ping={X}>a</a>", f'<a href="{X}">a</a>'),
        (f"<a href={X}>a<a href={X}b>c", f'<a href="{X}">a</a><a href="{X}b">c</a>'),
        ('<a href="https://x.example/?a=1&amp;b=&quot;">a</a>', '<a href="https://x.example/?a=1&amp;b=%22">a</a>'),
        ("<a href='mailto:bob@x.example'>a</a>", '<a href="mailto:bob@x.example">a</a>'),
        ("<a href='mailto:bob&#x202e;@x.example'>a</a>", '<a href="mailto:bob%E2%80%AE@x.example">a</a>'),
        ("<a href=javascript:alert(1)>a</a>", "a"),
        ("<a href='java\nscript:alert(1)'>a</a>", "a"),
        ("<a href='&#1;javascript:alert(1)'>a</a>", "a"),
        ("<a href='data:text/html,x'>a</a><a href='//x.example'>b</a><a href=/c>c</a><a name=d>d</a>", "abcd"),
        ("<a href='https://good.example@evil.example/'>a</a>", "a"),
        ("<a href='cid:a.png'>a</a>", "a"),
    ],
)
def test_links_lead_to_the_web_or_to_a_mailbox(html, shown):
    assert safe(html) == shown


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<img src=cid:a.png alt='a \"b\" <c>'>", '<img src="cid:1@h.example" alt="a &quot;b&quot; &lt;c&gt;">'),
        ("<img src=CID:a.png>", '<img src="cid:1@h.example" alt="">'),
        ("<img src=a.png alt=a>", "a"),
        ("<img src=cid:b.png alt='<script>'>", "&lt;script&gt;"),
        (f"<img src={X}rain.png onerror=alert(1)>", f'<a href="{X}rain.png">{X}rain.png</a>'),
        (f"<img src={X}rain.png alt=rain>", f'<a href="{X}rain.png">rain</a>'),
        (f"<a href={X}><img src={X}rain.png alt=rain></a>", f'<a href="{X}">rain</a>'),
    ],
)
def test_images_that_travel_along_are_shown_and_others_are_links(html, shown):
    assert safe(html) == shown


@pytest.mark.parametrize("again", ["<b>", "<div>", "<ul><li>", "<table><td>", "<b></i>", "<svg><b>"])
def test_what_is_nested_too_deep_is_its_text(again):
    html = safe(again * 1_000 + "text")
    depth = most = 0
    for _, name, _, _ in tokens(html):
        depth += 0 if name is None else -1 if name[0] == "/" else 1
        most = max(most, depth)
    assert (depth, most <= 103, "text" in html) == (0, True, True)


def test_text_has_no_controls_and_nothing_that_turns_it_around():
    assert neutralize("plain") == "plain"
    assert neutralize("a\r\nb\tc\x00\x1b\x85d\u202ee\u2066f\u200dg") == "a\nb\tcdef\u200dg"
    assert safe("a&#x202e;b\u202ec&#1;") == "abc"


HOSTILE = st.lists(
    st.sampled_from([
        "<table>", "<tr>", "<td>", "</td>", "</table>", "<caption>", "<a href=https://x.example/>", "</a>", "<p>",
        "</p>", "<b>", "</b>", "<i>", "</i>", "<li>", "<ul>", "</ul>", "<h1>", "<h2>", "<svg>", "<math>", "<select>",
        "<template>", "</template>", "<plaintext>", "<textarea>", "<button>", "<form>", "<ruby>", "<rt>", "<dd>",
        "<dl>", "<hr>", "<br>", "<img src=cid:a.png>", "<img alt=x>", "<pre>", "<noscript>", "<![CDATA[", "<!--", "-->",
        "x", " ", "&lt;", "<a class='mentionable-trace' href=https://x.example/#e30>", "<div onclick=x style=y>",
    ]),
    max_size=30,
).map("".join)  # fmt: skip


@given(HOSTILE | fragments.map(neutralize) | soup.map(neutralize))
def test_what_comes_out_needs_no_repair(html):
    if "\ud800" in html:
        html = html.replace("\ud800", "")
    out = safe(html)
    judged = JUDGE.clean(out)
    for added in ("<tbody>", "</tbody>"):  # a parser puts rows into a body
        judged, out = judged.replace(added, ""), out.replace(added, "")
    assert judged.replace("&nbsp;", "\u00a0") == out.replace("&quot;", '"').replace("<pre>\n", "<pre>")


@pytest.mark.uncounted
@pytest.mark.parametrize(
    ("before", "again", "after"),
    [
        ("", "<div>", ""),
        ("<div>" * 99, "<b></i>", ""),
        ("<div>" * 99, "<p></q>", ""),
        ("<table>", "<b></b>", ""),
        ("<table>", "x<a></a>", ""),
        ("<div>" * 98 + "<table>", "<td>", ""),
        ("<p>" + "".join(f"<b id={number}>" for number in range(99)), "<p>x", ""),
        ("", f"<a href={X}>", ""),
        ("<a ", "a=1 ", ">"),
        ("", "&", ""),
        ("", "<template>", ""),
        ("", "<table><tr>", ""),
    ],
)
def test_the_work_grows_with_the_length(before, again, after):
    time_grows_linearly(safe, lambda size: before + again * size + after, largest=1 << 15)
