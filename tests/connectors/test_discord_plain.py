"""Plain text on Discord, against a small model of how Discord reads a message."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mentionable.connectors.discord._plain import escape_plain, link
from mentionable.connectors.discord._write.split import messages_of
from tests.linearity import time_grows_linearly

ESCAPE = re.compile(r"\\([^0-9A-Za-z\s])")
URL = re.compile(r"https?://[^\s<]+[^<.,:;\"'\]\s]")
AT_START = re.compile(r"(?:[^\S\n]|\ufeff)*(?:#{1,3}\s|-#\s|[-*+]\s|\d+\.\s|>)")
MARKS = [
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"\*(?:\\.|[^\\])+?\*",
        r"_(?:\\.|[^\\])+?_",
        r"~~.+?~~",
        r"\|\|.+?\|\|",
        r"`+.+?`+",
        r"\[.*?\]\(.*?\)",
        r"<(?:@[!&]?|#|a?:\w+:|t:|id:|/)[^>]*>",
        r"<https?://[^>]*>",
        r":[A-Za-z0-9_+~-]+:",
    )
]
MARKUP = (
    *("https://a.example/_x_", "*a*", "**", "_y_", "\\*", "~~z~~", "||s||", "\n> q", "\n# h", "\n-# s", "\n- l"),
    *("[a](https://b.example)", "<@42>", "<@&1>", "<#5>", "</c:1>", ":smile:", "\n1. x", "`c`", "```", " ", "x"),
)
TEXT = st.text(alphabet="\\*_~|`<>[]()#-+.:@/ \n\t19aé\u3000", max_size=60) | st.lists(
    st.sampled_from(MARKUP), max_size=12
).map("".join)


def as_shown(message: str) -> str:
    """A message as Discord shows it; raises where something of it is formatting."""
    text = message.strip()
    shown, position = [], 0
    while position < len(text):
        is_start = not position or text[position - 1] == "\n"
        assert not (is_start and AT_START.match(text, position)), text[position:]
        escape = ESCAPE.match(text, position)
        url = URL.match(text, position)
        if escape is not None:
            shown.append(escape[1])
            position = escape.end()
        elif url is not None:
            shown.append(url[0])
            position = url.end()
        else:
            assert not any(mark.match(text, position) for mark in MARKS), text[position:]
            shown.append(text[position])
            position += 1
    return "".join(shown)


@given(TEXT)
@example("https://_ a https://_")
@example("10:30:45 and C:\\dir\\*.*")
@example("\ufeff# h")
@example("https://a.example/_x_<@42>")
@example("https://a.example/<https://b.example/> <https://c.example/>")
@example("https://a.example/<a:x:1>*b*")
def test_plain_text_is_shown_as_it_is(text):
    assert as_shown(escape_plain(text)) == text.strip()


@pytest.mark.uncounted
@given(st.lists(st.sampled_from(["*", "\\", "# ", "- ", "a", " ", "\n", "1. ", ">"]), min_size=1, max_size=9))
def test_plain_text_is_plain_in_each_message_that_it_is_cut_into(pieces):
    text = "".join(pieces) * 600
    shown = [as_shown(one) for one in messages_of(escape_plain(text))]
    assert re.sub(r"\s", "", "".join(shown)) == re.sub(r"\s", "", text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a_b *c* `d` <e> [f] \\ ~g~ |h|", r"a\_b \*c\* \`d\` \<e\> \[f\] \\ \~g\~ \|h\|"),
        ("see https://a.example/x_y?z=*", "see https://a.example/x_y?z=*"),
        ("# a\n- c\n+ d\n12. e\n  # f\n-# g", "\\# a\n\\- c\n\\+ d\n12\\. e\n  \\# f\n\\-# g"),
        (":smile: at 10:30", r"\:smile: at 10:30"),
        ("C# is well-known, +1 #tag 1.5", "C# is well-known, +1 #tag 1.5"),
    ],
)
def test_markup_is_escaped(text, written):
    assert escape_plain(text) == written


@pytest.mark.uncounted
@pytest.mark.parametrize("hostile", ["*", "\\", "https://", ":a", "1", "1. ", "# ", "<@1", ":" + "a" * 63])
def test_long_texts_take_linear_time(hostile):
    time_grows_linearly(escape_plain, lambda size: hostile * (size // len(hostile)))
    time_grows_linearly(lambda text: link("https://a.example/", text), lambda size: hostile * (size // len(hostile)))


def test_a_link_names_its_host_where_its_label_could_be_another():
    assert link("https://a.example/", "") == "<https://a.example/>"
    assert link("https://a.example/", "www.b.example") == "[www.b.example](<https://a.example/>) (a.example)"
    assert link("https://a.example/", "report.pdf", is_file=True) == "[report.pdf](<https://a.example/>)"
