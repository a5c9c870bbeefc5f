"""What an agent gives back, in every shape that models give it, and in shapes that they should not."""

import json
import random

import pytest
from hypothesis import given as given_any
from hypothesis import strategies as st

from mentionable import UsageError, anp
from mentionable.anp import read_output
from mentionable.anp._notification import MAX_CHARACTERS
from mentionable.anp._output import MAX_IDS
from tests.linearity import time_grows_linearly

BOTH = {"output": "Your backup failed.", "acknowledged_ids": ["e1", "e2"]}
READ = ("Your backup failed.", ("e1", "e2"), ())
TEXT = json.dumps(BOTH)


def unread(answer: anp.AgentOutput) -> list[str]:
    """Where something could not be read."""
    assert {note.code for note in answer.diagnostics} <= {"output-unread"}
    return [note.at for note in answer.diagnostics]


@pytest.mark.parametrize(
    "given",
    [
        BOTH,
        TEXT,
        f"  \n{TEXT}\n",
        json.dumps(BOTH, indent=2),
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```",
        f"\n ```JSON \t\n{json.dumps(BOTH, indent=1)}\n``` \n",
        f"```json\r\n{TEXT}\r\n```",
        {**BOTH, "thoughts": ["none"], "acknowledged_ids": ("e1", "e2")},
    ],
    ids=str,
)
def test_an_object_is_read_as_it_is_as_json_and_in_a_fence(given):
    assert read_output(given) == READ


@pytest.mark.parametrize(
    "given",
    [
        None,
        "",
        " \n\t",
        {},
        {"output": None},
        {"output": "  "},
        '{"output": null}',
        "\u2003",
        "null",
        " null\n",
        "```json\nnull\n```",
        "{}",
    ],
)
def test_silence_is_no_output(given):
    assert read_output(given) == (None, (), ())


@pytest.mark.parametrize(
    "words",
    [
        "Your backup failed.",
        " Mind the gap. ",
        '{"output": "a"} and more',
        '{"output": "a"',
        '{"outcome": "a"}',
        "{not json}",
        '["output"]',
        '"output"',
        "```json\n[1]\n```",
        "```python\nprint()\n```",
        '{"output": {"a": ' + "[" * 12 + "]" * 12 + "}}",
        '{"output": "a", "output": "b"}',
        '{"output": NaN}',
    ],
)
def test_what_is_no_answer_as_json_is_mere_words(words):
    assert read_output(words) == (words, (), ())


def test_ids_may_stand_alone_in_objects_and_twice():
    assert read_output({"acknowledged_ids": "e1"}).acknowledged_ids == ("e1",)
    assert read_output({"acknowledged_ids": {"id": "e1", "why": "read"}}).acknowledged_ids == ("e1",)
    several = ["e2", {"id": "e1"}, "e2", {"id": "e2"}, "e3"]
    assert read_output({"acknowledged_ids": several}) == (None, ("e2", "e1", "e3"), ())


@pytest.mark.parametrize("wrong", [None, 7, 1.5, True, "", [], ["e1"], {}, {"id": None}, {"id": ["e1"]}, "x" * 1_025])
def test_what_is_no_id_is_left_out_with_its_place(wrong):
    answer = read_output({"output": "Hi.", "acknowledged_ids": ["e1", wrong, "e2"]})
    assert answer[:2] == ("Hi.", ("e1", "e2"))
    assert unread(answer) == ["/acknowledged_ids/1"]


@pytest.mark.parametrize("wrong", [7, True, 0, "", {}, {"ids": ["e1"]}, {"e1"}, b"e1"])
def test_what_is_no_list_of_ids_acknowledges_nothing(wrong):
    answer = read_output({"output": "Hi.", "acknowledged_ids": wrong})
    assert answer[:2] == ("Hi.", ())
    assert unread(answer) == ["/acknowledged_ids/0"]


@pytest.mark.parametrize("none", [None, [], ()])
def test_no_ids_are_no_mistake(none):
    assert read_output({"output": "Hi.", "acknowledged_ids": none}) == ("Hi.", (), ())


@pytest.mark.parametrize("wrong", [7, 0, False, ["Hi."], {"text": "Hi."}, b"Hi."])
def test_output_that_is_no_text_is_none_and_its_ids_count(wrong):
    answer = read_output({"output": wrong, "acknowledged_ids": ["e1"]})
    assert answer[:2] == (None, ("e1",))
    assert unread(answer) == ["/output"]


def test_an_id_may_be_long_and_no_longer():
    assert read_output({"acknowledged_ids": ["x" * 1_024]}).acknowledged_ids == ("x" * 1_024,)


def test_so_many_ids_and_notes_are_kept_and_no_more():
    answer = read_output({"acknowledged_ids": [f"e{at}" for at in range(MAX_IDS + 5)]})
    assert answer.acknowledged_ids == tuple(f"e{at}" for at in range(MAX_IDS))
    assert [note.detail for note in answer.diagnostics] == ["the first 1000 of 1005 ids were taken"]
    assert len(read_output({"acknowledged_ids": [1] * (MAX_IDS + 5)}).diagnostics) == MAX_IDS


def test_words_beyond_the_longest_text_are_cut():
    assert read_output("x" * MAX_CHARACTERS) == ("x" * MAX_CHARACTERS, (), ())
    for given in ("x" * (MAX_CHARACTERS + 1), {"output": "x" * (MAX_CHARACTERS + 1)}):
        answer = read_output(given)
        assert answer.output == "x" * MAX_CHARACTERS
        assert unread(answer) == ["/output"]


def test_json_of_any_spelling_of_the_longest_text_is_read():
    longest = "x" + "\x01" * (MAX_CHARACTERS // 2)
    answer = read_output(json.dumps({"output": longest, "acknowledged_ids": ["e1"]}))
    assert answer[:2] == (longest, ("e1",))


NOTHING = ["\u200b", "\ufeff\u2060\n", "\u200d", " \u3164 ", "{}", "```json\n{}\n```"]


@pytest.mark.parametrize("given", NOTHING, ids=ascii)
def test_what_nobody_can_see_is_silence(given):
    assert read_output(given).output is None


def test_an_answer_too_long_to_be_one_is_words():
    answer = read_output(json.dumps({"output": "x" * MAX_CHARACTERS * 4}))
    assert answer.output is not None
    assert (answer.output[:13], len(answer.output)) == ('{"output": "x', MAX_CHARACTERS)


@pytest.mark.parametrize("given", ["Done \ud83d", {"output": "Done \ud83d"}, '{"output": "Done \\ud83d"}'], ids=repr)
def test_half_a_surrogate_pair_is_replaced(given):
    assert read_output(given).output == "Done ?"


def test_half_a_surrogate_pair_does_not_cost_the_acknowledgements():
    assert read_output('{"output": "Done \\uDC00", "acknowledged_ids": ["e1"]}').acknowledged_ids == ("e1",)


def test_a_whole_surrogate_pair_in_json_is_one_character():
    assert read_output('{"output": "Done \\ud83d\\ude00"}').output == "Done \U0001f600"


def test_half_a_surrogate_pair_is_in_no_id():
    answer = read_output('{"acknowledged_ids": ["\\ud83d", "e1"]}')
    assert (answer.acknowledged_ids, unread(answer)) == (("e1",), ["/acknowledged_ids/0"])
    assert read_output({"acknowledged_ids": ["\udc00"]}).acknowledged_ids == ()


@pytest.mark.parametrize(
    "words",
    [
        '{"output": "\\ud83d", "output": "b"}',
        '{"output": "\\ud83d", "x": NaN}',
        '{"output": "\\ud83d", "x": ' + "1" * 5_000 + "}",
        '{"output": "\\ud83d", "x": ' + "[" * 50_000 + "]" * 50_000 + "}",
        '{"output": "\\ud83d"',
    ],
    ids=["twice", "no number", "huge number", "deep", "cut"],
)
def test_half_a_surrogate_pair_excuses_nothing_else(words):
    answer = read_output(words)
    assert answer.output == words[:MAX_CHARACTERS]


@pytest.mark.parametrize("given", [5, 0, False, b"{}", ["e1"], ("a", "b"), object()], ids=repr)
def test_anything_else_is_the_fault_of_the_program(given):
    with pytest.raises(UsageError, match="read_output takes an object, a text or None"):
        read_output(given)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda some: st.lists(some, max_size=4) | st.dictionaries(st.sampled_from(["id", "output", "x"]), some, max_size=3),
    max_leaves=8,
)


@given_any(output=json_values, ids=json_values)
def test_no_shape_of_an_answer_is_an_error(output, ids):
    shape = {"output": output, "acknowledged_ids": ids}
    for given_back in (shape, json.dumps(shape)):
        answer = read_output(given_back)
        assert answer.output is None or answer.output.strip()
        assert all(isinstance(id, str) and id for id in answer.acknowledged_ids)


@given_any(st.text(alphabet='{}[]":,`\n\r \\ud83d0jsonoutputackwledgi_ids', max_size=60))
def test_no_text_is_an_error(text):
    answer = read_output(text)
    assert answer.output is None or answer.output.encode()


@pytest.mark.uncounted
def test_reading_is_linear_whatever_fences_there_are():
    noise = random.Random(7)
    pieces = ["\n```", "```\n", "\n", " ", "```json\n", "{", '{"output"']
    time_grows_linearly(read_output, lambda size: "```json\n" + "\n```x" * size, largest=1 << 14)
    time_grows_linearly(read_output, lambda size: "```\n" + "".join(noise.choices(pieces, k=size)), largest=1 << 14)
