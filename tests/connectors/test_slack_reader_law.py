"""What a person sees in Slack is what the agent reads, in the message and in its history; what programs see is not."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

from mentionable import Received, encode
from mentionable.connectors import slack
from tests.connectors.slack_grammar import Messages
from tests.connectors.slack_workspace import FILES, ISSUER, SECRET, event_unit, mention, receive

SETTINGS = slack.Settings(signing_secret=SECRET, issuer=ISSUER, files=FILES)
ROOT = "1795294400.000001"
BOT = {"user": None, "bot_id": "B2", "app_id": "A2", "subtype": "bot_message"}
WORLD = {"CALL *": {"ok": False, "error": "missing_scope"}}


def read(event, **world):
    found, _ = receive(event_unit(event), world={**WORLD, **world}, settings=SETTINGS)
    assert isinstance(found, Received), found.code
    return json.dumps([encode(found.message), [encode(one) for one in found.diagnostics]])


def holds_the_law(drawn, text):
    assert [word for word in sorted(drawn.visible) if word not in text] == []
    assert [word for word in sorted(drawn.hidden) if word in text] == []


@pytest.mark.uncounted
@settings(max_examples=200)
@given(st.data(), st.sampled_from([{}, BOT]))
def test_every_word_of_a_message_is_read_and_no_other(data, writer):
    drawn = Messages(data.draw)
    # A mention in the default text: a message that is all of deleted files would be none.
    holds_the_law(drawn, read({**mention(), **writer, **drawn.message()}))


@pytest.mark.uncounted
@settings(max_examples=100)
@given(st.data(), st.sampled_from([{}, BOT]))
def test_every_word_of_a_thread_is_read_and_no_other(data, writer):
    drawn = Messages(data.draw)
    turn = {"type": "message", "user": "U2", "team": "T1", "ts": ROOT, "thread_ts": ROOT, **writer, **drawn.message()}
    note(json.dumps(turn))
    answer = {"ok": True, "messages": [turn]}
    holds_the_law(drawn, read(mention(thread_ts=ROOT), **{"CALL conversations.replies C1": answer}))


@settings(max_examples=50)
@given(st.data())
def test_a_message_and_a_turn_of_a_thread_have_the_same_texts(data):
    message = Messages(data.draw).message()
    turn = {"type": "message", "user": "U2", "team": "T1", "ts": ROOT, "thread_ts": ROOT, **message}
    answer = {"ok": True, "messages": [turn]}
    world = {**WORLD, "CALL conversations.replies C1": answer}
    event = {**mention("", thread_ts=ROOT), **message}
    found, _ = receive(event_unit(event), world=world, settings=SETTINGS)
    assume(isinstance(found, Received))
    texts = [part for part in found.message.parts if part.kind == "text"]
    before = found.message.history[0].parts if found.message.history else ()
    assert texts == [part for part in before if part.kind == "text" and not part.content.startswith("[file: ")]
