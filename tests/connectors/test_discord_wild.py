"""Payloads in the tests of other libraries are read without loss."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mentionable import HistoryPolicy, Received, Rejected
from tests.connectors import discord_wild
from tests.connectors.canaries import everything
from tests.connectors.discord_events import FILES, received, settings

OWN = settings(history=HistoryPolicy(max_messages=5, max_chars=10**6), files=FILES)
SECRETS = ("token", "custom_id", "proxy_url", "waveform", "nonce")

if not discord_wild.FOLDER.is_dir():  # pragma: no cover
    pytest.skip("run python tests/setup_corpora.py", allow_module_level=True)

PAYLOADS = discord_wild.payloads()
MESSAGES = [payload for payload in PAYLOADS if discord_wild.kind_of(payload) != "interaction"]


def outcome_of(payload: dict[str, Any]) -> Any:
    return received(discord_wild.as_event(payload), own=OWN)


def words(texts: Any) -> set[str]:
    return {word for text in texts for word in re.findall("[A-Za-z0-9]{3,}", text)}


def secrets(value: Any) -> set[str]:
    """What only programs see, wherever it is."""
    if isinstance(value, list):
        return set().union(*map(secrets, value))
    if not isinstance(value, dict):
        return set()
    own = {value[name] for name in SECRETS if isinstance(value.get(name), str) and len(value[name]) > 5}
    return own.union(*map(secrets, value.values()))


def test_there_are_more_than_a_hundred():
    assert len(PAYLOADS) > 100


@pytest.mark.parametrize("number", range(len(MESSAGES)))
def test_each_word_that_people_see_is_read(number):
    payload = MESSAGES[number]
    event = discord_wild.as_event(payload)
    seen = words(discord_wild.read_by_people(event))
    got = outcome_of(payload)
    if isinstance(got, Rejected):
        assert not seen
        return
    read = everything(got)
    assert {word for word in seen if word not in read} == set()
    visible = " ".join(discord_wild.read_by_people(event))
    assert {secret for secret in secrets(event) if secret in read and secret not in visible} == set()


def test_each_interaction_has_an_outcome():
    for payload in PAYLOADS:
        if discord_wild.kind_of(payload) == "interaction":
            got = outcome_of(payload)
            assert isinstance(got, (Received, Rejected))
            assert isinstance(got, Received) or got.code in ("unsupported-event", "missing-member")
