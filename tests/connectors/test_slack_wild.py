"""Messages of Slack that the tests and documents of other projects have: every word that people see is read."""

from __future__ import annotations

import pytest

from mentionable import Received, encode
from tests.connectors.slack_wild import messages, shown_words, words_in
from tests.connectors.slack_workspace import event_unit, mention, receive

MESSAGES = messages()
LEAST = 100
ROOT = "1795294400.000001"
WORLD = {"CALL *": {"ok": False, "error": "missing_scope"}}

needs_corpora = pytest.mark.skipif(not MESSAGES, reason="python tests/setup_corpora.py fetches them")


def read(event, **world):
    found, _ = receive(event_unit(event), world={**WORLD, **world})
    assert isinstance(found, Received), found
    texts = [encode(part) for part in found.message.parts]
    turns = [encode(part) for turn in found.message.history or () for part in turn.parts]
    notes = [note.detail for note in found.diagnostics]
    return words_in([texts, turns, notes])


@needs_corpora
def test_there_are_enough_of_them():
    assert len(MESSAGES) >= LEAST


@needs_corpora
@pytest.mark.parametrize("content", MESSAGES, ids=range(len(MESSAGES)))
def test_no_word_of_a_message_is_lost(content):
    event = {**mention(), **content, "text": f"<@UBOT> {content.get('text', '')}"}
    assert shown_words(content) - read(event) == set()


@needs_corpora
@pytest.mark.parametrize("content", MESSAGES, ids=range(len(MESSAGES)))
def test_no_word_of_a_turn_is_lost(content):
    turn = {"type": "message", "user": "U2", "team": "T1", "ts": ROOT, "thread_ts": ROOT, **content}
    answer = {"ok": True, "messages": [turn]}
    assert shown_words(content) - read(mention(thread_ts=ROOT), **{"CALL conversations.replies C1": answer}) == set()
