"""The law of what people see: each word is in a part, in the history, or named; and nothing that they do not see is."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import HistoryPolicy, Received
from tests.connectors.canaries import Canaries, everything, leaked, lost
from tests.connectors.discord_events import FILES, received, settings
from tests.connectors.discord_grammar import Grammar

OWN = settings(history=HistoryPolicy(max_messages=50, max_chars=10**6), files=FILES)


def made(seed: int) -> tuple[Canaries, dict[str, Any], list[dict[str, Any]]]:
    """A message, what was written before it, and the canaries of both."""
    canaries = Canaries(Random(seed))
    grammar = Grammar(canaries)
    before, message = canaries.several(grammar.turn, 2), grammar.answer()
    canaries.forget_unused(message, before)
    return canaries, message, before


def outcome_of(message: dict[str, Any], before: list[dict[str, Any]], own: Any = OWN) -> Any:
    return received(message, own=own, call_api=lambda ask: before)


@given(st.integers(0, 2**32))
def test_each_word_that_people_see_is_read_or_named(seed):
    canaries, message, before = made(seed)
    got = outcome_of(message, before)
    if not isinstance(got, Received):  # its author has a name, and it has nothing to read
        assert not set(canaries.seen).intersection(_words(message))
        return
    assert lost(got, canaries) == []
    assert leaked(got, canaries) == []


@given(st.integers(0, 2**32))
def test_no_word_is_lost_where_no_file_can_be_given_out(seed):
    canaries, message, before = made(seed)
    got = outcome_of(message, before, settings(history=HistoryPolicy(max_messages=50, max_chars=10**6)))
    assert not isinstance(got, Received) or (lost(got, canaries), leaked(got, canaries)) == ([], [])


@given(st.integers(0, 2**32))
def test_words_of_others_are_in_no_part_of_the_sender(seed):
    canaries = Canaries(Random(seed))
    grammar = Grammar(canaries)
    message = grammar.message(is_program=False)
    message.pop("interaction_metadata", None)
    others = [message.get("message_snapshots"), message["embeds"], message.get("thread")]
    got = outcome_of(message, [])
    if isinstance(got, Received):
        own = [part for part in got.message.parts if "written_by" not in part.extra and part.kind != "file"]
        read = repr([part.content for part in own if part.kind == "text"])
        assert [word for word in canaries.seen if word in repr(others) and word in read] == []


def test_the_grammar_is_read_as_a_whole():
    outcomes = [outcome_of(*made(seed)[1:]) for seed in range(200)]
    assert sum(isinstance(got, Received) for got in outcomes) > 150


@pytest.mark.parametrize("name", ["seen0000x", "hidden0000x"])
def test_the_law_would_notice(name):
    canaries = Canaries(Random(0))
    word = canaries.word() if name[0] == "s" else canaries.secret()
    got = outcome_of({"id": "1", "channel_id": "2", "author": {"id": "3"}, "content": "x", "nonce": word}, [])
    assert lost(got, canaries) == [name] * (name[0] == "s")
    got = outcome_of({"id": "1", "channel_id": "2", "author": {"id": "3"}, "content": word}, [])
    assert leaked(got, canaries) == [name] * (name[0] == "h")
    assert word in everything(got)


def _words(message: dict[str, Any]) -> list[str]:
    """Words that people see of a message itself, but for the name of its author."""
    return [
        word
        for word in repr({**message, "author": None, "referenced_message": None}).replace("'", " ").split()
        if word.startswith("seen")
    ]
