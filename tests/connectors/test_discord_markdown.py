import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.connectors.discord._markdown import escape_name, outside_code
from mentionable.connectors.discord._read.names import Names, mentions_in, names_in
from tests.linearity import time_grows_linearly

NAMES = Names(users={"1": "Bob"}, roles={"2": "crew"}, channels={"3": "general"})


def test_a_name_is_cut_where_discord_would_not_take_it():
    named = Names(users={"1": "x" * 100, "2": "x" * 101})
    assert mentions_in("<@1> <@2>", named) == {"<@1>": "x" * 100, "<@2>": "x" * 100}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("plain", {}),
        ("a < b and c > d", {}),
        ("<@1> and <@!1>", {"<@1>": "Bob", "<@!1>": "Bob"}),
        ("<@&2> in <#3>", {"<@&2>": "crew", "<#3>": "general"}),
        ("<@9> <@!9> <@&9> <#9> <@2> <#1>", {}),
        ("<:wave:12> <a:dance:12> <t:0:R>", {}),
        ("</ask now:12>", {"</ask now:12>": "ask now"}),
        ("`<@1>` <#3>", {"<#3>": "general"}),
        ("```\n<@1>\n``` <#3>", {"<#3>": "general"}),
        ("``a ` <@1>`` <#3>", {"<#3>": "general"}),
        ("` <@1>", {"<@1>": "Bob"}),
        ("`a` `<@1> ```", {"<@1>": "Bob"}),
        ("<@> <@x> <@1 >", {}),
    ],
)
def test_mentions_outside_of_code_have_names(text, named):
    assert mentions_in(text, NAMES) == named


def test_names_are_single_lines_of_text():
    table = {"1": {"name": "a\nb"}, "2": {"name": 5}, "3": "x"}
    assert names_in(table) == {"1": "a b"}
    assert names_in([]) == {}


@given(st.text(alphabet="`<@!&#1> ax\n:t/", max_size=60))
def test_a_text_without_known_marks_stays_as_it_is(text):
    never = re.compile(r"`++|(?!)x")
    assert outside_code(text, never, lambda _: "") == text
    assert isinstance(mentions_in(text, NAMES), dict)


@pytest.mark.uncounted
@pytest.mark.parametrize("hostile", ["`", "``` `` ", "<@1", "<t:", "</a", "<@1>", "`<", "` `` ", "</" + "a" * 99])
def test_long_texts_take_linear_time(hostile):
    time_grows_linearly(lambda text: mentions_in(text, NAMES), lambda size: hostile * (size // len(hostile)))


def test_an_escaped_name_has_no_controls():
    assert escape_name("a\x00b\u200bc") == "a bc"
