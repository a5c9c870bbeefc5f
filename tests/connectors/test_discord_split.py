import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.connectors._answer import split_text
from mentionable.connectors.discord._write.split import _MAX_PIECE, MAX_LENGTH, messages_of
from tests.linearity import time_grows_linearly

TEXTS = st.lists(
    st.sampled_from(
        ["word ", "a\n", "\n\n", "```py\n", "```\n", "````\n", "x" * 700, "\U0001f327" * 300, "  ``` js\n"]
    ),
    max_size=40,
).map("".join)


def units(text):
    return len(text.encode("utf-16-le")) // 2


@given(TEXTS)
def test_pieces_are_the_text_again_and_messages_are_short_enough(text):
    assert "".join(split_text(text, _MAX_PIECE)) == text
    said = messages_of(text)
    assert all(0 < units(one) <= MAX_LENGTH and one.strip() for one in said)
    words = "".join("".join(said).split())
    assert all(words.count(char) >= text.count(char) for char in "wordx\U0001f327")


@given(TEXTS)
def test_a_message_leaves_no_block_of_code_open(text):
    for one in messages_of(text)[:-1]:
        lines = [line.strip() for line in one.split("\n") if line.strip().startswith("```")]
        is_open = ""
        for line in lines:
            ticks = line[: len(line) - len(line.lstrip("`"))]
            if not is_open:
                is_open = ticks
            elif len(ticks) >= len(is_open) and line == ticks:
                is_open = ""
        assert not is_open


def test_a_short_text_is_one_message():
    assert messages_of("Hi") == ("Hi",)
    assert messages_of("x" * MAX_LENGTH)[1:]
    assert messages_of("") == messages_of("\n \n") == ()


def test_texts_are_cut_between_paragraphs_lines_and_words():
    assert split_text("a" * 1500 + "\n\n" + "b\n" * 500, _MAX_PIECE)[0] == "a" * 1500 + "\n\n"
    assert split_text("a" * 1500 + "\n" + "b " * 500, _MAX_PIECE)[0] == "a" * 1500 + "\n"
    assert split_text("a" * 1500 + " " + "b" * 500, _MAX_PIECE)[0] == "a" * 1500 + " "
    assert len(split_text("a" * 5000, _MAX_PIECE)[0]) == len(split_text("a" * 5000, _MAX_PIECE)[1])


def test_characters_beyond_the_basic_plane_count_twice():
    assert [units(one) <= MAX_LENGTH for one in messages_of("\U0001f327" * 3000)] == [True] * 4


def test_a_block_of_code_is_closed_and_opened_again():
    first, second = messages_of("```py\n" + "x = 1\n" * 500 + "```\nafter")
    assert first.endswith("x = 1\n```")
    assert second.startswith("```py\nx = 1\n")
    assert second.endswith("```\nafter")


def test_a_line_of_code_that_is_cut_is_closed_on_a_line_of_its_own():
    first, second = messages_of("````js\n" + "x" * 3000 + "\n````")
    assert first.endswith("x\n````")
    assert second.startswith("````js\nx")


def test_a_block_that_nobody_closes_goes_on():
    assert messages_of("```\n" + "x\n" * 1500)[1].startswith("```\nx")
    assert messages_of("words\n" * 10 + "```\ncode\n```\n" + "word " * 800)[1].startswith("word")


@pytest.mark.uncounted
@pytest.mark.parametrize("hostile", ["`", "```\n", "a ", "\n", "x", "```a\n````\n"])
def test_long_texts_take_linear_time(hostile):
    time_grows_linearly(messages_of, lambda size: hostile * (size // len(hostile)))
