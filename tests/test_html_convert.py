"""HTML as text and as Markdown: what each element becomes."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from mentionable._html import tokens as _html_tokens
from mentionable._html.convert import html_to_markdown, html_to_text

MASTODON_LINK = (
    '<a href="https://news.example/2026/11/a-rather-long-path"><span class="invisible">https://</span>'
    '<span class="ellipsis">news.example/2026/11/a-rather-</span><span class="invisible">long-path</span></a>'
)
MENTION = (
    '<span class="h-card"><a href="https://agents.example/@weather" class="u-url mention">@<span>weather</span></a>'
)
HASHTAG = '<a href="https://social.example/tags/weather" class="mention hashtag" rel="tag">#<span>weather</span></a>'


def rendered(markdown: str) -> str:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("plain & simple", "plain & simple"),
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("a<br>b<BR/>c<br />d<br class='x'>e</br>f", "a\nb\nc\nd\ne\nf"),
        ("a<br><br><br><br>b", "a\n\nb"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<div>a</div><div><br></div><div>b</div>", "a\n\nb"),
        ("<p> a \n b </p>\n <p>\tc</p>", "a b\n\nc"),
        ("a <b> b</b> c", "a b c"),
        ("<p>a</p><p>&nbsp;</p><p>&#160;b</p>", "a\n\n\N{NO-BREAK SPACE}b"),
        ("a&#10;b&#9;c", "a b c"),
        ("<h1>Head</h1>text", "Head\n\ntext"),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("in<wbr>dis<b>crim</b>i\u00adna\u200bte", "indiscrimi\u00adna\u200bte"),
        ('<p dir="rtl">שלום <bdi>bob</bdi> עולם</p>', "שלום bob עולם"),
        ("<P CLASS=x>a</P><SPAN>b</SPAN><Unknown-Tag x>c</unknown-tag>", "a\n\nbc"),
        ("<b>a<i>b</b>c</i>d</p></div></ul></li></blockquote>", "abcd"),
        ('<p title="a > b" data-x=\'<br>\'>c</p>', "c"),
        ("1 < 2 and 3 <4, x <y, I <3 <i>you</i>", "1 < 2 and 3 <4, x <y, I <3 you"),
        ('<p title="never closed>still</p> here', "still\n\nhere"),
        ("a\0b\x01c", "ab\x01c"),
        ("a<!-- b -->c<!--> --d--><!-- e --!>f<!---->g<!-- never closed", "ac --d-->fg"),
        ("<!DOCTYPE html><?xml version='1'?>a</ >b</3>c", "abc"),
        ("<![CDATA[<b> & &amp; ]] </b>]]>c", "<b> & &amp; ]] </b>c"),
        ("a <![CDATA[]]>b<![CDATA[never <closed>", "a bnever <closed>"),
        ("<head><title>x</title><style>p{}</style></head>a<SCRIPT>if (a<b) '</p>'</SCRIPT >b", "ab"),
        ("a<template>b<template>c</template>d</template>e<iframe><p>f</iframe>g", "aeg"),
        ("a<template>never closed", "a"),
        ("a<script/>still script", "a"),
        ("<scripted>a</scripted><titles>b", "ab"),
        ("<noscript>kept</noscript>", "kept"),
        ("<math><mi>x</mi><mo>=</mo><mn>2</mn><annotation encoding='x'>x=2</annotation></math>", "x=2"),
        ("a<annotation>never closed<p>b</p>c", "a\n\nb\n\nc"),
        ("<svg><title>not shown</title><text>shown</text></svg>", "shown"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby><ruby>字<rt>ji</rt></ruby>", "漢(kan)字(ji)"),
        ("H<sub>2</sub>O, 10<sup>6</sup>, 1<sup>st</sup>, <sup>2</sup>, a<sup></sup>", "H2O, 10^6, 1st, 2, a"),
        ("a<sup><br>2</sup>", "a\n2"),
        ("<q>word</q> <q> word </q>", "“word” “ word ”"),
        ("at <s>five</s> <del> six</del> <strike></strike>seven", "at ~~five~~ ~~six~~ seven"),
        ("<s><p>a</p><p>b </p></s>c<s>d", "~~a\n\nb~~\n\nc~~d~~"),
        ("a<s> </s><br>b", "a\nb"),
        ("<s>a<del>b</del></s>c", "~~ab~~c"),
        ("<dl><dt>Term<dd>Meaning</dl><details><summary>More</summary>text</details>", "Term\nMeaning\n\nMore\ntext"),
        ("<p class='quote-inline'>RE: <a href='https://a.example/1'>a.example/1</a></p><p>b</p>",
         "RE: https://a.example/1\n\nb"),
        ('nice <img class="custom-emoji" alt=":blobcat:" src="https://x.example/1"><img src="x"><img alt="A &amp; B">',
         "nice :blobcat:A & B"),
        ("<img alt='&amp;lt;'>", "&lt;"),
    ],
)  # fmt: skip
def test_text_of_html(html, text):
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("&lt;b&gt; &amp;amp; &quot;&#39;&apos;", "<b> &amp; \"''"),
        ("Z&uuml;rich &Zuuml; &nosuch; & &", "Zürich &Zuuml; &nosuch; & &"),
        ("AT&ampT &copy 2026", "AT&T © 2026"),
        ("&#x1F600;&#128512;&#X1f600", "😀😀😀"),
        ("&#000000000000065;&#x00000000041;", "AA"),
        ("&#" + "9" * 5000 + ";&#x" + "f" * 5000 + ";", "\N{REPLACEMENT CHARACTER}" * 2),
        ("&#" + "0" * 5000 + "65;", "A"),
        ("&#xD800;&#0;&#x110000;", "\N{REPLACEMENT CHARACTER}" * 3),
        ("a&#1;b &#1;", "ab"),
        ("&#128;", "€"),
        ("&#;&#x;", "&#;&#x;"),
        ("a  b &amp;\n c", "a b & c"),
        ("a&#32;&#32;b&#9;&#10;c", "a b c"),
        ("\ud800", "\ud800"),
    ],
)
def test_character_references(html, text):
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (MASTODON_LINK, "https://news.example/2026/11/a-rather-long-path"),
        (f"{MENTION} {HASHTAG}", "@weather #weather"),
        ("<a rel='nofollow tag' href='https://x.example/t/a'>a</a>", "a"),
        ("<a class='a mention' href='https://x.example/a'>b</a>", "b"),
        ("<a class=mention href=https://x.example/a>b</a>", "b"),
        ("<a class='mentions' href='https://x.example/a'>b</a>", "b (https://x.example/a)"),
        ("<a class='x' href='https://x.example/?tag'>b</a>", "b (https://x.example/?tag)"),
        ('<a title="class=mention" href="https://x.example/a">b</a>', "b (https://x.example/a)"),
        ("see <a href='https://x.example/a?b=1&amp;copy=2&copy=3'>this </a>now",
         "see this (https://x.example/a?b=1&copy=2&copy=3) now"),
        ("<a HREF = https://x.example/a/>this</a>", "this (https://x.example/a/)"),
        ("<a / =odd href href='https://x.example/a'>this</a>", "this"),
        ("<a name='x'>this</a>", "this"),
        ("<a href='https://x.example/'>X.example</a>", "https://x.example/"),
        ("<a href='https://x.example/long/path'>x.example/long…</a>", "https://x.example/long/path"),
        ("<a href='https://x.example/long/path'>https://x.example/l...</a>", "https://x.example/long/path"),
        ("<a href='https://x.example/long/path'>y.example/long…</a>", "y.example/long… (https://x.example/long/path)"),
        ("<a href='https://x.example/long/path'>more…</a>", "more… (https://x.example/long/path)"),
        ("<a href='mailto:bob@x.example?subject=a'>bob@x.example</a>", "bob@x.example"),
        ("<a href='mailto:bob@x.example'>Bob</a>", "Bob (bob@x.example)"),
        ("<a href='javascript:alert(1)'>a</a><a href='data:text/html,x'>b</a><a href='/c'>c</a><a href='https://'>d</a>",
         "abcd"),
        ("<a href=' https://x.example/a b\n\"&lt;c '>d</a>", "d (https://x.example/a%20b%22%3Cc)"),
        ("<a href='https://x.example/a'><img alt='Logo'></a>", "Logo (https://x.example/a)"),
        ("a <a href='https://x.example/a'></a> b", "a https://x.example/a b"),
        ("<a href='https://x.example/a'><p>a</p><p>b</p></a><p>c", "a\n\nb (https://x.example/a)\n\nc"),
        ("<a href='https://x.example/a'>a<a href='https://x.example/b'>b", "a (https://x.example/a)b (https://x.example/b)"),
        ("<p>a</p><a href='https://x.example/a'>https://x.example/a </a> b", "a\n\nhttps://x.example/a b"),
        ("a<a href='https://x.example/a'>b<b> </b></a>c", "ab (https://x.example/a) c"),
    ],
)  # fmt: skip
def test_links_in_text(html, text):
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a<ul><li>b</li><li>c<ul><li>d</ul><li>e</ul>f", "a\n\n- b\n- c\n  - d\n- e\n\nf"),
        ("<ol start=9><li>a<li>b<li value=20>c<li>d</ol>", "9. a\n10. b\n20. c\n21. d"),
        ("<ol start=-1><li value=x>a</ol><ol start='999999999'><li>b<li>c</ol>", "1. a\n\n999999999. b\n999999999. c"),
        ("<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>", "- a\n\n  b\n- c"),
        ("<ol><li>a<ul><li>b</ul></ol>", "1. a\n   - b"),
        ("<ul><li><ul><li>a</ul></ul>", "- - a"),
        ("<ul><li></li><li> </li><li>a</ul>b", "- a\n\nb"),
        ("<ol><li></li><li>a</ol>", "2. a"),
        ("<li>a<li>b", "- a\n- b"),
        ("<ul><li>a</ul></ul></ul><ul><li>b", "- a\n\n- b"),
        ("<menu><li>a</menu>", "- a"),
        (
            "<blockquote><p>a</p><p>b<br>c</p><blockquote>d</blockquote></blockquote>e",
            "> a\n>\n> b\n> c\n>\n> > d\n\ne",
        ),
        ("<ul><li><blockquote>a</blockquote>b</ul>", "- > a\n\n  b"),
        ("<blockquote><ul><li>a<li>b</ul></blockquote>", "> - a\n> - b"),
        ("<ul><li>a<blockquote></blockquote>b</ul>", "- a\n\n  b"),
        ("<blockquote><ul><li>a</blockquote>b", "> - a\n\nb"),
        ("<ul><li>a<blockquote><li>b</blockquote></ul>", "- a\n\n  > - b"),
    ],
)
def test_lists_and_quotations_in_text(html, text):
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<pre>\n  a\n    b  c\n\n</pre>d", "  a\n    b  c\n\nd"),
        ("a<pre><code>x &lt; y<br>z</code></pre>", "a\n\nx < y\nz"),
        ("<pre>a\r\nb\rc</pre>", "a\nb\nc"),
        ("<blockquote><pre>a\n\nb</pre></blockquote>", "> a\n>\n> b"),
        ("<blockquote><pre>a b</pre></blockquote>", "> a b"),
        ("a<pre> \n </pre>b", "ab"),
        ("<pre>see <a href='https://x.example/a'>this</a> <a href='https://x.example/b'>x.example/b</a></pre>",
         "see this (https://x.example/a) x.example/b"),
        ("<pre><a href='https://x.example/a'></a></a> <img alt='A'><img> 1 <2 <![CDATA[<b>]]></pre>",
         "https://x.example/a A 1 <2 <b>"),
        ("<pre>never <b>closed", "never closed"),
        ("<pre><a class='mention' href='https://x.example/b'>@bob</a></pre>", "@bob"),
        ("<textarea>a  b</textarea><xmp>c  d</xmp>", "a  b\n\nc  d"),
        ("<code>a  b</code>", "a b"),
        ("<a href='https://x.example/a'>a<pre>b</pre></a>", "a (https://x.example/a)\n\nb"),
    ],
)  # fmt: skip
def test_preformatted_text(html, text):
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>c", "a\tb\n1\t2\n\nc"),
        ("<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>", "a\tb"),
        ("<table><tr><td></td><td>b</td></tr><tr><td>c</td><td></td><td>d</td></tr></table>", "\tb\nc\t\td"),
        ("<table><tr><td></td><td></td></tr><tr><td>a</table>b", "a\n\nb"),
        ("<table><tr><td>a<td></tr></table>b", "a\n\nb"),
        ("<table><tr><td>a<br>b</td><td>c</td></tr></table>", "a\nb\nc"),
        ("<table><tr><td>a </td> <td> b</td></tr></table>", "a\tb"),
        ("<table><tr><td><table><tr><td>a</table><td>b</table>", "a\tb"),
        ("<table><caption>A</caption><thead><tr><th>b</thead><tbody><tr><td>c</tbody></table>", "A\nb\nc"),
        ("<table><tr><td>a<td><ul><li>b</ul></table>", "a\n\n- b"),
        ("<table><tr><td>a<td><pre>b</pre></table>", "a\n\nb"),
        ("<table><tr><td>a<td><hr>b</table>", "a\n\n---\n\nb"),
        ("<table><tr><td><td><p>a</table>", "\ta"),
    ],
)
def test_tables_in_text(html, text):
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>a</p><p>b<br>c</p>d", "a\n\nb\\\nc\n\nd"),
        ("<div>a</div><div>b</div>", "a\\\nb"),
        ("a&nbsp;b &lt;i&gt; <![CDATA[*]]>", "a\N{NO-BREAK SPACE}b \\<i> \\*"),
        ("<p>a</p><p>&nbsp;</p>\n<p> </p>b", "a\n\nb"),
        ("<h1>One # two #</h1><h2></h2><h3>three<br>four</h3>five", "# One \\# two \\#\n\n### three four\n\nfive"),
        ("<h1>a<p>b</p>c", "# a\n\nb\n\nc"),
        ("<h1>a<h2>b</h2>", "# a\n\n## b"),
        ("<h1><h2>a</h2>", "# a"),
        ("<h1></h1><ul><li>a</ul><h1><ul><li>b</ul></h1>", "- a\n\n- b"),
        ("<ul><li><h2>a</h2>b</ul>", "- ## a\n\n  b"),
        ("<h1><pre>a</pre></h1><h2><hr></h2>", "```\na\n```\n\n***"),
        ("a<hr>b", "a\n\n***\n\nb"),
        (
            "<b>a</b> <strong>b</strong>, <i>c</i>; <em>d</em> <cite>e</cite> <s>f</s>",
            "**a** **b**, *c*; *d* *e* ~~f~~",
        ),
        ("<b><i>a</i></b> <b><i>a</i> b</b> <b>a <i>b</i></b>", "***a*** ***a* b** **a *b***"),
        ("x<b> a </b>y <b></b><b> </b>z", "x **a** y z"),
        ("un<b>break</b>able <b>(a)</b>b <i>a</i>b (<i>c</i>)", "unbreakable (a)b ab (*c*)"),
        ("<b>&nbsp;a</b>", "\N{NO-BREAK SPACE}a"),
        ("<b>a<b>b</b>c</b> d</b>", "**abc** d"),
        ("<b>a<br>b<p>c</b></p>d", "**a**\\\n**b**\n\n**c**\n\nd"),
        ("<b>never closed", "**never closed**"),
        ("<del>old</del><ins>new</ins> un<s>break</s>able", "~~old~~new un~~break~~able"),
        ("<s>a</s><s>b</s>c<s>.</s>", "~~a~~\\~\\~b\\~\\~c\\~\\~.\\~\\~"),
        ("<b>a <i>b</b> c</i>", "**a *b** c*"),
        (
            "2 * 3 [a](b) <b>!</b> _a_ a_b_c `d` ~~e~~ ~5 \\",
            "2 \\* 3 \\[a\\](b) **!** \\_a\\_ a_b_c \\`d\\` \\~~e\\~~ ~5 \\\\",
        ),
        ("&amp;amp; AT&amp;T R&amp;D; a &lt;b&gt; 1 &lt; 2", "\\&amp; AT&T R\\&D; a \\<b> 1 < 2"),
        ("<b>a<b> ", "**a**"),
        ("<table><tr><th>a<th>b<tr><td>1<td>2", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
    ],
)
def test_markdown_of_html(html, markdown):
    assert html_to_markdown(html) == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("1. a", "1\\. a"),
        ("<span>12</span>) a", "12\\) a"),
        ("# a", "\\# a"),
        ("#a -5 +1", "#a -5 +1"),
        ("- a", "\\- a"),
        ("+", "\\+"),
        ("-<span>5</span>", "-5"),
        ("&gt; a", "\\> a"),
        ("a<br>===", "a\\\n\\==="),
        ("a<br>---", "a\\\n\\---"),
        ("a | b<br>:-- | --", "a | b\\\n\\:-- | --"),
        ("<ul><li>- a<li>1. b</ul>", "- \\- a\n- 1\\. b"),
        ("2026 was good", "2026 was good"),
    ],
)
def test_no_line_of_text_becomes_a_block_of_markdown(html, markdown):
    assert html_to_markdown(html) == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (MASTODON_LINK, "<https://news.example/2026/11/a-rather-long-path>"),
        (f"{MENTION} {HASHTAG}", "@weather #weather"),
        ("see <a href='https://x.example/a?b=1&amp;c=2'>this </a>now", "see [this](https://x.example/a?b=1&c=2) now"),
        ("<a href='https://x.example/a_(b)'>a [b]</a>", "[a \\[b\\]](<https://x.example/a_(b)>)"),
        ("<a href='https://x.example/)[x](javascript:y'>a</a>", "[a](<https://x.example/)[x](javascript:y>)"),
        ("<a href='https://x.example/>)&#10;*`|\\'>a</a>", "[a](<https://x.example/%3E)*%60%7C%5C>)"),
        ("<a href='https://x.example/?&amp;copy;'>a</a>", "[a](https://x.example/?&amp;copy;)"),
        ("<a href='https://x.example/?&amp;copy;'></a>", "[https://x.example/?\\&copy;](https://x.example/?&amp;copy;)"),
        ("<a href='javascript:alert(1)'>a</a> <a href='data:x,y'>b</a>", "a b"),
        ("<a href='mailto:bob@x.example'>bob@x.example</a>", "<bob@x.example>"),
        ("<a href='mailto:bob@x.example?a=b'>bob@x.example</a>", "[bob@x.example](mailto:bob@x.example?a=b)"),
        ("<a href='mailto:bo\"b@x.example'>Bob</a>", "[Bob](mailto:bo%22b@x.example)"),
        ("<a href='mailto:bob@x.example,al@x.example'></a>",
         "[bob@x.example,al@x.example](mailto:bob@x.example,al@x.example)"),
        ("wow!<a href='https://x.example/a'>a</a> wow! <a href='https://x.example/a'>a</a>",
         "wow\\![a](https://x.example/a) wow! [a](https://x.example/a)"),
        ("a <a href='https://x.example/a'></a><a href='https://x.example/b'> </a>b",
         "a <https://x.example/a> <https://x.example/b>b"),
        ("<a href='https://x.example/a'><h3>A</h3><p>b</p></a>", "### [A](https://x.example/a)\n\n[b](https://x.example/a)"),
        ("<b>a <a href='https://x.example/a'>b</a></b>", "**a [b](https://x.example/a)**"),
        ("<a href='https://x.example/a'><b>a<br>b</b> </a>", "[**a**](https://x.example/a)\\\n[**b**](https://x.example/a)"),
        ("<b>a <a href='https://x.example/a'>b</b> c</a>", "**a** [b c](https://x.example/a)"),
        ("<b>a<a href='https://x.example/a'> b</b> c</a>", "**a** [b c](https://x.example/a)"),
        ("<b>a <a href='https://x.example/a'>b<br>c</a></b>",
         "**a [b](https://x.example/a)**\\\n**[c](https://x.example/a)**"),
        ("<a href='https://x.example/a'><b>x.example/a</a> b</b>", "<https://x.example/a> b"),
        ("<a href='https://x.example/a'>a <b>b</a> c</b>", "[a b](https://x.example/a) c"),
        ("a<b> </b><a href='https://x.example/a'> <i> </i>b<i> </i></a>c", "a [b](https://x.example/a) c"),
        ("<a href='https://x.example/a'> x.example/a </a>b", "<https://x.example/a> b"),
    ],
)  # fmt: skip
def test_links_in_markdown(html, markdown):
    assert html_to_markdown(html) == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("a <code>b</code> <kbd>c`d</kbd> <code>`</code>", "a `b` ``c`d`` `` ` ``"),
        ("a<code> b </code>c<code></code>", "a `b` c"),
        ("<code>a</code><code>b</code>", "`a` `b`"),
        ("<code>a<br>b  c</code>", "`a`\\\n`b c`"),
        ("<code>a<p>b</p></code>c", "`a`\n\nb\n\nc"),
        ("<code>*a* &lt;b&gt;</code>", "`*a* <b>`"),
        ("<b>a</b><code>b</code>", "**a**`b`"),
        ("<pre>a\n  *b*</pre>c", "```\na\n  *b*\n```\n\nc"),
        ("<pre><code class='x language-python'>a</code></pre><pre>b</pre>", "```python\na\n```\n\n```\nb\n```"),
        ("<pre><code class='language-a`b'>a</code></pre>", "```\na\n```"),
        ("<pre>a ```` b</pre>", "`````\na ```` b\n`````"),
        ("<ul><li>a<pre>b\n\nc</pre></ul>", "- a\n\n  ```\n  b\n\n  c\n  ```"),
        ("<b>a<pre>b</pre>c</b>", "**a**\n\n```\nb\n```\n\nc"),
        ("<table><tr><td>a<td><pre>b</pre></table>", "a\n\n```\nb\n```"),
    ],
)
def test_code_in_markdown(html, markdown):
    assert html_to_markdown(html) == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<ul><li>a<ul><li>b</ul><li>c</ul>d", "- a\n  - b\n- c\n\nd"),
        ("<ul><li>a<ul><li>b</ul>c</ul>", "- a\n  - b\n\n  c"),
        ("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b"),
        ("<ul><li>a<ol><li>b</ol></ul>", "- a\n  1. b"),
        ("<blockquote>a<p>b</p></blockquote>c", "> a\n>\n> b\n\nc"),
        ("<table><tr><th>a<th>b|c<tr><td>1<td><p>2</p><p>3</p></table>d",
         "| a | b\\|c |\n| --- | --- |\n| 1 | 2 3 |\n\nd"),
        ("<table><caption>A</caption><tr><td></td><th>b</th></tr><tr><th>c</th><td>d</td></tr></table>",
         "A\n\n|  | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><th>a</tr><tr><td>1<td>2</table>", "| a |  |\n| --- | --- |\n| 1 | 2 |"),
        ("<table><tr><td>a<td>b</table>c", "a\tb\n\nc"),
        ("<table><tr><td><td>b</table>c", "b\n\nc"),
        ("<table><tr><th></table>a", "a"),
        ("<table><tr><th>a<ul><li>b<li>c</ul><pre>d</pre><hr>e<h2>f</h2></table>",
         "| a b c `d` e f |\n| --- |"),
        ("<table><tr><th>a<table><tr><th>b<td>c</table>d</table>e", "| a b c d |\n| --- |\n\ne"),
        ("<table><tr><th><b>a<a href='https://x.example/a'>b</table>c",
         "| **a[b](https://x.example/a)** |\n| --- |\n\nc"),
        ("<table><tr><th>a</th>b<tr>c</table>", "| ab |\n| --- |\n| c |"),
        ("<ul><li><table><tr><th>a<tr><td>b<br>c</table></ul>", "- | a |\n  | --- |\n  | b c |"),
        ("<a href='https://x.example/a'><table><tr><th>a</table>", "<https://x.example/a>\n\n| a |\n| --- |"),
        ("<h1>a<table><tr><th>b</table>", "# a\n\n| b |\n| --- |"),
        ("<table><tr><td>a<td><table><tr><th>b</table>", "a\n\n| b |\n| --- |"),
        ("<table><tr><td>a<td><h2>b</h2></table>", "a\n\n## b"),
        ("<table><tr><td>a<td><b>b</b></table>", "a\t**b**"),
    ],
)  # fmt: skip
def test_blocks_in_markdown(html, markdown):
    assert html_to_markdown(html) == markdown


def test_a_hostile_link_stays_within_its_brackets():
    html = '<a href="https://x.example/)](javascript:alert(1)) <img src=x onerror=y> [a](b">click</a>'
    assert rendered(html_to_markdown(html)).count("<a ") == 1
    assert "<img" not in rendered(html_to_markdown(html))


def test_prefixes_are_bounded_however_deep_lists_and_quotations_are():
    deep = html_to_text("<blockquote>" * 40 + "a<br>b" + "</blockquote>" * 40 + "<p>c</p>")
    assert deep == "> > > > > > > > a\n> > > > > > > > b\n\nc"
    listed = html_to_text("<ol><li>a" * 40 + "</ol>" * 40 + "c").splitlines()
    assert max(map(len, listed)) <= 16 + len("1. a")
    assert listed[-1] == "c"


def test_containers_beyond_the_bound_do_not_close_those_within_it():
    html = "<ul><li>" * 20 + "a" + "</ul>" * 19 + "<li>b</ul>c"
    assert html_to_text(html).splitlines()[-3:] == ["- b", "", "c"]


def test_a_whole_mastodon_note_in_both_forms():
    note = (
        f"<p>{MENTION}</span> will it rain in Z&uuml;rich &amp; Gen&egrave;ve?<br />I need to decide</p>"
        f"<p>see {MASTODON_LINK} {HASHTAG}</p>"
    )
    assert html_to_text(note) == (
        "@weather will it rain in Zürich & Genève?\nI need to decide\n\n"
        "see https://news.example/2026/11/a-rather-long-path #weather"
    )
    assert html_to_markdown(note) == (
        "@weather will it rain in Zürich & Genève?\\\nI need to decide\n\n"
        "see <https://news.example/2026/11/a-rather-long-path> #weather"
    )


def test_named_references_are_those_of_html() -> None:
    assert _html_tokens._characters.__wrapped__()["amp;"] == "&"


def test_tags_are_found_with_their_places():
    html = "a<p class=x>b<br/><!-- <i> --><script><u></script></P >c<a href='>'"
    found = [(name, attributes, html[start:end]) for name, attributes, start, end in _html_tokens.tags(html)]
    assert found == [
        ("p", " class=x", "<p class=x>"),
        ("br", "/", "<br/>"),
        ("/script", "", "</script>"),
        ("/P", " ", "</P >"),
    ]


def test_text_is_escaped_for_elements_and_attributes():
    assert _html_tokens.escape('<a href="x">\'&amp;') == "&lt;a href=&quot;x&quot;&gt;'&amp;amp;"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (f"<a {'b=1 ' * 1000}>x</a>", "x"),
        (f"<a {'b=1 ' * 1001}>x</a>", f"<a {'b=1 ' * 1001}>x"),
        (f"<a {'b ' * 999}href=https://x.example/>x</a>", "x (https://x.example/)"),
        (f"<a {'b ' * 1000}href=https://x.example/>x</a>", "x (https://x.example/)"),
        (f"<a {'b ' * 1001}href=https://x.example/>x</a>", "x (https://x.example/)"),
        (f"<a href=https://x.example/ class='{'b ' * 1000}mention'>x</a>", "x"),
        (f"<a href=https://x.example/ class='{'b ' * 1001}mention'>x</a>", "x (https://x.example/)"),
        (f"a<script>{'<' * 5000}<b></script >b", "ab"),
        (f"a<script>{'<' * 5000}<b>", "a"),
        (f"a<!--{'- ' * 5000}--!>b", "ab"),
        (f"a<!--{'- ' * 5000}", "a"),
        (f"a<![CDATA[{'] ' * 5000}]]>b", f"a{'] ' * 5000}b"),
        (f"a<![CDATA[<b>{'] ' * 5000}", f"a<b>{'] ' * 5000}".rstrip()),
    ],
)
def test_what_one_tag_or_comment_may_repeat_is_bounded(html, text):
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<a b="x>y" c>z</a>', "z"),
        ('<a b="x>y c>z</a>', "y c>z"),
        ('<a b="x>y" c', '<a b="x>y" c'),
        ("<a b='x>y\" c='>z", "z"),
        ("<a b=\"x>y' c='>z'>", "y' c='>z'>"),
        ('<a b="x"c="<p>"<p>z', '<a b="x"c="<p>"\n\nz'),
        ("<a b= href=https://x.example/>x</a>", "x"),
        ('<a b="href=https://y.example/" href=https://x.example/>x</a>', "x (https://x.example/)"),
        ('<a b="href=https://y.example/>x</a>', "x"),
    ],
)
def test_a_tag_is_read_in_one_way_alone(html, text):
    assert html_to_text(html) == text
