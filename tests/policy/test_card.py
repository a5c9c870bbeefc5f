"""The declaration in an agent card."""

from __future__ import annotations

import pytest
from hypothesis import given

from mentionable import UsageError
from mentionable._model.policy import EXTENSION
from mentionable.policy._card import declare, is_declared
from mentionable.testing import strategies

ENTRY = {"uri": EXTENSION}
OTHER = {"uri": "https://other.example/ext", "required": True}


def test_it_is_declared_where_both_readers_look():
    capabilities = {"capabilities": {"extensions": [ENTRY]}}
    assert declare({"name": "Helper"}) == {"name": "Helper", **capabilities, "a2a": capabilities}


def test_everything_else_stays():
    card = {
        "name": "Helper",
        "capabilities": {"streaming": True, "extensions": [OTHER]},
        "a2a": {"version": "1.0", "capabilities": {"x": [1]}},
    }
    assert declare(card) == {
        "name": "Helper",
        "capabilities": {"streaming": True, "extensions": [OTHER, ENTRY]},
        "a2a": {"version": "1.0", "capabilities": {"x": [1], "extensions": [ENTRY]}},
    }


def test_it_is_declared_once():
    entry = {**ENTRY, "required": True}
    declared = declare({"capabilities": {"extensions": [entry]}})
    assert declared["capabilities"]["extensions"] == [entry]
    assert declare(declared) == declared


def test_null_is_as_good_as_nothing():
    card = {"capabilities": None, "a2a": {"capabilities": {"extensions": None}}}
    assert declare(card) == declare({})


def test_the_card_is_a_fresh_one():
    card = {"capabilities": {"extensions": [OTHER]}}
    declare(card)["capabilities"]["extensions"][0]["uri"] = "changed"
    assert card == {"capabilities": {"extensions": [{"uri": "https://other.example/ext", "required": True}]}}


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ([], "an agent card is a JSON object"),
        (None, "an agent card is a JSON object"),
        ({"x": object()}, "object is not a JSON value"),
        ({"a2a": []}, "a2a of the card is not an object"),
        ({"capabilities": "x"}, "capabilities of the card is not an object"),
        ({"a2a": {"capabilities": 0}}, "capabilities of a2a is not an object"),
        ({"capabilities": {"extensions": {}}}, "capabilities.extensions of the card is not an array"),
        ({"a2a": {"capabilities": {"extensions": ""}}}, "capabilities.extensions of a2a is not an array"),
    ],
)
def test_what_is_no_card_cannot_declare_anything(card, words):
    with pytest.raises(UsageError, match=words):
        declare(card)


@pytest.mark.parametrize(
    "card",
    [
        {"capabilities": {"extensions": [ENTRY]}},
        {"a2a": {"capabilities": {"extensions": [OTHER, ENTRY]}}},
        {"capabilities": {"extensions": ["x", 1, None, [], ENTRY]}},
        {"capabilities": {"extensions": (ENTRY,)}},
        {"capabilities": [], "a2a": {"capabilities": {"extensions": [ENTRY]}}},
    ],
)
def test_either_place_counts(card):
    assert is_declared(card)


@pytest.mark.parametrize(
    "card",
    [
        None,
        7,
        "card",
        [],
        [ENTRY],
        {},
        ENTRY,
        {"extensions": [ENTRY]},
        {"capabilities": [ENTRY]},
        {"capabilities": {"extensions": ENTRY}},
        {"capabilities": {"extensions": EXTENSION}},
        {"capabilities": {"extensions": [EXTENSION]}},
        {"capabilities": {"extensions": [{"uri": EXTENSION + "/"}]}},
        {"capabilities": {"extensions": [{"uri": EXTENSION.upper()}]}},
        {"capabilities": {"extensions": [{"uri": [EXTENSION]}]}},
        {"a2a": [], "capabilities": None},
    ],
)
def test_nothing_else_declares_it(card):
    assert not is_declared(card)


@given(strategies.json_values())
def test_any_json_may_be_asked(value):
    assert not is_declared(value)


@given(strategies.json_objects())
def test_what_declares_is_declared(card):
    try:
        declared = declare(card)
    except UsageError:  # what it has under the names that are read is none of a card
        return
    assert is_declared(declared)
