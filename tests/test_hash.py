"""Every value of the library can be in a set: equal values have one hash, whatever JSON they hold."""

from __future__ import annotations

import pickle
from types import MappingProxyType
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import TextPart, ToolCallPart, decode_trusted, dumps
from mentionable._model.base import EMPTY_DICT, FrozenDict, frozen
from mentionable.testing import strategies
from tests.samples import SAMPLES
from tests.test_pickling import CLASSES, VALUES, received

PLAIN = {"b": [1, {"c": None, "d": 2.0}], "a": True}
FROZEN = FrozenDict(a=1.0, b=[1.0, FrozenDict(d=2, c=None)])
TWINS = {"objects": (PLAIN, FROZEN), "lists": ([PLAIN], [FROZEN]), "tuples": ((1, (PLAIN,)), (True, (FROZEN,)))}
OF_THE_LIBRARY = [cls for cls in VALUES if cls.__eq__.__module__ == frozen.__module__]


def name_of(cls: type) -> str:
    return f"{cls.__module__}.{cls.__name__}"


def of(cls: type, member: object) -> Any:
    made = object.__new__(cls)
    for a in attrs.fields(cls):
        object.__setattr__(made, a.name, member)
    return made


@pytest.mark.parametrize("cls", OF_THE_LIBRARY, ids=name_of)
@pytest.mark.parametrize("twins", TWINS.values(), ids=list(TWINS))
def test_equal_values_of_every_public_class_have_one_hash(cls: type, twins: tuple[Any, Any]) -> None:
    one, other = of(cls, twins[0]), of(cls, twins[1])
    assert one == other
    assert len({one, other}) == 1


@pytest.mark.parametrize("cls", sorted(CLASSES, key=name_of), ids=name_of)
def test_every_public_class_has_a_hash_or_says_that_it_has_none(cls: type) -> None:
    if attrs.has(cls):
        assert isinstance(hash(of(cls, ("some", "member"))), int)
    elif hasattr(cls, "_fields"):
        assert isinstance(hash(tuple.__new__(cls, ("some", "member"))), int)
    else:
        assert cls.__hash__ is None or cls.__hash__ in (object.__hash__, str.__hash__, BaseException.__hash__)


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))
def test_what_comes_from_another_process_has_the_same_hash(sample: Any) -> None:
    assert hash(pickle.loads(pickle.dumps(sample))) == hash(sample)


@pytest.mark.uncounted
@given(strategies.messages())
def test_messages_have_the_hash_of_their_equals(message: Any) -> None:
    assert hash(decode_trusted(type(message), dumps(message))) == hash(message)


@given(strategies.json_values(), st.randoms())
def test_the_order_of_members_makes_no_difference(value: Any, random: Any) -> None:
    def shuffled(one: Any) -> Any:
        if isinstance(one, dict):
            items = [(name, shuffled(member)) for name, member in one.items()]
            random.shuffle(items)
            return dict(items)
        return [shuffled(item) for item in one] if isinstance(one, list) else one

    assert hash(ToolCallPart(id="1", name="t", args=value)) == hash(
        ToolCallPart(id="1", name="t", args=shuffled(value))
    )


def test_what_is_received_can_be_in_a_set() -> None:
    raw = b"From: alice@a.example\nContent-Type: image/png\n\n" + bytes(70_000)
    assert received(raw).blobs
    assert len({received(raw), received(raw)}) == 1


def test_a_hash_tells_values_apart() -> None:
    values = [TextPart(content="x", extra=extra) for extra in ({}, {"a": 1}, {"a": 2}, {"a": [1]}, {"a": {"b": 1}})]
    assert len({hash(value) for value in values}) == len(values)
    assert hash(EMPTY_DICT) == hash(FrozenDict())


@pytest.mark.uncounted
def test_json_of_any_depth_has_a_hash() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert isinstance(hash(of(ToolCallPart, deep)), int)
    while isinstance(deep, list):  # taken apart by hand: to forget it at once would go as deep
        deep = deep.pop()


def test_another_mapping_counts_like_a_dict() -> None:
    assert hash(of(TextPart, MappingProxyType(PLAIN))) == hash(of(TextPart, FROZEN))


def test_what_is_no_json_may_have_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(of(TextPart, {"a": bytearray()}))
