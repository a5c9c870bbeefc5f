"""Blocks and messages: none longer than Slack takes, and nothing left out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.connectors.slack._write.blocks import (
    SECTION,
    RenderedBlock,
    context,
    cut,
    fallback,
    length,
    messages,
    plain_sections,
    sections,
)
from mentionable.connectors.slack._write.mrkdwn import Chunk
from tests.linearity import time_grows_linearly


def texts(*chunks):
    return [shown.block["text"]["text"] for shown in sections(chunks)]


def test_short_chunks_share_a_section():
    assert texts(Chunk("a"), Chunk("b", is_tight=True), Chunk("c", is_code=True)) == ["a\nb\n\n```\nc\n```"]
    assert texts() == []


def test_a_section_takes_slack_at_its_word():
    (shown,) = sections([Chunk("a")])
    assert shown.block == {"type": "section", "text": {"type": "mrkdwn", "text": "a", "verbatim": True}, "expand": True}


def test_what_does_not_fit_begins_the_next_section():
    assert texts(Chunk("a" * 2_000), Chunk("b" * 998), Chunk("c" * 2_000)) == [
        "a" * 2_000 + "\n\n" + "b" * 998,
        "c" * 2_000,
    ]
    assert texts(Chunk("a" * 2_000), Chunk("b" * 999)) == ["a" * 2_000, "b" * 999]


def test_a_long_chunk_goes_on_in_sections_of_its_own():
    found = texts(Chunk("x"), Chunk(("word " * 1_000).strip()), Chunk("y"))
    assert [len(text) for text in found] == [1, 3_000, 2_002]
    assert "".join(found).replace("x", "").replace("y", "").replace("\n", "") == ("word " * 1_000).strip()


def test_long_code_is_several_blocks_of_code():
    found = texts(Chunk("line\n" * 1_000, is_code=True))
    assert all(text.startswith("```\n") and text.endswith("\n```") and len(text) <= SECTION for text in found)
    assert sum(text.count("line") for text in found) == 1_000


@pytest.mark.parametrize("sign", ["<https://a.example/|some words in a link>", "&amp;", "<@U1>", "\U0001f600", "&lt;"])
@pytest.mark.parametrize("shift", range(8))
def test_nothing_of_slack_is_cut_in_two(sign, shift):
    text = "z" * shift + sign * 2_000
    found = list(cut(text, 100))
    assert "".join(found) == text
    assert all(length(piece) <= 100 for piece in found)
    assert all(piece.replace("z", "").replace(sign, "") == "" for piece in found)


def test_lines_are_kept_whole_where_they_can_be():
    assert list(cut("aaaa\nbbbb\ncccc", 10)) == ["aaaa\nbbbb", "cccc"]
    assert list(cut("aaaa bbbb cccc", 10)) == ["aaaa bbbb ", "cccc"]
    assert list(cut("a\n" + "b" * 12, 10)) == ["a\n" + "b" * 8, "bbbb"]
    assert list(cut("aaaaaa <b c d>", 13)) == ["aaaaaa ", "<b c d>"]
    assert list(cut("aa <b c d e>", 11)) == ["aa ", "<b c d e>"]
    assert list(cut("a b c <d", 6)) == ["a b c ", "<d"]
    assert list(cut("\n" * 30, 10)) == []


@given(st.text(alphabet="ab \n&;\U0001f600", max_size=200), st.integers(8, 40))
def test_cutting_loses_nothing_but_blank_lines(text, most):
    found = list(cut(text, most))
    assert all(0 < length(piece) <= most for piece in found)
    assert re.sub(r"\s", "", "".join(found)) == re.sub(r"\s", "", text)


def test_small_print_has_so_many_elements():
    found = list(context([f"{number}" for number in range(23)]))
    assert [len(shown.block["elements"]) for shown in found] == [10, 10, 3]
    assert found[0].block["elements"][0] == {"type": "plain_text", "text": "0", "emoji": False}


def test_plain_sections_hold_no_markup():
    (shown,) = plain_sections("*a* <!here>\n")
    assert shown.block["text"] == {"type": "plain_text", "text": "*a* &lt;!here&gt;", "emoji": False}


def test_messages_hold_so_many_blocks_and_characters():
    small = [RenderedBlock({}, "a")] * 120
    assert [len(message) for message in messages(small)] == [50, 50, 20]
    large = [RenderedBlock({}, "a" * 3_000)] * 9
    assert [len(message) for message in messages(large)] == [4, 4, 1]
    assert messages([]) == []


def test_the_text_for_notices_is_the_beginning():
    assert fallback([RenderedBlock({}, "a"), RenderedBlock({}, "b")]) == "a\n\nb"
    text = fallback([RenderedBlock({}, "word " * 599), RenderedBlock({}, "b" * 50)])
    assert length(text) <= SECTION
    assert text.endswith("word…")


@pytest.mark.uncounted
def test_cutting_is_linear():
    for piece in ("a", "a b ", "<@U1>", "<a b c d e f>", "\n", "&amp;", "\U0001f600"):
        time_grows_linearly(lambda text: list(cut(text, 300)), lambda size, piece=piece: piece * size, largest=1 << 14)
