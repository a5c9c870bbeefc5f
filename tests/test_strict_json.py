from __future__ import annotations

import enum
import json
from collections import UserDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Address, UsageError, WireError
from mentionable._wire.strict_json import (
    dump_line,
    is_text,
    loads,
    plain,
    pointer,
    well_formed,
    whole_number,
    within_depth,
)
from mentionable.testing import strategies


def refused(data: bytes, **options) -> str:
    with pytest.raises(WireError) as caught:
        loads(data, **{"max_bytes": 1_000_000, **options})
    return caught.value.code


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"a": 1, "a": 2}', "duplicate-member"),
        (b'[{"a": 1, "\\u0061": 2}]', "duplicate-member"),
        (b"\xff", "not-utf8"),
        (b'"\xed\xa0\x80"', "not-utf8"),
        ("1".encode("utf-16"), "not-utf8"),
        ("1".encode("utf-16-le"), "invalid-json"),
        (b"\xef\xbb\xbf1", "invalid-json"),
        (b"", "invalid-json"),
        (b"[1,]", "invalid-json"),
        (b"01", "invalid-json"),
        (b"1 2", "invalid-json"),
        (b'"\t"', "invalid-json"),
        (b"'a'", "invalid-json"),
        (b"NaN", "unsafe-number"),
        (b"[Infinity]", "unsafe-number"),
        (b"-Infinity", "unsafe-number"),
        (b"1e400", "unsafe-number"),
        (b"-1e400", "unsafe-number"),
        (b"9007199254740992", "unsafe-number"),
        (b"-9007199254740992", "unsafe-number"),
        (b"1" * 400, "unsafe-number"),
        (b'"\\ud800"', "lone-surrogate"),
        (b'{"\\udc00": 1}', "lone-surrogate"),
        (b'"\\ud83d\\ud83d\\ude00"', "lone-surrogate"),
        (b'"\\\\ud83d\\ude00"', "lone-surrogate"),  # the first is a backslash and the letters ud83d
        (b'"\\ud83d\\\\\\ude00"', "lone-surrogate"),
    ],
)
def test_what_the_stdlib_takes_and_we_do_not(data, code):
    assert refused(data) == code


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b" null ", None),
        (b"9007199254740991", 2**53 - 1),
        (b"-9007199254740991", 1 - 2**53),
        (b"123456789012345", 123456789012345),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b'"\\\\ud800"', "\\ud800"),
        (b'"\\n"', "\n"),
        ('["é"]'.encode(), ["é"]),
        (b"[1.5, -0.0, 1e3]", [1.5, -0.0, 1000.0]),
    ],
)
def test_honest_json_is_read_exactly(data, value):
    assert loads(data, max_bytes=1000) == value


def test_more_bytes_than_allowed_are_refused_before_they_are_read():
    assert refused(b"[" * 11, max_bytes=10) == "too-large"
    assert loads(b'"12345678"', max_bytes=10) == "12345678"


def test_large_integers_are_taken_where_peers_send_them():
    assert loads(b"9007199254740993", max_bytes=99, safe_integers=False) == 2**53 + 1


def test_an_integer_that_no_double_holds_is_refused_as_its_other_spellings_are():
    assert loads(b"9" * 308, max_bytes=500, safe_integers=False) == int("9" * 308)
    assert loads(b"1" + b"0" * 308, max_bytes=500, safe_integers=False) == 10**308
    assert loads(b"-1" + b"0" * 307, max_bytes=500, safe_integers=False) == -(10**307)
    for digits in (b"9" * 309, b"-" + b"9" * 309, b"1" * 5000):
        assert refused(digits, safe_integers=False) == "unsafe-number"


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_depth_is_counted_exactly(opening):
    closing = "]" if opening == "[" else "}"
    for depth, fits in ((64, True), (65, False)):
        data = (opening * depth + "1" + closing * depth).encode()
        if fits:
            loads(data, max_bytes=10_000)
        else:
            assert refused(data) == "too-deep"


def test_brackets_in_strings_do_not_count():
    data = json.dumps(["[" * 100, '\\"[[[', {"a]": '"'}] * 40).encode()
    assert loads(data, max_bytes=100_000) == json.loads(data)


def test_wide_but_shallow_json_is_fine():
    data = b"[" + b",".join([b"[[]]"] * 200) + b"]"
    assert len(loads(data, max_bytes=100_000)) == 200


def test_unbalanced_brackets_end_in_a_reason_and_never_in_a_recursion_error():
    assert refused(b"[" * 100) == "invalid-json"
    assert refused(b"[" * 200_000) in {"too-deep", "invalid-json"}
    assert refused(b"]" * 200) == "invalid-json"


def test_a_reason_never_shows_the_input():
    with pytest.raises(WireError) as caught:
        loads(b'{"password": hunter2}', max_bytes=100)
    assert "hunter2" not in str(caught.value)
    assert str(caught.value) == "invalid-json; not JSON at character 13"


