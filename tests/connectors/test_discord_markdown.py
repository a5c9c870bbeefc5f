import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.connectors.discord._read.markdown import (
    Names,
    escape_name,
    names_in,
    outside_code,
    quoted,
    readable,
)
from tests.linearity import time_grows_linearly

NAMES = Names(users={"1": "Bob"}, roles={"2": "crew"}, channels={"3": "general"})


def test_a_name_that_is_too_long_stands_nowhere():
    named = Names(users={"1": "x" * 100, "2": "x" * 101})
    assert readable("<@1> <@2>", named) == f"@{'x' * 100} @user:2"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a < b and c > d", "a < b and c > d"),
        ("<@1> and <@!1>", "@Bob and @Bob"),
        ("<@&2> in <#3>", "@crew in #general"),
        ("<@9> <@!9> <@&9> <#9>", "@user:9 @user:9 @role:9 #channel:9"),
        ("<:wave:12> <a:dance:12>", ":wave: :dance:"),
        ("<t:0> <t:1763758560:R> <t:-1>", "1970-01-01 00:00 UTC 2025-11-21 20:56 UTC 1969-12-31 23:59 UTC"),
        ("<t:999999999999>", "<t:999999999999>"),
        ("</ask now:12>", "/ask now"),
        ("`<@1>` <@1>", "`<@1>` @Bob"),
        ("```\n<@1>\n``` <@1>", "```\n<@1>\n``` @Bob"),
        ("``a ` <@1>`` <@1>", "``a ` <@1>`` @Bob"),
        ("` <@1>", "` @Bob"),
        ("`a` `<@1> ```", "`a` `@Bob ```"),
        ("a\r\n<@1>\0", "a\n@Bob"),
        ("**bold** __under__ ||spoiler||", "**bold** __under__ ||spoiler||"),
        ("<@>", "<@>"),
        ("<@x> <:wave:> <t:x>", "<@x> <:wave:> <t:x>"),
    ],
)
def test_marks_become_words_outside_of_code(text, shown):
    assert readable(text, NAMES) == shown


def test_a_name_is_no_markup():
    assert readable("<@1>", Names(users={"1": "[x](https://e.example)\n*\u202e"})) == r"@\[x\](https://e.example) \*"


def test_a_quote_has_its_mark_on_each_line():
    assert quoted("a\n\nb") == "> a\n> \n> b"


def test_names_are_single_lines_of_text():
    table = {"1": {"name": "a\nb"}, "2": {"name": 5}, "3": "x"}
    assert names_in(table) == {"1": "a b"}
    assert names_in([]) == {}


@given(st.text(alphabet="`<@!&#1> ax\n:t/", max_size=60))
def test_a_text_without_known_marks_stays_as_it_is(text):
    never = re.compile(r"`++|(?!)x")
    assert outside_code(text, never, lambda _: "") == text
    assert isinstance(readable(text, NAMES), str)


@pytest.mark.parametrize("hostile", ["`", "``` `` ", "<@1", "<t:", "</a", "<@1>", "`<", "` `` ", "</" + "a" * 99])
def test_long_texts_take_linear_time(hostile):
    time_grows_linearly(lambda text: readable(text, NAMES), lambda size: hostile * (size // len(hostile)))


def test_an_escaped_name_has_no_controls():
    assert escape_name("a\x00b\u200bc") == "a bc"
