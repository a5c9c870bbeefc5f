"""What agents write, as text of Slack that mentions nobody."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.connectors.slack import markdown_to_mrkdwn
from mentionable.connectors.slack._write.inline import Mentions
from mentionable.connectors.slack._write.mrkdwn import Chunk, joined, plain_chunks
from tests.linearity import steps_grow_linearly, time_grows_linearly

SIGNS = re.compile(r"<([^<>]*)>")
ZERO = "\u200b"
JOIN = "\u2060"
STARS = f"{JOIN}*{JOIN}*{JOIN}"


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**b** *i* ~~s~~ `c`", "*b* _i_ ~s~ `c`"),
        ("**b *i* b**", "*b _i_ b*"),
        ("***both***", "_*both*_"),
        ("**a **", f"{STARS}a {STARS}"),
        ("x**b**y", f"x{ZERO}*b*{ZERO}y"),
        ("**b**_i_", "*b*_i_"),
        ("**a\nb**", "*a*\n*b*"),
        ("**a *b\nc* d**", "*a _b_*\n*_c_ d*"),
        ("a  \nb\\\nc", "a\nb\nc"),
        ("# Big **t**\n## *i*", "*Big t*\n\n*_i_*"),
        ("# a `c` [l](https://a.example/)", "*a `c` <https://a.example/|l>*"),
        ("- a\n- b\n\ntext", "• a\n• b\n\ntext"),
        ("- a\n  - b\n    - c\n      - d", "• a\n    ◦ b\n        ▪ c\n            ▪ d"),
        ("- a\n\n  more\n\n- b", "• a\n    more\n• b"),
        ("- a\n  b", "• a\n    b"),
        ("3. a\n4. b\n   1. c", "3. a\n4. b\n    1. c"),
        ("- ```\n  x\n  ```\n- b", "```\nx\n```\n\n• b"),
        ("> a\n> b\n\nc", "> a\n> b\n\nc"),
        ("> - a\n> - b", "> • a\n> • b"),
        ("```py\nx < 1 & y\n```", "```\nx &lt; 1 &amp; y\n```"),
        ("    indented", "```\nindented\n```"),
        ("~~~\na ``` b\n~~~", f"```\na `{ZERO}`{ZERO}` b\n```"),
        ("a\n\n---\n\nb", "a\n\n———\n\nb"),
        ("| a | **b** |\n|---|---|\n| 1 | 2 < 3 |", "```\na | b\n1 | 2 &lt; 3\n```"),
        ("``a`b``", "`a\u02cbb`"),
        ("", ""),
        ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
        ("&lt;!here&gt;", "&lt;!here&gt;"),
        ("a\u202eb\x07", "ab"),
    ],
)
def test_markdown_is_markup_of_slack(markdown, text):
    assert markdown_to_mrkdwn(markdown) == text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("[the page](https://a.example/?a=1&b=2)", "<https://a.example/?a=1&amp;b=2|the page>"),
        ("[a **b** `c`](https://a.example/)", "<https://a.example/|a b c>"),
        ("[a\nb](https://a.example/)", "<https://a.example/|a b>"),
        ("[](https://a.example/)", "<https://a.example/>"),
        ("https://a.example/x.", "<https://a.example/x>."),
        ("<https://a.example/>", "<https://a.example/>"),
        ("<mailto:a@b.example>", "<mailto:a@b.example>"),
        ("[x](/relative)", "x (/relative)"),
        ("[x](ftp://a.example/)", "x (ftp://a.example/)"),
        ("[x]()", "x"),
        ("[<!channel>](https://a.example/)", "<https://a.example/|&lt;!channel&gt;>"),
        ("[x](https://a.example/|y)", "<https://a.example/%7Cy|x>"),
        ("![alt](https://a.example/x.png)", "<https://a.example/x.png|alt>"),
        ("![](https://a.example/x.png)", "<https://a.example/x.png>"),
        ("[x](https://a.example/" + "a" * 1400 + ")", "x (https://a.example/" + "a" * 1400 + ")"),
    ],
)
def test_links_are_links_where_they_may_be(markdown, text):
    assert markdown_to_mrkdwn(markdown) == text


@pytest.mark.parametrize(
    "forged", ["<!channel>", "<!here|x>", "<@U1>", "<#C1>", "<!subteam^S1>", "<https://evil.example|x>"]
)
def test_nobody_is_mentioned_by_what_an_agent_writes(forged):
    for text in (forged, f"`{forged}`", f"```\n{forged}\n```", f"# {forged}", f"**{forged}**", f"\\{forged}"):
        made = markdown_to_mrkdwn(text)
        assert not [inside for inside in SIGNS.findall(made) if not inside.startswith("https://")], made
    assert not SIGNS.search(joined(plain_chunks(forged.replace("https", "x"))))


def test_those_who_are_named_may_be_mentioned():
    text = "<@U1> <@U2> `<@U1>` <!channel> <@U1|x>"
    made = "<@U1> &lt;@U2&gt; `&lt;@U1&gt;` &lt;!channel&gt; &lt;@U1|x&gt;"
    assert markdown_to_mrkdwn(text, mentions=["U1"]) == made


def test_agents_are_mentioned_by_their_addresses():
    agents = Mentions(agents={"@rain@agents.example": "U7"}, users=frozenset({"U1"}))
    text = "ask @rain@Agents.example. or @rain@agents.example.evil, <@U1> @x@"
    assert joined(plain_chunks(text, agents)) == "ask <@U7>. or @rain@agents.example.evil, <@U1> @x@"


def test_plain_text_keeps_its_signs_and_links_its_addresses():
    text = "\n**no** <b> https://a.example/?a&b, (https://b.example/) http:// x\n"
    assert joined(plain_chunks(text)) == (
        f"{STARS}no{STARS} &lt;b&gt; <https://a.example/?a&amp;b>, (<https://b.example/>) http:// x"
    )
    assert plain_chunks(" \n ") == []


def test_what_is_too_long_for_markdown_is_plain_text():
    text = "**a** " * 30_000
    assert markdown_to_mrkdwn(text) == f"{STARS}a{STARS} " * 30_000


def test_what_is_too_deep_for_markdown_is_plain_text():
    assert markdown_to_mrkdwn("> " * 300 + "**a**") == JOIN + "&gt; " * 300 + f"{STARS}a{STARS}"


def test_chunks_stand_apart():
    assert (
        joined([Chunk("a"), Chunk("b", is_tight=True), Chunk("c"), Chunk("d", is_code=True)])
        == "a\nb\n\nc\n\n```\nd\n```"
    )


@given(st.text(alphabet="ab <>@!#|&;`*_~[]()\\\n-U1:/hts.", max_size=120))
def test_no_text_forges_a_mention(text):
    for made in (markdown_to_mrkdwn(text), joined(plain_chunks(text))):
        for inside in re.findall(r"<([^>]*)", made):
            assert inside.startswith(("http://", "https://", "mailto:"))


@pytest.mark.uncounted
@pytest.mark.parametrize(
    "piece", ["*a* ", "- a\n", "> ", "<@U1>", "[x](https://a.example/) ", "|a", "`a` ", "**a\n", "https://a.example "]
)
def test_writing_is_linear(piece):
    steps_grow_linearly(markdown_to_mrkdwn, lambda size: piece * size, size=60)
    time_grows_linearly(lambda text: joined(plain_chunks(text)), lambda size: piece * size, largest=1 << 12)
