"""Plain text never becomes formatting in Slack: people see the characters that were written."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import NormalizedResponse, TextPart, ToolCallPart
from mentionable._text.mrkdwn import JOINER
from mentionable.connectors import slack
from mentionable.connectors.slack._write.blocks import SECTION
from mentionable.connectors.slack._write.literal import literal
from tests.connectors.slack_view import shown, words
from tests.connectors.slack_workspace import mention, message
from tests.linearity import time_grows_linearly

QUESTION = message(mention())
SIGNS = "ab1 *_~`:>&<\\#-+.|()[]!\n\u2060"


def blocks_of(*parts, **facts):
    post = slack.reply(NormalizedResponse.to(QUESTION, *parts), to=QUESTION, **facts)
    return [block for call in post.calls for block in call.params["blocks"]]


def plain(text, **facts):
    return blocks_of(TextPart(content=text), **facts)


@pytest.mark.parametrize("text", ["_y_", "*a*", "~s~", "`c`", "> q", ":smile:", "a *b* `c` _d_", "```x```", "**a**"])
def test_plain_text_is_shown_as_it_is(text):
    (block,) = plain(text)
    assert block["type"] == "rich_text"
    assert block["elements"] == [{"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}]


@pytest.mark.parametrize("text", ["snake_case", "2 * 3 = 6", "10:30", "a > b", "it's 5 o'clock: go", "C#"])
def test_plain_text_without_marks_is_a_section(text):
    assert [block["type"] for block in plain(text)] == ["section"]


@given(st.text(alphabet=SIGNS, max_size=80))
def test_people_see_every_character_of_plain_text(text):
    characters = shown(plain(text))
    assert words(characters) == (text.strip("\n").replace(JOINER, "") if text.strip() else "")
    assert not {style for _, styles in characters for style in styles}


@given(st.text(alphabet=SIGNS.replace("\n", "").replace("\u2060", ""), max_size=60).map(str.strip).filter(bool))
def test_people_see_what_markdown_escapes(text):
    escaped = re.sub(f"([{re.escape(string.punctuation)}])", r"\\\1", text)
    characters = shown(blocks_of(escaped))
    assert words(characters) == text
    assert not {style for _, styles in characters for style in styles} - {"emoji"}


@given(st.text(alphabet=SIGNS, max_size=80))
def test_the_text_for_notices_has_no_marks(text):
    post = slack.reply(NormalizedResponse.to(QUESTION, TextPart(content=text)), to=QUESTION)
    for call in post.calls:
        characters = shown([{"type": "section", "text": {"type": "mrkdwn", "text": call.params["text"]}}])
        assert words(characters).replace("\u02cb", "`") == text.strip("\n").replace(JOINER, "")
        assert not {style for _, styles in characters for style in styles}


def test_a_literal_star_stands_next_to_bold_words():
    (block,) = blocks_of(r"**bold** \*not\* `co*de` :wave: <@U1> [*p*](https://a.example/)", mentions=["U1"])
    assert block["elements"][0]["elements"] == [
        {"type": "text", "text": "bold", "style": {"bold": True}},
        {"type": "text", "text": " *not* "},
        {"type": "text", "text": "co*de", "style": {"code": True}},
        {"type": "text", "text": " "},
        {"type": "emoji", "name": "wave"},
        {"type": "text", "text": " "},
        {"type": "user", "user_id": "U1"},
        {"type": "text", "text": " "},
        {"type": "link", "url": "https://a.example/", "text": "p"},
    ]


def test_an_emoji_may_end_words_with_marks():
    (block,) = blocks_of(r"\*a\* :wave:")
    assert block["elements"][0]["elements"][1:] == [{"type": "emoji", "name": "wave"}]


def test_items_and_quotations_keep_literal_marks():
    first, second = blocks_of("- \\*a\\*\n  b\n\n> \\*q\\*")
    assert words(shown([first])) == "• *a*\n    b"
    assert second["elements"][0]["type"] == "rich_text_quote"
    assert words(shown([second])) == "*q*"


def test_long_plain_text_is_several_blocks():
    text = "*a* word " * 1_000
    found = plain(text)
    assert words(shown(found)).replace("\n\n", "") == text
    assert all(len(words(shown([block]))) <= SECTION for block in found)


def test_words_of_many_pieces_are_several_blocks():
    text = "\\*" + "*a b* **c** " * 1_000
    found = blocks_of(text)
    assert len(found) > 1
    assert words(shown(found)).replace("\n\n", "").split() == ("*" + "a b c " * 1_000).split()


def test_lines_of_tools_have_no_emoji():
    (block,) = blocks_of(ToolCallPart(id="1", name="_n_", args={"q": ":smile:"}, result=1))
    assert block["elements"][0] == {"type": "plain_text", "text": '🔧 _n_({"q":":smile:"}) → 1', "emoji": False}


def test_emoji_in_markdown_are_emoji():
    assert literal("*a* :wave:") == f"{JOINER}*{JOINER}a{JOINER}*{JOINER} :wave:"


@pytest.mark.uncounted
def test_keeping_marks_is_linear():
    for piece in ("*", "_a", ":", ":a", "`", ">\n", "~ "):
        time_grows_linearly(lambda text: literal(text, is_plain=True), lambda size, piece=piece: piece * size)
