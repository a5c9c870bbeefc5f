"""A body is read in one way, whatever the header says that nobody signs."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import HttpRequest, Rejected, WireError, drive
from mentionable.connectors import slack
from mentionable.connectors.slack._read.form import read_form
from mentionable.testing import SlackPeer, answers

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
FORM = "application/x-www-form-urlencoded"


def test_an_event_is_no_command_when_somebody_changes_its_type():
    mallory = SlackPeer(user="U666", name="Mallory")
    typed = "x&command=%2Fdeploy&team_id=T123&user_id=U999&channel_id=C123&trigger_id=1.2.a&text=production"
    unit = mallory.write(typed, now=NOW)
    headers = [(name, FORM if name == "content-type" else value) for name, value in unit.headers]
    forged = HttpRequest(method="POST", url=unit.url, headers=headers, body=unit.body)
    facts = {"recipient": "@helper@agents.example", "now": NOW, "entropy": bytes(32), "settings": mallory.settings()}
    got = drive(slack.receive(forged, **facts), answers(mallory, SlackPeer(user="U999")))
    assert isinstance(got, Rejected)
    assert got.code == "malformed"
    assert slack.response_url(forged) is None


@given(st.dictionaries(st.text(), st.text(), min_size=1) | st.lists(st.text(min_size=1), min_size=1))
def test_no_json_with_a_text_is_a_form(document):
    with pytest.raises(WireError):
        read_form(json.dumps(document).encode())


def test_a_form_as_slack_sends_it_is_read():
    assert read_form(b"command=%2Fweather&text=94070+%26+more&token=&x") == {
        "command": "/weather",
        "text": "94070 & more",
        "token": "",
        "x": "",
    }
