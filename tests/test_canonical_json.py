import json
import math

import jcs
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from mentionable import WireError
from mentionable._wire.canonical_json import _Walk, canonical_json
from mentionable._wire.strict_json import MAX_SAFE_INTEGER, loads, loads_signed

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
LEAVES = st.none() | st.booleans() | st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER) | FLOATS | st.text()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=30)


@given(VALUES)
def test_the_form_is_that_of_two_other_implementations(value):
    assert canonical_json(value) == rfc8785.dumps(value) == jcs.canonicalize(value)


NUMBERS = st.one_of(
    st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER).map(str),
    FLOATS.map(repr),
    st.floats(-10, 10).map(lambda number: f"{number:.2f}"),
    st.builds("{}{}e{}".format, st.integers(-99, 99), st.sampled_from(["", ".0", ".25"]), st.integers(-12, 20)),
)


def json_object(members):
    return "{" + ", ".join(f"{json.dumps(name)}: {item}" for name, item in members.items()) + "}"


TEXTS = st.recursive(
    st.sampled_from(["null", "true"]) | NUMBERS | st.builds(json.dumps, st.text(), ensure_ascii=st.booleans()),
    lambda inner: (
        st.lists(inner).map(lambda items: f"[{','.join(items)}]") | st.dictionaries(st.text(), inner).map(json_object)
    ),
    max_leaves=30,
)


@given(TEXTS)
def test_the_form_of_what_was_read_needs_no_second_look(text):
    data = text.encode()
    value, has_plain_numbers = loads_signed(data, max_bytes=100_000)
    assert value == json.loads(text)
    assert canonical_json(value, has_plain_numbers=has_plain_numbers) == rfc8785.dumps(json.loads(text))


@pytest.mark.parametrize(
    "text", ['{"\U0001f600":1,"\ufb33":2}', r'{"\ud83d\ude00":1,"\ufb33":2}', '{"a":"\U0001f600","é":1.0}']
)
def test_names_and_texts_of_a_rare_kind_are_looked_at_all_the_same(text):
    value, has_plain_numbers = loads_signed(text.encode(), max_bytes=100)
    assert has_plain_numbers
    assert canonical_json(value, has_plain_numbers=True) == rfc8785.dumps(json.loads(text))


@pytest.mark.parametrize(
    ("value", "is_plain"),
    [
        ({"focalPoint": [0.25, -0.12]}, True),
        ({"é": "\U0001f600"}, True),
        ([1.0, {"a": -0.0, "b": [2.5, 3.0]}], True),
        ([1e21], False),
        ([1e16], False),
        ([9.9e-5], False),
        ({"\U0001f600": 1, "\ufb33": 2}, False),
        ([{"a": [1e-7]}, 1.0], False),
    ],
)
def test_what_the_fast_way_writes_otherwise_is_told_apart(value, is_plain):
    walk = _Walk()
    walk.through(value, 64)
    assert (walk.are_names_plain() and walk.is_plain) is is_plain
    assert canonical_json(value) == rfc8785.dumps(value)


@given(FLOATS)
def test_every_float_is_written_as_ecmascript_does(number):
    assert canonical_json([number]) == rfc8785.dumps([number])


class Odd(int):
    pass


@pytest.mark.parametrize(
    "value",
    [
        2**53,
        -(2**53),
        math.nan,
        math.inf,
        "\ud800",
        [1e-7, "\ud800"],
        {"\ud800": 1},
        {1: 2},
        {None: 1},
        (1,),
        b"x",
        Odd(1),
        {"a": [{1}]},
    ],
)
def test_what_has_no_canonical_form_is_refused(value):
    with pytest.raises(WireError) as caught:
        canonical_json(value)
    assert caught.value.code == "not-canonical"


def test_the_value_itself_stays_as_it_is():
    value = {"a": [1.0, {"b": 2.0}]}
    assert canonical_json(value) == b'{"a":[1,{"b":2}]}'
    assert repr(value) == "{'a': [1.0, {'b': 2.0}]}"


def test_depth_is_bounded():
    value = json.loads("[" * 16 + "]" * 16)
    assert canonical_json(value, max_depth=16) == b"[" * 16 + b"]" * 16
    with pytest.raises(WireError):
        canonical_json(value, max_depth=15)


def test_a_long_document_of_rare_numbers_is_refused():
    assert canonical_json([1e-7, "a" * 1_000]) == rfc8785.dumps([1e-7, "a" * 1_000])
    with pytest.raises(WireError) as caught:
        canonical_json([1e-7, "a" * 70_000])
    assert caught.value.code == "not-canonical"
    assert len(canonical_json([1e-3, "a" * 70_000])) > 70_000


def test_half_of_a_pair_is_refused_in_what_is_said_to_be_plain():
    with pytest.raises(WireError) as caught:
        canonical_json({"a": "\ud800"}, has_plain_numbers=True)
    assert caught.value.code == "not-canonical"


@pytest.mark.parametrize(
    ("number", "value", "has_plain_numbers"),
    [
        ("0.0", 0, True),
        ("-0.0", 0, True),
        ("1e2", 100, True),
        ("0.12", 0.12, True),
        ("1e-4", 1e-4, True),
        ("9007199254740991.0", MAX_SAFE_INTEGER, True),
        ("9007199254740992.0", float(2**53), False),
        ("-1e16", -1e16, False),
        ("9.9e-5", 9.9e-5, False),
    ],
)
def test_the_loader_says_which_numbers_are_plain(number, value, has_plain_numbers):
    read, told = loads_signed(f"[{number}]".encode(), max_bytes=100)
    assert (repr(read), told) == (repr([value]), has_plain_numbers)


@pytest.mark.parametrize(
    "data", [b"[9007199254740992]", b"[1e-7,1e400]", b"[1e400]", b"[NaN]", b'{"a":1,"a":1e-7}', b"[1e-7"]
)
def test_the_loader_refuses_the_same_as_ever(data):
    with pytest.raises(WireError) as caught:
        loads_signed(data, max_bytes=100)
    with pytest.raises(WireError) as usual:
        loads(data, max_bytes=100)
    assert (caught.value.code, caught.value.problems) == (usual.value.code, usual.value.problems)
