import json
import math

import jcs
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from mentionable import WireError
from mentionable._canonical import _Walk, canonical_json
from mentionable._json import MAX_SAFE_INTEGER

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
LEAVES = st.none() | st.booleans() | st.integers(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER) | FLOATS | st.text()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=30)


@given(VALUES)
def test_the_form_is_that_of_two_other_implementations(value):
    assert canonical_json(value) == rfc8785.dumps(value) == jcs.canonicalize(value)


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
