"""Text of Slack as agents read it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable._html.sanitize import markdown_to_html
from mentionable._text.mrkdwn import read_text
from mentionable.connectors.slack import markdown_to_mrkdwn, mrkdwn_to_markdown
from tests.linearity import steps_grow_linearly, time_grows_linearly

NAMES = {"U1": "Alice", "U2": "*Bob*"}


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("*bold* _it_ ~gone~ `code`", "**bold** _it_ ~~gone~~ `code`"),
        ("*_both_* _*both*_", "**_both_** _**both**_"),
        ("*a _b* c_", "**a \\_b** c\\_"),
        ("(*a*), *b*!", "(**a**), **b**!"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("a*b*c", "a\\*b\\*c"),
        ("* a* *b *", "\\* a\\* \\*b \\*"),
        ("**", "\\*\\*"),
        ("*a", "\\*a"),
        ("a* b*", "a\\* b\\*"),
        ("*a* b* *c*", "**a** b\\* **c**"),
        ("snake_case_name", "snake_case_name"),
        ("_a_b_", "_a_b_"),
        ("~~", "\\~\\~"),
        ("`a` `b", "`a` \\`b"),
        ("`a &lt; b &amp;`", "`a < b &`"),
        ("`<https://a.example/>` `<@U1>`", "`https://a.example/` `@Alice`"),
        ("`<https://a.example/|a&amp;b> x`", "`a&b x`"),
        ("a &amp;lt; &lt;b&gt; c", "a \\&lt; \\<b> c"),
        ("AT&amp;T &amp;copy; a&amp;b", "AT&T \\&copy; a&b"),
        ("a \\* b \\n", "a \\\\\\* b \\n"),
        ("[a](b) [c]", "[a\\](b) [c\\]"),
        ("# no title\n#hashtag\n####### seven", "\\# no title\n#hashtag\n####### seven"),
        ("a\n---\nb\n==", "a\n\\---\nb\n\\=="),
        (" - - -", "\\- - -"),
        ("::", "::"),
        (":wave: :+1:", ":wave: :+1:"),
        ("&gt; quoted *b*\nnot", "> quoted **b**\nnot"),
        ("&gt;&gt;&gt; all\nof *it*", "> all\n> of **it**"),
        ("> raw", "> raw"),
        ("a &gt; b", "a > b"),
        ("• one\n• *two*\n    ◦ three\n        ▪︎ four", "- one\n- **two**\n    - three\n        - four"),
        ("1. one\n2. two", "1. one\n2. two"),
        ("a\n```\nx = &lt;1&gt;\n```\nb", "a\n```\nx = <1>\n```\nb"),
        ("```x``` *b*", "```\nx\n```\n **b**"),
        ("a```b", "a\\`\\`\\`b"),
        ("```<https://a.example/> <@U1>```", "```\nhttps://a.example/ @Alice\n```"),
        ("``````", "```\n\n```"),
        ("", ""),
        ("\n\na\n", "\n\na\n"),
    ],
)
def test_markup_of_slack_is_markdown(text, markdown):
    assert mrkdwn_to_markdown(text, names=NAMES) == markdown


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("<@U1> <@U1|al> <@U9|carol> <@U9>", "@Alice @Alice @carol @U9"),
        ("<@U2>", "@\\*Bob\\*"),
        ("<@>", "@"),
        ("<#C1|general> <#C1> <#C1|>", "#general #C1 #C1"),
        ("<!here> <!channel> <!everyone> <!here|@here>", "@here @channel @everyone @here"),
        ("<!subteam^S1|@team> <!subteam^S1>", "@team @S1"),
        ("<!date^1392734382^{date}|18 Feb> <!date^1392734382^{date}>", "18 Feb 1392734382"),
        ("<https://a.example/?a=1&amp;b=2>", "<https://a.example/?a=1&b=2>"),
        ("<https://a.example/|the page>", "[the page](https://a.example/)"),
        ("<https://a.example/(x)|p_q>", "[p_q](https://a.example/%28x%29)"),
        ("<https://a.example/?a&amp;copy;|x>", "[x](https://a.example/?a\\&copy;)"),
        ("<http://a.example|a.example>", "a.example"),
        ("<https://a.example/|https://a.example/>", "<https://a.example/>"),
        ("<mailto:a@b.example|a@b.example> <mailto:a@b.example|Al>", "a@b.example [Al](mailto:a@b.example)"),
        ("<mailto:a@b.example>", "a@b.example"),
        ("<javascript:alert(1)|click> <nothing>", "click nothing"),
        ("<https://user:pw@a.example/|x>", "x"),
        ("<https://a.example/|a\u202eb>", "[ab](https://a.example/)"),
        ("<> <a\n b>", "<> \\<a\n b>"),
        ("*<@U1>* _<https://a.example/|x>_", "**@Alice** _[x](https://a.example/)_"),
    ],
)
def test_mentions_and_links_can_be_read(text, markdown):
    assert mrkdwn_to_markdown(text, names=NAMES) == markdown


@pytest.mark.parametrize(
    ("text", "content", "mime"),
    [
        ("a_b 2*3 # [x](y) \\ &lt;b&gt;", "a_b 2*3 # [x](y) \\ <b>", "text/plain"),
        ("<@U2> see <http://a.example|a.example>", "<@U2> see a.example", "text/plain"),
        ("• a\n&gt; b", "• a\n> b", "text/plain"),
        ("<mailto:a@b.example|a@b.example>", "a@b.example", "text/plain"),
        ("*a*", "**a**", "text/markdown"),
        ("`a`", "`a`", "text/markdown"),
        ("```a```", "```\na\n```", "text/markdown"),
        ("<https://a.example/|page>", "[page](https://a.example/)", "text/markdown"),
        ("*a", "*a", "text/plain"),
    ],
)
def test_what_was_typed_without_markup_stays_as_it_is(text, content, mime):
    assert read_text(text) == (content, mime)


PLAIN = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Cf", "Zl", "Zp"), blacklist_characters="*_~`<>&\u2022"),
    max_size=60,
)


@given(PLAIN)
def test_plain_text_is_what_was_typed_to_the_letter(text):
    assert read_text(text) == (text, "text/plain")


@given(st.text(alphabet="ab *_~`<>&|@#!\n\\[]()-.•", max_size=80))
def test_any_text_gives_markdown(text):
    assert isinstance(mrkdwn_to_markdown(text), str)
    assert read_text(text).mime in ("text/plain", "text/markdown")
    markdown_to_html(mrkdwn_to_markdown(text))


WORDS = st.text(alphabet="abc", min_size=1, max_size=4)
LEAF = (
    WORDS | WORDS.map(lambda word: f"`{word}`") | WORDS.map(lambda word: f"[{word} {word}](https://a.example/{word})")
)
SPAN = st.recursive(
    LEAF,
    lambda inner: st.tuples(st.sampled_from(["**{}**", "~~{}~~"]), inner).map(lambda pair: pair[0].format(pair[1])),
    max_leaves=1,
)
LINE = st.lists(SPAN, min_size=1, max_size=4).map(" ".join)
BLOCK = (
    LINE
    | LINE.map(lambda line: f"> {line}")
    | st.lists(LINE, min_size=1, max_size=3).map(lambda lines: "\n".join(f"- {line}" for line in lines))
    | WORDS.map(lambda word: f"```\n{word} < {word}\n```")
)


def nested(text):
    return any(mark * 2 in text for mark in ("**", "~~")) and ("****" in text or "~~~~" in text)


@given(st.lists(BLOCK, min_size=1, max_size=4).map("\n\n".join).filter(lambda text: not nested(text)))
def test_markdown_comes_back_as_it_went(text):
    there = markdown_to_mrkdwn(text)
    again = mrkdwn_to_markdown(there)
    assert markdown_to_mrkdwn(again) == there
    assert shown(again) == shown(text)


def shown(text):
    """What people see of Markdown, whether its lists are loose or tight."""
    return markdown_to_html(text).replace("\n", "").replace("<p>", "").replace("</p>", "")


@pytest.mark.uncounted
@pytest.mark.parametrize(
    "piece", ["<", "<a", "<a>", "`", "`a\n", "*", "*a ", "_*~", "```", "&gt;", "> ", "• ", "&amp;", "<@U1>", "\\", "]("]
)
def test_reading_is_linear(piece):
    steps_grow_linearly(mrkdwn_to_markdown, lambda size: piece * size)
    time_grows_linearly(mrkdwn_to_markdown, lambda size: piece * size, largest=1 << 14, least_seconds=0.0005)
