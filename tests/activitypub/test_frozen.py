import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.activitypub._frozen import Kept, copied, frozen

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.lists(JSON) | st.dictionaries(st.text(), JSON))
def test_a_copy_is_equal_in_the_same_order(value: Any) -> None:
    assert json.dumps(copied(frozen(value))) == json.dumps(value)


@pytest.mark.parametrize("value", [{"a": [1, {"b": ["c"]}], "d": {"e": []}}, [[[]], {"a": {"b": {}}}]])
def test_a_copy_shares_nothing_that_can_change(value: Any) -> None:
    before = json.dumps(value)
    kept = frozen(value)
    spoil(copied(kept))
    assert json.dumps(copied(kept)) == before


def test_each_taker_of_a_document_gets_one_of_their_own() -> None:
    body = b'{"a": [1, {"b": [0.5]}]}'
    document = json.loads(body)
    kept = Kept(document, body)
    assert kept.take() is document
    for _ in range(2):
        spoil(document)
        document = kept.take()
        assert document == json.loads(body)


def spoil(value: Any) -> None:
    """Changes every object and array in `value`."""
    if isinstance(value, dict):
        for item in value.values():
            spoil(item)
        value["spoilt"] = True
    elif isinstance(value, list):
        for item in value:
            spoil(item)
        value.append("spoilt")