@given(st.text(alphabet='[]{}",\\:1', max_size=300), st.integers(1, 5))
def test_the_depth_check_never_refuses_what_a_parser_counts_less_deep(text, most):
    try:
        value = json.loads(text)
    except ValueError:
        return
    assert within_depth(text.encode(), most) == (_depth(value) <= most)


def _depth(value) -> int:
    if isinstance(value, (list, dict)):
        return 1 + max(map(_depth, value.values() if isinstance(value, dict) else value), default=0)
    return 0


@given(strategies.json_values(), st.integers(1, 4))
def test_depth_and_value_agree_with_the_stdlib(value, most):
    for ensure_ascii in (True, False):
        data = json.dumps(value, ensure_ascii=ensure_ascii).encode()
        assert loads(data, max_bytes=100_000, safe_integers=False) == value
        assert within_depth(data, most) == (_depth(value) <= most)


@given(st.binary(max_size=60) | st.text(alphabet='[]{}",\\u0d8cefDC:1-e.Nan', max_size=60).map(str.encode))
def test_any_bytes_give_a_value_or_a_wire_error(data):
    try:
        value = loads(data, max_bytes=50)
    except WireError:
        return
    assert loads(dump_line(value).encode(), max_bytes=1000) == value


class Colour(enum.IntEnum):
    RED = 1


class Word(str, enum.Enum):  # noqa: UP042 - a StrEnum would print as its value
    HELLO = "hello"


class Half(float):
    pass


def test_plain_gives_a_fresh_value_of_plain_types():
    given_value = UserDict(
        {"a": (1, [Address("@a@b.example")]), Word.HELLO: Word.HELLO, "c": Colour.RED, "d": Half(0.5)}
    )
    made = plain(given_value)
    assert made == {"a": [1, ["@a@b.example"]], "hello": "hello", "c": 1, "d": 0.5}
    assert [type(item) for item in (made, made["a"], made["a"][1][0], made["hello"], made["c"], made["d"])] == [
        dict,
        list,
        str,
        str,
        int,
        float,
    ]
    assert {type(name) for name in made} == {str}


def test_plain_shares_nothing_with_what_it_was_given():
    inner = [1]
    made = plain({"a": inner, "b": None, "c": True, "d": "é"})
    inner.append(2)
    assert made == {"a": [1], "b": None, "c": True, "d": "é"}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (float("nan"), "NaN and Infinity are not JSON"),
        ([float("inf")], "NaN and Infinity are not JSON"),
        ("\ud800", "a string has a lone surrogate"),
        (b"x", "bytes is not a JSON value"),
        ({1, 2}, "set is not a JSON value"),
        ({1: 2}, "the name of a JSON member must be a string"),
        ({"\ud800": 2}, "the name of a JSON member has a lone surrogate"),
        ([10**4400], "an integer is too long for JSON"),
        ([-(10**4400)], "an integer is too long for JSON"),
    ],
)
def test_plain_refuses_what_json_cannot_carry(value, reason):
    with pytest.raises(UsageError, match=reason):
        plain(value)


def test_plain_refuses_what_is_nested_too_deeply():
    value: list = []
    for _ in range(95):
        value = [value]
    assert plain(value) == value
    with pytest.raises(UsageError, match="nested too deeply for JSON"):
        plain([value])


def test_plain_refuses_a_list_that_holds_itself():
    loop: list = []
    loop.append(loop)
    with pytest.raises(UsageError, match="nested too deeply"):
        plain(loop)


@pytest.mark.parametrize(("text", "fits"), [("abc", True), ("é😀", True), ("a\ud800", False)])
def test_text_is_what_utf8_can_carry(text, fits):
    assert is_text(text) is fits


def test_json_is_written_on_one_line_without_escapes_of_letters():
    assert dump_line({"a": ["é", None, True]}) == '{"a":["é",null,true]}'


def test_a_pointer_escapes_tilde_and_slash():
    assert pointer("a/b", 0, "~") == "/a~1b/0/~0"
    assert pointer() == ""


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (0, 0),
        (2.0, 2),
        (2**53 - 1, 2**53 - 1),
        (2**53, None),
        (1e300, None),
        (True, None),
        (-1, None),
        (1.5, None),
        ("1", None),
        (None, None),
    ],
)
def test_a_whole_number_is_one_that_everybody_keeps(value, number):
    assert whole_number(value) == number


def test_what_cannot_be_written_is_replaced():
    assert well_formed("a\udcffb") == "a?b"
    assert well_formed("é") == "é"


def test_the_longest_integer_that_can_be_written_is_json():
    assert plain(10**4300 - 1) == 10**4300 - 1
    with pytest.raises(UsageError, match="too long for JSON"):
        plain(10**4300)


def test_a_pointer_holds_nothing_that_forges_a_log():
    assert pointer("a/b", "x\n\x1b[31m\u202e", 1) == "/a~1b/x\\u000a\\u001b[31m\\u202e/1"
